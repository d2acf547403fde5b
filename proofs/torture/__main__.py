"""`python -m proofs.torture`: kills, power cuts, interleaved edits; and the faults that prove them."""

import argparse
import subprocess
import sys
from collections.abc import Callable

from proofs.torture import (
    breaches,
    clusters,
    doors,
    household,
    kills,
    lapses,
    meddling,
    mirror,
    month,
    pg_moves,
    pg_runs,
    pg_writing,
    power,
    purging,
    steps,
    talk,
    whispers,
    writing,
)

RUNS = ("kills", "power", "purge", "mirror", "talk", "steps", "whispers", "month", "household", "doors")
ON_POSTGRES = ("pg-kills", "pg-stops", "pg-standby", "pg-moves")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", choices=("all", "postgres", *RUNS, *ON_POSTGRES), default="all")
    parser.add_argument("--rounds", type=int, help="how many kills, cuts or interleavings")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the interleavings, purges, talks and households"
    )
    parser.add_argument("--at-once", type=int, help="how many interleavings with both processes at work")
    parser.add_argument("--processes", type=int, default=talk.WORKERS, help="how many talk or live at once")
    parser.add_argument("--nights", type=int, default=month.NIGHTS, help="how long a month is")
    parser.add_argument("--seconds", type=int, default=doors.SECONDS, help="how long the doors are open")
    runs = (writing, purging, meddling, lapses, month, breaches, whispers, doors, pg_writing, pg_moves)
    faults = [fault for run in runs for fault in run.FAULTS]
    parser.add_argument("--fault", choices=faults, default="none", help="take a safeguard out first")
    arguments = parser.parse_args()
    if arguments.run == "all":
        return everything()
    if (arguments.run == "postgres" or arguments.run in ON_POSTGRES) and (why := clusters.why_not()):
        print(f"SKIPPED: no PostgreSQL: {why}")
        return 0
    if arguments.run == "postgres":
        return everything_on_postgres()
    if arguments.run == "power" and (why := power.why_not()):
        print(f"SKIPPED: no power cuts: {why}")
        return 0
    found = results(arguments)
    for problem in found[:10]:
        print(f"BROKEN: {problem}")
    print("broken promises: " + str(len(found)))
    return 1 if found else 0


def results(arguments: argparse.Namespace) -> list[str]:
    """Return what one run finds."""
    rounds, fault, seed = arguments.rounds, arguments.fault, arguments.seed
    runs: dict[str, Callable[[], list[str]]] = {
        "kills": lambda: kills.run(rounds or 300, fault),
        "power": lambda: power.run(rounds or 30, fault),
        "mirror": lambda: mirror.run(rounds or 2000, fault, seed=seed, at_once=arguments.at_once),
        "purge": lambda: purging.run(rounds or 100, fault, seed=seed),
        "talk": lambda: talk.run(rounds or 300, fault, seed=seed, workers=arguments.processes),
        "steps": lambda: steps.run(rounds or 0, fault, seed=seed),
        "whispers": lambda: whispers.run(rounds or 0, fault, seed=seed),
        "month": lambda: month.run(rounds or 100, fault, seed=seed, nights=arguments.nights),
        "household": lambda: household.run(rounds or 400, fault, seed=seed, members=arguments.processes),
        "pg-kills": lambda: pg_runs.kills(rounds or 300, fault),
        "pg-stops": lambda: pg_runs.stops(rounds or 50, fault),
        "pg-standby": lambda: pg_runs.standby(rounds or 10, fault),
        "pg-moves": lambda: pg_moves.run(rounds or 30, fault),
        "doors": lambda: doors.run(rounds or 0, fault, seed=seed, seconds=arguments.seconds),
    }
    return runs[arguments.run]()


def everything() -> int:
    """Run all at full length, and see each fail without its safeguards."""
    sound = run("kills") == 0
    sound = run("power") == 0 and sound
    sound = run("purge") == 0 and sound
    sound = run("mirror") == 0 and sound
    sound = run("talk") == 0 and sound
    sound = run("steps") == 0 and sound
    sound = run("whispers") == 0 and sound
    sound = run("month") == 0 and sound
    sound = run("household") == 0 and sound
    sound = run("doors") == 0 and sound
    sound = run("doors", "--rounds", "20") == 0 and sound
    proved = run("kills", "--rounds", "40", "--fault", "no-lock") != 0
    proved = run("purge", "--rounds", "20", "--fault", "no-resume") != 0 and proved
    for fault in ("no-lock", "no-watermark"):
        proved = run("talk", "--rounds", "60", "--fault", fault) != 0 and proved
    for fault in ("early-leave", "no-cut"):
        proved = run("steps", "--fault", fault) != 0 and proved
    proved = run("whispers", "--rounds", "3", "--fault", "written-down") != 0 and proved
    proved = run("month", "--rounds", "40", "--fault", "not-resumed") != 0 and proved
    for fault in (*breaches.FAULTS, "not-resumed"):
        proved = run("household", "--rounds", "80", "--fault", fault) != 0 and proved
    for fault in meddling.FAULTS:
        proved = run("mirror", "--rounds", "400", "--at-once", "0", "--fault", fault) != 0 and proved
    proved = run("doors", "--seconds", "60", "--fault", "all-ears") != 0 and proved
    if not power.why_not():
        proved = run("power", "--rounds", "3", "--fault", "no-fsync") != 0 and proved
    return verdict(sound=sound, proved=proved)


def everything_on_postgres() -> int:
    """Run what is about PostgreSQL at full length, and see it fail without its safeguards."""
    sound = sum(run(each) for each in ON_POSTGRES) == 0
    proved = run("pg-kills", "--rounds", "60", "--fault", "pg-no-lock") != 0
    proved = run("pg-stops", "--rounds", "5", "--fault", "pg-hasty") != 0 and proved
    proved = run("pg-standby", "--rounds", "3", "--fault", "pg-hasty") != 0 and proved
    proved = run("pg-moves", "--rounds", "10", "--fault", "pg-no-fence") != 0 and proved
    return verdict(sound=sound, proved=proved)


def run(*arguments: str) -> int:
    print("$ python -m proofs.torture " + " ".join(arguments), flush=True)
    return subprocess.run([sys.executable, "-m", "proofs.torture", *arguments], check=False).returncode


def verdict(*, sound: bool, proved: bool) -> int:
    print("sound" if sound else "NOT SOUND", "and", "proved by planted faults" if proved else "NOT PROVED")
    return 0 if sound and proved else 1


if __name__ == "__main__":
    sys.exit(main())
