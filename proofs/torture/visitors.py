"""Those who come to one agent for its owner, each through a door of its own, until it is over.

Every one says, keeps or reads something at random, and writes down what it will say, and what was
acknowledged: what was said (`say`; `tell` if it may be there twice), the ids of memories (`keep`), facts that
must be known (`fact`), lines of USER.md (`note`). Any process of theirs may be killed.
"""

import itertools
import json
import random
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from proofs.torture.diary import Diary, by_hand
from proofs.torture.house import GONE, KILLED, PATIENCE, House, facts

# Conversations that several doors share.
SESSIONS = ("cli:main", "app:work")
# What a server says that has no model to ask at this moment.
_MODEL_FAILED = (502, 503)
_MCP = "2025-11-25"


def chatting(house: House, dice: random.Random, diary: Diary) -> None:
    """Talk in `almario chat`, a few messages at a time."""
    known = facts("chat", dice)
    while not house.is_over.is_set():
        said = [f"{dice.choice(('', '', 'Remember: '))}{next(known)}" for _ in range(dice.randint(1, 4))]
        for text in said:
            diary.add("will", "say", "chat", text=text)
        code, _ = house.run(("chat", "--session", dice.choice(SESSIONS)), "\n".join(said) + "\n")
        if code not in (0, 1, KILLED):  # 1: the model failed
            house.trouble("chat", f"it ended with {code}")
        for text in said if code == 0 else ():
            diary.add("did", "say", "chat", text=text)


def asking(house: House, dice: random.Random, diary: Diary) -> None:
    """Remember, append, talk and recall over HTTP; what was not answered is sent again under its key."""
    known, numbers = facts(f"http{dice.randrange(10**6)}", dice), itertools.count()
    while not house.is_over.wait(dice.random() * 0.2):
        fact, key, act = next(known), f"{dice.random()}-{next(numbers)}", dice.choice(list(_REQUESTS))
        path, made = _REQUESTS[act]
        body = made(fact) | ({"session": dice.choice(SESSIONS)} if act in ("append", "chat") else {})
        diary.add("will", "say" if "session" in body else act, "http", text=fact)
        while not house.is_over.is_set():
            try:
                headers = {"Accept": "application/json", "Idempotency_Key": key}
                status, output = house.ask("POST", house.here(path), body, **headers)
                _heard(house, diary, act, fact, status, json.loads(output))
                break
            except GONE:
                if act == "chat":  # which takes no key: nobody knows what became of it
                    break
                house.is_over.wait(0.1)


_REQUESTS: Mapping[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "remember": ("memories", lambda fact: {"text": "basket", "value": fact}),
    "append": ("turns", lambda fact: {"text": fact}),
    "chat": ("chat", lambda fact: {"message": fact}),
    "recall": ("recall", lambda fact: {"question": f"What does {fact.split()[1]} hold?"}),
}


def _heard(house: House, diary: Diary, act: str, fact: str, status: int, answer: Any) -> None:
    if status >= 300:
        if status not in _MODEL_FAILED or act != "chat":
            house.trouble("http", f"{act}: {status} {answer}")
    elif act == "remember":
        diary.add("did", "keep", "http", text=answer["memory"]["id"])
        diary.add("did", "fact", "http", text=fact)
    elif act in ("append", "chat"):
        diary.add("did", "say", "http", text=fact)


class Program(Protocol):
    """A program that speaks MCP; ConnectionError: it got no answer."""

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]: ...


def calling(house: House, dice: random.Random, diary: Diary) -> None:
    """Use the tools of `almario mcp`, in one process after the other."""
    known = facts("mcp", dice)
    while not house.is_over.is_set():
        with house.start("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            try:
                program = _Piped(process)
                program.begin()
                for _ in range(dice.randint(3, 30)):
                    _use(house, dice, diary, program, known)
                    if house.is_over.wait(dice.random() * 0.2):
                        break
            except ConnectionError as exc:
                if process.wait(PATIENCE) != KILLED:
                    house.trouble("mcp", f"it ended with {process.returncode}: {exc}")


def calling_server(house: House, dice: random.Random, diary: Diary) -> None:
    """Use the same tools at /mcp."""
    program, known = Posted(house), facts("web", dice)
    while not house.is_over.wait(dice.random() * 0.4):
        try:
            _use(house, dice, diary, program, known)
        except ConnectionError:
            house.is_over.wait(0.2)


def _use(house: House, dice: random.Random, diary: Diary, program: Program, known: Iterator[str]) -> None:
    """Use some tool: keep a fact, or what a stranger said; report a conversation; recall."""
    fact, act = next(known), dice.choice(("remember", "remember", "session_append", "recall"))
    is_hearsay = act == "remember" and bool(house.hearsay) and dice.random() < 0.3
    fact = dice.choice(house.hearsay[-50:]) if is_hearsay else fact
    parcel = fact.replace("Basket", "Parcel")  # a model's report is not learned from as the owner's
    given: dict[str, dict[str, Any]] = {
        "remember": {"fact": fact, "key": "basket"},
        "session_append": {"messages": [{"role": "user", "text": parcel}]},
        "recall": {"query": fact},
    }
    if act == "session_append":
        diary.add("will", "say", "mcp", text=parcel)
    answer = program.ask("tools/call", {"name": act, "arguments": given[act]})
    if "result" not in answer or answer["result"].get("isError"):
        house.trouble("mcp", f"{act}: {answer}")
    elif act == "remember" and not is_hearsay:
        diary.add("did", "fact", "mcp", text=fact)
    elif act == "session_append":
        diary.add("did", "say", "mcp", text=parcel)


class _Piped:
    """A program that speaks MCP with a process, a line at a time."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin
        assert process.stdout
        self._to, self._from = process.stdin, process.stdout
        self._numbers = itertools.count(1)

    def begin(self) -> None:
        client = {"name": "torture", "version": "1"}
        self.ask("initialize", {"protocolVersion": _MCP, "capabilities": {}, "clientInfo": client})
        self._send(method="notifications/initialized")

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._send(id=number, method=method, params=params)
        for line in self._from:
            if not line.endswith("\n"):
                break
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == number and "method" not in answer:
                return answer
        raise ConnectionError(f"almario mcp ended before it answered {method}")

    def _send(self, **message: Any) -> None:
        self._to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._to.flush()


class Posted:
    """A program that speaks MCP with the server."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._numbers = itertools.count(1)

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        body = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        headers = {"Accept": "application/json, text/event-stream", "MCP_Protocol_Version": _MCP}
        try:
            status, output = self._house.ask("POST", "/mcp", body, **headers)
            answer: dict[str, Any] = json.loads(output)
        except GONE as exc:
            raise ConnectionError(str(exc)) from exc
        return answer if status == 200 else {"status": status, **answer}


def coding(house: House, dice: random.Random, diary: Diary) -> None:
    """Run `almario hook` as a coding agent does, in one session after the other.

    A hook is acknowledged if it ended by itself and no line in the log says that it failed.
    """
    known = facts("hook", dice)

    def hook(event: str, session: str, **told: str) -> bool:
        before = house.hook_failures()
        told |= {"session_id": session, "cwd": str(house.projects[len(session) % 2])}
        code, _ = house.run(("hook", event), json.dumps(told))
        if code not in (0, KILLED):
            house.trouble("hook", f"{event} ended with {code}")
        return code == 0 and house.hook_failures() == before

    for number in itertools.count():
        session = f"s{number}" * dice.randint(1, 2)
        hook("session-start", session, source="startup")
        for _ in range(dice.randint(1, 5)):
            for event, name in (("user-prompt", "prompt"), ("stop", "last_assistant_message")):
                fact = next(known)
                text = fact if event == "user-prompt" else fact.replace("Basket", "Noted:")
                diary.add("will", "say", "hook", text=text)
                is_done = hook(event, session, **{name: text})
                diary.add("did", "say" if is_done else "fail", "hook", text=text)
            if house.is_over.is_set():
                return
        hook(dice.choice(("pre-compact", "session-end", "session-end")), session)


def tending(house: House, dice: random.Random, diary: Diary) -> None:
    """Run `almario daemon` for a while, and again."""
    while not house.is_over.is_set():
        process = house.start(*dice.choice((("daemon",), ("daemon", "--once"))))
        house.is_over.wait(dice.uniform(1, 8))
        process.send_signal(dice.choice((signal.SIGTERM, signal.SIGINT)))
        code = process.wait(PATIENCE)
        diary.add("did", "work" if code == 0 else "yield", "daemon", text="")


def editing(house: House, dice: random.Random, diary: Diary) -> None:
    """Write a line into MEMORY.md or USER.md, as an editor does."""
    known = facts("hand", dice)
    while not house.is_over.wait(dice.uniform(0.3, 2)):
        file, fact = dice.choice(("MEMORY.md", "USER.md")), next(known)
        fact = fact.replace("Basket", "Drawer") if file == "USER.md" else fact
        line = f"- {fact}\n"
        by_hand(house.agent, file, lambda text, line=line: f"{text.rstrip()}\n\n{line}", lambda _: None)  # type: ignore[misc]
        diary.add("did", "note" if file == "USER.md" else "fact", "hand", text=fact)


VISITORS: Mapping[str, Callable[[House, random.Random, Diary], None]] = {
    "chat": chatting,
    "http-1": asking,
    "http-2": asking,
    "mcp": calling,
    "web": calling_server,
    "hook": coding,
    "daemon": tending,
    "hand": editing,
}
