"""What each hook does. It never fails the client: what goes wrong is a line in a log, and nothing is said."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from almario.apps.hooks.clients import CLIENTS, EVENTS, Call, Client, Event, answer_for, read_call
from almario.domain.plain_text import whole
from almario.errors import SoulError
from almario.soul import Soul
from almario.wiring import note_failure, open_soul

# No client tells more; what is longer is cut, and then no JSON.
_MOST_BYTES = 64 * 1024 * 1024
# A client waits, and the model of meaning takes longer to load than the rest: words alone find it.
_COLD = {"embedder.name": "none"}

# Learns from a session, or without one from those that were left, while nobody waits.
Learn = Callable[[str], object]


class Asked(NamedTuple):
    """A hook as it was called: of which event, and for which home, agent and client."""

    event: Event
    home: str | None = None
    agent: str | None = None
    client: Client | str = ""


def main(arguments: Sequence[str]) -> bool:
    """Run a hook as its arguments say; False if they are those of somebody at a terminal."""
    if not {"-h", "--help"}.isdisjoint(arguments) or sys.stdin is None or sys.stdin.isatty():
        return False
    try:
        asked = asked_in(arguments)
    except SoulError as exc:  # a client may take any code but 0 for a refusal of what its user wants
        note_failure(None, "hook", exc)
    else:
        answer(asked)
    return True


def answer(asked: Asked) -> None:
    """Read what a client tells, and print what is said to it; whatever goes wrong, it is not the worse."""
    try:
        if said := run(asked, sys.stdin.buffer.read(_MOST_BYTES)):
            sys.stdout.buffer.write(whole(said).encode() + b"\n")
            sys.stdout.flush()
    except Exception as exc:  # noqa: BLE001 - the client goes on
        note_failure(asked.home, f"hook {asked.event}", exc)


def asked_in(arguments: Sequence[str]) -> Asked:
    """Read the arguments of the command; SoulError names one that is not known."""
    given: dict[str, Any] = {}
    left = list(arguments)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--home", "--agent", "--client") and (equals or left):
            given[name[2:]] = value if equals else left.pop(0)
        elif word in EVENTS and "event" not in given:
            given["event"] = word
        else:
            raise SoulError('a hook does not know "{word}"', word=word)
    if "event" not in given:
        raise SoulError("say which hook it is: {events}", events=", ".join(EVENTS))
    if given.get("client", "") not in ("", *CLIENTS):
        clients = ", ".join(CLIENTS)
        raise SoulError(
            "there are hooks for {clients}, not {client}", clients=clients, client=given["client"]
        )
    return Asked(**given)


def run(asked: Asked, content: bytes, environment: Mapping[str, str] = os.environ) -> str:
    """Do what a hook asks for and return what is said to the client."""
    call = read_call(asked.event, content, cast("Client", asked.client), environment)
    if call.event in ("user-prompt", "stop") and not call.text:
        return ""  # nobody said anything
    soul = open_soul(asked.home, asked.agent, settings=_COLD, at_once=False)
    try:
        return answered(soul, call, lambda session: learn_apart(asked, soul.id, session))
    finally:
        soul.close() if call.event == "session-end" else soul.finish()


def answered(soul: Soul, call: Call, learn: Learn) -> str:
    """Do what a hook is for, and return the answer to it as its client wants it."""
    companion, session, told = soul.companion, call.session, ""
    if not companion.is_wanted:
        return ""
    if call.event == "user-prompt":
        told = companion.hear(session, call.text)
    elif call.event == "stop":
        companion.answer(session, call.text)
        soul.memory.prepare()  # so that the next message finds it at once
    elif call.event == "session-start" and call.source != "compact":
        told = companion.begin(session)
        learn("")
    elif call.event == "session-start":
        told = companion.resume(session)
    else:
        if call.event != "post-compact":
            learn(session)
        if call.event != "session-end":
            companion.compacted(session)
    return answer_for(call, told)


def learn_apart(asked: Asked, agent: str, session: str) -> None:
    """Begin to learn in a process of its own, for which nobody waits; what it leaves stays queued.

    If the model that learns is a coding agent, its hooks must stay silent.
    """
    from almario.apps.daemon.units import this_program  # noqa: PLC0415 - not with each message

    where = ["--home", asked.home] if asked.home else []
    what = ["--session", session] if session else ["--left"]
    subprocess.Popen(
        [*this_program(), *where, "--agent", agent, "flush", *what],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ALMARIO_HOOKS_ENABLED": "false"},
        start_new_session=True,
    )
