"""`python -m benchmarks.fit_acts FILE …`: fit what is told before a tool is used, on files of acts.

Each file is lived as `harness.acts` lives it (the folder that has `harness` is named by `--harness`); then
every candidate of every call is measured, with meaning and by words alone. The weights are those of a
logistic regression; what they tell is shown for each file with weights fitted on the others.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import almario
from almario.domain.candidates import Filter
from almario.domain.model import Scope
from almario.memory.rules.acting import MEASURES, CallWeights, measure
from almario.memory.rules.scored import RankingQuery
from almario.projects import project_at
from almario.testing import FixedClock
from almario.text.calls import call_in
from almario.text.questions import read_question

# How much a weight may grow before it costs as much as a mistake.
_RIDGE = 1.0
_STEPS = 300
# One file alone is fitted and measured in so many parts.
_PARTS = 8
_KNOWN: dict[tuple[int, int], CallWeights] = {}
_EDITS = ("Edit", "MultiEdit", "NotebookEdit")


class Candidate(NamedTuple):
    column: Any
    is_gold: bool
    text: str


class Probe(NamedTuple):
    name: str
    kind: str
    calls: list[list[Candidate]]
    is_called: bool
    is_read: bool


def probes_of(path: Path, words: bool) -> list[Probe]:
    """Live a file, and measure what could be told before each of its calls."""
    from harness.acts import lived  # noqa: PLC0415 - it lies elsewhere
    from harness.door import rows_of, tells  # noqa: PLC0415 - the same

    rows = rows_of(path)
    settings: dict[str, Any] = {"embedder.name": "none"} if words else {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        clock = FixedClock(lived(rows, home, settings).clock.now)
        soul = almario.open(home, settings={"timezone": "UTC", "llm.model": "none", **settings}, clock=clock)
        try:
            soul.memory.prepare()
            parts = soul.memory._parts
            index, embedding = soul.memory._writer.derived.live, parts.embedding
            found = []
            for row in rows:
                if "probe" not in row:
                    continue
                given = [(row["tool"], row["input"])]
                if row["tool"] in _EDITS:
                    given.insert(
                        0,
                        (
                            "Read",
                            {
                                "file_path": row["input"].get("file_path")
                                or row["input"].get("notebook_path", "")
                            },
                        ),
                    )
                calls = []
                for tool, inner in given:
                    call = call_in(tool, inner, row["cwd"])
                    if call is None or call.only_looks:
                        continue
                    vector = embedding.of(call.text)[0]
                    project = project_at(row["cwd"], home) or ""
                    query = RankingQuery(
                        read_question(call.text, clock.now.date()),
                        vector,
                        embedding.model,
                        filter=Filter(Scope(), None, project, elsewhere=True),
                        call=call,
                    )
                    measured = measure(index, query, call)
                    if measured is None:
                        continue
                    of, columns = measured
                    candidates = []
                    for place, (spoken, answer) in enumerate(of.spans):
                        text = " ".join(of.texts[one].text for one in (*spoken, *answer))
                        is_gold = bool(row["gold"]) and tells("- " + text, row["words"])
                        candidates.append(Candidate(columns[:, place], is_gold, text))
                    calls.append(candidates)
                found.append(
                    Probe(row["probe"], row["kind"], calls, bool(row["gold"]), row["tool"] == "Read")
                )
        finally:
            soul.close()
    return found


def fitted(probes: Iterable[Probe]) -> CallWeights:
    """Return the weights by which of all candidates of a call, and of silence, the right one is likeliest."""
    probes = [probe for probe in probes if any(probe.calls)]
    # It may be told as a file is read, or as it is edited.
    tables = [np.array([(1.0, *each.column) for call in probe.calls for each in call]) for probe in probes]
    right = [np.array([each.is_gold for call in probe.calls for each in call]) for probe in probes]
    # A line is no great loss where a call touches the same thing.
    heavy = [0.3 if probe.kind == "near" else 1.0 for probe in probes]
    most = max(map(len, tables))
    every = np.zeros((len(tables), most, tables[0].shape[1]))
    gold, there = np.zeros((2, len(tables), most))
    for place, (table, some) in enumerate(zip(tables, right, strict=True)):
        every[place, : len(table)], gold[place, : len(table)], there[place, : len(table)] = table, some, 1.0
    weight = np.array(heavy)[:, None]
    found = np.zeros(every.shape[2])
    moved, mean = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, _STEPS + 1):
        odds = np.exp(np.clip(every @ found, -30, 30)) * there
        chance = odds / (1 + odds.sum(axis=1, keepdims=True))
        # Any of several that tell it is right.
        wanted = odds * gold / np.maximum((odds * gold).sum(axis=1, keepdims=True), 1e-12)
        slope = np.einsum("nk,nkf->f", weight * (wanted - chance), every) - _RIDGE * found * (
            np.arange(len(found)) > 0
        )
        moved = 0.9 * moved + 0.1 * slope
        mean = 0.999 * mean + 0.001 * slope**2
        found += 0.1 * (moved / (1 - 0.9**step)) / (np.sqrt(mean / (1 - 0.999**step)) + 1e-8)
    return CallWeights(float(found[0]), tuple(map(float, found[1:])))


def told(probe: Probe, weights: CallWeights, floor: float) -> tuple[bool, bool]:
    """Say whether anything is told for a probe, and whether its gold is among it."""
    anything, gold = False, False
    for call in probe.calls:
        scored = sorted(
            ((weights.base + float(np.dot(weights.of, each.column)), each) for each in call),
            key=lambda pair: -pair[0],
        )
        least = float(np.log(floor / (1 - floor)))
        lines = [each for odds, each in scored[:2] if odds >= least]
        anything |= bool(lines)
        gold |= any(each.is_gold for each in lines)
    return anything, gold


def figures(probes: Sequence[Probe], weights: CallWeights, floor: float) -> dict[str, float]:
    called = [each for each in probes if each.is_called]
    quiet = [each for each in probes if not each.is_called and each.kind != "near"]
    near = [each for each in probes if each.kind == "near" and not each.is_read]

    def share(some: Sequence[Probe], which: int) -> float:
        return sum(told(each, weights, floor)[which] for each in some) / max(1, len(some))

    return {"told": share(called, 1), "noise": share(quiet, 0), "near": share(near, 0)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--harness", type=Path, default=Path("../shared/bench"))
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--floors", default="0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.5")
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    sys.path.insert(0, os.fspath(given.harness))
    files = {path.stem: probes_of(path, given.words) for path in given.files}
    every = [probe for probes in files.values() for probe in probes]
    weights = fitted(every)
    print(
        json.dumps(
            {
                "base": round(weights.base, 2),
                **{name: round(each, 2) for name, each in zip(MEASURES, weights.of, strict=True)},
            },
            indent=1,
        )
    )
    for floor in map(float, given.floors.split(",")):
        print(f"floor {floor}: all, as fitted {_shown(figures(every, weights, floor))}")
        for name, probes in files.items():
            others = [probe for other, some in files.items() for probe in some if other != name]
            if others:
                weights_of_others = _KNOWN.setdefault((id(probes), -1), fitted(others))
                print(f"   {name}, fitted on the others: {_shown(figures(probes, weights_of_others, floor))}")
            else:
                print(f"   {name}, each call fitted on the others: {_shown(_left_out(probes, floor))}")


def _left_out(probes: Sequence[Probe], floor: float) -> dict[str, float]:
    """Return the figures of each part of the probes with weights that are fitted on the others."""
    parts = [figures(probes[n::_PARTS], _of_others(probes, n), floor) for n in range(_PARTS)]
    return {name: sum(part[name] for part in parts) / _PARTS for name in parts[0]}


def _of_others(probes: Sequence[Probe], part: int) -> CallWeights:
    key = id(probes), part
    if key not in _KNOWN:
        _KNOWN[key] = fitted([each for n, each in enumerate(probes) if n % _PARTS != part])
    return _KNOWN[key]


def _shown(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.2f}" for name, share in shares.items())


if __name__ == "__main__":
    main()
