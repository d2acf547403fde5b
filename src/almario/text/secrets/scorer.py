"""What is said in words to be a secret: "my password is …", "wifi at mum's: …", "the alarm takes …".

Each word that could be a value gets a score from its form, the words and signs around it and the nearest word
that names a secret. The weights are fitted by `python -m benchmarks.fit_secrets`. A score is a guess: what it
finds is withheld and told, never left out for good.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from almario.named_tuples import NamedTuple
from almario.text.secrets.patterns import SecretSpan

WEIGHTS = Path(__file__).with_name("scorer.weights")
# Features have so many places; behind them stands the base, so that a secret's odds are 0 or more.
PLACES = 1 << 16
_WEIGHT = struct.Struct("<e")

# A word, or one character of a script without spaces, a name of a secret in it, or what is masked.
_TOKEN = re.compile(r"\x00+|\x02+|\x03+|[\x04-\x06]+|\xac|[^\s\x00-\x06\xac]+|\n")
_EDGES_BEFORE, _EDGES_AFTER = "([{<\"'`*_~¿¡-,;:|", ".,;:)]}>\"'`*~?|="
_SPLIT = re.compile(
    r"(?s)([A-Za-z\xaa][\w.@+'\xaa\"*-]{0,40}?)(\"?:\"?|=>?|->|\xa6|/(?=\S*[0-9!@#$%&*]))(?!//)(.+)"
)
# Nobody types more than that in one piece.
_TYPED = 4000
_JOINS = frozenset(":=>\xa6/")
_NOT_ASKED = re.compile(
    r"(?s).*://.*|www\..*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|/[\w./-]*|\.{1,2}/.*|~/.*"
    # A temperature, or a number with its unit: shorter than what opens a door.
    r"|-?(?:[1-9][0-9]{0,2}\xb0?[CFcf]|[1-9][0-9]{0,3}(?:[.,][0-9]+)?(?:[mk]?[gmWwVv]|[cm][ml]|[km]?l|[kMG]?Hz|[KMGT]B|k[Ww]h|mAh|lbs?|oz|ft|min))"
    # A day, an hour, a price.
    r"|(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?:T.*)?|[0-2]?[0-9]:[0-5][0-9](?::[0-9]{2})?(?:am|pm|h)?|\$[0-9.,]+k?|[0-9.,]+[%$]"
    r"|\$?\{.*|<.*|\$[A-Za-z_]+|(?i:(?:[\w.-]*[_.-])?(?:your|my|the|tu|mi)?(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave|senha)(?:[_.-][a-z]+)*)"
)
_STRONG = re.compile(
    r"[0-9]|[^\W_][@#$%^&*+=~|!_\xa6]+[^\W_]|[a-z][A-Z]|[@#$%^&*+=~!]{2}|[a-z]{3}(?:[-_.][a-z]{3,12}){3}"
)
_PLAIN = re.compile(r"[A-Za-z0-9]")
_GROUPS = re.compile(r"(?<![\w.,:/-])[0-9]{1,6}(?:[ -][0-9]{1,6}){1,5}(?![\w:/%-]|[.,][0-9])")
_QUOTED = re.compile(r"\"([^\"\n\x00]{3,60})\"|(?<!\w)'([^'\n\x00]{3,60})'(?!\w)|`([^`\n\x00]{3,60})`")
_MANY = re.compile(
    r"\b[a-z]{3,9}(?:(?:[ \n]|, ?)[a-z]{3,9}){10,40}\b"
    r"|\b1[.):=-]? ?[a-z]{3,9}(?:[ ,;|\n]{1,3}[0-9]{1,2}[.):=-]? ?[a-z]{3,9}){7,23}\b"
)
# What secrets are called, by how these words begin.
_NAMES = {
    # What may be any word, or several.
    "password": r"\w*pass(?:w\w*|phrase|code|wort\w*|guor\w*)s?|pass?w\w{0,5}|p[sw]+[wd]+|psk|pword"
    r"|contr\w{0,2}se\w{0,4}|contrassenha|contra|senhas?|claves?|mdp|passe|kennwort\w*|wachtwoord\w*|parola|losenord\w*|\x02+|memorable"
    r"|answers?|respuesta|resposta|reponse|frase|phrase",
    "wifi": r"wi-?fi|wlan|ssid|hotspot",
    # What twelve words or more open.
    "purse": r"seed|mnemo\w+|semilla|semente|wallet|words|palabras|palavras|mots|recovery|recup\w+|metamask"
    r"|ledger|trezor|monedero|carteira|phantom",
    "key": r"\w*key|keys|llaves?|chaves?|cle|schlussel|chiave|\w*tokens?|\w*secret\w*|segredo|api\w*|jeton"
    r"|backup|respaldo|secours|cred\w+|logins?|2fa|totp|otp|auth\w*|\x03+|pass",
    "code": r"\w*pin|pins|puk\d?|nip|codes?|codigos?|combi\w+|combo|\w*code|zahlenschloss|geheimzahl"
    r"|codice|cv[vcn]2?|cryptogramme",
}
_NAMED = re.compile("|".join(f"(?P<{name}>{source})" for name, source in _NAMES.items()))
_ODD = re.compile(
    r"[0-9](?:(?<=[^\s(][0-9])| [0-9])|[@#$%^&*+=~|!_\xa6](?=\S)(?<=\S.)|[A-Z](?<=[a-z0-9][A-Z])"
)
_TO_LETTERS = bytes(
    ord(chr(byte).lower()) if (chr(byte).isalpha() and byte < 128) or byte in b"\2\3" else 32
    for byte in range(256)
)
_PHRASES = frozenset(("phrase", "frase"))
# Names that are enough for a look at the words around them.
_HOT = ("password", "wifi", "purse", "key")
_BEFORE, _AFTER = 64, 48
_KEY = 20
_IS = frozenset(
    """
    is are was es son era e sao foi est sont c'est etait ist lautet war sind siendo ser sendo be to a por para
    en como pone sigue fica ficou quedo queda remains stays reste continua now ahora agora maintenant
""".split()
)
# What begins another clause, of so many words.
_AND = frozenset("and but because y e pero porque que et mais und aber mas".split())
_CLAUSE = 3
_SIGN = re.compile(r"(?::|=|->|=>|\xa6|\s[-|/]|\"|'|`|\()[\s\"'`*_(\\]*\Z")
_SHAPE = bytes(
    48 if 48 <= byte <= 57 else 97 if 97 <= byte <= 122 or byte >= 0xAA else 65 if 65 <= byte <= 90 else byte
    for byte in range(256)
)
_FAR = 10
_REACH_BEFORE, _REACH_AFTER = 9, 6
_LONGEST = 64
_PHRASE = 8
_STEM = 4
# Sorts of candidates that are words.
_OF_WORDS = ("phrase", "quoted", "many")
_BEGINS, _ENDS = re.compile(r"\A[a-z]*"), re.compile(r"[a-z%]*\Z")


class ScoredWord(NamedTuple):
    """A word of a text without the signs around it, in small letters, and which kind of name it is."""

    start: int
    end: int
    low: str
    name: str


class Candidate(NamedTuple):
    start: int
    end: int
    # "token", "groups", "quoted", "phrase", "many"
    sort: str


# What is counted to try whether somebody hears it.
_COUNTED = "1 2 3"


def suspects(raw: bytes, *, again: bool = False) -> Iterator[SecretSpan]:
    """Find what is said to be a secret in a text of one byte for each character.

    *again*, only what stands near something that is masked by now is looked at.
    """
    text = raw.decode("latin-1")
    for begin, end in regions(text):
        if again and "\0" not in text[begin:end]:
            continue
        part = Text(text[begin:end])
        likely = [each for each in part.candidates() if part.odds(each) >= 0]
        for each in likely:
            value = part.text[each.start : each.end]
            if value != _COUNTED and not part.runs_on(each, likely):
                kind = "secret" if len(value) >= _KEY and " " not in value else "password"
                yield SecretSpan(begin + each.start, begin + each.end, kind, is_sure=False)


def regions(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text around what may be a secret or is the name of one; most of it is neither."""
    begin = end = -1
    for start, stop in _hot(text):
        if start - _BEFORE > end >= 0:
            yield begin, end
            begin = -1
        if begin < 0:
            begin = text.rfind(" ", 0, max(0, start - _BEFORE)) + 1
        if stop + _AFTER > end:
            end = text.find(" ", stop + _AFTER)
            end = len(text) if end < 0 else end
    if begin >= 0:
        yield begin, end


def _hot(text: str) -> Sequence[tuple[int, int]]:
    """Return where a word has a digit or a sign or names a secret, or very many words stand, in order."""
    found = [match.span() for match in _ODD.finditer(text)]
    words = set(text.encode("latin-1").translate(_TO_LETTERS).split())
    named = {word: _name(word) for each in words if _name(word := each.decode("latin-1")) in _HOT}
    if named:
        found += (match.span() for match in re.finditer("|".join(named), text.lower()))
        if "purse" in named.values() or not _PHRASES.isdisjoint(named):
            found += (match.span() for match in _MANY.finditer(text))
        found.sort()
    return found


@lru_cache(1 << 14)
def _name(low: str) -> str:
    """Return of which kind a word is as a name of secrets, or nothing."""
    match = _NAMED.fullmatch(low.removesuffix("'s")) if len(low) <= 24 else None
    return (match and match.lastgroup) or ""


class Text:
    """A text cut in words, with all in it that could be the value of a secret."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = list(self._cut())
        self._starts = [word.start for word in self.words]

    def _cut(self) -> Iterator[ScoredWord]:
        for match in _TOKEN.finditer(self.text):
            start, end = match.span()
            token = match.group()
            if token.isalpha():
                low = token[:_LONGEST].lower()
                yield ScoredWord(start, end, low, _name(low))
                continue
            is_joined = len(token) <= _TYPED and not _JOINS.isdisjoint(token) and "://" not in token
            while split := is_joined and _SPLIT.fullmatch(token):
                yield self._word(start, start + split.end(1))
                start += split.start(3)
                token = split.group(3)
            yield self._word(start, end)

    def _word(self, start: int, end: int) -> ScoredWord:
        token = self.text[start:end]
        inner = token.lstrip(_EDGES_BEFORE)
        if not inner.rstrip(_EDGES_AFTER):
            return ScoredWord(start, end, token[:_LONGEST], "")
        start += len(token) - len(inner)
        inner = inner.rstrip(_EDGES_AFTER)
        low = inner[:_LONGEST].lower()
        return ScoredWord(start, start + len(inner), low, _name(low))

    def candidates(self) -> Iterator[Candidate]:
        """Yield what could be a secret; most texts have nothing of the sort."""
        text, is_named = self.text, any(word.name for word in self.words)
        for word in self.words:
            token = text[word.start : word.end]
            if (
                len(token) > 2
                and _STRONG.search(token, 0, _LONGEST)
                and _PLAIN.search(token)
                and not _NOT_ASKED.fullmatch(token[:_LONGEST].rstrip("!"))
            ):
                yield Candidate(word.start, word.end, "token")
        for match in _GROUPS.finditer(text):
            yield Candidate(*match.span(), "groups")
        if is_named:
            for match in _QUOTED.finditer(text):
                yield Candidate(*match.span(match.lastindex or 0), "quoted")
            yield from self._phrases()
            yield from self._many()

    def _phrases(self) -> Iterator[Candidate]:
        """Yield the words after a name and a sign or a verb, up to the end of their clause."""
        words, text = self.words, self.text
        since = _FAR
        for place, word in enumerate(words):
            since += 1
            before = words[place - 1] if place else word
            if word.name:
                since = 0 if self._names_words(place) else since
                continue
            if word.low == "\n" and since > 1:
                since = _FAR
            if since > _FAR or word.low in _IS or not word.low[0].isalnum() or not _PLAIN.search(word.low):
                continue
            gap = text[before.end : word.start]
            follows = before.name == "password" and gap == " "
            signed = _SIGN.search(text[before.end - 1 : word.start][-12:])
            if not (follows or signed or before.low in _IS or before.low[0] in "\x02\xac\n"):
                continue
            last = place
            while last + 1 < len(words) and last - place < _PHRASE and self._goes_on(last):
                last += 1
            if last - place < _PHRASE and not words[last].name:
                yield Candidate(word.start, words[last].end, "phrase")
            if last > place:
                yield Candidate(word.start, word.end, "phrase")

    def _goes_on(self, place: int) -> bool:
        """Return whether the clause goes on after this word; not over the name of another secret."""
        word, following = self.words[place], self.words[place + 1]
        return not word.name and self.text[word.end : following.start] in (" ", "-", "  ")

    def _names_words(self, place: int) -> bool:
        """Return whether what is named here may be any word: a password, a secret word, what "=" gives."""
        word = self.words[place]
        beside = {each.low for each in self.words[max(0, place - 1) : place + 2]}
        return (
            word.name in ("password", "wifi")
            or self.text[word.end : word.end + 1] == "="
            or (word.low == "pass" and self.text[word.end : word.end + 1] == ":")
            or not beside.isdisjoint(("word", "palabra", "palavra", "mot", "parola"))
        )

    def _many(self) -> Iterator[Candidate]:
        """Yield a row of as many words as open a wallet, without those that only sentences have."""
        for match in _MANY.finditer(self.text):
            start = match.start()
            for word in self.words[bisect_right(self._starts, start) :]:
                if word.start >= match.end():
                    break
                if word.low in _IS or word.name:
                    if word.start - start >= 50:
                        yield Candidate(start, word.start - 1, "many")
                    start = word.end + 1
            if match.end() - start >= 50:
                yield Candidate(start, match.end(), "many")

    def odds(self, candidate: Candidate) -> float:
        """Return how likely a candidate is a secret: 0 or more is likely."""
        weights = _weights()
        found = {crc32(each.encode("latin-1")) % PLACES for each in self.features(candidate)}
        odds: float = sum(_WEIGHT.unpack_from(weights, 2 * place)[0] for place in (*found, PLACES))
        return odds

    def runs_on(self, candidate: Candidate, likely: Sequence[Candidate]) -> bool:
        """Return whether a phrase goes on with another clause after what is a secret by itself."""
        after = min(each.end for each in likely if each.start == candidate.start)
        rest = [word.low for word in self.words if after <= word.start < candidate.end]
        return len(rest) > _CLAUSE and rest[0] in _AND

    def features(self, candidate: Candidate) -> Iterator[str]:
        """Yield what is seen of a candidate: its form, its neighbours, the nearest name of a secret."""
        text, words = self.text, self.words
        start, end, sort = candidate
        first = max(0, bisect_right(self._starts, start) - 1)
        after = bisect_right(self._starts, end - 1)
        before, follow = words[max(0, first - _REACH_BEFORE) : first], words[after : after + _REACH_AFTER]
        form = _form(text[start : min(end, start + _LONGEST)], sort)
        sign = _gap(text[before[-1].end : start] if before else "^")
        behind = _gap(text[end : follow[0].start] if follow else text[end:] + "$")
        yield from (f"sort {sort}", *form, f"sign {sign}", f"behind {behind}")
        yield from (f"sign {sign} {form[0]}", f"behind {behind} {form[0]}")
        named = yield from self._label(candidate, before, follow, form[0], sign)
        if named == "none":
            yield f"unnamed {sign} {behind} {form[0]}"
        if left := next((each.low for each in reversed(before) if each.low != "\n"), ""):
            yield from (f"left {left} {form[0]}", f"left {left} {named}")
        yield from _neighbours(before, follow, form[0])
        if sort in _OF_WORDS:
            inner = words[first:after]
            yield f"words {min(len(inner), 12)} {named} {sign}"
            yield from (f"in {word.low}" for word in inner)
            if inner:
                low = inner[0].low
                yield from (f"in0 {low}", f"in0 -{low[-3:]}", f"in0 -{low[-2:]}")

    def _label(
        self,
        candidate: Candidate,
        before: Sequence[ScoredWord],
        follow: Sequence[ScoredWord],
        shape: str,
        sign: str,
    ) -> Generator[str, None, str]:
        """Yield how the nearest name of a secret stands to a candidate; return its kind."""
        near = [(far, word, "before") for far, word in enumerate(reversed(before), 1) if word.name]
        near = near or [(far, word, "after") for far, word in enumerate(follow, 1) if word.name]
        far, word, side = near[0] if near else (0, ScoredWord(0, 0, "", "none"), "")
        signs, verb = "", False
        if side == "before":
            between = [*before[len(before) - far :], ScoredWord(candidate.start, candidate.end, "", "")]
            gaps = {_gap(self.text[one.end : other.start]) for one, other in pairwise(between)}
            signs, verb = "".join(sorted(gaps - {" "})), any(each.low in _IS for each in between[1:])
        close = "1" if far == 1 else "2" if far <= 3 else "4" if far <= 6 else "9"
        label = f"{word.name} {side}"
        for each in (label, f"{label} {close}", f"{label} {close} {verb} {signs[:3]}"):
            yield from (f"named {each}{rest}" for rest in ("", f" {shape}", f" {candidate.sort}", f" {sign}"))
        if near:
            yield from (f"name {word.low} {side}", f"name {word.low} {shape}")
        return word.name


def _neighbours(before: Sequence[ScoredWord], follow: Sequence[ScoredWord], shape: str) -> Iterator[str]:
    for place, (_, _, low, _) in enumerate(reversed(before)):
        spot = ("1", "2", "4", "4")[place] if place < 4 else "9"
        yield from (f"b{spot} {low}", f"b {low}")
        if len(low) > _STEM:
            yield from (f"b {low[:4]}-", f"b -{low[-3:]}")
        if place < 2:
            yield f"bs{spot} {low[:5]} {shape}"
    if len(before) > 1:
        yield f"b2 {before[-2].low} {before[-1].low}"
    for place, (_, _, low, _) in enumerate(follow):
        yield from (f"a{('1', '2')[place] if place < 2 else '9'} {low}", f"a {low}")
        if len(low) > _STEM:
            yield f"a {low[:4]}-"
    if follow:
        yield f"as {follow[0].low[:5]} {shape}"


_SIGNS_IN = re.compile(r"->|=>|[:=\xa6/(\"'`,;.|?!*<>\n$^#@+-]")


@lru_cache(1024)
def _gap(gap: str) -> str:
    return "".join(dict.fromkeys(_SIGNS_IN.findall(gap[:12]))) or (" " if gap else "_")


@lru_cache(1024)
def _form(value: str, sort: str) -> tuple[str, ...]:
    """Return what a value looks like; the first of it is the shortest description."""
    shape = value.encode("latin-1").translate(_SHAPE).decode("latin-1")
    runs = "".join(one for one, other in zip(shape, " " + shape, strict=False) if one != other)
    digits, letters, size = shape.count("0"), sum(map(str.isalpha, shape)), len(value)
    signs = "".join(sorted(set(shape) - set("aA0")))[:3]
    if sort in _OF_WORDS:
        short = f"{sort} {'0' if digits else ''}{'A' if 'A' in shape else ''}"
    elif letters:
        kinds = "".join(each for each in "aA0" if each in shape)
        short = f"{kinds} {signs} {min(size // 4, 6)}"
    else:
        is_year = size == digits == 4 and value[:2] in ("19", "20")
        short = "year" if is_year else f"{''.join(dict.fromkeys(runs))} {min(digits, 9)}"
    found = [
        short, f"runs {runs[:12]}", f"shape {shape[:16]}", f"size {min(size, 24)}",
        f"digits {min(digits, 9)} letters {min(letters, 9)}", f"starts {runs[:2]}", f"ends {runs[-2:]}",
        f"turns {min(len(runs), 9)} {size // 6}",
        *(f"sign {each}" for each in sorted(set(value)) if not each.isalnum()),
    ]  # fmt: skip
    if sort == "token":
        low = value.lower()
        begins, ends = _BEGINS.search(low), _ENDS.search(low)
        assert begins
        assert ends
        rest = shape[begins.end() : begins.end() + 4]
        found += (f"begins {begins[0][:8]} {rest}", f"unit {ends[0][:6]}")
        found.append(f"letters {''.join(filter(str.isalpha, low))[:10]}")
    return tuple(found)


@cache
def _weights() -> bytes:
    return WEIGHTS.read_bytes()
