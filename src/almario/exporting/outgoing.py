"""What can go out of one agent, without what is forgotten or was off the record, and a form to go out in."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property

from almario.conversation.file_reading import in_mind, turns_in_mind
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.daily import log_day, parse_log
from almario.domain.documents.goal_list import parse_goals
from almario.domain.documents.identity import identity_value
from almario.domain.documents.lines import without_comments
from almario.domain.memories import ERASED, EVERY, UNTRUSTED, Memory, same_value
from almario.domain.messages import Sentence
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.turns import Turn
from almario.domain.withheld import MASK
from almario.memory.facade import Memories
from almario.memory.rules.sources import is_filed
from almario.memory.transfer import Note
from almario.named_tuples import NamedTuple
from almario.ports import Store

_IDENTITY, _GOALS, _OWNER = "IDENTITY.md", "GOALS.md", "USER.md"
_NAMELESS = "agent"
# What an export may lack besides soul files.
_PARTS = {
    "goals": "goals: {count}",
    "memories": "memories: {count}",
    "replaced": "memories no longer in use: {count}",
    "others": "what others said: {count}",
    "evidence": "what memories rest on: {count}",
    "secrets": "what may be a secret, in memories: {count}",
    "prose": "your own lines in MEMORY.md: {count}",
    "conversations": "conversations: {count}",
    "days": "lines of daily logs: {count}",
}
_OF_MEMORIES = {"replaced", "others", "evidence", "secrets"}


class Outgoing:
    """One agent as an *audience* may see it; not *with_memories*, only who it is."""

    def __init__(
        self,
        store: Store,
        memory: Memories,
        audience: Audience = OWNER_ALONE,
        *,
        with_memories: bool = True,
    ) -> None:
        self._store = store
        self._memory = memory
        self._audience = audience
        self._with_memories = with_memories
        self.name = self.identity("name") or _NAMELESS
        self.now = store.now()
        self.zone = store.zone

    def identity(self, field: str) -> str:
        """Return one field of IDENTITY.md, or an empty string."""
        return identity_value(self._store.read(_IDENTITY).text, field)

    def soul(self, *, exactly: bool = False) -> Mapping[str, str]:
        """Return the soul files that say something, by their names: *exactly*, or without secrets.

        What is about the owner goes with the memories.
        """
        names = [name for name in SOUL_FILES if self._with_memories or name != _OWNER]
        texts = {name: self._store.read(name).text for name in names if self._audience.is_private}
        filled = {name: text for name, text in texts.items() if _has_content(text)}
        return (
            filled if exactly else {name: self._memory.file_without_secrets(filled[name]) for name in filled}
        )

    def lines(self) -> Iterator[str]:
        """Yield memories as lines of JSON, those that were replaced among them, and the seal of the home."""
        return self._memory.lines(self._audience) if self._with_memories else iter(())

    def notes(self) -> Iterator[Note]:
        """Yield what is remembered and in use, and what the logs tell besides, but for what others said."""
        yield from map(self._note, self._included())
        yield from (note for note, is_trusted in self.days() if is_trusted)

    def conversations(self) -> Iterator[tuple[str, list[Turn]]]:
        """Yield each session with what was said there on the record and is not forgotten."""
        out = self._memory.out_of_mind()
        for session in self._store.transcripts.sessions() if self._is_whole else ():
            turns = turns_in_mind(self._store.transcripts.read(session), out)
            kept = [turn for turn in turns if not turn.is_off and turn.text not in ("", ERASED)]
            if kept:  # what was kept with a turn may tell what is forgotten of it
                yield session, [turn._replace(more={}) if turn.id in out else turn for turn in kept]

    def days(self) -> Iterator[tuple[Note, bool]]:
        """Yield the lines of daily logs that no memory tells, and whether they are trusted."""
        out = self._memory.out_of_mind()
        for name in self._store.documents.names("memory") if self._is_whole else ():
            if day := log_day(name):
                known = {same_value(each.value) for each in self._memory.list(EVERY._replace(path=name))}
                for entry in parse_log(in_mind(name, self._store.read(name).text, out)):
                    if entry.text and same_value(entry.text) not in known:
                        at = datetime.combine(day, entry.at, self.zone)
                        yield Note(entry.text, "", "episode", at), entry.is_trusted

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield what the owner wrote in MEMORY.md besides memories, then HISTORY.md and the logs."""
        if not self._is_whole:
            return
        if _has_content(own := self._memory.own_text()):
            yield CORE_MEMORY, own
        out = self._memory.out_of_mind()
        for name in filter(is_filed, self._store.documents.names("memory")):
            yield name, in_mind(name, self._store.read(name).text, out)

    def left_out(self, carries: Collection[str]) -> tuple[Sentence, ...]:
        """Say what an export lacks that *carries* these soul files and parts."""
        whole = Outgoing(self._store, self._memory, self._audience)
        carried = {*carries} - (set() if self._with_memories else {*_PARTS, _OWNER})
        soul = {name: text for name, text in whole.soul().items() if name not in carried}
        files = [Sentence.own(name) for name in soul if name != _GOALS]
        counts = Counter[str]() if carried >= {"memories", *_OF_MEMORIES} else self._memories_by_part()
        counts["goals"] = len(parse_goals(soul.get(_GOALS, "")))
        for part, met in (("conversations", whole.conversations), ("days", whole.days)):
            counts[part] = 0 if part in carried else sum(1 for _ in met())
        counts["prose"] = len(self._memory.prose()) if self._audience.is_private else 0
        counts["others"] += sum(not is_trusted for _, is_trusted in whole.days())
        names = [each for each in _PARTS if each not in carried and counts[each]]
        if "memories" in names:
            names = [each for each in names if each not in _OF_MEMORIES]
        return (*files, *(Sentence(_PARTS[each], count=counts[each]) for each in names))

    def _memories_by_part(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        gone = self._memory.forgotten_ids()
        for memory in self._memory.every():
            if not self._is_included(memory):
                is_kept = memory.id not in gone and memory.value != ERASED and self._audience.hears_of(memory)
                counts["others" if memory.is_live else "replaced"] += is_kept
                continue
            counts["memories"] += 1
            counts["evidence"] += bool(memory.evidence)
            counts["secrets"] += MASK in memory.value
        return counts

    @cached_property
    def _cues(self) -> Mapping[str, tuple[str, ...]]:
        cued = self._memory.every_cued() if self._audience.is_private else {}
        return {name: each.cues for name, each in cued.items() if each.cues}

    @property
    def _is_whole(self) -> bool:
        return self._with_memories and self._audience.is_private

    def _is_included(self, memory: Memory) -> bool:
        is_kept = memory.is_live and memory.origin != UNTRUSTED and memory.value != ERASED
        return is_kept and self._audience.hears_of(memory)

    def _included(self) -> Iterator[Memory]:
        return filter(self._is_included, self._memory.every() if self._with_memories else ())

    def _note(self, memory: Memory) -> Note:
        cues = self._cues.get(memory.id, ())
        return Note(memory.value, memory.key, memory.kind, memory.valid_from, memory.dated, cues, memory.id)


def _has_content(text: str) -> bool:
    """Return whether a soul file has more than headings and remarks to the owner."""
    return any(line.strip() and not line.startswith("#") for line in without_comments(text).splitlines())


class OutFile(NamedTuple):
    """A file of an export: its name there, with slashes, and its text in pieces."""

    name: str
    pieces: Iterable[str]


class OutKind(NamedTuple):
    """A form to go out in: what it *carries* of an agent, its *files*, and how its name ends.

    One that ends in nothing or `.zip` is a folder or a zip; any other is one file. One that
    *is_shared* tells others who the agent is, and has memories on request only.
    """

    name: str
    ending: str
    carries: tuple[str, ...]
    files: Callable[[Outgoing], Iterator[OutFile]]
    is_shared: bool = False

    @property
    def is_one_file(self) -> bool:
        return self.ending not in ("", ".zip")
