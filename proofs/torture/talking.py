"""What is said in fault runs, and the model that it is said to.

Every message states one fact that can be counted: what is in a basket. A fact
may be said again, in other words, or be changed. What a call has returned is
acknowledged.
"""

import json
import os
import random
import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from almario.domain.talk import Ask, Reply, ToolCall
from almario.domain.turns import Turn
from almario.errors import LLMUnavailable
from almario.memory.admission import Receipt

KEY = "basket"
SHARED = "cli:main"
SETTINGS = {
    "embedder.name": "none",
    "sessions.window": 4,
    "flush.threshold": 3,
    # On a slow machine the others may need it for long, one after the other.
    "locks.seconds": 60,
}
# How a message begins that contradicts an earlier one.
CHANGED = "By now"
FACT = re.compile(
    r"(?:Basket (K\w+) holds|By now basket (K\w+) holds|Somebody filled basket (K\w+) with) (\w+)"
)
_SHOWN = re.compile(r"(?m)^\[(\d+)\] .*? owner: (.+)$")
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

    def _put(self, **said: Any) -> None:
        _write(self._descriptor, (json.dumps(said) + "\n").encode())


def lettered(name: str) -> str:
    """Return a name without figures: with them it may be a code, as may what a locker is called."""
    return name.translate(str.maketrans("0123456789", "abcdefghij"))
