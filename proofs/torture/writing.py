"""A writer that acknowledges what it has written, and the check of what is left of it.

Three kinds of work: a journal line, a line in the daily log, a new SOUL.md.
Each carries a token; a token is acknowledged when the call has returned.
"""

import os
import random
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from almario.domain.events import AgentCreated, SoulChanged
from almario.errors import EditConflict
from almario.store import files
from almario.store.folder import FolderStore
from almario.store.settings import LockSettings

FAULTS = ("none", "no-lock", "no-fsync")
# Small files, so that a run sees many new journal files begun.
_ROLL_BYTES = 256 * 1024
_PIECE = 512
_TOKEN = re.compile(r"token-[a-z]+-\d+-\d+")


def write_in_pieces(descriptor: int, content: bytes) -> None:
    """Write as the system may always do, a little at a time, so that a kill lands inside a line."""
    for start in range(0, len(content), _PIECE):
        os.write(descriptor, content[start : start + _PIECE])


def plant(fault: str) -> None:
    """Take a safeguard out of this process and those it forks."""
    files.write_all = write_in_pieces
    if fault == "no-lock":
        files._try_lock = lambda descriptor, path: True
    elif fault == "no-fsync":
        files.sync = lambda descriptor: None


def vault_at(root: Path) -> FolderStore:
    vault = FolderStore(root, lambda: datetime.now(UTC), UTC, locks=LockSettings(seconds=60))
    vault.journal.roll_bytes = _ROLL_BYTES
    return vault


def write_forever(root: Path, acknowledge: int) -> None:
    """Write until killed; each token goes to the descriptor when its write has returned."""
    vault = vault_at(root)
    dice = random.Random(os.urandom(8))
    for count in range(10**9):
        kind = dice.choices(("line", "log", "soul"), (6, 3, 1))[0]
        token = f"token-{kind}-{os.getpid()}-{count}"
        if kind == "line":
            padding = "x" * dice.choice((10, 200, 5_000, 100_000))
            vault.record(AgentCreated(token, padding), actor="owner")
        elif kind == "log":
            vault.add_to_log(f"{token}.", actor="owner")
        else:
            with_token = f"# Soul\n\n{token}\n"
            try:
                vault.write_soul(vault.read("SOUL.md"), with_token, actor="owner", reason=token)
            except EditConflict:
                continue
        os.write(acknowledge, f"{token}\n".encode())


def problems_after(root: Path, acknowledged: list[str]) -> list[str]:
    """Open the folder as the next command would, and say what was promised and is not so."""
    vault = vault_at(root)
    vault.settle()
    vault.record(AgentCreated("token-end-0-0", ""), actor="owner")  # the next write mends the tail
    found = [f"{damage.place} {damage.problem}" for damage in vault.journal.check()]
    lines: Counter[str] = Counter()
    for event in vault.journal.read():
        text = event.body.name if isinstance(event.body, AgentCreated) else ""
        text = event.body.reason if isinstance(event.body, SoulChanged) else text
        lines.update(_TOKEN.findall(text + "".join(filing.text for filing in event.filings)))
    found += [
        f"{token} is in the journal {lines[token]} times" for token in acknowledged if lines[token] != 1
    ]
    found += [
        f"{token} is in the journal {count} times"
        for token, count in lines.items()
        if count > 1 and "end" not in token
    ]
    logs: Counter[str] = Counter()
    for path in sorted((root / "memory").glob("*.md")):
        logs.update(_TOKEN.findall(path.read_text()))
    wanted = [token for token in lines if token.startswith("token-log")]
    found += [f"{token} is in the daily log {logs[token]} times" for token in wanted if logs[token] != 1]
    versions = vault.versions.history("SOUL.md")
    if versions and vault.read("SOUL.md").hash != versions[-1].hash:
        found.append("SOUL.md is not what the journal says")
    return found
