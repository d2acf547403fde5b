"""Numbers that states and banks know a person by, told by their check digits or by what they are called."""

from collections.abc import Callable, Collection, Iterator

from almario.named_tuples import NamedTuple
from almario.text.secrets.numbers import DATE
from almario.text.secrets.patterns import ACCOUNT, FEWEST_DIGITS, IDENTITY, Span, digits_in, pattern

_DNI_LETTERS = b"TRWAGMYFPDXBNJZSQVHLCKE"
# What such numbers are called; "_" is a space.
_PERSONS = (
    "dni nie nif ssn social_security seguridad_social seg_social seg._social securite_sociale"
    " seguranca_social secu nir cpf cnpj nino national_insurance curp niss nuss nss nhs cedula cuit cuil"
    " passport pasaporte passaporte passeport tax_id ein itin carnet_de_conducir permis_de_conduire"
    " driver's_license driving_licence driver's_licence driver_license cartao_de_cidadao"
    " bilhete_de_identidade carta_de_conducao aadhaar carte_d'identite cni codice_fiscale steuer-id"
    " steuernummer personalausweis personalausweisnummer reisepass sozialversicherungsnummer rut pesel bsn"
    " burgerservicenummer personnummer pan_card carteira_de_identidade"
)
_ACCOUNTS = (
    "clabe cbu cvu account_number account_no account acct cuenta conta compte sort_code routing_number"
    " routing numero_de_cuenta cuenta_bancaria cuenta_corriente numero_da_conta conta_bancaria conta_corrente"
    " numero_de_compte compte_bancaire bank_account"
)
_VALUE = (
    r"[\"'`*_)]{0,3}(?:[\xaa\xac\x02\x05\x06 ]{0,10}[\xac\x05\x06]"
    r"|(?: ?\(?[a-z'.\xba#-]{1,14}\)?){0,4}?(?:\s{0,3}[:=#]|\s))\s{0,3}(?:[:=#]\s{0,3})?"
    r"([a-z]{0,4}[ -]?[0-9][0-9a-z]{0,22}(?:[ ./-][0-9]{1,12}){0,6}(?:[ -](?-i:[A-Z]))?\b)"
)


# "An account of 1200000 euros".
_COUNTED = (
    r"\s{0,2}(?:eur|euros?|usd|dollars?|pesos|bits?|bytes|[kmg]b|tokens|characters|caracteres|digit)s?\b"
)


def _names(names: str, sign: str) -> str:
    one_of = "|".join(names.split()).replace("_", " ").replace(".", r"\.")
    return rf"(?:\b(?:{one_of})\b|{sign}+)"


class _Number(NamedTuple):
    source: str
    check: Callable[[bytes], bool] = bool
    kind: str = "national-id"
    # Whether it has a check digit, or a form that nothing else has.
    is_sure: bool = True


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
    """Say whether the last sign of a Chinese number, which may be an X for ten, is right."""
    rest = sum((byte - 48) * pow(2, 17 - place, 11) for place, byte in enumerate(compact[:17])) % 11
    return b"10X98765432"[rest] == compact[17]


def _is_ccc(compact: bytes) -> bool:
    """Say whether the two control digits of a Spanish account are right."""
    weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)

    def control(ten: bytes) -> int:
        rest = 11 - sum(weight * (byte - 48) for weight, byte in zip(weights, ten, strict=True)) % 11
        return {10: 1, 11: 0}.get(rest, rest)

    return control(b"00" + compact[:8]) == compact[8] - 48 and control(compact[10:]) == compact[9] - 48


_NUMBERS = (
    _Number(r"\b(?:[0-9]{8}|[0-9]{2}\.[0-9]{3}\.[0-9]{3}|[XYZxyz][ -]?[0-9]{7})[ -]?[A-Za-z]\b", _is_dni),
    _Number(r"\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\b", _is_ssn, is_sure=False),
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
NAMED = {"national-id": _names(_PERSONS, IDENTITY), "account": _names(_ACCOUNTS, ACCOUNT)}


def identities(raw: bytes, said: Collection[str]) -> Iterator[Span]:
    """Find numbers of persons and accounts by their check digits, and those that are called so."""
    for source, check, kind, is_sure in _NUMBERS if pattern(_ANY, groups=False).search(raw) else ():
        for match in pattern(source).finditer(raw):
            apart = raw[max(0, match.start() - 1) : match.start()] not in (b"-", b".", b"/", b"_", b"=", b"#")
            if apart and check(match.group().translate(None, b" .-").upper()):
                yield Span(match.start(), match.end(), kind, is_sure=is_sure)
    for kind, names in NAMED.items():
        for match in pattern(names + _VALUE, any_case=True).finditer(raw) if names in said else ():
            number = match.group(1)
            after = raw[match.end() : match.end() + 24]
            if (
                digits_in(number) < FEWEST_DIGITS
                or pattern(DATE).search(number)
                or pattern(_COUNTED, any_case=True).match(after)
            ):
                continue
            yield Span(match.start(1), match.end(1), kind, is_sure=False)
