"""What one agent remembers: the verbs of memory, each one step of the journal."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.events import Actor, JobTried, Occurrence, Verb
from almario.domain.forgotten import Forgotten, Meant
from almario.domain.memories import OWN_PASSAGE, AnyKind, Change, Memory, Origin, Recorded, State, Wanted
from almario.domain.messages import NOTHING, Sentence
from almario.domain.model import Damage, Hit, Recalled
from almario.domain.plans import Plan
from almario.domain.soul_events import ProposalAnswered
from almario.domain.turns import Said, Turn, transcript_name
from almario.errors import SoulError
from almario.memory.admission import Judged, Receipt
from almario.memory.amending import Amending, Amendment, Undone
from almario.memory.episodes import Episodes
from almario.memory.forgetting import Forgetting, Told
from almario.memory.handwritten import Handwritten
from almario.memory.keeping import Progress, saying_if_lost
from almario.memory.ledger import TAKEN_BACK
from almario.memory.lessons import Lessons
from almario.memory.memory_parts import Parts
from almario.memory.outcomes import Outcome
from almario.memory.pending import Pending
from almario.memory.promotion import Promotion
from almario.memory.purge import Erasure
from almario.memory.queries import Account, KeyUse, Reasons, Stats
from almario.memory.recall import Query
from almario.memory.rules.admission import Proposed
from almario.memory.rules.lesson import Lesson
from almario.memory.rules.rivals import replaced
from almario.memory.rules.session_state import SessionState
from almario.memory.sync import Settling
from almario.memory.transcript_writer import Hearing
from almario.memory.transfer import Imported
from almario.memory.verifying import lasting
from almario.ports import LLM
from almario.text.redaction import Redacted

if TYPE_CHECKING:
    from almario.memory.condensing import Condensed
    from almario.memory.consolidation import Consolidated

# A class with a verb called `list` cannot name the type by that word.
Found = list[Memory]
Lines = list[str]
Ids = Sequence[str]


class Memories:
    """Remembers, recalls, forgets, and can say why."""

    def __init__(self, parts: Parts) -> None:
        self._keeping = parts.keeping
        self._ledger = parts.keeping.ledger
        self._redact = parts.redact
        self._admission = parts.admission
        self._mirror = parts.mirror
        self.embedding = parts.embedding
        self._recall = parts.recall
        self._transfer = parts.transfer
        self._purge = parts.purge
        self._verifying = parts.verifying
        self._episodes = Episodes(parts.keeping, parts.redact)
        self._amending = Amending(parts.keeping, parts.admission, self._episodes, parts.redact)
        self._hearing = Hearing(parts.keeping, parts.redact)
        self._promotion = Promotion(parts.keeping, parts.admission, self._episodes)
        self._handwritten = Handwritten(parts.keeping, parts.redact)
        sources = parts.keeping, parts.mirror, parts.indexing
        self._settling = Settling(*sources, self._episodes, parts.purge, self._handwritten)
        self._lessons = Lessons(parts.keeping, parts.admission, parts.redact)
        self._account = Account(parts.keeping, parts.admission)
        self._forgetting = Forgetting(parts.keeping, self._account, parts.recall, self._episodes)
        self._consolidation = parts.consolidation

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
        fact = self._admission.proposed(text, value, kind)._replace(evidence=tuple(evidence))
        of = self._account.in_use(replaces).id if replaces else ""
        return self.admit(fact._replace(act="replaces" if of else "", of=of), actor=actor)

    def admit(self, fact: Proposed, *, actor: Actor) -> Receipt:
        """Remember a fact as it is given, with its source, origin and evidence; one unfit is refused."""
        with saying_if_lost(), self._settling.writing() as write:
            return self._admission.admit(write, fact, actor=actor)

    def judge(self, fact: Proposed) -> tuple[Judged, tuple[Change, ...]]:
        """Say what would become of a fact, and by which changes; nothing is written."""
        pending = Pending(self._keeping, self._keeping.vault.now())
        return self._settling.reading(lambda: self._admission.judge(fact, pending)), pending.changes

    def learn(
        self, key: str, value: str, *, kind: AnyKind = "", origin: Origin = "owner", evidence: Ids = ()
    ) -> Receipt:
        """Remember what was found in a conversation; *origin* is the lowest of what it was found in."""
        fact = self._admission.proposed(key, value, kind)._replace(source="auto", origin=origin)
        return self.admit(fact._replace(evidence=tuple(evidence)), actor="agent")

    def take_lesson(self, lesson: Lesson) -> Sequence[Receipt] | None:
        """Remember what a session taught, all in one step; None if it has been learned from since."""
        with self._settling.writing() as write:
            return self._lessons.take(write, lesson)

    def meant(self, words: str, order: Collection[str] = ()) -> Meant:
        """Return what is meant by an id, a key or words; *order* are the turns in which they were said."""
        return self._settling.reading(lambda: self._forgetting.meant(words, order), spoken=True)

    def forget(self, target: str, *, every: bool = False, actor: Actor = "owner") -> Forgotten:
        """Put out of mind what an id, a key or words mean: one thing, or *every* one that they mean."""
        return self.put_out_of_mind(self.meant(target).things(every=every), actor=actor)

    def put_out_of_mind(
        self, things: Sequence[Hit], *, actor: Actor = "owner", order: Sequence[str] = ()
    ) -> Forgotten:
        """Put things out of mind wherever they are told, and with them the *order* to do so."""
        told = self._settling.reading(lambda: self._forgetting.told(things, order), spoken=True)
        with self._settling.writing() as write:
            return self._forgetting.forget(write, told, actor=actor, order=order)

    def restore(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Put a memory that is out of use back into use."""
        with self._settling.writing() as write:
            return self._amending.restore(write, self._ledger.memory(memory_id), actor=actor)

    def trust(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Vouch for what somebody who is not trusted said; return the owner's memory that takes its place."""
        with self._settling.writing() as write:
            return self._promotion.trust(write, self._ledger.memory(memory_id), actor=actor)

    def amending(self, memory_id: str, wanted: Amendment) -> Sequence[Change]:
        """Return the changes that would make a memory as it is wanted; nothing is written."""
        return self._settling.reading(lambda: self._amending.changes(self._ledger.memory(memory_id), wanted))

    def share(self, memory_id: str, *, shared: bool = True, actor: Actor = "owner") -> Memory:
        """Mark a memory as fit to be told to others, or as the owner's alone again."""
        with self._settling.writing() as write:
            return self._amending.share(write, self._ledger.memory(memory_id), shared=shared, actor=actor)

    def undo(self, line: int = 0, *, actor: Actor = "owner") -> Undone:
        """Take back a line of the journal (0: the latest that changed memories) where nothing followed it."""
        with self._settling.writing() as write:
            seq = line or self._ledger.last_undoable()
            if not seq:
                raise SoulError("nothing has been remembered yet, so there is nothing to undo")
            return self._amending.undo(write, seq, actor=actor)

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
        with self._settling.writing() as write:
            check()
            changed = self._amending.apply(write, changes, actor=actor, verb=verb)
            if changed and answer:
                write.commit(answer, actor=actor)
            return changed

    def recall(self, query: Query) -> Recalled:
        """Return what is known about a question, best first."""
        keys = tuple(same for key in query.scope.keys for same in self._admission.group(key))
        asked = query._replace(scope=query.scope._replace(keys=keys))
        return self._settling.reading(lambda: self._recall.search(asked), spoken=True)

    def candidates(self, asked: Query, *, caught_up: bool = False) -> Recalled:
        """Return all that may be worth knowing for a reply; *caught_up*, as of the last `catch_up`."""
        search = partial(self._recall.candidates, asked)
        return self._settling.reading(search, spoken=True, caught_up=caught_up)

    def worth_telling(self, found: Recalled, *, skip: Collection[str] = ()) -> Recalled:
        """Return the best of what may be worth knowing, leaving out the files and memories in *skip*."""
        return self._recall.worth_telling(found, skip)

    def catch_up(self) -> None:
        """Take in what is new, so that what is asked next need not; if that cannot be now, it is told."""
        self._settling.reading(lambda: None, spoken=True)

    def prepare(self) -> bool:
        """Take in and embed what is new, for the next question not to wait; say whether more is left."""
        return self._settling.reading(self.embedding.newest, spoken=True)

    def prose(self, *, caught_up: bool = False) -> Lines:
        """Return the lines of MEMORY.md that are the owner's own, and no facts."""
        return self._settling.reading(self._mirror.prose, caught_up=caught_up)

    def append(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Add what was said to a session's transcript; when this returns, it survives a power cut."""
        return self._hearing.append(session, said)

    def fit_to_keep(self, said: Said) -> Said:
        """Return what was said as the transcript will have it: without its secrets, if that is wanted."""
        return self._hearing.fit_to_keep(said)

    def session(self, session: str) -> SessionState:
        """Return how far a session was learned from, what is queued, and where it began anew."""
        transcript_name(session)  # refuses what can be no session's key
        return self._settling.reading_journal(lambda: self._ledger.session(session))

    def hearing(self) -> Mapping[tuple[str, str], str]:
        """Return what the owner lets sessions, and people in chats, hear."""
        return self._settling.reading_journal(self._ledger.hearing)

    def out_of_mind(self, *, caught_up: bool = False) -> Collection[str]:
        """Return the turns and lines of files that told what is forgotten."""
        return self._settling.reading_journal(self._ledger.out_of_mind, caught_up=caught_up)

    def waiting(self, job: str) -> Sentence:
        """Return why background work waits, or nothing."""
        return self._settling.reading(lambda: self._ledger.waiting(job))

    def tried(self, job: str, why: Sentence | None) -> None:
        """Let it be seen that background work waits, and why; without a reason, that it waits no more."""
        reason = (why or NOTHING).fit_to_keep(self.without_secrets)
        if reason != self.waiting(job):
            self.record(JobTried(job, reason))

    def record(self, body: Occurrence, *, actor: Actor = "almario") -> None:
        """Enter in the journal what became of a session, or of background work, or who may hear what."""
        with self._settling.writing() as write:
            write.commit(body, actor=actor)

    def consolidate(self, llm: LLM | None, *, if_due: bool = False) -> "Consolidated":
        """Merge duplicates and let what is contradicted give way; *if_due*, only if enough is new."""
        from almario.memory.consolidation import Consolidation  # noqa: PLC0415 - seldom needed

        settings, writing = self._consolidation, self._settling.writing
        consolidation = Consolidation(self._keeping, self.embedding, llm, settings, writing=writing)
        self._settling.catch_up()
        return consolidation.run(if_due=if_due)

    def condense(self, llm: LLM | None, *, if_due: bool = False) -> "Condensed":
        """Shorten a long HISTORY.md and long logs, and archive them; *if_due*, only if wanted unasked."""
        from almario.memory.condensing import Condensed, Condensing  # noqa: PLC0415 - seldom needed

        settings, writing = self._consolidation, self._settling.writing
        if if_due and not settings.enabled:
            return Condensed()
        self._settling.catch_up()
        done = Condensing(self._keeping, self._redact, llm, settings, writing=writing).run()
        self._settling.catch_up()
        return done

    def without_secrets(self, text: str) -> str:
        """Return a text without its secrets."""
        return self._redact.text(text)

    def redacted(self, text: str) -> Redacted:
        """Do the same, and tell of which kinds they were."""
        return self._redact(text)

    @property
    def handwritten(self) -> Handwritten:
        """What the owner wrote by hand, and the secrets in it."""
        return self._handwritten

    def list(self, wanted: Wanted = Wanted(), *, caught_up: bool = False) -> Found:  # noqa: B008 - a constant
        """Return the memories that fit, oldest first; without states, those in use that are trusted."""
        return self._settling.reading(lambda: self._account.list(wanted), caught_up=caught_up)

    def core(self, *, caught_up: bool = False) -> Found:
        """Return the facts and corrections in use, of very many the core, and of rivals the newest alone."""
        facts = self.list(Wanted(kinds=OWN_PASSAGE, most=self._mirror.core.most()), caught_up=caught_up)
        gone = replaced(facts, self._keeping.vault.now(), are_apart=self._ledger.are_apart)
        return [memory for memory in facts if memory.id not in gone]

    def get(self, memory_id: str) -> Memory:
        """Return the memory with that id, or that beginning of one."""
        return self._settling.reading(lambda: self._ledger.memory(memory_id))

    def named(self, target: str) -> Found:
        """Return the memories that an id, a key or words name, also those out of use."""
        return self._settling.reading(lambda: self._account.meant(target))

    def state(self, memory: Memory) -> State:
        """Return a memory's state now."""
        return self._account.state(memory)

    def why(self, memory_id: str) -> Reasons:
        """Return what a memory rests on, and what became of it."""
        return self._settling.reading(lambda: self._account.why(memory_id))

    def history(self, memory_id: str = "") -> Sequence[Recorded]:
        """Return every change of one memory or of all, oldest first."""
        return self._settling.reading(lambda: self._account.history(memory_id))

    def as_of(self, then: datetime, *, believed: bool = False) -> Found:
        """Return what was true at an instant as it is known now; or what was *believed* then."""
        return self._settling.reading(lambda: self._account.as_of(then, believed=believed))

    def plans(self, *, passed: int = 0, caught_up: bool = False) -> Sequence[Plan]:
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        return self._settling.reading(lambda: self._account.plans(passed), caught_up=caught_up)

    def keys(self) -> Sequence[KeyUse]:
        """Return every key in use, with those that may mean the same."""
        return self._settling.reading(self._account.keys)

    def stats(self) -> Stats:
        """Count what there is."""
        return self._settling.reading(lambda: self._account.stats(self.embedding.model))

    def export(self, audience: Audience = OWNER_ALONE) -> Lines:
        """Return every memory that an audience may be told, whatever its state, as a line of JSON."""
        return self._settling.reading(lambda: list(self._transfer.lines(audience)))

    def import_lines(
        self, lines: Iterable[str], *, actor: Actor = "owner", progress: Progress | None = None
    ) -> Imported:
        """Put exported memories back; one that is here already stays as it is here."""
        with self._settling.writing() as write:
            taken = self._transfer.changes(lines)
            return self._transfer.import_lines(
                write, taken, self._episodes.owed, actor=actor, progress=progress
            )

    def plan_purge(self, *targets: str) -> Erasure:
        """Say what `purge` would erase with what ids, keys or words name."""
        found = {memory.id: memory for target in targets for memory in self.named(target)}
        return self._settling.reading(lambda: self._purge.plan(list(found.values())))

    def plan_purge_expired(self, older_than: int = 0) -> Erasure:
        """Say what `purge` would erase of what expired so long ago, and no soul file says all the same."""
        ended = self._settling.reading(lambda: self._account.long_expired(older_than))
        return self._settling.reading(lambda: self._purge.plan(self._purge.beside_souls(ended)))

    def purge(self, erasure: Erasure, *, actor: Actor = "owner") -> Lines:
        """Erase for good what was planned; return the files that were cleaned."""
        with self._settling.writing() as write:
            cleaned = self._purge.begin(write, erasure, actor=actor)
            self._settling.tell(self._mirror.render(write))
            return cleaned

    def take_back(self, turns: Sequence[str], *, actor: Actor = "owner") -> Forgotten:
        """Take turns off the record, with what was learned from them alone; it is erased later."""
        told = Told(tuple(m for m in self._purge.taught_by(turns) if m.is_live), tuple(turns))
        with self._settling.writing() as write:
            return self._forgetting.forget(write, told, actor=actor, verb=TAKEN_BACK)

    def erase_taken_back(self) -> None:
        """Erase for good what was taken off the record: its session has ended."""
        for turns in self._settling.reading_journal(self._ledger.taken_back):
            self.purge(self._settling.reading(partial(self._purge.plan_turns, turns)), actor="almario")

    def accept(self, name: str) -> Found:
        """Forget what is missing in a version of MEMORY.md that was set aside; return it."""
        with self._settling.writing() as write:
            return self._mirror.accept(write, name)

    def verify(self) -> Sequence[Damage]:
        """Read everything, and return each place where journal, index and files disagree twice in a row."""

        def look() -> Sequence[Damage]:
            self._settling.catch_up(spoken=True)
            return list(self._verifying.run())

        return lasting(look)

    def outcomes(self) -> Sequence[Outcome]:
        """Return what became of the messages of every session: learned from, empty, or waiting."""
        return self._verifying.outcomes()

    def reindex(self, progress: Progress | None = None) -> int:
        """Make all that is derived anew, vectors too; return how many passages there are."""
        self._settling.make_anew(progress)
        self.embedding.all(progress)
        return self._keeping.derived.live.count()[0]

    def settle(self, progress: Progress | None = None) -> Sequence[Sentence]:
        """Take in the owner's edits, and bring what is derived and MEMORY.md up to date.

        Returns what is worth telling since it was last asked: other verbs do the same work in silence.
        """
        self._settling.catch_up(progress)
        return self._settling.told()

    def close(self) -> None:
        """Let MEMORY.md show every change that was made here, and let go of the files until the next use."""
        self._settling.close()
