"""The process that stays for hooks: it has the agents of a home at hand, and the model of meaning loaded.

There is one for each home, begun by the first hook, or the daemon is it. It is asked at a Unix socket that
nobody but its owner can open, in the form in which a server is asked. It ends when nobody has asked for a
while, the home is no longer there, or another version of Almario was installed; whoever asks it for what is
not at hand is sent away at once, and does it without it.

One thread hears every call; each agent has a queue, and a few threads answer in turn. A call for which there
is no room, or whose turn does not come soon, is sent away too: its hook lets wait what it was told, and that
is kept here when nobody waits.
"""

import contextlib
import gc
import json
import os
import select
import selectors
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self

import almario
from almario.apps.daemon.bounds import END, Turns, bounded
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.entry import MOST_SERVED, settings_in
from almario.apps.hooks.hooking import BRISK, answered, learn_apart, note
from almario.domain.turns import SOON
from almario.errors import AlmarioError
from almario.served import RESIDENT_FILE
from almario.wiring.souls import Souls, identity, make_folder, overwrite, staying

_SOCKET = "hooks.sock"
# The address of a socket may have so many bytes on every system.
_LONGEST_ADDRESS = 100
# Every so many seconds it is looked whether all is as it was, and the lock tried that another process has.
_CHECK, _STANDBY = 30.0, 5.0
# So many seconds a call may take to come, and what is under way when the end has come.
_PATIENCE, _GRACE = 2.0, 2.0
# After so many seconds a call is sent away whose turn has not come, or that is not answered, unless it is the
# only one: its hook waits a little longer. So often is that looked at, and the spool once it is quiet again.
_TURN, _VERDICT, _LOOK, _QUIET = 0.3, 0.6, 0.1, 2.0
# So many calls wait or are answered at once, in so many threads; so many are heard at once.
_ROOM, _THREADS, _HEARD = 16, 4, 64
# So much of what waits is kept in one turn.
_A_LITTLE = 8
# So many processes learn at once, and so many sessions wait for that; the others are found later.
_LEARNERS, _TO_LEARN = 2, 16
_HEAD, _LENGTH = b"\r\n\r\n", b"content-length:"
# What is written in JSON takes more room.
_MOST = 8 * MOST_SERVED
# What is answered to a call that is not for us, or too early; that makes no sense; that failed; for which
# there is no room.
_NOT_HERE, _WRONG, _FAILED, _CROWDED = 409, 400, 500, 503


def installed() -> object:
    """Return what changes when another version of this program is put in the place of this one."""
    try:
        found = os.stat(almario.__file__)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class _Call:
    """A call, as it comes; it is answered once."""

    def __init__(self, connection: socket.socket) -> None:
        # When it had begun to come, and then when all of it was there.
        self.since = monotonic()
        self.is_heard = self.is_begun = self.is_answered = False
        self._connection = connection
        self._content = bytearray()
        self._starts = self._ends = 0  # where the body is, once that is known
        self._answering = threading.Lock()
        connection.setblocking(False)

    def fileno(self) -> int:
        return self._connection.fileno()

    def has_waited(self, seconds: float) -> bool:
        return monotonic() >= self.since + seconds

    def hear(self) -> bytes | None:
        """Take in what has come; return the body if it is whole, nothing of one that will not be."""
        try:
            piece = self._connection.recv(1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            piece = b""
        self._content += piece
        if not self._starts and (at := self._content.find(_HEAD)) >= 0:
            lines = bytes(self._content[:at]).lower().split(b"\r\n")
            lengths = [line[len(_LENGTH) :].strip() for line in lines if line.startswith(_LENGTH)]
            length = int(lengths[0]) if lengths and lengths[0].isdigit() else 0
            self._starts = at + len(_HEAD)
            self._ends = self._starts + length
        size, is_too_long = len(self._content), max(self._ends, len(self._content)) > _MOST
        if piece and not is_too_long and (not self._starts or size < self._ends):
            return None
        self.is_heard, self.since = True, monotonic()
        return bytes(self._content[self._starts :]) if self._starts and size == self._ends else b""

    def answer(self, status: int, text: str = "") -> None:
        """Answer, unless that was done."""
        with self._answering:
            if self.is_answered:
                return
            self.is_answered = True
        content = text.encode("utf-8", "replace")
        head = f"HTTP/1.0 {status} -\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        with self._connection, contextlib.suppress(OSError):  # it went away
            self._connection.settimeout(_PATIENCE)
            self._connection.sendall(head + content)


class Resident:
    """Answers the hooks of a home; all its agents are closed when it ends."""

    def __init__(
        self,
        home: str | Path | None,
        *,
        settings: Mapping[str, Any] | None = None,
        is_lasting: bool = False,
        clock: Callable[[], float] = monotonic,
        version: Callable[[], object] = installed,
    ) -> None:
        """*is_lasting* says that it stays though nobody asks; *clock* counts seconds."""
        self._souls = Souls(home, settings={**BRISK, **(settings or {})})
        self._root = self._souls.root
        self._is_lasting = is_lasting
        self._clock = clock
        self._version, self._begun_as = version, version()
        self._last_call = clock()
        self._at_hand: set[str] = set()
        # When something was last said, by agent and session: what is left there is learned from.
        self._said: dict[tuple[str, str], float] = {}
        self._calls: set[_Call] = set()
        self._turns = Turns(_THREADS, _ROOM)
        self._learning = Turns(_LEARNERS, _TO_LEARN)
        # Of whom some were sent away, so that something may wait.
        self._behind: set[str] = set()
        self._is_stopped = False
        self._is_current: Callable[[], bool] = lambda: False
        self._bell, self._ear = socket.socketpair()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._bell.close()
        self._ear.close()

    def run(self, agent: str | None = None) -> bool:
        """Answer hooks until the end has come; False if another process answers them.

        If an *agent* is named, nobody is let in before it is at hand.
        """
        if not self._minutes():
            return False
        with contextlib.ExitStack() as held:
            if not held.enter_context(staying(self._root)):
                return False
            try:
                if agent is not None:
                    self._bring(self._souls.chosen(agent))
                self._last_call = self._clock()
                with self._let_in() as listening:
                    self._listen(listening)
            finally:
                self._learning.end(0)
                # While somebody is answered nothing is closed: whoever opens the agent next does that.
                if self._turns.end(_GRACE):
                    self._souls.close()
        return True

    def stop(self) -> None:
        """Let it end, whichever thread or signal asks for it."""
        self._is_stopped = True
        self.check()

    def check(self) -> None:
        """Let it look at once whether the end has come."""
        self._bell.send(b"!")

    def wait(self, seconds: float) -> bool:
        """Wait so long for being stopped, and say whether it is."""
        select.select([self._ear], [], [], seconds)
        return self._is_stopped

    @contextlib.contextmanager
    def _let_in(self) -> Iterator[socket.socket]:
        """Listen where hooks look; when the end has come, nobody finds us, and then nobody is let in."""
        file = self._root / RESIDENT_FILE
        make_folder(file.parent)
        os.chmod(file.parent, 0o700)
        home = identity(self._root)
        with socket.socket(socket.AF_UNIX) as listening:
            with contextlib.ExitStack() as undone:
                address = _bound(listening, file.parent / _SOCKET, undone)
                listening.listen(64)
                place = identity(address)
                content = json.dumps({"socket": str(address), "pid": os.getpid()}).encode()
                overwrite(file, content)
                undone.callback(_remove, file, content)
                self._is_current = lambda: (
                    self._version() == self._begun_as
                    and (identity(self._root), identity(address)) == (home, place)
                )
                yield listening
            with contextlib.suppress(BlockingIOError):
                while True:  # who found us just before
                    self._calls.add(_Call(listening.accept()[0]))
            for call in self._calls:
                if not call.is_begun:
                    call.answer(_NOT_HERE)

    def _listen(self, listening: socket.socket) -> None:
        listening.setblocking(False)
        with selectors.DefaultSelector() as hearing:
            hearing.register(self._ear, selectors.EVENT_READ)
            hearing.register(listening, selectors.EVENT_READ)
            while not self._is_over():
                self._learn_what_is_left()
                ready = [key.fileobj for key, _ in hearing.select(self._seconds())]
                if self._ear in ready and not self._is_stopped:
                    self._ear.recv(64)
                if listening in ready and len(self._calls) < _HEARD:
                    with contextlib.suppress(BlockingIOError):
                        call = _Call(listening.accept()[0])
                        hearing.register(call, selectors.EVENT_READ)
                        self._calls.add(call)
                for call in self._calls.intersection(ready):
                    if (body := call.hear()) is not None:
                        hearing.unregister(call)
                        self._last_call = self._clock()
                        self._receive(call, body)
                self._look_after(hearing)
                if not ready and not self._calls:
                    self._catch_up()

    def _learn_what_is_left(self) -> None:
        """Begin to learn from sessions in which nobody has spoken for a while: some programs tell no end."""
        until = self._clock() - SOON.total_seconds()
        left = [each for each, at in list(self._said.items()) if at <= until]
        for each in left:
            self._said.pop(each, None)
        for agent in {agent for agent, _ in left}:
            self._learn(agent, "")

    def _seconds(self) -> float:
        """Return for how long nothing need be looked at, unless somebody calls."""
        if self._calls or self._behind:
            return _LOOK if self._calls else _QUIET
        left = self._last_call + 60 * self._minutes() - self._clock()
        return _CHECK if self._is_lasting else min(_CHECK, max(left, 1.0))

    def _receive(self, call: _Call, body: bytes) -> None:
        """Give a call its place in the queue of its agent, or send it away."""
        try:
            given = json.loads(body)
            name = self._agent_for(given)
        except (AlmarioError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            call.answer(_WRONG)
            return
        if not name:
            call.answer(_NOT_HERE)
        elif not self._turns.add(name, partial(self._take_turn, call, name, given)):
            call.answer(_CROWDED)
            self._behind.add(name)

    def _look_after(self, hearing: selectors.BaseSelector) -> None:
        """Send away who has waited for too long, in the middle of a call or for an answer to it."""
        for call in [each for each in self._calls if not each.is_answered]:
            if not call.is_heard and call.has_waited(_PATIENCE):
                hearing.unregister(call)
                call.answer(_WRONG)
            elif call.is_heard and call.has_waited(_VERDICT) and self._turns.count > 1:
                call.answer(_CROWDED)
        self._calls = {each for each in self._calls if not each.is_answered}

    def _catch_up(self) -> None:
        """Keep what waits of those who were sent away, now that it is quiet, and let all hooks ask again."""
        behind, self._behind = self._behind, set()
        if behind:
            with contextlib.suppress(OSError):
                os.utime(self._root / RESIDENT_FILE)
        for name in list(behind):
            self._turns.follow(name, partial(self._be_ready, name))

    def _is_over(self) -> bool:
        is_idle = self._clock() >= self._last_call + 60 * self._minutes() and not self._is_lasting
        is_at_work = bool(self._calls) or self._turns.count > 0
        return self._is_stopped or not self._is_current() or (is_idle and not is_at_work)

    def _minutes(self) -> int:
        """Return for how long it may stay; not at all if nobody wants that, or the settings are wrong."""
        try:
            return self._souls.config().settings.hooks.resident_minutes
        except AlmarioError:
            return 0

    def _take_turn(self, call: _Call, name: str, given: Mapping[str, Any]) -> None:
        """Answer one call; one that fails is not answered, and the hook does it without us."""
        if call.has_waited(_TURN):
            call.answer(_CROWDED)
            self._behind.add(name)
            return
        call.is_begun = True
        call.answer(*self._answered(name, given))
        self._last_call = self._clock()
        self._turns.follow(name, partial(self._be_ready, name))

    def _answered(self, name: str, given: Mapping[str, Any]) -> tuple[int, str]:
        since = monotonic()
        try:
            payload, ref = given["told"].encode("utf-8", "replace"), given["ref"]
            client, environment = given["client"], dict(given["environment"])
            call = read_call(given["event"], payload, client, environment, ref, home=self._root)
        except (AlmarioError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _WRONG, ""
        if not call.has_content:
            return 200, ""
        try:
            soul = self._souls.soul(name)
            answer, count = answered(soul, call, partial(self._learn, soul.id))
        except AlmarioError:
            return _FAILED, ""
        note(self._root, call, since, count)
        self._said[soul.id, call.session] = self._clock()
        return 200, answer

    def _be_ready(self, name: str) -> None:
        """Keep what waits, a little at a time, and make the next message find all at once."""
        with contextlib.suppress(AlmarioError):
            soul = self._souls.soul(name)
            if not soul.companion.take_in(_A_LITTLE):
                self._turns.follow(name, partial(self._be_ready, name))
                return
            soul.memory.prepare()

    def _agent_for(self, given: Mapping[str, Any]) -> str:
        """Return the agent that a call is for; none if it is not ours, or not at hand yet."""
        if not self._is_meant(given["home"], given["settings"]):
            return ""
        name = self._souls.chosen(given["agent"]).lower()
        is_open = self._souls.home.papers.is_shared or self._souls.is_open(name)
        if name in self._at_hand and is_open:
            return name
        self._turns.follow(name, partial(self._bring, name))
        return ""

    def _is_meant(self, home: str, settings: Mapping[str, str]) -> bool:
        """Return whether a call is for this home as it is now, with the settings that we have."""
        try:
            is_here = os.path.samefile(home, self._root) and self._is_current()
        except OSError:
            return False
        return is_here and settings == settings_in(os.environ)

    def _bring(self, name: str) -> None:
        """Open an agent, and load what it needs to find by meaning and to hear a message."""
        with contextlib.suppress(AlmarioError):
            soul = self._souls.soul(name)
            self._souls.warm_up([name], lambda: self._is_stopped)
            soul.companion.get_ready()
            soul.memory.prepare()
            gc.freeze()  # all this stays, so that it need not be searched for garbage while somebody waits
            self._at_hand.add(name.lower())

    def _learn(self, agent: str, session: str) -> None:
        """Begin to learn when it can be; the process outlives us, but while we are there, we hear it end."""
        self._learning.add(agent, lambda: learn_apart(str(self._root), agent, session).wait())


def stay(home: str | None, agent: str | None, settings: Mapping[str, Any]) -> None:
    """Stay for the hooks of a home until a signal ends that, or nobody has asked for a while."""
    with bounded() as end, Resident(home, settings=settings) as resident:

        def stop(*_: object) -> None:
            end()
            resident.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the terminal is gone
        resident.run(agent or "")


@contextlib.contextmanager
def answering(home: str | None, settings: Mapping[str, Any]) -> Iterator[None]:
    """Answer hooks in a thread for as long as this is open, once no other process does."""
    with Resident(home, settings=settings, is_lasting=True) as resident:

        def run() -> None:
            with contextlib.suppress(AlmarioError):  # the home is gone
                while not resident.run() and not resident.wait(_STANDBY):
                    pass

        thread = threading.Thread(target=run, name="almario-hooks", daemon=True)
        thread.start()
        try:
            yield
        finally:
            resident.stop()
            thread.join(END)


def _bound(listening: socket.socket, wanted: Path, undone: contextlib.ExitStack) -> Path:
    """Bind a socket where only its owner can open it, there or, if that is too long, in a folder of ours."""
    address = wanted
    if len(os.fsencode(wanted)) > _LONGEST_ADDRESS:
        folder = tempfile.mkdtemp(prefix="almario-")
        undone.callback(os.rmdir, folder)
        address = Path(folder, _SOCKET)
    with contextlib.suppress(FileNotFoundError):
        address.unlink()  # of one that was killed: the lock is ours
    listening.bind(str(address))
    os.chmod(address, 0o600)
    undone.callback(_remove, address)
    return address


def _remove(path: Path, content: bytes | None = None) -> None:
    with contextlib.suppress(OSError):
        if content is None or path.read_bytes() == content:
            path.unlink()
