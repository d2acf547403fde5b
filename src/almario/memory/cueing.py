"""What should bring memories to mind: given by the owner or written by a model, kept beside the memories.

Before a model first writes cues it is tried with a few facts of ours. What came of it is derived like the
index: without that it is tried again.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from datetime import timedelta

from almario.domain.cues import tidy
from almario.domain.events import Actor, Cued, MemoriesChanged
from almario.domain.memories import MIRRORED, OWN_PASSAGE, TRUSTED, UNTRUSTED, Memory, Wanted
from almario.domain.messages import LANGUAGES, CommandLine, Sentence, sentence_of
from almario.domain.withheld import MASK
from almario.domain.words import forms_of
from almario.errors import LLMError, LLMUnavailable, MissingExtra, SoulError, StoreError
from almario.memory.cue_writing import MOST_FACTS, SAMPLES, answers, are_good, question
from almario.memory.writer import MemoryWriter, Write, Writing
from almario.named_tuples import NamedTuple
from almario.ports import LLM
from almario.structured_reply import ask_for
from almario.text.redaction import Redactor

# From this cosine on a message speaks of a situation, in whatever words.
_SAME = 0.65
# From this one on two words name the same, in whatever language; of a long message the first are read.
_SAME_WORD, _MOST_WORDS = 0.8, 40
# Fewer memories than fill a question wait for so long.
_WAIT = timedelta(days=1)
NO_MODEL = Sentence("there is no language model to write cues with")
_GOOD = Sentence("{model} writes good cues")
_POOR = Sentence(
    '{model} wrote poor cues in a trial, so it is not asked for any; "{let}" asks it all the same'
)
_LET = CommandLine("almario config set memory.cues always")
# The model that was tried last, and whether it may write cues.
_TRIED = "cue-writer"


class Written(NamedTuple):
    """For how many memories cues were written, how many still have none, and why no more were.

    *is_passed_over* says that this is as it should be: nobody waits for it.
    """

    written: int = 0
    left: int = 0
    why: Sentence | None = None
    is_passed_over: bool = False


class Cueing:
    """Gives memories their cues."""

    def __init__(
        self,
        writer: MemoryWriter,
        redact: Redactor,
        likeness: Callable[[str, str], float | None],
        *,
        language: str,
        wish: str,
    ) -> None:
        """*likeness* is how nearly two texts mean the same, if something can tell; *wish* is the setting."""
        self._writer = writer
        self._ledger = writer.ledger
        self._redact = redact
        self._likeness = likeness
        self._wish = wish
        self._languages = (language, next(each for each in LANGUAGES if each != language))

    def asked_in(self, llm: LLM) -> tuple[str, str] | None:
        """Return in which two languages a model that learns is asked for cues; None if it is not to be asked.

        It may be tried for that now; if it cannot be reached, learning does not wait for it.
        """
        with suppress(LLMUnavailable):
            return self._languages if self._may_write(llm) else None
        return None

    def _may_write(self, llm: LLM) -> bool:
        return self._wish == "always" or (self._wish == "auto" and self._is_good(llm))

    def verdict(self) -> Sentence | None:
        """Return whether the model tried last writes cues; None if none was, or a setting decides."""
        tried = self._tried()
        if not tried or self._wish != "auto":
            return None
        model, may = list(tried.items())[-1]
        return Sentence(_GOOD.text, model=model) if may else Sentence(_POOR.text, model=model, let=_LET)

    def _tried(self) -> dict[str, bool]:
        """Return which models were tried, the latest last, and whether each may write cues."""
        tried: dict[str, bool] = json.loads(self._ledger.table.noted(_TRIED) or "{}")
        return tried

    def _is_good(self, llm: LLM) -> bool:
        """Return whether a model may write cues; where nothing could judge what it writes, it may."""
        tried, name = self._tried(), llm.model
        if name in tried:
            return tried[name]
        if self._likeness(SAMPLES[0].fact, SAMPLES[1].fact) is None:
            return True
        facts = [each.fact for each in SAMPLES]
        try:
            may = are_good(answers(ask_for(llm, question(facts, self._languages)), facts), self._likeness)
        except LLMUnavailable:
            raise
        except LLMError:  # whose answer cannot be used
            may = False
        derived = self._writer.derived
        lock = nullcontext() if derived.is_private else self._writer.vault.writing()
        with suppress(StoreError), lock, derived.writing():
            derived.table.note(_TRIED, json.dumps({**tried, name: may, llm.model: may}))
        return may

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
        live = self._ledger.live(self._writer.vault.now(), Wanted(ids=waiting))
        return [
            memory
            for memory in live
            if memory.id in waiting
            and memory.origin != UNTRUSTED
            and (cued := self._ledger.cued(memory.id))
            and any(self._is_met(each, message) for each in cued.cues)
        ]

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

    def write(self, llm: LLM | None, writing: Writing, *, again: bool, if_due: bool) -> Written:
        """Have a model write cues for the memories without any, or *again* for all but the owner's own.

        *if_due*, only if they fill a question, or one of them has waited for a day.
        """
        if self._wish == "never":
            return Written(why=Sentence("cues are switched off (memory.cues)"), is_passed_over=True)
        live = self._ledger.live(self._writer.vault.now(), Wanted(kinds=MIRRORED, origins=TRUSTED))
        cued, waiting = self._ledger.every_cued(), self._ledger.intentions()
        missing = [
            memory
            for memory in live
            if memory.id not in waiting
            and MASK not in memory.value
            and (memory.id not in cued or (again and cued[memory.id].model))
        ]
        if not missing or (if_due and not self._are_due(missing)):
            return Written(left=len(missing))
        if llm is None:
            return Written(left=len(missing), why=NO_MODEL, is_passed_over=True)
        # So that two processes do not pay for the same answer.
        with self._writer.vault.lease("cues") as is_held:
            if is_held:
                return self._written(llm, writing, missing[:MOST_FACTS] if if_due else missing)
        return Written(left=len(missing), why=Sentence("another process is writing cues"))

    def _are_due(self, missing: Sequence[Memory]) -> bool:
        is_old = min(each.at for each in missing) <= self._writer.vault.now() - _WAIT
        return is_old or len(missing) >= MOST_FACTS

    def _written(self, llm: LLM, writing: Writing, missing: Sequence[Memory]) -> Written:
        done = 0
        try:
            if not self._may_write(llm):
                return Written(left=len(missing), why=self.verdict(), is_passed_over=True)
            for start in range(0, len(missing), MOST_FACTS):
                done += self._write_some(llm, writing, missing[start : start + MOST_FACTS])
        except (LLMError, MissingExtra) as exc:
            return Written(done, len(missing) - done, sentence_of(exc))
        return Written(done, len(missing) - done)

    def _write_some(self, llm: LLM, writing: Writing, some: Sequence[Memory]) -> int:
        facts = [memory.text for memory in some]
        line = self._writer.vault.journal.tail().seq
        written = answers(ask_for(llm, question(facts, self._languages)), facts)
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
