"""What a passage says at a glance: whether it tells anything, and which days it speaks of."""

from datetime import date

from almario.domain.candidates import Passage
from almario.domain.plain_text import regex
from almario.language import at_a_glance
from almario.text import timewords
from almario.text.tongues import words_of

_SENTENCE = regex(r"[^.!?…？。！\n]+[.!?…？。！]*")
_ASKED = regex(r"[?？]\s*$|^\W*¿")
_WORD, _DIGIT = regex(r"\w+"), regex(r"\d")
_SHORT = 12
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
        figures=bool(times) or _has_figures(passage.text),
        times=times,
    )


def tells(text: str) -> bool:
    """Say whether a message tells anything; one of nothing but questions and orders to forget does not."""
    return any(not _asks(each) for each in _SENTENCE.findall(text) if _WORD.search(each))


def _asks(sentence: str) -> bool:
    """Say whether a sentence is a question, or an order to forget."""
    if _ASKED.search(sentence):
        return True
    words = sentence.lower().split()
    # A question may begin so in any language; "when" and "como" begin too much else.
    opening = words_of("opening")
    if len(words) <= _SHORT and not opening.isdisjoint((words[0].strip("\"'"), "_".join(words[:2]))):
        return True
    from almario.text.wishes import asks_to_forget, asks_to_tell  # noqa: PLC0415 - only for what was said

    return (len(words) <= _SHORT and asks_to_tell(sentence)) or asks_to_forget(sentence)


def _has_figures(text: str) -> bool:
    """Say whether there is a number in a text, in figures or in words."""
    return bool(_DIGIT.search(text)) or not at_a_glance()["figures"].isdisjoint(_WORD.findall(text.lower()))
