"""A message as it is listened to: its sentences and clauses, folded, without what others said.

It is listened to as if it were spelled as in a letter; where something was written is known all the same.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from almario.domain.plain_text import regex
from almario.language import languages
from almario.named_tuples import NamedTuple
from almario.text.quoting import OTHERS
from almario.text.spelling import Spelling, spelled

# Stands for each sign of a quotation and of code: these are other people's words.
NOT_SAID = "\ufffc"
# So much of a message is listened to at its beginning and at its end; what is between was pasted.
_REACH = 20_000
_SPACES = regex(r"[\t\r\v\f]")
_MAY_BE_OTHERS = regex(r"[`\"“„«「『'>]")
_END = regex(r"[.!?…]+[\"'»”)\]]*(?=[ \n]|$)|[。！？]+[」』）]*|\n+|¿+")
_LAST_WORD = regex(r"(?<![a-z0-9])[a-z]{1,5}$")
_LONGEST_SHORT = 6
# Where a clause begins whatever the language; each has its own words for "and" and "but" besides.
_CLAUSE = regex(r"[,;:(]+[\s.]*|\s[-–—]+\s+|[–—]\s*|\.{2,}\s*|…\s*")
# In a sentence with more clauses than that, an order is none of its last.
_MOST_CLAUSES = 12


class Sentence(NamedTuple):
    """Where a sentence begins and ends, with its signs, and whether it asks."""

    start: int
    end: int
    asks: bool


class Heard(NamedTuple):
    """A message as *written*, and as listened to: in lower case, without accents and quotations."""

    written: str
    spelling: Spelling

    @property
    def plain(self) -> str:
        return self.spelling.text

    def as_written(self, start: int, end: int) -> str:
        """Return what is written between two places of the plain text."""
        return self.written[self.spelling.place(start) : self.spelling.place(end)]

    def has(self, signs: Iterable[str]) -> list[str]:
        """Return which of some signs are in what is listened to."""
        near = self.plain if len(self.plain) <= 2 * _REACH else self.plain[:_REACH] + self.plain[-_REACH:]
        return [sign for sign in signs if sign in near]

    def sentences(self) -> Iterator[Sentence]:
        """Yield each sentence; one that asks begins at its "¿", if it has one."""
        start = 0
        for end in _END.finditer(self.plain):
            sign = end[0]
            stop = end.start() if sign[0] == "¿" else end.end()
            if self._goes_on(start, end.start(), end.end(), sign):
                continue
            if stop > start:
                yield Sentence(start, stop, self._asks(start, sign))
            start = stop
        if start < len(self.plain):
            yield Sentence(start, len(self.plain), self._asks(start, ""))

    def _asks(self, start: int, sign: str) -> bool:
        return "?" in sign or "？" in sign or self.plain[start] == "¿"

    def _goes_on(self, start: int, stop: int, after: int, sign: str) -> bool:
        """Say whether a sign ends no sentence: that of an abbreviation, an initial or a day, or a pause."""
        following = self.as_written(after, after + 2).strip(" ")[:1]
        if sign[:1] not in ".…" or sign[0] == "\n" or not following or following == "\n":
            return False
        if sign[:2] in ("..", "…"):
            return following.islower()
        before = self.plain[max(start, stop - _LONGEST_SHORT) : stop]
        if before[-1:].isdigit():
            return following.islower() or self.plain.startswith(_months(), after + 1)
        last = _LAST_WORD.search(before)
        return last is not None and (last[0] in _short() or len(last[0]) == 1)

    def clauses(self, sentence: Sentence, joins: re.Pattern[str]) -> Iterator[int]:
        """Yield where the clauses of a sentence begin: after its signs and after "and" or "but"."""
        yield sentence.start
        found = {each.end() for each in _CLAUSE.finditer(self.plain, sentence.start, sentence.end)}
        found |= {each.end() for each in joins.finditer(self.plain, sentence.start, sentence.end)}
        yield from sorted(found - {sentence.start, sentence.end})[:_MOST_CLAUSES]


# One message is read for all its wishes in turn.
@lru_cache(maxsize=1)
def listen(message: str) -> Heard:
    """Return a message as it is listened to."""
    written = unicodedata.normalize("NFC", message).strip()
    between = len(written) - 2 * _REACH
    if between <= 0:
        return Heard(written, spelled(folded(written)))
    near = folded(written[:_REACH]) + NOT_SAID * between + folded(written[-_REACH:])
    return Heard(written, spelled(near))


def folded(written: str) -> str:
    """Return a text in lower case, without accents and with no word of others; it is as long as before."""
    is_plain = written.isascii() and not _SPACES.search(written)
    plain = (written if is_plain else written.translate(_letters())).lower()
    if not _MAY_BE_OTHERS.search(plain):
        return plain
    return OTHERS.sub(lambda found: NOT_SAID * len(found[0]), plain)


@cache
def _letters() -> dict[int, str]:
    """Return what stands for each sign that is written in more ways than one."""
    marked = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    found = {code: base for code, base in marked.items() if base.isascii()}
    found |= {ord(sign): "'" for sign in "’‘ʼ´"}
    found |= {ord(sign): " " for sign in "\t\r\v\f\xa0\u2009\u202f\u3000"}
    return found | {ord("、"): ",", ord("，"): ",", ord("："): ":", ord("；"): ";"}


@cache
def _short() -> frozenset[str]:
    """Return what is written with a full stop in any language: "dr", "sra"."""
    return frozenset(" ".join(each.orders.get("short", "") for each in languages()).split())


@cache
def _months() -> tuple[str, ...]:
    """Return the months with a capital, which may stand after the number of a day: "am 3. Mai"."""
    rows = " ".join(each.times.get("months", "") for each in languages() if each.capitals)
    return tuple(rows.translate(_letters()).replace(";", "").split())
