"""`python -m benchmarks.hook_time`: how long a hook computes, for a message by its length and before a tool.

A process that stays answers it, with all loaded that is loaded once, beside 2,000 and 20,000 passages that
were said in the sessions of one project; a message, or a command, is made of their words. Then the same for
the messages through such a process of its own, by the clock.
"""

import gc
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count, product
from pathlib import Path

import almario
from almario.apps.daemon.apart import start_answering
from almario.apps.hooks import HookQuestion
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.entry import by_server
from almario.apps.hooks.hooking import answered
from almario.domain.turns import Utterance, session_key
from almario.projects import project_at
from almario.served import resident_at
from almario.soul import Soul
from benchmarks.texts import passages

EMBEDDERS = {"by meaning too": "local", "by words": "none"}
SIZES, WORDS, PER_SESSION = (2_000, 20_000), 15, 200
LENGTHS = (40, 300, 2_000)
MESSAGES = 30
FOLDER = "/src/first"
# For so long a process that stays may take to be ready.
PATIENCE = 120.0

# Answers a message, the first of its session, and returns for how many milliseconds somebody waits.
Answers = Callable[[bytes], float]


def lived(home: Path, embedder: str, size: int) -> Soul:
    """Return an agent that was told all the passages, each in a session of the project."""
    soul = almario.create(home, settings={"embedder.name": embedder, "llm.model": "none"})
    texts = passages(size, words=WORDS)
    for start in range(0, size, PER_SESSION):
        session = session_key("claude-code", f"said-{start}", project=project_at(FOLDER))
        some = texts[start : start + PER_SESSION]
        soul.memory.append(session, [Utterance("user", text, "owner") for text in some])
    soul.memory.reindex()
    while soul.memory.prepare():
        pass
    return soul


def messages(length: int, texts: list[str]) -> Iterator[str]:
    """Yield messages of about so many characters."""
    for n in count():
        rest = texts[17 * n % len(texts) :: 331]
        words = " ".join(rest).split()
        yield " ".join(words)[:length]


def computing(soul: Soul) -> Answers:
    """Answer here, as the process that stays does it, and count the processor's time.

    Then it is answered, and what was said is embedded while nobody waits.
    """
    soul.recall(FOLDER)
    soul.companion.get_ready()
    soul.memory.prepare()
    gc.freeze()

    def answers(content: bytes) -> float:
        begun = time.process_time()
        answered(soul, read_call("user-prompt", content, "claude-code", {}), lambda _: None)
        took = 1000 * (time.process_time() - begun)
        answered(soul, read_call("stop", content, "claude-code", {}), lambda _: None)
        soul.memory.prepare()
        return took

    return answers


def before_tools(soul: Soul, texts: list[str], numbers: Iterator[int]) -> Iterator[float]:
    """Yield what is computed before each of some commands, each the first call of a session of its own."""
    for n in range(MESSAGES):
        program, verb, *rest = texts[19 * n % len(texts)].split()
        command = f"{program} {verb} --all {'/'.join(rest[:4])}"
        told = {"session_id": f"{next(numbers):032x}", "cwd": FOLDER, "tool_name": "Bash"}
        told |= {"tool_input": {"command": command, "description": " ".join(rest[4:9])}}  # type: ignore[dict-item]
        begun = time.process_time()
        answered(
            soul,
            read_call("pre-tool-use", json.dumps(told).encode(), "claude-code", {}),
            lambda _: None,
        )
        yield 1000 * (time.process_time() - begun)


def waiting(home: Path) -> Answers:
    """Let the process that stays answer, and count the time by the clock."""

    def asked(event: str, content: bytes) -> str | None:
        ref = os.urandom(8).hex()
        return by_server(HookQuestion(event, str(home), client="claude-code", ref=ref), content)

    def answers(content: bytes) -> float:
        begun = time.perf_counter()
        told = asked("user-prompt", content)
        took = 1000 * (time.perf_counter() - begun)
        assert told is not None
        asked("stop", content)
        time.sleep(0.2)  # a person types for longer
        return took

    start_answering(str(home), "default")
    until = time.monotonic() + PATIENCE
    while asked("session-end", payload("…", 0)) is None and time.monotonic() < until:
        time.sleep(0.1)
    return answers


def payload(message: str, n: int) -> bytes:
    told = {"session_id": f"{n:032x}", "cwd": FOLDER, "prompt": message, "last_assistant_message": "Done."}
    return json.dumps(told).encode()


def printed(how: str, answers: Answers, texts: list[str], numbers: Iterator[int]) -> None:
    for length in LENGTHS:
        some = messages(length, texts)
        took = [answers(payload(next(some), next(numbers))) for _ in range(MESSAGES)]
        shown(f"{length:,} characters, {how}", took)


def shown(what: str, took: list[float]) -> None:
    print(f"| {what} | {statistics.median(took):.0f} ms | {max(took):.0f} ms |", flush=True)


def main() -> None:
    """Print it as a table."""
    print("| for a message of | median | most |\n|---|---:|---:|")
    for size, (how, embedder) in product(SIZES, EMBEDDERS.items()):
        texts = passages(size, words=WORDS)
        with tempfile.TemporaryDirectory() as folder:
            home, numbers = Path(folder) / "home", count(1)
            os.environ["ALMARIO_EMBEDDER_NAME"] = embedder
            soul = lived(home, embedder, size)
            answers, beside = computing(soul), f"{how}, beside {size:,}"
            first, *took = before_tools(soul, texts, numbers)
            shown(f"the first tool, {beside}", [first])
            shown(f"a tool, {beside}", took)
            printed(f"{beside}, computing", answers, texts, numbers)
            soul.close()
            printed(f"{beside}, by the clock", waiting(home), texts, numbers)
            if stays := resident_at(home)[1]:
                os.kill(stays, 15)


if __name__ == "__main__":
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    main()
