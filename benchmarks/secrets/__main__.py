"""python -m benchmarks.secrets FILE.jsonl: how many secrets of a file are found, and what else is touched.

A line is {"text": …, "label": "secret" or "innocent", "secret": ["…"]}.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from almario.text.redaction import redact


def judged(row: Mapping[str, Any], region: str = "") -> str:
    """Say what becomes of a sentence: its secrets, or of what is none."""
    found = redact(row["text"], region=region)
    if row["label"] == "innocent":
        return "left alone" if found.text == row["text"] else "touched" if not found.kinds else "destroyed"
    if any(secret in found.text for secret in row["secret"]):
        return "missed"
    return "withheld" if not found.kinds else "left out"


def main() -> None:
    for name in sys.argv[1:]:
        rows = [json.loads(line) for line in Path(name).read_text("utf-8").splitlines() if line.strip()]
        count = Counter[tuple[str, str]]()
        for row in rows:
            verdict = judged(row)
            count[row["label"], verdict] += 1
            if verdict in ("missed", "touched", "destroyed", "left out"):
                print(f"{verdict:10} {row['text']!r} → {redact(row['text']).text!r}")
        secret, innocent = (sum(row["label"] == label for row in rows) for label in ("secret", "innocent"))
        left_out, alone = count["secret", "left out"], count["innocent", "left alone"]
        missed, destroyed = count["secret", "missed"], count["innocent", "destroyed"]
        print(f"{name}: {secret - missed} of {secret} secrets found, {left_out} of them left out for good")
        print(f"{name}: {alone} of {innocent} innocent sentences left alone, {destroyed} destroyed")


if __name__ == "__main__":
    main()
