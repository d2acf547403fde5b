"""What is said in words to be a secret: "my password is …", "wifi at mum's: …", "they ring, say Marigold".

Each word that could be a value, each row of numbers and each clause gets a score: from its form, the words
and signs around it, and what those words mean. Words that mean alike, in any language, have like numbers,
which come from the bundled encoder; a small network reads them. `python -m benchmarks.fit_secrets` makes the
weights. A score is a guess: what it finds is withheld and told, never left out for good.
"""

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise
from math import dist, hypot, sqrt
from operator import itemgetter
from pathlib import Path
from zlib import crc32

from almario.domain.plain_text import regex
from almario.domain.turn_ids import CHANNELS
from almario.named_tuples import NamedTuple
from almario.text.secrets.patterns import TECHNIQUES, SecretSpan

WEIGHTS = Path(__file__).with_name("scorer.weights")
# Features have so many places, forms so many; a word has so many numbers, the network so many judges.
PLACES, FORMS, NUMBERS, JUDGES = 1 << 17, 128, 12, 24
# So many words before a value and after it are read; each of the nearest counts by itself.
BEFORE, AFTER, NEAR_BEFORE, NEAR_AFTER = 14, 10, 3, 2
INPUTS = (NEAR_BEFORE + NEAR_AFTER + 1 + 4) * NUMBERS
# What stands in the table of words for what is no word.
DIGITS, MASKED, LINE_END, UNKNOWN, MIXED, SIGN, KANA, KANJI = STANDING = (
    *("0", "\0", "\n", "?", "a0", "-", "\u3042", "\u5b57"),
)

_SPACELESS = "\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
# A word, or a run of one script that puts no spaces between words, or what is masked.
_TOKEN = regex(rf"\x00+|\n|[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u3005\u3400-\u9fff]+|[^\s\x00{_SPACELESS}]+")
# The same of most texts, without what takes long to compile.
_SPACED_TOKEN = regex(r"\x00+|\n|[^\s\x00]+")
_EDGES_BEFORE, _EDGES_AFTER = "([{<\"'`*_~¿¡-,;:|#", ".,;:)]}>\"'`*~?|=!"
_SPLIT = regex(r"(?s)([A-Za-z][\w.@+'\"*-]{0,40}?)(\"?:\"?|=>?|->|\xa6|/(?=\S*[0-9!@#$%&*]))(?!//)(.+)")
# Nobody types more than that in one piece.
_TYPED = 4000
_JOINS = frozenset(":=>\xa6/")
# A message, by its conversation and number.
_TURN = regex(rf"(?:{'|'.join(CHANNELS)}):[\w.%:-]{{1,60}}#[0-9]+")
_NOT_ASKED = regex(
    rf"(?s){_TURN.pattern}|"
    r".*://.*|www\..*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|/[\w./-]*|\.{1,2}/.*|~/.*"
    # A temperature, or a number with its unit: shorter than what opens a door.
    r"|-?(?:[1-9][0-9]{0,2}\xb0?[CFcf]|[1-9][0-9]{0,3}(?:[.,][0-9]+)?(?:[mk]?[gmWwVv]|[cm][ml]|[km]?l|[kMG]?Hz|[KMGT]B|k[Ww]h|mAh|lbs?|oz|ft|min))"
    # The name of a technique.
    rf"|(?i:{TECHNIQUES})"
    # A day, an hour, a price.
    r"|(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?:T.*)?|[0-2]?[0-9]:[0-5][0-9](?::[0-9]{2})?(?:am|pm|h)?|\$[0-9.,]+k?|[0-9.,]+[%$]"
    r"|\$?\{.*|<.*|\$[A-Za-z_]+|(?i:(?:[\w.-]*[_.-])?(?:your|my|the|tu|mi)?(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave|senha)(?:[_.-][a-z]+)*)"
)
_GROUPS = regex(r"(?<![\w.,:/-])[0-9]{1,6}(?:(?:[ -]|, ?| ?\xa6 ?|\. )[0-9]{1,6}){1,7}(?![\w:/%-]|[.,][0-9])")
# As many words as open a wallet.
_MANY = regex(
    r"\b[a-z]{3,9}(?:(?:[ \n]|, ?)[a-z]{3,9}){10,40}\b"
    r"|\b1[.):=-]? ?[a-z]{3,9}(?:[ ,;|\n]{1,3}[0-9]{1,2}[.):=-]? ?[a-z]{3,9}){7,23}\b"
)
_FEWEST_LETTERS = 50
_SPOKEN = frozenset(
    """
    zero oh one two three four five six seven eight nine double cero uno dos tres cuatro cinco seis siete ocho
    nueve um dois quatro sete oito nove meia deux trois quatre cinq sept huit neuf null eins zwei drei vier
    funf sechs sieben acht neun zwo due tre quattro cinque sei sette otto une un una guion
""".split()
)
_FEWEST_SPOKEN = 3
_ODD = regex(r"[0-9](?:(?<=[^\s(][0-9])| [0-9])|[@#$%^&*+=~|!_\xa6](?=\S)(?<=\S.)|[A-Z](?<=[a-z0-9][A-Z])")
_LETTERS = regex(rf"[{_SPACELESS}]+|[^\W\d_{_SPACELESS}]+")
_SPACED_LETTERS = regex(r"[^\W\d_]+")
# A short text is read as a whole, of others what is so near.
SHORT, _BEFORE, _AFTER = 400, 64, 48
_KEY = 20
_STANDS_FOR = regex(r"[\x01-\x06\x80-\xff]+")
_IS = frozenset(
    """
    is are was es son era e sao foi est sont c'est etait ist lautet war sind siendo ser sendo be to a por para
    en como pone sigue fica ficou quedo queda remains stays reste continua now ahora agora maintenant
""".split()
)
# What begins another clause, of so many words.
_AND = frozenset("and but because y e pero porque que et mais und aber mas".split())
_CLAUSE = 3
_JOINING = frozenset("and y e et und o or".split())
_SIGN = regex(r"(?::|=|->|=>|\xa6|\s[-|/]|\"|'|`|\(|,)[\s\"'`*_(\\]*\Z")
_SHAPE = bytes(
    48 if 48 <= byte <= 57 else 97 if 97 <= byte <= 122 or byte >= 0xAA else 65 if 65 <= byte <= 90 else byte
    for byte in range(256)
)
_REACH_BEFORE, _REACH_AFTER = 9, 6
# How near a word is: the next, the one after it, the third and fourth, farther.
_SPOTS_BEFORE, _SPOTS_AFTER = (tuple(side + spot for spot in "014499999") for side in "ba")
# What words mean makes no secret of what is so unlikely by all that is seen of it.
_HOPELESS = -4.0
_LONGEST, _PHRASE, _STEM, _NAMED_BEFORE = 64, 8, 4, 4
# Sorts of candidates that are words.
_OF_WORDS = ("phrase", "many", "spoken")
_SMALL = "abcdefghijklmnopqrstuvwxyz"
# What secrets are called, by how these words begin.
_NAMES = {
    "password": r"\w*pass(?:w\w*|phrase|code|wort\w*|guor\w*)s?|pass?w\w{0,5}|p[sw]+[wd]+|psk|pword"
    r"|contr\w{0,2}se\w{0,4}|contrassenha|contra|senhas?|claves?|mdp|passe|kennwort\w*|wachtwoord\w*|parola"
    r"|losenord\w*|memorable|answers?|respuesta|resposta|reponse|frase|phrase",
    "wifi": r"wi-?fi|wlan|ssid|hotspot",
    "purse": r"seed|mnemo\w+|semilla|semente|wallet|words|palabras|palavras|mots|recovery|recup\w+|metamask"
    r"|ledger|trezor|monedero|carteira|phantom",
    "key": r"\w*key|keys|llaves?|chaves?|cle|schlussel|chiave|\w*tokens?|\w*secret\w*|segredo|api\w*|jeton"
    r"|backup|respaldo|secours|cred\w+|logins?|2fa|totp|otp|auth\w*|pass",
    "code": r"\w*pin|pins|puk\d?|nip|codes?|codigos?|combi\w+|combo|\w*code|zahlenschloss|geheimzahl"
    r"|codice|cv[vcn]2?|cryptogramme",
}
_NAMED = regex("|".join(f"(?P<{name}>{source})" for name, source in _NAMES.items()))
# What is counted to try whether somebody hears it.
_COUNTED = "1 2 3"
# Beside no name of a secret, a number of so many digits must be so likely one, and so likely what is called
# but a word: most numbers are prices, years and pages, and many a word is to be said back.
_FEW_DIGITS, _BARE_NUMBER, _MERE_WORD = 8, 1.0, 2.0
_WORDS = frozenset("word palabra palavra mot wort parola".split())
_THIS = frozenset("this esta essa ce dieses questa".split())
_HOUR = regex(r"(?:[01]?[0-9]|2[0-3]) [0-5][0-9]")


class ScoredWord(NamedTuple):
    """A word of a text without the signs around it, in small letters, and which kind of name it is."""

    start: int
    end: int
    low: str
    name: str = ""


class _Label(NamedTuple):
    """The nearest name of a secret: its kind, itself, where it stands, how near, and what is between."""

    name: str
    low: str
    side: str
    close: str
    verb: bool
    signs: str


_UNNAMED = _Label("none", "", "", "2", False, "")


class Candidate(NamedTuple):
    start: int
    end: int
    # "token", "groups", "spoken", "phrase", "many"
    sort: str


def suspects(raw: bytes, written: str, *, again: bool = False) -> Iterator[SecretSpan]:
    """Find what is said to be a secret in a text of one byte for each character, *written* as it was.

    *again*, only what stands near something that is masked by now is looked at.
    """
    text = readable(raw, written)
    is_long = len(text) > SHORT
    for begin, end in regions(text):
        if again and "\0" not in text[begin:end]:
            continue
        part = Text(text[begin:end])
        likely = [each for each in part.candidates() if part.is_asked(each, is_long) and part.is_likely(each)]
        for each in likely:
            if not part.runs_on(each, likely):
                value = part.text[each.start : each.end]
                kind = "secret" if len(value) >= _KEY and " " not in value else "password"
                yield SecretSpan(begin + each.start, begin + each.end, kind, is_sure=False)


def readable(raw: bytes, written: str) -> str:
    """Return a text of one byte for each character with its own letters, where a byte stands for many."""
    plain = raw.decode("latin-1")
    if plain.isascii() and written.isascii():
        return plain
    return _STANDS_FOR.sub(lambda match: written[match.start() : match.end()], plain)


def regions(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text around what may be a secret or speaks of one; most of it does neither."""
    letters = _SPACED_LETTERS if _is_spaced(text) else _LETTERS
    if len(text) <= SHORT:
        if _ODD.search(text) or any(_is_warm(word.lower()) for word in letters.findall(text)):
            yield 0, len(text)
        return
    # A long text has warm words everywhere.
    hot = [match.span() for match in _ODD.finditer(text)]
    hot += [match.span() for match in letters.finditer(text) if _name(match[0].lower())]
    begin = end = 0
    for start, stop in sorted(hot):
        if start - _BEFORE > end:
            if end:
                yield begin, end
            begin = text.rfind(" ", 0, start - _BEFORE) + 1
        if stop + _AFTER > end:
            space = text.find(" ", stop + _AFTER)
            end = len(text) if space < 0 else space
    if end:
        yield begin, end


def _is_spaced(text: str) -> bool:
    """Return whether a text has no letter of a script that puts no spaces between words."""
    return text.isascii() or not any("\u3005" <= sign <= "\u9fff" for sign in set(text))


@lru_cache(1 << 14)
def _name(low: str) -> str:
    """Return of which kind a word is as a name of secrets, or nothing."""
    match = _NAMED.fullmatch(low.removesuffix("'s")) if len(low) <= 24 else None
    return (match and match.lastgroup) or ""


@lru_cache(1 << 12)
def _is_asked(token: str) -> bool:
    """Return whether a word could be a value by itself."""
    is_long = len(token) > 2 or (len(token) > 1 and token.isdigit())
    is_known = not is_long or _NOT_ASKED.fullmatch(token.rstrip("!"))
    return not is_known and any(map(str.isalnum, token))


@lru_cache(1024)
def _ends_in_sign(gap: str) -> bool:
    return bool(_SIGN.search(gap))


class Text:
    """A text cut in words, with all in it that could be the value of a secret."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = list(self._cut())
        self._starts = [word.start for word in self.words]
        self._lows = [word.low for word in self.words]
        self._has_names = any(word.name for word in self.words)

    def _cut(self) -> Iterator[ScoredWord]:
        for match in (_SPACED_TOKEN if _is_spaced(self.text) else _TOKEN).finditer(self.text):
            start, end = match.span()
            token = match.group()
            if token.isalpha():
                low = token[:_LONGEST].lower()
                yield ScoredWord(start, end, low, _name(low))
                continue
            is_joined = len(token) <= _TYPED and not _JOINS.isdisjoint(token) and "://" not in token
            is_joined = is_joined and not _TURN.match(token)
            while split := is_joined and _SPLIT.fullmatch(token):
                yield self._word(start, start + split.end(1))
                start += split.start(3)
                token = split.group(3)
            yield self._word(start, end)

    def _word(self, start: int, end: int) -> ScoredWord:
        token = self.text[start:end]
        inner = token.lstrip(_EDGES_BEFORE)
        if not inner.rstrip(_EDGES_AFTER):
            return ScoredWord(start, end, token[:_LONGEST])
        start += len(token) - len(inner)
        inner = inner.rstrip(_EDGES_AFTER)
        low = inner[:_LONGEST].lower()
        return ScoredWord(start, start + len(inner), low, _name(low))

    def candidates(self) -> Iterator[Candidate]:
        """Yield what could be a secret."""
        text, words = self.text, self.words
        for word in words:
            if _is_asked(text[word.start : min(word.end, word.start + _LONGEST)]):
                yield Candidate(word.start, word.end, "token")
        for match in filter(lambda match: _is_asked(match[0]), _GROUPS.finditer(text)):  # no day
            yield Candidate(*match.span(), "groups")
        spoken: list[ScoredWord] = []
        for word in [*words, ScoredWord(0, 0, "")]:
            if word.low in _SPOKEN:
                spoken.append(word)
                continue
            if len(spoken) >= _FEWEST_SPOKEN:
                yield Candidate(spoken[0].start, spoken[-1].end, "spoken")
            spoken = []
        yield from self._phrases()
        yield from self._many()

    def _phrases(self) -> Iterator[Candidate]:
        """Yield the words after a sign or a verb, up to the end of their clause, or to an "and"."""
        words, text = self.words, self.text
        for place, word in enumerate(words[:-1]):
            before = words[place - 1] if place else ScoredWord(0, 0, "\n")
            if word.low in _IS or not word.low[0].isalnum():
                continue
            is_signed = _ends_in_sign(text[max(0, before.end - 1) : word.start][-12:])
            is_after_one = before.low[0] == "\0" and word.low not in _AND
            if not (is_signed or before.low in _IS or before.low[0] == "\n" or is_after_one):
                continue
            last = place
            while last + 1 < len(words) and last - place < _PHRASE and self._goes_on(last):
                last += 1
            if 0 < last - place < _PHRASE:
                yield Candidate(word.start, words[last].end, "phrase")
            for end in range(place + 1, last):
                if words[end + 1].low in _JOINING:
                    yield Candidate(word.start, words[end].end, "phrase")
                    break

    def _goes_on(self, place: int) -> bool:
        """Return whether the clause goes on after this word."""
        word, following = self.words[place], self.words[place + 1]
        return self.text[word.end : following.start] in (" ", "-", "  ")

    def _many(self) -> Iterator[Candidate]:
        """Yield a row of as many words as open a wallet, without those that only sentences have."""
        for match in _MANY.finditer(self.text):
            start = match.start()
            for word in self.words[bisect_right(self._starts, start) :]:
                if word.start >= match.end():
                    break
                if word.low in _IS:
                    if word.start - start >= _FEWEST_LETTERS:
                        yield Candidate(start, word.start - 1, "many")
                    start = word.end + 1
            if match.end() - start >= _FEWEST_LETTERS:
                yield Candidate(start, match.end(), "many")

    def odds(self, candidate: Candidate) -> float:
        """Return how likely a candidate is a secret: 0 or more is likely."""
        weights = _weights()
        form, places = self.seen(candidate)
        found = sum(itemgetter(*places)(weights.places)) - 128 * len(places)
        odds: float = weights.base + weights.place_worth * found
        if odds < _HOPELESS:
            return odds
        layer = self._meant(candidate)
        size = hypot(*layer) ** 2 / 2
        for says, judge, starts in _judges():
            if says < 0 and odds < 0:
                break
            # The product of two vectors, by how far they are apart: the quickest way without numpy.
            odds += says * max(0.0, starts[form] + size - dist(layer, judge) ** 2 / 2)
        return odds

    def is_likely(self, candidate: Candidate) -> bool:
        """Return whether a candidate is likely a secret: where nothing names it so, it takes more."""
        odds = self.odds(candidate)
        value = self.text[candidate.start : candidate.end].replace(" ", "")
        if odds < 0 or (not value.isalpha() and any(map(str.isalpha, value))):
            return odds >= 0
        first, after = self.inside(candidate)
        if self._has_names and self._label(candidate, first, after).side:
            return True
        if value.isalpha():
            near = {*self._lows[max(0, first - _NAMED_BEFORE) : first]}
            is_mere, is_this = not _WORDS.isdisjoint(near), not _THIS.isdisjoint(near)
            return not is_mere or (odds >= _MERE_WORD and not is_this)  # "remember this word: …"
        if _HOUR.fullmatch(self.text, candidate.start, candidate.end):
            return False
        return odds >= _BARE_NUMBER or sum(map(str.isdigit, value)) > _FEW_DIGITS

    def is_asked(self, candidate: Candidate, is_long: bool) -> bool:
        """Return whether a candidate may be one: of a long text's words only those after a secret's name."""
        value = self.text[candidate.start : candidate.end]
        if value == _COUNTED or (value.isalpha() and _mark(value.lower()) == COMMON):
            return False
        if not (any(map(str.isalpha, self.text)) or "\0" in self.text):
            return False  # a message of numbers alone, such as a choice
        return not (is_long and value.replace(" ", "").isalpha()) or self.is_named(candidate)

    def runs_on(self, candidate: Candidate, likely: Sequence[Candidate]) -> bool:
        """Return whether a phrase goes on with another clause after what is a secret by itself."""
        after = min(each.end for each in likely if each.start == candidate.start)
        rest = [word.low for word in self.words if after <= word.start < candidate.end]
        return len(rest) > _CLAUSE and rest[0] in _AND

    def inside(self, candidate: Candidate) -> tuple[int, int]:
        """Return the place of a candidate's first word, and that of the first one after it."""
        first = max(0, bisect_right(self._starts, candidate.start) - 1)
        return first, bisect_right(self._starts, candidate.end - 1)

    def is_named(self, candidate: Candidate) -> bool:
        """Return whether the name of a secret stands shortly before a candidate."""
        first, _ = self.inside(candidate)
        return self._has_names and any(
            word.name for word in self.words[max(0, first - _NAMED_BEFORE) : first]
        )

    def _meant(self, candidate: Candidate) -> list[float]:
        """Return what the network reads: the nearest words, the value, the most and the sum of each side."""
        first, after = self.inside(candidate)
        before = [*map(_numbers, reversed(self._lows[max(0, first - BEFORE) : first]))]
        follow = [*map(_numbers, self._lows[after : after + AFTER])]
        own = _numbers(self._lows[first]) if candidate.sort == "token" else _NONE[0]
        near = [
            *(before + _NONE * NEAR_BEFORE)[:NEAR_BEFORE],
            *(follow + _NONE * NEAR_AFTER)[:NEAR_AFTER],
            own,
        ]
        most: list[float] = []
        sums: list[float] = []
        for side in (before, follow):
            columns, share = list(zip(*side, *_NONE, strict=True)), sqrt(1 + len(side))
            most += map(max, columns)
            sums += [total / share for total in map(sum, columns)]
        return [*chain.from_iterable(near), *most, *sums]

    def seen(self, candidate: Candidate) -> tuple[int, set[int]]:
        """Return the place of a candidate's form, and those of all that is seen of it and beside it."""
        text, words = self.text, self.words
        start, end, sort = candidate
        first, after = self.inside(candidate)
        before = self._lows[max(0, first - _REACH_BEFORE) : first][::-1]
        follow = self._lows[after : after + _REACH_AFTER]
        inner = self._lows[first:after]
        short, form = _form(text[start : min(end, start + _LONGEST)], sort)
        sign = _gap(text[words[first - 1].end : start] if before else "^")
        behind = _gap(text[end : words[after].start] if follow else text[end:] + "$")
        label = self._label(candidate, first, after) if self._has_names else _UNNAMED
        named = label.name
        groups = [form, _signs(sort, sign, behind, short), _named(label, short, sort, sign)]
        groups += map(_beside, _SPOTS_BEFORE, before)
        groups += map(_beside, _SPOTS_AFTER, follow)
        names: list[str] = []
        if left := next((low for low in before if low != "\n"), ""):
            names += (f"left {left} {short}", f"left {left} {named}")
        for side, lows in (("b", before), ("a", follow)):
            names += [f"{side}{nth} {low[:5]} {short}" for nth, low in enumerate(lows[:2])]
            if len(lows) > 1:
                names.append(f"{side} {lows[0]} {lows[1]}")
        if sort in _OF_WORDS:
            names.append(f"words {min(len(inner), 12)} {named} {sign}")
            names += [f"in {low}" for low in inner]
        if inner and inner[0].isalpha():
            groups.append(_begun(sort, inner[0]))
        return hash_of(short) % FORMS, set(_places(names)).union(*groups)

    def _label(self, candidate: Candidate, first: int, after: int) -> _Label:
        """Return how the nearest name of a secret stands to a candidate; one before it counts first."""
        words = self.words
        before = words[max(0, first - _REACH_BEFORE) : first][::-1]
        for side, beside in (("before", before), ("after", words[after : after + _REACH_AFTER])):
            for far, word in enumerate(beside, 1):
                if not word.name:
                    continue
                signs, verb = "", False
                if side == "before":
                    between = [ScoredWord(candidate.start, candidate.end, ""), *before[:far]]
                    gaps = {_gap(self.text[one.end : other.start]) for other, one in pairwise(between)}
                    signs = "".join(sorted(gaps - {" "}))[:3]
                    verb = any(each.low in _IS for each in between[:-1])
                close = "1" if far == 1 else "2" if far <= 3 else "4" if far <= 6 else "9"
                return _Label(word.name, word.low, side, close, verb, signs)
        return _UNNAMED


def _places(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([crc32(name.encode("utf-8", "surrogatepass")) % PLACES for name in names])


@lru_cache(1 << 12)
def _signs(sort: str, sign: str, behind: str, short: str) -> tuple[int, ...]:
    signs = (f"sign {sign}", f"behind {behind}", f"sign {sign} {short}", f"behind {behind} {short}")
    return _places((f"sort {sort}", *signs, f"{sign} {behind} {short}"))


@lru_cache(1 << 12)
def _named(label: _Label, form: str, sort: str, sign: str) -> tuple[int, ...]:
    kind = f"named {label.name} {label.side}"
    near = f"{kind} {label.close}"
    kinds = (kind, near, f"{near} {label.verb} {label.signs}")
    names = [f"{each}{rest}" for each in kinds for rest in ("", f" {form}", f" {sort}", f" {sign}")]
    if label.side:
        names += (f"name {label.low} {label.side}", f"name {label.low} {form}")
    return _places(names)


@lru_cache(1 << 12)
def _begun(sort: str, low: str) -> tuple[int, ...]:
    return _places((f"in0 {sort} {low}", f"in0 {sort} -{low[-3:]}", f"in0 {sort} -{low[-2:]}"))


@lru_cache(1 << 14)
def _beside(spot: str, low: str) -> tuple[int, ...]:
    side = spot[0]
    names = [f"{spot} {low}", f"{side} {low}"]
    if low[0] >= "\u3040":
        names += (f"{side} #{low[at : at + 2]}" for at in range(len(low) - 1))
        ends = (low[-1], low[-2:]) if side == "b" else (low[0], low[:2])
        names += (f"{spot} #{end}" for end in ends)
    elif len(low) > _STEM:
        names += (f"{side} {low[:4]}-", f"{side} -{low[-3:]}")
    return _places(names)


_SIGNS_IN = regex(r"->|=>|[:=\xa6/(\"'`,;.|?!*<>\n$^#@+-]")


@lru_cache(1024)
def _gap(gap: str) -> str:
    return "".join(dict.fromkeys(_SIGNS_IN.findall(gap[:12]))) or (" " if gap else "_")


@lru_cache(1 << 12)
def _form(value: str, sort: str) -> tuple[str, tuple[int, ...]]:
    """Return the shortest description of what a value looks like, and the places of all of them."""
    shape = value.encode("latin-1", "replace").translate(_SHAPE).decode("latin-1")
    # All words of so many letters look the same.
    is_plain = value.isascii() and value.replace(" ", "").isalpha()
    short, places = _looks(shape if is_plain else value, sort, shape)
    if sort != "token":
        return short, places
    low = value.lower()
    begun, ended = len(low) - len(low.lstrip(_SMALL)), len(low.rstrip(_SMALL + "%"))
    begins = f"begins {low[: min(begun, 8)]} {shape[begun : begun + 4]}"
    letters = "".join(filter(str.isalpha, low))[:10]
    return short, places + _places((begins, f"unit {low[ended : ended + 6]}", f"letters {letters}"))


@lru_cache(1 << 12)
def _looks(value: str, sort: str, shape: str) -> tuple[str, tuple[int, ...]]:
    runs = "".join(one for one, other in zip(shape, " " + shape, strict=False) if one != other)
    digits, letters, size = shape.count("0"), sum(map(str.isalpha, shape)), len(value)
    signs = "".join(sorted(set(shape) - set("aA0")))[:3]
    if sort in _OF_WORDS:
        short = f"{sort} {'0' if digits else ''}{'A' if 'A' in shape else ''}"
    elif value[0] >= "\u3040":
        short = "kanji" if value[0] >= "\u3100" else "katakana" if value[0] >= "\u30a0" else "hiragana"
    elif runs in ("a", "A", "Aa"):
        short = runs
    elif letters:
        kinds = "".join(each for each in "aA0" if each in shape)
        short = f"{kinds} {signs} {min(size // 4, 6)}"
    else:
        is_year = size == digits == 4 and value[:2] in ("19", "20")
        short = "year" if is_year else f"{''.join(dict.fromkeys(runs))} {min(digits, 9)}"
    return short, _places([
        short, f"runs {runs[:12]}", f"shape {shape[:16]}", f"size {min(size, 24)}",
        f"digits {min(digits, 9)} letters {min(letters, 9)}", f"starts {runs[:2]}", f"ends {runs[-2:]}",
        f"turns {min(len(runs), 9)} {size // 6}",
        *(f"sign {each}" for each in sorted(set(value)) if not each.isalnum()),
    ])  # fmt: skip


def hash_of(name: str) -> int:
    """Return by what a word or a feature is known in the weights."""
    return crc32(name.encode("utf-8", "surrogatepass"))


def spellings(low: str) -> Iterator[str]:
    """Yield under what a word may stand in the table, the likeliest first; last, what stands for its like."""
    if low[0] in "\0\n":
        yield low[0]
        return
    yield low
    if low[0] >= "\u3040":
        for size in (4, 3, 2):
            yield from (low[at : at + size] for at in range(len(low) - size + 1))
        yield KANA if low[0] < "\u3100" else KANJI
    elif low.isdigit():
        yield DIGITS
    elif low.replace("'", "").isalpha():
        yield from low.split("'")[:: -1 if low[1:2] == "'" else 1]
        yield from (low[:-cut] for cut in (1, 2, 3) if len(low) - cut > _STEM - 1)
        yield UNKNOWN
    else:
        yield MIXED if any(map(str.isalnum, low)) else SIGN


class _Weights(NamedTuple):
    """The file of weights: first what the numbers are worth, then the words by hash with their numbers."""

    words: memoryview
    numbers: bytes
    number_worth: float
    places: bytes  # each plus 128
    place_worth: float
    base: float
    network: Sequence[memoryview]


HEAD = struct.Struct("<Ifff")
# The mark of a word that is never a secret by itself. Others say how much oftener sentences with secrets have
# a word; from so much on, in sixteenths, the text around it is read.
COMMON, _WARM = 255, 16
_NONE = [(0.0,) * NUMBERS]


@cache
def _weights() -> _Weights:
    content = memoryview(WEIGHTS.read_bytes())
    count, number_worth, place_worth, base = HEAD.unpack_from(content)
    sizes = (4 * count, (NUMBERS + 1) * count, PLACES, 4 * FORMS * JUDGES, 4 * JUDGES * INPUTS, 4 * JUDGES)
    bounds = accumulate(sizes, initial=HEAD.size)
    words, numbers, places, *network = (content[start:end] for start, end in pairwise(bounds))
    raised = bytes(places).translate(bytes((*range(128, 256), *range(128))))
    return _Weights(words.cast("I"), bytes(numbers), number_worth, raised, place_worth, base, network)


@cache
def _judges() -> Sequence[tuple[float, Sequence[float], Sequence[float]]]:
    """Return what each says, how it weighs its inputs, and where it starts from by form.

    That is with half the square of its weights. First come those who speak for a secret.
    """
    forms, judges, says = (
        struct.iter_unpack(f"<{size}f", part)
        for size, part in zip((JUDGES, INPUTS, 1), _weights().network, strict=True)
    )
    return sorted(
        (
            (said, judge, [start + hypot(*judge) ** 2 / 2 for start in starts])
            for (said,), judge, starts in zip(says, judges, zip(*forms, strict=True), strict=True)
        ),
        reverse=True,
    )


def _row(low: str) -> bytes:
    """Return the small numbers of a word, and how warm it is; nothing of one that is not in the table."""
    weights = _weights()
    for each in spellings(low):
        wanted = hash_of(each)
        place = bisect_left(weights.words, wanted)
        if place < len(weights.words) and weights.words[place] == wanted:
            return weights.numbers[place * (NUMBERS + 1) : (place + 1) * (NUMBERS + 1)]
    return b""


@lru_cache(1 << 13)
def _numbers(low: str) -> tuple[float, ...]:
    worth, row = _weights().number_worth, _row(low)
    return tuple(worth * each for each in struct.unpack(f"{NUMBERS}b", row[:-1])) if row else _NONE[0]


@lru_cache(1 << 13)
def _mark(low: str) -> int:
    return (_row(low) or b"\0")[-1]


def _is_warm(low: str) -> bool:
    return _WARM <= _mark(low) < COMMON
