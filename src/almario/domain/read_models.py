"""Read models: what follows from the journal, kept so that the journal need not be read again.

A model has rows by name, and says what an event changes in them. The rows are
kept in the index with the memories, and followed from there: only the lines
that are new are read. What is not kept yet, or does not fit the journal (an
older copy, one from before a purge), is made of the whole journal.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from almario.domain.events import Event, JournalMended, PurgeDone, SoulChanged, SoulEdited
from almario.domain.messages import Sentence
from almario.domain.model import Version
from almario.domain.records import plain, read
from almario.errors import NotFound, SoulError, StoreError
from almario.named_tuples import NamedTuple

Row = TypeVar("Row")
# So begin the types of all lines that `soul_models` follows.
OF_THE_SOUL = ("soul.", "proposal.", "reflection.", "owner.")
# The seq and id of the last event that was followed; 0 if none.
Position = tuple[int, str]
# Gives the rows of a model as they are kept, by name, and how far they have followed.
Kept = Callable[[str], tuple[Position, Mapping[str, str]]]


class ReadModel(NamedTuple, Generic[Row]):
    """Rows by name: *apply* changes them by an event whose type begins with one of *follows*."""

    name: str
    row: type[Row]
    follows: tuple[str, ...]
    apply: Callable[[MutableMapping[str, Row], Event], None]


class _Tail(Protocol):
    @property
    def last(self) -> Event | None: ...


class Events(Protocol):
    """The journal, as far as a follower reads it."""

    def tail(self) -> "_Tail":
        """Find the end, without reading the rest."""

    def read(self, *, after: int = 0) -> list[Event]:
        """Return the events that follow a seq, in order."""

    def select(self, prefix: str) -> Iterator[Event]:
        """Yield the events whose type begins with *prefix*, newest first."""


class Notes(Protocol):
    """Where rows are kept: short texts under names."""

    def noted(self, name: str) -> str: ...

    def notes(self, prefix: str) -> Mapping[str, str]: ...

    def note(self, name: str, text: str) -> None: ...


class Follower:
    """Gives the rows of models as the journal stands; *kept* are those in the index, if there is one."""

    def __init__(self, journal: Events, kept: Kept | None = None) -> None:
        self._journal = journal
        self.kept = kept
        self._known: dict[str, tuple[Position, dict[str, object]]] = {}

    def rows(self, model: ReadModel[Row]) -> Mapping[str, Row]:
        """Return a model's rows, in the order in which they came."""
        last = self._journal.tail().last
        position, known = self._known.get(model.name) or self._from_index(model)
        if position == position_of(last):
            return known  # type: ignore[return-value]
        new = news(self._journal, position) if position[0] else None
        rows: dict[str, Row] = {} if new is None else dict(known)  # type: ignore[arg-type]
        if new is None:  # what comes while it is read is left for the next time
            found = (event for prefix in model.follows for event in self._journal.select(prefix))
            new = sorted((event for event in found if last and event.seq <= last.seq), key=attrgetter("seq"))
        elif new:
            last = new[-1]
        for event in new:
            if event.type.startswith(model.follows):
                model.apply(rows, event)
        self._known[model.name] = (position_of(last), dict(rows))  # one assignment: threads see either
        return rows

    def _from_index(self, model: ReadModel[Row]) -> tuple[Position, dict[str, object]]:
        try:
            position, kept = self.kept(model.name) if self.kept else ((0, ""), {})
            found = rows_in(model, kept)
        except (StoreError, ValueError, TypeError, KeyError):  # it is being made anew, or is damaged
            return (0, ""), {}
        self._known[model.name] = (position, dict(found))
        return self._known[model.name]


class NotedRows(MutableMapping[str, Row]):
    """A model's rows where the index keeps them, each with the number of the event that brought it."""

    def __init__(self, notes: Notes, model: ReadModel[Row], seq: int) -> None:
        self._notes = notes
        self._model = model
        self._seq = seq

    def __getitem__(self, name: str) -> Row:
        if text := self._notes.noted(row_name(self._model.name, name)):
            kind: Any = self._model.row
            return _row_in(kind, text)[1]  # type: ignore[no-any-return]
        raise KeyError(name)

    def __setitem__(self, name: str, row: Row) -> None:
        known = self._notes.noted(row_name(self._model.name, name))
        seq = json.loads(known)[0] if known else self._seq
        text = json.dumps([seq, plain(row)], ensure_ascii=False)
        self._notes.note(row_name(self._model.name, name), text)

    def __delitem__(self, name: str) -> None:
        self._notes.note(row_name(self._model.name, name), "")

    def __iter__(self) -> Iterator[str]:
        kept = self._notes.notes(row_name(self._model.name))
        return iter([name for name, text in kept.items() if text])

    def __len__(self) -> int:
        return len(list(iter(self)))


class NotesToKeep:
    """Notes as they will be: those that are *kept*, and *new* ones, which are written together later."""

    def __init__(self, kept: Notes) -> None:
        self._kept = kept
        self.new: dict[str, str] = {}

    def noted(self, name: str) -> str:
        return self.new[name] if name in self.new else self._kept.noted(name)

    def notes(self, prefix: str) -> Mapping[str, str]:
        own = ((name, text) for name, text in self.new.items() if name.startswith(prefix))
        return {**self._kept.notes(prefix), **{name.removeprefix(prefix): text for name, text in own}}

    def note(self, name: str, text: str) -> None:
        self.new[name] = text


def rows_in(model: ReadModel[Row], kept: Mapping[str, str]) -> dict[str, Row]:
    """Return a model's rows as the index keeps them, in the order in which they came."""
    kind: Any = model.row
    rows = [(*_row_in(kind, text), name) for name, text in kept.items() if text]
    return {name: row for _, row, name in sorted(rows, key=lambda each: (each[0], each[2]))}


@lru_cache(1 << 13)  # few of thousands change from one question to the next
def _row_in(kind: Any, text: str) -> tuple[int, Any]:
    seq, row = json.loads(text)
    return seq, read(kind, row)


def row_name(model: str, name: str = "") -> str:
    """Return under which name the index keeps a row; without *name*, how all of a model's begin."""
    return f"{model}/{name}"


def follow(models: Iterable[ReadModel[Any]], notes: Notes, event: Event) -> None:
    """Let the rows that the index keeps follow one event."""
    for model in models:
        if event.type.startswith(model.follows):
            model.apply(NotedRows(notes, model, event.seq), event)


def news(journal: Events, position: Position) -> list[Event] | None:
    """Return the events after a position; None if what was followed is not what the journal has now."""
    seq, event_id = position
    if not seq:
        return journal.read()
    found = journal.read(after=seq - 1)
    if not found or (found[0].seq, found[0].id) != (seq, event_id):
        return None
    is_rewritten = any(isinstance(event.body, PurgeDone | JournalMended) for event in found[1:])
    return None if is_rewritten else found[1:]


def position_of(event: Event | None) -> Position:
    """Return the position of whoever has followed the journal up to an event."""
    return (event.seq, event.id) if event else (0, "")


def _follow_versions(rows: MutableMapping[str, Version], event: Event) -> None:
    body = event.body
    if isinstance(body, SoulChanged | SoulEdited):
        version = Version(body.file, 0, body.to, event.at, event.actor, reason_of(body))
        if isinstance(body, SoulChanged):
            version = version._replace(proposal=body.proposal, reflection=body.reflection)
        rows[str(event.seq)] = version


def reason_of(body: SoulChanged | SoulEdited) -> Sentence:
    """Return why a soul file was changed."""
    if isinstance(body, SoulChanged):
        return body.reason
    return Sentence("edited by hand") if body.to else Sentence("deleted by hand")


# Their numbers, and whether their contents are kept, are not in the journal.
VERSIONS = ReadModel("version", Version, ("soul.",), _follow_versions)


def versions_of(every: Iterable[Version], file: str, has: Callable[[str, str], bool]) -> list[Version]:
    """Return the versions of a file, numbered; *has* says whether a content is still kept."""
    own = (version for version in every if version.file == file)
    return [
        version._replace(number=number, kept=version.hash is not None and has(file, version.hash))
        for number, version in enumerate(own, 1)
    ]


def replaced(history: Sequence[Version], *, keep: int, before: datetime | None) -> set[str]:
    """Return the contents that are no longer among the latest *keep*, or were replaced *before* an instant.

    0 and None set no limit. What a file holds now is none of them.
    """
    ended: dict[str, datetime] = {}
    for version, later in reversed([*pairwise(history)]):  # the last time each was replaced, latest first
        if version.hash:
            ended.setdefault(version.hash, later.at)
    now = history[-1].hash if history else None
    ended.pop(now or "", None)
    beyond = list(ended)[max(0, keep - bool(now)) :] if keep else []
    return {*beyond, *(name for name, at in ended.items() if before and at < before)}


def version_named(history: Sequence[Version], file: str, wanted: str) -> Version:
    """Return the version with that number or that beginning of a hash."""
    if wanted.isdecimal() and len(wanted) < 10 and 1 <= int(wanted) <= len(history):
        return history[int(wanted) - 1]
    found = [version for version in history if len(wanted) >= 4 and (version.hash or "").startswith(wanted)]
    if not found:
        sentence = '{file} has no version "{wanted}"; "almario soul history {file}" lists them'
        raise NotFound(sentence, file=file, wanted=wanted)
    if len({version.hash for version in found}) > 1:
        raise SoulError(
            '"{wanted}" matches several versions of {file}; use a number', file=file, wanted=wanted
        )
    return found[-1]
