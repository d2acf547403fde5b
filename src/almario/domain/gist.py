"""What a passage says at a glance: whether it tells anything, and which days it speaks of."""

import re
from datetime import date
from functools import cache

from almario.domain import timewords
from almario.domain.passages import Passage
from almario.language import languages

_SENTENCE = re.compile(r"[^.!?…？。！\n]+[.!?…？。！]*")
_ASKED = re.compile(r"[?？]\s*$|^\W*¿")
_A_WORD = re.compile(r"\w")
_SHORT = 12
# No order to forget is without one of these beginnings.
_FORGETTING = re.compile(r"forget|olvid", re.IGNORECASE)
_FIGURES = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|"
    r"thousand|half|quarter|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|"
    r"cuarenta|cincuenta|cien|ciento|mil|mill[oó]n(?:es)?|media|medio)\b",
    re.IGNORECASE,
)
# A time that is longer says little about when something happened; and a text that names more is a list.
_LONGEST_TIME = 370
_MOST_TIMES = 8


def with_gist(passage: Passage) -> Passage:
    """Return a passage with what can be seen of it at a glance."""
    times: tuple[tuple[date, date], ...] = ()
    if passage.day:
        spans = timewords.spans(passage.text, passage.day)
        short = [(span.first, span.last) for span in spans if (span.last - span.first).days <= _LONGEST_TIME]
        times = tuple(dict.fromkeys(short))[:_MOST_TIMES]
    return passage._replace(
        tells=not passage.turn or tells(passage.text),
        figures=bool(times) or bool(_FIGURES.search(passage.text)),
        times=times,
    )


def tells(text: str) -> bool:
    """Say whether a message tells anything; one of nothing but questions and orders to forget does not."""
    return any(not _asks(each) for each in _SENTENCE.findall(text) if _A_WORD.search(each))


@cache
def _opening() -> frozenset[str]:
    """Words with which a question begins in any language; "when" and "como" begin too much else."""
    return frozenset().union(*(each.opening for each in languages()))


def _asks(sentence: str) -> bool:
    """Say whether a sentence is a question, or an order to forget."""
    if _ASKED.search(sentence):
        return True
    words = sentence.lower().split()
    if len(words) <= _SHORT and not _opening().isdisjoint((words[0].strip("\"'"), "_".join(words[:2]))):
        return True
    return bool(_FORGETTING.search(sentence)) and _is_order(sentence.strip())


def _is_order(sentence: str) -> bool:
    from almario.domain.wishes import FORGET, wish_in  # noqa: PLC0415 - 10 ms that few texts need

    wish = wish_in(sentence)
    return wish is not None and wish.verb == FORGET
