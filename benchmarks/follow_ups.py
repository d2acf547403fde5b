"""`python -m benchmarks.follow_ups`: what hooks bring to mind, in the same project and in another.

`follow_ups.jsonl` has forty things said to a coding agent in passing, each with something said later that it
belongs to, a question or a remark, and a word by which it is known. All are said in the sessions of one
project; each of the later ones is the first message of a session of its own, in that project or in another.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import almario
from almario.domain.audiences import Audience
from almario.domain.model import Query
from almario.domain.turns import session_key
from almario.named_tuples import NamedTuple
from almario.soul import Soul

DATA = Path(__file__).with_name("follow_ups.jsonl")
# Through a process that has the model of meaning loaded, and of a hook by itself.
EMBEDDERS = {"by meaning too": "local", "by words": "none"}
HERE = "first-1"
_PER_SESSION, _FIRST = 4, 5


class Counted(NamedTuple):
    """How many came to mind, were among the first five hits, of how many; and lines told for each."""

    told: int
    found: int
    all: int
    lines: float


def measured(embedder: str) -> dict[tuple[str, str], Counted]:
    """Return by sort and by project what came to mind."""
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
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
    for project in (HERE, "second-2"):
        told, found = {}, {}
        for n, row in enumerate(rows):
            session = session_key("claude-code", f"then-{n}", project=project)
            query = Query(row["then"], limit=_FIRST, min_score=0.0, audience=Audience(project=project))
            found[row["then"]] = " ".join(hit.text for hit in soul.memory.recall(query))
            told[row["then"]] = soul.companion.hear(session, row["then"])
            soul.memory.take_back(
                [turn.id for turn in soul.sessions.turns(session)]
            )  # the next is not told it
        for sort in ("question", "remark", "person", "work"):
            some = [row for row in rows if sort in (row["sort"], row["about"])]
            said, hit = (sum(row["word"] in texts[row["then"]] for row in some) for texts in (told, found))
            lines = sum(told[row["then"]].count("\n- ") for row in some) / len(some)
            yield (sort, "same" if project == HERE else "other"), Counted(said, hit, len(some), lines)


def main() -> None:
    """Print it as a table."""
    print("| | project | told | in the first five | lines told |\n|---|---|---:|---:|---:|")
    for how, embedder in EMBEDDERS.items():
        for (sort, project), (told, found, count, lines) in measured(embedder).items():
            print(f"| {how}: {sort} | {project} | {told}/{count} | {found}/{count} | {lines:.1f} |")


if __name__ == "__main__":
    main()
