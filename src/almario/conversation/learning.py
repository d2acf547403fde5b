"""Learning in the background: sessions are learned from while the conversation goes on.

What is not done when the process ends stays queued, because the queue is what
the journal says of the transcripts and not what this worker remembers.
"""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from almario.conversation.flush import Flush, Flushed
from almario.domain.messages import sentence_of
from almario.errors import AlmarioError

log = logging.getLogger(__name__)

# How soon a session is tried again while another process is learning.
_PAUSE_SECONDS = 1.0


class Learning:
    """One worker that learns from the sessions it is given, each once however often it is wanted."""

    def __init__(
        self,
        flush: Flush,
        consolidate: Callable[[], object] | None = None,
        *,
        compact: Callable[[str], object] | None = None,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """*consolidate* is called when something new was learned; *compact* after every attempt.

        *prepare* is called before, so that the next message is answered sooner.
        """
        self._flush = flush
        self._consolidate = consolidate
        self._compact = compact
        self._prepare = prepare
        self._state = threading.Condition()
        # Each session, and whether it is wanted for certain.
        self._wanted: dict[str, bool] = {}
        self._is_left_wanted = False
        self._news: list[Flushed] = []
        self._worker: threading.Thread | None = None
        self._is_closed = False

    def want(self, session: str) -> None:
        """Learn from a session soon; once it is closed, what is wanted stays queued."""
        with self._state:
            self._wanted[session] = True
            self._start()

    def consider(self, session: str) -> None:
        """Learn from a session soon, if it should be after a message; the caller waits for neither."""
        with self._state:
            self._wanted.setdefault(session, False)
            self._start()

    def want_left(self) -> None:
        """Learn soon from whatever other processes left, and tidy up after them."""
        with self._state:
            self._is_left_wanted = True
            self._start()

    def learn_left(self, quiet: timedelta) -> list[Flushed]:
        """Learn here and now from the sessions that were left so long ago; return what became of them.

        A model that cannot be reached is not asked about the others.
        """
        found: list[Flushed] = []
        for session in self._flush.left(quiet):
            self._learn(session, is_certain=True)
            found += self.news()
            if any(each.is_outage for each in found):
                break
        return found

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do, at most so long; say whether it is so."""
        with self._state:
            return self._state.wait_for(lambda: self._worker is None, seconds)

    def news(self) -> list[Flushed]:
        """Return what became of what was wanted since this was last asked."""
        with self._state:
            news, self._news = self._news, []
            return news

    def close(self, seconds: float = 0.0) -> bool:
        """Finish what is wanted if that takes no longer, and say whether it did; the rest stays queued."""
        is_done = self.wait(seconds)
        with self._state:
            self._is_closed = True
            self._wanted.clear()
            self._is_left_wanted = False
            self._state.notify_all()
        return is_done

    def _start(self) -> None:
        if self._worker is None and not self._is_closed:
            self._worker = threading.Thread(target=self._work, name="almario-learning", daemon=True)
            self._worker.start()

    def _work(self) -> None:
        try:
            while self._work_off():
                pass
        finally:  # after an error that is not ours, the next wish begins anew
            self._end()

    def _work_off(self) -> bool:
        """Do the next thing; False if there is none. It is looked for and left under the same lock."""
        with self._state:
            if self._is_closed or not (self._wanted or self._is_left_wanted):
                self._end()
                return False
            is_left, self._is_left_wanted = self._is_left_wanted, False
            session = "" if is_left else next(iter(self._wanted))
            is_certain = self._wanted.pop(session, False)
        if is_left:
            self._look_for_left()
        else:
            self._make_ready()
            self._learn(session, is_certain=is_certain)
        return True

    def _end(self) -> None:
        with self._state:
            if self._worker is threading.current_thread():
                self._worker = None
                self._state.notify_all()

    def _look_for_left(self) -> None:
        try:
            left = self._flush.left()
        except AlmarioError as exc:
            log.warning("what was left to learn from could not be looked for: %s", sentence_of(exc))
            return
        with self._state:
            self._wanted |= dict.fromkeys(left, True)
        self._tidy()

    def _make_ready(self) -> None:
        try:
            if self._prepare:
                self._prepare()
        except AlmarioError as exc:
            log.warning("the next message will take longer: %s", sentence_of(exc))

    def _learn(self, session: str, *, is_certain: bool) -> None:
        try:
            if not is_certain and not self._flush.is_wanted(session):
                return
            done = self._flush.flush(session)
        except AlmarioError as exc:
            done = [Flushed(session, 0, 0, "queued", why=str(sentence_of(exc)))]
        is_busy = any(each.outcome == "busy" for each in done)
        with self._state:
            self._news += [each for each in done if each.outcome != "busy"]
            if is_busy and not self._is_closed:
                self._wanted[session] = True
                self._state.wait(_PAUSE_SECONDS)
        if is_busy:
            return
        try:
            if self._compact:
                self._compact(session)
        except AlmarioError as exc:
            log.warning("the older turns of %s are not in the archive yet: %s", session, sentence_of(exc))
        if any(each.news for each in done):
            self._tidy()

    def _tidy(self) -> None:
        try:
            if self._consolidate:
                self._consolidate()
        except AlmarioError as exc:
            log.warning("what was learned is not in order yet: %s", sentence_of(exc))
