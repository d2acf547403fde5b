"""The one door to the memory: journal, MEMORY.md, files and what is derived from them, in step.

Whoever asks is answered from an index that has taken in every line and every
edit; whoever writes decides on the same footing. Two things can be done as one:

    with sync.writing() as write:   one lock; whatever is written or asked inside joins it
    with sync.snapshot():           whatever is asked inside is answered from one state

The folder is checked by the first question inside a snapshot, or by the first
write, which then leaves everything in step before it lets go of the lock; what
is only said there is looked for afterwards. Inside a snapshot of what is known
already, nobody checks the folder.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError, Damaged, SchemaTooNew, StoreError, StoreUnavailable
from almario.memory.indexing import Refreshed
from almario.memory.memory_parts import MemoryParts
from almario.memory.rules.sources import PAGES, is_filed
from almario.memory.writer import OWED, Progress, Write

T = TypeVar("T")
# What is told where the answer is from memory alone.
_FACTS_ALONE = "the index cannot be used now, so only what is in the journal was looked at: {why}"


class Throttle:
    """A check of the folder holds for *hold* seconds unless something is written here; MEMORY.md is rendered
    after *render* seconds. By default both are 0: every question checks, every write renders.
    """

    def __init__(self) -> None:
        self.hold = 0.0
        self.render = 0.0
        self._writes = 0
        # When the latest check began, and after how many writes.
        self._last: tuple[float, int] | None = None
        self._later: threading.Timer | None = None
        self._starting = threading.Lock()

    def begin(self) -> tuple[float, int]:
        """Return the mark of a check that begins now."""
        return time.monotonic(), self._writes

    def checked(self, begun: tuple[float, int]) -> None:
        """Note that a check is over and left nothing to take in."""
        self._last = begun

    def wrote(self) -> None:
        """Note a write; a check that began before it may have missed it."""
        self._writes += 1

    def holds(self) -> bool:
        """Return whether the latest check is still good."""
        if not self.hold or self._last is None:
            return False
        begun, writes = self._last
        return writes == self._writes and time.monotonic() < begun + self.hold

    def render_later(self, render: Callable[[], None]) -> None:
        """Schedule a rendering in its own thread, unless one is scheduled."""
        with self._starting:
            if self.render and not (self._later and self._later.is_alive()):
                self._later = threading.Timer(self.render, render)
                self._later.daemon = True
                self._later.start()

    def may_wait(self) -> bool:
        """Return whether another thread is about to render."""
        later = self._later
        return bool(later and later.is_alive()) and later is not threading.current_thread()

    def hurry(self) -> None:
        """Cancel the scheduled rendering, after one that is under way: the next check renders."""
        with self._starting:
            later = self._later
        if later and later is not threading.current_thread():
            later.cancel()
            later.join()


class Snapshot:
    """Whether what is new in the folder is wanted, and was taken in; a *write* has taken in the journal."""

    def __init__(self, *, wants_news: bool) -> None:
        self.wants_news = wants_news
        self.is_fresh = not wants_news
        self.write: Write | None = None


class Sync:
    """Opens the memory for reading and writing with nothing left to take in."""

    def __init__(self, parts: MemoryParts) -> None:
        self._parts = parts
        self._writer = parts.writer
        self._ledger = parts.writer.ledger
        # Called with progress if there is much to take in.
        self.progress: Progress | None = None
        self.throttle = Throttle()
        self._is_dirty = False
        self._is_begun = False
        self._notices: dict[str, Sentence] = {}
        self._told: set[str] = set()
        self._taking_in = threading.RLock()
        self._current: ContextVar[Snapshot | None] = ContextVar("look", default=None)

    @contextlib.contextmanager
    def snapshot(self, *, fresh: bool = True) -> Iterator[Snapshot]:
        """Answer every query inside from one state; if not *fresh*, from the latest known one.

        What is written inside leaves everything in step, but what is only said is found after it. If not
        *fresh*, files are left to who asks next.
        """
        if outer := self._current.get():
            yield outer
            return
        snapshot = Snapshot(wants_news=fresh)
        token = self._current.set(snapshot)
        try:
            yield snapshot
        finally:
            self._current.reset(token)

    @contextlib.contextmanager
    def writing(self, *, in_any_case: bool = False) -> Iterator[Write]:
        """Hold the lock with every journal line and every edit of MEMORY.md taken in.

        A write inside another joins it. *in_any_case*: the write needs nothing derived, and is not lost if
        that cannot be reached.
        """
        outer = self._current.get()
        if outer and outer.write:
            yield outer.write
            return
        try:
            otherwise = self._go_on if in_any_case else self._go_on_aside
            with self.snapshot(fresh=False) as snapshot, self._locked(otherwise=otherwise) as write:
                if outer and not outer.is_fresh:
                    outer.is_fresh = self._is_in_step()
                snapshot.write = write
                try:
                    yield write
                finally:
                    snapshot.write = None
                if outer and not (outer.is_fresh and write.only_speaks):
                    self._take_in(outer, write)
        finally:
            self.throttle.wrote()

    def reading(self, answer: Callable[[], T], *, of_files: bool = True) -> T:
        """Return an answer from what is derived; if that is damaged, rebuild it and ask again.

        An answer that is not *of_files* rests on the journal alone.
        While nothing can be written (another process holds the lock, a newer version wrote the
        journal), what is not in the index yet is left out, which is told.
        """
        with self.snapshot() as snapshot:

            def found() -> T:
                is_known = snapshot.write or snapshot.is_fresh
                if not is_known and (of_files or self._is_behind()):
                    self._take_in(snapshot)
                return answer()

            try:
                return self._writer.with_repair(found, partial(self._rebuilding, snapshot))
            except (Damaged, SchemaTooNew, StoreUnavailable):
                raise
            except StoreError as exc:
                if not self._writer.derived.step_aside():
                    raise
                self._notices.pop(str(sentence_of(exc)), None)  # it is the reason given here
                self.notify([Sentence(_FACTS_ALONE, why=sentence_of(exc))])
            try:
                self._writer.follow(self._writer.vault.journal.tail().last)
                return answer()
            finally:
                self._writer.derived.come_back()

    def in_one_transaction(self, answer: Callable[[], T]) -> T:
        """Return an answer that needs many queries and no write, in one transaction of what is derived.

        So all of them see one state, and a database need not begin again and again.
        """

        def answered() -> T:
            with self._writer.derived.reading():
                return answer()

        return self.reading(answered)

    def settle(self, progress: Progress | None = None) -> None:
        """Take in what is new, or say why that cannot be.

        Of a folder that cannot be written, what is derived is made in memory.
        """
        if self._writer.derived.is_private:
            last = self._writer.vault.journal.tail().last
            self._writer.with_repair(lambda: self._writer.follow(last, progress))
            self._notify_of(self._parts.indexing.refresh(progress))
            return
        begun = self.throttle.begin()
        if not self._is_settled():
            # Of several threads one takes in what is new, and the others find it done.
            has_waited = not self._taking_in.acquire(blocking=False)
            if has_waited:
                self._taking_in.acquire()
                begun = self.throttle.begin()
            try:
                if not (has_waited and self._is_settled()):
                    with self._locked(progress) as write:
                        self._synchronise(write, progress)
            finally:
                self._taking_in.release()
        self.throttle.checked(begun)

    def rebuild(self, progress: Progress | None) -> None:
        """Rebuild everything derived in one go, so that nobody finds it half built."""
        if self._writer.derived.is_private:
            self._writer.rebuild(progress)
            self.settle(progress)
            return
        with self._writer.vault.writing() as appender:
            self._writer.rebuild(progress)
            self._synchronise(Write(self._writer, appender), progress)

    def erase_taken_back(self, write: Write, session: str = "", *, every: bool = False) -> None:
        """Erase what was off the record in a session that is ending and in any that has, or in *every*."""
        if self._parts.purge.erase_taken_back(write, session, every=every):
            self.notify(self._parts.mirror.render(write))

    def notify(self, notices: Iterable[Sentence]) -> None:
        """Keep notices until they are asked for."""
        self._notices |= {str(sentence): sentence for sentence in notices}

    def notices(self) -> list[Sentence]:
        """Return the notices since the last call."""
        notices, self._notices = self._notices, {}
        told, self._told = self._told, set()
        return [sentence for text, sentence in notices.items() if text not in told]

    def told(self, notices: Iterable[Sentence]) -> None:
        """Take it that these were told with what they are about, and need not be told once more."""
        self._told.update(map(str, notices))

    def finish(self) -> None:
        """Let MEMORY.md show every change that was made here; what cannot be now, the next command does."""
        self.throttle.hurry()
        if self._is_dirty:
            try:
                self.settle()
            except (Damaged, SchemaTooNew, StoreUnavailable):
                raise
            except StoreError as exc:
                self.notify([Sentence(OWED, why=sentence_of(exc))])
        self._parts.note_without_secrets()

    def close(self) -> None:
        """Do the same, and let go of the files until the next use."""
        with contextlib.closing(self._writer.derived):
            self.finish()

    @contextlib.contextmanager
    def _locked(
        self,
        progress: Progress | None = None,
        *,
        otherwise: Callable[[Write, StoreError], None] | None = None,
    ) -> Iterator[Write]:
        """Hold the lock, with what is derived in step; *otherwise* is what is done if it cannot be."""
        with self._writer.vault.writing() as appender, Write(self._writer, appender) as write:
            try:
                self._writer.with_repair(lambda: self._open(write, progress))
            except StoreError as exc:
                if otherwise is None:
                    raise
                otherwise(write, exc)
            try:
                yield write
            finally:
                self.notify(write.owed)
                self._is_dirty |= write.is_dirty
                if self._is_dirty:
                    self.throttle.render_later(self._render)

    def _go_on(self, _: Write, why: StoreError) -> None:
        self.notify([sentence_of(why)])

    def _go_on_aside(self, write: Write, why: StoreError) -> None:
        if not write.goes_on_without(why):
            raise why
        self._open(write, None)

    def _open(self, write: Write, progress: Progress | None) -> None:
        self._writer.follow(write.appender.last, progress or self.progress)
        if self._ledger.is_purging():
            self.notify(self._parts.purge.carry_on(write))
        # Before the first write, what was taken off the record in a session that has ended is erased.
        is_begun, self._is_begun = self._is_begun, True
        if not is_begun and self._ledger.taken_back():
            self.erase_taken_back(write)
        self.notify(self._parts.mirror.merge(write))

    def _take_in(self, snapshot: Snapshot, write: Write | None = None) -> None:
        """Bring everything in step, within a *write* if one ends; what was written stands in any case."""
        try:
            if write:
                self._synchronise(write, files=snapshot.wants_news)
            elif not self.throttle.holds():
                self.settle()
        except Damaged:
            raise
        except StoreError as exc:
            self.notify([sentence_of(exc)])
        snapshot.is_fresh = True

    def _is_in_step(self) -> bool:
        """Return whether there is nothing to take in, as far as that can be known."""
        with contextlib.suppress(StoreError):
            return self.throttle.holds() or self._is_settled()
        return False

    def _is_behind(self) -> bool:
        """Return whether the journal has lines that were not taken in."""
        try:
            return self._writer.derived.is_private or self._writer.is_behind()
        except StoreError:
            return True

    def _is_settled(self) -> bool:
        try:
            with self._writer.derived.reading():
                is_behind = self._writer.is_behind() or self._ledger.is_purging()
                return (
                    not is_behind
                    and (self.throttle.may_wait() or self._parts.mirror.is_settled())
                    and not self._parts.indexing.stale()
                )
        except Damaged:
            return False

    def _render(self) -> None:
        """Let MEMORY.md show what is new; what hinders that is told to whoever asks."""
        try:
            self.settle()
        except AlmarioError as exc:
            self.notify([sentence_of(exc)])

    def _synchronise(self, write: Write, progress: Progress | None = None, *, files: bool = True) -> None:
        """Let MEMORY.md show all that is known, and take in the other *files*."""
        may_wait = self.throttle.may_wait()

        def synchronised() -> None:
            with self._writer.derived.writing():
                if not may_wait:
                    self._show(write)
                if files and not write.owed:
                    self._take_in_files(write, progress)

        self._writer.with_repair(synchronised)
        write.is_dirty = False
        self._is_dirty = may_wait

    def _show(self, write: Write) -> None:
        self.notify(self._parts.mirror.render(write))
        is_dirty = write.is_dirty or self._is_dirty
        if is_dirty and self._writer.vault.documents.names(PAGES.rstrip("/")):  # few agents have any
            self._parts.pages.leave_by_hand(write)

    def _take_in_files(self, write: Write, progress: Progress | None) -> None:
        done = self._parts.indexing.refresh(progress or self.progress)
        self._notify_of(done)
        if filed := set(filter(is_filed, (*done.read, *done.removed))):
            self._parts.episodes.follow(write, filed)

    def _notify_of(self, done: Refreshed) -> None:
        secrets = self._parts.handwritten.news(done.secretive) if done.secretive else ()
        untold = self._parts.handwritten.untold(done.read) if done.read else ()
        self.notify([*done.notices, *secrets, *untold])

    @contextlib.contextmanager
    def _rebuilding(self, snapshot: Snapshot) -> Iterator[None]:
        """Hold the lock, unless it is held or nobody else writes: another process may be mending the same."""
        snapshot.is_fresh = False
        with contextlib.ExitStack() as held:
            if not (snapshot.write or self._writer.derived.is_private):
                held.enter_context(self._writer.vault.writing())
            yield
