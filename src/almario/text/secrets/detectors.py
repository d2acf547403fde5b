"""All the finders of secrets, each asked only where the text speaks of what it looks for."""

from collections.abc import Iterator

from almario.text.secrets import afterwards, identities, nearby, numbers, one_time, tables, urls
from almario.text.secrets.folding import OTHER_SCRIPTS
from almario.text.secrets.keys import SHORTEST, bare, continued, keys, private_keys, wrapped
from almario.text.secrets.labels import labelled
from almario.text.secrets.names import FAMILIES
from almario.text.secrets.patterns import Span, digits_in, which

_FAMILIES = {family.names: name for name, family in FAMILIES.items()}
_PRIVATE = "private"
_SOUGHT = (
    *_FAMILIES, *urls.SIGNS, *nearby.NAMED, tables.ROWS, one_time.NAMED, *identities.NAMED.values(),
    afterwards.NAMES, afterwards.PAIRS, afterwards.PURSE, numbers.CALLED, numbers.CARD_CODES, _PRIVATE,
    OTHER_SCRIPTS,
)  # fmt: skip
# Something of this is in whatever announces a secret; a short text without it needs none of the patterns,
# which take long to load.
_STEMS = (
    *("pi /", "pi:", "pi/", " /", " -u", " -p", " -k", " -w", "one time"),
    *"""pass pw pasw psk psswd pswd contr senha mdp clave kennwort pin puk nip cod combi key tok secr api cle
    chave llave jeton segre cred login user auth sess cook phrase frase mnemo semilla seed words palab palav
    mots wallet trezor metamask ledger lock candado cade alarm caja cofre coffre bloq otp porter telefonillo
    portal portail portao gate safe interphone :// = @ # </ _id -id agent assist cv crypto segur secur sig
    private mysql maria redis sudo identif docker marc tecl introd puls digit tap compos press dial typ punch
    root admin guest pix phantom monedero carteira portefeuille \x02 \x03 2fa mfa aegis mots backup combo
    recup recov ssh wacht losen parola memorable respuesta resposta repons palav taquilla cacifo casier boit
    7z zip ldap mosquitto smb g- -> => \xa6 maleta valise suitcase luggage ssl p/w pasg challenge pat hook
    appid .sid ifttt wifi: bear ", ', * crypt kinit gpg podman helm xargs dscl freerdp /p: activ regist config
    visioph interfon buzzer one-time marqu autentic acces semente -step factor fator facteur pasos etap two
    second step card csc cid atras detras back revers dos verso porteiro graine base qr duas""".split(),
)
_SHORT = 400


def found(raw: bytes, region: str | None) -> Iterator[Span]:
    """Yield the secrets of each kind in a text of one byte for each character."""
    digits = digits_in(raw)
    longest = max(map(len, raw.split()), default=0)
    if len(raw) < _SHORT and digits < identities.FEWEST_DIGITS and longest < SHORTEST and b"\n" not in raw:
        low = raw.decode("latin-1").lower()
        if not any(map(low.__contains__, _STEMS)):
            return
    said = frozenset(_FAMILIES.get(_SOUGHT[place], _SOUGHT[place]) for place in which(_SOUGHT, raw))
    if _PRIVATE in said:
        yield from private_keys(raw)
    if longest >= SHORTEST:
        yield from keys(raw)
    if b"\n" in raw:
        yield from wrapped(raw)
    yield from urls.places(raw, said)
    yield from (continued(raw, span) if span.kind == "secret" else span for span in labelled(raw, said))
    yield from tables.tables(raw, said)
    if one_time.NAMED in said:
        yield from one_time.seeds(raw)
    if afterwards.NAMES in said:
        yield from afterwards.named_afterwards(raw)
    if afterwards.PURSE in said:
        yield from afterwards.phrases(raw)
    if afterwards.PAIRS in said:
        yield from afterwards.pairs(raw)
    if not said.isdisjoint(nearby.NAMED):
        yield from nearby.nearby(raw, said)
    if OTHER_SCRIPTS in said:
        yield from afterwards.in_other_scripts(raw)
    yield from _numbers(raw, said, region, digits)
    if longest >= SHORTEST:
        yield from bare(raw)


def _numbers(raw: bytes, said: frozenset[str], region: str | None, digits: int) -> Iterator[Span]:
    if digits >= 10:
        yield from numbers.ibans(raw)
    if digits >= 10 or (digits >= 3 and numbers.CARD_CODES in said):
        yield from numbers.cards(raw)
    if digits >= identities.FEWEST_DIGITS:
        yield from identities.identities(raw, said)
    if digits >= numbers.FEWEST_DIGITS and region is not None:
        if region or b"+" in raw or b"00" in raw or b"011" in raw:
            yield from numbers.telephones(raw, region)
        yield from numbers.called_telephones(raw, said)
