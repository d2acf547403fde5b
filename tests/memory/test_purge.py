"""Forgetting for real: no byte of it is left, also when a purge was interrupted."""

import base64
import contextlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import copytree, rmtree

import pytest

import almario
from almario.domain.memories import Wanted
from almario.domain.talk import Reply, ToolCall
from almario.domain.turns import Turn
from almario.errors import SoulError
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.ports import OpenWrite
from almario.soul import Soul
from almario.store import replacing
from almario.store.folder import FolderStore
from almario.testing import FixedClock, ScriptedLLM
from tests.effort import THOROUGH, every

Reopener = Callable[[], Soul]
CANARIES = [f"canario número {n} «secreto-{n * 7919:06d}» de Ñandú" for n in range(30 if THOROUGH else 10)]


def traces(soul: Soul, words: str) -> list[str]:
    """Return the files that hold the words in any form."""
    forms = [
        words.encode(),
        words.encode("utf-16-le"),
        words.encode("utf-16-be"),
        json.dumps(words)[1:-1].encode(),
        *(base64.b64encode(b" " * shift + words.encode())[4:-4] for shift in range(3)),
        words.split("«")[1].split("»", maxsplit=1)[0].encode() if "«" in words else words.encode(),
    ]
    found = []
    for path in soul.path.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if any(form in content for form in forms):
            found.append(path.relative_to(soul.path).as_posix())
    return found


def furnish(soul: Soul, canaries: Sequence[str] = CANARIES) -> None:
    """Have each canary remembered, changed, said in a session, logged, archived and written in soul files."""
    for n, canary in enumerate(canaries):
        soul.remember(f"tema {n}x", canary, kind="fact")
    soul.remember("casa", CANARIES[0])
    soul.remember("casa", "otra cosa")
    soul.log(f"hoy hablamos de {CANARIES[1]} y de más")
    soul.memory.append("cli:main", [almario.Utterance("user", f"te cuento: {CANARIES[2]}", "owner")])
    (soul.path / "memory" / "archive").mkdir(parents=True, exist_ok=True)
    (soul.path / "memory" / "archive" / "viejo.md").write_text(f"- {CANARIES[3]}\n- queda\n")
    (soul.path / "memory" / "snapshots").mkdir(exist_ok=True)
    (soul.path / "memory" / "snapshots" / "uno.md").write_text(f"> {CANARIES[4]}\n")
    (soul.path / "USER.md").write_text(f"# Ana\n\nDice {CANARIES[5]} siempre.\n")
    soul.settle()
    (soul.path / "USER.md").write_text("# Ana\n\nYa no.\n")
    (soul.path / "MEMORY.conflict-0a1b2c3d.md").write_text(f"- {CANARIES[6]}\n")
    (soul.path / "journal" / "cut").mkdir(exist_ok=True)
    (soul.path / "journal" / "cut" / "000000001-abc").write_text(json.dumps({"value": CANARIES[7]}))
    soul.close()


def plan_purge(soul: Soul, words: str) -> str:
    return soul.memory.list(Wanted(text=words, states=("live", "superseded")))[0].id


def test_no_byte_of_many_canaries_is_left(soul: Soul, reopened: Reopener) -> None:
    furnish(soul)
    assert all(traces(soul, canary) for canary in CANARIES)

    for canary in CANARIES:
        for memory in soul.memory.list(Wanted(text=canary, states=("live", "superseded"))):
            soul.memory.purge(soul.memory.plan_purge(memory.id))
    soul.close()

    assert {canary: found for canary in CANARIES if (found := traces(soul, canary))} == {}
    other = reopened()
    assert other.memory.verify() == []
    assert [memory.value for memory in other.memory.list()] == ["otra cosa"]
    assert (soul.path / "memory" / "archive" / "viejo.md").read_text() == "- queda\n"
    assert "hoy hablamos de [erased] y de más" in soul.days.get().log[0].text


def test_what_was_forgotten_under_a_key_before_goes_with_what_is_in_use(soul: Soul) -> None:
    soul.remember("gusto", CANARIES[0])
    soul.forget("gusto")
    soul.remember("gusto", CANARIES[1])

    plan = soul.memory.plan_purge("gusto")
    soul.memory.purge(plan)

    assert {memory.value for memory in plan.memories} == set(CANARIES[:2])
    assert [traces(soul, canary) for canary in CANARIES[:2]] == [[], []]


def test_files_of_other_programs_are_named_as_out_of_reach(soul: Soul) -> None:
    soul.remember("casa", CANARIES[0])
    (soul.path / ".MEMORY.md.swp").write_bytes(CANARIES[0].encode())

    assert soul.memory.plan_purge("casa").out_of_reach == (".MEMORY.md.swp",)


def test_a_link_out_of_the_folder_is_named_as_out_of_reach(soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (soul.path / "notes").symlink_to(tmp_path / "notes")
    soul.remember("plan: el secreto")

    assert soul.memory.plan_purge("plan").out_of_reach == ("notes",)


def test_a_history_that_was_read_before_tells_no_reason_that_was_erased(soul: Soul) -> None:
    soul.remember("casa", CANARIES[0])
    soul.goals.add(f"visitar {CANARIES[0]}")
    assert CANARIES[0] in str(soul.history("GOALS"))

    soul.memory.purge(soul.memory.plan_purge("casa"))

    assert CANARIES[0] not in str(soul.history("GOALS"))
    assert len(soul.history("GOALS")) == 3


@pytest.mark.parametrize("name", ["journal/000000001.conflict-0a1b2c3d.jsonl", ".versions/SOUL.md/old/1"])
def test_copies_beside_the_journal_and_the_versions_are_cleaned_too(soul: Soul, name: str) -> None:
    soul.remember("casa", CANARIES[0])
    (soul.path / name).parent.mkdir(parents=True, exist_ok=True)
    (soul.path / name).write_bytes((soul.path / "journal" / "000000001.jsonl").read_bytes())

    plan = soul.memory.plan_purge("casa")
    soul.memory.purge(plan)

    assert name in plan.places
    assert traces(soul, CANARIES[0]) == []


def test_a_text_is_known_in_any_case_and_however_its_words_are_parted(soul: Soul) -> None:
    soul.remember("casa", "vive con Klaus\nen la calle del Pez")
    soul.log("Vive con Klaus en la calle del Pez")
    soul.goals.add("Ver por qué vive con klaus en la calle del pez")

    soul.memory.purge(soul.memory.plan_purge("casa"))
    soul.close()

    content = b"".join(path.read_bytes() for path in soul.path.rglob("*") if path.is_file())
    assert b"klaus" not in content.lower()
    assert [goal.text for goal in soul.goals.list()][-1] == "Ver por qué [erased]"


def test_what_was_purged_is_not_learned_again_but_the_owner_may_say_it(soul: Soul) -> None:
    soul.remember("casa", CANARIES[0])
    soul.memory.purge(soul.memory.plan_purge("casa"))

    assert soul.memory.learn("casa", CANARIES[0]).outcome == "refused"
    assert soul.memory.learn("casa", CANARIES[1]).outcome == "new"
    assert soul.remember("casa", CANARIES[0]).outcome in ("new", "superseded")


def test_undo_after_an_erasure_takes_back_nothing_that_is_not_named(soul: Soul) -> None:
    soul.remember("Al likes tea")
    rum = soul.remember("Bo likes rum").memory
    dates = soul.remember("Cy likes dates").memory
    assert rum
    assert dates
    soul.memory.purge(soul.memory.plan_purge(rum.id))

    with pytest.raises(SoulError, match="nothing brings that back"):
        soul.undo()

    assert [memory.value for memory in soul.memory.list()] == ["Al likes tea", "Cy likes dates"]
    soul.undo(dates.seq)
    assert [memory.value for memory in soul.memory.list()] == ["Al likes tea"]


def test_undo_and_restore_never_bring_purged_text_back(soul: Soul) -> None:
    memory = soul.remember("casa", CANARIES[0]).memory
    assert memory is not None
    soul.memory.purge(soul.memory.plan_purge("casa"))

    assert soul.memory.undo(memory.seq).changed == ()
    with pytest.raises(SoulError, match="permanently erased"):
        soul.memory.restore(memory.id)
    soul.close()
    assert traces(soul, CANARIES[0]) == []


def test_a_version_that_is_purged_while_it_is_being_restored_is_not_put_back(
    soul: Soul, reopened: Reopener, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember("casa", CANARIES[0])
    first = soul.read("SOUL").text
    soul.write(soul.read("SOUL"), f"{first}\n{CANARIES[0]}\n")
    soul.write(soul.read("SOUL"), first)
    writing = FolderStore.writing

    def late(vault: FolderStore) -> contextlib.AbstractContextManager[OpenWrite]:
        monkeypatch.undo()
        other = reopened()
        other.memory.purge(other.memory.plan_purge("casa"))
        return writing(vault)

    monkeypatch.setattr(FolderStore, "writing", late)
    with pytest.raises(SoulError, match="no longer kept"):
        soul.restore("SOUL", "2")

    soul.close()
    assert traces(soul, CANARIES[0]) == []


def test_what_has_come_to_say_the_same_since_a_purge_was_planned_goes_too(soul: Soul) -> None:
    soul.remember("casa", CANARIES[0])
    plan = soul.memory.plan_purge("casa")
    soul.memory.learn("otra", CANARIES[0])

    soul.memory.purge(plan)

    assert soul.memory.list() == []
    assert traces(soul, CANARIES[0]) == []


@pytest.mark.parametrize("word", ["memory.changed", "owner", "2026-11-14", "perro"])
def test_a_word_that_is_also_one_of_ours_is_erased_as_text_only(soul: Soul, word: str) -> None:
    soul.remember("perro: se llama Toby")
    soul.remember("vimos un halcón", kind="episode")
    soul.remember("nunca uses tabuladores", kind="instruction")
    soul.memory.append("cli:main", [almario.Utterance("user", "hola", "owner")])
    soul.remember("palabra", word)
    before = [line for line in soul.memory.export()[:-1] if '"palabra"' not in line]

    soul.memory.purge(soul.memory.plan_purge("palabra"))

    assert soul.memory.export()[:-1] == before
    assert soul.memory.verify() == []
    assert soul.remember("color: rojo").outcome == "new"
    assert len(soul.history("SOUL")) == 1


def test_a_file_that_cannot_be_cleaned_now_holds_up_nothing_else(soul: Soul, reopened: Reopener) -> None:
    soul.remember("casa", CANARIES[0])
    soul.close()
    with (soul.path / "MEMORY.md").open("r+"):
        with pytest.raises(SoulError):
            soul.memory.purge(soul.memory.plan_purge("casa"))
        assert soul.remember("gusto: el té").outcome == "new"
        assert [hit.text for hit in soul.recall("té")] == ["el té"]

    other = reopened()
    assert traces(other, CANARIES[0]) == []


def test_an_index_from_before_a_purge_is_thrown_away(soul: Soul, reopened: Reopener, tmp_path: Path) -> None:
    soul.remember("casa", CANARIES[0])
    soul.close()
    copytree(soul.path / ".index", tmp_path / "old")
    soul.memory.purge(soul.memory.plan_purge("casa"))
    rmtree(soul.path / ".index")
    copytree(tmp_path / "old", soul.path / ".index")

    other = reopened()

    assert traces(other, CANARIES[0]) == []
    assert other.memory.verify() == []


def test_nothing_that_expired_takes_its_words_out_of_a_soul_file(soul: Soul, clock: FixedClock) -> None:
    vow = "To tell the truth, always"
    locked = f"{soul.read('SOUL').text}\n<!-- locked -->\n- {vow}\n<!-- /locked -->\n"
    soul.write(soul.read("SOUL"), locked)
    for text in (vow, "Ana came by for tea"):
        soul.memory.admit(Proposed("note", text, kind="fact", source="auto", origin="agent"), actor="agent")
    clock.advance(days=400)

    plan = soul.memory.plan_purge(expired=0)
    soul.memory.purge(plan)

    assert [memory.value for memory in plan.memories] == ["Ana came by for tea"]
    assert soul.read("SOUL").text == locked
    assert [memory.value for memory in soul.memory.plan_purge("note").memories] == [vow]


class Killed(BaseException):
    """What a kill looks like to the code that it stops."""


@pytest.mark.parametrize("step", every(3, range(12)))
def test_a_purge_that_was_killed_is_finished_by_the_next_opening(
    soul: Soul, reopened: Reopener, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    furnish(soul, CANARIES[:10])
    soul.memory.settle()
    real, calls = replacing.replace, iter(range(1000))

    def dying(path: Path, content: bytes, *, expected: str | None) -> None:
        if next(calls) == step:
            raise Killed
        real(path, content, expected=expected)

    wanted = [memory for memory in soul.memory.list() if memory.value in CANARIES[1:9]]
    plan = soul.memory.plan_purge(wanted[0].id)
    plan = plan._replace(memories=tuple(wanted), texts=tuple(memory.value for memory in wanted))
    with monkeypatch.context() as patched, contextlib.suppress(Killed):
        patched.setattr(replacing, "replace", dying)
        soul.memory.purge(plan)
    journal = b"".join(path.read_bytes() for path in (soul.path / "journal").glob("*.jsonl"))
    assert b'"purge.begun"' in journal
    assert b'"purge.done"' not in journal or step > 8

    other = reopened()

    assert {m.value: found for m in wanted if (found := traces(other, m.value))} == {}
    assert other.memory.verify() == []


def test_another_memory_of_the_same_text_goes_too(soul: Soul) -> None:
    first = soul.remember("casa: vive en la calle del Pez")
    other = soul.remember("nota: Vive en la calle  del Pez.", kind="episode")
    assert first.memory is not None
    assert other.memory is not None

    plan = soul.memory.plan_purge(first.memory.id)
    soul.memory.purge(plan)

    assert {memory.id for memory in plan.memories} == {first.memory.id, other.memory.id}
    assert soul.memory.list() == []


def _snapshot(turns: Sequence[Turn]) -> str:
    """Return what earlier versions wrote of a session that was cleared."""
    parts = ["# Snapshot: 2026-11-14 13:30\n\n<!-- session: cli:main -->\n"]
    for turn in turns:
        quoted = "".join(f"> {line}\n" for line in turn.text.splitlines())
        parts.append(f"\n**{turn.role}** #{turn.n}, 2026-11-14 13:30:\n\n{quoted}")
    return "".join(parts)


def test_what_was_learned_goes_with_all_that_was_told_of_its_turns(home: Path, clock: FixedClock) -> None:
    """The words of a turn are not the fact's: they are in a snapshot, a summary and a failure as well."""
    secret = "Xanadu de los Mares"
    fact = {"key": "barco", "value": f"El velero se llama {secret}", "kind": "fact", "turns": [1]}
    nothing = {"facts": [], "episodes": [], "instructions": [], "summary": ""}
    taught = json.dumps(nothing | {"facts": [fact], "summary": f"Ana habló de su {secret}."})
    broken = Reply(f'{{"facts": [{{"value": "El velero se {secret}', stop="length")
    llm = ScriptedLLM("Qué bien.", broken, broken, taught)
    almario.create(home, clock=clock)
    soul = almario.open(home, clock=clock, llm=llm, settings={"flush.threshold": 99})
    said = soul.talk(f"Compré un velero,\ny se llama {secret}.")
    assert soul.flush()[-1].outcome == "queued"
    (soul.path / "memory/snapshots").mkdir(parents=True)
    (soul.path / "memory/snapshots/2026-11-14-el-velero.md").write_text(_snapshot(said.turns))
    soul.end_session(clear=True)
    assert {name.split("/")[0] for name in traces(soul, secret)} >= {"journal", "memory", "sessions"}

    plan = soul.memory.plan_purge("barco")
    soul.memory.purge(plan)
    soul.close()

    assert "memory/snapshots/2026-11-14-el-velero.md" in plan.places
    assert traces(soul, secret) == []
    left = {path.name: path.read_text() for path in (soul.path / "memory/snapshots").iterdir()}
    assert left.keys() == {"2026-11-14-erased.md", "2026-11-14-erased-2.md"}
    assert all("Qué bien." in text for text in left.values())
    assert almario.open(home, clock=clock).memory.verify() == []


def test_what_is_kept_with_a_turn_is_cleaned_in_whatever_field_it_stands(soul: Soul) -> None:
    fields = {"role": CANARIES[0], "at": [CANARIES[0], f"es {CANARIES[0]}, sí"]}
    more = {"calls": [{"id": "1", "name": "update_identity", "arguments": {"fields": fields}}]}
    soul.memory.append("cli:main", [almario.Utterance("assistant", "Voy.", "agent", more=more)])
    soul.remember("casa", CANARIES[0])

    soul.memory.purge(soul.memory.plan_purge("casa"))

    assert traces(soul, CANARIES[0]) == []
    [turn] = soul.sessions.turns("cli:main")
    assert (turn.role, turn.more["calls"][0]["name"]) == ("assistant", "update_identity")


def test_a_key_goes_from_what_tools_were_told_and_answered(home: Path, clock: FixedClock) -> None:
    asked = almario.create(home, clock=clock).improve("remember that lío con Klaus: el verano pasado en Roma")
    assert asked.proposals[0].changes[0]["set"]["key"] == "lío con Klaus"
    save = ToolCall("1", "save_memory", {"key": "lío con Klaus", "fact": "El verano pasado en Roma"})
    look = ToolCall("2", "memory_search", {"query": "verano Roma"})
    llm = ScriptedLLM(Reply("", calls=(save,)), Reply("", calls=(look,)), "Anotado.")
    soul = almario.open(home, clock=clock, llm=llm)
    soul.talk("Lo de Klaus fue el verano pasado en Roma.")

    soul.memory.purge(soul.memory.plan_purge("lío con Klaus"))
    soul.close()

    assert [path for path in soul.path.rglob("*") if path.is_file() and b"Klaus" in path.read_bytes()] == []
    assert soul.memory.verify() == []


def test_an_erased_summary_is_told_to_no_model(soul: Soul) -> None:
    utterances = [almario.Utterance("user", f"vivo en la calle del Pez {n}", "owner") for n in range(30)]
    turns = soul.memory.append("cli:main", utterances)
    facts = [
        Proposed("casa", "Vive en la calle del Pez", "fact", "auto", "owner", (turns[0].id,)),
        Proposed("", "Habló de la calle.", "summary", "auto", "owner", (turns[0].id,)),
    ]
    soul.memory.take_lesson(Lesson("cli:main", 0, 2, tuple(facts), "Habló de la calle."))
    soul.memory.take_lesson(Lesson("cli:main", 2, 4, (), "Habló del tiempo."))
    assert soul.sessions.window("cli:main").summary == "Habló de la calle.\nHabló del tiempo."

    soul.memory.purge(soul.memory.plan_purge("casa"))

    assert soul.sessions.window("cli:main").summary == "Habló del tiempo."
    assert soul.memory.verify() == []
