"""`python -m tests.torture`: 300 kills and 30 power cuts, and the planted faults that prove them."""

import argparse
import sys

from tests.torture import kills, power
from tests.torture.writing import FAULTS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", choices=("all", "kills", "power"), default="all")
    parser.add_argument("--rounds", type=int, help="how many kills or cuts")
    parser.add_argument("--fault", choices=FAULTS, default="none", help="take a safeguard out first")
    arguments = parser.parse_args()
    if arguments.run == "all":
        return everything()
    if arguments.run == "power" and (why := power.why_not()):
        print(f"SKIPPED: no power cuts: {why}")
        return 0
    default = 300 if arguments.run == "kills" else 30
    runner = kills.run if arguments.run == "kills" else power.run
    found = runner(arguments.rounds or default, arguments.fault)
    for problem in found[:10]:
        print(f"BROKEN: {problem}")
    print("broken promises: " + str(len(found)))
    return 1 if found else 0


def everything() -> int:
    """Run both at full length, and see each fail without its safeguard."""
    import subprocess

    def run(*arguments: str) -> int:
        print("$ python -m tests.torture " + " ".join(arguments), flush=True)
        return subprocess.run([sys.executable, "-m", "tests.torture", *arguments], check=False).returncode

    sound = run("kills") == 0
    sound = run("power") == 0 and sound
    proved = run("kills", "--rounds", "40", "--fault", "no-lock") != 0
    if not power.why_not():
        proved = run("power", "--rounds", "3", "--fault", "no-fsync") != 0 and proved
    print("sound" if sound else "NOT SOUND", "and", "proved by planted faults" if proved else "NOT PROVED")
    return 0 if sound and proved else 1


if __name__ == "__main__":
    sys.exit(main())
