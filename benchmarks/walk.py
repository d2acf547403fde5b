"""`python -m benchmarks.walk`: what an `almario remember`, a turn and a hook's message walk through.

Everything is loaded and warm before; then each is done once more, and counted: the files and functions
of Almario that are entered, and what is done to the agent's folder, as if nobody had touched that in the
last two seconds: what is younger is read once more. What is learned from a turn afterwards, in the
background, is no part of the turn.
"""

import contextlib
import fcntl
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, ClassVar

import apsw

import almario
from almario.apps.cli import root
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.hooking import answered
from almario.apps.repl.chat import Chat
from almario.apps.repl.screens import Mute, Typed
from almario.ports import LLM
from almario.store import files
from almario.store.documents import FolderDocuments
from almario.store.journal import FolderJournal
from almario.store.recovery import Recovery
from almario.testing import ScriptedLLM

SOURCE = str(Path(almario.__file__).parent) + os.sep
WORDS_ONLY = {"embedder.name": "none", "llm.model": "none"}
# What is counted by the function that does it.
TAILS, LOOKS, RECOVERIES = "reads of the journal's tail", "looks at the folder", "recoveries"
_DONE_BY: dict[CodeType, str] = {
    FolderJournal._read_end.__code__: TAILS,
    FolderDocuments.marks.__code__: LOOKS,
    Recovery._plan.__code__: RECOVERIES,
}
FILES, FUNCTIONS, READS, LISTINGS, LOCKS = "files", "functions", "file reads", "folder listings", "locks"
STATEMENTS = "SQL statements"
ROWS = (FILES, FUNCTIONS, STATEMENTS, LOOKS, LOCKS, TAILS, RECOVERIES, READS, LISTINGS)
# At most so many, for a `remember` and for a turn.
BARS = {
    FUNCTIONS: "400 and 550",
    LOOKS: "1",
    LOCKS: "1 a write",
    TAILS: "3",
    READS: "15 for a `remember`",
    LISTINGS: "12",
}
_BACKGROUND = "almario-learning"


class Walk:
    """Counts what happens between entering it and leaving it, in every thread but the one that learns."""

    _open: ClassVar["list[Walk]"] = []

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.functions: set[str] = set()
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> "Walk":
        if not hasattr(Walk, "_hooked"):
            sys.addaudithook(_hear)  # for good: a hook cannot be taken out
            Walk._hooked = True  # type: ignore[attr-defined]
        Walk._open.append(self)
        self._recent, files.RECENT_NS = files.RECENT_NS, 0
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *exc: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)
        Walk._open.remove(self)
        files.RECENT_NS = self._recent

    def figures(self) -> dict[str, int]:
        """Return each count by its name."""
        return {FILES: len(self.files), FUNCTIONS: len(self.functions), **self.counts}

    def _see(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "c_call" and arg is fcntl.flock and not _is_background():
            self.counts[LOCKS] += 1
        if event != "call" or not code.co_filename.startswith(SOURCE) or code.co_name == "<module>":
            return
        if _is_background():
            return
        self.files.add(code.co_filename.removeprefix(SOURCE))
        if not code.co_name.startswith("<"):
            self.functions.add(f"{code.co_filename}:{code.co_qualname}")
        if name := _DONE_BY.get(code):
            self.counts[name] += 1

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count what is read of the disk."""
        if event in ("os.listdir", "os.scandir"):
            self.counts[LISTINGS] += 1
        elif event == "open" and str(arguments[0]).endswith((".md", ".jsonl", ".toml")):
            self.counts[READS] += 1


def _is_background() -> bool:
    return threading.current_thread().name == _BACKGROUND


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if Walk._open and event in ("open", "os.listdir", "os.scandir") and not _is_background():
        Walk._open[-1].heard(event, arguments)


def _trace(connection: apsw.Connection) -> None:
    def count(*_: object) -> bool:
        if Walk._open and not _is_background():
            Walk._open[-1].counts[STATEMENTS] += 1
        return True

    connection.exec_trace = count


def remember(home: Path) -> Walk:
    """Walk through `almario remember`, of words only."""
    almario.create(home, settings=WORDS_ONLY).close()
    arguments = ["--home", str(home), "--set", "embedder.name=none", "remember"]
    command = root()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        for text in ("The spare key is with Marta.", "job: designs bridges"):
            command.main([*arguments, text], prog_name="almario", standalone_mode=False)
        with Walk() as walk:
            command.main([*arguments, "The boat needs paint."], prog_name="almario", standalone_mode=False)
    return walk


def turn(home: Path) -> Walk:
    """Walk through one message of a chat and its answer, without a wish or a tool."""
    return _talk(home, ScriptedLLM(*["It is raining in Lisbon, and the ferry is late."] * 6))


def notebook_turn(home: Path) -> Walk:
    """Walk through the same without a model."""
    return _talk(home, None)


def _talk(home: Path, llm: LLM | None) -> Walk:
    almario.create(home, settings=WORDS_ONLY).close()
    with almario.open(home, settings=WORDS_ONLY, llm=llm) as soul:
        soul.remember("job: designs bridges")
        chat = Chat(soul, Mute())
        for text in ("Good morning to you.", "What do you know of my job?"):
            chat.take(Typed(text))
            soul.learning.wait(10)
        with Walk() as walk:
            chat.take(Typed("Which bridge should I look at today?"))
        soul.learning.wait(10)
    return walk


def message(home: Path) -> Walk:
    """Walk through a message to a coding agent, in the process that stays for its hooks."""
    almario.create(home, settings=WORDS_ONLY).close()

    def hear(soul: almario.Soul, event: str, text: str) -> None:
        content = {
            "session_id": "1" * 32,
            "cwd": "/src/first",
            "prompt": text,
            "last_assistant_message": "Done.",
        }
        answered(soul, read_call(event, json.dumps(content).encode(), "claude-code", {}), lambda _: None)

    with almario.open(home, settings=WORDS_ONLY) as soul:
        soul.companion.get_ready()
        for text in ("The bridge has a build of its own.", "Its tests run in a container."):
            hear(soul, "user-prompt", text)
            hear(soul, "stop", text)
            soul.memory.prepare()
        with Walk() as walk:
            hear(soul, "user-prompt", "Why does the build of the bridge fail?")
    return walk


WALKS: dict[str, Callable[[Path], Walk]] = {
    "remember": remember,
    "turn": turn,
    "turn without a model": notebook_turn,
    "hook's message": message,
}


def rows(walks: dict[str, dict[str, int]]) -> Iterator[str]:
    """Yield a table of what was counted."""
    yield "| | " + " | ".join(walks) + " | at most |"
    yield "|---|" + "---:|" * (len(walks) + 1)
    for name in ROWS:
        counts = " | ".join(str(each.get(name, 0)) for each in walks.values())
        yield f"| {name} | {counts} | {BARS.get(name, '')} |"


def main() -> None:
    """Print what was counted; with `--files`, which files they were."""
    apsw.connection_hooks.append(_trace)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, walk_through in WALKS.items():
            found[name] = walk_through(Path(folder) / name)
    print("\n".join(rows({name: walk.figures() for name, walk in found.items()})))
    if "--files" in sys.argv:
        for name, walk in found.items():
            print(f"\n{name}: " + " ".join(sorted(walk.files)))


if __name__ == "__main__":
    main()
