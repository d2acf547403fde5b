"""Compare the token estimate with two real tokenizers: `python -m benchmarks.tokens`.

It downloads the tokenizers with npm into a temporary folder and prints a Markdown table.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from almario.domain.plain_text import estimate_tokens

HERE = Path(__file__).parent
STARTER = HERE.parents[1] / "src" / "almario" / "becoming" / "starter"


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        print("This measurement needs npm (it comes with Node.js) and could not find it.", file=sys.stderr)
        return 2
    samples = {path.name: path for path in sorted((HERE / "samples").iterdir())}
    samples |= {f"starter {language} SOUL.md": STARTER / language / "SOUL.md" for language in ("en", "es")}
    counts = count(npm, list(samples.values()))

    print("| sample | o200k_base | cl100k_base | estimate | error, o200k | error, cl100k |")
    print("|---|--:|--:|--:|--:|--:|")
    errors: list[tuple[float, float]] = []
    for name, path in samples.items():
        estimate = estimate_tokens(path.read_text(encoding="utf-8"))
        o200k, cl100k = counts[str(path)]["o200k_base"], counts[str(path)]["cl100k_base"]
        error = (100 * (estimate / o200k - 1), 100 * (estimate / cl100k - 1))
        errors.append(error)
        print(f"| {name} | {o200k} | {cl100k} | {estimate} | {error[0]:+.1f}% | {error[1]:+.1f}% |")
    columns = list(zip(*errors, strict=True))
    middle = [median(map(abs, column)) for column in columns]
    worst = [max(column, key=abs) for column in columns]
    print(f"| median, without the sign | | | | {middle[0]:.1f}% | {middle[1]:.1f}% |")
    print(f"| worst | | | | {worst[0]:+.1f}% | {worst[1]:+.1f}% |")
    return 0


def count(npm: str, paths: list[Path]) -> dict[str, dict[str, int]]:
    """Return how many tokens each encoding finds in each file."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "count.mjs"):
            shutil.copy(HERE / name, folder)
        install = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        command = ["node", "count.mjs", *map(str, paths)]
        printed = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
    counts: dict[str, dict[str, int]] = json.loads(printed)
    return counts


if __name__ == "__main__":
    raise SystemExit(main())
