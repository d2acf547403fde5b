"""Talk with a real model in a terminal, quit, and see that a new session knows what the first was told.

    ALMARIO_LLM_MODEL=openai/qwen2.5-coder-1.5b ALMARIO_LLM_URL=http://127.0.0.1:8091/v1 make e2e

The chat runs in tmux, as a person would use it; its screens are kept in
`docs/transcripts/`. Needs tmux and a model that is set or found. Then an
agent reflects, and another one is made from a wish. `python -m proofs.e2e es
reflection` runs these alone.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from proofs.e2e.becoming import genesis, reflection
from proofs.e2e.running import almario, keep, settle_in
from proofs.e2e.talks import ENGLISH, SPANISH, Talk

# A small model on two cores takes a minute for an answer.
PATIENCE = 600
SCREEN = "almario-e2e"
# The new session, in which nothing has been said.
LATER = "cli:later"


def main() -> None:
    if not shutil.which("tmux"):
        sys.exit("the end-to-end run needs tmux")
    if not json.loads(almario("model", "--json"))["talks"]["ready"]:
        sys.exit("there is no model; set ALMARIO_LLM_MODEL (and ALMARIO_LLM_URL)")
    runs: dict[str, Callable[[], list[str]]] = {
        "es": partial(run, SPANISH),
        "en": partial(run, ENGLISH),
        "reflection": reflection,
        "genesis": genesis,
    }
    missing = [lacking for name in sys.argv[1:] or runs for lacking in runs[name]()]
    sys.exit("\n".join(missing) or None)


def run(talk: Talk) -> list[str]:
    """Hold a conversation in one process; return what a new session in another does not know."""
    with tempfile.TemporaryDirectory() as folder:
        settle_in(Path(folder), talk.language)
        almario("init", "--yes")
        screen = chat(Path(folder), talk)
        learned = almario("flush", check=False)  # a small model may fail: then it stays queued, and is said
        known = almario("memory", "list")
        lacking = []
        for question, word in talk.facts:
            prompt = almario("prompt", "--message", question, "--session", LATER)
            if word.casefold() not in prompt.casefold():
                lacking.append(f"{talk.language}: {question} the prompt of a new session lacks {word!r}")
        last = almario("say", talk.facts[0][0], "--session", LATER)
        parts = [screen, "$ almario flush\n" + learned, "$ almario memory list\n" + known]
        parts.append(f'$ almario say "{talk.facts[0][0]}" --session {LATER}\n{last}')
        keep(f"chat-{talk.language}.txt", parts)
    return lacking


def chat(home: Path, talk: Talk) -> str:
    """Type the messages one after another, each when the one before is answered; return the screen."""
    command = f"{sys.executable} -m almario chat"
    tmux("new-session", "-d", "-s", SCREEN, "-x", "96", "-y", "50", command)
    transcript = home / "agents" / "default" / "sessions" / "cli.main.jsonl"
    try:
        until(lambda: "›" in tmux("capture-pane", "-p", "-t", SCREEN), "the chat begins")
        for number, message in enumerate(talk.messages, 1):
            tmux("send-keys", "-t", SCREEN, "-l", message)
            tmux("send-keys", "-t", SCREEN, "Enter")
            until(partial(is_answered, transcript, number), f"message {number} is answered")
        tmux("send-keys", "-t", SCREEN, "-l", "/quit")
        screen = tmux("capture-pane", "-p", "-t", SCREEN, "-S", "-3000")
        tmux("send-keys", "-t", SCREEN, "Enter")
        until(lambda: SCREEN not in tmux("list-sessions", check=False), "the chat ends")
    finally:
        tmux("kill-session", "-t", SCREEN, check=False)
    return screen


def is_answered(transcript: Path, number: int) -> bool:
    """Return whether so many messages have an answer."""
    if not transcript.exists():
        return False
    roles = [json.loads(line)["role"] for line in transcript.read_text().splitlines() if line.endswith("}")]
    return sum(pair == ("user", "assistant") for pair in pairwise(roles)) >= number


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"not in {PATIENCE} seconds: {what}")
        time.sleep(0.5)


def tmux(*arguments: str, check: bool = True) -> str:
    return subprocess.run(["tmux", *arguments], capture_output=True, text=True, check=check).stdout


if __name__ == "__main__":
    main()
