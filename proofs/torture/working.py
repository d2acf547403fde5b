"""A process at work on an agent's memory: the verbs of a soul, called here or in a process of its own."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import almario
from almario.domain.memories import Memory
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock
from proofs.torture.editing import SINGLE

# Of each memory that a verb changed: its id, its value, its state.
Answer = list[tuple[str, str, str]]
# Said to a worker: another one may hold its pipe open, so that closing it says nothing.
_END = "end\n"


class Process(Protocol):
    def do(self, verb: str, *arguments: str) -> Answer: ...
    def begin(self, verb: str, *arguments: str) -> None: ...
    def finish(self) -> Answer: ...
    def end(self) -> None: ...


class Here:
    """Works in this process, with a soul that was opened for itself."""

    def __init__(self, home: Path) -> None:
        self._soul = almario.open(home, clock=FixedClock())
        self._answer: Answer = []

    def do(self, verb: str, *arguments: str) -> Answer:
        return answer(self._soul, verb, *arguments)

    def begin(self, verb: str, *arguments: str) -> None:
        self._answer = self.do(verb, *arguments)

    def finish(self) -> Answer:
        return self._answer

    def end(self) -> None:
        self._soul.close()


class Worker:
    """Works in a process of its own."""

    def __init__(self, home: Path) -> None:
        asked, asking = os.pipe()
        answered, answering = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.close(asking)
                os.close(answered)
                _work(home, asked, answering)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(answering)
        self._asking = os.fdopen(asking, "w")
        self._answered = os.fdopen(answered)
        self.finish()  # it has opened the agent, which renders: nobody expects that later

    def do(self, verb: str, *arguments: str) -> Answer:
        self.begin(verb, *arguments)
        return self.finish()

    def begin(self, verb: str, *arguments: str) -> None:
        self._asking.write(json.dumps([verb, *arguments]) + "\n")
        self._asking.flush()

    def finish(self) -> Answer:
        return [(each[0], each[1], each[2]) for each in json.loads(self._answered.readline())]

    def end(self) -> None:
        self._asking.write(_END)
        self._asking.close()
        self._answered.close()
        os.waitpid(self._pid, 0)


def _work(home: Path, asked: int, answering: int) -> None:
    soul = almario.open(home, clock=FixedClock())
    with os.fdopen(asked) as questions, os.fdopen(answering, "w") as answers:
        answers.write("[]\n")
        answers.flush()
        for line in questions:
            if line == _END:
                break
            answers.write(json.dumps(answer(soul, *json.loads(line))) + "\n")
            answers.flush()
    soul.close()


def answer(soul: Soul, verb: str, *arguments: Any) -> Answer:
    """Do what is asked; a refusal changes nothing."""
    try:
        return _done(soul, verb, *arguments)
    except SoulError:
        return []


def _done(soul: Soul, verb: str, *arguments: str) -> Answer:
    verbs: dict[str, Callable[..., Answer]] = {
        "remember": _remembered,
        "work": _remembered,
        "renew": _renewed,
        "restore": _restored,
        "forget": lambda soul, name: [(m.id, m.value, "retired") for m in soul.forget(name)],
        "undo": lambda soul: [_told(memory) for memory in soul.memory.undo().changed],
        "list": lambda soul: [_told(memory) for memory in soul.memory.list()],
        "settle": _settled,
    }
    return verbs[verb](soul, *arguments)


def _settled(soul: Soul) -> Answer:
    soul.memory.settle()
    return []


def _renewed(soul: Soul, name: str) -> Answer:
    memory = soul.memory.get(name)
    return _remembered(soul, memory.key, memory.value) if memory.is_live else []


def _restored(soul: Soul, name: str) -> Answer:
    memory = soul.memory.get(name)
    # What it would put out of use under a key with one value, it does not tell.
    can = not memory.is_live and memory.key != SINGLE
    return [_told(soul.memory.restore(memory.id))] if can else []


def _remembered(soul: Soul, key: str, value: str) -> Answer:
    receipt = soul.remember(key, value)
    replaced = [(memory.id, memory.value, "superseded") for memory in receipt.replaced]
    return replaced + ([_told(receipt.memory)] if receipt.memory else [])


def _told(memory: Memory) -> tuple[str, str, str]:
    return memory.id, memory.value, memory.state
