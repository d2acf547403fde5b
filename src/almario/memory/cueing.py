"""What should bring memories to mind: given by the owner or written by a model, kept beside the memories.

A model that learns writes them as it learns; at night one writes those of the memories without any.
"""

from collections.abc import Callable, Sequence

from almario.domain.cues import tidy
from almario.domain.events import Actor, Cued, MemoriesChanged
from almario.domain.memories import MIRRORED, OWN_PASSAGE, TRUSTED, UNTRUSTED, Memory, Wanted
from almario.domain.messages import Sentence, sentence_of
from almario.domain.withheld import MASK
from almario.domain.words import forms_of
from almario.errors import LLMError, MissingExtra, SoulError
from almario.memory.cue_writing import MOST_FACTS, answers, question
from almario.memory.writer import MemoryWriter, Write, Writing
from almario.named_tuples import NamedTuple
from almario.ports import LLM
from almario.structured_reply import ask_for
from almario.text.redaction import Redactor

# From this cosine on a message speaks of a situation, in whatever words.
_SAME = 0.65
# From this one on two words name the same, in whatever language; of a long message the first are read.
_SAME_WORD, _MOST_WORDS = 0.8, 40


class Written(NamedTuple):
    """For how many memories cues were written, how many still have none, and what failed."""

    written: int = 0
    left: int = 0
    why: Sentence | None = None


class Cueing:
    """Gives memories their cues."""

    def __init__(
        self,
        writer: MemoryWriter,
        redact: Redactor,
        likeness: Callable[[str, str], float | None],
        *,
        language: str,
    ) -> None:
        """*likeness* is how nearly two texts mean the same, if something can tell."""
        self._writer = writer
        self._ledger = writer.ledger
        self._redact = redact
        self._likeness = likeness
        self._language = language

    def give(self, write: Write, cued: Sequence[Cued], *, actor: Actor) -> None:
        """Keep the cues of memories, in the place of those they had; what cannot be a cue is left out."""
        kept = []
        for each in cued:
            memory = self._ledger.memory(each.id)
            if memory.kind not in OWN_PASSAGE:
                raise SoulError("memory {id} is found in its file, and has no cues", id=memory.id)
            kept.append(each._replace(id=memory.id, cues=self.fit(each.cues, memory.text)))
        write.commit(MemoriesChanged("cued", (), cues=tuple(kept)), actor=actor)

    def fit(self, cues: Sequence[str], about: str) -> tuple[str, ...]:
        """Return those of the texts that can be cues of a memory *about* something, without secrets."""
        tidied = tidy(map(self._redact.text, cues), about)
        return tuple(each for each in tidied if not self._ledger.was_purged(each))

    def met(self, message: str) -> list[Memory]:
        """Return the memories that wait for a situation which a message speaks of; no stranger's does."""
        if not (waiting := self._ledger.intentions()):
            return []
        heirs, now = (
            self._ledger.heirs(self._ledger.table.select(Wanted(ids=waiting))),
            self._writer.vault.now(),
        )
        met = {
            heir.id: heir
            for name, heir in heirs.items()
            if name in waiting
            and self._ledger.is_live(heir, now)
            and heir.origin != UNTRUSTED
            and (cued := self._ledger.cued(name))
            and any(self._is_met(each, message) for each in cued.cues)
        }
        return list(met.values())

    def _is_met(self, situation: str, message: str) -> bool:
        if _has_all(situation, message):
            return True
        likeness = self._likeness(situation, message)
        if likeness is None or likeness >= _SAME:
            return likeness is not None
        words, heard = ([forms[0] for forms in forms_of(each)] for each in (situation, message))
        named = [word for word in words if not self._is_named(word, ["spoken"])]  # "the boat is spoken of"
        return bool(named) and all(self._is_named(word, heard[:_MOST_WORDS]) for word in named)

    def _is_named(self, word: str, words: Sequence[str]) -> bool:
        return any((self._likeness(word, each) or 0.0) >= _SAME_WORD for each in words)

    def write(self, llm: LLM | None, writing: Writing) -> Written:
        """Have a model write cues for the memories without any."""
        live = self._ledger.live(self._writer.vault.now(), Wanted(kinds=MIRRORED, origins=TRUSTED))
        known = {*self._ledger.every_cued(), *self._ledger.intentions()}
        missing = [memory for memory in live if memory.id not in known and MASK not in memory.value]
        if not missing or llm is None:
            return Written(left=len(missing))
        # So that two processes do not pay for the same answer.
        with self._writer.vault.lease("cues") as is_held:
            if is_held:
                return self._written(llm, writing, missing)
        return Written(left=len(missing), why=Sentence("another process is writing cues"))

    def _written(self, llm: LLM, writing: Writing, missing: Sequence[Memory]) -> Written:
        done = 0
        try:
            for start in range(0, len(missing), MOST_FACTS):
                done += self._write_some(llm, writing, missing[start : start + MOST_FACTS])
        except (LLMError, MissingExtra) as exc:
            return Written(done, len(missing) - done, sentence_of(exc))
        return Written(done, len(missing) - done)

    def _write_some(self, llm: LLM, writing: Writing, some: Sequence[Memory]) -> int:
        facts = [memory.text for memory in some]
        line = self._writer.vault.journal.tail().seq
        written = answers(ask_for(llm, question(facts, self._language)), facts)
        with writing() as write:
            if self._ledger.last_purge() > line:  # some of it may have been erased meanwhile
                return 0
            new = [Cued(each.id, cues, llm.model) for each, cues in zip(some, written, strict=True)]
            self.give(write, new, actor="agent")
        return len(some)


def _has_all(situation: str, message: str) -> bool:
    """Return whether a message has every word that names a situation, or a form of it."""
    said = {form for forms in forms_of(message) for form in forms}
    wanted = forms_of(situation)
    return bool(wanted) and all(not said.isdisjoint(forms) for forms in wanted)
