"""Numbers that states and banks know a person by, told by their form and their check digits.

One that only identifies somebody opens nothing, and people tell it to have it remembered: it is withheld, and
never destroyed. So is a telephone number.
"""

from collections.abc import Callable, Iterator

from almario.named_tuples import NamedTuple
from almario.text.secrets.patterns import SecretSpan, pattern

_DNI_LETTERS = b"TRWAGMYFPDXBNJZSQVHLCKE"


class _Number(NamedTuple):
    source: str
    check: Callable[[bytes], bool] = bool
    kind: str = "national-id"


def _is_dni(compact: bytes) -> bool:
    digits = compact[:-1].translate(bytes.maketrans(b"XYZ", b"012"))
    return _DNI_LETTERS[int(digits) % 23] == compact[-1]


def _is_ssn(compact: bytes) -> bool:
    return compact[:3] not in (b"000", b"666") and compact[3:5] != b"00" and compact[5:] != b"0000"


def _is_cpf(compact: bytes) -> bool:
    digits = [byte - 48 for byte in compact]
    for size in (9, 10):
        total = sum(digit * (size + 1 - place) for place, digit in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != digits[size]:
            return False
    return len(set(digits)) > 1


def _is_nir(compact: bytes) -> bool:
    body = compact[:13].replace(b"2A", b"19").replace(b"2B", b"18")
    return 97 - int(body) % 97 == int(compact[13:])


def _is_resident(compact: bytes) -> bool:
    """Return whether the last sign of a Chinese number, which may be an X for ten, is right."""
    rest = sum((byte - 48) * pow(2, 17 - place, 11) for place, byte in enumerate(compact[:17])) % 11
    return b"10X98765432"[rest] == compact[17]


def _is_ccc(compact: bytes) -> bool:
    """Return whether the two control digits of a Spanish account are right."""
    weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)

    def control(ten: bytes) -> int:
        rest = 11 - sum(weight * (byte - 48) for weight, byte in zip(weights, ten, strict=True)) % 11
        return {10: 1, 11: 0}.get(rest, rest)

    return control(b"00" + compact[:8]) == compact[8] - 48 and control(compact[10:]) == compact[9] - 48


_NUMBERS = (
    _Number(r"\b(?:[0-9]{8}|[0-9]{2}\.[0-9]{3}\.[0-9]{3}|[XYZxyz][ -]?[0-9]{7})[ -]?[A-Za-z]\b", _is_dni),
    _Number(r"\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\b", _is_ssn),
    _Number(r"\b[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}\b", _is_cpf),
    _Number(
        r"\b[12][ .]?[0-9]{2}[ .]?(?:0[1-9]|1[0-2]|[2-9][0-9])[ .]?(?:[0-9]{2}"
        r"|2[AB])[ .]?[0-9]{3}[ .]?[0-9]{3}[ .-]?[0-9]{2}\b",
        _is_nir,
    ),
    _Number(r"\b[A-Z]{4}[0-9]{6}[HM][A-Z]{5}[0-9A-Z][0-9]\b"),
    _Number(r"\b[A-Z]{4}[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9][A-Z0-9]{3}\b"),
    _Number(r"\b[1-8][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9]{4}[0-9Xx]\b", _is_resident),
    _Number(r"\b[A-Z]{6}[0-9]{2}[A-EHLMPRST](?:[04][1-9]|[1256][0-9]|[37][01])[A-Z][0-9]{3}[A-Z]\b"),
    _Number(r"\b[0-9]{4}[ -][0-9]{4}[ -][0-9]{2}[ -][0-9]{10}\b", _is_ccc, "account"),
)


_ANY = "|".join(number.source for number in _NUMBERS)


def identities(raw: bytes) -> Iterator[SecretSpan]:
    """Find numbers of persons and accounts by their form and check digits."""
    for source, check, kind in _NUMBERS if pattern(_ANY, groups=False).search(raw) else ():
        for match in pattern(source).finditer(raw):
            apart = raw[max(0, match.start() - 1) : match.start()] not in (b"-", b".", b"/", b"_", b"=", b"#")
            if apart and check(match.group().translate(None, b" .-").upper()):
                yield SecretSpan(match.start(), match.end(), kind, is_sure=kind == "account")
