"""Moving out: a zip is the agent, lines of JSON are its memories, and what is private stays."""

import json
import os
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.domain.audiences import Audience
from almario.domain.memories import EVERY
from almario.errors import SoulError
from almario.importing import bundles, source
from almario.soul import Soul
from tests.effort import examples
from tests.exporting.claims import agent, cues, everything, live, place, told
from tests.tables import each_row

pytestmark = pytest.mark.light

KINDS = ("zip", "jsonl")
VERA = Audience("telegram:-7", ("Vera",))
# What programs make something of that read lines, and what ends one for some of them.
SIGNS = """Ana|é|#|-|*|<!--|-->|\\n|---|"|'|\\\\|{char}|1.|🦊|\\u2028|- |2026-01-02""".split("|")
WORDS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=6).map(" ".join)
TOPICS = st.sampled_from(["", "coffee", "C#", "a: b", "2026-01-02", "x/y", "é ü"])
OLD = Path(__file__).parents[1] / "importing" / "exported_by_0_2"


@pytest.mark.folder
def test_a_zip_unpacked_in_another_home_is_the_agent_with_all_it_ever_was(soul: Soul, tmp_path: Path) -> None:
    live(soul)
    (soul.path / "notes.md").write_text("Mine.\n")
    before, why = soul.memory.list(EVERY), soul.memory.why(soul.memory.list()[0].id)
    soul.exporter.write(tmp_path / "all.zip")

    there = tmp_path / "elsewhere"
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        archive.extractall(there / "agents" / "alma")
    with almario.open(there, "alma") as other:
        assert other.memory.list(EVERY) == before
        assert other.memory.why(why.memory.id) == why
        assert other.days.get(date(2026, 11, 14)).log == soul.days.get(date(2026, 11, 14)).log != ()
        assert "I live in Soria" in [turn.text for turn in other.sessions.turns("cli:main")]
        assert other.read("SOUL.md").text == soul.read("SOUL.md").text
        assert (other.path / "notes.md").read_text() == "Mine.\n"
        assert other.memory.verify() == []
        other.remember("coffee", "with milk", replaces=other.memory.list()[0].id)


def test_what_is_off_the_record_is_in_no_export_and_what_is_forgotten_is_in_no_lines(
    soul: Soul, tmp_path: Path
) -> None:
    live(soul)
    soul.exporter.write(tmp_path / "out.jsonl", "jsonl")
    soul.exporter.write(tmp_path / "out.zip")

    text, files = everything(tmp_path / "out.jsonl"), everything(tmp_path / "out.zip")
    assert "Quorum" not in text + files
    for gone in ("forty-one", "forty-two", "Abril", "Zoilo", "Soria"):
        assert gone not in text, gone
    for kept in ("black", "green", "white", "mast", "harbour", "bees", "tundra-5591"):
        assert kept in text, kept


def test_no_zip_is_made_while_words_wait_that_are_to_be_erased(tmp_path: Path) -> None:
    soul = agent()
    soul.memory.take_back([soul.append("cli:main", "user", "I hate my job at Quorum").id])

    with pytest.raises(SoulError, match="off the record in cli:main is erased when that conversation ends"):
        soul.exporter.write(tmp_path / "out.zip")
    assert list(tmp_path.iterdir()) == []
    soul.end_session("cli:main")
    soul.exporter.write(tmp_path / "out.zip")
    assert "Quorum" not in everything(tmp_path / "out.zip")


@examples(4)
@given(st.lists(st.tuples(TOPICS, WORDS), min_size=1, max_size=4))
def test_lines_come_in_again_as_they_were(facts: list[tuple[str, str]]) -> None:
    soul, other = agent(), agent(3600)
    for key, value in facts:
        try:
            soul.remember(key or value, value if key else None)
        except SoulError:  # only punctuation
            continue
    if not soul.memory.list():
        return
    with place() as folder:
        soul.exporter.write(folder / "memories.jsonl", "jsonl")
        other.importer.take_in(folder / "memories.jsonl")

    assert told(other) == told(soul)
    assert {memory.origin for memory in other.memory.list()} == {"imported"}


def test_others_get_what_they_may_hear() -> None:
    soul = live(agent())
    [coffee] = [each for each in soul.memory.list() if each.key == "coffee"]
    soul.memory.change(coffee.id, shared=True)
    with place() as folder:
        soul.exporter.write(folder / "out.jsonl", "jsonl", audience=VERA)
        text = (folder / "out.jsonl").read_text()
        with pytest.raises(SoulError, match="what others may hear is in jsonl"):
            soul.exporter.write(folder / "out.zip", audience=VERA)

    assert "black" in text
    for private in ("mast", "Soria", "boiler", "sailing", "tundra", "short sentences"):
        assert private not in text, private


def test_an_export_of_another_kind_is_refused_by_naming_those_there_are() -> None:
    for kind in ("bundle", "card"):  # as 0.2 had them
        with place() as folder, pytest.raises(SoulError, match="known: zip, jsonl"):
            agent().exporter.write(folder / "out", kind)


def test_a_bundle_of_0_2_brings_everything_back_to_an_empty_agent() -> None:
    soul, other = live(agent()), agent(3600)
    done = other.importer.take_in(OLD / "bundle.zip")
    again = other.importer.take_in(OLD / "bundle.zip")

    def kept(other: Soul) -> set[tuple[object, ...]]:
        every = [
            each for each in other.memory.list(EVERY) if each.key != "shoe size" and each.kind != "episode"
        ]
        return {
            (each.key, each.value, each.kind, each.state, each.dated, cues(other, each)) for each in every
        }

    assert kept(other) == kept(soul)
    assert {memory.origin for memory in other.memory.list(EVERY)} == {"imported", "untrusted"}
    assert [entry.text for entry in other.days.get().log] == ["Fixed the boiler"]
    turns = [turn for view in other.sessions.list() for turn in other.sessions.turns(view.session)]
    said = {(turn.role, turn.speaker, turn.text, turn.origin) for turn in turns}
    assert ("user", "", "I live in Soria", "imported") in said
    assert ("user", "Vera", "Vera sells honey", "untrusted") in said
    for proposal in done.proposals:
        other.proposals.accept(proposal)
    assert "A lighthouse keeper, dry as salt." in other.read("SOUL.md").text
    assert "Bake bread" in other.read("GOALS.md").text
    assert (again.messages, again.memories) == (0, 0)
    other.importer.undo("bundle.zip")
    assert other.memory.list() == []


def test_lines_of_0_2_bring_their_memories_back() -> None:
    soul, other = live(agent()), agent(3600)

    other.importer.take_in(OLD / "memories.jsonl")

    assert told(other) == {each for each in told(soul) if each[2] != "episode"} | {
        each for each in told(other) if each[2] == "episode"
    }


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
    assert [each.text for each in other.memory.why(memory.id).evidence] == ["I live in Soria"]


def test_within_a_home_memories_are_the_owners_word_again_and_what_was_erased_stays_so(
    soul: Soul, tmp_path: Path, home: Path
) -> None:
    soul.remember("coffee: black")
    soul.remember("tea: green")
    soul.exporter.write(tmp_path / "all.jsonl", "jsonl")
    soul.memory.purge(soul.memory.plan_purge("tea"))
    with almario.create(home, "twin") as twin:
        twin.importer.take_in(tmp_path / "all.jsonl")
        assert {(each.key, each.origin) for each in twin.memory.list()} == {
            ("coffee", "owner"),
            ("tea", "owner"),
        }

    assert soul.importer.take_in(tmp_path / "all.jsonl").memories == 0
    assert [each.key for each in soul.memory.list()] == ["coffee"]


def test_an_older_export_brings_nothing_back_that_was_erased_or_taken_back() -> None:
    soul = agent()
    soul.importer.take_in(OLD / "bundle.zip")
    [boat] = [each for each in soul.memory.list() if "mast" in each.value]
    soul.memory.purge(soul.memory.plan_purge(boat.id))
    turns = [turn for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]
    [soria] = [turn for turn in turns if "Soria" in turn.text]
    soul.memory.take_back([soria.id])
    soul.memory.erase_taken_back(soria.session)

    again = soul.importer.take_in(OLD / "bundle.zip")

    assert (again.memories, again.messages) == (0, 0)
    names = [each.name for each in soul._vault.documents.holdings()]
    texts = "".join(soul._vault.read(name).raw for name in names)
    assert "new mast" not in texts
    assert "Soria" not in texts


def test_a_target_that_exists_is_not_overwritten_and_nothing_is_left_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul, path, folder = live(agent()), tmp_path / "out.jsonl", tmp_path / "workspace"
    path.write_text("mine")
    folder.mkdir()
    (folder / "mine.md").write_text("mine")
    for target, kind, force in ((path, "jsonl", False), (folder, "zip", True), (folder, "jsonl", True)):
        with pytest.raises(SoulError, match="choose another name"):
            soul.exporter.write(target, kind, force=force)
    monkeypatch.setattr("almario.memory.facade.Memories.lines", _failing)
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
