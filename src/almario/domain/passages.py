"""A passage of the index: what is found and told as one."""

from datetime import date

from almario.domain.digests import blake2b
from almario.domain.plain_text import is_unicode, whole
from almario.named_tuples import NamedTuple

# A passage's id names its source and its place there: neighbours have neighbouring ids.
PLACE_BITS = 20


class Passage(NamedTuple):
    """A piece of text with its place: *path* and *line* in the vault, *turn* in a session."""

    text: str
    path: str
    line: int
    kind: str
    day: date | None = None
    speaker: str = ""
    role: str = ""
    turn: str = ""
    memory: str = ""
    key: str = ""
    id: int = 0
    # How many words the index counts in it; the index fills this in.
    length: int = 0
    # Whether it says anything: a question or an order alone does not.
    tells: bool = True
    # Whether it has a number, a date or a time of day in it.
    figures: bool = False
    # The days that it speaks of, from the first to the last of each time; none is the day it was written.
    times: tuple[tuple[date, date], ...] = ()

    @property
    def place(self) -> str:
        return f"{self.path}#{self.line}"

    @property
    def moments(self) -> tuple[tuple[date, date], ...]:
        """When what it tells happened: the times it names, or else its day.

        What stands in a file, such as a log, was written on its day whatever months it names.
        """
        own = ((self.day, self.day),) if self.day else ()
        is_filed = not self.turn and not self.memory
        return (*own, *self.times) if is_filed else self.times or own


def in_unicode(passage: Passage) -> Passage:
    """Return a passage that can be stored: half a character, as JSON allows it, becomes the sign for one."""
    if is_unicode("".join((passage.text, passage.path, *passage[5:10]))):
        return passage
    return Passage._make(whole(each) if isinstance(each, str) else each for each in passage)


def embedded_text(passage: Passage) -> str:
    """Return what is embedded for a passage: its text, and what it is about where a key says so.

    Not who said it: measured, a name in front makes turns alike that are not.
    """
    return f"{passage.key}: {passage.text}" if passage.key else passage.text


def text_hash(text: str) -> str:
    """Return the name under which a text's vectors are kept."""
    return blake2b(text.encode())
