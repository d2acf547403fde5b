"""`python -m proofs.torture`: kills, power cuts, interleaved edits; and the faults that prove them."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from proofs.torture import (
    breaches,
    clusters,
    doors,
    flood,
    household,
    kills,
    lapses,
    meddling,
    mirror,
    month,
    pg_moves,
    pg_mute,
    pg_runs,
    pg_straits,
    pg_writing,
    power,
    purging,
    steps,
    whispers,
    writing,
)

# No other fault of a run ends it so: a planted fault that only breaks the run proves nothing.
BROKEN = 3
_SHORT_FLOOD = 0.25


class Kind(NamedTuple):
    """A kind of run; `rounds` 0 is every step there is, `faults` says in how many rounds each shows."""

    run: Callable[[int, argparse.Namespace], list[str]]
    rounds: int
    short: int
    faults: Mapping[str, int]


KINDS = {
    "kills": Kind(lambda rounds, given: kills.run(rounds, given.fault), 300, 20, {"no-lock": 40}),
    "power": Kind(lambda rounds, given: power.run(rounds, given.fault), 30, 4, {"no-fsync": 3}),
    "purge": Kind(
        lambda rounds, given: purging.run(rounds, given.fault, seed=given.seed), 100, 6, {"no-resume": 20}
    ),
    "mirror": Kind(
        lambda rounds, given: mirror.run(rounds, given.fault, seed=given.seed, at_once=_at_once(given)),
        2000,
        80,
        dict.fromkeys(meddling.FAULTS, 400),
    ),
    "steps": Kind(
        lambda rounds, given: steps.run(rounds, given.fault, seed=given.seed),
        0,
        25,
        {"early-leave": 0, "no-cut": 0},
    ),
    "whispers": Kind(
        lambda rounds, given: whispers.run(rounds, given.fault, seed=given.seed), 0, 15, {"written-down": 3}
    ),
    "month": Kind(
        lambda rounds, given: month.run(rounds, given.fault, seed=given.seed, nights=given.nights),
        100,
        3,
        {"not-resumed": 40},
    ),
    "household": Kind(
        lambda rounds, given: household.run(rounds, given.fault, seed=given.seed, members=given.processes),
        400,
        12,
        dict.fromkeys((*breaches.FAULTS, "not-resumed"), 80),
    ),
    "doors": Kind(
        lambda rounds, given: doors.run(rounds, given.fault, seed=given.seed, seconds=given.seconds),
        20,
        5,
        {"all-ears": 0, "no-watermark": 0},
    ),
    "flood": Kind(
        lambda rounds, given: flood.run(rounds, given.fault, seconds=given.minutes * 60),
        1,
        1,
        dict.fromkeys(("no-room", "no-end"), 1),
    ),
}
ON_POSTGRES = {
    "pg-kills": Kind(lambda rounds, given: pg_runs.kills(rounds, given.fault), 300, 10, {"pg-no-lock": 60}),
    "pg-stops": Kind(lambda rounds, given: pg_runs.stops(rounds, given.fault), 50, 3, {"pg-hasty": 5}),
    "pg-standby": Kind(lambda rounds, given: pg_runs.standby(rounds, given.fault), 10, 1, {"pg-hasty": 3}),
    "pg-crowds": Kind(lambda rounds, given: pg_straits.crowds(rounds, given.fault), 20, 2, {}),
    "pg-full": Kind(lambda rounds, given: pg_straits.full(rounds, given.fault), 10, 1, {}),
    "pg-restored": Kind(lambda rounds, given: pg_straits.restored(rounds, given.fault), 10, 1, {}),
    "pg-upgraded": Kind(lambda rounds, given: pg_straits.upgraded(rounds, given.fault), 10, 2, {}),
    "pg-mute": Kind(lambda rounds, given: pg_mute.run(rounds), 40, 2, {}),
    "pg-moves": Kind(lambda rounds, given: pg_moves.run(rounds, given.fault), 30, 3, {"pg-no-fence": 10}),
}


def _at_once(given: argparse.Namespace) -> int | None:
    return given.at_once if given.fault == "none" else 0  # in turns, a seed shows the same each time


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", choices=("all", "postgres", *KINDS, *ON_POSTGRES), default="all")
    parser.add_argument("--short", action="store_true", help="a few rounds of each, and every fault")
    parser.add_argument("--rounds", type=int, help="how many kills, cuts or interleavings")
    parser.add_argument("--seed", type=int, default=0, help="of the interleavings, purges and households")
    parser.add_argument("--at-once", type=int, help="how many interleavings with both processes at work")
    parser.add_argument("--processes", type=int, default=household.MEMBERS, help="how many live at once")
    parser.add_argument("--nights", type=int, help="how long a month is")
    parser.add_argument("--seconds", type=int, help="how long the doors are open")
    parser.add_argument("--minutes", type=float, help="how long a flood lasts at each door")
    modules = (
        writing,
        purging,
        meddling,
        lapses,
        month,
        breaches,
        whispers,
        doors,
        flood,
        pg_writing,
        pg_moves,
    )
    faults = [fault for each in modules for fault in each.FAULTS]
    parser.add_argument("--fault", choices=faults, default="none", help="take a safeguard out first")
    given = parser.parse_args()
    given.nights = given.nights or (4 if given.short else month.NIGHTS)
    given.seconds = given.seconds or (40 if given.short else doors.SECONDS)
    given.minutes = given.minutes or (_SHORT_FLOOD if given.short else flood.MINUTES)
    if given.run in ("all", "postgres"):
        return everything(KINDS if given.run == "all" else ON_POSTGRES, short=given.short)
    if why := why_not(given.run):
        print(f"SKIPPED: {why}")
        return 0
    kind = (KINDS | ON_POSTGRES)[given.run]
    rounds = kind.faults.get(given.fault, kind.short if given.short else kind.rounds)
    found = kind.run(rounds if given.rounds is None else given.rounds, given)
    for problem in found[:10]:
        print(f"BROKEN: {problem}")
    print("broken promises: " + str(len(found)))
    return BROKEN if found else 0


def why_not(kind: str) -> str:
    """Say what is missing for a kind of run, if something is."""
    if kind in ON_POSTGRES and (why := clusters.why_not()):
        return f"no PostgreSQL: {why}"
    if kind == "pg-full" and (why := pg_straits.why_not_full()):
        return f"no full disk: {why}"
    if kind == "power" and (why := power.why_not()):
        return f"no power cuts: {why}"
    return ""


def everything(kinds: Mapping[str, Kind], *, short: bool) -> int:
    """Do every kind of run, and see each fail without its safeguards."""
    much = ["--short"] if short else []
    wrong = [name for name in kinds if run(name, *much)]
    missed = [
        f"{name} --fault {fault}"
        for name, fault in _faults(kinds)
        if not why_not(name) and run(name, *much, "--fault", fault) != BROKEN
    ]
    print(f"NOT SOUND: {', '.join(wrong)}" if wrong else "sound")
    print(f"NOT PROVED: {', '.join(missed)}" if missed else "proved by planted faults")
    return 1 if wrong or missed else 0


def _faults(kinds: Mapping[str, Kind]) -> Iterable[tuple[str, str]]:
    return ((name, fault) for name, kind in kinds.items() for fault in kind.faults)


def run(*arguments: str) -> int:
    print("$ python -m proofs.torture " + " ".join(arguments), flush=True)
    return subprocess.run([sys.executable, "-m", "proofs.torture", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
