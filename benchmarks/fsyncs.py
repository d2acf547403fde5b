"""Counts what reaches the disk while one thing is remembered, as strace sees it from outside."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import almario

TIMES = 5
_SYNCS = "fsync,fdatasync,msync,sync,syncfs,sync_file_range"
_BEGIN, _END = "remember begins", "remember ends"
_SYNC = re.compile(r"\b(?:fsync|fdatasync|msync|syncfs|sync_file_range)\(\d+<([^>]*)>|\bsync\(\)")


def of_remember(home: Path) -> str:
    """Return what is synced between the call of `remember` and its return."""
    strace = shutil.which("strace")
    if strace is None:
        return "not counted: strace is not installed"
    with tempfile.NamedTemporaryFile(suffix=".strace") as out:
        traced = [strace, "-f", "-y", "-e", f"trace={_SYNCS},write", "-o", out.name]
        done = subprocess.run(
            [*traced, sys.executable, "-m", "benchmarks.fsyncs", str(home)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return f"not counted: strace ended with {done.returncode}"
        calls = _per_call(Path(out.name).read_text(errors="replace"))
    kinds = Counter(" + ".join(sorted(call)) or "none" for call in calls)
    return ", ".join(f"{kind} (×{times})" for kind, times in kinds.items())


def _per_call(trace: str) -> list[list[str]]:
    """Return, for each call, the folders or files that were synced during it."""
    calls: list[list[str]] = []
    inside = False
    for line in trace.splitlines():
        if _BEGIN in line:
            inside = True
            calls.append([])
        elif _END in line:
            inside = False
        elif inside and (found := _SYNC.search(line)):
            calls[-1].append(_short(found[1] or "everything"))
    return calls


def _short(path: str) -> str:
    """Name what was synced: the journal, the index, or the file itself."""
    parts = Path(path).parts
    for known in ("journal", ".index", "sessions"):
        if known in parts:
            return known if Path(path).suffix else f"{known}/"
    return Path(path).name


def _remember_a_few() -> None:
    soul = almario.open(sys.argv[1])
    soul.remember("warming: up, so that nothing is made for the first time")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in range(TIMES):
        text = f"counted {number}: a fact that nobody has told before, number {number}"
        os.write(nowhere, _BEGIN.encode())
        soul.remember(text)
        os.write(nowhere, _END.encode())


if __name__ == "__main__":
    _remember_a_few()
