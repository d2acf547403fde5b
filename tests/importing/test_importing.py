"""Moving in: an export comes in once, says where it came from, and is taken back as a whole."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from almario.domain.memories import Wanted
from almario.domain.turns import Utterance, transcript_name
from almario.errors import AlmarioError, SoulError
from almario.importing.importer import ExportContents, TakenIn
from almario.soul import Soul
from tests.importing import exports
from tests.importing.exports import written
from tests.killed import Killed

pytestmark = pytest.mark.light


def look(soul: Soul, path: Path, kind: str = "") -> ExportContents:
    return soul.importer.look(path, kind)


def take_in(soul: Soul, path: Path, kind: str = "") -> TakenIn:
    return soul.importer.take_in(path, kind)


def turns(soul: Soul) -> Iterator[Any]:
    return (turn for view in soul.sessions.list() for turn in soul.sessions.turns(view.session))


def names(soul: Soul) -> dict[str, int]:
    return {each.name: each.turns for each in soul.importer.sources()}


def test_what_another_assistant_said_is_told_as_its_words(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "export.zip", 1))

    prompt = soul.prompt(message="Which tram did I want for Lisbon?").text

    assert "(another assistant said) Take tram 28." in prompt
    assert "(I said)" not in prompt


def test_only_what_is_new_of_a_later_export_comes_in(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "may.zip", 2))

    later = take_in(soul, exports.chatgpt(tmp_path / "june.zip", 3))

    assert (later.messages, later.known) == (2, 4)


def test_two_exports_of_one_name_are_taken_back_one_by_one(soul: Soul, tmp_path: Path) -> None:
    for number, folder in enumerate(("work", "own")):
        (tmp_path / folder).mkdir()
        talk = exports.chatgpt_talk(number)
        (tmp_path / folder / "conversations.json").write_text(json.dumps([talk]))
    work, own = (take_in(soul, tmp_path / folder / "conversations.json") for folder in ("work", "own"))

    assert work.id != own.id
    assert {each.id for each in soul.importer.sources()} == {work.id, own.id}
    with pytest.raises(SoulError, match="several imports called") as error:
        soul.importer.undo("conversations.json")
    assert work.id in str(error.value)
    assert soul.importer.undo(str(tmp_path / "work" / "conversations.json")) == 2
    assert [each.id for each in soul.importer.sources()] == [own.id]
    assert soul.importer.undo("conversations.json") == 2
    soul.undo()
    assert soul.importer.undo(own.id) == 2


def test_what_was_taken_back_is_read_by_no_door(soul: Soul, tmp_path: Path) -> None:
    soul.append("cli:main", "user", "The modem is old")
    (tmp_path / "talk.json").write_text(json.dumps([exports.chatgpt_talk(0)]))
    take_in(soul, tmp_path / "talk.json")
    guest = Utterance("user", "Bring Olmo along", "imported", "Olmo", more={"from": "x"})
    soul.memory.append("import-bundle:2024-01", [guest])
    imported = [view.session for view in soul.sessions.list() if view.session.startswith("import-")]
    turns = [turn for session in imported for turn in soul.sessions.turns(session)]
    words = {*(turn.text for turn in turns), "Olmo"}
    files = {session: f"sessions/{transcript_name(session)}" for session in imported}
    start = datetime(2000, 1, 1, tzinfo=UTC)
    doors: dict[str, Callable[[str], object]] = {
        "window": soul.sessions.window,
        "turns": soul.sessions.turns,
        "current": soul.sessions.current,
        "unflushed": soul.sessions.unflushed,
        "following": lambda session: [
            turn for turn in soul.sessions.following(start).news() if turn.session == session
        ],
        "read": lambda session: soul.read(files[session]).text,
        "memory_get": lambda session: soul.tools.call("memory_get", {"path": files[session]}),
        "memory.text_of": lambda _: [soul.memory.text_of(turn.id) for turn in turns],
        "recall": lambda _: [hit.text for turn in turns for hit in soul.recall(turn.text)],
        "people": lambda _: soul.presence.people(),
        "places": lambda _: soul.presence.places(),
    }

    def seen() -> set[str]:
        found = ((name, str(door(session))) for name, door in doors.items() for session in imported)
        return {name for name, text in found if any(each in text for each in words)}

    assert seen() == doors.keys()
    for each in soul.importer.sources():
        soul.importer.undo(each.id)
    assert seen() == set()
    assert {soul.sessions.view(session)[1:4] for session in imported} == {(0, None, None)}
    soul.undo()
    assert seen() != set()


def test_an_import_is_taken_back_and_brought_back_as_a_whole(soul: Soul, tmp_path: Path) -> None:
    soul.remember("The modem is old")
    path = exports.openclaw(tmp_path / "claw")
    take_in(soul, path)
    assert names(soul) == {"claw": 3}

    assert soul.importer.undo("claw") == 3
    assert [memory.text for memory in soul.memory.list()] == ["The modem is old"]
    assert names(soul) == {}
    with pytest.raises(SoulError, match=r'there is no import "claw" to take back$'):
        soul.importer.undo("claw")
    assert take_in(soul, path).memories == 0

    soul.undo()
    assert "The router is in the hall" in [memory.value for memory in soul.memory.list()]
    assert names(soul) == {"claw": 3}
    with pytest.raises(SoulError, match=r'no import "nowhere.zip" to take back; there is: claw'):
        soul.importer.undo("nowhere.zip")


def test_what_was_imported_says_so_in_its_history(soul: Soul, tmp_path: Path) -> None:
    soul.remember("Home", "Bins go out on Tuesday")
    take_in(soul, exports.openclaw(tmp_path / "claw"))

    [router, bins] = (soul.memory.list(Wanted(text=each))[0] for each in ("router", "Bins"))
    assert [(each.deed, each.actor) for each in soul.memory.why(router.id).life] == [("imported", "owner")]
    assert [each.deed for each in soul.memory.why(bins.id).life] == ["remembered", "renewed"]


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
    transcripts = soul._vault.transcripts
    kept = [turn.text for session in transcripts.sessions() for turn in transcripts.read(session)]
    assert ("Yanmar" in "".join(kept)) != purged


OFF = [
    (["Between us: the zafiro is mine", "Ok.", "And now?", "Tea."], ["And now?", "Tea."]),
    (["Hi", "Hello.", "The zafiro is mine", "I see.", "forget what I just said", "Ok."], ["Hi", "Hello."]),
    (["Tengo el zafiro", "Ya.", "No guardes esto.", "Vale.", "El zafiro brilla", "Sí.", "Hola", "Hola."],
     ["Hola", "Hola."]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "kept"), OFF)
def test_what_was_said_off_the_record_elsewhere_does_not_come_in(
    soul: Soul, tmp_path: Path, said: list[str], kept: list[str]
) -> None:
    lines = [
        {
            "sessionId": "s",
            "uuid": str(n),
            "timestamp": f"2026-05-01T10:{n:02}:00Z",
            "message": {"role": "assistant" if n % 2 else "user", "content": text},
        }
        for n, text in enumerate(said)
    ]
    path = written(tmp_path / f"{len(said)}.jsonl", "\n".join(map(json.dumps, lines)).encode())

    done = take_in(soul, path)

    assert [turn.text for turn in turns(soul)] == kept
    assert "zafiro" not in str([*turns(soul)])
    assert [str(each.why) for each in done.skipped] == ["something in it was said off the record"]


def test_nothing_is_learned_from_conversations_by_itself(soul: Soul, tmp_path: Path) -> None:
    take_in(soul, exports.chatgpt(tmp_path / "export.zip"))

    assert soul.flush() == []
    assert sum(each.kept for each in soul.memory.outcomes()) == 6
    assert sum(each.waiting for each in soul.memory.outcomes()) == 0


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


def test_links_are_named_and_not_followed(soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The code of the safe")
    folder = exports.notes(tmp_path / "vault")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")

    done = take_in(soul, folder)

    assert "link.md" in [each.place for each in done.skipped]
    assert soul.recall("code of the safe") == []


def test_what_it_is_can_be_said_and_an_unknown_word_names_a_near_one(soul: Soul, tmp_path: Path) -> None:
    path = exports.openclaw(tmp_path / "claw")
    assert look(soul, path, "markdown").kind == "markdown"
    with pytest.raises(SoulError, match="did you mean openclaw"):
        look(soul, path, "openclow")


def _zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


HEAD = {"bundle.json": b'{"almario_bundle": 1}'}
HOSTILE: dict[str, Callable[[Path], Path]] = {
    "an empty file": lambda path: written(path / "x.jsonl", b""),
    "a damaged zip": lambda path: written(path / "x.zip", b"PK\x03\x04" + b"\0" * 50),
    "a bomb": lambda path: _zipped(path / "x.zip", HEAD | {"memories.jsonl": b" " * 2**26}),
    "very many brackets": lambda path: _zipped(path / "x.zip", {"bundle.json": b"[" * 10**5}),
    "a bundle that is none": lambda path: _zipped(path / "x.zip", {"bundle.json": b'{"almario_bundle": []}'}),
    "a bundle of later": lambda path: _zipped(path / "x.zip", {"bundle.json": b'{"almario_bundle": 9}'}),
    "a way out of the zip": lambda path: _zipped(path / "x.zip", HEAD | {"../../soul/SOUL.md": b"evil"}),
    "wrong types": lambda path: _zipped(
        path / "x.zip", HEAD | {"conversations.jsonl": b'[]\n{"n": "1"}\n{', "days.jsonl": b'{"at": 3}'}
    ),
    "binary": lambda path: _zipped(path / "x.zip", HEAD | {"memories.jsonl": bytes(range(256))}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_or_damaged_bundle_gets_a_sentence_and_writes_nothing(
    soul: Soul, tmp_path: Path, what: str
) -> None:
    (tmp_path / "inner").mkdir()
    path = HOSTILE[what](tmp_path / "inner")
    line = soul.position

    with suppress(AlmarioError):
        done = take_in(soul, path)
        assert done.left_out or "way out" in what
    assert soul.position == line
    assert not (tmp_path.parent / "soul").exists()


def test_others_may_write_while_many_notes_come_in(soul: Soul, tmp_path: Path) -> None:
    (folder := tmp_path / "notes").mkdir()
    for number in range(210):
        (folder / f"{number}.md").write_text(f"Note {number} is about the boat.\n")
    seen: list[int] = []

    soul.importer.take_in(folder, progress=lambda *_: seen.append(soul.memory.count()), of=210)

    assert sorted({*seen}) == [0, 50, 100, 150, 200]
