"""The process that runs a model, and serves it on the loopback until nobody has asked for a while.

It is started by `model_process`, and lives on when whoever started it ends, so that the next command
finds the model loaded and the prompt in its cache. Two files say how it stands:

- NAME.run is locked for as long as it lives, and has its address once it answers;
- NAME.use is locked by those who ask, all at once; its time is when the last of them was done.
"""

import fcntl
import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Any

# While somebody asks, it is looked so often whether they are done.
_LOOK = 1.0
# What was evaluated for other conversations is kept, up to so many MiB.
_CACHE_MIB = 512


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
            time.sleep(_LOOK)
            continue
        left = seconds - (time.time() - os.fstat(users.fileno()).st_mtime)
        if left <= 0:
            return
        fcntl.flock(users, fcntl.LOCK_UN)
        time.sleep(min(left, seconds))  # a clock that was set back makes nobody wait for ever


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
