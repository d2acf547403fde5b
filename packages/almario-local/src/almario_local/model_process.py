"""The process of a model, from outside: found if it runs, started if not, stopped when it is told to."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from almario.errors import LLMUnavailable
from almario.named_tuples import NamedTuple

_COMMAND = (sys.executable, "-m", "almario_local.model_box")
# Threads that wait for each other in a loop are ten times slower where anything else runs.
_PATIENT = {"OMP_WAIT_POLICY": "passive"}
_POLL = 0.05
# A model on a slow disk takes its time to load.
_LONGEST_START = 600.0


def is_installed() -> bool:
    """Return whether the packages are here that run a model and ask it."""
    return all(find_spec(package) is not None for package in ("xllamacpp", "openai"))


class Address(NamedTuple):
    """Where a running model is asked, with what key, and its process."""

    url: str
    token: str
    pid: int


class ModelProcess:
    """The process that runs one file of weights, the same for every command of this user."""

    def __init__(self, weights: Path, *, context: int = 16_384, idle: float = 600.0) -> None:
        self._weights = weights
        self._settings = (str(context), str(idle))
        self._run, self._use, self._log = (weights.with_suffix(end) for end in (".run", ".use", ".log"))

    @property
    def name(self) -> str:
        return self._weights.stem

    def is_there(self) -> bool:
        """Return whether there is anything to run."""
        return self._weights.is_file()

    def address(self) -> Address | None:
        """Return where it is asked; None if it does not run, or does not answer yet."""
        try:
            with open(self._run, encoding="utf-8") as state:
                if not _is_locked(state.fileno()):
                    return None
                return Address(**json.load(state))
        except (OSError, ValueError, TypeError):
            return None

    @contextlib.contextmanager
    def in_use(self) -> Iterator[Address]:
        """Start it if need be, and keep it until the block ends; LLMUnavailable if it cannot start."""
        with open(os.open(self._use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "rb") as use:
            fcntl.flock(use, fcntl.LOCK_SH)
            try:
                yield self.address() or self._started()
            finally:
                os.utime(use.fileno())

    def stop(self) -> bool:
        """End it now, whoever is asking; False if it does not run."""
        address = self.address()
        if address is None:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(address.pid, signal.SIGTERM)
        with open(self._run, encoding="utf-8") as state:
            fcntl.flock(state, fcntl.LOCK_SH)  # until it is gone
        return True

    def forget(self) -> None:
        """Remove the weights, and what stands beside them."""
        self.stop()
        for path in (self._weights, self._run, self._use, self._log):
            path.unlink(missing_ok=True)

    def _started(self) -> Address:
        process = self._start()
        deadline = time.monotonic() + _LONGEST_START
        while time.monotonic() < deadline:
            if address := self.address():
                return address
            if process.poll() is not None and not self._is_loading():
                if process.returncode:
                    raise self._failed()
                process = self._start()  # it made way for another one, which is gone
            time.sleep(_POLL)
        process.kill()
        raise LLMUnavailable(
            "the model {name} was not ready after {seconds:g} seconds", name=self.name, seconds=_LONGEST_START
        )

    def _failed(self) -> LLMUnavailable:
        sentence = (
            "the model {name} could not be started: there is too little free memory, or its file is damaged "
            "({log} says more)"
        )
        return LLMUnavailable(sentence, name=self.name, log=str(self._log))

    def _start(self) -> subprocess.Popen[bytes]:
        command = [*_COMMAND, *map(str, (self._weights, self._run, self._use)), *self._settings]
        with open(
            os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb"
        ) as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=_PATIENT | os.environ,
                start_new_session=True,  # Ctrl-C is meant for the chat
            )
        # Should it end before we do, somebody must take note of it.
        Thread(target=process.wait, name="almario-model", daemon=True).start()
        return process

    def _is_loading(self) -> bool:
        try:
            with open(self._run, "rb") as state:
                return _is_locked(state.fileno())
        except FileNotFoundError:
            return False


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
