"""The process: one at a time keeps a home, makes its rounds every minute, and stops when it is told to.

The rounds are made in a thread of their own, so that a model that takes its
time holds up neither the heartbeat nor the end: what is under way when the
process ends is in the journal, and whoever comes next goes on from there.
"""

import contextlib
import os
import select
import signal
import threading
from collections.abc import Iterator, Sequence
from typing import Protocol

from almario.apps.daemon.bounds import bounded
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound
from almario.wiring.daemon_parts import Housekeeping, identity, leading, overheard

STOP = (signal.SIGTERM, signal.SIGINT)
RENEW = signal.SIGHUP
_NO_SIGNAL = 0


class Signals:
    """Waits for a signal, for anybody who wakes it, or for a time to pass."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    @contextlib.contextmanager
    def caught(self) -> Iterator[None]:
        """Catch the signals that steer a daemon, whichever thread the system gives them to.

        Once one has come that stops it, the process is soon over.
        """
        with bounded() as end:

            def hear(number: int, _: object) -> None:
                if number in STOP:
                    end()

            before = {number: signal.signal(number, hear) for number in (*STOP, RENEW)}
            woken = signal.set_wakeup_fd(self._in, warn_on_full_buffer=False)
            try:
                yield
            finally:
                signal.set_wakeup_fd(woken)
                for number, handler in before.items():
                    signal.signal(number, handler)

    def wait(self, seconds: float) -> list[int]:
        """Return the signals that came, as soon as there are any; none if it was woken or time has passed."""
        select.select([self._out], [], [], seconds)
        try:
            return [number for number in os.read(self._out, 512) if number != _NO_SIGNAL]
        except BlockingIOError:
            return []

    def wake(self, number: int = _NO_SIGNAL) -> None:
        """End the wait, as a signal does if one is named."""
        with contextlib.suppress(BlockingIOError):  # a pipe that is full wakes anyway
            os.write(self._in, bytes([number]))


# Every so many seconds: a round, a look whether the other daemon is still there.
_ROUND, _STANDBY = 60.0, 5.0
# For so many seconds the step at hand may be finished when the end has come.
_GRACE = 2.0
# Whoever woke us because a round is over may need so long to be gone.
_JUST_OVER = 0.5
_OTHER_WORKS = Sentence("another daemon is already running for this home")


class Waiting(Protocol):
    """What is waited with; `Signals` is one."""

    def wait(self, seconds: float) -> Sequence[int]: ...
    def wake(self) -> None: ...


class Daemon:
    """Keeps a home for as long as nothing tells it to stop."""

    def __init__(self, upkeep: Housekeeping, signals: Waiting) -> None:
        self._upkeep = upkeep
        self._signals = signals

    def run(self, *, once: bool = False) -> bool:
        """Keep the home, or stand by until the one who does is gone; *once*, make one round and end.

        Returns whether there was anything to keep: once only, with another at it, there is not.
        AgentNotFound: the home was removed, or another was put in its place, which nobody keeps yet.
        """
        log = self._upkeep.logbook
        is_announced = False
        while True:
            with leading(self._upkeep.root) as is_leader:
                if is_leader:
                    self._lead(once=once)
                    return True
            if not is_announced:
                log.add("standby", why=_OTHER_WORKS)
                is_announced = True
            if once or self._is_stopped(self._signals.wait(_STANDBY)):
                return False

    def _lead(self, *, once: bool) -> None:
        rounds, state, log = self._upkeep.rounds, self._upkeep.state, self._upkeep.logbook
        state.begin(os.getpid())
        log.add("started")
        held = identity(self._upkeep.lock)
        with overheard(log):
            worker = self._round(once=once)
            while not self._is_stopped(self._signals.wait(_ROUND)):
                if identity(self._upkeep.lock) != held:
                    rounds.stop()
                    worker.join(_GRACE)
                    sentence = "the folder {path} no longer exists"
                    raise AgentNotFound(sentence, path=str(self._upkeep.root))
                state.save()
                worker.join(_JUST_OVER)
                if not worker.is_alive():
                    if once:
                        break
                    worker = self._round()
            rounds.stop()
            worker.join(_GRACE)
            # While a model is being asked nothing is closed: whoever opens the agent next does that.
            if not worker.is_alive():
                rounds.close()
        state.end()
        log.add("stopped")

    def _round(self, *, once: bool = False) -> threading.Thread:
        """Begin a round; the one that is made *once* is whole, and wakes whoever waits when it is over."""

        def make() -> None:
            try:
                self._upkeep.rounds.make(whole=once)
            finally:
                if once:
                    self._signals.wake()

        worker = threading.Thread(target=make, name="almario-rounds", daemon=True)
        worker.start()
        return worker

    def _is_stopped(self, signals: Sequence[int]) -> bool:
        """Return whether the end has come; if the settings have changed, they are read again."""
        if RENEW in signals:
            self._upkeep.rounds.renew()
        return any(number in STOP for number in signals)
