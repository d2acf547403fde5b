"""What one agent remembers: the verbs of memory, each one step of the journal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.cues import check
from almario.domain.events import Actor, Cued, JobTried, Occurrence, Verb
from almario.domain.memories import AnyKind, Change, Memory, Origin
from almario.domain.messages import NOTHING, Sentence
from almario.domain.model import Damage, Hit, Query, Recalled
from almario.domain.records import written
from almario.domain.turns import Said, Turn
from almario.errors import SoulError
from almario.memory.keeping import Progress, saying_if_lost
from almario.memory.ledger import SET_ASIDE, TAKEN_BACK
from almario.memory.queries import Found, Lines
from almario.memory.reviewing import Reviewing
from almario.ports import LLM
from almario.text.intentions import intention_in

# Loaded when it is first used: few commands need it all.
if TYPE_CHECKING:
    from almario.domain.forgotten import Forgotten, Meant
    from almario.domain.soul_events import ProposalAnswered
    from almario.memory.admission import Judged, Receipt
    from almario.memory.amending import Amendment, Undone
    from almario.memory.condensing import Condensed
    from almario.memory.consolidation import Consolidated
    from almario.memory.cueing import Written
    from almario.memory.embedding import Embedding
    from almario.memory.forgetting import Forgetting
    from almario.memory.handwritten import Handwritten
    from almario.memory.purge import Erasure
    from almario.memory.rules.admission import Proposed
    from almario.memory.rules.lesson import Lesson
    from almario.memory.transfer import Imported
    from almario.memory.verifying import Outcome
    from almario.text.reader import Reading
    from almario.text.redaction import Redacted

Ids = Sequence[str]


class Memories(Reviewing):
    """Remembers, recalls, forgets, and can say why."""

    @property
    def embedding(self) -> Embedding:
        return self._parts.embedding

    def read(self, text: str) -> Reading:
        """Read what kind of message or fact a text is; call it before a write, as it may take a vector."""
        return self._parts.embedding.read(text, by_parts=True)

    @property
    def handwritten(self) -> Handwritten:
        """What the owner wrote by hand, and the secrets in it."""
        return self._parts.handwritten

    @cached_property
    def _forgetting(self) -> Forgetting:
        from almario.memory.forgetting import Forgetting  # noqa: PLC0415 - seldom needed

        return Forgetting(self._keeping, self, self._parts.recall, self._parts.episodes)

    def looking(
        self, *, spoken: bool = False, anew: bool = True
    ) -> contextlib.AbstractContextManager[object]:
        """Answer all that is asked inside from one look at the folder; not *anew*, from the latest one.

        What is written inside leaves MEMORY.md and the index in step.
        """
        return self.sync.looking(spoken=spoken, anew=anew)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Make all that is said and written inside one unit, under one lock: nothing slow may be inside."""
        with self.sync.writing(in_any_case=True):
            yield

    def remember(
        self,
        text: str,
        value: str | None = None,
        *,
        kind: AnyKind = "",
        actor: Actor = "owner",
        evidence: Sequence[str] = (),
        replaces: str = "",
    ) -> Receipt:
        """Remember a fact as the owner's wish; *replaces* is the id of the memory whose place it takes."""
        fact = self._parts.admission.proposed(text, value, kind)._replace(evidence=tuple(evidence))
        if intention := intention_in(text, self._keeping.vault.now().date()) if value is None else None:
            fact = fact._replace(kind=kind or "fact", cues=(intention.situation,), once=True)
        of = self.in_use(replaces).id if replaces else ""
        return self.admit(fact._replace(act="replaces" if of else "", of=of), actor=actor)

    def admit(self, fact: Proposed, *, actor: Actor) -> Receipt:
        """Remember a fact as it is given, with its source, origin and evidence; one unfit is refused."""
        with saying_if_lost(), self.sync.writing() as write:
            return self._parts.admission.admit(write, fact, actor=actor)

    def judge(self, fact: Proposed) -> tuple[Judged, tuple[Change, ...]]:
        """Say what would become of a fact, and by which changes; nothing is written."""
        from almario.memory.keeping import Pending  # noqa: PLC0415 - seldom needed

        pending = Pending(self._keeping, self._keeping.vault.now())
        return self.sync.reading(lambda: self._parts.admission.judge(fact, pending)), pending.changes

    def learn(
        self, key: str, value: str, *, kind: AnyKind = "", origin: Origin = "owner", evidence: Ids = ()
    ) -> Receipt:
        """Remember what was found in a conversation; *origin* is the lowest of what it was found in."""
        fact = self._parts.admission.proposed(key, value, kind)._replace(source="auto", origin=origin)
        return self.admit(fact._replace(evidence=tuple(evidence)), actor="agent")

    def take_lesson(self, lesson: Lesson) -> Sequence[Receipt] | None:
        """Remember what a session taught, all in one step; None if it has been learned from since."""
        with self.sync.writing() as write:
            return self._parts.lessons.take(write, lesson)

    def meant(self, words: str, order: Collection[str] = ()) -> Meant:
        """Return what is meant by an id, a key or words; *order* are the turns in which they were said."""
        return self.sync.reading(lambda: self._forgetting.meant(words, order), spoken=True)

    def forget(self, target: str, *, every: bool = False, actor: Actor = "owner") -> Forgotten:
        """Put out of mind what an id, a key or words mean: one thing, or *every* one that they mean."""
        return self.put_out_of_mind(self.meant(target).things(every=every), actor=actor)

    def put_out_of_mind(
        self, things: Sequence[Hit], *, actor: Actor = "owner", order: Sequence[str] = ()
    ) -> Forgotten:
        """Put things out of mind wherever they are told, and with them the *order* to do so."""
        told = self.sync.reading(lambda: self._forgetting.told(things, order), spoken=True)
        with self.sync.writing() as write:
            return self._forgetting.forget(write, told, actor=actor, order=order)

    def restore(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Put a memory that is out of use back into use."""
        with self.sync.writing() as write:
            return self._parts.amending.restore(write, self._ledger.memory(memory_id), actor=actor)

    def trust(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Vouch for what somebody who is not trusted said; return the owner's memory that takes its place."""
        with self.sync.writing() as write:
            return self._parts.promotion.trust(write, self._ledger.memory(memory_id), actor=actor)

    def amending(self, memory_id: str, wanted: Amendment) -> Sequence[Change]:
        """Return the changes that would make a memory as it is wanted; nothing is written."""
        return self.sync.reading(lambda: self._parts.amending.changes(self._ledger.memory(memory_id), wanted))

    def amend(self, memory_id: str, wanted: Amendment, *, actor: Actor = "owner") -> Memory:
        """Make a memory as it is wanted; return it, or the one that takes its place."""
        with self.sync.writing() as write:
            changes = self._parts.amending.changes(self.in_use(memory_id), wanted)
            if not changes:
                raise SoulError("nothing would change")
            done = self._parts.amending.apply(write, changes, actor=actor, verb="amended")
            return self._of_now(done[:1])[0]

    def share(self, memory_id: str, *, shared: bool = True, actor: Actor = "owner") -> Memory:
        """Mark a memory as fit to be told to others, or as the owner's alone again."""
        with self.sync.writing() as write:
            memory = self._ledger.memory(memory_id)
            done = self._parts.amending.share(write, memory, shared=shared, actor=actor)
            return self._of_now([done])[0]

    def cue(self, memory_id: str, cues: Iterable[str], *, actor: Actor = "owner") -> Sequence[str]:
        """Give a memory what should bring it to mind, in the place of what did; none takes that away."""
        given = tuple(cues)
        check(given)
        with self.sync.writing() as write:
            memory = self._ledger.memory(memory_id)
            self._parts.cueing.give(write, [Cued(memory.id, given)], actor=actor)
            return self.cues(memory.id)

    def bring_up(self, message: str) -> Found:
        """Return what was to come up in a situation that a message speaks of; with that, it is done."""
        met = self.sync.reading(lambda: self._parts.cueing.met(message), of_files=False)
        if not met:
            return []
        with self.sync.writing() as write:
            met = self._parts.cueing.met(message)  # somebody may have been first
            done: list[Change] = [{"id": each.id, "set": {"valid_to": written(write.now)}} for each in met]
            if done:
                self._parts.amending.apply(write, done, actor="almario", verb="reminded")
            return [self._ledger.memory(each.id) for each in met]

    def cues_from(self, llm: LLM) -> tuple[str, str] | None:
        """Return in which two languages a model may be asked for cues; None if it may not, or is untried."""
        return self.sync.reading(lambda: self._parts.cueing.asked_of(llm), of_files=False)

    def write_cues(self, llm: LLM | None, *, again: bool = False, if_due: bool = False) -> Written:
        """Have a model write what should bring memories to mind that have no cues; or *again*, for all.

        What you gave yourself stays. *if_due*, only if there is enough to ask about at once.
        """
        self.sync.catch_up()
        return self._parts.cueing.write(llm, self.sync.writing, again=again, if_due=if_due)

    def undo(self, line: int = 0, *, actor: Actor = "owner") -> Undone:
        """Take back a line of the journal (0: the latest that changed memories) where nothing followed it."""
        with self.sync.writing() as write:
            seq = line or self._ledger.last_undoable()
            if not seq:
                raise SoulError("no memories yet, so there is nothing to undo")
            return self._parts.amending.undo(write, seq, actor=actor)

    def apply(
        self,
        changes: Sequence[Change],
        *,
        actor: Actor = "owner",
        check: Callable[[], None] = lambda: None,
        answer: ProposalAnswered | None = None,
        verb: Verb = "accepted",
    ) -> Found:
        """Make those of the changes that can still be made, in one step; return what they changed.

        *check* is called with the lock held, and may raise what speaks against it. If anything was
        changed, *answer* is entered before anybody else can answer otherwise.
        """
        with self.sync.writing() as write:
            check()
            changed = self._parts.amending.apply(write, changes, actor=actor, verb=verb)
            if changed and answer:
                write.commit(answer, actor=actor)
            return changed

    def recall(self, query: Query) -> Recalled:
        """Return what is known about a question, best first."""
        keys = tuple(same for key in query.scope.keys for same in self._parts.admission.group(key))
        asked = query._replace(scope=query.scope._replace(keys=keys))
        with self.timed():
            return self.sync.reading(lambda: self._parts.recall.search(asked), spoken=True)

    def candidates(self, asked: Query) -> Recalled:
        """Return all that may be worth knowing for a reply."""
        with self.timed():
            return self.sync.reading(lambda: self._parts.recall.candidates(asked), spoken=True)

    def lately(self, audience: Audience) -> list[Hit]:
        """Return what the owner said in passing lately, and nothing was learned from."""
        return self.sync.reading(lambda: self._parts.recall.lately(audience), spoken=True)

    def sensitive(self, memories: Sequence[Memory]) -> Collection[str]:
        """Return the ids of the memories that are told only where a message calls for them."""
        return self.sync.reading(lambda: self.embedding.sensitive(memories), of_files=False)

    def prepare(self) -> bool:
        """Take in and embed what is new, for the next question not to wait; say whether more is left."""
        return self.sync.reading(self.embedding.newest, spoken=True)

    def append(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Add what was said to a session's transcript; when this returns, it survives a power cut."""
        with self.sync.writing(in_any_case=True) as write:
            return self._parts.hearing.append(write, session, said)

    def fit_to_keep(self, said: Said) -> Said:
        """Return what was said as the transcript will have it: without its secrets, if that is wanted."""
        return self._parts.hearing.fit_to_keep(said)

    def tried(self, job: str, why: Sentence | None) -> None:
        """Let it be seen that background work waits, and why; without a reason, that it waits no more."""
        reason = (why or NOTHING).fit_to_keep(self.without_secrets)
        if reason != self.waiting(job):
            self.record(JobTried(job, reason))

    def record(self, body: Occurrence, *, actor: Actor = "almario") -> None:
        """Enter in the journal what became of a session, or of background work, or who may hear what."""
        with self.sync.writing() as write:
            write.commit(body, actor=actor)

    def consolidate(self, llm: LLM | None, *, if_due: bool = False) -> Consolidated:
        """Merge duplicates and let what is contradicted give way; *if_due*, only if enough is new."""
        from almario.memory.consolidation import Consolidation  # noqa: PLC0415 - seldom needed

        settings, writing = self._parts.chosen.consolidation, self.sync.writing
        consolidation = Consolidation(self._keeping, self.embedding, llm, settings, writing=writing)
        self.sync.catch_up()
        return consolidation.run(if_due=if_due)

    def condense(self, llm: LLM | None, *, if_due: bool = False) -> Condensed:
        """Shorten a long HISTORY.md and long logs, and archive them; *if_due*, only if wanted unasked."""
        from almario.memory.condensing import Condensed, Condensing  # noqa: PLC0415 - seldom needed

        settings, writing = self._parts.chosen.consolidation, self.sync.writing
        if if_due and not settings.enabled:
            return Condensed()
        self.sync.catch_up()
        done = Condensing(self._keeping, self._parts.redact, llm, settings, writing=writing).run()
        self.sync.catch_up()
        return done

    def file_without_secrets(self, text: str) -> str:
        """Return the text of a file without its secrets."""
        return self._parts.redact.file(text)

    def without_secrets(self, text: str) -> str:
        """Return a text as it may be told: without its secrets, and without what may be one."""
        return self._parts.redact.text(text)

    def fit_to_write(self, text: str) -> str:
        """Return a text as it may be written into a file: without its secrets."""
        return self._parts.redact.whole(text)

    def redacted(self, text: str) -> Redacted:
        """Do the same, and tell of which kinds they were."""
        return self._parts.redact(text)

    def export(self, audience: Audience = OWNER_ALONE) -> Lines:
        """Return every memory that an audience may be told, whatever its state, as a line of JSON."""
        return self.sync.reading(lambda: list(self._parts.transfer.lines(audience)))

    def import_lines(
        self, lines: Iterable[str], *, actor: Actor = "owner", progress: Progress | None = None
    ) -> Imported:
        """Put exported memories back; one that is here already stays as it is here."""
        with self.sync.writing() as write:
            taken = self._parts.transfer.changes(lines)
            return self._parts.transfer.import_lines(
                write, taken, self._parts.episodes.owed, actor=actor, progress=progress
            )

    def plan_purge(self, *targets: str) -> Erasure:
        """Say what `purge` would erase with what ids, keys or words name."""
        found = {memory.id: memory for target in targets for memory in self.named(target)}
        return self.sync.reading(lambda: self._parts.purge.plan(list(found.values())))

    def plan_purge_expired(self, older_than: int = 0) -> Erasure:
        """Say what `purge` would erase of what expired so long ago, and no soul file says all the same."""
        ended = self.long_expired(older_than)
        return self.sync.reading(lambda: self._parts.purge.plan(self._parts.purge.beside_souls(ended)))

    def purge(self, erasure: Erasure, *, actor: Actor = "owner") -> Lines:
        """Erase for good what was planned; return the files that were cleaned."""
        with self.sync.writing() as write:
            cleaned = self._parts.purge.begin(write, erasure, actor=actor)
            self.sync.tell(self._parts.mirror.render(write))
            return cleaned

    def take_back(self, turns: Sequence[str], *, actor: Actor = "owner") -> Forgotten:
        """Take turns off the record, with what was learned from them alone; it is erased later."""
        from almario.memory.forgetting import Told  # noqa: PLC0415 - seldom needed

        told = Told(tuple(m for m in self._parts.purge.taught_by(turns) if m.is_live), tuple(turns))
        with self.sync.writing() as write:
            return self._forgetting.forget(write, told, actor=actor, verb=TAKEN_BACK)

    def put_aside(self, turns: Sequence[str], *, actor: Actor = "almario") -> Forgotten:
        """Keep turns where they are, and neither learn from them nor bring them up; `undo` ends that."""
        from almario.memory.forgetting import Told  # noqa: PLC0415 - seldom needed

        with self.sync.writing() as write:
            return self._forgetting.forget(write, Told(turns=tuple(turns)), actor=actor, verb=SET_ASIDE)

    def erase_taken_back(self, session: str = "") -> None:
        """Erase for good what was taken off the record in a session that ends, or in any that has ended."""
        if self.taken_back():
            with self.sync.writing() as write:
                self.sync.erase_taken_back(write, session)

    def accept(self, name: str) -> Found:
        """Forget what is missing in a version of MEMORY.md that was set aside; return it."""
        with self.sync.writing() as write:
            return self._parts.mirror.accept(write, name)

    def verify(self) -> Sequence[Damage]:
        """Read everything, and return each place where journal, index and files disagree twice in a row."""
        from almario.memory.verifying import lasting  # noqa: PLC0415 - seldom needed

        def look() -> Sequence[Damage]:
            self.sync.catch_up(spoken=True)
            return list(self._parts.verifying.run())

        return lasting(look)

    def outcomes(self) -> Sequence[Outcome]:
        """Return what became of the messages of every session: learned from, empty, or waiting."""
        return self._parts.verifying.outcomes()

    def reindex(self, progress: Progress | None = None) -> int:
        """Make all that is derived anew, vectors too; return how many passages there are."""
        self.sync.make_anew(progress)
        self.embedding.all(progress)
        return self._keeping.derived.live.count()[0]

    def settle(self, progress: Progress | None = None) -> Sequence[Sentence]:
        """Take in the owner's edits, and bring what is derived and MEMORY.md up to date.

        Returns what is worth telling since it was last asked: other verbs do the same work in silence.
        """
        self.sync.catch_up(progress)
        return self.sync.told()

    def finish(self) -> Sequence[Sentence]:
        """Let MEMORY.md show every change that was made here; return what is worth telling since."""
        self.sync.finish()
        return self.sync.told()

    def close(self) -> None:
        """Let MEMORY.md show every change that was made here, and let go of the files until the next use."""
        self.sync.close()
