"""The ledger: what is remembered, renewed, replaced, forgotten, and can be accounted for."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

import almario
from almario.domain.memories import Wanted
from almario.domain.model import Query
from almario.errors import SoulError
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.memory.telling import Listener
from almario.soul import Soul
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light


def live(soul: Soul) -> list[str]:
    return [memory.text for memory in soul.memory.list()]


@pytest.mark.parametrize(
    "text",
    [
        "see https://example.org/a: it is long",
        "el tren sale a las 10: hay que madrugar",
        "this is a key of too many words: and a text",
        "plain words",
        "ratio 3:4",
        ": nothing before it",
    ],
)
def test_a_text_without_a_key_has_none(soul: Soul, text: str) -> None:
    memory = soul.remember(text).memory

    assert memory is not None
    assert (memory.key, memory.value) == ("", text)


def test_the_same_words_under_another_key_are_another_fact(soul: Soul) -> None:
    soul.remember("mother: lives in Seville near the river")

    assert soul.remember("father: lives in Seville near the river").outcome == "new"
    assert len(live(soul)) == 2


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("cumpleaños: Nora cumple el 3 de mayo", "cumpleaños: Leo cumple el 8 de mayo"),
        ("phone: Ana's number ends in 4471", "phone: Luis's number ends in 9020"),
        ("trabajo: diseña puentes", "trabajo: enseña física"),
        ("casa: Lugo", "casa: Vigo"),
        ("hermana: se llama Ana", "hermana: se llama Eva"),
        ("libro: leyó el tomo 1 de la saga", "libro: leyó el tomo 2 de la saga"),
        ("deporte: corrió 10 km el domingo", "deporte: corrió 12 km el domingo"),
    ],
)
def test_two_values_under_one_key_both_stand_unless_somebody_says_otherwise(
    soul: Soul, clock: FixedClock, known: str, new: str
) -> None:
    soul.remember(known)
    clock.advance(days=3)

    assert soul.remember(new).outcome == "new"
    assert live(soul) == [known, new]


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("renta: paga 14.500 pesos de renta", "renta: paga 15.800 pesos de renta"),
        ("weight: weighs 71 kg now", "weight: weighs 68 kg now"),
        ("medication: takes 10 mg of statin", "medication: takes 20 mg of statin"),
    ],
)
def test_the_same_sentence_with_another_amount_stands_beside_it_and_the_older_is_marked(
    soul: Soul, clock: FixedClock, known: str, new: str
) -> None:
    soul.remember(known)
    clock.advance(days=3)

    assert soul.remember(new).outcome == "new"
    assert [(f"{hit.key}: {hit.text}", hit.state) for hit in soul.recall(known.partition(":")[0])] == [
        (new, ""),
        (known, "earlier"),
    ]


def test_keys_that_mean_the_same_are_one(soul: Soul) -> None:
    soul.remember("trabajo: diseña puentes")

    assert soul.remember("job: diseña puentes").outcome == "renewed"
    assert [memory.text for memory in soul.memory.list(Wanted(keys=("empleo",)))] == [
        "trabajo: diseña puentes"
    ]


@each_row("again", ["I’m allergic to nuts!", "i'm allergic to nuts", "I'M ALLERGIC  TO NUTS."])
def test_the_same_words_however_they_are_typed_are_one_memory(soul: Soul, again: str) -> None:
    soul.remember("I'm allergic to nuts")

    assert soul.remember(again).outcome == "renewed"


def test_a_guess_never_replaces_what_the_owner_said_and_gives_way_to_it(soul: Soul) -> None:
    said = soul.remember("peso: pesa 70 kilos ahora").memory
    assert said is not None
    guess = Proposed("peso", "pesa 71 kilos ahora", "fact", "auto", "agent", act="replaces", of=said.id)
    assert soul.memory.admit(guess, actor="agent").outcome == "new"
    assert soul.memory.get(said.id).is_live

    receipt = soul.remember("peso: pesa 71 kilos ahora")

    assert receipt.outcome == "superseded"
    assert {(memory.value, memory.origin) for memory in soul.memory.list()} == {
        ("pesa 70 kilos ahora", "owner"),
        ("pesa 71 kilos ahora", "owner"),
    }


def test_what_was_found_becomes_explicit_when_the_owner_says_it_and_never_goes_back(soul: Soul) -> None:
    found = soul.memory.learn("gusto", "el té", evidence=("cli:main#1",)).memory
    receipt = soul.remember("gusto: el té").memory
    again = soul.memory.learn("gusto", "el té", evidence=("cli:main#2",)).memory

    assert found is not None
    assert receipt is not None
    assert again is not None
    assert (found.source, found.kind) == ("auto", "fact")
    assert (receipt.id, receipt.source, receipt.kind) == (found.id, "explicit", "profile")
    assert (again.source, again.kind) == ("explicit", "profile")
    assert again.evidence == ("cli:main#1", "cli:main#2")


def test_a_clock_that_jumps_ahead_erases_nothing(soul: Soul, clock: FixedClock) -> None:
    for fact in ("a1: uno", "b1: dos"):
        soul.remember(fact, kind="fact")
    clock.advance(days=400)
    soul.memory.settle()
    soul.remember("c1: tres")
    soul.close()
    clock.advance(days=-400)

    assert live(soul) == ["a1: uno", "b1: dos", "c1: tres"]


def test_the_profile_never_expires(soul: Soul, clock: FixedClock) -> None:
    soul.remember("nombre: Ana")
    clock.advance(days=10_000)

    assert live(soul) == ["nombre: Ana"]


def test_undo_passes_over_what_only_stayed_fresh(soul: Soul, clock: FixedClock) -> None:
    first = soul.remember("gusto: el té").memory
    assert first is not None
    soul.memory.change(first.id, "el café")
    [second] = soul.memory.list()
    clock.advance(days=1)
    soul.memory.take_lesson(Lesson("cli:main", 0, 1, renewed=(second.id,)))
    assert soul.memory.get(second.id).renewed == clock.now

    soul.undo()

    assert live(soul) == ["gusto: el té"]
    assert [memory.id for memory in soul.memory.list()] == [first.id]


def test_undo_leaves_what_has_changed_since_and_says_so(soul: Soul) -> None:
    first = soul.remember("gusto: el té").memory
    assert first is not None
    soul.forget("gusto")

    undone = soul.memory.undo(first.seq)

    assert undone.changed == ()
    assert [memory.id for memory in undone.left] == [first.id]


def test_what_was_true_and_what_was_believed_are_two_questions(soul: Soul, clock: FixedClock) -> None:
    start = clock.now
    old = soul.remember("casa: Lugo").memory
    assert old is not None
    clock.advance(days=10)
    soul.remember("casa: Vigo", replaces=old.id)
    clock.advance(days=10)
    soul.forget("casa")

    def texts(days: int, *, believed: bool) -> list[str]:
        then = start + timedelta(days=days)
        return [memory.value for memory in soul.memory.list(as_of=then, believed=believed)]

    assert texts(5, believed=False) == ["Lugo"]
    assert texts(15, believed=False) == []  # nobody stands by it any more
    assert texts(5, believed=True) == ["Lugo"]
    assert texts(15, believed=True) == ["Vigo"]
    assert texts(25, believed=True) == []
    assert texts(-1, believed=True) == []


def test_an_import_brings_episodes_with_their_lines_and_no_secrets(
    soul: Soul, home: Path, clock: FixedClock
) -> None:
    soul.remember("fuimos al faro", kind="episode")
    lines = soul.memory.export()
    secret = json.dumps(
        {"id": "f00df00df00d", "key": "router", "value": "password=hunter2Xy99 en casa y algo más que decir"}
    )
    other = almario.create(home, "other", clock=clock)

    other.memory.import_lines([*lines, secret])

    assert [entry.text for entry in other.days.get().log] == ["fuimos al faro"]
    assert other.memory.verify() == []
    assert "hunter2Xy99" not in "".join(other.memory.export())


def test_a_key_that_looks_like_an_id_is_a_key(soul: Soul) -> None:
    soul.memory.import_lines([json.dumps({"id": "cafe12345678", "key": "color", "value": "verde"})])
    soul.remember("cafe: solo sin azúcar")

    assert [memory.key for memory in soul.forget("cafe")] == ["cafe"]
    assert [memory.key for memory in soul.forget("cafe1234")] == ["color"]


def test_ids_that_begin_alike_are_told_apart(soul: Soul) -> None:
    facts = [
        {"id": name, "key": "k", "value": f"Planted in row {name[-1]}"}
        for name in ("aaaaaaaaaaa1", "aaaaaaaaaaa2")
    ]
    soul.memory.import_lines(json.dumps(fact) for fact in facts)

    assert soul.memory.get("aaaaaaaaaaa1").value == "Planted in row 1"
    assert len(soul.memory.undo().changed) == 2


@pytest.mark.folder
def test_a_log_that_is_away_for_a_moment_retires_nothing(soul: Soul) -> None:
    soul.remember("arreglé la cadena de la bici", kind="episode")
    soul.memory.settle()
    log = soul.path / "memory" / "2026-11-14.md"
    text = log.read_text()
    log.unlink()
    assert len(soul.memory.list()) == 1
    log.write_text(text)

    assert len(soul.memory.list()) == 1
    assert len(soul.recall("cadena de la bici")) == 1


@pytest.mark.folder
def test_a_fact_that_becomes_an_instruction_leaves_memory_md(soul: Soul) -> None:
    soul.remember("trato: tutéame siempre")
    soul.close()
    soul.remember("trato: tutéame siempre", kind="instruction")
    soul.close()

    assert "tutéame" not in (soul.path / "MEMORY.md").read_text()
    soul.forget("trato")
    assert live(soul) == []


@pytest.mark.folder
def test_a_summary_is_a_line_of_the_history(soul: Soul) -> None:
    soul.remember("hablamos de faros\ny de puentes", kind="summary")

    assert (soul.path / "memory" / "HISTORY.md").read_text() == (
        "# History\n\n- [2026-11-14] hablamos de faros\n  y de puentes\n"
    )
    [hit] = soul.recall("faros")
    assert (hit.kind, hit.place) == ("summary", "memory/HISTORY.md#3")
    assert soul.memory.verify() == []
    soul.forget(soul.memory.list()[0].id)
    assert soul.recall("faros") == []


def test_what_happens_twice_is_told_twice(soul: Soul) -> None:
    for _ in range(2):
        assert soul.remember("fuimos al faro", kind="episode").outcome == "new"

    assert [entry.text for entry in soul.days.get().log] == ["fuimos al faro"] * 2
    soul.forget(soul.memory.list()[0].id)
    assert [entry.text for entry in soul.days.get().log] == ["fuimos al faro"]


def test_an_episode_that_comes_back_has_its_line_back(soul: Soul) -> None:
    memory = soul.remember("fuimos al faro", kind="episode").memory
    assert memory is not None
    for bring_back in (soul.memory.undo, lambda: soul.memory.restore(memory.id)):
        soul.forget(memory.id)
        assert soul.days.get().log == ()
        bring_back()
        assert [entry.text for entry in soul.days.get().log] == ["fuimos al faro"]
        assert soul.memory.verify() == []
    soul.memory.undo(memory.seq)
    with pytest.raises(SoulError, match="is already in use"):
        soul.memory.restore(memory.id)


def test_an_episode_that_has_expired_is_not_out_of_mind(soul: Soul, clock: FixedClock) -> None:
    soul.remember("fuimos al faro", kind="episode")
    clock.advance(days=366)

    [hit] = soul.recall("faro")
    assert (hit.text, hit.state) == ("fuimos al faro", "expired")
    [told] = soul.memory.recall(Query("¿cuándo fuimos al faro?"), Listener(has_asked=False))
    assert told.last == date(2026, 11, 14)


def test_forgetting_a_fact_by_its_id_takes_out_the_episode_that_tells_it(soul: Soul) -> None:
    note = Proposed("casa", "Vive con Klaus en Lugo", "fact", "auto", "agent")
    fact = soul.memory.admit(note, actor="agent").memory
    soul.memory.admit(note._replace(kind="episode"), actor="agent")
    soul.memory.admit(Proposed("viaje", "Klaus viaja mucho", "episode", "auto", "agent"), actor="agent")
    assert fact

    gone = soul.forget(fact.id)

    assert [memory.kind for memory in gone] == ["fact", "episode"]
    assert "en Lugo" not in soul.prompt("¿Con quién vivo?").text
    assert [entry.text for entry in soul.days.get().log] == ["Klaus viaja mucho"]
    soul.memory.undo()
    assert len(soul.days.get().log) == 2


def test_an_instruction_is_still_known_by_its_older_name(soul: Soul) -> None:
    receipt = soul.memory.learn("manner", "No exclamation marks", kind="correction")

    assert receipt.memory
    assert receipt.memory.kind == "instruction"
