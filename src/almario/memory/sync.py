"""The one door to the memory: journal, MEMORY.md, files and what is derived from them, in step.

Whoever asks is answered from an index that has taken in every line and every
edit; whoever writes decides on the same footing. Two things can be done as one:

    with sync.writing() as write:   one lock; whatever is written or asked inside joins it
    with sync.looking():            one look; whatever is asked inside is answered from it

The folder is looked at by the first question inside a look, or by the first
write, which then leaves everything in step before it lets go of the lock.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from datetime import timedelta
from functools import partial
from typing import TypeVar

from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY
from almario.errors import AlmarioError, Damaged, SoulError, StoreError
from almario.memory.indexing import Refreshed
from almario.memory.keeping import Progress, Write
from almario.memory.memory_parts import MemoryParts
from almario.memory.pacing import Pace
from almario.memory.rules.sources import PAGES

T = TypeVar("T")
# For so long what was taken off the record can be had again where nobody says that a session has ended.
_QUIET = timedelta(hours=1)
# Under this note stand digests of texts.
_WITHOUT_SECRETS = "without secrets"


class Snapshot:
    """What was seen of the folder: nothing yet, the files, or what was said in sessions too.

    An open *write* has taken in the whole journal.
    """

    def __init__(self, *, is_fresh: bool, is_spoken: bool) -> None:
        self.is_fresh = is_fresh
        self.is_spoken = is_spoken
        self.write: Write | None = None
        # All is answered from one moment of what is derived: whoever began that mends what is damaged.
        self.is_of_one_moment = False

    def shows(self, *, spoken: bool) -> bool:
        """Say whether a question can be answered without another look."""
        return self.is_fresh and (self.is_spoken or not spoken)


class Sync:
    """Opens the memory for reading and writing with nothing left to take in."""

    def __init__(self, parts: MemoryParts) -> None:
        self._parts = parts
        self._keeping = parts.keeping
        self._ledger = parts.keeping.ledger
        # Is told how far it is, if there is much to take in.
        self.progress: Progress | None = None
        self.pace = Pace()
        self._is_dirty = False
        self._is_begun = False
        self._told: dict[str, Sentence] = {}
        self._taking_in = threading.RLock()
        self._look: ContextVar[Snapshot | None] = ContextVar("look", default=None)
        parts.redact.known.noted = self._without_secrets
        parts.redact.kept = parts.kept

    @contextlib.contextmanager
    def looking(self, *, spoken: bool = False, anew: bool = True) -> Iterator[Snapshot]:
        """Let all that is asked inside be answered from one look; not *anew*, from the latest there was."""
        if outer := self._look.get():
            yield outer
            return
        look = Snapshot(is_fresh=not anew, is_spoken=spoken or not anew)
        token = self._look.set(look)
        try:
            yield look
        finally:
            self._look.reset(token)

    @contextlib.contextmanager
    def writing(self, *, in_any_case: bool = False) -> Iterator[Write]:
        """Hold the lock with every journal line and every edit of MEMORY.md taken in.

        A write inside another joins it. Inside a look, it ends with everything in step. *in_any_case*: what
        is written needs nothing of what is derived, and is not lost if that is beyond reach.
        """
        outer = self._look.get()
        if outer and outer.write:
            yield outer.write
            return
        try:
            with self.looking(anew=False) as look, self._locked(in_any_case=in_any_case) as write:
                look.write = write
                try:
                    yield write
                finally:
                    look.write = None
                if outer:
                    self._take_in(outer, write)
        finally:
            self.pace.wrote()

    def reading(self, answer: Callable[[], T], *, spoken: bool = False, of_files: bool = True) -> T:
        """Return an answer from what is derived; if that is damaged, make it anew and ask again.

        *spoken* asks for what was said in sessions too, also where that is left for later; an answer that
        is not *of_files* rests on the journal alone.
        While nothing can be written (another process holds the lock, a newer version wrote the
        journal), what is not in the index yet is left out, which is told.
        """
        with self.looking(spoken=spoken) as look:

            def found() -> T:
                is_known = look.write or look.shows(spoken=spoken)
                if not is_known and (of_files or self._is_behind()):
                    look.is_spoken |= spoken
                    self._take_in(look)
                return answer()

            if look.is_of_one_moment:
                return found()
            return self._keeping.soundly(found, partial(self._anew, look))

    def in_one_moment(self, answer: Callable[[], T]) -> T:
        """Return an answer that asks for many things from one moment of what is derived, and writes nothing.

        So none of them is newer than another, and a database is not told again and again to begin.
        """

        def answered() -> T:
            look = self._look.get()
            if look is None or look.is_of_one_moment:
                return answer()
            look.is_of_one_moment = True
            try:
                with self._keeping.derived.reading():
                    return answer()
            finally:
                look.is_of_one_moment = False

        return self.reading(answered, spoken=True)

    def settle(self, progress: Progress | None = None, *, spoken: bool = False) -> None:
        """Take in what is new, or say why that cannot be.

        Of a folder that cannot be written, what is derived is made in memory.
        """
        if self._keeping.derived.is_private:
            self._keeping.follow(self._keeping.vault.journal.tail().last, progress)
            self._tell_of(self._parts.indexing.refresh(progress, spoken=spoken))
            return
        look = self.pace.begin(spoken=spoken)
        if not self._is_settled(spoken=spoken):
            # Of several threads one takes in what is new, and the others find it done.
            with self._taking_in:
                look = self.pace.begin(spoken=spoken)
                if not self._is_settled(spoken=spoken):
                    with self._locked(progress) as write:
                        self._bring_in_step(write, progress, spoken=spoken)
        self.pace.looked(look)

    def make_anew(self, progress: Progress | None) -> None:
        """Throw away what is derived and make it again, in one go: nobody is to find it half made."""
        if self._keeping.derived.is_private:
            self._keeping.make_anew(progress)
            self.settle(progress, spoken=True)
            return
        with self._keeping.vault.writing() as appender:
            self._keeping.make_anew(progress)
            self._bring_in_step(Write(self._keeping, appender), progress, spoken=True)

    def tell(self, told: Iterable[Sentence]) -> None:
        """Keep what is worth telling until somebody asks."""
        self._told |= {str(sentence): sentence for sentence in told}

    def told(self) -> list[Sentence]:
        """Return what is worth telling since this was last asked."""
        told, self._told = self._told, {}
        return list(told.values())

    def finish(self) -> None:
        """Let MEMORY.md show every change that was made here."""
        self.pace.hurry()
        if self._is_dirty:
            self.settle()
        self._note_without_secrets()

    def close(self) -> None:
        """Do the same, and let go of the files until the next use."""
        with contextlib.closing(self._keeping.derived):
            self.finish()

    @contextlib.contextmanager
    def _locked(self, progress: Progress | None = None, *, in_any_case: bool = False) -> Iterator[Write]:
        with self._keeping.vault.writing() as appender:
            write = Write(self._keeping, appender)
            try:
                self._keeping.soundly(lambda: self._open(write, progress))
            except StoreError as exc:
                if not in_any_case:
                    raise
                self.tell([sentence_of(exc)])
            try:
                yield write
            finally:
                self._is_dirty |= write.is_dirty
                if self._is_dirty:
                    self.pace.render_later(self._render)

    def _open(self, write: Write, progress: Progress | None) -> None:
        write.catch_up(progress or self.progress)
        self._finish_purges(write)
        self._begin(write)
        self.tell(self._parts.mirror.merge(write))

    def _take_in(self, look: Snapshot, write: Write | None = None) -> None:
        """Bring everything in step, within a *write* if one ends; what was written stands in any case."""
        try:
            if look.write:
                look.write.catch_up()
            elif write:
                self._bring_in_step(write, spoken=look.is_spoken)
            elif not self.pace.holds(spoken=look.is_spoken):
                self.settle(spoken=look.is_spoken)
        except Damaged:
            raise
        except StoreError as exc:
            self.tell([sentence_of(exc)])
        look.is_fresh = True
        look.is_spoken |= self._parts.indexing.at_once  # then what was said was taken in with the rest

    def _is_behind(self) -> bool:
        """Say whether the journal has lines that were not taken in."""
        try:
            return self._keeping.derived.is_private or self._keeping.is_behind()
        except StoreError:
            return True

    def _is_settled(self, *, spoken: bool) -> bool:
        """Say whether there is nothing to take in; what is damaged is made anew under the lock."""
        try:
            with self._keeping.derived.reading():
                is_behind = self._keeping.is_behind() or self._ledger.is_purging()
                return (
                    not is_behind
                    and (self.pace.may_wait() or self._parts.mirror.is_settled())
                    and not self._parts.indexing.stale(spoken=spoken)
                )
        except Damaged:
            return False

    def _render(self) -> None:
        """Let MEMORY.md show what is new; what hinders that is told to whoever asks."""
        try:
            self.settle()
        except AlmarioError as exc:
            self.tell([sentence_of(exc)])

    def _bring_in_step(self, write: Write, progress: Progress | None = None, *, spoken: bool) -> None:
        self._keeping.soundly(lambda: self._bring(write, progress, spoken=spoken))

    def _bring(self, write: Write, progress: Progress | None, *, spoken: bool) -> None:
        if not (may_wait := self.pace.may_wait()):
            self.tell(self._parts.mirror.render(write))
            is_dirty = write.is_dirty or self._is_dirty
            if is_dirty and self._keeping.vault.documents.names(PAGES.rstrip("/")):  # few agents have any
                self._parts.pages.settle(write)
        with self._keeping.derived.writing():
            done = self._parts.indexing.refresh(progress or self.progress, spoken=spoken)
            self._tell_of(done)
        if changed := {*done.read, *done.removed} - {CORE_MEMORY}:
            self._parts.episodes.follow(write, changed)
        write.is_dirty = False
        self._is_dirty = may_wait

    def _without_secrets(self) -> str:
        """Return which texts were found to hold no secret."""
        try:
            return self._keeping.derived.table.noted(_WITHOUT_SECRETS)
        except StoreError:
            return ""

    def _note_without_secrets(self) -> None:
        """Note what was found to hold no secret; if that cannot be, it is searched again."""
        known = self._parts.redact.known
        if known.is_new and not self._keeping.derived.is_private:
            known.is_new = False
            with (
                contextlib.suppress(StoreError),
                self._keeping.vault.writing(),
                self._keeping.derived.writing(),
            ):
                self._keeping.derived.table.note(_WITHOUT_SECRETS, str(known))

    def _tell_of(self, done: Refreshed) -> None:
        secrets = self._parts.handwritten.news(done.secretive) if done.secretive else ()
        self.tell([*done.told, *secrets])

    def _begin(self, write: Write) -> None:
        """Erase, before the first write, what was taken off the record in a session that has ended."""
        is_begun, self._is_begun = self._is_begun, True
        if not is_begun and self._ledger.taken_back():
            self.erase_taken_back(write)

    def erase_taken_back(self, write: Write, session: str = "") -> None:
        """Erase for good what was taken off the record in a session that ends, or in any that has ended."""
        gone = [each for each in self._ledger.taken_back().values() if self._is_over(each, session)]
        for turns in gone:
            self._parts.purge.begin(write, self._parts.purge.plan_turns(turns), actor="almario")
        if gone:
            self.tell(self._parts.mirror.render(write))

    def _is_over(self, turns: Sequence[str], ending: str) -> bool:
        """Say whether the session of some turns is *ending*, began anew since, or has long been quiet."""
        session, _, number = turns[0].rpartition("#")
        if session == ending or int(number) <= self._ledger.session(session).fresh:
            return True
        vault = self._keeping.vault
        last = vault.transcripts.read(session, last=1)
        return not last or vault.now() - last[0].at >= _QUIET

    def _finish_purges(self, write: Write) -> None:
        """Carry on with a purge that was interrupted; a file that resists holds up nothing else."""
        if not self._ledger.is_purging():
            return
        try:
            self._parts.purge.resume(write)
        except Damaged:
            raise
        except (SoulError, StoreError) as exc:
            self.tell([Sentence("a purge is not finished: {why}", why=sentence_of(exc))])

    @contextlib.contextmanager
    def _anew(self, look: Snapshot) -> Iterator[None]:
        """Hold the lock, unless it is held or nobody else writes: another process may be mending the same."""
        look.is_fresh = False
        with contextlib.ExitStack() as held:
            if not (look.write or self._keeping.derived.is_private):
                held.enter_context(self._keeping.vault.writing())
            yield
