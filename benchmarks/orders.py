"""`python -m benchmarks.orders FILE.jsonl…`: how many orders in words are heard, how much else is left.

Each line has a "text" and a "label": remember, forget, confidence or none. Told by the sure rows, by the
fitted reader, and by both as a conversation uses them. `--misses` prints what was heard wrongly.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from almario.adapters.embedders.local import LocalEmbedder
from almario.conversation.wishing import Wishes, wanted_in
from almario.text.reader import Reading, parts_of, read

LABELS = ("remember", "forget", "confidence", "none")
Way = Callable[[str, Reading], Wishes]
WAYS: dict[str, Way] = {
    "sure rows": lambda text, _: wanted_in(text),
    "reader": lambda _, reading: wanted_in("", reading),
    "both": wanted_in,
}


def heard(wanted: Wishes) -> str:
    """Return the label of what a message wants; to take back what was said is to forget it."""
    if wanted.off:
        return "forget" if wanted.off == "previous" else "confidence"
    return "forget" if wanted.forget else "remember" if wanted.remember else "none"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    rows = [json.loads(line) for path in given.files for line in path.read_text("utf-8").splitlines() if line]
    rows = [row for row in rows if row["label"] in LABELS]
    embedder = LocalEmbedder()
    readings = [
        read(text, embedder.embed([text])[0], embedder.embed(parts_of(text)))
        for text in (row["text"] for row in rows)
    ]
    total = Counter(row["label"] for row in rows)
    print(f"{'':10}", *(f"{label} ({total[label]})".rjust(18) for label in LABELS), "forgotten by mistake")
    for name, way in WAYS.items():
        found = [way(row["text"], reading) for row, reading in zip(rows, readings, strict=True)]
        right = Counter(
            row["label"] for row, each in zip(rows, found, strict=True) if heard(each) == row["label"]
        )
        wrong = sum(
            each.forget == "sure" or each.off == "previous"
            for row, each in zip(rows, found, strict=True)
            if row["label"] not in ("forget", "confidence")
        )
        shares = (f"{right[label] / max(1, total[label]):.3f}".rjust(18) for label in LABELS)
        print(f"{name:10}", *shares, wrong)
        if given.misses and name == "both":
            for row, each in zip(rows, found, strict=True):
                if heard(each) != row["label"]:
                    print(f"  {row['label']:10} heard as {heard(each):10} {row['text']}")


if __name__ == "__main__":
    main()
