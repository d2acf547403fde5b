"""Secrets in tables and rows, where a heading or the order of the fields says what a value is."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from almario.text.secrets.names import APP, COMBINATION, PLACES
from almario.text.secrets.ordinary_words import NO_PASSWORD_ENDINGS, OF_PASSWORDS
from almario.text.secrets.patterns import KEY, MASK, OTHER_SCRIPTS, PASSWORD, Span, pattern
from almario.text.secrets.values import is_innocent, is_key, is_strong, is_word_about_passwords

_PASSWORDS = (
    r"pass(?:words?|wd|code|phrase|wort)?|pwd|pw|psk|contrasenas?|contra|claves?|senhas?|palavras?[ -]passe"
    rf"|mots? de passe|mdp|kennwort|{PASSWORD}+"
)
_PINS = r"pin|puk|nip|cvv|cvc|combo|combination|combinacion|combinaison|combinacao"
_CODES = r"codes?|codigos?"
_KEYS = (
    r"tokens?|secrets?|secretos?|segredos?|jetons?|(?:api|secret|access|private|license|licence|product)"
    r"[ _-]?keys?"
    rf"|(?:clave|chave|cle|llave) (?:de |d')?(?:api|acceso|acesso|licencia|licenca)|{KEY}+"
)
# A line with a field that names a secret, among other fields.
_FIELD = (
    rf"[^|,;\t\n]{{0,24}}(?:(?:\b|_)(?:{_PASSWORDS}|{_PINS}|{_CODES}|{_KEYS})(?:\b|_)|{OTHER_SCRIPTS}+)"
    rf"[^|,;\t\n]{{0,24}}"
)
_HEADING = rf"(?:(?:^|\n)[ >]{{0,4}}|[|,;\t] ?|[^\s]\s{{2,}}){_FIELD}(?:[|,;\t]|\s{{2,}}|\r?\n|$)"
# What a field is wrapped in.
_WRAPS = b" \t\r*_`\"'~"
_DRAWN = b"-+=:| \t\r"
_HEAD = r"[a-z0-9 _./#()'\xaa\xac\x02\x03-]{0,32}"
_KINDS = {"password": _PASSWORDS, "pin": _PINS, "code": _CODES, "key": _KEYS}

# Where a server, its port, a user and a password stand in a row: `.pgpass`, lists of proxies.
ROWS = r":(?:[0-9]{2,5}|\*):[a-z*]"
_HOST = r"(?:\A|[\s\"'`(=])(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,8}|\*|/[\w./-]{1,64})"
_PORT_AND_USER = r":(?:[0-9]{2,5}|\*):(?:[a-z*][\w*$-]{0,62}:)?[a-z*][\w.@+*-]{0,63}:"
_ROW = rf"{_HOST}{_PORT_AND_USER}([^\s:\"'`\x00]{{4,128}})(?:[\s\"'`,;)]|\z)"
_PGPASS = r"[^:]+:(?:543[0-9]|6432|\*):[^:]+:[^:]+:[^:]+"
# A server after what may enter it, without the beginning of an address: `ana:S3cret@proxy.example:8080`.
_BEFORE_HOST = (
    r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}:([^\s:@/\"'`\x00]{4,128})@[a-z0-9-]{1,63}(?:\."
    r"[a-z0-9-]{1,63}){0,8}:[0-9]{2,5}\b"
)
# The same as drivers of databases are told it: `ana:S3cret@tcp(db:3306)/shop`, `scott/T1ger@//db/orcl`.
_OF_DRIVER = (
    r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}[:/]([^\s:@/\"'`\x00]{4,128})@"
    r"(?:(?:tcp[46]?|udp[46]?|unix|cloudsql[a-z]{0,8}|mysql|socket)\(|//[a-z0-9])"
)
_HOSTED = "@"
# The families of names that a heading may be of.
_NAMING = ("password", "pass", "slang", "pin", "code", "clave", "secret", OTHER_SCRIPTS)


def tables(raw: bytes, said: AbstractSet[str]) -> Iterator[Span]:
    """Find what stands under the heading of a secret, or last in a row; *said* is what the text names."""
    for source in (_ROW,) * (ROWS in said) + (_BEFORE_HOST, _OF_DRIVER) * (_HOSTED in said):
        for match in pattern(source, any_case=True).finditer(raw):
            value, row = match.group(1), match.group().strip(b" \n\t\"'`(=,;)")
            known = source == _OF_DRIVER or pattern(_PGPASS).fullmatch(row)
            if not is_innocent(value) and (known or is_strong(value, least=5)):
                yield Span(match.start(1), match.end(1), "password")
    if b"\n" in raw and not said.isdisjoint(_NAMING):
        yield from _under_headings(raw)


def _under_headings(raw: bytes) -> Iterator[Span]:
    done = 0
    for match in pattern(_HEADING, any_case=True, groups=False).finditer(raw):
        named = match.start() + len(match.group()) - len(match.group().lstrip())
        if named < done:
            continue
        done = _end_of_line(raw, named)
        line = raw[raw.rfind(b"\n", 0, named) + 1 : done]
        sign = _separator(line)
        fields = list(_fields(line, sign)) if sign else []
        columns = _columns([line[slice(*field)].lower() for field in fields])
        while columns and done < len(raw):
            start, done = done + 1, _end_of_line(raw, done + 1)
            row = raw[start:done]
            if not row.strip(_DRAWN):
                if row.strip():
                    continue
                break
            places = list(_fields(row, sign))
            if len(places) != len(fields):
                done = start - 1
                break
            yield from _in_row(row, start, places, columns, many=len(fields) > 2 or sign == b"|")


def _end_of_line(raw: bytes, start: int) -> int:
    end = raw.find(b"\n", start)
    return end if end >= 0 else len(raw)


def _separator(line: bytes) -> bytes:
    """Return what is between the fields of a line: the bar of a drawn table before all others."""
    drawn = line.lstrip().startswith(b"|") or b" |" in line
    for sign in (b"|", b"\t", b";", b","):
        # A list of words that goes on over lines ends in its sign; `a|b|c` is a choice.
        if sign in line.strip(b"|\r") and (drawn if sign == b"|" else line.rstrip()[-1:] != sign):
            return sign
    return b"  " if b"  " in line.strip() else b""


def _fields(line: bytes, sign: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each field of a line begins and ends, without what it is wrapped in."""
    between = chr(sign[0])
    source = r"\S+(?: \S+)*" if sign == b"  " else rf"[ ]?\"[^\"]*\"|[^{between}]+|{between}"
    empty = sign != b"  "
    for match in pattern(source).finditer(line):
        field = match.group()
        if field == sign:
            if empty:
                yield match.start(), match.start()
            empty = True
            continue
        empty = False
        inner = field.strip(_WRAPS)
        first = match.start() + field.find(inner)
        yield first, first + len(inner)


def _columns(heads: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the columns whose head names a secret, if all the heads look like heads of columns."""
    if len(heads) < 2 or not all(map(pattern(_HEAD).fullmatch, heads)):
        return []
    found = []
    for place, head in enumerate(heads):
        words = head.replace(b"_", b" ")
        for kind, names in _KINDS.items() if OF_PASSWORDS.isdisjoint(words.split()) else ():
            if pattern(rf"(?:[^ ]+ ){{0,3}}(?:{names})(?: [^ ]+){{0,2}}").fullmatch(words):
                found.append((place, kind))
                break
    return found


def _in_row(
    row: bytes,
    offset: int,
    places: Sequence[tuple[int, int]],
    columns: Sequence[tuple[int, str]],
    *,
    many: bool,
) -> Iterator[Span]:
    for place, kind in columns:
        start, end = places[place]
        value = row[start:end]
        if kind == "code" and not _opens_something(row):
            continue
        if _is_secret(value, kind) and (many or not value.isalpha()):
            yield Span(offset + start, offset + end, "secret" if kind == "key" else "password")


def _opens_something(line: bytes) -> bool:
    return not PLACES.isdisjoint(word.decode() for word in pattern(r"[a-z0-9]+").findall(line.lower()))


def _is_secret(value: bytes, kind: str) -> bool:
    if len(value) < 3 or MASK in value or is_innocent(value) or is_word_about_passwords(value):
        return False
    if kind == "key":
        return is_key(value, 8)
    if value.strip(b"#*").isdigit() or pattern(COMBINATION).fullmatch(value):
        return kind != "password" or len(value) >= 4
    if b" " in value:
        return kind == "password" and bool(pattern(APP, any_case=True).fullmatch(value))
    plain = value.isalpha() and len(value) >= 5 and not value.lower().endswith(NO_PASSWORD_ENDINGS)
    joined = pattern(r"[a-z]{3,}(?:[-_.][a-z]{3,})+", any_case=True).fullmatch(
        value
    ) and not is_word_about_passwords(pattern(r"[-_.]").sub(b" ", value))
    return is_strong(value, least=4) or (kind == "password" and bool(plain or joined))


_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


def _forms(table: str) -> tuple[str, ...]:
    """Return the forms of a table, which are separated by spaces; its titles end in ":"."""
    rows = (row for row in table.replace("<uuid>", _UUID).splitlines() if not row.endswith(":"))
    return tuple(form for row in rows for form in row.split())


FORMS = _forms(
    r"""
    Language models and what serves them:
    sk-(?:proj|ant|or|svcacct|admin|lf|litellm)-[A-Za-z0-9_-]{10,} sk-[A-Za-z0-9]{20,} sk_[0-9a-f]{40,}
    hf_[A-Za-z0-9]{20,} api_org_[A-Za-z0-9]{20,} r8_[A-Za-z0-9]{30,} gsk_[A-Za-z0-9]{20,}
    nvapi-[A-Za-z0-9_-]{30,} (?:xai|pplx|tvly|tvly-dev|csk|fc|nfp)[-_][A-Za-z0-9]{20,}
    (?:jina|fw|e2b|phx|rpa)_[A-Za-z0-9]{20,} pcsk_[A-Za-z0-9_]{20,} lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}
    apify_api_[A-Za-z0-9]{20,} (?:AIza|AQVN)[A-Za-z0-9_-]{30,}
    Clouds:
    (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{12,}\b ABSK[A-Za-z0-9+/]{100,}={0,2} LTAI[A-Za-z0-9]{12,24}\b
    GOCSPX-[A-Za-z0-9_-]{16,} ya29\.[A-Za-z0-9_-]{16,} AQ\.[A-Za-z0-9_-]{30,} 1//0[A-Za-z0-9_-]{30,}
    [A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34} do[opr]_v1_[0-9a-f]{40,} dapi[0-9a-f]{32}(?:-[0-9])?\b
    cf[ua]t_[A-Za-z0-9_-]{30,} v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,} HRKU-[A-Za-z0-9_-]{30,} pul-[0-9a-f]{40}
    fm[12][ar]?_[A-Za-z0-9_+/=-]{40,} fo1_[A-Za-z0-9_-]{40,} rnd_[A-Za-z0-9]{28,} vc[piark]_[A-Za-z0-9]{24,}
    sb[pn]_[0-9a-f]{40} sb_secret_[A-Za-z0-9_-]{20,} pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{30,}
    tk-us-[A-Za-z0-9_-]{40,} [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,} hv[sbr]\.[A-Za-z0-9_-]{20,}
    dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,} tskey-[a-z]+-[A-Za-z0-9-]{16,}
    SWMTKN-1-[A-Za-z0-9-]{40,} sha256~[A-Za-z0-9_-]{43} dnkey-[A-Za-z0-9_=-]{60,}
    Repositories, packages and the tools around them:
    gh[opusr]_[A-Za-z0-9]{16,} github_pat_[A-Za-z0-9_]{16,} GR1348941[A-Za-z0-9_-]{16,}
    AT(?:ATT|CTT)3[A-Za-z0-9_=-]{30,} gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,}
    bkua_[0-9a-f]{40} CCI(?:PAT|PRJ)_[A-Za-z0-9_]{20,} cio[A-Za-z0-9]{32}\b oy2[a-z0-9]{43}\b
    ATBB[A-Za-z0-9]{24,} (?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20} npm_[A-Za-z0-9]{20,}
    pypi-AgE[A-Za-z0-9_-]{20,} rubygems_[0-9a-f]{40,} dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,} CLOJARS_[a-z0-9]{60}
    AKCp[A-Za-z0-9]{60,} cmVmd[A-Za-z0-9]{59}\b sq[apu]_[0-9a-f]{40}\b sgp_[A-Za-z0-9_]{40,}
    API-[A-Z0-9]{26}\b pnu_[A-Za-z0-9]{36} gl(?:sa|c)_[A-Za-z0-9_+/=]{30,} sntry[su]_[A-Za-z0-9_+/=]{30,}
    PMAK-[0-9a-f]{20,}-[0-9a-f]{30,} NR(?:AK|II|JS|RA)-[A-Za-z0-9-]{19,}
    dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64} rdme_[a-z0-9]{60,} sm_[aps]at_[A-Za-z0-9]{16}\b
    ico-[A-Za-z0-9]{32}\b
    Messages and mail:
    xox[abcdeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,} (?:xapp|xwfp)-[A-Za-z0-9-]{10,}
    (?:bot)?[0-9]{8,10}:A[A-Za-z0-9_-]{34}\b mfa\.[A-Za-z0-9_-]{40,}
    [MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,} (?:AC|SK)[0-9a-f]{32}\b
    SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} key-[0-9a-f]{32}\b
    [0-9a-f]{32}-(?:[0-9a-f]{8}-[0-9a-f]{8}|us[0-9]{1,2})\b x(?:key|smtp)sib-[0-9a-f]{40,}-[A-Za-z0-9]{12,}
    mlsn\.[0-9a-f]{40,} re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,} AAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{60,}
    Money and shops:
    [sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,} whsec_[A-Za-z0-9+/]{16,}=* (?:live|test)_[A-Za-z0-9]{30,}
    EZ[AT]K[A-Za-z0-9]{50,} shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32} sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}
    EAA[A-Za-z0-9_-]{56,} FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)? rzp_(?:live|test)_[A-Za-z0-9]{12,}
    (?:APP_USR|TEST)-[0-9]{10,}-[0-9]{4,6}-[0-9a-f]{32}[0-9-]* sup_sk_[A-Za-z0-9]{20,}
    access_token\$(?:production|sandbox)\$[a-z0-9]{10,}\$[0-9a-f]{24,} 6P[1-9A-HJ-NP-Za-km-z]{56}\b
    pk_[0-9]{6,10}_[A-Z0-9]{32} SCW[A-Z0-9]{17}\b shippo_(?:live|test)_[0-9a-fA-F]{40}
    duffel_(?:test|live)_[A-Za-z0-9_=-]{40,} access-(?:sandbox|development|production)-<uuid>
    [xt]prv[1-9A-HJ-NP-Za-km-z]{80,} [5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b S[A-Z2-7]{55}\b
    S[ACNOUX][A-Z2-7]{56}\b edsk[1-9A-HJ-NP-Za-km-z]{50,94}\b
    (?:ed25519|secp256k1):[1-9A-HJ-NP-Za-km-z]{80,90}\b
    (?:suiprivkey|secret-extended-key-main|ed25519e?_sk|addr_xsk|acct_xsk)1[a-z0-9]{50,}
    [yzuv]prv[1-9A-HJ-NP-Za-km-z]{80,} amzn\.mws\.<uuid> Atz[ar]\|[A-Za-z0-9_-]{50,}
    Everything else:
    secret_[A-Za-z0-9]{32,} ntn_[A-Za-z0-9]{30,} lin_(?:api|oauth)_[A-Za-z0-9]{20,} figd_[A-Za-z0-9_-]{20,}
    CFPAT-[A-Za-z0-9_-]{30,} pat[A-Za-z0-9]{14}\.[0-9a-f]{40,} tfp_[A-Za-z0-9_.=-]{50,}
    fio-u-[A-Za-z0-9_=-]{60,} p8e-[A-Za-z0-9]{32} [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
    A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b ops_eyJ[A-Za-z0-9+/]{40,}=*
    AGE-SECRET-KEY-1[A-Z0-9]{40,} oauth:[a-z0-9]{30}\b IGQV[A-Za-z0-9_-]{50,} s-s4t2(?:ud|af)-[0-9a-f]{64}
    RGAPI-<uuid> pat-[a-z]{2}[0-9]-<uuid> nsec1[a-z0-9]{50,} (?:sdk|api|mob)-<uuid> napi_[a-z0-9]{40,}
    aio_[A-Za-z0-9]{24,} gAAAAA[A-Za-z0-9_-]{60,}=* v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}
    [0-9a-f]{24}:[0-9a-f]{64}\b 2[A-Za-z0-9]{26}_[A-Za-z0-9]{15,} tgp_v1_[A-Za-z0-9_-]{20,}
    pa-[A-Za-z0-9_-]{40,} wandb_v1_[A-Za-z0-9_]{20,} sl\.(?:[a-z]{1,2}\.)?[A-Za-z0-9_-]{60,}
    vk1\.a\.[A-Za-z0-9_-]{40,} LS0tLS1CRUdJTiB[A-CE-Z][A-Za-z0-9+/=]{40,}
    t1\.[A-Za-z0-9_-]{20,}={0,2}\.[A-Za-z0-9_-]{80,} (?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}\b
    (?:[0-9]{6}-){7}[0-9]{6}\b (?:prod|dev|preview|project):[a-z0-9:-]{3,60}\|[A-Za-z0-9+/=_-]{30,}
    [0-9]{1,7}\|[A-Za-z0-9]{40,56}\b
    """
)
_ASKED = _forms(
    r"""
    sk-[A-Za-z0-9_-]{16,} (?:xai|pplx|tvly|csk|fc)-[A-Za-z0-9_-]{24,} pypi-[A-Za-z0-9_-]{20,}
    key-[0-9a-z]{32}\b s\.[A-Za-z0-9]{24}\b BSA[A-Za-z0-9_-]{24,} YC[A-Za-z0-9_-]{38}\b
    [A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{5,8}:[A-Za-z0-9_-]{16,64}
    (?:whk|tok|rt|sess|ctx7sk)[-_][A-Za-z0-9_-]{20,}
    """
)
SURE, ASKED = (rf"\b(?:{'|'.join(forms)})" for forms in (FORMS, _ASKED))
AGENT_IDS = rf"\b(?:agent|asst|assistant)[-_](?:{_UUID}\b|[A-Za-z0-9]{{16,}}\b)"
