"""Which short texts hold no secret at all: most of what is said, and the finders take long to load."""

from almario.text.secrets.patterns import DIGITS

# With fewer digits there is no number, with no longer word no key that is a secret.
FEWEST_DIGITS, SHORTEST_KEY = 6, 14
# Something of this is in whatever announces a secret; a short text without it needs none of the patterns,
# which take long to load.
_STEMS = (
    "pi /",
    "pi:",
    "pi/",
    " /",
    " -u",
    " -p",
    " -k",
    " -w",
    "one time",
    *"""pass pw pasw psk psswd pswd contr senha mdp clave kennwort pin puk nip cod combi key tok secr api cle
    chave llave
    jeton segre cred login user auth sess cook phrase frase mnemo semilla seed words palab palav mots
    wallet trezor
    metamask ledger lock candado cade alarm caja cofre coffre bloq otp porter telefonillo portal portail
    portao gate safe
    interphone :// = @ # </ _id -id agent assist cv crypto segur secur sig private mysql maria redis sudo
    identif docker marc tecl
    introd puls digit tap compos press dial typ punch root admin guest pix phantom monedero carteira
    portefeuille
    \x02 \x03 2fa mfa aegis mots backup combo recup recov ssh wacht losen parola
    memorable respuesta resposta repons palav taquilla cacifo casier boit 7z zip ldap mosquitto smb g-
    -> => \xa6 maleta valise suitcase luggage ssl
    p/w pasg challenge pat hook appid .sid ifttt wifi: bear ", ', * crypt kinit gpg podman helm xargs
    dscl freerdp
    /p: activ regist config visioph interfon buzzer one-time marqu autentic acces semente -step
    factor fator facteur pasos etap two second step card csc cid atras detras back revers dos verso
    porteiro graine base qr duas""".split(),
)
_SHORT = 400


def is_harmless(raw: bytes) -> bool:
    """Say whether a text of one byte for each character holds nothing that any finder would look at."""
    digits = len(raw) - len(raw.translate(None, DIGITS))
    longest = max(map(len, raw.split()), default=0)
    if len(raw) >= _SHORT or digits >= FEWEST_DIGITS or longest >= SHORTEST_KEY or b"\n" in raw:
        return False
    low = raw.decode("latin-1").lower()
    return not any(map(low.__contains__, _STEMS))
