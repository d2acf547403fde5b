"""A worker that talks, learns and tidies until it is killed, and the model it does so with.

Every message states one fact that can be counted: what is in a basket. Some
baskets are the worker's own, some are spoken of by all; a fact may be said
again, in other words, or be changed. What a call has returned is acknowledged.
"""

import json
import logging
import os
import random
import re
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import almario
from almario.conversation.tool_calls import WITHHELD_ACTION
from almario.domain.talk import Ask, Reply, ToolCall
from almario.domain.turns import Turn
from almario.errors import LLMError, LLMUnavailable
from almario.memory.admission import Receipt
from almario.soul import Soul
from almario.testing import ScriptedLLM
from proofs.torture.fuses import lay

KEY = "basket"
SHARED, OWN = "cli:main", "telegram:42:topic-7"
SETTINGS = {
    "embedder.name": "none",
    "sessions.window": 4,
    "flush.threshold": 3,
    "consolidation.new_facts": 3,
    # On a slow machine the others may need it for long, one after the other.
    "locks.seconds": 60,
}
# How a message begins that contradicts an earlier one.
CHANGED = "By now"
FACT = re.compile(
    r"(?:Basket (K\w+) holds|By now basket (K\w+) holds|Somebody filled basket (K\w+) with) (\w+)"
)
_THINGS = ("candles", "marbles", "pencils", "ropes", "stamps", "tickets", "violins", "walnuts")
_SHOWN = re.compile(r"(?m)^\[(\d+)\] .*? owner: (.+)$")
# So many baskets are spoken of by all.
_COMMON = 24
# How many lives end at a step of writing rather than at a moment; the steps are up to a power of 2.
_FUSED, _LONGEST_FUSE = 0.6, 11
# What is acknowledged is no step of the work.
_write = os.write


def basket_in(text: str) -> tuple[str, str] | None:
    """Return the basket that a text speaks of, and what it holds."""
    found = FACT.search(text)
    return ((found[1] or found[2] or found[3]), found[4]) if found else None


class Model:
    """Answers every question of the product by rule, after a while, and sometimes not at all."""

    def __init__(self, dice: random.Random, *, is_sound: bool = False) -> None:
        self._dice = dice
        self._is_sound = is_sound

    def __call__(self, ask: Ask) -> str | Reply | BaseException:
        if failed := self._after_a_while():
            return failed
        asked = (ask.schema or {}).get("properties", {})
        for name, answer in (("facts", self._learned), ("pairs", self._judged), ("slug", self._named)):
            if name in asked:
                return json.dumps(answer(ask))
        return LLMUnavailable("not in the script") if ask.schema else self._said(ask)

    def _after_a_while(self) -> LLMUnavailable | None:
        if self._is_sound:
            return None
        time.sleep(self._dice.random() * 0.02)
        return LLMUnavailable("the line is down") if self._dice.random() < 0.04 else None

    def _said(self, ask: Ask) -> str | Reply:
        last = ask.messages[-1]
        if last.role == "user" and last.text.startswith("Remember: "):
            fact = last.text.removeprefix("Remember: ")
            call = ToolCall(f"c{self._dice.getrandbits(32)}", "save_memory", {"fact": fact, "key": KEY})
            return Reply("", (call,))
        return f"All right, that is noted, and so are {self._dice.randint(2, 99)} other things."

    def _learned(self, ask: Ask) -> Mapping[str, Any]:
        said = [(int(n), text.removeprefix("Remember: ")) for n, text in _SHOWN.findall(ask.messages[0].text)]
        facts = [{"turns": [n], "key": KEY, "value": text, "kind": "fact"} for n, text in said]
        opened = [(n, found[0]) for n, text in said if n % 3 == 0 and (found := basket_in(text))]
        episodes = [{"turns": [n], "text": f"Basket {name} was opened", "date": ""} for n, name in opened]
        summary = f"They spoke of baskets, up to turn {said[-1][0]}." if said else ""
        return {"facts": facts, "episodes": episodes, "instructions": [], "summary": summary}

    def _judged(self, ask: Ask) -> Mapping[str, Any]:
        return {"pairs": [_verdict(json.loads(line)) for line in ask.messages[0].text.splitlines()]}

    def _named(self, ask: Ask) -> Mapping[str, Any]:
        return {"slug": "about-baskets"}


def _verdict(pair: Mapping[str, Any]) -> Mapping[str, Any]:
    one, other = basket_in(pair["a"]["fact"]), basket_in(pair["b"]["fact"])
    verdict = (
        "same" if one == other else "contradicts" if one and other and one[0] == other[0] else "different"
    )
    keep = "b" if CHANGED in pair["b"]["fact"] else "a"
    kept = pair[keep]["id"] if verdict != "different" else ""
    return {"pair": pair["pair"], "verdict": verdict, "keep": kept, "since": ""}


class Acknowledgement:
    """A file to which is added, a line each, what calls have returned; a kill leaves it whole."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def turns(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self._put(turn=[turn.session, turn.n, turn.role, turn.text])

    def receipts(self, receipts: Iterable[Receipt]) -> None:
        for receipt in receipts:
            self._put(memory=receipt.memory.id if receipt.memory else receipt.outcome)

    def fact(self, value: str) -> None:
        self._put(fact=value)

    def trouble(self, text: str) -> None:
        self._put(trouble=text)

    def _put(self, **said: Any) -> None:
        _write(self._descriptor, (json.dumps(said) + "\n").encode())


class Worker:
    """One life of a worker: it ends with a kill."""

    def __init__(self, home: Path, number: int, name: str, acknowledged: Acknowledgement) -> None:
        self._home = home
        self._number = number
        self._name = name
        self._dice = random.Random(name)
        self._acknowledged = acknowledged
        self._stated: list[tuple[str, str]] = []
        self._soul = self._open()

    def work(self) -> None:
        acts: dict[Callable[[], None], int] = {
            self._talk: 12,
            self._append: 2,
            self._flush: 3,
            self._consolidate: 2,
            self._compact: 1,
            self._clear: 1,
            self._reopen: 1,
            self._verify: 1,
        }
        while True:
            self._dice.choices(list(acts), list(acts.values()))[0]()
            self._acknowledged.receipts(r for done in self._soul.learning.news() for r in done.receipts)

    def _open(self) -> Soul:
        soul = almario.open(self._home, settings=SETTINGS, llm=ScriptedLLM(Model(self._dice)))
        soul.learning.want_left()
        return soul

    def _talk(self) -> None:
        message = self._message()
        if self._dice.random() < 0.2:
            message = f"Remember: {message}"
        try:
            answer = self._soul.talk(message, self._session())
        except LLMError:
            return
        self._acknowledged.turns(answer.turns)
        for done in answer.done:
            if done.is_error or done.name == WITHHELD_ACTION:
                self._acknowledged.trouble(f"{done.name}: {'; '.join(map(str, done.told)) or done.text}")
            else:
                self._acknowledged.fact(done.arguments.get("fact") or done.arguments["text"])

    def _append(self) -> None:
        self._acknowledged.turns([self._soul.append(self._session(), "user", self._message())])

    def _flush(self) -> None:
        done = self._soul.flush(self._dice.choice(("", self._session())))
        self._acknowledged.receipts(receipt for each in done for receipt in each.receipts)

    def _consolidate(self) -> None:
        self._soul.tidying.consolidate()

    def _compact(self) -> None:
        self._soul.sessions.compact(self._session())

    def _clear(self) -> None:
        self._soul.clear(self._session())

    def _reopen(self) -> None:
        self._soul.close()
        self._soul = self._open()

    def _verify(self) -> None:
        """What the others are writing is no damage."""
        for damage in self._soul.memory.verify():
            self._acknowledged.trouble(f"verified while others wrote: {damage.place} {damage.problem}")

    def _session(self) -> str:
        return OWN if self._number == 2 and self._dice.random() < 0.7 else SHARED

    def _message(self) -> str:
        chance = self._dice.random()
        if chance < 0.3:  # the same in every process
            number = self._dice.randrange(_COMMON)
            return _wordings(lettered(f"Kall{number}"), _THINGS[number % len(_THINGS)])[chance < 0.1]
        if chance < 0.5 and self._stated:
            name, thing = self._dice.choice(self._stated[-8:])
            return self._dice.choice(
                (*_wordings(name, thing), f"{CHANGED} basket {name} holds {_next(thing)}")
            )
        name, thing = lettered(f"K{self._name}x{len(self._stated)}"), self._dice.choice(_THINGS)
        self._stated.append((name, thing))
        return _wordings(name, thing)[0]


def lettered(name: str) -> str:
    """Return a name without figures: with them it may be a code, as may what a locker is called."""
    return name.translate(str.maketrans("0123456789", "abcdefghij"))


def _wordings(name: str, thing: str) -> tuple[str, str]:
    return f"Basket {name} holds {thing}", f"Somebody filled basket {name} with {thing}"


def _next(thing: str) -> str:
    return _THINGS[(_THINGS.index(thing) + 1) % len(_THINGS)]


def work_forever(home: Path, number: int, name: str, path: Path) -> None:
    """Work until killed, by others or at a chosen step; what goes wrong before is acknowledged as well."""
    acknowledged = Acknowledgement(path)
    dice = random.Random(f"fuse of {name}")
    lay(int(2 ** (dice.random() * _LONGEST_FUSE)) if dice.random() < _FUSED else 0)

    class Telling(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            acknowledged.trouble(record.getMessage())

    logging.getLogger("almario").addHandler(Telling(logging.WARNING))
    threading.excepthook = lambda given: acknowledged.trouble(
        "".join(traceback.format_exception(given.exc_value) if given.exc_value else ["?"])
    )
    try:
        Worker(home, number, name, acknowledged).work()
    except BaseException:
        acknowledged.trouble(traceback.format_exc())
        raise
