"""An agent that has lived, how it is moved, and what holds of every form that it can go out in."""

import json
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from almario.domain.audiences import Audience
from almario.domain.memories import Memory
from almario.errors import SoulError
from almario.exporting.exporter import kind_named
from almario.importing.importer import TakenIn
from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on

# What Markdown, JSON, front matter and our own remarks make something of.
SIGNS = (
    """Ana|é|#|##|-|*|**|[x]|[[a]]|%%|<!--|-->|almario {}|\n|---|```|:|"|'|\\|§|@@x|{{char}}|1.|🦊|\u2028"""
)
WORDS = st.lists(st.sampled_from([*SIGNS.split("|"), "- ", "2026-01-02"]), min_size=1, max_size=6).map(
    " ".join
)
TOPICS = st.sampled_from(
    ["", "", "coffee", "C#", "a: b", "2026-01-02", "x/y", "# h", "Notes", "notes", "é ü"]
)


def agent(seconds: float = 0) -> Soul:
    clock = FixedClock()
    clock.advance(seconds=seconds)
    return soul_on(MemoryStore(clock), {"embedder.name": "none"})


@contextmanager
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def moved(soul: Soul, kind: str, folder: Path, other: Soul, **given: Any) -> TakenIn:
    path = folder / f"{kind}{kind_named(kind).ending}"
    soul.exporter.write(path, kind, **({"with_memories": True} | given))
    return other.importer.take_in(path)


def told(soul: Soul) -> set[tuple[object, ...]]:
    return {(m.key, m.value, m.kind, m.valid_from, m.dated, cues(soul, m)) for m in soul.memory.list()}


def cues(soul: Soul, memory: Memory) -> tuple[str, ...]:
    return soul.memory.cues(memory.id)


def lived() -> Soul:
    """An agent with something of every sort: in use, replaced, forgotten, off the record, withheld."""
    soul = agent()
    soul.append("cli:main", "user", "I live in Soria")
    soul.append("cli:main", "assistant", "A cold town.")
    soul.remember("coffee: black", kind="fact")
    soul.remember("dentist: on 2027-03-04 at 10:00")
    soul.remember("answer in short sentences", kind="instruction")
    [tea] = [each for each in [soul.remember("tea: green").memory] if each]
    soul.remember("tea", "white", replaces=tea.id)
    [boat] = [each for each in [soul.remember("The boat has a new mast").memory] if each]
    soul.memory.cue(boat.id, ["sailing", "the harbour"])
    soul.remember("shoe size: forty-one")
    soul.remember("shoe size", "forty-two", replaces=soul.memory.list()[-1].id)
    soul.forget("shoe size")
    soul.remember("the alarm code is maybe tundra-5591")
    soul.log("Fixed the boiler")
    soul.log("Saw Doctor Abril about the knee")
    soul.forget("Doctor Abril")
    soul.memory.leave_out([soul.append("cli:main", "user", "Zoilo owes me money").id])
    forgetting = "Forget what I said about Zoilo. We moved to Cadiz."
    soul.memory.leave_out([soul.append("cli:main", "user", forgetting, ref="Zoilo-7").id])
    soul.off_record("cli:secret")
    soul.append("cli:secret", "user", "I hate my job at Quorum")
    line = json.dumps({"id": "0123456789ab", "value": "Vera has bees", "origin": "untrusted"})
    soul.memory.import_lines([line])
    soul.append("telegram:-7", "user", "Vera sells honey", origin="untrusted", speaker="Vera")
    return soul


@cache
def shared() -> Soul:
    """One that is only read."""
    return lived()


def everything(path: Path) -> str:
    """All text of an export."""
    if path.is_dir():
        return "\n".join(each.read_text() for each in sorted(path.rglob("*")) if each.is_file())
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "\n".join(archive.read(name).decode() for name in archive.namelist())
    return path.read_text()


def comes_in_again(kinds: Sequence[str], facts: list[tuple[str, str]]) -> None:
    soul = agent()
    for key, value in facts:
        try:
            soul.remember(key or value, value if key else None)
        except SoulError:  # only punctuation
            continue
    for kind in kinds if soul.memory.list() else ():
        other = agent(3600)
        with place() as folder:
            moved(soul, kind, folder, other)

        assert told(other) == told(soul), kind
        assert {memory.origin for memory in other.memory.list()} == {"imported"}


def keeps_back_what_is_forgotten(kind: str) -> None:
    with place() as folder:
        done = shared().exporter.write(folder / "out.zip", kind, with_memories=True)
        text = everything(Path(done.path))

    assert "black" in text
    assert ("Cadiz" in text) == (kind in ("bundle", "letta"))
    for gone in ("forty-one", "forty-two", "Quorum", "Abril", "Zoilo"):
        assert gone not in text, gone
    # What may be a secret is in what only its owner has; others get it masked, and are told so.
    assert ("tundra" in text) == (kind in ("bundle", "jsonl"))
    assert ("[withheld:" in text) == (kind not in ("bundle", "jsonl"))
    assert ("green" in text) == (kind in ("bundle", "jsonl"))
    # No other form says of what others said that it is theirs.
    assert ("bees" in text) == (kind in ("bundle", "jsonl"))


def says_what_it_lacks(kind: str, lacking: str) -> None:
    with place() as folder:
        done = shared().exporter.write(folder / "out", kind)

    assert ", ".join(done.left_out) == lacking


def tells_who_it_is_alone(kind: str) -> None:
    soul = shared()
    with place() as folder:
        path = folder / "out.zip"
        soul.exporter.write(path, kind, with_memories=False)
        text = everything(path)

    for own in ("black", "Soria", "boiler", "mast"):
        assert own not in text


def tells_others_what_they_may_hear(kinds: Sequence[str]) -> None:
    soul = lived()
    [coffee] = [each for each in soul.memory.list() if each.key == "coffee"]
    soul.memory.share(coffee.id)
    with place() as folder:
        for kind in kinds:
            path = folder / f"{kind}.zip"
            soul.exporter.write(path, kind, with_memories=True, audience=Audience("telegram:-7", ("Vera",)))
            text = everything(path)
            assert "black" in text
            for private in ("mast", "Soria", "boiler", "sailing", "tundra", "short sentences"):
                assert private not in text, (kind, private)


def marks_what_others_said(soul: Soul, folder: Path, kinds: Sequence[str]) -> None:
    log = soul.path / "memory" / "2026-11-13.md"
    log.parent.mkdir(exist_ok=True)
    log.write_text("- [09:00] Fixed the boiler\n- [10:00] [untrusted] Vera sells honey\n")
    for kind in kinds:
        done = soul.exporter.write(folder / f"{kind}.zip", kind, with_memories=True)
        text = everything(Path(done.path))
        assert ("boiler" in text) == (kind != "jsonl"), kind
        assert ("honey" in text) == (kind == "bundle"), kind
        assert ("what others said: 1" in done.left_out) == (kind not in ("bundle", "jsonl")), kind


def brings_nothing_back_that_was_erased(kind: str) -> None:
    soul = agent()
    soul.remember("bank: Zorbux Credit")
    path_in = f"{kind}{kind_named(kind).ending}"
    with place() as folder:
        soul.exporter.write(folder / path_in, kind, with_memories=True)
        soul.memory.purge(soul.memory.plan_purge("bank"))

        soul.importer.take_in(folder / path_in)

    names = [each.name for each in soul._vault.documents.holdings()]
    assert not [name for name in names if "Zorbux" in soul._vault.read(name).raw]


def brings_nothing_back_that_was_taken_back(kind: str) -> None:
    soul = agent()
    for text in ("I sail", "Zorbux owes me", "My therapist is Quorum"):
        soul.append("cli:main", "user", text)
    with place() as folder:
        path = folder / f"old{kind_named(kind).ending}"
        soul.exporter.write(path, kind)
        turns = soul.sessions.turns("cli:main")
        soul.memory.leave_out([turns[1].id])
        soul.memory.take_back([turns[2].id])
        soul.end_session("cli:main")

        again = soul.importer.take_in(path)
        elsewhere = agent()
        other = elsewhere.importer.take_in(path)

    assert (again.messages, again.known >= 3) == (0, True)
    assert other.messages == 3
    said = [turn.text for view in soul.sessions.all() for turn in soul.sessions.turns(view.session)]
    assert not [text for text in said if "Quorum" in text]
