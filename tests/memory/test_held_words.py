"""Where a word still stands, and what of it the owner has erased: by bytes, and never more than that."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import ScriptedLLM

WORD = "Ñaviota"
Reopener = Callable[[], Soul]


def traces(folder: Path) -> list[str]:
    """Return the files that have the word, in any case, plain or as JSON escapes it."""
    forms = [form.encode() for plain in (WORD, WORD.lower()) for form in (plain, json.dumps(plain)[1:-1])]
    return [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


@pytest.fixture
def lived(home: Path) -> Soul:
    """A soul in whose files the word stands in plain talk, answers, the log, soul files and their past."""
    almario.create(home).close()
    soul = almario.open(home, llm=ScriptedLLM(lambda ask: f"Your boat is the {WORD}, Ana."))
    for text in (f"# Ana\n\nOwns the {WORD}, a boat.\nLikes tea.\n", f"# Ana\n\nThe {WORD}\nLikes tea.\n"):
        (soul.path / "USER.md").write_text(text)
        soul.settle()
    soul.goals.add(f"Paint the {WORD}")
    soul.log(f"Ana took the {WORD} out")
    soul.talk(f"I slept on the {WORD.lower()}", session="cli:main")
    soul.talk("Which boat was it?", session="cli:main")
    soul.settle()
    return soul


def test_a_word_is_found_wherever_it_stands_with_file_and_line(lived: Soul) -> None:
    held = lived.memory.holding(WORD.upper())

    places = {(each.kind, each.place.partition("/")[0], each.line) for each in held}
    assert {("line", "USER.md", 3), ("line", "GOALS.md", 7), ("line", "memory", 3)} <= places
    assert [each.ref for each in held if each.kind == "message"] == ["cli:main#1", "cli:main#2", "cli:main#4"]
    assert {each.kind for each in held} == {"line", "message", "version", "history"}
    assert {each.place for each in held} == set(traces(lived.path)) - {
        name for name in traces(lived.path) if name.startswith(".index")
    }
    assert lived.memory.holding("aviota") == []  # that is no beginning of a word
    assert lived.memory.holding(" ") == []


def test_after_the_owners_yes_no_byte_of_it_is_left(lived: Soul, home: Path) -> None:
    held = lived.memory.holding(WORD)

    lived.memory.purge_held(WORD, [each.id for each in held])
    lived.close()

    assert traces(lived.path) == []
    again = almario.open(home)
    assert again.memory.holding(WORD) == []
    assert again.memory.verify() == []
    assert again.read("USER").text == "# Ana\n\nLikes tea.\n"
    assert [turn.text for turn in again.sessions.turns("cli:main")][2:3] == ["Which boat was it?"]


def test_only_what_was_chosen_is_erased(lived: Soul) -> None:
    before = {each.id: each for each in lived.memory.holding(WORD)}
    [line] = [each for each in before.values() if each.place.startswith("memory/")]

    lived.memory.purge_held(WORD, [line.id, "cli:main#2"])

    left = {each.id for each in lived.memory.holding(WORD)}
    assert before.keys() - left == {line.id, "cli:main#2"}
    assert left <= before.keys()
    with pytest.raises(SoulError, match="is nothing with"):
        lived.memory.purge_held(WORD, [line.id])


def test_a_memory_that_has_the_word_goes_with_its_versions(lived: Soul) -> None:
    lived.remember("boat", f"the {WORD}, blue")
    lived.forget("boat")
    lived.remember("boat", "a raft")

    held = lived.memory.holding(WORD)
    lived.memory.purge_held(WORD, [each.id for each in held])
    lived.close()

    assert "memory" in {each.kind for each in held}
    assert traces(lived.path) == []
    assert [memory.value for memory in lived.memory.list()] == ["a raft"]


def test_a_name_that_has_the_word_is_shown_and_left_to_the_owner(lived: Soul) -> None:
    (lived.path / "memory" / f"{WORD}.md").write_text("a boat\n")

    [name] = [each for each in lived.memory.holding(WORD) if not each.can_be_erased]

    assert (name.kind, name.place) == ("name", f"memory/{WORD}.md")
    with pytest.raises(SoulError, match="is nothing with"):
        lived.memory.purge_held(WORD, [name.id])
