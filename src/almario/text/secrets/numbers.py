"""Numbers that identify a person: cards, bank accounts and telephones."""

from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from almario.text.secrets.patterns import SecretSpan, digits_in, pattern

FEWEST_DIGITS = 7

# What other numbers are called: "pedido 612345678" is no telephone.
_OTHER_NUMBERS = frozenset(b"""
    pedido order factura invoice ref reference referencia ticket id isbn n no num numero number build commande
    facture encomenda fatura tracking seguimiento expediente cliente socio
""".split())  # fmt: skip
# What is quick to tell: dates as machines write them, and numbers with more than cents behind the point.
_NO_PHONE = r"\b(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]\.[0-9]{4,}"
_ABROAD = r"\b(?:00|011)[ .-]?\(?[1-9]"
_DOUBLED = bytes.maketrans(b"0123456789", bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_PLAIN = bytes.maketrans(b"0123456789", bytes(range(10)))
_RUN = r"\b(?:[0-9]{4,19}(?:[ -][0-9]{3,19}){2,}|[0-9]{4}(?:[./_][0-9]{4}){3}|[0-9]{14,19})\b"

# The first four digits of the cards there are, and how many digits follow from them.
_ISSUERS = """
    2221-2720 16; 3000-3059 14; 3400-3499 15; 3528-3589 16; 3600-3699 14; 3700-3799 15; 3800-3999 14;
    4000-4999 16 19; 5018-5018 16; 5020-5038 16; 5100-5599 16; 5893-5893 16; 6000-6099 16 19;
    6200-6599 16 19; 6700-6799 16 19"""
# Length of an account number by country, from the registry of IBANs.
_IBAN_LENGTHS = """
    15 NO; 16 BE BI; 18 DK FI FO GL NL SD; 19 MK SI; 20 AT BA EE KZ LT LU MN XK; 21 CH HR LI LV;
    22 BG BH CR DE GB GE IE ME RS VA; 23 AE GI IL IQ OM SO TL; 24 AD CZ ES MD PK RO SA SE SK TN VG DJ;
    25 LY PT ST; 26 IS TR; 27 FR GR IT MC MR SM BF BJ CF CG CI CM;
    28 AL AZ BY CY DO GT HN HU LB PL SV NI SN ML; 29 BR EG PS QA UA; 30 JO KW MU YE; 31 MT SC; 32 LC; 33 RU"""
# A is 10, B is 11 and so on.
_IN_DIGITS = [str(int(chr(byte), 36)).encode() if chr(byte).isalnum() else b"" for byte in range(128)]


def cards(raw: bytes) -> Iterator[SecretSpan]:
    """Find card numbers whose prefix, length and check digit are right."""
    for match in pattern(_RUN).finditer(raw):
        start = match.start()
        before = raw[max(0, start - 2) : start]
        if before[-1:].isalnum() or (before[-1:] in (b".", b",", b"-", b"_") and before[:1].isdigit()):
            continue
        yield from _cards_in(match.group(), start)


def _cards_in(run: bytes, offset: int) -> Iterator[SecretSpan]:
    groups = run.translate(bytes.maketrans(b"-./_", b"    ")).split(b" ")
    digits = b"".join(groups)
    starts = [0, *accumulate(map(len, groups))]
    done = 0
    for number, start in enumerate(starts[:-1]):
        if start < done:
            continue
        for length in _card_lengths(digits[start : start + 4]):
            end = start + length
            if end in starts[number : number + length + 1] and _adds_up(digits[start:end]):
                last = starts.index(end, number) - 1
                yield SecretSpan(offset + start + number, offset + end + last, "card")
                done = end
                break


def _adds_up(digits: bytes) -> bool:
    """Return whether the last digit is the right one for those before it."""
    return (sum(digits[-1::-2].translate(_PLAIN)) + sum(digits[-2::-2].translate(_DOUBLED))) % 10 == 0


@cache
def _card_lengths(head: bytes) -> tuple[int, ...]:
    """Return how long a card number that begins with these four digits may be."""
    for row in _ISSUERS.split(";"):
        heads, *lengths = row.split()
        low, high = heads.encode().split(b"-")
        if low <= head <= high:
            return tuple(map(int, lengths))
    return ()


def ibans(raw: bytes) -> Iterator[SecretSpan]:
    """Find account numbers of the right length for their country, with a right checksum."""
    for match in pattern(_iban_source(), any_case=True).finditer(raw):
        compact = match.group().translate(None, b" -").upper()
        if int(b"".join(map(_IN_DIGITS.__getitem__, compact[4:] + compact[:4]))) % 97 == 1:
            yield SecretSpan(match.start(), match.end(), "iban")


@cache
def _iban_source() -> str:
    rows = (row.split() for row in _IBAN_LENGTHS.split(";"))
    each = (
        rf"(?:{'|'.join(countries)})[0-9]{{2}}(?:[ -]?[0-9a-z]){{{int(length) - 4}}}"
        for length, *countries in rows
    )
    return rf"\b(?:{'|'.join(each)})\b"


def telephones(raw: bytes, region: str) -> Iterator[SecretSpan]:
    """Find telephone numbers: international ones, and those of *region* when one is given."""
    source = rf"\+\(?[0-9][0-9 ().-]{{5,20}}[0-9]\b|{_ABROAD}[0-9 ().-]{{5,20}}[0-9]\b"
    if region:
        source += r"|[(0-9][0-9 ()./-]{5,18}[0-9]\b"
    for match in pattern(source).finditer(raw):
        start, end = match.span()
        if _may_be_phone(raw, start, end):
            yield from _known(raw, start, end, region)


def _known(raw: bytes, start: int, end: int, region: str) -> Iterator[SecretSpan]:
    from phonenumbers import Leniency, PhoneNumberMatcher  # noqa: PLC0415 - 34 ms, and only if there are digits

    if abroad := pattern(_ABROAD).match(raw, start, end):
        number = "+" + raw[abroad.end() - 1 : end].decode("latin-1")
        if any(PhoneNumberMatcher(number, None)):
            yield SecretSpan(start, end, "phone", is_sure=False)
            return
    near = max(0, start - 4)
    found = list(PhoneNumberMatcher(raw[near : end + 6].decode("latin-1"), region.upper() or None))
    if not found and raw[start : start + 1] == b"+" and end - start >= 11:
        # Whoever writes a prefix means a telephone, even one that nobody has been given yet.
        near = start
        found = list(PhoneNumberMatcher(raw[start:end].decode("latin-1"), None, leniency=Leniency.POSSIBLE))
    yield from (SecretSpan(near + each.start, near + each.end, "phone", is_sure=False) for each in found)


def _may_be_phone(raw: bytes, start: int, end: int) -> bool:
    number = raw[start:end]
    if digits_in(number) < FEWEST_DIGITS or number.count(b".") == 3:
        return False
    if pattern(_NO_PHONE).search(number) or raw[max(0, start - 3) : start].rstrip()[-1:] == b"=":
        return False
    before = raw[max(0, start - 1) : start]
    if number[:1] == b"+":
        return not before.isalnum()
    if before.isalnum() or before in (b"-", b".", b"/", b"_", b"=", b"#", b"&", b"%", b"$", b":", b",", b"+"):
        return False
    return _last_word(raw, start) not in _OTHER_NUMBERS


def _last_word(raw: bytes, start: int) -> bytes:
    words = raw[max(0, start - 24) : start].lower().replace(b"\xba", b" ").split()
    return words[-1].strip(b":#.,(\"'") if words else b""
