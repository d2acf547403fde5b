"""`python -m tests.torture`: kills, power cuts, killed purges, interleaved edits; faults that prove them."""

import argparse
import sys

from tests.torture import kills, meddling, mirror, power, purging, writing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", choices=("all", "kills", "power", "purge", "mirror"), default="all")
    parser.add_argument("--rounds", type=int, help="how many kills, cuts or interleavings")
    parser.add_argument("--seed", type=int, default=0, help="of the interleavings")
    parser.add_argument("--at-once", type=int, help="how many interleavings with both processes at work")
    faults = (*writing.FAULTS, *purging.FAULTS, *meddling.FAULTS)
    parser.add_argument("--fault", choices=faults, default="none", help="take a safeguard out first")
    arguments = parser.parse_args()
    if arguments.run == "all":
        return everything()
    if arguments.run == "power" and (why := power.why_not()):
        print(f"SKIPPED: no power cuts: {why}")
        return 0
    if arguments.run == "mirror":
        found = mirror.run(
            arguments.rounds or 2000, arguments.fault, seed=arguments.seed, at_once=arguments.at_once
        )
    elif arguments.run == "purge":
        found = purging.run(arguments.rounds or 100, arguments.fault, seed=arguments.seed)
    else:
        default = 300 if arguments.run == "kills" else 30
        runner = kills.run if arguments.run == "kills" else power.run
        found = runner(arguments.rounds or default, arguments.fault)
    for problem in found[:10]:
        print(f"BROKEN: {problem}")
    print("broken promises: " + str(len(found)))
    return 1 if found else 0


def everything() -> int:
    """Run all at full length, and see each fail without its safeguards."""
    import subprocess

    def run(*arguments: str) -> int:
        print("$ python -m tests.torture " + " ".join(arguments), flush=True)
        return subprocess.run([sys.executable, "-m", "tests.torture", *arguments], check=False).returncode

    sound = run("kills") == 0
    sound = run("power") == 0 and sound
    sound = run("purge") == 0 and sound
    sound = run("mirror") == 0 and sound
    proved = run("kills", "--rounds", "40", "--fault", "no-lock") != 0
    proved = run("purge", "--rounds", "20", "--fault", "no-resume") != 0 and proved
    for fault in meddling.FAULTS:
        proved = run("mirror", "--rounds", "400", "--at-once", "0", "--fault", fault) != 0 and proved
    if not power.why_not():
        proved = run("power", "--rounds", "3", "--fault", "no-fsync") != 0 and proved
    print("sound" if sound else "NOT SOUND", "and", "proved by planted faults" if proved else "NOT PROVED")
    return 0 if sound and proved else 1


if __name__ == "__main__":
    sys.exit(main())
