"""Learning in the background: sessions are learned from while the conversation goes on.

What is not done when the process ends stays queued, because the queue is what
the journal says of the transcripts and not what this worker remembers.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from almario.conversation.flush import ALL, DUE, Flush, Flushed, Upto
from almario.domain.logs import Log
from almario.domain.messages import sentence_of
from almario.errors import AlmarioError

log = Log(__name__)

# How soon a session is tried again while another process is learning.
_PAUSE_SECONDS = 1.0
# No step but a call to a model takes longer than this.
_STEP_SECONDS = 1.0


class Learning:
    """One worker that learns from the sessions it is given, each once however often it is wanted."""

    def __init__(
        self,
        flush: Flush,
        consolidate: Callable[[], object] = lambda: None,
        *,
        compact: Callable[[str], object] = lambda _: None,
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        """*consolidate* is called after all that is wanted, if something new was learned; *compact* after
        every attempt.

        *prepare* is called before, so that the next message is answered sooner, and when nothing else is to
        be done, for as long as it says that more is left.
        """
        self._flush = flush
        self._consolidate = consolidate
        self._compact = compact
        self._prepare = prepare
        self._state = threading.Condition()
        # Each session, and how far it is to be learned from.
        self._wanted: dict[str, Upto] = {}
        # When what others left was last wanted.
        self._left_wanted: datetime | None = None
        self._is_untidy = False
        self._is_unready = False
        self._news: list[Flushed] = []
        self._worker: threading.Thread | None = None
        self._is_closed = False

    def want(self, session: str) -> None:
        """Queue a session for learning; the queue survives closing."""
        with self._state:
            self._wanted[session] = ALL
            self._start()

    def consider(self, session: str) -> None:
        """Learn from a session soon, as far as it should be after a message; the caller waits for neither."""
        with self._state:
            self._wanted.setdefault(session, DUE)
            self._start()

    def want_left(self) -> None:
        """Learn soon from whatever other processes have left by now, and tidy up after them."""
        with self._state:
            self._left_wanted = self._flush.now()
            self._start()

    def end(self, session: str) -> list[Flushed]:
        """Learn here and now from a session that is over, and tidy up; return what became of it."""
        done = self._flush.flush(session)
        self._is_untidy |= _is_all_new(done)
        self._tidy()
        return done

    def learn_left(self, quiet: timedelta) -> list[Flushed]:
        """Learn here and now from the sessions that were left so long ago; return what became of them.

        A model that cannot be reached is not asked about the others.
        """
        found: list[Flushed] = []
        for session in self._flush.left(quiet):
            self._learn(session, ALL)
            found += self.news()
            if any(each.is_outage for each in found):
                break
        self._tidy()
        return found

    def wait(self, seconds: float | None) -> bool:
        """Wait until nothing is left to do, at most so long if it is said; say whether it is so."""
        with self._state:
            return self._state.wait_for(lambda: self._worker is None, seconds)

    def news(self) -> list[Flushed]:
        """Return what became of what was wanted since this was last asked."""
        with self._state:
            news, self._news = self._news, []
            return news

    def close(self, seconds: float = _STEP_SECONDS) -> bool:
        """Begin nothing more; wait so long for what is under way, and say whether it is over."""
        self.stop()
        return self.wait(seconds)

    def is_due(self, session: str) -> bool:
        """Return whether it is time to learn from a session."""
        return self._flush.is_wanted(session)

    def is_overdue(self, session: str) -> bool:
        """Return whether a message of a session waits for so long that other sessions should know of it."""
        return self._flush.is_overdue(session)

    def stop(self) -> None:
        """Begin nothing more; what is under way is finished, and the rest stays queued."""
        with self._state:
            self._is_closed = True
            self._wanted.clear()
            self._left_wanted = None
            self._state.notify_all()

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
            left, self._left_wanted = self._left_wanted, None
            if self._is_closed or not (self._wanted or left or self._is_untidy or self._is_unready):
                self._end()
                return False
            wanted = [] if left else [(each, self._wanted.pop(each)) for each in [*self._wanted][:1]]
        if left:
            self._find_leftovers(left)
        for session, upto in wanted:
            self._make_ready()
            self._learn(session, upto)
        if not left and not wanted:
            if self._is_untidy:
                self._tidy()
            else:
                self._make_ready()
        return True

    def _end(self) -> None:
        with self._state:
            if self._worker is threading.current_thread():
                self._worker = None
                self._state.notify_all()

    def _find_leftovers(self, since: datetime) -> None:
        try:
            left = self._flush.left()
        except AlmarioError as exc:
            log.warning("could not look for unlearned conversations: %s", sentence_of(exc))
            return
        with self._state:
            self._wanted = {**dict.fromkeys(left, since), **self._wanted}
            self._is_untidy = self._is_unready = True

    def _make_ready(self) -> None:
        self._is_unready = False
        try:
            self._is_unready = bool(self._prepare())
        except AlmarioError as exc:
            log.warning("the next message will take longer: %s", sentence_of(exc))

    def _learn(self, session: str, upto: Upto) -> None:
        try:
            done = self._flush.flush(session, upto, is_over=lambda: self._is_closed)
        except AlmarioError as exc:
            done = [Flushed(session, 0, 0, "queued", why=sentence_of(exc))]
        is_busy = any(each.outcome == "busy" for each in done)
        with self._state:
            self._news += [each for each in done if each.outcome != "busy"]
            self._is_untidy |= _is_all_new(done)
            if is_busy and not self._is_closed:
                self._wanted.setdefault(session, upto)
                self._state.wait(_PAUSE_SECONDS)
        if not done or is_busy:
            return
        try:
            self._compact(session)
        except AlmarioError as exc:
            log.warning("the older turns of %s are not in the archive yet: %s", session, sentence_of(exc))

    def _tidy(self) -> None:
        with self._state:
            is_untidy, self._is_untidy = self._is_untidy, False
        try:
            if is_untidy:
                self._consolidate()
        except AlmarioError as exc:
            log.warning("what was learned has not been tidied yet: %s", sentence_of(exc))


def _is_all_new(done: Sequence[Flushed]) -> bool:
    """Return whether something new was learned, and nothing was left to be learned from later."""
    return any(each.news for each in done) and all(each.outcome != "queued" for each in done)
