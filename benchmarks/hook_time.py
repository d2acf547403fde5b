"""`python -m benchmarks.hook_time`: for how long a hook computes for a message, by its length.

A process that stays answers it, with all loaded that is loaded once, beside 20,000 passages that were said in
the sessions of one project; a message is made of their words.
"""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import almario
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.hooking import answered
from almario.domain.turns import Utterance, session_key
from almario.projects import project_at
from almario.soul import Soul
from benchmarks.texts import passages

EMBEDDERS = {"by meaning too": "local", "by words": "none"}
PASSAGES, WORDS, PER_SESSION = 20_000, 15, 200
LENGTHS = (40, 300, 2_000)
MESSAGES, FIRST = 15, 3
FOLDER = "/src/first"


def lived(home: Path, embedder: str) -> Soul:
    """Return an agent that was told all the passages, each in a session of the project."""
    soul = almario.create(home, settings={"embedder.name": embedder, "llm.model": "none"})
    texts = passages(PASSAGES, words=WORDS)
    for start in range(0, PASSAGES, PER_SESSION):
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


def computed(soul: Soul, message: str, n: int) -> float:
    """Return for how many milliseconds a hook computes for a message, the first of its session.

    Then it is answered, and what was said is embedded while nobody waits, as the process that stays does it.
    """
    payload = {"session_id": f"{n:032x}", "cwd": FOLDER, "prompt": message, "last_assistant_message": "Done."}
    content = json.dumps(payload).encode()
    begun = time.process_time()
    answered(soul, read_call("user-prompt", content, "claude-code", {}), lambda _: None)
    took = 1000 * (time.process_time() - begun)
    answered(soul, read_call("stop", content, "claude-code", {}), lambda _: None)
    soul.memory.prepare()
    return took


def main() -> None:
    """Print it as a table."""
    print("| a hook computes for a message of | median | most |\n|---|---:|---:|")
    for how, embedder in EMBEDDERS.items():
        with tempfile.TemporaryDirectory() as folder:
            soul = lived(Path(folder) / "home", embedder)
            texts, numbers = passages(PASSAGES, words=WORDS), count(1)
            for length in LENGTHS:
                some = messages(length, texts)
                took = [computed(soul, next(some), next(numbers)) for _ in range(FIRST + MESSAGES)][FIRST:]
                shown = f"{statistics.median(took):.0f} ms | {max(took):.0f} ms"
                print(f"| {length:,} characters, {how} | {shown} |", flush=True)
            soul.close()


if __name__ == "__main__":
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    main()
