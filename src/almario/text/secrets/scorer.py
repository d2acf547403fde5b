"""What is said in words to be a secret: "my password is …", "wifi at mum's: …", "they ring, say Marigold".

Each word gets a score: from its form, the words and signs around it, and what all those words mean. Words
that mean alike, in any language, have like numbers, which come from the bundled encoder; a small network
reads them. Neighbours are heard last, so that a secret of several words is found whole. A score is a guess:
what it finds is withheld and told, never left out for good. `python -m benchmarks.fit_secrets` makes the
weights.
"""

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import dist, exp, hypot, log
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple
from almario.text.secrets.patterns import SecretSpan

WEIGHTS = Path(__file__).with_name("scorer.weights")
# Features have so many places, forms so many; a word has so many numbers, the network so many judges.
PLACES, FORMS, NUMBERS, JUDGES = 1 << 17, 128, 16, 12
# The network reads the words that stand so far from a value, and the most telling before it and after.
NEAR = (-3, -2, -1, 0, 1, 2)
SLOTS = len(NEAR) + 2
# What stands in the table of words for what is no word.
DIGITS, MASKED, LINE_END, UNKNOWN, MIXED, SIGN, KANA, KANJI = STANDING = (
    *("0", "\0", "\n", "?", "a0", "-", "\u3042", "\u5b57"),
)

_SPACELESS = "\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
# A word, or a run of one script that puts no spaces between words, or what is masked.
_TOKEN = regex(rf"\x00+|\n|[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u3005\u3400-\u9fff]+|[^\s\x00{_SPACELESS}]+")
_EDGES_BEFORE, _EDGES_AFTER = "([{<\"'`*_~¿¡-,;:|#", ".,;:)]}>\"'`*~?|=!"
_SPLIT = regex(r"(?s)([A-Za-z][\w.@+'\"*-]{0,40}?)(\"?:\"?|=>?|->|\xa6|/(?=\S*[0-9!@#$%&*]))(?!//)(.+)")
# Nobody types more than that in one piece.
_TYPED = 4000
_JOINS = frozenset(":=>\xa6/")
_NOT_JUDGED = regex(
    r"(?s)[^\w\u3005-\u9fff]*|.*://.*|www\..*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|/[\w./-]*|\.{1,2}/.*|~/.*"
    # A temperature, or a number with its unit: shorter than what opens a door.
    r"|-?(?:[1-9][0-9]{0,2}\xb0?[CFcf]|[1-9][0-9]{0,3}(?:[.,][0-9]+)?(?:[mk]?[gmWwVv]|[cm][ml]|[km]?l|[kMG]?Hz|[KMGT]B|k[Ww]h|mAh|lbs?|oz|ft|min))"
    # A day, an hour, a price.
    r"|(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?:T.*)?|[0-2]?[0-9]:[0-5][0-9](?::[0-9]{2})?(?:am|pm|h)?|\$[0-9.,]+k?|[0-9.,]+[%$]"
    r"|\$?\{.*|<.*|\$[A-Za-z_]+|(?i:(?:[\w.-]*[_.-])?(?:your|my|the|tu|mi)?(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave|senha)(?:[_.-][a-z]+)*)"
)
_QUOTED = regex(r"\"[^\"\n\x00]{3,60}\"|(?<!\w)'[^'\n\x00]{3,60}'(?!\w)|`[^`\n\x00]{3,60}`")
_SIGNS_IN = regex(r"->|=>|[:=\xa6/(\"'`,;.|?!*<>\n$^#@+-]")
# What may stand between two words of one secret.
_JOINING = frozenset(" -_'.,")
_ODD = regex(r"[0-9](?:(?<=[^\s(][0-9])| [0-9])|[@#$%^&*+=~|!_\xa6](?=\S)(?<=\S.)|[A-Z](?<=[a-z0-9][A-Z])")
_LETTERS = regex(rf"[{_SPACELESS}]+|[^\W\d_{_SPACELESS}]+")
# A short text is read as a whole, of others what is so near.
_SHORT, _BEFORE, _AFTER = 400, 64, 48
_KEY = 20
_STANDS_FOR = regex(r"[\x01-\x06\x80-\xff]+")
_SHAPE = bytes(
    48 if 48 <= byte <= 57 else 97 if 97 <= byte <= 122 or byte >= 0xAA else 65 if 65 <= byte <= 90 else byte
    for byte in range(256)
)
_REACH_BEFORE, _REACH_AFTER = 9, 6
# How near a word is: the next, the one after it, the third and fourth, farther.
_SPOTS_BEFORE, _SPOTS_AFTER = (tuple(side + spot for spot in "014499999") for side in "ba")
_LONGEST, _STEM = 64, 4
# The odds of what is not judged; those from which on the network is asked, if more than so is seen.
NEVER, UNLIKELY, FEW = -8.0, -4.0, 6
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
_NAMED_BEFORE = 8

# What is seen of a word, as a row: what it is about, and then the facts; many words share one.
Sight: TypeAlias = tuple[str, ...]


class ScoredWord(NamedTuple):
    """A word of a text without the signs around it, in small letters, and which kind of name it is."""

    start: int
    end: int
    low: str
    name: str = ""


def suspects(raw: bytes, written: str, *, again: bool = False) -> Iterator[SecretSpan]:
    """Find what is said to be a secret in a text of one byte for each character, *written* as it was.

    *again*, only what stands near something that is masked by now is looked at.
    """
    text = readable(raw, written)
    for begin, end in regions(text):
        if again and "\0" not in text[begin:end]:
            continue
        for start, stop in Text(text[begin:end], is_long=len(text) > _SHORT).secrets():
            value = text[begin + start : begin + stop]
            kind = "secret" if len(value) >= _KEY and " " not in value else "password"
            yield SecretSpan(begin + start, begin + stop, kind, is_sure=False)


def readable(raw: bytes, written: str) -> str:
    """Return a text of one byte for each character with its own letters, where a byte stands for many."""
    plain = raw.decode("latin-1")
    if plain.isascii() and written.isascii():
        return plain
    return _STANDS_FOR.sub(lambda match: written[match.start() : match.end()], plain)


def regions(text: str) -> Iterator[tuple[int, int]]:
    """Yield a short text as a whole, and the parts of a long one that look odd or name a secret."""
    if len(text) <= _SHORT:
        yield 0, len(text)
        return
    hot = [match.span() for match in _ODD.finditer(text)]
    hot += [match.span() for match in _LETTERS.finditer(text) if _name(match[0].lower())]
    begin = end = -1
    for start, stop in sorted(hot):
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


class Text:
    """A text cut in words, with what is seen of each; in a long one, letters alone must be named a secret."""

    def __init__(self, text: str, *, is_long: bool = False) -> None:
        self.text = text
        self.words = list(self._cut())
        self.lows = [word.low for word in self.words]
        self._values = [text[word.start : min(word.end, word.start + _LONGEST)] for word in self.words]
        self._forms = [form_of(value) for value in self._values]
        ends = [0, *(word.end for word in self.words)]
        self._gaps = [gap_of(text[end : word.start]) for end, word in zip(ends, self.words, strict=False)]
        self._gaps.append(gap_of(text[ends[-1] :] + "$"))
        self._gaps[0] += "^"
        self._names = [place for place, word in enumerate(self.words) if word.name]
        self.is_judged = [
            not _is_known(value) and (not is_long or not value.isalpha() or self._is_named(place))
            for place, value in enumerate(self._values)
        ]

    def _cut(self) -> Iterator[ScoredWord]:
        for match in _TOKEN.finditer(self.text):
            start, end = match.span()
            token = match.group()
            is_joined = len(token) <= _TYPED and not _JOINS.isdisjoint(token) and "://" not in token
            while split := is_joined and _SPLIT.fullmatch(token):
                yield self._word(start, start + split.end(1))
                start += split.start(3)
                token = split.group(3)
            yield self._word(start, end)

    def _word(self, start: int, end: int) -> ScoredWord:
        token = self.text[start:end]
        inner = token.lstrip(_EDGES_BEFORE)
        bare = inner.rstrip(_EDGES_AFTER)
        if not bare:
            return ScoredWord(start, end, token[:_LONGEST])
        start += len(token) - len(inner)
        low = bare[:_LONGEST].lower()
        return ScoredWord(start, start + len(bare), low, _name(low))

    def _is_named(self, place: int) -> bool:
        last = bisect_left(self._names, place) - 1
        return last >= 0 and place - self._names[last] <= _NAMED_BEFORE

    def secrets(self) -> Iterator[tuple[int, int]]:
        """Yield where something begins and ends that is likely a secret."""
        words, line, odds, begun = self.words, _weights().line, self.odds(), -1
        for place, (word, likely) in enumerate(zip(words, odds, strict=True)):
            if likely < line:
                continue
            begun = place if begun < 0 else begun
            is_last = place + 1 == len(words) or odds[place + 1] < line
            if is_last or not _JOINING.issuperset(self.text[word.end : words[place + 1].start]):
                yield words[begun].start, word.end
                begun = -1

    def odds(self) -> list[float]:
        """Return for each word how likely it is of a secret, its neighbours heard."""
        alone = self._alone()
        ties = [_weights().ties[place] for place in self.ties()]
        before, after = [0.0] * len(alone), [0.0] * len(alone)
        for place, (begins, ends, stays) in enumerate(ties):
            odds = exp(min(alone[place] + before[place], 30))
            before[place + 1] = log((stays * odds + begins) / (ends * odds + 1))
        for place, (begins, ends, stays) in reversed([*enumerate(ties)]):
            odds = exp(min(alone[place + 1] + after[place + 1], 30))
            after[place] = log((stays * odds + ends) / (begins * odds + 1))
        return [*map(sum, zip(alone, before, after, strict=True))]

    def ties(self) -> list[int]:
        """Return of which sort the space between each two words is: 0 if nothing parts them."""
        return [int(gap != " ") for gap in self._gaps[1:-1]]

    def _alone(self) -> list[float]:
        """Return the odds of each word by itself."""
        weights, seen = _weights(), [*self.sights()]
        odds = [weights.base + sum(map(_worth, sights)) if sights else NEVER for sights in seen]
        asked = [place for place, each in enumerate(odds) if each > UNLIKELY and len(seen[place]) > FEW]
        if not asked:
            return odds
        read = [*map(_read, self.lows)]
        past = [*accumulate((row[-2] for row in read), _most, initial=_NOBODY)]
        coming = [*accumulate((row[-1] for row in reversed(read)), _most, initial=_NOBODY)][-2::-1]
        padded = [_UNHEARD] * -NEAR[0] + read + [_UNHEARD] * NEAR[-1]
        for place in asked:
            near = [padded[place + slot][slot] for slot in range(len(NEAR))]
            rows = zip(weights.forms[self.form(place)], past[place], coming[place], *near, strict=True)
            heard = zip(weights.says, map(sum, rows), strict=True)
            odds[place] += sum([says * value for says, value in heard if value > 0])
        return odds

    def form(self, place: int) -> int:
        """Return the place of a word's form in the weights."""
        return hash_of(self._forms[place]) % FORMS

    def sights(self) -> Iterator[list[Sight]]:
        """Yield what is seen of each word: nothing of what is not judged, little of a short word."""
        lows, gaps, forms = self.lows, self._gaps, self._forms
        clauses, quoted, around = [*self._clauses()], self._quoted(), ["^", *forms, "$"]
        for place, low in enumerate(lows):
            if not self.is_judged[place]:
                yield []
                continue
            form, sign, behind = forms[place], gaps[place], gaps[place + 1]
            first, size, short = clauses[place]
            before = lows[max(0, place - _REACH_BEFORE) : place][::-1]
            follow = lows[place + 1 : place + 1 + _REACH_AFTER]
            name, label = self._label(place)
            seen: list[Sight] = [
                ("forms", form, sign, behind, around[place], around[place + 2]),
                ("clause", form, str(min(place - first, 4)), str(min(size, 12)), str(min(short, 6))),
                ("signs", sign, behind, form),
                ("left", form, name, (before or "^")[0]),
                ("right", form, (follow or "$")[0]),
            ]
            if low.isalpha():
                seen.append(("own", low))
                if len(low) < _STEM and form == "a":
                    yield seen
                    continue
            value = self._values[place]
            seen += (
                ("form", _shape(value) if value.isascii() and value.isalpha() else value),
                ("named", form, sign, *label),
            )
            if place in quoted:
                seen.append(("quoted", form, quoted[place]))
            seen += zip(_BESIDE, _SPOTS_BEFORE, before, strict=False)
            seen += zip(_BESIDE, _SPOTS_AFTER, follow, strict=False)
            yield seen

    def _clauses(self) -> Iterator[tuple[int, int, int]]:
        """Yield for each word where its clause begins, how many words it has, and how many short ones."""
        ends = [place for place, gap in enumerate(self._gaps) if gap not in (" ", "_", "-", "'")]
        for first, after in pairwise(ends):
            short = sum(len(low) < _STEM for low in self.lows[first:after])
            yield from [(first, after - first, short)] * (after - first)

    def _quoted(self) -> dict[int, str]:
        """Return the words in quotes, with how many there are."""
        found: dict[int, str] = {}
        starts = [word.start for word in self.words]
        for match in _QUOTED.finditer(self.text):
            inside = range(bisect_right(starts, match.start()), bisect_left(starts, match.end()))
            found |= dict.fromkeys(inside, str(min(len(inside), 6)))
        return found

    def _label(self, place: int) -> tuple[str, Sight]:
        """Return the nearest name of a secret and how it stands to a word; one before it counts first."""
        at = bisect_left(self._names, place)
        before = [named for named in self._names[max(0, at - 1) : at] if place - named <= _REACH_BEFORE]
        after = [named for named in self._names[at : at + 2] if 0 < named - place <= _REACH_AFTER]
        if not before and not after:
            return "none", ("none",)
        nearest = (before or after)[0]
        far = abs(place - nearest)
        close = "1" if far == 1 else "2" if far <= 3 else "4" if far <= 6 else "9"
        word, signs = self.words[nearest], ""
        if before:
            signs = gap_of(self.text[word.end : self.words[place].start], 64)[:3]
        return word.name, (word.name, "before" if before else "after", close, signs, word.low)


_BESIDE = ("beside",) * max(_REACH_BEFORE, _REACH_AFTER)


def _most(one: Sequence[float], other: Sequence[float]) -> Sequence[float]:
    return [*map(max, one, other)]


@lru_cache(1 << 14)
def _name(low: str) -> str:
    """Return of which kind a word is as a name of secrets, or nothing."""
    match = _NAMED.fullmatch(low.removesuffix("'s")) if len(low) <= 24 else None
    return (match and match.lastgroup) or ""


@lru_cache(1 << 12)
def _is_known(token: str) -> bool:
    """Return whether it is known what a word is, so that it is no value."""
    return bool(_NOT_JUDGED.fullmatch(token.rstrip("!")))


@lru_cache(1 << 12)
def gap_of(gap: str, most: int = 12) -> str:
    """Return the signs between two words, each once; a space if there is nothing else."""
    return "".join(dict.fromkeys(_SIGNS_IN.findall(gap[:most]))) or (" " if gap else "_")


def _shape(value: str) -> str:
    return value.encode("latin-1", "replace").translate(_SHAPE).decode("latin-1")


def _runs(shape: str) -> str:
    """Return a shape with each sign once where it stands several times in a row."""
    return "".join(one for one, other in zip(shape, " " + shape, strict=False) if one != other)


@lru_cache(1 << 13)
def form_of(value: str) -> str:
    """Return the shortest description of what a value looks like."""
    shape = _shape(value)
    runs, digits, size = _runs(shape), shape.count("0"), len(value)
    if value[:1] >= "\u3040":
        return "kanji" if value[0] >= "\u3100" else "katakana" if value[0] >= "\u30a0" else "hiragana"
    if runs in ("a", "A", "Aa"):
        return runs
    if any(map(str.isalpha, shape)):
        kinds = "".join(each for each in "aA0" if each in shape)
        signs = "".join(sorted(set(shape) - set("aA0")))[:3]
        return f"{kinds} {signs} {min(size // 4, 6)}"
    is_year = size == digits == 4 and value[:2] in ("19", "20")
    return "year" if is_year else f"{''.join(dict.fromkeys(runs))} {min(digits, 9)}"


def _by_form(value: str) -> Iterator[str]:
    shape = _shape(value)
    runs, digits, letters, size = _runs(shape), shape.count("0"), sum(map(str.isalpha, shape)), len(value)
    yield from (
        form_of(value), f"runs {runs[:12]}", f"shape {shape[:16]}", f"size {min(size, 24)}",
        f"digits {min(digits, 9)} letters {min(letters, 9)}", f"starts {runs[:2]}", f"ends {runs[-2:]}",
        f"turns {min(len(runs), 9)} {size // 6}",
    )  # fmt: skip
    yield from (f"sign {each}" for each in sorted(set(value)) if not each.isalnum())
    if not value.isalpha():
        low = value.lower()
        begun, ended = len(low) - len(low.lstrip(_SMALL)), len(low.rstrip(_SMALL + "%"))
        yield f"begins {low[: min(begun, 8)]} {shape[begun : begun + 4]}"
        yield f"unit {low[ended : ended + 6]}"
        yield f"letters {''.join(filter(str.isalpha, low))[:10]}"


def _by_name(form: str, sign: str, *label: str) -> Iterator[str]:
    for count in range(1, min(len(label), 4) + 1):
        about = f"named {' '.join(label[:count])}"
        yield from (about, f"{about} {form}", f"{about} {sign}")
    if len(label) > 1:
        yield from (f"name {label[4]} {label[1]}", f"name {label[4]} {form}")


def _by_own(low: str) -> Iterator[str]:
    yield from (f"own {low}", f"own -{low[-3:]}", f"own -{low[-2:]}", f"own {low[:4]}-")


def _by_beside(spot: str, low: str) -> Iterator[str]:
    side = spot[0]
    yield from (f"{spot} {low}", f"{side} {low}")
    if low[0] >= "\u3040":
        yield from (f"{side} #{low[at : at + 2]}" for at in range(len(low) - 1))
        yield from (f"{spot} #{end}" for end in ((low[-1], low[-2:]) if side == "b" else (low[0], low[:2])))
    elif len(low) > _STEM:
        yield from (f"{side} {low[:4]}-", f"{side} -{low[-3:]}")


# What follows from each thing seen; of some, from facts in a row.
_FOLLOWS: dict[str, Callable[..., Iterator[str]]] = {
    "form": _by_form,
    "named": _by_name,
    "own": _by_own,
    "beside": _by_beside,
}
_FACTS = {
    "signs": ("sign {0}", "behind {1}", "sign {0} {2}", "behind {1} {2}", "{0} {1} {2}"),
    "forms": ("l {3} {1} {0}", "r {0} {2} {4}", "lr {3} {0} {4}"),
    "clause": ("since {1} {0}", "clause {2} {0}", "clause {2} {3}", "clause {2} {1}"),
    "quoted": ("quoted {1}", "quoted {1} {0}"),
    "left": ("left {2} {0}", "left {2} {1}"),
    "right": ("right {1} {0}",),
}


def places_of(sight: Sight) -> list[int]:
    """Return the places in the weights of all features of what is seen of a word."""
    about, *facts = sight
    if about in _FOLLOWS:
        names = [*_FOLLOWS[about](*facts)]
    else:
        names = [each.format(*facts) for each in _FACTS[about]]
    return [hash_of(name) % PLACES for name in names]


@lru_cache(1 << 16)
def _worth(sight: Sight) -> float:
    weights = _weights()
    return weights.place_worth * sum([weights.places[place] for place in places_of(sight)])


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
    places: memoryview
    place_worth: float
    base: float
    line: float
    # By the sort of space between two words: how much likelier a secret begins, ends or goes on there.
    ties: Sequence[Sequence[float]]
    forms: Sequence[Sequence[float]]
    # How each judge weighs the numbers of a word in each slot, with the square of that; and what it says.
    slots: Sequence[tuple[Sequence[float], float]]
    says: Sequence[float]


HEAD = struct.Struct("<I10f")
_NOBODY: Sequence[float] = (0.0,) * JUDGES
_UNHEARD = (_NOBODY,) * SLOTS


@cache
def _weights() -> _Weights:
    content = memoryview(WEIGHTS.read_bytes())
    count, number_worth, place_worth, base, line, *ties = HEAD.unpack_from(content)
    sizes = (4 * count, NUMBERS * count, PLACES, 4 * FORMS * JUDGES, 4 * SLOTS * JUDGES * NUMBERS, 4 * JUDGES)
    bounds = accumulate(sizes, initial=HEAD.size)
    words, numbers, places, *network = (content[start:end] for start, end in pairwise(bounds))
    forms, slots, says = (
        [*struct.iter_unpack(f"<{size}f", part)]
        for size, part in zip((JUDGES, NUMBERS, 1), network, strict=True)
    )
    told = [tuple(map(exp, ties[at : at + 3])) for at in (0, 3)]
    return _Weights(
        words.cast("I"), bytes(numbers), number_worth, places.cast("b"), place_worth, base, line, told,
        forms, [(judge, hypot(*judge) ** 2) for judge in slots], [each for (each,) in says],
    )  # fmt: skip


def _row(low: str) -> bytes:
    """Return the small numbers of a word; nothing of one that is not in the table."""
    weights = _weights()
    for each in spellings(low):
        wanted = hash_of(each)
        place = bisect_left(weights.words, wanted)
        if place < len(weights.words) and weights.words[place] == wanted:
            return weights.numbers[place * NUMBERS : (place + 1) * NUMBERS]
    return b""


@lru_cache(1 << 12)
def _read(low: str) -> Sequence[Sequence[float]]:
    """Return what each judge makes of a word in each slot."""
    weights, row = _weights(), _row(low)
    if not row:
        return _UNHEARD
    numbers = [weights.number_worth * each for each in struct.unpack(f"{NUMBERS}b", row)]
    # The product of two vectors, by how far they are apart: the quickest way without numpy.
    size = hypot(*numbers) ** 2
    heard = [(size + square - dist(numbers, judge) ** 2) / 2 for judge, square in weights.slots]
    return [tuple(heard[at : at + JUDGES]) for at in range(0, SLOTS * JUDGES, JUDGES)]
