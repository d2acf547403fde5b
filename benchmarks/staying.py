"""`python -m benchmarks.staying`: how much a process grows that recalls again and again.

An agent of 20,000 lines, memories and turns together, is asked 2,000 questions, each of them new, by words
and meaning; what the process holds is printed as it goes. It spares memory as all those do that stay.
"""

import argparse
import tempfile
from pathlib import Path

import almario
from almario.apps.daemon.bounds import spare_memory
from benchmarks.large import grown
from benchmarks.texts import passages, questions

MEMORIES, TURNS = 5_000, 15_000
RECALLS = 2_000
# After so many recalls what a process holds is shown.
SHOWN = (1, 10, 200, 500, 1_000, 1_500)


def held() -> float:
    """Return the megabytes of this process that are in memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not say what a process holds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="where the agent is, or is to be kept")
    parser.add_argument("--recalls", type=int, default=RECALLS, help="default: %(default)s")
    chosen = parser.parse_args()
    spare_memory()
    with tempfile.TemporaryDirectory() as folder:
        home = chosen.home or Path(folder) / "home"
        if not home.exists():
            grown(home, MEMORIES, TURNS)
        asked = questions(chosen.recalls, passages(TURNS))
        soul = almario.open(home)
        print("| recalls | held | more than after the first |\n|--:|--:|--:|")
        first = 0.0
        for count, question in enumerate(asked, 1):
            soul.recall(question)
            if count in (*SHOWN, len(asked)):
                first = first or held()
                print(f"| {count:,} | {held():.0f} MB | {held() - first:.1f} MB |", flush=True)
        soul.close()


if __name__ == "__main__":
    main()
