"""Moving out: what goes out comes in again as it was, what cannot is told, and what is private stays."""

import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.domain.audiences import Audience
from almario.domain.memories import EVERY, Memory
from almario.errors import SoulError
from almario.exporting import formats
from almario.importing import bundles
from almario.importing.importer import TakenIn
from almario.soul import Soul
from almario.testing import FixedClock
from tests.effort import examples
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

KINDS = ("bundle", "jsonl", "openclaw", "card", "letta", "mem0", "markdown")
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
    path = folder / f"{kind}{formats.kind_named(kind).ending}"
    soul.exporter.write(path, kind, **({"with_memories": True} | given))
    return other.importer.take_in(path)


def told(soul: Soul) -> set[tuple[object, ...]]:
    return {(m.key, m.value, m.kind, m.valid_from, m.dated, cues(soul, m)) for m in soul.memory.list()}


def cues(soul: Soul, memory: Memory) -> tuple[str, ...]:
    return soul.memory.cues(memory.id)


@examples(4)
@given(st.lists(st.tuples(TOPICS, WORDS), min_size=1, max_size=4))
def test_whatever_is_remembered_comes_in_again_as_it_was(facts: list[tuple[str, str]]) -> None:
    soul = agent()
    for key, value in facts:
        try:
            soul.remember(key or value, value if key else None)
        except SoulError:  # only punctuation
            continue
    for kind in KINDS if soul.memory.list() else ():
        other = agent(3600)
        with place() as folder:
            moved(soul, kind, folder, other)

        assert told(other) == told(soul), kind
        assert {memory.origin for memory in other.memory.list()} == {"imported"}


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


@each_row("kind", KINDS)
def test_what_is_forgotten_or_off_the_record_stays_here(kind: str) -> None:
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


# What a kind cannot carry.
_UNFIT = "memories no longer in use: 1, what others said: 1, what may be a secret, in memories: 1"
LACKS = [
    ("bundle", ""),
    ("jsonl", "IDENTITY.md, SOUL.md, MOTIVATIONS.md, goals: 2, conversations: 2, lines of daily logs: 1"),
    ("openclaw", f"goals: 2, {_UNFIT}, conversations: 2"),
    ("letta", f"goals: 2, {_UNFIT}"),
    ("markdown", f"IDENTITY.md, SOUL.md, MOTIVATIONS.md, goals: 2, {_UNFIT}, conversations: 2"),
]


@each_row("kind, lacking", LACKS)
def test_what_a_form_cannot_carry_is_told(kind: str, lacking: str) -> None:
    with place() as folder:
        done = shared().exporter.write(folder / "out", kind)

    assert ", ".join(done.left_out) == lacking


def test_a_card_tells_who_it_is_and_what_it_remembers_on_request_only() -> None:
    soul = shared()
    with place() as folder:
        done = soul.exporter.write(folder / "card.json", "card")
        card = json.loads((folder / "card.json").read_text())
        soul.exporter.write(folder / "full.json", "card", with_memories=True)
        book = json.loads((folder / "full.json").read_text())["data"]["character_book"]["entries"]

    assert (card["spec"], card["spec_version"]) == ("chara_card_v3", "3.0")
    assert soul.read("SOUL.md").text.splitlines()[-1] in card["data"]["description"]
    assert card["data"]["character_book"]["entries"] == []
    assert "memories: 6" in done.left_out
    [boat] = [entry for entry in book if "mast" in entry["content"]]
    assert boat["keys"] == ["sailing", "the harbour"]


@each_row("kind", [kind for kind in KINDS if kind != "jsonl"])
def test_who_it_is_goes_out_without_memories(kind: str) -> None:
    soul = shared()
    with place() as folder:
        path = folder / "out.zip"
        soul.exporter.write(path, kind, with_memories=False)
        text = everything(path)

    for own in ("black", "Soria", "boiler", "mast"):
        assert own not in text


def test_others_get_what_they_may_hear() -> None:
    soul = lived()
    [coffee] = [each for each in soul.memory.list() if each.key == "coffee"]
    soul.memory.share(coffee.id)
    with place() as folder:
        for kind in KINDS:
            path = folder / f"{kind}.zip"
            soul.exporter.write(path, kind, with_memories=True, audience=Audience("telegram:-7", ("Vera",)))
            text = everything(path)
            assert "black" in text
            for private in ("mast", "Soria", "boiler", "sailing", "tundra", "short sentences"):
                assert private not in text, (kind, private)


def test_a_bundle_brings_everything_back_to_an_empty_agent() -> None:
    soul, other = lived(), agent(3600)
    soul.goals.add("Bake bread")
    for name in ("SOUL.md", "AGENTS.md"):  # nothing is left of a starter's text, and one that it has not
        soul.write(soul.read(name), "# Me\n\nA lighthouse keeper, dry as salt.\n")
    with place() as folder:
        done = moved(soul, "bundle", folder, other)
        again = other.importer.take_in(folder / "bundle.zip")
        own = soul.importer.take_in(folder / "bundle.zip")

    def kept(other: Soul) -> set[tuple[object, ...]]:
        every = [
            each for each in other.memory.list(EVERY) if each.key != "shoe size" and each.kind != "episode"
        ]
        return {(*each[:4], *each[6:12], each.dated, cues(other, each)) for each in every}

    assert kept(other) == kept(soul)
    assert {memory.origin for memory in other.memory.list(EVERY)} == {"imported", "untrusted"}
    assert [entry.text for entry in other.log_of()] == ["Fixed the boiler"]
    turns = [turn for view in other.sessions.all() for turn in other.sessions.turns(view.session)]
    said = {(turn.role, turn.speaker, turn.text, turn.origin) for turn in turns}
    assert ("user", "", "I live in Soria", "imported") in said
    assert ("user", "Vera", "Vera sells honey", "untrusted") in said
    assert other.read("GOALS.md").text != soul.read("GOALS.md").text
    for proposal in done.proposals:
        other.proposals.accept(proposal)
    for file in soul.files():
        assert other.read(file.name).text == file.text
    # Nothing comes in twice, here or there.
    assert (again.messages, again.memories) == (0, 0)
    assert (own.messages, own.memories, own.proposals) == (0, 0, ())
    other.importer.undo("bundle.zip")
    assert other.memory.list() == []


def test_what_no_memory_tells_goes_out_in_a_bundle_as_it_is_and_is_counted_elsewhere(
    soul: Soul, home: Path, tmp_path: Path
) -> None:
    soul.remember("coffee: black")
    soul.memory.settle()
    core, history = soul.path / "MEMORY.md", soul.path / "memory" / "HISTORY.md"
    core.write_text("## Rules of the house\n\nShoes stay at the door.\n\n" + core.read_text())
    history.parent.mkdir(exist_ok=True)
    history.write_text("Before all this there was a lighthouse.\n")
    soul.append("cli:main", "user", "Hello", ref="chat-7")
    bundle = soul.exporter.write(tmp_path / "all.zip")
    other = soul.exporter.write(tmp_path / "mem0.json", "mem0")
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        core_out, history_out, said = (
            archive.read(name).decode()
            for name in ("files/MEMORY.md", "files/memory/HISTORY.md", "conversations.jsonl")
        )

    assert "## Rules of the house\n\nShoes stay at the door.\n" in core_out
    assert "black" not in core_out
    assert history_out == history.read_text()
    assert json.loads(said)["ref"] == "chat-7"
    assert bundle.left_out == ()
    assert "your own lines in MEMORY.md: 1" in other.left_out
    left = {each.place for each in soul.importer.take_in(tmp_path / "all.zip").skipped}
    assert left >= {"files/MEMORY.md", "files/memory/HISTORY.md"}


def test_a_memory_rests_on_the_words_that_came_with_it() -> None:
    other = agent()
    line = {"id": "0123456789ab", "value": "lives in Soria", "evidence": ["cli:main#1"]}
    said = {
        "session": "cli:main",
        "n": 1,
        "at": "2026-11-14T13:30:00Z",
        "role": "user",
        "text": "I live in Soria",
    }
    with place() as folder:
        (folder / "bundle.json").write_text('{"almario_bundle": 1}')
        (folder / "memories.jsonl").write_text(json.dumps(line) + "\n")
        (folder / "conversations.jsonl").write_text(json.dumps(said) + "\n")
        other.importer.take_in(folder)

    [memory] = other.memory.list()
    assert [each.text for each in other.memory.evidence(memory)] == ["I live in Soria"]


def test_within_a_home_memories_are_the_owners_word_again_and_what_was_erased_stays_so(
    soul: Soul, tmp_path: Path, home: Path
) -> None:
    soul.remember("coffee: black")
    soul.remember("tea: green")
    soul.exporter.write(tmp_path / "all.zip")
    soul.memory.purge(soul.memory.plan_purge("tea"))
    with almario.create(home, "twin") as twin:
        twin.importer.take_in(tmp_path / "all.zip")
        assert {(each.key, each.origin) for each in twin.memory.list()} == {
            ("coffee", "owner"),
            ("tea", "owner"),
        }

    assert soul.importer.take_in(tmp_path / "all.zip").memories == 0
    assert [each.key for each in soul.memory.list()] == ["coffee"]


def test_a_line_of_a_log_that_others_said_goes_out_as_theirs_or_not_at_all(
    soul: Soul, home: Path, tmp_path: Path
) -> None:
    log = soul.path / "memory" / "2026-11-13.md"
    log.parent.mkdir(exist_ok=True)
    log.write_text("- [09:00] Fixed the boiler\n- [10:00] [untrusted] Vera sells honey\n")
    for kind in KINDS:
        done = soul.exporter.write(tmp_path / f"{kind}.zip", kind, with_memories=True)
        text = everything(Path(done.path))
        assert ("boiler" in text) == (kind != "jsonl"), kind
        assert ("honey" in text) == (kind == "bundle"), kind
        assert ("what others said: 1" in done.left_out) == (kind not in ("bundle", "jsonl")), kind


def test_a_target_that_exists_is_not_overwritten_and_nothing_is_left_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul, path, folder = lived(), tmp_path / "out.json", tmp_path / "workspace"
    path.write_text("mine")
    folder.mkdir()
    (folder / "mine.md").write_text("mine")
    for target, kind, force in ((path, "card", False), (folder, "openclaw", True), (folder, "card", True)):
        with pytest.raises(SoulError, match="choose another name"):
            soul.exporter.write(target, kind, force=force)
    monkeypatch.setattr("almario_formats.mem0.remark", _failing)
    with pytest.raises(OSError, match="full"):
        soul.exporter.write(path, "mem0", force=True)

    assert path.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out.json", "workspace"]
    soul.exporter.write(path, "card", force=True)
    assert json.loads(path.read_text())["spec"] == "chara_card_v3"
    assert os.stat(path).st_mode & 0o077 == 0


def _failing(*_: object) -> None:
    raise OSError(28, "the disk is full")


@each_row("kind", [kind for kind in KINDS if kind != "jsonl"])
def test_an_older_export_brings_nothing_back_that_was_erased(kind: str) -> None:
    soul = agent()
    soul.remember("bank: Zorbux Credit")
    path_in = f"{kind}{formats.kind_named(kind).ending}"
    with place() as folder:
        soul.exporter.write(folder / path_in, kind, with_memories=True)
        soul.memory.purge(soul.memory.plan_purge("bank"))

        soul.importer.take_in(folder / path_in)

    names = [each.name for each in soul._vault.documents.holdings()]
    assert not [name for name in names if "Zorbux" in soul._vault.read(name).raw]


@each_row("kind", ["bundle", "letta"])
def test_an_older_export_brings_nothing_back_that_went_off_the_record_or_out_of_mind(kind: str) -> None:
    soul = agent()
    for text in ("I sail", "Zorbux owes me", "My therapist is Quorum"):
        soul.append("cli:main", "user", text)
    with place() as folder:
        path = folder / f"old{formats.kind_named(kind).ending}"
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


def test_an_agent_file_names_everything_as_letta_takes_it() -> None:
    with place() as folder:
        shared().exporter.write(folder / "a.af", "letta")
        found = json.loads((folder / "a.af").read_text())
    [one] = found["agents"]

    named = {"agent": [one], "block": found["blocks"], "message": one["messages"]}
    for kind, every in named.items():
        assert [each["id"] for each in every] == [f"{kind}-{n}" for n in range(len(every))]
    assert all(isinstance(value, str) for value in found["metadata"].values())


@pytest.mark.folder
@each_row("name", ["out.zip", "agents/out.zip", "agents/default/out.zip", "backups/../out.zip"])
def test_nothing_goes_out_into_the_home(name: str, soul: Soul, home: Path) -> None:
    (home / "backups").mkdir(exist_ok=True)
    before = sorted(home.rglob("*"))
    with pytest.raises(SoulError, match="is in the agents' own folder; choose a place outside"):
        soul.exporter.write(home / name)
    assert sorted(home.rglob("*")) == before


def test_an_export_takes_nothing_away_that_it_did_not_make() -> None:
    soul = agent()
    with place() as folder:
        ours = folder / f".a.zip.{os.getpid()}"  # as an earlier version called it for a while
        (ours / "letters").mkdir(parents=True)

        soul.exporter.write(folder / "a.zip")

        assert sorted(each.name for each in folder.rglob("*")) == [ours.name, "a.zip", "letters"]


def test_a_line_that_is_too_long_is_not_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "WHOLE", 1000)
    soul = agent()
    lines = [json.dumps({"id": f"{n:012x}", "value": "x" * n}) for n in (5, 2000)]
    with place() as folder:
        path = folder / "memories.jsonl"
        path.write_text("\n".join(lines))

        with pytest.raises(SoulError, match="is damaged"):
            soul.importer.take_in(path)
    assert soul.memory.list() == []
