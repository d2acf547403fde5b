"""Homes of earlier versions open, with what nothing reads any more still in them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import almario
from almario import config
from almario.domain.digests import sha256
from almario.domain.events import Unknown
from almario.domain.memories import EVERY
from almario.domain.records import plain, written
from almario.domain.soul_models import PROPOSALS
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock, ScriptedLLM
from almario.upkeep.doctor import examine_agent
from tests.becoming.reflecting import TEA, noticing, reflection_of


def test_what_a_model_found_in_old_conversations_stays_until_what_it_tells_is_erased(soul: Soul) -> None:
    soul.append("cli:main", "user", "I live in Ghent, with my cat Michi")
    cat = soul.memory.learn("animal", "Has a cat called Michi", evidence=["cli:main#1"]).memory
    soul.remember("I play the oboe")
    folder = soul.path / "relearned"
    folder.mkdir()
    fact = {"key": "home", "value": "Lives in Flanders", "evidence": ["cli:main#1"]}
    part = {"session": "cli:main", "after": 0, "to": 1, "found": [{"n": 1, "fact": fact}]}
    lines = [{"wish": {"since": "2026"}}, {"part": part}, {"done": True}]
    (folder / "2026-11-14.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    store = soul._vault
    assert isinstance(store, FolderStore)
    said = [str(each.what) for each in examine_agent(soul.id, store) if each.level == "ok"]
    assert "relearned/ is of an earlier version; nothing reads it any more, and it may be deleted" in said
    assert "Flanders" not in str(soul.recall("Where do I live?"))

    assert cat
    soul.memory.purge(soul.memory.plan_purge(cat.id))

    left = (folder / "2026-11-14.jsonl").read_text()
    assert left == "".join(f"{json.dumps(line)}\n" for line in (lines[0], lines[2]))


def test_prompts_that_were_recorded_are_read_by_nothing_and_go_when_something_is_erased(
    soul: Soul, reopened: Callable[[], Soul], caplog: pytest.LogCaptureFixture
) -> None:
    cat = soul.remember("I have a cat called Michi").memory
    soul.remember("I play the oboe")
    folder = soul.path / "flights"
    folder.mkdir()
    answer = {"turn": "cli:main#2", "at": "2026-11-14T13:30:00Z", "sections": [["relevant", "0a", 9, "", 90]]}
    told = {"text": "0a", "said": "## Relevant\n- a cat called Mi…"}
    (folder / "2026-11-14.jsonl").write_text(f"{json.dumps(told)}\n{json.dumps(answer)}\n")
    (soul.path / "agent.toml").write_text("[flights]\ndays = 9\n")

    again = reopened()
    store = again._vault
    assert isinstance(store, FolderStore)
    said = [str(each.what) for each in examine_agent(again.id, store) if each.level == "ok"]
    assert "flights/ is of an earlier version; nothing reads it any more, and it may be deleted" in said
    assert "flights.days → almario sessions show" in caplog.text
    assert again.memory.verify() == []

    assert cat
    again.memory.purge(again.memory.plan_purge(cat.id))

    assert list(folder.glob("*.jsonl")) == []
    assert [each.value for each in again.memory.list()] == ["I play the oboe"]


def test_lines_and_settings_of_a_measured_drift_and_of_exams_are_read_over(
    soul: Soul, reopened: Callable[[], Soul], caplog: pytest.LogCaptureFixture
) -> None:
    made = soul.proposals.propose(
        "SOUL", f"{soul.read('SOUL').text}\nI like trains.\n", reason="They suit me"
    )
    files = {"SOUL.md": str(soul.read("SOUL").hash)}
    drift = {"score": 0.4, "lines": 0.2, "boundaries": 1}
    with soul._vault.writing() as write:
        line = {**plain(soul._vault.follower.rows(PROPOSALS)[made.id].body), "id": "feedfeed", "drift": drift}
        lines: dict[str, dict[str, Any]] = {
            "soul.pinned": {"files": files},
            "soul.measured": {"files": files, "drift": drift},
            "exam.taken": {"day": "2026-11-14", "questions": [{"about": made.id, "way": "part"}]},
            "proposal.made": line,
        }
        for kind, content in lines.items():
            write.append(Unknown(kind, content), actor="almario")
    (soul.path / "agent.toml").write_text("[drift]\nenabled = true\nwarn = 0.2\n")

    again = reopened()

    assert "drift.warn → almario proposals" in caplog.text
    assert again.memory.verify() == []
    assert again.proposals.accept("feedfeed").state == "accepted"
    assert "I like trains." in again.read("SOUL").text
    assert [event.type for event in again._vault.journal.read()].count("soul.measured") == 1


def test_phases_that_reflections_had_are_read_over_and_what_they_retell_can_be_erased(soul: Soul) -> None:
    memory = soul.remember("secret love: Carmen from the bakery").memory
    assert memory
    soul.log("Ana came by")
    upto = written(soul._vault.now())
    begun = {"day": "2026-11-14", "zone": "UTC", "trigger": "night", "since": "", "upto": upto}
    told = {"text": "They fancy somebody.", "dimension": "people", "evidence": [memory.id]}
    with soul._vault.writing() as write:
        for name, kinds in {
            "2026-11-14-1": ("begun", "gathered", "mirrored", "explored", "designed", "applied", "ended"),
            "2026-11-14-2": ("begun", "gathered", "designed"),
        }.items():
            contents: dict[str, dict[str, Any]] = {
                "begun": begun,
                "gathered": {"new": 2, "left_out": 0, "seen": {"2026-11-14 13:30": 1}},
                "mirrored": {"findings": [told]},
                "designed": {"design": {"findings": [told], "entry": "I think they fancy somebody."}},
                "applied": {"proposals": [], "goals": []},
                "ended": {"outcome": "done"},
            }
            for kind in kinds:
                line = {"ref": name, **contents.get(kind, {"findings": []})}
                write.append(Unknown(f"reflection.{kind}", line), actor="agent")
    llm = noticing(TEA)

    night = reflection_of(soul, None).latest()
    assert night is not None
    assert night.day == date(2026, 11, 14)
    assert reflection_of(soul, llm).run().id == "2026-11-14-2"
    assert llm.asked == []  # all of it had been seen
    soul.memory.purge(soul.memory.plan_purge(memory.id))

    assert "fancy" not in "".join(path.read_text() for path in (soul.path / "journal").glob("*.jsonl"))
    assert soul.memory.verify() == []


def test_of_pages_that_were_written_at_night_what_the_owner_wrote_stays(
    soul: Soul, reopened: Callable[[], Soul], caplog: pytest.LogCaptureFixture
) -> None:
    home = soul.remember("home: a flat by the river").memory
    assert home
    made = "You live in a flat on the water."
    mark = "<!-- made 812 2026-11-14T03:00:00+00:00 scripted/model 1a2b3c4d: below is made from memories -->"
    digest = sha256(made.encode())[:8]
    folder = soul.path / "memory/pages"
    folder.mkdir(parents=True)
    (folder / "owner.md").write_text(
        f"# What I know about you\n\nI am left-handed.\n\n{mark}\n\n## You\n\n"
        f"- {made} <!-- you {home.id} = {digest} 9d8e7f00 -->\n\n## Trabajo\n\n"
        f"- You are a head nurse. <!-- work {home.id} = 0123abcd 9d8e7f00 -->\nAnd I like trams.\n"
    )
    (folder / "ines.md").write_text(
        f"# Inés\n\n{mark}\n\n- {made} <!-- person {home.id} = {digest} 9d8e7f00 -->"
    )
    (soul.path / "agent.toml").write_text('[memory]\nportrait = false\ncues = "always"\n')

    again = reopened()

    own = "I am left-handed.\nYou are a head nurse.\nAnd I like trams."
    assert again.portrait().note.replace("- ", "") == own
    assert [each.text for each in again.portrait().sentences] == ["Home: a flat by the river."]
    assert [each.name for each in again.people()] == ["Inés"]
    assert not [hit for hit in again.recall("Who lives on the water?", limit=20) if made in hit.text]
    assert "memory.portrait → almario about" in caplog.text
    again.forget("home")
    again.finish()
    assert (folder / "owner.md").read_text() == f"# What I know about you\n\n{own}\n"
    assert (folder / "ines.md").read_text() == "# Inés\n"


HOMES = Path(__file__).parent / "homes"
AFTER = datetime(2026, 11, 20, 9, tzinfo=UTC)
BULLETS = "MEMORY.md: facts in tables and under bold keys are bullets now (4)"


@pytest.fixture(params=["2026-11-16", "2026-11-19"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A home with what a version of that day wrote, and what it wrote there."""
    made: dict[str, Any] = json.loads((HOMES / f"{request.param}.json").read_text())
    for name, text in made["files"].items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "home/agents/default").chmod(0o700)
    config._warn_of_gone.cache_clear()  # another test may have been warned of the same
    return tmp_path / "home", made


def opened(home: Path) -> Soul:
    return almario.open(home, clock=FixedClock(AFTER), llm=ScriptedLLM("Hello."))


def memories_of(soul: Soul) -> list[dict[str, str]]:
    every = soul.memory.list(EVERY)
    return [{"id": each.id, "state": each.state, "key": each.key, "value": each.value} for each in every]


def test_a_home_of_an_earlier_version_opens_and_nothing_is_lost(
    old: tuple[Path, dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    home, made = old
    soul = opened(home)
    told = [str(each) for each in [*soul.notices, *soul.memory.settle()]]

    assert memories_of(soul) == made["memories"]
    assert told == [BULLETS]
    assert sum("no setting any more" in record.getMessage() for record in caplog.records) == 2
    assert isinstance(soul._vault, FolderStore)
    assert [each.what for each in examine_agent(soul.id, soul._vault) if each.level != "ok"] == []
    assert soul.memory.verify() == []
    assert [each.state for each in soul.proposals.list()] == ["open"]
    assert "lease" in soul.recall("the lease of the flat")[0].text
    assert "Dra Vidal" in soul.prompt("Who is my doctor?").text
    assert "hunter2" not in soul.prompt("What is the password of the wifi?").text
    soul.close()

    agent = home / "agents/default"
    for name, text in made["files"].items():
        if "/.versions/" in name:
            kept = [*(home / name).parent.iterdir()]
            assert all(re.fullmatch(r"[0-9T-]{19}(-\d+)?(-proposed)?\.md", path.name) for path in kept)
            assert text in [path.read_text() for path in kept]
            continue
        now = (home / name).read_text()
        if name.endswith("MEMORY.md"):
            words = (
                text.replace("|", " ").replace(":", " ").replace("*", " ").split("<!-- almario")[0].split()
            )
            assert not Counter(word for word in words if word != "-") - Counter(re.findall(r"[^\s:*|]+", now))
        elif "/pages/" in name:
            assert "I sail a small boat on Sundays." in now
        else:
            assert now.startswith(text), name
    again = opened(home)
    assert [str(each) for each in [*again.notices, *again.memory.settle()]] == []
    assert (agent / "MEMORY.md").read_text().count("v2 -->") == 1


def test_the_first_edit_of_its_memory_file_changes_what_was_edited_alone(
    old: tuple[Path, dict[str, Any]],
) -> None:
    home, made = old
    file = home / "agents/default/MEMORY.md"
    seen = opened(home)
    seen.memory.settle()
    file.write_text(file.read_text().replace("Calle Mayor 4", "Gran Vía 1"))
    seen.memory.settle()

    was = {each["id"]: each for each in made["memories"]}
    now = {each["id"]: each for each in memories_of(seen)}
    [new] = [each for name, each in now.items() if name not in was]
    [changed] = [each for name, each in was.items() if now[name] != each]
    assert (new["key"], new["value"]) == ("dentist", "Dr Ruiz, Gran Vía 1")
    assert (changed["value"], now[changed["id"]]["state"]) == ("Dr Ruiz, Calle Mayor 4", "superseded")
    seen.undo()
    assert [each for each in memories_of(seen) if each["state"] == "live"] == [
        each for each in made["memories"] if each["state"] == "live"
    ]


def test_an_edit_that_no_version_has_seen_yet_is_taken_in(old: tuple[Path, dict[str, Any]]) -> None:
    home, made = old
    file = home / "agents/default/MEMORY.md"
    text = file.read_text().replace("| blood type | 0 negative |\n", "| blood type | A |\n| shoes | 42 |\n")
    file.write_text(text.replace("**Doctor**: Dra Vidal\n", ""))

    soul = opened(home)
    soul.memory.settle()

    was = {each["id"]: each for each in made["memories"]}
    found = memories_of(soul)
    changed = {each["value"]: each["state"] for each in found if was.get(each["id"]) != each}
    assert changed == {"0 negative": "superseded", "A": "live", "42": "live", "Dra Vidal": "retired"}
