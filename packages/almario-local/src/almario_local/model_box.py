"""The box itself: which models it has and can have, and their processes."""

import fcntl
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from almario.adapters.embedders.cache import cache_folder
from almario.domain.plain_text import nearest
from almario.errors import SoulError
from almario.named_tuples import NamedTuple
from almario_local.model_process import ModelProcess
from almario_local.weights import (
    CATALOGUE,
    SUFFIX,
    ModelFile,
    Progress,
    download,
    memory_here,
    models_here,
    recommended,
    take_file,
)

if TYPE_CHECKING:
    from almario.plugins import ModelSettings

State = Literal["", "begun", "here", "running"]


class ModelEntry(NamedTuple):
    """A model that is here or can be fetched; *memory* is 0 where nobody has measured it."""

    name: str
    size: int
    memory: int
    state: State
    is_recommended: bool


class ModelBox:
    """The models in *folder*, which only this user can enter."""

    def __init__(self, folder: Path, source: str, *, context: int = 16_384, idle: float = 600.0) -> None:
        self.folder = folder
        self.source = source
        self._context = context
        self._idle = idle

    @property
    def recommended(self) -> ModelFile:
        """The model that suits this machine."""
        return recommended(memory_here(), os.cpu_count() or 1)

    def models(self) -> dict[str, Path]:
        """Return the models that are here, the smallest first."""
        return models_here(self.folder)

    def process(self, name: str = "") -> ModelProcess:
        """Return what runs a model; without a name, the largest that is here."""
        name = name or next(reversed(self.models()), self.recommended.name)
        return ModelProcess(self.folder / f"{name}{SUFFIX}", context=self._context, idle=self._idle)

    def entries(self) -> Iterator[ModelEntry]:
        """Yield what can be fetched, then what was taken from files of one's own."""
        here, best = self.models(), self.recommended.name
        for each in CATALOGUE:
            yield ModelEntry(each.name, each.size, each.memory, self._state(each.name), each.name == best)
        for name in here.keys() - {each.name for each in CATALOGUE}:
            yield ModelEntry(name, here[name].stat().st_size, 0, self._state(name), is_recommended=False)

    def wanted(self, name: str) -> ModelFile:
        """Return what a name means; SoulError if nothing is called so."""
        known = {each.name: each for each in CATALOGUE}
        if name not in known:
            close = nearest(name, known) or self.recommended.name
            sentence = (
                'there is no model called "{name}"; did you mean {close}? "almario model list" lists them; '
                "to use a file of your own, give its path, such as ./{name}.gguf"
            )
            raise SoulError(sentence, name=name, close=close)
        return known[name]

    def fetch(self, weights: ModelFile, progress: Progress) -> Path:
        """Fetch a model, unless it is here; LLMUnavailable or StoreError say what failed."""
        return download(weights, self.source, self.folder, progress)

    def take(self, file: str, progress: Progress) -> str:
        """Take a file of one's own, and return its name here."""
        return take_file(Path(file), self.folder, progress)

    def remove(self, name: str) -> None:
        """Stop a model and remove its files; SoulError if it is not here."""
        if os.sep in name or not self._state(name):
            raise SoulError('you have no model called {name}; "almario model list" lists them', name=name)
        self.process(name).forget()
        (self.folder / f"{name}.part").unlink(missing_ok=True)

    def stop(self) -> list[str]:
        """Take every model out of memory, and return their names."""
        return [name for name in self.models() if self.process(name).stop()]

    def _state(self, name: str) -> State:
        process = self.process(name)
        if process.is_there():
            return "running" if process.address() else "here"
        part = self.folder / f"{name}.part"
        return "begun" if part.exists() and part.stat().st_size else ""


def model_box(settings: "ModelSettings", environment: Mapping[str, str] = os.environ) -> ModelBox:
    """Return the models that were fetched, and those that can be."""
    folder = cache_folder(environment) / "models"
    return ModelBox(folder, settings.local_source)


# While somebody asks, it is looked so often whether they are done.
_POLL = 1.0
# What was evaluated for other conversations is kept, up to so many MiB.
_CACHE_MIB = 512
_OTHER = "this release of xllamacpp is not known here; run: pip install 'xllamacpp==2026.10.11549'"


def main(weights: str, run: str, use: str, context: str, idle: str) -> int:
    """Serve *weights* until it has been idle for so many seconds; another one at it is enough."""
    with _private(run) as state, _private(use) as users:
        try:
            fcntl.flock(state, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return 0
        state.truncate(0)
        token = secrets.token_urlsafe(32)
        try:
            server = _serve(weights, token, int(context))
        except RuntimeError as exc:
            print(exc, file=sys.stderr)  # noqa: T201 - into its log
            return 1
        except (AttributeError, TypeError) as exc:  # a release that has other names for what is used here
            print(f"{exc}; {_OTHER}", file=sys.stderr)  # noqa: T201 - as above
            return 1
        state.write(json.dumps({"url": f"{server.listening_address}/v1", "token": token, "pid": os.getpid()}))
        state.flush()
        _wait_until_idle(users, float(idle))
        # Whoever comes now waits for the lock that we hold, and finds nobody: taking the server down in
        # order would take longer than to leave.
        os._exit(0)


def _private(path: str) -> Any:
    return open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+", encoding="utf-8")


def _serve(weights: str, token: str, context: int) -> Any:
    import xllamacpp  # noqa: PLC0415 - only this process needs it

    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.model_alias = {Path(weights).stem}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [token]
    params.n_ctx, params.n_parallel = context, 1
    params.cache_ram_mib = _CACHE_MIB
    # Mapped weights would be in memory twice: as they are, and as this processor likes them.
    params.load_mode = xllamacpp.llama_load_mode.LLAMA_LOAD_MODE_NONE
    params.enable_reasoning = 0
    params.ui = params.endpoint_slots = False
    params.verbosity = 1  # errors, and nothing of what was said
    return xllamacpp.Server(params)


def _wait_until_idle(users: Any, seconds: float) -> None:
    """Return, with the users locked out, once the last of them was done so many seconds ago."""
    os.utime(users.fileno())
    while True:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_POLL)
            continue
        left = seconds - (time.time() - os.fstat(users.fileno()).st_mtime)
        if left <= 0:
            return
        fcntl.flock(users, fcntl.LOCK_UN)
        time.sleep(min(left, seconds))  # a clock that was set back makes nobody wait for ever


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
