"""What secrets are called, in English, Spanish, Portuguese and French; without accents, in small letters.

A family's names are read alike: how their values begin, and what a value is
called when it is taken out.
"""

from almario.named_tuples import NamedTuple
from almario.text.secrets.values import QUOTES


class Family(NamedTuple):
    names: str
    values: str
    kind: str = "password"


# Starts of clauses, after which a password that is an ordinary word has ended.
CLAUSE_STARTS = (
    "and|y|e|et|but|pero|mas|mais|so|please|porfa|ok|vale|thanks|gracias|obrigado|merci|user|usuario"
    "|mesmo|tudo|todo|tout|tal"
)


def _strong(least: int) -> str:
    """Return a pattern for words of that length or more with a digit, a sign or a capital inside."""
    each, sign = r"[^\s\x00]", r"(?:[0-9@#$%^&*+~]|(?-i:[a-z][A-Z]))"
    early = (f"{each}{{{place}}}{sign}{each}{{{least - 1 - place}}}" for place in range(least - 1))
    return f"(?:{'|'.join(early)}|{each}{{{least - 1},40}}?{sign})"


# How a value must begin to be looked at more closely; the rest of the text costs next to nothing.
STRONG = _strong(4)
_LONG = rf"(?:{_strong(8)}|[\"'`]?(?:[a-z]{{16}}|(?-i:[A-Z]{{8}})|[a-z]{{4,16}}[_.-][a-z]{{4}}))"
_QUOTED = rf"(?:[\"'`]|{QUOTES})[^\"'`\n\x00]"
_LONE = (
    r"[*_~(]{0,2}[a-z\x80-\xff]{3,32}(?:[_-][a-z]{4,16}){0,2}[*_~]{0,2}"
    rf"(?:\s*\z|[.,;)\n!/|]| /|\s(?:{CLAUSE_STARTS})\b)"
)
MNEMONIC = r"[a-z]{3,9}(?:[ ,]{1,2}[a-z]{3,9}){3,23}\b"
SEED = r"[a-z]{3,9}(?:[ ,\n]{1,2}[a-z]{3,9}){11,24}\b"
NUMBERED = r"1[.):=-]? ?[a-z]{3,9}(?:[ ,;|\n]{1,3}[0-9]{1,2}[.):=-]? ?[a-z]{3,9}){7,23}\b"
APP = r"(?:[a-z0-9]{4}[ -]){3,5}[a-z0-9]{4}\b"
COMBINATION = r"(?:[0-9]{1,2}(?:[ -][0-9]{1,2}){2,3}|[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4})"
RECOVERY = r"(?:[a-z0-9]{2,6}[ -]){2,8}[a-z]{0,4}[0-9][a-z0-9]{0,5}\b|(?:[a-z0-9]{4}-){3,6}[a-z0-9]{4}\b"
_PIECE = r"[a-z0-9]{3,6}-[a-z0-9]{3,6}"
CODES = rf"[a-z]{{0,4}}[0-9][a-z0-9]{{1,5}}-[a-z0-9]{{3,6}}\b(?:[,; \n]{{1,3}}{_PIECE}\b){{0,20}}"
_WORDS = r"[a-z]{3,}(?:[-_.][a-z]{3,}){3}"
SPACED = r"[a-z]{3,9}(?:[ -][a-z]{3,9}){3,7}"
ANSWER = r"[a-z0-9\xaa][\w'.&-]{1,24}(?: [\w'.&-]{1,24}){0,4}"
FOURS = r"(?:[a-z]{4} ){3}[a-z]{4}\b"
_LINE_END = r"(?:\s*\z|[.;]?\s*\n)"
_CODE = r"[\"'`*]{0,2}[0-9][0-9a-z#*-]{2,}"

_NETWORK = r"wi-?fi|wlan|wpa2?|network|red|router|rede|reseau|box"
# Where a number is asked for before somebody may come in or go on.
PLACES = frozenset("""
    alarm alarma alarme door puerta porta porte gate portal portail portao portero unlock desbloqueo
    desbloquear deverrouillage safe caja cofre coffre fuerte forte lockbox keybox lock padlock candado cadeado
    cadenas keypad digicode telefonillo trastero intercom interphone interfono building edificio predio
    immeuble entry entrada entree access acceso acesso acces garage garaje garagem garages verification
    verificacion verificacao confirmation confirmacion otp 2fa sms bank banco banque security seguridad
    seguranca securite phone movil telefono celular telemovel telephone telefone tarjeta cartao carte card
    wifi locker taquilla cacifo casier bike bici velo suitcase maleta mala valise pin puk sim gym elevator
    ascensor office oficina escritorio bureau flat apartment piso apartamento appartement airbnb house casa
    maison recovery backup recuperacion respaldo secours recuperacao secret secreto secreta login whatsapp
    authenticator mfa safes condominio shed cajero atm buzon mailbox patinete scooter cb parental entrar
    entrer abrir open opens ouvrir handle vault key parking cabin cottage secours dongle ipad iphone tablet
    token one-time onetime videoportero videoporteiro porteiro porteria visiophone interfone interfonia
    citofono buzzer doorbell timbre verja cancela barrera barreira barrier barriere reja persiana shutter
    turnstile torno portillon patio hallway lobby lobi vestibulo recepcion cobertizo bodega cellar desvan
    attic piscina piscine baul furgoneta vending cajon armario cupboard derived urbanizacion residencia
    comunidad banca bancario bancaria banking bizum bbva santander caixabank sabadell bankinter ibercaja
    unicaja kutxabank abanca revolut n26 paypal nubank itau bradesco barclays hsbc monzo klarna mercadopago
    coinbase binance telegram gmail outlook icloud
""".split())  # fmt: skip
_PLACE = "|".join(sorted(PLACES))

FAMILIES = {
    "phrase": Family(
        r"(?:seed|recovery|secret|backup)[ -]phrase|frase[ -](?:semilla|semente|secreta"
        r"|de recuperac[a-z]{2,3}|de paso)|phrase (?:de recuperation|secrete|de passe)|mnemonic|passphrase",
        f"{STRONG}|{_QUOTED}|{MNEMONIC}|{_WORDS}|{_LONE}",
    ),
    "words": Family(
        r"\bphrase|\bfrase|mnemonic|\bsemilla|\bseed\b|\bwords\b|\bpalabras|\bpalavras|\bmots\b|\bwallet"
        r"|\bmetamask|\bledger|\btrezor|\bmonedero|\bcarteira|\bportefeuille|\bphantom",
        f"{SEED}|{NUMBERED}",
    ),
    "password": Family(
        r"pass(?:words?|wd|code|wort)|\bpass?w[a-z]{1,4}\b|\bcontr[a-z]{0,2}se?nas?\b|\bkennwort|\bpwd|_pwd"
        r"|\bpsk|\bpsswd|\bpswd|\bpword|\bpassw\b|\bp/w\b|\bpw\b|\bpasword|\bpasguor|\bpasworl"
        r"|contrasen[aiy]a?s?|contrasenha|\bcontrase[nm]?a\b|\bcontra-?s?senhas?\b|\bsenhas?\b"
        r"|palavras?[ -]passe|palavra[ -]chave|palabra de paso|mots? de passe|\bmdp\b|\bmotdepasse"
        r"|\bwachtwoord|\bparola (?:d'ordine|chiave)|\blosenord|\bmemorable (?:word|name|place)"
        r"|\bpala[bv]ra secreta",
        f"{STRONG}|{_QUOTED}|{FOURS}|{SPACED}|{_WORDS}|(?-i:[A-Z])[a-z]+ (?-i:[A-Z])|{_LONE}",
    ),
    "answer": Family(
        r"\b(?:secret|security|recovery|challenge)(?: question)?(?:'s)? answers?"
        r"|\banswer to (?:my|the|our) (?:secret|security) question|\brespuesta (?:secreta|de seguridad"
        r"|de recuperacion|a (?:la|mi) pregunta (?:secreta|de seguridad))|\bresposta (?:secreta|de seguranca"
        r"|de recuperacao|(?:a|da) pergunta (?:secreta|de seguranca))|\breponse (?:secrete|de securite"
        r"|a (?:la|ma) question (?:secrete|de securite))",
        f"{STRONG}|{_QUOTED}|{_LONE}|(?-i:[A-Z])[a-z'.-]+ |[a-z]{{3,16}} (?-i:[A-Z])|{ANSWER}{_LINE_END}",
    ),
    "app": Family(
        r"app(?:lication)?(?:-specific)?[ -]password|(?:contrasena|senha) d[ea] ap[a-z]{1,9}|mot de passe"
        r" d'app[a-z]{0,9}",
        APP,
    ),
    "recovery": Family(
        r"(?:backup|recovery) codes?|codigos? de (?:respaldo|recuperac[a-z]{2,3}|backup)|codes? de (?:secours"
        r"|recuperation)|recovery[ -]key|clave de recuperacion|cle de (?:recuperation|secours)|chave de"
        r" recuperacao",
        f"{RECOVERY}|{CODES}",
    ),
    "agent-id": Family(r"\b(?:agent|assistant)[ _-]?id", _LONG, "agent-id"),
    "secret": Family(
        r"api[ _-]?key|api[ _-]?secret|api[ _-]?token|(?:\b|_|client"
        r"|app)secret(?:[ _-]?(?:access[ _-]?)?key)?|(?:access|private|auth|account|encryption|signing|master"
        r"|license|licence|shared|preshared|pre-shared|service|deploy|webhook|session|secret|product"
        r"|activation|cd|storage)[ _-]?(?:access[ _-]?)?key|(?:\b|_|access|auth|refresh|id|bot|session"
        r"|bearer)[ _-]?token|personal access token|\bpat\b|webhook|[?&;]sig|(?:clave|llave|chave) (?:de |da "
        r"|del )?(?:la )?(?:api|acceso|acesso|licencia|licenca|activacion)|(?:clave|llave|chave) (?:secreta"
        r"|privada|maestra|mestra|ssh)|cle (?:d'|de |de l')?(?:api|acces|licence)|cle (?:secrete|privee)"
        r"|\bjeton|\bsegredo|\bcredenciais|\bphpsessid|\bjsessionid|\bsession[_ -]?(?:id|cookie)|\bsessionid"
        r"|\bchave pix|\bappid|\bpix\b|connect\.sid",
        _LONG,
        "secret",
    ),
    "key": Family(r"[a-z0-9][_-]key", _LONG, "secret"),
    "clave": Family(r"(?:\b|_)clave", f"{STRONG}|{_QUOTED}"),
    "network": Family(
        rf"\b(?:{_NETWORK})[ _-](?:key|code|clave|cle|chave|codigo|llave)|\b(?:key|code|cle|chave|codigo"
        rf"|llave) (?:de |del |do |du |da |d'|for |for the |to the )?(?:la |le |el |o )?(?:{_NETWORK})\b",
        f"{STRONG}|{_QUOTED}",
    ),
    "slang": Family(
        r"\b(?:la|mi|tu|su|una|nueva|y|otra|de|como|esa|esta|misma|vieja|nuestra|vuestra) contra\b"
        r"|(?:\A|\n)[>*_ -]{0,6}contra\b|\bcontra (?:wifi|nueva|del (?:wifi|router|correo|netflix|movil|pc"
        r"|ordenador|banco))|\b(?:la|el|mi|tu|su|my|the|le|ma|mon) pass\b",
        STRONG,
    ),
    "pin": Family(
        r"\bpin(?: code| number)?\b|\bcodigo pin|\bcode pin|\bpuk2?\b|\bnip\b|numero secreto|\bpincode",
        STRONG,
    ),
    "code": Family(
        r"\b(?:pass|key|access|door|gate|alarm|entry)?codes?\b|\bcodigos?\b|\bcombo\b|\bcombination"
        r"|\bcombinacion|\bcombinaison|\bcombinacao|\bdigicode",
        f"{_CODE}|{STRONG}",
    ),
    "bare-code": Family(
        rf"\b(?:{_PLACE}) (?:code|combo|pin)\b|\b(?:codigo|code) (?:de |del |do |da |du |d')?(?:la |le |el"
        rf" |l')?(?:{_PLACE})\b"
        r"|\bdigicode",
        rf"[#*]?(?:{COMBINATION}|[0-9]{{4,8}}[#*a-z]?|[0-9]{{1,5}}[a-f][0-9]{{2,5}}|[a-f][0-9]{{3,6}})\b",
    ),
    "pass": Family(r"(?:\b|_)pass\b", f"{STRONG}|{_LONE}"),
    "bare": Family(
        r"--(?:pass|password|passwd|token|api-key|secret|key|auth|auth-token|access-token|apikey)"
        r"|pass(?:words?|wd|code|phrase)|\bpass?w[a-z]{1,4}\b|\bcontr[a-z]{0,2}se?nas?\b|contrasenas?|\bpw\b"
        r"|\bpwd\b|\bsenha|\bmdp|mot de passe|palavra[ -]passe|\bclave(?: wifi)?|wifi[ -]?pass|\bpass\b"
        r"|\b(?:wpa2?|wifi|wi-fi|network)[ -]key",
        f"{STRONG}|{_WORDS}",
    ),
    "bare-pin": Family(r"\bpin\b|\bnip\b|\bpuk\b|codigo pin|code pin", r"[#*]?[0-9]{4,8}\b"),
    "changed": Family(
        r"pass(?:words?|wd|code)|contrasenas?|\bpw\b|\bpwd\b|\bsenha|\bmdp|mot de passe|palavra[ -]passe"
        r"|\bclave|\bpin\b|\bcode\b|\bcodigo\b|\bcontra\b",
        f"{STRONG}|{_QUOTED}",
    ),
    "quoted": Family(
        r"pass(?:words?|wd|code)|contrasenas?|\bpw\b|\bpwd\b|\bsenha|\bmdp|mot de passe|palavra[ -]passe"
        r"|\bclave",
        r"[\"'`][^\"'`\n\x00]{3}",
    ),
}
