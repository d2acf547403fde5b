"""Moving in: each kind of export comes in once, with where it came from; what cannot come in is named."""

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from almario.errors import SoulError
from almario.importing.importer import ExportContents, TakenIn
from almario.importing.json_streams import elements
from almario.soul import Soul
from tests.importing import exports
from tests.killed import Killed

Maker = Callable[[Path], Path]

# What makes an export, its name, its kind, how many messages, notes and soul texts it has, and some of it.
EXPORTS: list[tuple[Maker, str, str, int, int, int, str]] = [
    (exports.chatgpt, "export.zip", "chatgpt", 6, 0, 0, "Lisbon tram"),
    (exports.claude, "data.zip", "claude", 2, 1, 0, "bakes bread"),
    (exports.claude_code, "s.jsonl", "claude-code", 1, 0, 0, "deploy Fridays"),
    (exports.codex, "rollout.jsonl", "codex", 1, 0, 0, "staging server Heron"),
    (exports.card, "rook.png", "card", 0, 1, 1, "afraid of thunder"),
    (exports.letta, "sam.af", "letta", 1, 1, 1, "likes chess"),
    (exports.mem0, "mem0.json", "mem0", 0, 1, 0, "hike Sundays"),
    (exports.mcp_memory, "memory.jsonl", "mcp-memory", 0, 2, 0, "plays cello"),
    (exports.nanobot, "bot", "nanobot", 0, 1, 1, "painted fence"),
    (exports.hermes, "hermes", "hermes", 0, 2, 0, "rides Vespa"),
    (exports.openclaw, "claw", "openclaw", 0, 3, 2, "router hall"),
    (exports.vcard, "people.vcf", "vcard", 0, 2, 0, "Inés Faro"),
    (exports.icalendar, "cal.ics", "icalendar", 0, 1, 0, "Dentist"),
    (exports.notes, "vault", "markdown", 0, 2, 0, "engine Yanmar"),
]


def look(soul: Soul, path: Path, kind: str = "") -> ExportContents:
    return soul.importer.look(path, kind)


def take_in(soul: Soul, path: Path, kind: str = "") -> TakenIn:
    return soul.importer.take_in(path, kind)


@pytest.mark.parametrize("row", EXPORTS, ids=[row[2] for row in EXPORTS])
def test_an_export_comes_in_once_is_found_and_is_nobodys_word(
    soul: Soul, tmp_path: Path, row: tuple[Maker, str, str, int, int, int, str]
) -> None:
    make, name, kind, messages, notes, souls, question = row
    path = make(tmp_path / name)

    found = look(soul, path)
    assert (found.kind, found.messages, found.notes, len(found.soul_files)) == (kind, messages, notes, souls)
    assert soul.recall(question) == []

    done = take_in(soul, path)
    assert (done.messages, done.memories, len(done.proposals)) == (messages, notes, souls)
    assert soul.recall(question)
    assert {memory.origin for memory in soul.memory.list()} <= {"imported"}
    evidence = [turn for memory in soul.memory.list() for turn in soul.memory.evidence(memory)]
    assert {turn.more["from"] for turn in evidence} <= {name}
    assert len(evidence) == notes
    assert soul.memory.verify() == []

    again = take_in(soul, path)
    assert (again.messages, again.memories, again.known) == (0, 0, messages + notes)


def test_what_another_assistant_said_is_told_as_its_words(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "export.zip", 1))

    prompt = soul.prompt(message="Which tram did I want for Lisbon?").text

    assert "(another assistant said) Take tram 28." in prompt
    assert "(I said)" not in prompt


def test_only_what_is_new_of_a_later_export_comes_in(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "may.zip", 2))

    later = take_in(soul, exports.chatgpt(tmp_path / "june.zip", 3))

    assert (later.messages, later.known) == (2, 4)


def test_the_branch_that_was_left_is_named(soul: Soul, tmp_path: Path) -> None:
    done = take_in(soul, exports.chatgpt(tmp_path / "export.zip", 1))

    [left] = done.skipped
    assert (left.place, left.why.facts["count"]) == ("Lisbon", 1)
    assert "Another answer" not in "".join(turn.text for turn in turns(soul))


def test_an_import_is_taken_back_and_brought_back_as_a_whole(soul: Soul, tmp_path: Path) -> None:
    soul.remember("The modem is old")
    path = exports.openclaw(tmp_path / "claw")
    take_in(soul, path)
    assert soul.importer.names() == {"claw": 3}

    assert soul.importer.undo("claw") == 3
    assert [memory.text for memory in soul.memory.list()] == ["The modem is old"]
    assert soul.importer.names() == {}
    assert take_in(soul, path).memories == 0

    soul.undo()
    assert "The router is in the hall" in [memory.value for memory in soul.memory.list()]
    assert soul.importer.names() == {"claw": 3}
    with pytest.raises(SoulError, match="nothing was imported from"):
        soul.importer.undo("nowhere.zip")


@pytest.mark.parametrize("purged", [True, False])
def test_what_was_forgotten_or_erased_does_not_come_in_again(
    soul: Soul, tmp_path: Path, purged: bool
) -> None:
    path = exports.notes(tmp_path / "vault")
    take_in(soul, path)
    [engine] = [each for each in soul.memory.list() if "Yanmar" in each.text]
    if purged:
        soul.memory.purge(soul.memory.plan_purge(engine.id))
    else:
        soul.forget(engine.id)

    later = path.rename(tmp_path / "later")
    assert take_in(soul, later).memories == 0

    assert not [each for each in soul.memory.list() if "Yanmar" in each.text]
    said = "".join(turn.text for turn in turns(soul))
    assert ("Yanmar" in said) != purged


def test_nothing_is_learned_from_conversations_by_itself(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "export.zip"))

    assert soul.flush() == []
    assert sum(each.kept for each in soul.memory.outcomes()) == 6
    assert sum(each.waiting for each in soul.memory.outcomes()) == 0


def test_a_cue_of_another_program_brings_its_note_to_mind(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.openclaw(tmp_path / "claw"))

    [router] = [each for each in soul.memory.list() if "router" in each.text]
    assert soul.memory.cues(router.id) == ("wifi", "internet")


def test_orders_of_a_card_and_instructions_of_others_command_nobody(soul: Soul, tmp_path: Path) -> None:
    done = take_in(soul, exports.card(tmp_path / "rook.png"))

    assert "system_prompt" in [each.place for each in done.skipped]
    assert "Rook" not in soul.read("SOUL.md").text
    [proposal] = soul.proposals.list()
    assert "Rook is a dry raven." in proposal.after
    assert soul.read("SOUL.md").text.strip() in proposal.after


def test_an_import_that_was_killed_goes_on(
    soul: Soul, reopened: Callable[[], Soul], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = exports.notes(tmp_path / "vault")
    monkeypatch.setattr("almario.importing.importer._BATCH", 1)
    monkeypatch.setattr(type(soul.memory), "take_lesson", _killing_after(1, type(soul.memory).take_lesson))
    with pytest.raises(Killed):
        take_in(soul, path)
    soul.close()
    monkeypatch.undo()
    again = reopened()

    take_in(again, path)

    told = sorted(memory.value for memory in again.memory.list())
    assert told == ["Sailed to Ons.", "The engine is a Yanmar 2GM"]
    refs = [turn.more["ref"] for turn in turns(again)]
    assert len(refs) == len(set(refs)) == 2
    assert again.memory.verify() == []


def _killing_after(count: int, method: Callable[..., Any]) -> Callable[..., Any]:
    left = [count]

    def killing(*given: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return method(*given, **named)

    return killing


def turns(soul: Soul) -> Iterator[Any]:
    return (turn for view in soul.sessions.all() for turn in soul.sessions.turns(view.session))


CIRCLE: Any = {"conversation_id": "c", "mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}}
ENDLESS = b'[{"conversation_id": "c", "create_time": ' + b"9" * 400 + b', "mapping": {}}]'
HOSTILE: dict[str, Callable[[Path], Path]] = {
    "no export": lambda path: _file(path / "x.json", b"{}"),
    "an empty file": lambda path: _file(path / "x.json", b""),
    "a damaged zip": lambda path: _file(path / "x.zip", b"PK\x03\x04" + b"\0" * 50),
    "a bomb": lambda path: _zipped(path / "x.zip", "conversations.json", b"[" + b" " * 2**26 + b"]"),
    "a million brackets": lambda path: _file(path / "conversations.json", b"[" * 10**6),
    "a picture that lies": lambda path: _file(path / "x.png", exports.PNG + b"\xff\xff\xff\xfftEXtccv3\0abc"),
    "a picture with no JSON": lambda path: _file(
        path / "x.png", exports.PNG + exports.chunk(b"tEXt", b"ccv3\0!!!")
    ),
    "binary": lambda path: _file(path / "x.md", bytes(range(256))),
    "a way out of the zip": lambda path: _zipped(path / "x.zip", "../../evil.md", b""),
    "wrong types": lambda path: _file(
        path / "conversations.json", b'[{"mapping": 3, "conversation_id": []}]'
    ),
    "a number without end": lambda path: _file(path / "conversations.json", ENDLESS),
    "a store that never ends": lambda path: _endless(path / "history.db"),
    "many brackets in a note": lambda path: _file(path / "x.md", b"[[" * 10_000 + b"<!--" * 20_000),
    "a circle": lambda path: _file(path / "conversations.json", json.dumps([CIRCLE]).encode()),
}


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _endless(path: Path) -> Path:
    store = sqlite3.connect(path)
    store.execute(
        "CREATE VIEW history AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS memory_id, i AS new_memory, i AS event, i AS created_at, i AS rowid FROM n"
    )
    store.close()
    return path


def _zipped(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return path


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_or_damaged_file_gets_a_sentence_and_writes_nothing(
    soul: Soul, tmp_path: Path, what: str
) -> None:
    path = HOSTILE[what](tmp_path)
    line = soul.position

    with suppress(SoulError):
        assert take_in(soul, path).left_out
    assert soul.position == line
    assert not (tmp_path.parent / "evil.md").exists()


def test_links_are_named_and_not_followed(soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The code of the safe")
    folder = exports.notes(tmp_path / "vault")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")

    done = take_in(soul, folder)

    assert "link.md" in [each.place for each in done.skipped]
    assert soul.recall("code of the safe") == []


def test_a_long_array_is_read_piece_by_piece_wherever_it_is_cut() -> None:
    values = [{"n": n, "text": "ñ" * 40_000, "inner": [1, [2, {"a": "]"}]]} for n in range(5)]
    content = json.dumps(values, ensure_ascii=False).encode()

    assert list(elements(BytesIO(content))) == values
    for cut in (1, 100_000, len(content) - 1):
        with pytest.raises(ValueError, match="ends in the middle"):
            list(elements(BytesIO(content[:cut])))


def test_what_it_is_can_be_said_and_an_unknown_word_names_a_near_one(soul: Soul, tmp_path: Path) -> None:
    path = exports.openclaw(tmp_path / "claw")
    assert look(soul, path, "markdown").kind == "markdown"
    with pytest.raises(SoulError, match="did you mean openclaw"):
        look(soul, path, "openclow")
