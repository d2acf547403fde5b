"""Fetching what came, and letting Telegram forget it only when it is kept and answered.

Telegram brings an update again until it is asked for later ones. So while a message is at work, it is
asked for that one again, with what came since; whoever starts after a crash gets it once more.
"""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from almario.domain.logs import Log
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError, ConfigError, StoreError
from almario.named_tuples import NamedTuple
from almario_telegram.bot_api import Api, BotRefused, Unreachable
from almario_telegram.updates import KINDS

log = Log(__name__)

# For so many seconds Telegram waits for something to come; while something is at work, so often is asked.
_LONG, _SHORT = 50, 2.0
_LONGEST_PAUSE = 60.0
# So often another program may have got in between before it counts as one that stays.
_CONFLICTS = 5


class PollingWork(NamedTuple):
    """Something to do, in order with all that has the same *key*."""

    key: str
    do: Callable[[], object]


class Workers:
    """Does the work of each key in order, and that of several at the same time."""

    def __init__(
        self, start: Callable[[Callable[[], None]], object], pause: Callable[[float], object]
    ) -> None:
        """*start* runs something, in a thread of its own or at once."""
        self._start = start
        self._pause = pause
        self._queues: dict[str, deque[tuple[PollingWork, Callable[[], object]]]] = {}
        self._lock = threading.Lock()
        self.is_stopped = False

    def add(self, work: PollingWork, done: Callable[[], object]) -> None:
        """Do some work, then call *done*."""
        with self._lock:
            queue = self._queues.get(work.key)
            if queue is not None:
                queue.append((work, done))
                return
            self._queues[work.key] = deque()
        self._start(lambda: self._run(work, done))

    def _run(self, work: PollingWork, done: Callable[[], object]) -> None:
        """Do some work, and go on with what waited for it, whatever became of it."""
        is_done = True
        try:
            is_done = self._is_done(work)
        finally:
            if is_done:
                done()
            self._go_on(work.key)

    def _go_on(self, key: str) -> None:
        with self._lock:
            if not self._queues[key]:
                del self._queues[key]
                return
            following = self._queues[key].popleft()
        self._start(lambda: self._run(*following))

    def _is_done(self, work: PollingWork) -> bool:
        """Do some work; while nothing can be written, it is tried again and never called done."""
        pause = 1.0
        while not self.is_stopped:
            try:
                work.do()
                return True
            except (StoreError, OSError) as exc:
                log.warning("a message from Telegram could not be kept yet: %s", sentence_of(exc))
            except AlmarioError as exc:
                log.warning("a message from Telegram could not be answered: %s", sentence_of(exc))
                return True
            self._pause(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        return False


class Polling:
    """Asks for updates and has them worked on."""

    def __init__(
        self,
        api: Api,
        workers: Workers,
        take: Callable[[Mapping[str, Any]], PollingWork | None],
        pause: Callable[[float], object],
        *,
        wake: Callable[[], object] = bool,
    ) -> None:
        """*take* makes work of an update; *pause* waits, at most until *wake* is called."""
        self._api = api
        self._workers = workers
        self._take = take
        self._pause = pause
        self._wake = wake
        self._lock = threading.Lock()
        # The updates at work, those that were ever taken and may come again, and the one after all of them.
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._next = 0
        self._failures = 0

    @property
    def is_busy(self) -> bool:
        """Whether something is at work."""
        return bool(self._open)

    def step(self, *, wait: int = _LONG) -> None:
        """Ask once, for as long as *wait* if nothing is at work; a failure that may pass is waited out.

        ConfigError: it cannot work like this.
        """
        if self._open:
            self._pause(_SHORT)
            wait = 0
        with self._lock:
            offset = min(self._open, default=self._next)
            self._seen = {each for each in self._seen if each >= offset}
        try:
            updates = self._api(
                "getUpdates", wait=wait, offset=offset or None, timeout=wait, allowed_updates=KINDS
            )
        except BotRefused as exc:
            self._failed(exc, Sentence.own(exc.why), exc.after)
            return
        except Unreachable as exc:
            self._failed(exc, exc.why)
            return
        if self._failures:
            log.warning("Telegram can be reached again")
        self._failures = 0
        for update in updates if isinstance(updates, list) else ():
            if isinstance(update, dict) and isinstance(number := update.get("update_id"), int):
                self._receive(number, update)

    def confirm(self) -> None:
        """Let Telegram forget what was done last; if that fails, it comes again and is known."""
        try:
            self._api("getUpdates", offset=min(self._open, default=self._next) or None, limit=1, timeout=0)
        except (BotRefused, Unreachable):
            return

    def _receive(self, number: int, update: Mapping[str, Any]) -> None:
        with self._lock:
            if number in self._seen:
                return
            self._seen.add(number)
            self._next = max(self._next, number + 1)
            self._open.add(number)
        work = self._take(update)
        if work is None:
            self._close(number)
        else:
            self._workers.add(work, lambda: self._close(number))

    def _close(self, number: int) -> None:
        with self._lock:
            self._open.discard(number)
        self._wake()

    def _failed(self, exc: Exception, why: Sentence, after: float = 0.0) -> None:
        """Wait before the next try, longer each time; what waiting does not mend is raised."""
        self._failures += 1
        if isinstance(exc, BotRefused):
            need_token(exc)
            if exc.code == 409 and self._failures >= _CONFLICTS:
                sentence = "another program receives this bot's messages ({why}); stop it, or use another bot"
                raise ConfigError(sentence, why=why)
        if self._failures == 1:
            log.warning("Telegram cannot be reached, trying again: %s", why)
        self._pause(max(after, min(2.0 ** (self._failures - 1), _LONGEST_PAUSE)))


def need_token(exc: BotRefused) -> None:
    """Raise ConfigError if a token was refused: Telegram knows no bot by it."""
    if exc.code in (401, 404):
        sentence = (
            "Telegram does not accept the token in ALMARIO_TELEGRAM_TOKEN; copy it again from @BotFather"
        )
        raise ConfigError(sentence)
