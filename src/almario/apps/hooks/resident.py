"""The process that stays for hooks: it has the agents of a home at hand, and the model of meaning loaded.

There is one for each home, begun by the first hook, or the daemon is it. It is asked at a Unix socket that
nobody but its owner can open, in the form in which a server is asked. It ends when nobody has asked for a
while, the home is no longer there, or another version of Almario was installed; whoever asks it for what is
not at hand is sent away at once, and does it without it.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Self

import almario
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.entry import MOST_SERVED, settings_in
from almario.apps.hooks.hooking import BRISK, answered, learn_apart, note
from almario.domain.turns import SOON
from almario.errors import AlmarioError
from almario.served import RESIDENT_FILE
from almario.soul import Soul
from almario.wiring.souls import Souls, identity, make_folder, overwrite, staying

_SOCKET = "hooks.sock"
# The address of a socket may have so many bytes on every system.
_LONGEST_ADDRESS = 100
# Every so many seconds it is looked whether all is as it was, and the lock tried that another process has.
_CHECK, _STANDBY = 30.0, 5.0
# So many seconds a call may take to come, and what is under way when the end has come.
_PATIENCE, _GRACE = 2.0, 3.0
_HEAD, _LENGTH = b"\r\n\r\n", b"content-length:"
# What is written in JSON takes more room.
_MOST = 8 * MOST_SERVED
# What is answered to a call that is not for us, or too early; that makes no sense; that failed.
_NOT_HERE, _WRONG, _FAILED = 409, 400, 500


def installed() -> object:
    """Return what changes when another version of this program is put in the place of this one."""
    try:
        found = os.stat(almario.__file__)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


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
        self._threads: set[threading.Thread] = set()
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
                for thread in list(self._threads):
                    thread.join(_GRACE)
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
            listening.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:  # who found us just before
                    self._take(listening)

    def _listen(self, listening: socket.socket) -> None:
        while not self._is_over():
            self._learn_what_is_left()
            left = self._last_call + 60 * self._minutes() - self._clock()
            seconds = _CHECK if self._is_lasting else min(_CHECK, max(left, 1.0))
            called, _, _ = select.select([listening, self._ear], [], [], seconds)
            if listening in called:
                self._take(listening)
            elif called and not self._is_stopped:
                self._ear.recv(64)

    def _learn_what_is_left(self) -> None:
        """Begin to learn from sessions in which nobody has spoken for a while: some programs tell no end."""
        until = self._clock() - SOON.total_seconds()
        left = [each for each, at in list(self._said.items()) if at <= until]
        for each in left:
            self._said.pop(each, None)
        for agent in {agent for agent, _ in left}:
            self._learn(agent, "")

    def _take(self, listening: socket.socket) -> None:
        connection, _ = listening.accept()
        thread = threading.Thread(target=self._hear, args=(connection,), daemon=True)
        self._threads = {each for each in self._threads if each.is_alive()} | {thread}
        thread.start()

    def _is_over(self) -> bool:
        is_idle = self._clock() >= self._last_call + 60 * self._minutes() and not self._is_lasting
        is_at_work = any(thread.is_alive() for thread in self._threads)
        return self._is_stopped or not self._is_current() or (is_idle and not is_at_work)

    def _minutes(self) -> int:
        """Return for how long it may stay; not at all if nobody wants that, or the settings are wrong."""
        try:
            return self._souls.config().settings.hooks.resident_minutes
        except AlmarioError:
            return 0

    def _hear(self, connection: socket.socket) -> None:
        """Answer one call; one that fails is not answered, and the hook does it without us."""
        self._last_call = self._clock()
        soul = None
        with connection:
            connection.settimeout(_PATIENCE)
            with contextlib.suppress(OSError):  # it went away
                status, answer, soul = self._answered(_body(connection))
                content = answer.encode("utf-8", "replace")
                head = f"HTTP/1.0 {status} -\r\nContent-Length: {len(content)}\r\n\r\n".encode()
                connection.sendall(head + content)
        if soul:
            with contextlib.suppress(AlmarioError):
                soul.memory.prepare()  # nobody waits for it, and the next message finds all at once
        self._last_call = self._clock()

    def _answered(self, body: bytes) -> tuple[int, str, Soul | None]:
        since = monotonic()
        try:
            given = json.loads(body)
            payload, ref = given["told"].encode("utf-8", "replace"), given["ref"]
            client, environment = given["client"], dict(given["environment"])
            call = read_call(given["event"], payload, client, environment, ref, home=self._root)
            soul = self._soul_for(given) if call.has_content else None
        except (AlmarioError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _WRONG, "", None
        if not soul:
            return (_NOT_HERE if call.has_content else 200), "", None
        try:
            answer, count = answered(soul, call, lambda session: self._learn(soul.id, session))
        except AlmarioError:
            return _FAILED, "", None
        note(self._root, call, since, count)
        self._said[soul.id, call.session] = self._clock()
        return 200, answer, soul

    def _soul_for(self, given: Mapping[str, Any]) -> Soul | None:
        """Return the agent that a call is for; None if it is not ours, or not at hand yet."""
        if not self._is_meant(given["home"], given["settings"]):
            return None
        name = self._souls.chosen(given["agent"])
        is_open = self._souls.home.papers.is_shared or self._souls.is_open(name)
        if name.lower() in self._at_hand and is_open:
            return self._souls.soul(name)
        threading.Thread(target=self._bring, args=(name,), daemon=True).start()
        return None

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
        process = learn_apart(str(self._root), agent, session)
        # It outlives us, but as long as we are there, somebody has to hear that it ended.
        threading.Thread(target=_awaited, args=(process.pid,), daemon=True).start()


def _awaited(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def stay(home: str | None, agent: str | None, settings: Mapping[str, Any]) -> None:
    """Stay for the hooks of a home until a signal ends that, or nobody has asked for a while."""
    with Resident(home, settings=settings) as resident:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: resident.stop())
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
            thread.join()


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


def _body(connection: socket.socket) -> bytes:
    """Read a request, and return its body; nothing if it is too long, or not whole."""
    heard = b""
    while _HEAD not in heard and (piece := connection.recv(1 << 16)):
        heard += piece
    head, _, body = heard.partition(_HEAD)
    lengths = [line[len(_LENGTH) :] for line in head.lower().split(b"\r\n") if line.startswith(_LENGTH)]
    length = int(lengths[0]) if lengths and lengths[0].strip().isdigit() else 0
    pieces, missing = [body], length - len(body)
    while 0 < missing <= _MOST and (piece := connection.recv(min(missing, 1 << 16))):
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces) if missing == 0 else b""
