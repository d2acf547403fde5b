"""Portraits: what is known of the owner or of somebody, as sentences, each with its evidence."""

from datetime import date, datetime
from typing import Literal

from almario.domain.records import showing
from almario.named_tuples import NamedTuple

# What a sentence is about: on the owner's page, any of these but the last; on another's, that or plans.
Theme = Literal["you", "people", "work", "health", "plans", "manner", "person"]


class PortraitSentence(NamedTuple):
    """A sentence, and the ids of the memories it rests on; *is_made* if a model wrote it.

    Otherwise it is what one memory says: as a *quote* of the owner's own words, a *guess*, what seems to be
    an *earlier* value, *dated* by when it is or holds (see `domain.validity`), told on a *day*.
    """

    text: str
    evidence: tuple[str, ...]
    is_made: bool = False
    quote: bool = False
    guess: bool = False
    earlier: bool = False
    dated: str = ""
    day: date | None = None


class PortraitPart(NamedTuple):
    """The sentences on one theme, and how many *more* memories there are; those of a key stand together."""

    theme: Theme
    sentences: tuple[PortraitSentence, ...]
    more: int = 0


@showing("sentences")
class Portrait(NamedTuple):
    """What is known of somebody; without a *name*, of the owner.

    *note* is what the owner wrote there by hand. *made* says when a model wrote it last, and *model* which.
    Of somebody else, since when there is something known of them, when they were last spoken of, and how
    many of the memories came from whom, by origin. *more* memories were left out of it; if it *is_cut*, there
    are others that were not even looked at.
    """

    name: str = ""
    note: str = ""
    parts: tuple[PortraitPart, ...] = ()
    more: int = 0
    is_cut: bool = False
    made: datetime | None = None
    model: str = ""
    since: date | None = None
    last: date | None = None
    origins: dict[str, int] = {}  # noqa: RUF012 - never changed

    @property
    def sentences(self) -> tuple[PortraitSentence, ...]:
        """All sentences, in the order of the page."""
        return tuple(each for part in self.parts for each in part.sentences)


class MadeSentence(NamedTuple):
    """A sentence that a model made, and the ids of its evidence."""

    theme: Theme
    text: str
    evidence: tuple[str, ...]


class MadePage(NamedTuple):
    """What a model made of the page of somebody with a *name*, or of the owner's.

    It was *shown* memories with these ids, which had this *digest*, when the journal ended with line *seq*.
    """

    name: str = ""
    sentences: tuple[MadeSentence, ...] = ()
    shown: tuple[str, ...] = ()
    digest: str = ""
    seq: int = 0
    at: datetime | None = None
    model: str = ""


class KnownPerson(NamedTuple):
    """Somebody with a page: how many memories speak of them, and when the latest was learned or confirmed."""

    name: str
    memories: int = 0
    last: date | None = None
