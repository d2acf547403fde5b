"""What is learned from talks, by a model that says what a fact does to what is known.

    cd ../shared/bench && PYTHONPATH=<the project> python -m benchmarks.talks data/talks_dev.jsonl

The talks and the rest of the runner lie beside the project. *--compare* says how memories are compared:
`well` (as the talk knows), `never`, or by a model that always says `same` or `contradicts`, or answers at
`random`. What such a model merged is looked through: nothing may be lost that another number, name or
negation told.
"""

import argparse
import random
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import almario
from almario.memory.rules.sameness import swallows

try:
    from harness import talks
except ImportError:  # pragma: no cover - it lies beside the project
    sys.exit("run it where the harness is: cd ../shared/bench")

_KNOWN = re.compile(r"^(k\d+) (.*)$", re.MULTILINE)
VERDICTS = ("same", "contradicts", "different")


class Knowing(talks.TalkModel):  # type: ignore[misc]
    """The model of the talk, which also says by name what an entry renews, replaces or ends."""

    compare = "well"

    def _value(self, ask: Any) -> Any:
        value = super()._value(ask)
        if {"facts", "episodes"} <= (ask.schema or {}).get("properties", {}).keys():  # nor asked for cues
            known = {name: {"id": name, "fact": text} for name, text in _KNOWN.findall(ask.changing)}
            for entry in [*value["facts"], *value["episodes"]]:
                entry["known"] = self._does(entry, known)
        return value

    def _does(self, entry: Mapping[str, Any], known: Mapping[str, talks.Json]) -> str:
        text = entry.get("value") or entry.get("text")
        for name, memory in known.items():
            said = super()._verdict({"pair": 1, "a": memory, "b": {"id": "new", "fact": text}})
            if said["verdict"] == "same":
                return f"renews {name}"
            if said["verdict"] == "contradicts" and said["keep"] == "new":
                return f"replaces {name}"
        return ""

    def _verdict(self, pair: talks.Json) -> talks.Json:
        if self.compare == "well":
            return super()._verdict(pair)
        dice = random.Random(pair["a"]["fact"] + pair["b"]["fact"])
        verdict = dice.choice(VERDICTS) if self.compare == "random" else self.compare
        keep = dice.choice((pair["a"]["id"], pair["b"]["id"]))
        return {"pair": pair["pair"], "verdict": verdict, "keep": keep, "since": ""}


class Watched(talks.Replay):  # type: ignore[misc]
    """A replay that looks at what was merged, and takes every comparison back."""

    def _measure(self) -> None:
        super()._measure()
        memory = self.soul.memory
        every = memory.list(almario.Wanted(states=talks.STATES, origins=talks.ORIGINS))
        merged = [
            (each, memory.get(each.by)) for each in every if each.by and each.valid_to == each.valid_from
        ]
        self.result.never += [
            f"merged away: {lost.text} -> {kept.text}"
            for lost, kept in merged
            if swallows(kept.value, lost.value, lost.dated)
        ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.talks")
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--compare", choices=("well", "never", "same", "contradicts", "random"), default="well"
    )
    parser.add_argument("--tidy", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_args()
    Knowing.compare = given.compare
    talks.TalkModel = Knowing
    talks.Replay = Watched
    if given.compare == "never":
        opened = almario.open
        almario.open = lambda home, *, settings, **more: opened(
            home, settings={**settings, "consolidation.enabled": False}, **more
        )
    options = [str(given.file), "--only", given.only]
    options += ["-v"] * given.verbose + ["--tidy"] * given.tidy
    return int(talks.main(options))


if __name__ == "__main__":
    sys.exit(main())
