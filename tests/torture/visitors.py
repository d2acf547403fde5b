"""Those who come to one agent, each through a door of its own, until it is over.

Every one says, keeps or reads something at random, and writes down what was acknowledged: what was said
(`say`; `tell` if it may be there twice), the ids of memories (`keep`), facts that must be known (`fact`),
lines of USER.md (`note`).
"""

import contextlib
import http.client
import itertools
import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.torture.diary import Diary, by_hand

_THINGS = ("candles", "marbles", "pencils", "ropes", "stamps", "tickets", "violins", "walnuts")
_PATIENCE = 60.0
# Conversations that several doors share.
_SESSIONS = ("cli:main", "app:work")
# What a server says that has no model to ask at this moment.
_MODEL_FAILED = (502, 503)


class House:
    """One agent, the processes that are at it, and what all have written down."""

    def __init__(self, folder: Path, agent: Path) -> None:
        self.home = folder / "home"
        self.said = folder / "said"
        self.projects = [folder / "boat", folder / "bridge"]
        self.agent = agent
        self.is_over = threading.Event()
        self._errors = folder / "errors"
        self._errors.mkdir()
        self._numbers = itertools.count()

    def start(self, *command: str, **more: Any) -> "subprocess.Popen[str]":
        """Start a command; what it says on standard error is kept."""
        path = self._errors / f"{command[0]}-{next(self._numbers)}"
        with path.open("wb") as errors:
            more.setdefault("stdout", subprocess.DEVNULL)
            return subprocess.Popen(
                [sys.executable, "-m", "almario", *command], stderr=errors, text=True, **more
            )

    def run(self, command: tuple[str, ...], given: str) -> tuple[int, str]:
        """Run a command to its end; return its code and what it said."""
        process = self.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        said, _ = process.communicate(given, timeout=_PATIENCE)
        return process.returncode, said

    def trouble(self, name: str, text: str) -> None:
        """Write down what must not happen."""
        Diary(self.said / f"{name}-trouble").trouble(f"{name}: {text}")

    def tracebacks(self) -> list[str]:
        """Return what processes said that broke down."""
        texts = [path.read_text(errors="replace") for path in sorted(self._errors.iterdir())]
        return [text for text in texts if "Traceback" in text]

    def hook_failures(self) -> int:
        """Count the hooks that have failed so far."""
        path = self.home / "logs" / "hooks.jsonl"
        return path.read_text().count("\n") if path.exists() else 0


def _facts(name: str, dice: random.Random) -> Iterator[str]:
    return (f"Locker K{name}x{n} holds {dice.choice(_THINGS)}" for n in itertools.count())


def chatting(house: House, dice: random.Random, diary: Diary) -> None:
    """Talk in `almario chat`, a few messages at a time."""
    facts = _facts("chat", dice)
    while not house.is_over.is_set():
        said = [f"{dice.choice(('', '', 'Remember: '))}{next(facts)}" for _ in range(dice.randint(1, 4))]
        code, _ = house.run(("chat", "--session", dice.choice(_SESSIONS)), "\n".join(said) + "\n")
        for text in said if code == 0 else ():
            diary.add("did", "say", "chat", text=text)


def asking(house: House, dice: random.Random, diary: Diary) -> None:
    """Remember, append, talk and recall over HTTP; what was not answered is sent again under its key."""
    facts, numbers = _facts(f"http{dice.randrange(10**6)}", dice), itertools.count()
    while not house.is_over.wait(dice.random() * 0.2):
        fact, key, act = next(facts), f"{dice.random()}-{next(numbers)}", dice.choice(list(_REQUESTS))
        path, made = _REQUESTS[act]
        body = made(fact) | ({"session": dice.choice(_SESSIONS)} if act in ("append", "chat") else {})
        while not house.is_over.is_set():
            with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
                status, answer = _posted(house, path, body, key)
                _heard(house, diary, act, fact, status, answer)
                break
            if act == "chat":  # which takes no key: nobody knows what became of it
                break
            house.is_over.wait(0.1)


_REQUESTS: Mapping[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "remember": ("memories", lambda fact: {"text": "locker", "value": fact}),
    "append": ("turns", lambda fact: {"text": fact}),
    "chat": ("chat", lambda fact: {"message": fact}),
    "recall": ("recall", lambda fact: {"question": f"What does {fact.split()[1]} hold?"}),
}


def _posted(house: House, path: str, body: Mapping[str, Any], key: str) -> tuple[int, Any]:
    served = json.loads((house.home / "serve.json").read_bytes())
    token = (house.home / ".token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    headers |= {"Accept": "application/json", "Idempotency-Key": key}
    connection = http.client.HTTPConnection(served["url"].removeprefix("http://"), timeout=_PATIENCE)
    try:
        connection.request("POST", f"/api/v1/agents/{house.agent.name}/{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def _heard(house: House, diary: Diary, act: str, fact: str, status: int, answer: Any) -> None:
    if status >= 300:
        if status not in _MODEL_FAILED or act != "chat":
            house.trouble("http", f"{act}: {status} {answer}")
    elif act == "remember":
        diary.add("did", "keep", "http", text=answer["memory"]["id"])
        diary.add("did", "fact", "http", text=fact)
    elif act in ("append", "chat"):
        diary.add("did", "say", "http", text=fact)


def calling(house: House, dice: random.Random, diary: Diary) -> None:
    """Use the tools of `almario mcp`, in one process after the other."""
    facts = _facts("mcp", dice)
    while not house.is_over.is_set():
        with house.start("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            program = _Program(process)
            program.begin()
            for _ in range(dice.randint(3, 30)):
                fact, act = next(facts), dice.choice(("remember", "session_append", "recall"))
                parcel = fact.replace(
                    "Locker", "Parcel"
                )  # a model's report is not learned from as the owner's
                given: dict[str, dict[str, Any]] = {
                    "remember": {"fact": fact, "key": "locker"},
                    "session_append": {"messages": [{"role": "user", "text": parcel}]},
                    "recall": {"query": fact},
                }
                answer = program.ask("tools/call", {"name": act, "arguments": given[act]})
                if "result" not in answer or answer["result"].get("isError"):
                    house.trouble("mcp", f"{act}: {answer}")
                elif act == "remember":
                    diary.add("did", "fact", "mcp", text=fact)
                elif act == "session_append":
                    diary.add("did", "say", "mcp", text=parcel)
                if house.is_over.wait(dice.random() * 0.2):
                    break


class _Program:
    """A program that speaks MCP, a line at a time."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin
        assert process.stdout
        self._to, self._from = process.stdin, process.stdout
        self._numbers = itertools.count(1)

    def begin(self) -> None:
        client = {"name": "torture", "version": "1"}
        era = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.ask("initialize", era)
        self._send(method="notifications/initialized")

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._send(id=number, method=method, params=params)
        for line in self._from:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == number and "method" not in answer:
                return answer
        raise RuntimeError(f"almario mcp ended before it answered {method}")

    def _send(self, **message: Any) -> None:
        self._to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._to.flush()


def coding(house: House, dice: random.Random, diary: Diary) -> None:
    """Run `almario hook` as a coding agent does, in one session after the other.

    A hook is acknowledged if no line in the log says that it failed. One whose server dies before it
    answers does its work itself, and may so do it a second time.
    """
    facts = _facts("hook", dice)

    def hook(event: str, session: str, **told: str) -> bool:
        before = house.hook_failures()
        told |= {"session_id": session, "cwd": str(house.projects[len(session) % 2])}
        code, _ = house.run(("hook", event), json.dumps(told))
        if code:
            house.trouble("hook", f"{event} ended with {code}")
        return house.hook_failures() == before

    for number in itertools.count():
        session = f"s{number}" * dice.randint(1, 2)
        hook("session-start", session, source="startup")
        for _ in range(dice.randint(1, 5)):
            for event, name in (("user-prompt", "prompt"), ("stop", "last_assistant_message")):
                fact = next(facts)
                text = fact if event == "user-prompt" else fact.replace("Locker", "Noted:")
                if hook(event, session, **{name: text}):
                    diary.add("did", "tell", "hook", text=text)
                else:
                    diary.add("did", "fail", "hook", text=text)
            if house.is_over.is_set():
                return
        hook(dice.choice(("pre-compact", "session-end", "session-end")), session)


def tending(house: House, dice: random.Random, diary: Diary) -> None:
    """Run `almario daemon` for a while, and again."""
    while not house.is_over.is_set():
        process = house.start(*dice.choice((("daemon", "run"), ("daemon", "--once"))))
        house.is_over.wait(dice.uniform(1, 8))
        process.send_signal(dice.choice((signal.SIGTERM, signal.SIGINT)))
        code = process.wait(_PATIENCE)
        diary.add("did", "work" if code == 0 else "yield", "daemon", text="")


def editing(house: House, dice: random.Random, diary: Diary) -> None:
    """Write a line into MEMORY.md or USER.md, as an editor does."""
    facts = _facts("hand", dice)
    while not house.is_over.wait(dice.uniform(0.3, 2)):
        file, fact = dice.choice(("MEMORY.md", "USER.md")), next(facts)
        fact = fact.replace("Locker", "Drawer") if file == "USER.md" else fact
        line = f"- {fact}\n"
        by_hand(house.agent, file, lambda text, line=line: f"{text.rstrip()}\n\n{line}", lambda _: None)  # type: ignore[misc]
        diary.add("did", "note" if file == "USER.md" else "fact", "hand", text=fact)


VISITORS: Mapping[str, Callable[[House, random.Random, Diary], None]] = {
    "chat": chatting,
    "http-1": asking,
    "http-2": asking,
    "mcp": calling,
    "hook": coding,
    "daemon": tending,
    "hand": editing,
}
