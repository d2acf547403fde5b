"""The commands of memory as people use them, with good input and bad."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click
import pytest

from almario.domain.messages import Sentence
from almario.domain.model import Hit, Recalled
from almario.errors import StoreBusy
from almario.memory.facade import Memories
from almario.soul import Soul
from tests.apps.conftest import Run, Terminal
from tests.tables import each_row

Json = Callable[..., Any]


@pytest.fixture(autouse=True)
def agent(run: Run) -> None:
    run("init", "--language", "en")


@pytest.fixture
def answer(run: Run) -> Json:
    """Run a command that answers in JSON, and read it."""

    def read(*arguments: str, **given: str) -> Any:
        result = run(*arguments, "--json", **given)
        assert result.code == 0, result.err
        return json.loads(result.out)

    return read


def folder(home: Path) -> Path:
    return home / "agents/default"


def holders(home: Path, text: str) -> list[str]:
    """Return the files of the agent that hold a text."""
    files = [path for path in folder(home).rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_at_a_terminal_a_purge_asks_and_no_is_the_default(
    run: Run, spawn_at_terminal: Terminal, home: Path
) -> None:
    run("remember", "pet: a cat called Misurina")

    assert "Nothing was erased." in spawn_at_terminal("forget", "pet", "--purge", answers="\n")
    assert holders(home, "Misurina") != []
    screen = spawn_at_terminal("forget", "pet", "--purge", answers="sí\n", ALMARIO_LANGUAGE="es")
    assert "¿Borrarlo para siempre? [s/N]" in screen
    assert holders(home, "Misurina") == []


def test_recall_shows_neighbours_and_what_a_score_is_made_of(
    run: Run, answer: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: dict[str, Any] = {}

    def recall(self: Soul, question: str, **given: Any) -> Recalled:
        requests.update(given, question=question)
        reasons = (("base", 1.0, -5.3), ("own", 0.41, 0.58), ("meaning", 4.9, 5.1))
        found = Recalled(
            [Hit("turn", "I build bridges", None, 0.612, "both", "sessions/a.jsonl#3", reasons=reasons)]
        )
        found[0] = found[0]._replace(speaker="Ana", around=("Max: what do you do?",), state="expired")
        found.told = (Sentence("found by words alone: {why}", why="asleep"),)
        return found

    monkeypatch.setattr(Soul, "recall", recall)
    result = run("recall", "bridges", "--around", "1", "--explain", "--mode", "words")

    assert result.out.splitlines() == [
        "0.61      [message] Ana: I build bridges",
        "          sessions/a.jsonl#3 · expired · by words and meaning",
        "          ┊ Max: what do you do?",
        "          starting point    1.00   -5.30",
        "          its words         0.41   +0.58",
        "          meaning           4.90   +5.10",
    ]
    assert result.err == "· found by words alone: asleep\n"
    assert (requests["neighbours"], requests["explain"], requests["mode"]) == (1, True, "words")
    assert answer("recall", "x")[0]["reasons"][1] == ["own", 0.41, 0.58]
    assert answer("recall", "x")[0]["certainty"] == "likely"


def test_recall_says_in_words_how_sure_it_is_and_where_to_read_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = [
        Hit("note", "long " * 200, None, 0.81, "keyword", "notes.md#3"),
        Hit(
            "fact",
            "takes 50 mg",
            None,
            0.45,
            "vector",
            state="superseded",
            last=date(2026, 5, 8),
            by="takes 100 mg",
        ),
        Hit("fact", "is coeliac", None, 0.1, "vector", state="expired", last=date(2026, 2, 1)),
    ]
    monkeypatch.setattr(Soul, "recall", lambda *_, **__: Recalled(hits))

    result = run("recall", "--all", "anything").out
    assert "sure      [note] long long" in result
    assert "…\n          read on in notes.md#3" in result
    assert "likely    [fact] takes 50 mg\n          replaced on 8 May 2026 by: takes 100 mg" in result
    assert "maybe     [fact] is coeliac\n          not mentioned since 1 February 2026" in result


def test_a_long_value_is_cut_at_a_terminal_and_whole_in_a_pipe(run: Run, spawn_at_terminal: Terminal) -> None:
    run("remember", "story: " + "very " * 40 + "long")

    assert run("memory", "list").out.rstrip().endswith("very long")
    rows = spawn_at_terminal("memory", "list", COLUMNS="60").splitlines()
    assert click.unstyle(rows[-1]).endswith("…")
    assert len(click.unstyle(rows[-1])) <= 60


def test_at_a_terminal_one_of_several_is_chosen_by_its_number(
    run: Run, spawn_at_terminal: Terminal, answer: Json
) -> None:
    for text in ("likes: trains", "likes: rain on the roof", "likes: tea"):
        run("remember", text)

    assert "It is in use." in spawn_at_terminal("memory", "why", "likes", answers="2\r")
    assert "Nothing was forgotten." in spawn_at_terminal("forget", "likes", answers="\r")
    assert "brings it back" in spawn_at_terminal("forget", "likes", answers="1 3\r")
    assert [memory["value"] for memory in answer("memory", "list")] == ["rain on the roof"]


def test_a_command_that_is_done_is_not_spoiled_by_a_memory_that_is_busy(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(self: Memories) -> list[Sentence]:
        raise StoreBusy("{path} is in use by another process; try again when it is done", path="it")

    monkeypatch.setattr(Memories, "finish", busy)
    added, listed = run("remember", "The boat needs paint."), run("memory", "list")

    assert added.code == 0
    assert "The boat needs paint." in added.out
    assert added.err == "· it is in use by another process; try again when it is done\n"
    assert listed.code == 0


BAD = [
    (
        ["remember", "--key", "k" * 1_200_000, "x"],
        "a key can have at most 200 characters; put the rest in the text",
    ),
    (["recall", "x", "--around", "9" * 12], "is not in the range 0<=x<=100"),
    (["remember", "caf\udce9"], "characters that are not valid Unicode, so it was not stored"),
    (["remember", "--key", "caf\udce9", "x"], "characters that are not valid Unicode"),
    (["forget", "caf\udce9"], "no memory matches"),
    (["memory", "why", "caf\udce9"], "no memory matches"),
]


@each_row(("arguments", "said"), BAD)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    run: Run, arguments: list[str], said: str, home: Path
) -> None:
    answer = run(*arguments)

    assert answer.code == 2
    assert said in answer.err
    assert len(answer.err) < 2000
    assert "Traceback" not in answer.err
    assert (folder(home) / "SOUL.md").exists()


def test_every_measure_of_a_score_has_words_for_the_owner() -> None:
    from almario.domain import vocabulary
    from almario.memory.rules.scoring import MEASURES

    assert MEASURES.keys() <= vocabulary.MEASURES.keys()


def test_a_change_without_a_word_of_it_names_the_options(run: Run) -> None:
    run("remember", "job: teaches physics")

    assert "--text, --when, --ended or --project" in run("memory", "change", "job").err


def test_a_purge_by_word_shows_each_place_and_erases_what_is_chosen(
    run: Run, spawn_at_terminal: Terminal, home: Path
) -> None:
    run("init", "Ada")
    own = home / "agents" / "default"
    (own / "USER.md").write_text("# Ana\n\nOwns the Gaviota.\n")
    run("log", "Ana took the Gaviota out")

    named = run("forget", "--purge", "Gaviota", "--yes")
    listed = run("forget", "--purge", "gaviota", "--json")
    screen = spawn_at_terminal("forget", "--purge", "Gaviota", answers="1\n")

    assert (named.code, "USER.md:3  [the line]" in named.out) == (2, True)
    assert named.err == "Error: nothing was erased; --everywhere --yes erases all of these\n"
    assert {each["kind"] for each in json.loads(listed.out)["held"]} == {"line", "version", "history"}
    assert "Erase which of these for good?" in screen
    assert (own / "USER.md").read_text() == "# Ana\n\n"
    assert "Gaviota" in "".join(path.read_text() for path in own.glob("memory/*.md"))

    done = run("forget", "--purge", "Gaviota", "--everywhere", "--yes")

    assert done.code == 0
    assert [path for path in own.rglob("*") if path.is_file() and b"Gaviota" in path.read_bytes()] == []
    assert run("forget", "--purge", "Gaviota", "--everywhere", "--yes").err.startswith("Error: no memory")


def test_a_purge_by_a_key_erases_no_line_that_has_the_same_word(run: Run, home: Path) -> None:
    run("init", "Ada")
    (home / "agents" / "default" / "USER.md").write_text("# Ana\n\nHer boat is old.\n")
    run("remember", "boat: a raft")

    said = run("forget", "--purge", "boat", "--yes", "--all")

    assert (said.code, "stands here" in said.out) == (0, False)
    assert "boat" in (home / "agents" / "default" / "USER.md").read_text()
