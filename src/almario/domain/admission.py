"""What a new fact means for those already there: nothing new, a change, or one more.

Decided by words alone and the same for every writer, so that it can be
foretold. Two texts say the same only if they share nearly all their words and
differ in none that carries a meaning of its own: a number, a date, a name, a
unit, a negation.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from almario.domain.memories import LONGEST_KEY, ORIGINS, UNTRUSTED, Memory, same_key
from almario.domain.messages import Sentence

# How much of their words two texts share at least to be called near-duplicates.
NEAR = 0.8
# In shorter words a final s is no plural.
_SHORT = 3
_WORD = re.compile(r"[^\W_]+(?:[.,'’:/-][^\W_]+)*|[%€$£°]|[+-](?=\d)")
# Words that change nothing when they come or go.
_LIGHT = frozenset(
    "a an the of is are and it i el la los las un una unos unas de del al es son está se y que lo yo".split()
)
# What a text turns on, besides names and numbers: when, how much, and whether at all.
_TURNING = frozenset(
    """january enero february febrero march marzo april abril may mayo june junio july julio august agosto
    september septiembre setiembre october octubre november noviembre december diciembre monday lunes tuesday
    martes wednesday miercoles thursday jueves friday viernes saturday sabado sunday domingo
    two dos three tres four cuatro five cinco six seis seven siete eight ocho nine nueve ten diez eleven
    once twelve doce hundred cien thousand mil million millon kg kilo gram gramo g lb pound libra km kilometer
    kilometro mile milla m meter metro cm mm ft feet foot pie inch pulgada l liter litro ml euro dollar dolar
    peso sol soles hour hora minute minuto second segundo day dia week semana month mes meses year año
    % € $ £ °""".split()
)
_SIGNS = ("So", "Sc", "Sm")
_NEGATIONS = frozenset(
    """no not never nunca jamas sin without ni nor neither tampoco none ningun ninguna ninguno nadie
    nobody nothing nada cannot ex former formerly stopped quit dejó""".split()
)


class Proposed(NamedTuple):
    """A fact that asks to be remembered; *kind* is empty if nobody chose one.

    *at* is when an episode happened; None is now. *dated* is its time as far as
    it was said (see `domain.validity`), *support* how much of it its turns say.
    *act* is what a model says that it does to the memory *of*: it `renews`,
    `replaces` or `ends` it, or `adds` to it.
    """

    key: str
    value: str
    kind: str = ""
    source: str = "explicit"
    origin: str = "owner"
    evidence: tuple[str, ...] = ()
    at: datetime | None = None
    dated: str = ""
    support: float | None = None
    act: str = ""
    of: str = ""


class Decision(NamedTuple):
    """What becomes of a proposed fact: `new`, `renewed`, `linked`, `superseded` or `outranked`."""

    outcome: str
    memory: Memory | None = None
    replaced: tuple[Memory, ...] = ()


def unfit(key: str, value: str, kind: str, origin: str) -> Sentence | None:
    """Say why a fact is none that could be kept, if so, whoever brings it."""
    if len(key) > LONGEST_KEY:
        sentence = "a key can have at most {most} characters; put the rest in the text"
        return Sentence(sentence, most=LONGEST_KEY)
    if not value.strip():
        return Sentence("there is nothing to remember; the text is empty")
    if not _says_something(value):
        return Sentence("there is nothing to remember; the text is only punctuation")
    if kind == "correction" and origin == UNTRUSTED:
        return Sentence("not stored: nobody who is not trusted can tell the agent how to behave")
    return None


def _says_something(text: str) -> bool:
    """Say whether a text has a letter, a number or a sign that stands for something, such as 🦊 or €."""
    return any(unicodedata.category(sign)[0] in "LN" or unicodedata.category(sign) in _SIGNS for sign in text)


def decide(
    fact: Proposed, same: Sequence[Memory], similar: Sequence[Memory], rivals: Sequence[Memory]
) -> Decision:
    """Judge a fact by the memories of its very text, the most similar, and those it cannot stand beside.

    What strangers said stands apart: it renews, supports and replaces nothing
    of the owner's, and the owner's word replaces it.
    """
    peers = [memory for memory in same if _is_trusted(memory) == (fact.origin != "untrusted")]
    if peers:
        return Decision("renewed", peers[0])
    for memory in similar:
        if _is_trusted(memory) == (fact.origin != "untrusted") and are_near(memory.value, fact.value):
            return Decision("linked", memory)
    if fact.origin == "untrusted":
        return Decision("new")
    rivals = [memory for memory in rivals if _is_trusted(memory)]
    explicit = [memory for memory in rivals if memory.source == "explicit"]
    if explicit and fact.source == "auto":
        return Decision("outranked", explicit[0])
    return Decision("superseded" if rivals else "new", replaced=(*rivals, *same))


def are_near(one: str, other: str) -> bool:
    """Say whether two texts say the same in nearly the same words."""
    words, more = _words(one), _words(other)
    if not words or not more or _similarity(words, more) < NEAR:
        return False
    return not _differ_in_meaning(words, more)


def is_negative(text: str) -> bool:
    """Say whether a text denies something."""
    return _is_negative(_words(text))


def swallows(kept: str, lost: str) -> bool:
    """Say whether a text leaves out a number, date, name or unit of another, or denies what that one says."""
    words, more = _words(kept), _words(lost)
    if _is_negative(words) != _is_negative(more) or _begin_otherwise(words, more):
        return True
    there = iter([_plain(word) for word in words])
    # In order: who lent to whom is all in the order.
    return not all(word in there for word in _particulars(more))


def renewal(memory: Memory, fact: Proposed, at: str) -> dict[str, Any]:
    """Return what saying a fact again sets: explicit stands above auto and is never lowered.

    What had no time gets the one that is said now.
    """
    fields: dict[str, Any] = {"renewed": at}
    fields |= {"dated": fact.dated} if fact.dated and not memory.dated else {}
    if fact.source == "explicit":
        kind = fact.kind or ("profile" if memory.source != "explicit" else "")
        fields |= {"source": "explicit"} | ({"kind": kind} if kind else {})
    return {name: value for name, value in fields.items() if getattr(memory, name) != value}


def key_group(key: str, aliases: Sequence[Collection[str]]) -> tuple[str, ...]:
    """Return a key and those that mean the same, as they are compared."""
    plain = same_key(key)
    found = next((group for group in aliases if plain in group), (plain,))
    return tuple(sorted(found))


def parse_aliases(setting: str) -> list[frozenset[str]]:
    """Read groups of keys: `trabajo, empleo, job; casa, home`."""
    groups = (
        frozenset(same_key(key) for key in group.split(",") if key.strip()) for group in setting.split(";")
    )
    return [group for group in groups if len(group) > 1]


def _is_trusted(memory: Memory) -> bool:
    return ORIGINS.index(memory.origin) < ORIGINS.index("untrusted")


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _similarity(words: Sequence[str], more: Sequence[str]) -> float:
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - 26 ms that only writing needs

    return float(Indel.normalized_similarity([_plain(w) for w in words], [_plain(w) for w in more]))


def _differ_in_meaning(words: Sequence[str], more: Sequence[str]) -> bool:
    """Say whether two texts differ in more than light words, or name things in another order."""
    only = (*_only_in(words, more), *_only_in(more, words))
    return any(word.casefold() not in _LIGHT for word in only) or _names(words) != _names(more)


def _names(words: Sequence[str]) -> list[str]:
    """Return the names and numbers in order: who lent to whom is all in the order."""
    inner = [word for place, word in enumerate(words) if word[0].isdigit() or (place and word[0].isupper())]
    return [_plain(word) for word in inner]


def _particulars(words: Sequence[str]) -> list[str]:
    """Return the words on which a text turns: names, numbers, dates, units."""
    kept = []
    for place, word in enumerate(words):
        plain = _plain(word)
        is_name = bool(place) and word[0].isupper()
        if is_name or any(sign.isdigit() for sign in word) or {plain, plain + "s"} & _TURNING:
            kept.append(plain)
    return kept


def _is_negative(words: Sequence[str]) -> bool:
    plain = [_plain(word) for word in words]
    return any({word, word + "s"} & _NEGATIONS or word.endswith(("n't", "n’t")) for word in plain)


def _begin_otherwise(words: Sequence[str], more: Sequence[str]) -> bool:
    """Say whether two texts are one but for their first word, which may be a name."""
    if not words or not more or _plain(words[0]) == _plain(more[0]):
        return False
    return words[0][0].isupper() and more[0][0].isupper() and _similarity(words[1:], more[1:]) >= NEAR


def _only_in(words: Sequence[str], more: Sequence[str]) -> list[str]:
    there = [_plain(word) for word in more]
    found = []
    for word in words:
        if _plain(word) in there:
            there.remove(_plain(word))
        else:
            found.append(word)
    return found


@lru_cache(8192)
def _plain(word: str) -> str:
    """Fold case, accents and the s of a plural; ñ stays, and the last vowel's accent, which is a tense."""
    lower = word.casefold()
    kept = lower.replace("ñ", "\0")
    plain = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    plain = plain.replace("\0", "ñ")
    if lower[-1] in "áéó":
        return plain[:-1] + lower[-1]
    return plain[:-1] if len(plain) > _SHORT and plain[-1] == "s" else plain
