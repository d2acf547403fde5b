"""An import believes the home's own exports, and of all else only that somebody wrote it."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import almario
from almario import wiring
from almario.domain.memories import EVERY, ORIGINS, SOURCES
from almario.errors import SoulError
from almario.soul import Soul
from almario.store.papers import FolderPapers, HomeKey
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light

FOREIGN = "this file was not exported by this home"
ID = "abcdefabcdef"


def line(**fields: Any) -> str:
    return json.dumps({"id": ID, "key": "trabajo", "value": "diseña puentes", **fields})


def whose(soul: Soul) -> list[tuple[str, str, str]]:
    return [(memory.value, memory.source, memory.origin) for memory in soul.memory.list(EVERY)]


@pytest.fixture
def other(soul: Soul, home: Path, clock: FixedClock) -> Soul:
    """Another agent of the same home."""
    return almario.create(home, "other", clock=clock)


@pytest.fixture
def stranger(tmp_path: Path, clock: FixedClock) -> Soul:
    """An agent of another home."""
    return almario.create(tmp_path / "elsewhere", clock=clock)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", ["profile", "fact", "episode"])
def test_what_anybody_could_have_written_is_nobodys_word(
    soul: Soul, origin: str, source: str, kind: str
) -> None:
    done = soul.memory.import_lines([line(origin=origin, source=source, kind=kind)])

    expected = "untrusted" if origin == "untrusted" else "imported"
    assert whose(soul) == [("diseña puentes", "auto", expected)]
    assert [str(each).startswith(FOREIGN) for each in done.told] == [True]


def test_an_export_of_this_home_keeps_whose_word_it_is(soul: Soul, other: Soul) -> None:
    soul.remember("trabajo: diseña puentes")
    soul.memory.learn("gusto", "el té", origin="untrusted", evidence=["cli:main#1"])

    done = other.memory.import_lines(soul.memory.export())

    assert (done.new, done.told) == (2, ())
    assert whose(other) == whose(soul)
    # Its turns are another agent's, and here they would be others.
    assert [memory.evidence for memory in other.memory.list(EVERY)] == [(), ()]
    assert soul.memory.import_lines(soul.memory.export()).known == 2


def edited(lines: list[str]) -> list[str]:
    return [each.replace("puentes", "cohetes") for each in lines]


def unsealed(lines: list[str]) -> list[str]:
    return lines[:-1]


def longer(lines: list[str]) -> list[str]:
    return [*lines[:-1], line(id="0" * 12, value="más"), lines[-1]]


def shorter(lines: list[str]) -> list[str]:
    return lines[1:]


def below_the_seal(lines: list[str]) -> list[str]:
    return [lines[-1], *lines[:-1]]


def resealed(lines: list[str]) -> list[str]:
    return [*lines[:-1], json.dumps({"almario_export": 1, "hmac": "0" * 64})]


@pytest.mark.parametrize("change", [edited, unsealed, longer, shorter, below_the_seal, resealed])
def test_an_export_that_was_changed_is_taken_in_as_anybodys(
    soul: Soul, other: Soul, change: Callable[[list[str]], list[str]]
) -> None:
    soul.remember("trabajo: diseña puentes")
    soul.remember("gusto: el té")

    done = other.memory.import_lines(change(soul.memory.export()))

    assert {(memory.source, memory.origin) for memory in other.memory.list(EVERY)} == {("auto", "imported")}
    assert done.new > 0
    assert done.told


def test_an_export_of_another_home_is_taken_in_as_anybodys(soul: Soul, stranger: Soul) -> None:
    stranger.remember("trabajo: diseña puentes")
    soul.memory.export()  # this home has a key of its own

    soul.memory.import_lines(stranger.memory.export())

    assert whose(soul) == [("diseña puentes", "auto", "imported")]


def test_the_lines_of_others_beside_an_own_export_are_told_apart(soul: Soul, other: Soul) -> None:
    soul.remember("trabajo: diseña puentes")

    done = other.memory.import_lines(
        [*soul.memory.export(), line(key="gusto", value="el té", origin="owner")]
    )

    assert whose(other) == [("diseña puentes", "explicit", "owner"), ("el té", "auto", "imported")]
    assert done.told


@pytest.mark.parametrize("end", ["", "\r", "\n", "\r\n"])
def test_how_the_lines_end_changes_nothing(soul: Soul, other: Soul, end: str) -> None:
    soul.remember("trabajo: diseña\u2028puentes")

    other.memory.import_lines(each + end for each in ["", *soul.memory.export(), ""])

    assert whose(other) == whose(soul)


def test_what_was_erased_here_does_not_come_in_again_under_another_id(soul: Soul) -> None:
    soul.remember("trabajo: diseña puentes")
    soul.memory.purge(soul.memory.plan_purge("trabajo"))

    assert soul.memory.import_lines([line()]).new == 0
    assert soul.memory.import_lines([line(value="diseña faros")]).new == 1


def test_what_is_here_already_is_the_same_though_the_seal_is_lost(soul: Soul) -> None:
    soul.remember("trabajo: diseña puentes")

    done = soul.memory.import_lines(soul.memory.export()[:-1])

    assert (done.new, done.known, done.different) == (0, 1, 0)
    assert whose(soul) == [("diseña puentes", "explicit", "owner")]


@each_row("name", ["id", "by"])
@each_row("value", ["../../agents/default/SOUL", "a1", "ABCDEFABCDEF", "abcdefabcdef0", "x" * 12, "٠" * 12])
def test_an_id_is_an_id(soul: Soul, name: str, value: str) -> None:
    with pytest.raises(
        SoulError, match=f"{name} must be 12 characters, each 0-9 or a-f; nothing was imported"
    ):
        soul.memory.import_lines([line(**{name: value})])


@each_row(
    ("fields", "why"),
    [
        ({"key": "k" * 201}, "a key can have at most 200 characters"),
        ({"value": "..."}, "the text is only punctuation"),
        ({"kind": "instruction", "origin": "untrusted"}, "only people you trust can tell the agent"),
        ({"valid_from": "0001-01-01T00:00:00Z"}, "valid_from must be a date and time .* in the years 2-9000"),
        ({"valid_from": "2026-02-30T00:00:00Z"}, "valid_from must be a date and time"),
        ({"valid_to": "9999-01-01T00:00:00Z"}, "valid_to must be a date and time"),
        ({"kind": "episode", "path": "memory/2026-02-30.md"}, "memory/2026-02-30.md is neither a daily log"),
        ({"kind": "episode", "path": "memory/HISTORY.md"}, "is neither a daily log"),
        ({"kind": "summary", "path": "memory/2026-11-14.md"}, "is neither a daily log"),
        ({"kind": "fact", "path": "memory/2026-11-14.md"}, "is neither a daily log"),
        ({"path": "SOUL.md"}, "SOUL.md is neither a daily log"),
        ({"kind": "x"}, "kind must be one of"),
        ({"value": ""}, "no id or no value"),
        ({"at": "yesterday"}, "at must be a date and time"),
        ({"at": "2026-01-01T00:00:00"}, "at must be a date and time"),
        ({"key": 5}, "not a memory as JSON"),
        ({"id": 3}, "not a memory as JSON"),
        ({"evidence": "abc"}, "not a memory as JSON"),
        ("nonsense", "not a memory as JSON"),
        ("[1]", "not a memory as JSON"),
        ("[" * 100_000, "not a memory as JSON"),
    ],
)
def test_what_no_agent_could_have_exported_is_refused_and_all_with_it(
    soul: Soul, fields: dict[str, Any] | str, why: str
) -> None:
    bad = fields if isinstance(fields, str) else line(**fields)

    with pytest.raises(SoulError, match=f"line 2 cannot be imported: .*{why}"):
        soul.memory.import_lines([line(id="0" * 12), bad])
    assert whose(soul) == []


def test_what_was_called_a_correction_is_an_instruction(soul: Soul) -> None:
    soul.memory.import_lines([line(kind="correction", key="tone", value="speak plainly", origin="owner")])

    [memory] = soul.memory.list(EVERY)
    assert memory.kind == "instruction"


def test_the_turns_that_another_home_names_are_not_those_of_the_same_name_here(soul: Soul) -> None:
    [turn] = soul.memory.append("cli:main", [almario.Utterance("user", "mañana voy a Lugo", "owner")])

    soul.memory.import_lines([line(evidence=[turn.id, "../SOUL.md"])])

    [memory] = soul.memory.list(EVERY)
    assert memory.evidence == ()
    assert soul.memory.plan_purge(memory.id).turns == ()


@pytest.mark.folder
@pytest.mark.parametrize(
    "text", ["- con guion", "a\n\n\nb", "[untrusted] x", "a --> b", "fuimos \u2028 al faro"]
)
def test_the_line_of_an_imported_episode_is_no_edit_of_the_owners(soul: Soul, text: str) -> None:
    for number, (kind, path) in enumerate(
        [("episode", "memory/2026-11-14.md"), ("summary", "memory/HISTORY.md")]
    ):
        soul.memory.import_lines(
            [line(id=f"{number:012x}", kind=kind, path=path, value=text, origin="owner")]
        )
        soul.memory.settle()
        (soul.path / path).write_text((soul.path / path).read_text() + "Una línea mía.\n")

    assert {(memory.source, memory.origin) for memory in soul.memory.list(EVERY)} == {("auto", "imported")}
    assert soul.memory.verify() == []


# The key.


def test_the_key_is_made_with_the_first_export_for_the_owner_alone(soul: Soul, home: Path) -> None:
    assert not (home / ".key").exists()

    first = soul.memory.export()

    assert (home / ".key").stat().st_mode & 0o777 == 0o600
    assert len((home / ".key").read_bytes()) == 32
    assert soul.memory.export() == first


def test_a_spoilt_key_makes_way_for_a_new_one(soul: Soul, home: Path) -> None:
    (home / ".key").write_bytes(b"")

    assert soul.memory.import_lines(soul.memory.export()).told == ()
    assert len(HomeKey(FolderPapers(home)).read()) == 32


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_where_no_key_can_be_written_there_is_no_seal(soul: Soul, home: Path) -> None:
    soul.remember("trabajo: diseña puentes")
    home.chmod(0o500)
    try:
        assert len(soul.memory.export()) == 1
    finally:
        home.chmod(0o700)


@pytest.mark.parametrize("path", ["../../.key", "memory/../../../.key", "link"])
def test_no_tool_reads_the_key(soul: Soul, home: Path, path: str) -> None:
    soul.memory.export()
    (soul.path / "link").symlink_to(home / ".key")

    assert soul.tools.call("memory_get", {"path": path}).is_error
    with pytest.raises(SoulError, match="leads out of the agent's folder"):
        soul.read(path)


def test_a_home_that_was_restored_knows_its_exports(
    soul: Soul, home: Path, clock: FixedClock, tmp_path: Path
) -> None:
    soul.remember("trabajo: diseña puentes")
    lines = soul.memory.export()
    backups = wiring.backups(home, clock=clock)
    backups.restore(backups.make().path, tmp_path / "again")
    shutil.rmtree(tmp_path / "again" / "agents")

    again = almario.create(tmp_path / "again", clock=clock)

    assert again.memory.import_lines(lines).told == ()
    assert whose(again) == [("diseña puentes", "explicit", "owner")]
    assert (tmp_path / "again" / ".key").stat().st_mode & 0o777 == 0o600


def test_others_write_while_many_memories_come_in(soul: Soul, home: Path, clock: FixedClock) -> None:
    lines = [line(id=f"{number:012x}", value=f"note {number}") for number in range(501)]
    with almario.open(home, clock=clock, settings={"locks.seconds": 0}) as beside:

        def between(done: int, of: int) -> None:
            if done < of:
                beside.remember("boat: red")

        assert soul.memory.import_lines(lines, progress=between).new == 501
    assert "red" in [memory.value for memory in soul.memory.list()]
