"""The commands of memory as people use them, with good input and bad."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click
import pytest

import almario
from almario import wiring
from almario.apps.cli import root
from almario.domain.memories import EVERY
from almario.domain.messages import Sentence
from almario.domain.model import Damage, Hit, Recalled
from almario.domain.turns import Said as Spoken
from almario.errors import StoreBusy
from almario.memory.facade import Memories
from almario.soul import Soul
from almario.testing import FixedClock
from tests.apps.conftest import Run, Said, Terminal
from tests.tables import each_row

Json = Callable[..., Any]


@pytest.fixture(autouse=True)
def agent(run: Run) -> None:
    run("init", "--language", "en")


@pytest.fixture
def answer(run: Run) -> Json:
    """Run a command that answers in JSON, and read it."""

    def read(*arguments: str, **given: str) -> Any:
        said = run(*arguments, "--json", **given)
        assert said.code == 0, said.err
        return json.loads(said.out)

    return read


@pytest.fixture
def long_ago(home: Path) -> Soul:
    return almario.open(home, clock=FixedClock(datetime(2020, 1, 1, 12, tzinfo=UTC)))


def folder(home: Path) -> Path:
    return home / "agents/default"


def holders(home: Path, text: str) -> list[str]:
    """Return the files of the agent that hold a text."""
    files = [path for path in folder(home).rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_remember_says_what_became_of_it_and_how_to_take_it_back(run: Run, answer: Json) -> None:
    first = run("remember", "job: designs bridges")
    again = run("remember", "job: designs bridges")
    beside = run("remember", "job: sells fish on Fridays")
    changed = run("remember", "job: runs a bakery", "--replaces", answer("memory", "list")[0]["id"])

    assert first.code == again.code == beside.code == changed.code == 0
    assert "  also known: job: designs bridges (" in beside.out
    assert first.out.startswith("Remembered.\n  job: designs bridges\n  profile ")
    assert again.out.startswith("Already known; confirmed.\n  job: designs bridges\n")
    assert "replacing:\n- job: designs bridges\n+ job: runs a bakery\n" in changed.out
    undo = changed.out.split('"almario ')[1].split('"')[0]
    assert "job: designs bridges" in run(*undo.split()).out
    assert run("memory", "list").out.count("designs bridges") == 1


def test_what_a_fact_replaces_is_named_by_its_key_if_that_has_only_one(run: Run) -> None:
    run("remember", "rent: pays 900 euros")
    changed = run("remember", "rent: pays 950 euros", "--replaces", "Rent")
    run("remember", "rent: pays 30 euros for the garage")

    assert "replacing:\n- rent: pays 900 euros\n+ rent: pays 950 euros\n" in changed.out
    assert run("remember", "rent: pays 990 euros", "--replaces", "rent").code == 2


def test_words_need_no_quotes_and_a_key_can_stand_apart(run: Run, answer: Json) -> None:
    run("remember", "job:", "designs", "bridges")
    run("remember", "--key", "motto", "--kind", "fact", "Note: never at night")
    run("remember", "-", "--key", "recipe", stdin="Two parts water,\none part rice.\n")

    found = {memory["key"]: (memory["value"], memory["kind"]) for memory in answer("memory", "list")}
    assert found == {
        "job": ("designs bridges", "profile"),
        "motto": ("Note: never at night", "fact"),
        "recipe": ("Two parts water,\none part rice.", "profile"),
    }


def test_a_secret_is_left_out_and_that_is_told(run: Run, home: Path) -> None:
    said = run(
        "remember", "The wifi in the old summer house by the lake is set up with password=hunter2hunter2"
    )

    assert said.code == 0
    assert "· a secret was left out (password)" in said.err
    assert holders(home, "hunter2") == []


def test_what_is_mostly_secret_is_refused(run: Run, home: Path) -> None:
    said = run("remember", "password=hunter2hunter2")
    as_json = run("remember", "password=hunter2hunter2", "--json")

    assert (said.code, said.out) == (2, "")
    assert said.err == "Error: not stored: most of it is secret (password)\n"
    assert as_json.code == 2
    assert json.loads(as_json.out)["outcome"] == "refused"
    assert holders(home, "hunter2") == []


def test_forget_takes_all_under_a_key_and_undo_brings_it_back(run: Run, answer: Json) -> None:
    run("remember", "likes: trains")
    run("remember", "likes: rain on the roof")

    asked = run("forget", "likes")
    assert (asked.code, len(answer("memory", "list"))) == (2, 2)
    said = run("forget", "likes", "--all")

    assert "likes: trains  (forgotten)" in said.out
    assert "likes: rain on the roof  (forgotten)" in said.out
    assert answer("memory", "list") == []
    undo = said.out.split('"almario ')[1].split('"')[0]
    assert run(*undo.split()).code == 0
    assert len(answer("memory", "list")) == 2


def test_a_command_that_stands_elsewhere_is_named_by_its_place(run: Run) -> None:
    run("init")

    wrong = run("memory", "forget", "likes")

    assert wrong.code == 2
    assert 'there is no "almario memory forget"; it is "almario forget"' in wrong.err
    assert "No such command 'frget'" in run("memory", "frget").err


def test_forget_by_the_beginning_of_an_id(run: Run, answer: Json) -> None:
    first = answer("remember", "likes: trains")["memory"]["id"]
    run("remember", "likes: rain on the roof")

    [forgotten] = answer("forget", first[:8])["memories"]

    assert (forgotten["id"], forgotten["state"]) == (first, "retired")
    assert [memory["value"] for memory in answer("memory", "list")] == ["rain on the roof"]
    assert "is already out of use" in run("forget", first).err


def test_a_purge_shows_what_it_erases_and_erases_nothing_unasked(run: Run, home: Path) -> None:
    run("remember", "pet: a cat called Misurina")

    said = run("forget", "pet", "--purge")
    as_json = run("forget", "pet", "--purge", "--json")

    assert said.code == as_json.code == 2
    assert "This will be permanently erased:" in said.out
    assert "pet: a cat called Misurina" in said.out
    assert "  MEMORY.md\n" in said.out
    assert said.err == "Error: nothing was erased: there is nobody to ask; add --yes\n"
    assert json.loads(as_json.out)["erased"] is False
    assert "MEMORY.md" in holders(home, "Misurina")


def test_a_purge_erases_versions_turns_and_files_and_says_what_is_out_of_reach(
    run: Run, home: Path, answer: Json
) -> None:
    run("remember", "pet: a cat called Misurina")
    old = answer("remember", "job: feeds Misurina all day long")["memory"]["id"]
    run("remember", "job: brushes Misurina all day long", "--replaces", old)
    (folder(home) / "MEMORY.md~").write_text("an editor's copy of a cat called Misurina")

    pet = run("forget", "pet", "--purge", "--yes")
    job = run("forget", "job", "--purge", "--yes")

    assert "job: feeds Misurina all day long  (replaced)" in job.out
    assert "Erased. Cleaned:\n  MEMORY.md\n" in pet.out
    assert "Out of reach, so check them yourself: backups" in pet.out
    assert "may still hold it:\n  MEMORY.md~\n" in pet.out
    assert holders(home, "Misurina") == ["MEMORY.md~"]


def test_a_purge_names_the_turns_it_erases(run: Run, home: Path) -> None:
    with almario.open(home) as soul:
        [turn] = soul.memory.append("cli", [Spoken("user", "My cat is called Misurina.", "owner")])
        soul.memory.learn("pet", "a cat called Misurina", evidence=[turn.id])

    said = run("forget", "pet", "--purge", "--yes")

    assert f"with what was said in:\n  {turn.id}\n" in said.out
    assert holders(home, "Misurina") == []


def test_a_purge_takes_memory_md_for_a_file_and_not_for_a_conversation(run: Run, home: Path) -> None:
    run("remember", "likes: trains")
    path = folder(home) / "MEMORY.md"
    path.write_text(path.read_text().replace("- trains", "- a cat called Misurina"))

    said = run("forget", "likes", "--purge", "--yes")

    assert "with what was said in:" not in said.out
    assert holders(home, "Misurina") == []


def test_what_was_forgotten_by_its_key_can_be_purged_by_its_key(run: Run, home: Path) -> None:
    run("remember", "pet: a cat called Misurina")
    run("forget", "pet")

    assert run("forget", "pet", "--purge", "--yes").code == 0
    assert holders(home, "Misurina") == []


def test_a_purged_instruction_is_nowhere_any_more(run: Run, answer: Json) -> None:
    run("remember", "--kind", "instruction", "--key", "tone", "Speak plainly to Misurina")

    run("forget", "tone", "--purge", "--yes")

    assert answer("memory", "list") == []
    assert "erased" not in run("prompt").out
    assert run("undo", "--list").out.rstrip().endswith("  erased for good")


def test_at_a_terminal_a_purge_asks_and_no_is_the_default(
    run: Run, spawn_at_terminal: Terminal, home: Path
) -> None:
    run("remember", "pet: a cat called Misurina")

    assert "Nothing was erased." in spawn_at_terminal("forget", "pet", "--purge", answers="\n")
    assert holders(home, "Misurina") != []
    screen = spawn_at_terminal("forget", "pet", "--purge", answers="sí\n", ALMARIO_LANGUAGE="es")
    assert "¿Borrarlo para siempre? [s/N]" in screen
    assert holders(home, "Misurina") == []


def test_recall_tells_score_kind_text_place_and_date(run: Run, answer: Json) -> None:
    run("remember", "job: designs bridges")
    run("log", "We talked about the harbour.")

    said = run("recall", "who", "designs", "bridges?")
    [hit] = answer("recall", "harbour")

    first, second = said.out.splitlines()
    assert first.endswith("  [profile] job: designs bridges")
    assert second.strip().startswith("MEMORY.md")
    assert (hit["kind"], hit["text"]) == ("log", "We talked about the harbour.")
    assert date.fromisoformat(hit["day"])
    assert 0 < hit["score"] <= 1


def test_nothing_found_is_an_answer_too(run: Run, answer: Json) -> None:
    said = run("recall", "xyzzy")

    assert (said.code, said.out) == (0, "Nothing comes to mind.\n")
    assert answer("recall", "xyzzy") == []


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        ([], {"red", "green", "a red boat"}),
        (["--limit", "1"], None),
        (["--kind", "fact"], {"green"}),
        (["--kind", "episode"], {"a red boat"}),
        (["--kind", "fact", "--kind", "log"], {"green", "a red boat"}),
        (["--key", "Paint"], {"red"}),
        (["--in", "session"], set()),
        (["--in", "memory", "--in", "session"], {"red", "green", "a red boat"}),
        (["--since", "2999-01-01"], set()),
        (["--until", "2999-01-01"], {"red", "green", "a red boat"}),
        (["--include", "retired"], {"red", "green", "a red boat", "yellow"}),
        (["--min-score", "1"], None),
    ],
)
def test_recall_looks_only_where_it_is_told_to(
    run: Run, answer: Json, options: list[str], texts: set[str] | None
) -> None:
    run("remember", "paint: red")
    run("remember", "--kind", "fact", "colour: green")
    run("remember", "wall: yellow")
    run("forget", "wall")
    run("log", "a red boat")

    found = {hit["text"] for hit in answer("recall", "red green yellow", *options)}

    assert found == texts if texts is not None else len(found) <= 1


def test_recall_shows_neighbours_and_what_a_score_is_made_of(
    run: Run, answer: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def recall(self: Soul, question: str, **given: Any) -> Recalled:
        asked.update(given, question=question)
        reasons = (("base", 1.0, -5.3), ("own", 0.41, 0.58), ("meaning", 4.9, 5.1))
        found = Recalled(
            [Hit("turn", "I build bridges", None, 0.612, "both", "sessions/a.jsonl#3", reasons=reasons)]
        )
        found[0] = found[0]._replace(speaker="Ana", around=("Max: what do you do?",), state="expired")
        found.told = (Sentence("found by words alone: {why}", why="asleep"),)
        return found

    monkeypatch.setattr(Soul, "recall", recall)
    said = run("recall", "bridges", "--around", "1", "--explain", "--mode", "tfidf")

    assert said.out.splitlines() == [
        "0.61      [message] Ana: I build bridges",
        "          sessions/a.jsonl#3 · expired · by words and meaning",
        "          ┊ Max: what do you do?",
        "          starting point    1.00   -5.30",
        "          its words         0.41   +0.58",
        "          meaning           4.90   +5.10",
    ]
    assert said.err == "· found by words alone: asleep\n"
    assert (asked["neighbours"], asked["explain"], asked["mode"]) == (1, True, "tfidf")
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

    said = run("recall", "anything").out
    assert "sure      [note] long long" in said
    assert "…\n          read on in notes.md#3" in said
    assert "likely    [fact] takes 50 mg\n          replaced on 2026-05-08 by: takes 100 mg" in said
    assert "maybe     [fact] is coeliac\n          not mentioned since 2026-02-01" in said


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ([], {"job", "likes"}),
        (["--kind", "fact"], {"likes"}),
        (["--key", "job"], {"job"}),
        (["--key", "trabajo"], {"job"}),
        (["--text", "rain"], {"likes"}),
        (["--origin", "untrusted"], {"rumour"}),
        (["--untrusted"], {"job", "likes", "rumour"}),
        (["--untrusted", "--origin", "owner"], {"job", "likes", "rumour"}),
        (["--state", "retired"], {"pet"}),
        (["--state", "all"], {"job", "likes", "pet"}),
    ],
)
def test_list_shows_what_fits(run: Run, answer: Json, options: list[str], keys: set[str]) -> None:
    run("remember", "job: designs bridges")
    run("remember", "--kind", "fact", "likes: rain")
    run("remember", "pet: a cat")
    run("forget", "pet")
    stranger = {
        "id": "abcdefabcdef",
        "key": "rumour",
        "value": "it rains",
        "kind": "fact",
        "origin": "untrusted",
    }
    run("memory", "import", "-", stdin=json.dumps(stranger | {"source": "auto"}))

    assert {memory["key"] for memory in answer("memory", "list", *options)} == keys


def test_what_a_stranger_said_is_told_apart_and_becomes_the_owners_by_their_word(
    run: Run, answer: Json
) -> None:
    stranger = {"id": "abcdefabcdef", "key": "rumour", "value": "it rains", "kind": "fact"}
    more = {"origin": "untrusted", "source": "auto"}
    run("memory", "import", "-", stdin=json.dumps(stranger | more))
    run("remember", "job: designs bridges")

    listed = run("memory", "list", "--untrusted").out.splitlines()
    assert listed[0].split() == ["ID", "Since", "Kind", "Origin", "Key", "Value"]
    assert "  a stranger  rumour  it rains" in listed[1]
    said = run("memory", "trust", "abcdef").out
    assert said.startswith("Now yours and in use:\n")
    assert said.endswith("rumour: it rains\n")
    assert "vouched for" in run("memory", "why", "rumour").out
    run("undo")
    assert answer("memory", "trust", "abcdef")["origin"] == "owner"
    assert "out of use" in run("memory", "trust", "abcdef").err


def test_the_list_is_a_table_and_an_empty_one_is_a_sentence(run: Run) -> None:
    assert run("memory", "list").out == 'No memories yet; "almario remember" adds the first.\n'
    run("remember", "job: designs bridges")

    head, row = run("memory", "list").out.splitlines()
    assert head.split() == ["ID", "Since", "Kind", "Key", "Value"]
    assert row.endswith("  profile  job  designs bridges")
    assert run("memory", "list", "--kind", "summary").out == "Nothing matches.\n"


def test_a_long_value_is_cut_at_a_terminal_and_whole_in_a_pipe(run: Run, spawn_at_terminal: Terminal) -> None:
    run("remember", "story: " + "very " * 40 + "long")

    assert run("memory", "list").out.rstrip().endswith("very long")
    rows = spawn_at_terminal("memory", "list", COLUMNS="60").splitlines()
    assert click.unstyle(rows[-1]).endswith("…")
    assert len(click.unstyle(rows[-1])) <= 60


def test_why_tells_all_there_is_to_know(run: Run, answer: Json) -> None:
    old = answer("remember", "job: designs bridges")["memory"]["id"]
    new = answer("remember", "job: runs a bakery", "--replaces", old)["memory"]["id"]

    before = run("memory", "why", old[:6]).out
    why = run("memory", "why", new).out
    reasons = answer("memory", "why", old)

    assert "  It is out of use: it was replaced.\n" in before
    assert f"  profile {old}\n" in before
    assert why.startswith("job: runs a bakery\n  You said so yourself.\n  It is in use.\n")
    assert "It replaced:\n    " + old[:8] in why
    assert reasons["replaced_by"]["id"] == new
    assert [change["verb"] for change in reasons["history"]] == ["remembered", "remembered"]


def test_a_memory_goes_by_its_key_or_its_words_too(run: Run) -> None:
    run("remember", "job: designs bridges")
    run("remember", "The spare key is with Marta.")

    assert run("memory", "why", "Job").out.startswith("job: designs bridges\n")
    assert "designs bridges" in run("memory", "why", "trabajo").out
    assert "remembered" in run("memory", "why", "job").out
    assert run("memory", "why", "the", "spare", "key").out.startswith("The spare key is with Marta.\n")
    assert "Shared with others:\n" in run("memory", "share", "Marta").out
    run("forget", "Marta")
    assert "forgotten" in run("memory", "why", "Marta").out
    assert "In use again:\n" in run("memory", "restore", "the", "spare", "key").out


@pytest.mark.parametrize(
    "command",
    [("memory", "why"), ("memory", "share"), ("forget",), ("forget", "--purge", "--yes")],
)
def test_of_several_that_are_meant_none_is_taken_unasked(
    run: Run, command: tuple[str, ...], answer: Json
) -> None:
    run("remember", "likes: trains")
    run("remember", "likes: rain on the roof")

    for words in ("likes", "like"):
        said = run(*command, words)
        assert said.code == 2
        assert f'"{words}" could mean several things; name one by its id' in said.err
        assert "likes: trains" in said.err
        assert "likes: rain on the roof" in said.err
    assert len(answer("memory", "list")) == 2
    assert {memory["audience"] for memory in answer("memory", "list")} == {""}


def test_at_a_terminal_one_of_several_is_chosen_by_its_number(
    run: Run, spawn_at_terminal: Terminal, answer: Json
) -> None:
    for text in ("likes: trains", "likes: rain on the roof", "likes: tea"):
        run("remember", text)

    assert "It is in use." in spawn_at_terminal("memory", "why", "likes", answers="2\r")
    assert "Nothing was forgotten." in spawn_at_terminal("forget", "likes", answers="\r")
    assert "brings it back" in spawn_at_terminal("forget", "likes", answers="1 3\r")
    assert [memory["value"] for memory in answer("memory", "list")] == ["rain on the roof"]


def test_why_names_the_evidence_of_what_the_owner_wrote_by_hand(run: Run, home: Path, answer: Json) -> None:
    run("remember", "job: designs bridges")
    path = folder(home) / "MEMORY.md"
    path.write_text(path.read_text().replace("- designs bridges", "- designs boats"))

    [memory] = answer("memory", "list")
    assert memory["value"] == "designs boats"
    assert "Based on MEMORY.md." in run("memory", "why", memory["id"]).out
    assert "written in MEMORY.md" in run("memory", "why", memory["id"]).out


def test_history_names_lines_that_undo_takes_back(run: Run, answer: Json) -> None:
    assert run("undo", "--list").out == "No memories yet.\n"
    run("remember", "likes: trains")
    run("remember", "likes: rain on the roof")
    newest, oldest = answer("undo", "--list")

    assert (newest["actor"], newest["verb"]) == ("owner", "remembered")
    assert newest["change"]["set"]["value"] == "rain on the roof"
    assert newest["seq"] > oldest["seq"]
    run("undo", str(oldest["seq"]))
    assert [memory["value"] for memory in answer("memory", "list")] == ["rain on the roof"]
    table = run("undo", "--list").out
    assert f"line {oldest['seq']} undone: likes: trains" in table
    assert "Earlier: 2; --limit shows more." in run("undo", "--list", "--limit", "1").out


def test_undo_leaves_what_has_changed_since(run: Run, answer: Json) -> None:
    line = answer("remember", "likes: trains")["memory"]["seq"]
    run("forget", "likes")

    said = run("undo", str(line))

    assert said.code == 2
    assert said.err == "Error: nothing was undone: all of it has changed since\n"
    assert run("undo").code == 0
    assert len(answer("memory", "list")) == 1


def test_what_expired_can_be_restored_and_only_a_purge_erases_it(
    run: Run, long_ago: Soul, home: Path, answer: Json
) -> None:
    with long_ago as soul:
        kept = soul.remember("likes: Misurina the cat", kind="fact").memory
        soul.remember("eats: whatever Alessandra cooks", kind="fact")
    assert kept is not None

    assert answer("memory", "list") == []
    assert len(answer("memory", "list", "--state", "expired")) == 2
    assert "It has expired" in run("memory", "why", kept.id).out
    assert run("memory", "restore", kept.id).out.startswith("In use again:\n")
    assert run("forget", "--purge", "--expired", "36500").out.startswith("Nothing has expired that long ago")
    assert run("forget", "--purge", "--expired", "0").code == 2
    assert run("forget", "--purge", "--expired", "0", "--yes").code == 0
    assert holders(home, "Alessandra") == []
    assert [memory["value"] for memory in answer("memory", "list")] == ["Misurina the cat"]


def test_as_of_tells_what_was_true_and_what_was_believed(run: Run, long_ago: Soul, answer: Json) -> None:
    with long_ago as soul:
        old = soul.remember("job: designs bridges").memory
        assert old
    run("remember", "job: runs a bakery", "--replaces", old.id)

    def then(*arguments: str) -> list[str]:
        return [memory["value"] for memory in answer("memory", "list", "--as-of", *arguments)]

    assert then("2020-01-01") == ["designs bridges"]
    assert then("2020-01-01T11:59") == []
    assert then("2020-01-01 12:00") == ["designs bridges"]
    assert then("2020-01-01T12:59+01:00") == []
    assert then("2021-05-05", "--believed") == ["designs bridges"]
    assert then("9999-12-31") == ["runs a bakery"]
    assert run("memory", "list", "--as-of", "0001-01-01").out == "Nothing is known of that time.\n"


def test_an_export_brought_into_another_agent_is_the_same_export(
    run: Run, tmp_path: Path, answer: Json
) -> None:
    old = answer("remember", "job: designs bridges")["memory"]["id"]
    run("remember", "job: runs a\u2028bakery", "--replaces", old)
    run("forget", "job")
    run("agents", "new", "twin")
    file = tmp_path / "memories.jsonl"

    said = run("memory", "export", str(file))
    taken = run("memory", "import", str(file), "--agent", "twin")

    assert said.out == f"Memories in {file}: 2.\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert taken.out == "Imported: 2. Already here: 0.\n"
    twins = run("memory", "export", "--agent", "twin").out
    assert twins.splitlines()[:-1] == file.read_text().splitlines()[:-1]  # the seal says whose it is
    assert answer("memory", "import", str(file)) == {"new": 0, "known": 2, "different": 0, "told": []}
    assert [memory["state"] for memory in answer("memory", "export")] == ["superseded", "retired"]


def test_a_file_that_anybody_could_have_written_is_told_as_such(
    run: Run, tmp_path: Path, answer: Json
) -> None:
    run("remember", "job: designs bridges")
    run("agents", "new", "twin")
    run("agents", "new", "third")
    file = tmp_path / "memories.jsonl"
    file.write_text(run("memory", "export").out.replace("bridges", "rockets"))

    piped = run("memory", "import", "-", "--agent", "twin", stdin=file.read_text())
    [told] = answer("memory", "import", str(file), "--agent", "third")["told"]

    assert piped.out == "Imported: 1. Already here: 0.\n"
    assert "· this file was not exported by this home, or has been changed since" in piped.err
    assert told.startswith("this file was not exported by this home")
    for agent in ("twin", "third"):
        [memory] = answer("memory", "list", "--agent", agent)
        assert (memory["value"], memory["source"], memory["origin"]) == (
            "designs rockets",
            "auto",
            "imported",
        )


def test_an_export_that_fails_leaves_the_older_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "memories.jsonl"

    said = run("memory", "export", str(file))

    assert said.code == 2
    assert "No such file or directory" in said.err


def test_memories_are_counted(run: Run, answer: Json) -> None:
    old = answer("remember", "job: designs bridges")["memory"]["id"]
    run("remember", "colour: grey")
    run("remember", "job: runs a bakery", "--replaces", old)

    assert answer("memory")["states"] == {"live": 2, "superseded": 1}
    assert "in use 2 · replaced 1" in run("memory").out


def test_much_gone_at_once_is_asked_about_and_accepted(run: Run, home: Path, answer: Json) -> None:
    for number in range(8):
        run("remember", f"likes: thing number {number} of all")
    path = folder(home) / "MEMORY.md"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("- ")))

    told = run("memory", "list").err

    assert "8 facts disappeared from MEMORY.md at once" in told
    name = told.split('"almario forget --not-in ')[1].split('"')[0]
    assert len(answer("memory", "list")) == 8
    assert run("forget", "--not-in", name).out.startswith("Forgotten:\n")
    assert answer("memory", "list") == []


def test_a_command_that_asks_the_memory_takes_in_and_tells_an_edit_of_it(
    run: Run, home: Path, answer: Json
) -> None:
    run("remember", "job: designs bridges")
    path = folder(home) / "MEMORY.md"
    path.write_text(
        path.read_text().replace("- designs bridges", "- has password=hunter2hunter2 at work now")
    )

    assert run("goals").err == ""
    assert "MEMORY.md holds a secret (password)" in run("memory").err
    [memory] = answer("memory", "list")
    assert "hunter2" not in memory["value"]


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


def test_a_command_leaves_memory_md_up_to_date(run: Run, home: Path) -> None:
    run("remember", "job: designs bridges")
    assert "- designs bridges" in (folder(home) / "MEMORY.md").read_text()

    run("forget", "job")
    assert "bridges" not in (folder(home) / "MEMORY.md").read_text()


def test_reindex_makes_all_anew(run: Run, home: Path, spawn_at_terminal: Terminal, answer: Json) -> None:
    run("remember", "job: designs bridges")
    before = answer("undo", "--list")

    assert answer("memory", "reindex")["passages"] > 1
    assert answer("undo", "--list") == before
    screen = spawn_at_terminal("memory", "reindex")
    assert "Indexing" in screen
    assert "100%" in screen
    assert "Passages indexed: " in screen


def test_verify_ends_with_1_if_something_is_wrong(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Damage] = []
    monkeypatch.setattr(Memories, "verify", lambda self: found, raising=False)

    well = run("verify")
    found.append(Damage("journal/000000001.jsonl", 3, Sentence("is not a line that Almario wrote")))
    ill, as_json = run("verify"), run("verify", "--json")

    assert (well.code, well.out) == (0, "✓ The journal, the index and the files agree.\n")
    assert ill.code == as_json.code == 1
    assert "✗ journal/000000001.jsonl:3 is not a line that Almario wrote\n" in ill.out
    assert json.loads(as_json.out)["problems"][0]["place"] == "journal/000000001.jsonl:3"


def test_download_model_says_where_the_model_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def download(
        home: str | None, agent: str | None, *, settings: object, progress: Callable[..., None]
    ) -> Path:
        progress(1, 2)
        return tmp_path

    monkeypatch.setattr(wiring, "download_model", download, raising=False)

    assert run("memory", "download-model").out == f"The model is in {tmp_path}.\n"


def test_every_command_of_memory_can_answer_in_json() -> None:
    commands = root()
    context = click.Context(commands)
    found = [commands.get_command(context, name) for name in ("remember", "forget", "recall", "memory")]
    group = found.pop()
    assert isinstance(group, click.Group)

    for command in [*found, *group.commands.values()]:
        assert command is not None
        assert "as_json" in [option.name for option in command.params], command.name


BAD = [
    (["remember", " "], "there is nothing to remember; the text is empty"),
    (["remember", "--kind", "dream", "x"], "'dream' is not one of 'profile'"),
    (
        ["remember", "--key", "k" * 1_200_000, "x"],
        "a key can have at most 200 characters; put the rest in the text",
    ),
    (["remember", "..."], "there is nothing to remember; the text is only punctuation"),
    (["remember", "--kind", "episode", "¡¡!! —"], "the text is only punctuation"),
    (["remember"], "Missing argument 'TEXT...'"),
    (["forget", "nothing"], 'nothing is remembered under "nothing"'),
    (["forget", "nothing", "--purge", "--yes"], 'nothing is remembered under "nothing"'),
    (["forget", "x", "--yes"], "--yes only goes with --purge"),
    (["recall"], "Missing argument 'QUESTION...'"),
    (["recall", "x", "--limit", "0"], "0 is not in the range 1<=x<=10000"),
    (["recall", ""], "the question is empty; say what you are looking for"),
    (["recall", " ", "\t"], "the question is empty"),
    (["recall", "x", "--min-score", "2"], "2.0 is not in the range 0<=x<=1"),
    (["recall", "x", "--min-score", "NaN"], "the minimum score must be a number from 0 to 1, not nan"),
    (["recall", "x", "--min-score", "inf"], "inf is not in the range 0<=x<=1"),
    (["recall", "x", "--agent", ""], 'the agent\'s id is empty; name one ("almario agents" lists them)'),
    (["--agent", " ", "recall", "x"], "the agent's id is empty"),
    (["init", "--agent", "", "--yes"], "the agent's id is empty"),
    (["doctor", "--agent", ""], "the agent's id is empty"),
    (["recall", "x", "--home", ""], "the home folder is empty"),
    (["recall", "x", "--since", "once"], '"once" is not a date I understand; try 2026-11-14'),
    (["recall", "x", "--since", "2026-02-02", "--until", "2026-01-01"], "--until is before --since"),
    (["recall", "x", "--mode", "magic"], "'magic' is not one of"),
    (["memory", "list", "--state", "lost"], "'lost' is not one of"),
    (["memory", "why", "zzzz"], 'nothing is remembered under "zzzz"; "almario memory list" shows what is'),
    (["memory", "why", ""], 'nothing is remembered under ""'),
    (["memory", "why", "zzzz"], 'nothing is remembered under "zzzz"'),
    (["memory", "restore", "zzzz"], 'nothing is remembered under "zzzz"'),
    (["undo"], "no memories yet, so there is nothing to undo"),
    (["undo", "1"], "line 1 is no change that can be undone"),
    (["undo", "0"], "0 is not in the range"),
    (["undo", "9" * 30], "is not in the range"),
    (["recall", "x", "--around", "9" * 12], "is not in the range 0<=x<=100"),
    (["remember", "caf\udce9"], "characters that are not valid Unicode, so it was not stored"),
    (["remember", "--key", "caf\udce9", "x"], "characters that are not valid Unicode"),
    (["forget", "caf\udce9"], "nothing is remembered under"),
    (["memory", "why", "caf\udce9"], "nothing is remembered under"),
    (["memory", "list", "--as-of", "2026-02-30"], '"2026-02-30" is not a date I understand'),
    (["memory", "import", "/nowhere/x"], "/nowhere/x: No such file or directory"),
    (["memory", "import", "."], "Is a directory"),
    (["forget", "--not-in", "MEMORY.conflict-0a1b2c3d.md"], "there is no file MEMORY.conflict-0a1b2c3d.md"),
    (["forget", "--not-in", "SOUL.md"], "SOUL.md is not a version of MEMORY.md that was set aside"),
    (["forget", "--purge", "--expired", "-1"], "-1 is not in the range"),
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id"', "line 2 cannot be imported: it is not a memory as JSON; nothing was imported"),
        ("[]", "line 2 cannot be imported"),
        ('{"id": "a", "value": "b", "kind": "dream"}', "kind must be one of profile, fact"),
        ('{"id": "", "value": "b"}', "it has no id or no value"),
        ('{"id": "abcd", "value": "b", "at": "0001-01-01T00:00:00+05:00"}', "at must be a date and time"),
        ('{"id": "abcd", "value": "b", "renewed": "9999-12-31T23:59:59Z"}', "in the years 2-9000"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(run: Run, answer: Json, line: str, said: str) -> None:
    good = '{"id": "abcdefabcdef", "key": "job", "value": "designs bridges"}'

    refused = run("memory", "import", "-", stdin=f"{good}\n{line}\n")

    assert refused.code == 2
    assert said in refused.err
    assert answer("memory", "list", "--state", "all") == []


def test_a_file_that_is_no_text_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "latin"
    file.write_bytes(b'{"id": "caf\xe9"}')

    said = run("memory", "import", str(file))

    assert said == Said(2, "", f"Error: {file} is not UTF-8 text; save it as UTF-8\n")


def test_what_is_remembered_cannot_command_the_terminal(run: Run) -> None:
    run("remember", "note: red \x1b[31malert\x1b[0m\x07 at night")

    shown = [run("memory", "list").out, run("recall", "night").out, run("undo", "--list").out]

    assert all("alert" in out and "\x1b" not in out and "\x07" not in out for out in shown)


def test_the_commands_speak_spanish(spawn: Run) -> None:
    spanish = {"LANG": "es_ES.UTF-8", "PYTHONUTF8": "1"}
    spawn("agents", "new", "luz", "--language", "es", **spanish)

    said = spawn("remember", "--agent", "luz", "Marta tiene la llave", **spanish)
    found = spawn("recall", "--agent", "luz", "llave", **spanish)
    wrong = spawn("memory", "why", "--agent", "luz", "zzzz", **spanish)

    assert said.out.startswith("Recordado.\n  Marta tiene la llave\n  perfil ")
    assert said.out.rstrip().endswith("lo deshace")
    assert "por palabras" in found.out
    assert wrong.err.startswith('Error: no se recuerda nada bajo "zzzz"')


def test_the_classic_search_shows_tf_idf_and_their_product_of_each_word(run: Run) -> None:
    run("remember", "bridges: designs bridges and old bridges over rivers")
    run("remember", "The harbour has a lighthouse")

    said = run("recall", "lighthouse or bridges", "--mode", "tfidf", "--explain")

    assert "lighthouse (tf 1 × idf 2.70)    2.70" in said.out
    assert "bridges (tf 3 × idf 2.70)    8.11" in said.out


def test_a_memorys_state_is_the_same_word_in_python_and_in_commands(
    run: Run, answer: Json, home: Path
) -> None:
    run("init")
    for text in ("gym: member at the Y", "job: designs bridges", "cat: Michi", "tea: green"):
        run("remember", text)
    run("memory", "change", "gym", "--ended", "2020-01-01")
    run("memory", "change", "job", "--text", "designs tunnels")
    run("forget", "cat")

    told = {each["id"]: each["state"] for each in answer("memory", "list", "--state", "all")}

    with almario.open(home) as soul:
        assert {each.id: each.state for each in soul.memory.list(EVERY)} == told
        assert {id_: soul.memory.get(id_).state for id_ in told} == told
    assert sorted(told.values()) == ["ended", "live", "live", "retired", "superseded"]


def test_every_measure_of_a_score_has_words_for_the_owner() -> None:
    from almario.domain import vocabulary
    from almario.memory.rules.scoring import MEASURES

    assert MEASURES.keys() <= vocabulary.MEASURES.keys()
