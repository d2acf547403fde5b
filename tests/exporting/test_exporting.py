"""Moving out: what goes out comes in again as it was, what cannot is told, and what is private stays."""

import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.domain.memories import EVERY
from almario.errors import SoulError
from almario.importing import bundles, source
from almario.soul import Soul
from tests.effort import examples
from tests.exporting import claims
from tests.exporting.claims import agent, cues, lived, moved, place
from tests.tables import each_row

pytestmark = pytest.mark.light

KINDS = ("bundle", "jsonl")


@examples(4)
@given(st.lists(st.tuples(claims.TOPICS, claims.WORDS), min_size=1, max_size=4))
def test_whatever_is_remembered_comes_in_again_as_it_was(facts: list[tuple[str, str]]) -> None:
    claims.comes_in_again(KINDS, facts)


@each_row("kind", KINDS)
def test_what_is_forgotten_or_off_the_record_stays_here(kind: str) -> None:
    claims.keeps_back_what_is_forgotten(kind)


@each_row(
    "kind, lacking",
    [
        ("bundle", ""),
        ("jsonl", "IDENTITY.md, SOUL.md, MOTIVATIONS.md, goals: 2, conversations: 2, lines of daily logs: 1"),
    ],
)
def test_what_a_form_cannot_carry_is_told(kind: str, lacking: str) -> None:
    claims.says_what_it_lacks(kind, lacking)


def test_who_it_is_goes_out_without_memories() -> None:
    claims.tells_who_it_is_alone("bundle")


def test_others_get_what_they_may_hear() -> None:
    claims.tells_others_what_they_may_hear(KINDS)


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
    other = soul.exporter.write(tmp_path / "memories.jsonl", "jsonl")
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
    claims.marks_what_others_said(soul, tmp_path, KINDS)


def test_a_target_that_exists_is_not_overwritten_and_nothing_is_left_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul, path, folder = lived(), tmp_path / "out.jsonl", tmp_path / "workspace"
    path.write_text("mine")
    folder.mkdir()
    (folder / "mine.md").write_text("mine")
    for target, kind, force in ((path, "jsonl", False), (folder, "bundle", True), (folder, "jsonl", True)):
        with pytest.raises(SoulError, match="choose another name"):
            soul.exporter.write(target, kind, force=force)
    monkeypatch.setattr("almario.exporting.outgoing.Outgoing.lines", _failing)
    with pytest.raises(OSError, match="full"):
        soul.exporter.write(path, "jsonl", force=True)
    monkeypatch.undo()

    assert path.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out.jsonl", "workspace"]
    soul.exporter.write(path, "jsonl", force=True)
    assert "black" in path.read_text()
    assert os.stat(path).st_mode & 0o077 == 0


def _failing(*_: object) -> None:
    raise OSError(28, "the disk is full")


def test_an_older_export_brings_nothing_back_that_was_erased_or_taken_back() -> None:
    claims.brings_nothing_back_that_was_erased("bundle")
    claims.brings_nothing_back_that_was_taken_back("bundle")


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
    for module in (bundles, source):
        monkeypatch.setattr(module, "WHOLE", 1000)
    soul = agent()
    lines = [json.dumps({"id": f"{n:012x}", "value": "x" * n}) for n in (5, 2000)]
    with place() as folder:
        path = folder / "memories.jsonl"
        path.write_text("\n".join(lines))

        with pytest.raises(SoulError, match="is damaged"):
            soul.importer.take_in(path)
    assert soul.memory.list() == []
