"""`python -m benchmarks.follow_ups`: what hooks bring to mind, in the same project and in another.

Each line of `follow_ups.jsonl` and `follow_ups_far.jsonl` has something said to a coding agent in passing,
something said later that it belongs to, and a word by which it is known; the far ones share hardly a word.
All of a file are said in the sessions of one project; each of the later ones is the first message of a
session of its own, in that project or in another. `unrelated.txt` has messages that nothing belongs to.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import almario
from almario.domain.turns import session_key
from almario.named_tuples import NamedTuple
from almario.soul import Soul

FOLDER = Path(__file__).parent
FILES = ("follow_ups", "follow_ups_far")
# Through a process that has the model of meaning loaded, and of a hook by itself.
EMBEDDERS = {"by meaning too": "local", "by words": "none"}
HERE = "first-1"
_PER_SESSION = 4


class Counted(NamedTuple):
    """Of how many: those told with the message, and how many lines came with one."""

    told: int
    all: int
    lines: float


def measured(file: str, embedder: str) -> dict[tuple[str, str], Counted]:
    """Return by sort and by project what came to mind."""
    rows = [json.loads(line) for line in (FOLDER / f"{file}.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"embedder.name": embedder, "llm.model": "none"}
        with almario.create(Path(folder) / "home", settings=settings) as soul:
            for n, row in enumerate(rows):
                session = session_key("claude-code", f"said-{n // _PER_SESSION}", project=HERE)
                soul.companion.hear(session, row["said"])
                soul.companion.answer(session, "All right.")
            soul.memory.prepare()
            return dict(_counted(soul, rows))


def _counted(soul: Soul, rows: list[dict[str, str]]) -> Iterator[tuple[tuple[str, str], Counted]]:
    unrelated = (FOLDER / "unrelated.txt").read_text("utf-8").splitlines()
    for project, name in ((HERE, "same"), ("second-2", "other")):
        told = {text: _heard(soul, project, text) for text in (*unrelated, *(row["then"] for row in rows))}
        for sort in ("question", "remark", "order", "person", "work"):
            some = [row for row in rows if sort in (row["sort"], row["about"])]
            if some:
                said = sum(row["word"] in told[row["then"]] for row in some)
                yield (sort, name), Counted(said, len(some), _lines(told[row["then"]] for row in some))
        yield ("unrelated", name), Counted(0, len(unrelated), _lines(told[each] for each in unrelated))


def _heard(soul: Soul, project: str, text: str) -> str:
    """Return what is told with the first message of a session, which later ones are not told of."""
    session = session_key("claude-code", f"then {text}", project=project)
    heard = soul.companion.hear(session, text)
    soul.memory.take_back([turn.id for turn in soul.sessions.turns(session)])
    return heard


def _lines(told: Iterator[str]) -> float:
    counts = [text.count("\n- ") for text in told]
    return sum(counts) / len(counts)


def main() -> None:
    """Print it as a table."""
    print("| | project | told with it | lines with it |\n|---|---|---:|---:|")
    for file in FILES:
        for how, embedder in EMBEDDERS.items():
            for (sort, project), (told, count, lines) in measured(file, embedder).items():
                print(f"| {file}, {how}: {sort} | {project} | {told}/{count} | {lines:.1f} |")


if __name__ == "__main__":
    main()
