"""Bringing everything into step: the journal, MEMORY.md, the files, and what is derived from them.

Whoever asks is answered from an index that has taken in every line and every
edit; whoever writes decides on the same footing. What is damaged is made anew.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from almario.domain.messages import Sentence, sentence_of
from almario.errors import Damaged, SoulError, StoreError
from almario.memory.episodes import Episodes
from almario.memory.handwritten import Handwritten
from almario.memory.indexing import Indexing
from almario.memory.keeping import Keeping, Progress, Write
from almario.memory.mirror import Mirror
from almario.memory.purge import Purge

T = TypeVar("T")


class Settling:
    """Opens the memory for reading and writing with nothing left to take in."""

    def __init__(
        self,
        keeping: Keeping,
        mirror: Mirror,
        indexing: Indexing,
        episodes: Episodes,
        purge: Purge,
        handwritten: Handwritten,
    ) -> None:
        self._keeping = keeping
        self._ledger = keeping.ledger
        self._mirror = mirror
        self._indexing = indexing
        self._episodes = episodes
        self._purge = purge
        self._handwritten = handwritten
        self._is_dirty = False
        self._told: dict[str, Sentence] = {}

    @contextlib.contextmanager
    def writing(self, progress: Progress | None = None) -> Iterator[Write]:
        """Hold the lock with every journal line and every edit of MEMORY.md taken in."""
        with self._keeping.writing(progress) as write:
            self._finish_purges(write)
            self.tell(self._mirror.merge(write))
            self._is_dirty = True
            yield write

    def reading(self, answer: Callable[[], T], *, spoken: bool = False, caught_up: bool = False) -> T:
        """Return an answer from what is derived; if that is damaged, make it anew and ask again.

        *caught_up*: what is new was taken in a moment ago.

        *spoken* asks for what was said in sessions too, also where that is left for later.
        While nothing can be written (another process holds the lock, a newer version wrote the
        journal), what is not in the index yet is left out, which is told.
        """
        try:
            if not caught_up:
                self.catch_up(spoken=spoken)
        except Damaged:
            raise
        except StoreError as exc:
            self.tell([sentence_of(exc)])
        try:
            return answer()
        except Damaged:
            self._empty()
            self.catch_up(spoken=spoken)
            return answer()

    def reading_journal(self, answer: Callable[[], T], *, caught_up: bool = False) -> T:
        """Return an answer that rests on the journal alone, without a look at the other files."""
        try:
            is_behind = not caught_up and (self._keeping.derived.is_private or self._ledger.is_behind())
        except StoreError:
            is_behind = True
        return self.reading(answer, caught_up=not is_behind)

    def catch_up(self, progress: Progress | None = None, *, spoken: bool = False) -> None:
        """Take in what is new; of a folder that cannot be written, what is derived is made in memory."""
        if self._keeping.derived.is_private:
            self._keeping.follow(self._keeping.vault.journal.tail().last, progress)
            done = self._indexing.refresh(progress, spoken=spoken)
            self.tell([*done.told, *self._handwritten.news(done.secretive)])
            return
        try:
            if self._is_settled(spoken=spoken):
                return
        except Damaged:
            self._empty()
        with self.writing(progress) as write:
            self._settle(write, progress, spoken=spoken)

    def make_anew(self, progress: Progress | None) -> None:
        """Throw away what is derived and make it again, in one go: nobody is to find it half made."""
        if self._keeping.derived.is_private:
            self._keeping.empty()
            self.catch_up(progress, spoken=True)
            return
        with self._keeping.writing() as write:
            self._keeping.empty()
            write.catch_up(progress)
            self._settle(write, progress, spoken=True)

    def tell(self, told: Iterable[Sentence]) -> None:
        """Keep what is worth telling until somebody asks."""
        self._told |= {str(sentence): sentence for sentence in told}

    def told(self) -> list[Sentence]:
        """Return what is worth telling since this was last asked."""
        told, self._told = self._told, {}
        return list(told.values())

    def close(self) -> None:
        """Let MEMORY.md show every change that was made here, and let go of the files until the next use."""
        with contextlib.closing(self._keeping.derived):
            if self._is_dirty:
                self.catch_up()

    def _is_settled(self, *, spoken: bool) -> bool:
        is_behind = self._ledger.is_behind() or self._ledger.is_purging()
        return not is_behind and self._mirror.is_settled() and not self._indexing.stale(spoken=spoken)

    def _settle(self, write: Write, progress: Progress | None, *, spoken: bool) -> None:
        self.tell(self._mirror.render(write))
        with self._keeping.derived.writing():
            done = self._indexing.refresh(progress, spoken=spoken)
            secrets = self._handwritten.news(done.secretive)
        self._episodes.follow(write, {*done.read, *done.removed})
        self._is_dirty = False
        self.tell([*done.told, *secrets])

    def _finish_purges(self, write: Write) -> None:
        """Carry on with a purge that was interrupted; a file that resists holds up nothing else."""
        try:
            self._purge.resume(write)
        except Damaged:
            raise
        except (SoulError, StoreError) as exc:
            self.tell([Sentence("a purge is not finished: {why}", why=sentence_of(exc))])

    def _empty(self) -> None:
        """Throw away what is derived, under the lock: another process may be writing it."""
        if self._keeping.derived.is_private:
            self._keeping.empty()
            return
        with self._keeping.vault.writing():
            self._keeping.empty()
