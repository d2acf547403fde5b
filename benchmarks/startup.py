"""`python -m benchmarks.startup`: how long commands take as whole processes, in bare starts of Python.

All are run in turn, so that what else the machine does falls on each alike; the
medians are compared.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import almario

RUNS = 21
# Each command, and how many bare starts it may take.
BARS = {
    ("--help",): 5,
    ("goals",): 9,
    ("remember", "The boat needs paint."): 9,
    ("prompt",): 9,
}
_BARE = "pass"
_START = "import sys; from almario.__main__ import main; sys.exit(main())"


def measured(home: Path, runs: int = RUNS) -> dict[tuple[str, ...], float]:
    """Return how many bare starts each command takes, by their medians; () is a bare start in seconds."""
    almario.create(home).close()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"ALMARIO_HOME": str(home), "ALMARIO_EMBEDDER_NAME": "none"}
    commands = {(): ["-c", _BARE]} | {words: ["-c", _START, *words] for words in BARS}
    took: dict[tuple[str, ...], list[float]] = {words: [] for words in commands}
    for run in range(runs + 1):
        for words, arguments in commands.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=True)
            if run:  # the first one compiles
                took[words].append(time.perf_counter() - start)
    bare = statistics.median(took[()])
    return {words: statistics.median(each) / bare if words else bare for words, each in took.items()}


def main() -> None:
    """Print each command beside its bar."""
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder) / "home")
    print(f"a bare start: {1000 * found[()]:.1f} ms\n")
    print("| command | bare starts | at most |\n|---|---:|---:|")
    for words, most in BARS.items():
        print(f"| `almario {words[0]}` | {found[words]:.1f} | {most} |")


if __name__ == "__main__":
    main()
