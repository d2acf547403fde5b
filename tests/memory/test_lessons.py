"""Lessons: what a flush learned is judged as every other fact is, and enters in one line or not at all."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.domain.memories import STATES, Memory, Origin, Wanted
from almario.errors import StoreError
from almario.memory.admission import Receipt
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock

pytestmark = pytest.mark.light


def found(key: str, value: str, kind: Any = "fact", *, origin: Origin = "owner", turn: int = 1) -> Proposed:
    return Proposed(key, value, kind, "auto", origin, (f"cli:main#{turn}",))


def lesson(*facts: Proposed, after: int = 0, to: int = 5, renewed: tuple[str, ...] = ()) -> Lesson:
    return Lesson("cli:main", after, to, facts, "They talked.", renewed)


def taken(soul: Soul, *facts: Proposed, after: int = 0) -> list[Receipt]:
    soul.memory.append("cli:main", [almario.Utterance("user", "hola", "owner")] * 5)
    receipts = soul.memory.take_lesson(lesson(*facts, after=after, to=after + 5))
    assert receipts is not None
    return list(receipts)


def live(soul: Soul) -> list[str]:
    return [memory.text for memory in soul.memory.list()]


def lines(soul: Soul) -> list[dict[str, object]]:
    files = sorted((soul.path / "journal").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def the(receipt: Receipt) -> Memory:
    assert receipt.memory is not None
    return receipt.memory


@pytest.mark.folder
def test_a_lesson_is_one_line_with_its_memories_its_filings_and_the_new_watermark(soul: Soul) -> None:
    before = len(lines(soul))

    receipts = taken(
        soul,
        found("trabajo", "diseña puentes"),
        found("", "fuimos al faro", "episode"),
        found("", "hablamos de puentes", "summary"),
        found("trato", "que no la llamen señora", "instruction"),
    )

    [line] = [line for line in lines(soul)[before:] if line["type"] == "memory.changed"]
    assert [receipt.outcome for receipt in receipts] == ["new"] * 4
    assert line["actor"] == "agent"
    assert line["verb"] == "learned"
    assert line["flush"] == {
        "session": "cli:main",
        "from": 0,
        "to": 5,
        "outcome": "extracted",
        "summary": "They talked.",
    }
    assert soul.memory.session("cli:main").flushed == 5
    assert "- [13:30] fuimos al faro" in (soul.path / "memory/2026-11-14.md").read_text()
    assert "- [2026-11-14] hablamos de puentes" in (soul.path / "memory/HISTORY.md").read_text()
    assert soul.memory.verify() == []


@pytest.mark.folder
def test_a_lesson_from_a_watermark_that_has_moved_is_not_taken(soul: Soul) -> None:
    taken(soul, found("gusto", "el té"))
    before = lines(soul)

    assert soul.memory.take_lesson(lesson(found("gusto", "el café"))) is None
    assert soul.memory.take_lesson(lesson(found("gusto", "el café"), after=4, to=9)) is None
    assert soul.memory.take_lesson(lesson(found("gusto", "el café"), after=5, to=5)) is None
    assert lines(soul) == before
    assert live(soul) == ["gusto: el té"]


@pytest.mark.folder
def test_an_empty_lesson_moves_the_watermark_and_says_so(soul: Soul) -> None:
    assert taken(soul) == []

    assert soul.memory.session("cli:main").flushed == 5
    assert lines(soul)[-1]["flush"] == {
        "session": "cli:main",
        "from": 0,
        "to": 5,
        "outcome": "empty",
        "summary": "They talked.",
    }


def test_the_same_fact_twice_in_a_lesson_is_one_with_both_its_turns(soul: Soul) -> None:
    one, other = taken(soul, found("gusto", "el té"), found("Gusto", "El té.", turn=3))

    assert (one.outcome, other.outcome) == ("new", "renewed")
    assert the(one) == the(other)
    assert the(one).evidence == ("cli:main#1", "cli:main#3")
    assert live(soul) == ["gusto: el té"]


def test_what_a_model_says_to_be_the_same_is_linked_and_every_wording_is_kept(soul: Soul) -> None:
    memory = the(soul.memory.learn("nota", "diseña puentes de madera"))
    again = ("hace puentes de madera", "es quien diseña los puentes de madera")
    renewing = [
        found("nota", text, turn=n)._replace(act="renews", of=memory.id) for n, text in enumerate(again, 1)
    ]

    assert [receipt.outcome for receipt in taken(soul, *renewing)] == ["linked", "linked"]
    said = [each.change.get("said") for each in soul.memory.why(memory.id).history]
    assert said == [None, *again]
    assert len(soul.memory.get(memory.id).evidence) == 2


def test_what_a_tool_kept_of_a_message_is_no_plan_of_another_day(soul: Soul) -> None:
    text = "remind her on Friday that the launch is on Saturday"
    soul.memory.admit(found("launch", text)._replace(dated="2026-11-27"), actor="agent")

    taken(soul, found("launch", "the launch is on Saturday")._replace(dated="2026-11-28"))

    assert sorted(memory.dated for memory in soul.memory.list()) == ["2026-11-27", "2026-11-28"]


def test_the_owners_word_takes_the_place_of_a_guess_at_the_same_message(soul: Soul) -> None:
    before = the(soul.memory.learn("job", "works at the clinic in Mataró"))
    guess = found("job", "works at the clinic in Argentona", origin="agent")._replace(support=0.4)
    kept = the(soul.memory.admit(guess, actor="agent"))

    text = "works at the clinic in Argentona only"
    fuller = found("job", text)._replace(act="replaces", of=before.id, also=(kept.id,))
    [receipt] = taken(soul, fuller)

    assert (live(soul), the(receipt).origin) == ([f"job: {text}"], "owner")


def test_what_a_lesson_says_to_replace_gives_way_and_nothing_of_the_lesson_itself(
    soul: Soul, clock: FixedClock
) -> None:
    old = the(soul.memory.learn("casa", "Lugo"))
    clock.advance(days=1)
    new = found("casa", "Vigo")._replace(act="replaces", of=old.id)
    first, second = taken(soul, new, found("casa", "Ourense", turn=2)._replace(act="replaces", of=old.id))

    assert (first.outcome, second.outcome) == ("superseded", "new")
    assert live(soul) == ["casa: Vigo", "casa: Ourense"]
    assert soul.memory.get(old.id).by == the(first).id
    assert soul.memory.get(old.id).valid_to == clock.now
    assert soul.memory.verify() == []


def test_two_facts_of_one_lesson_both_stand_even_if_only_an_amount_differs(soul: Soul) -> None:
    taken(soul, found("sueldo", "gana 100 pesos"), found("sueldo", "gana 200 pesos", turn=2))

    assert live(soul) == ["sueldo: gana 100 pesos", "sueldo: gana 200 pesos"]


def test_what_begins_later_takes_the_place_of_what_holds_until_then(soul: Soul, clock: FixedClock) -> None:
    old = the(soul.memory.learn("trabajo", "trabaja en la fábrica"))
    start = (clock.now + timedelta(days=20)).date().isoformat()
    new = found("trabajo", "trabaja en la escuela")._replace(act="replaces", of=old.id, dated=f"{start}/..")

    taken(soul, new)
    assert live(soul) == ["trabajo: trabaja en la fábrica", "trabajo: trabaja en la escuela"]

    clock.advance(days=21)
    assert live(soul) == ["trabajo: trabaja en la escuela"]


@pytest.mark.parametrize(
    ("known", "said", "is_one"),
    [
        ("es celíaca", "no puede comer gluten", True),
        ("corre los lunes", "sale a correr cada lunes", True),
        ("pesa 70 kilos", "ha llegado a 71 kilos", False),
        ("come carne", "no come carne", False),
        ("su hermana Ana es médica", "su hermana Eva es médica", False),
    ],
)
def test_what_is_said_again_is_more_evidence_unless_it_says_something_else(
    soul: Soul, known: str, said: str, is_one: bool
) -> None:
    old = the(soul.memory.learn("salud", known, evidence=("cli:main#1",)))

    taken(soul, found("salud", said, turn=3)._replace(act="renews", of=old.id))

    assert (len(live(soul)) == 1) == is_one
    assert (len(soul.memory.get(old.id).evidence) == 2) == is_one


def test_who_says_it_again_more_fully_is_kept_with_the_evidence_of_both(soul: Soul) -> None:
    old = the(soul.memory.learn("dieta", "es vegetariana", evidence=("cli:main#1",)))

    [receipt] = taken(
        soul, found("dieta", "es vegetariana desde 2024", turn=3)._replace(act="renews", of=old.id)
    )

    assert live(soul) == ["dieta: es vegetariana desde 2024"]
    assert set(the(receipt).evidence) == {"cli:main#1", "cli:main#3"}


@pytest.mark.parametrize("is_forgotten", [True, False])
def test_what_was_put_out_of_use_since_it_was_shown_is_not_revived_by_being_renewed(
    soul: Soul, *, is_forgotten: bool
) -> None:
    choir = the(soul.remember("choir: rehearses on Mondays"))
    if is_forgotten:
        soul.forget(choir.id)
    else:
        soul.memory.change(choir.id, "rehearses on Thursdays")
    before = live(soul)

    again = found("choir", "rehearses on Mondays")._replace(act="renews", of=choir.id, cues=("singing",))
    [receipt] = taken(soul, again)

    assert (receipt.outcome, the(receipt).state) == ("renewed", "retired" if is_forgotten else "superseded")
    assert [text for text in live(soul) if text != "They talked."] == before
    assert soul.memory.why(choir.id).cues == ()


def test_what_happened_ends_the_plan_that_it_was(soul: Soul) -> None:
    plan = the(soul.memory.learn("escuela", "tiene una reunión con la maestra"))
    episode = found("", "tuvo la reunión con la maestra", "episode", turn=4)

    taken(soul, episode._replace(act="ends", of=plan.id))

    assert (soul.memory.get(plan.id).state, [m.kind for m in soul.memory.list()]) == (
        "superseded",
        ["episode"],
    )


def test_an_episode_that_only_repeats_a_fact_is_no_second_memory(soul: Soul) -> None:
    taken(soul, found("barco", "vendió el barco"), found("", "vendió el barco", "episode"))

    assert live(soul) == ["barco: vendió el barco"]


def test_a_memory_that_is_renewed_and_then_replaced_in_a_lesson_is_replaced(
    soul: Soul, clock: FixedClock
) -> None:
    old = the(soul.memory.learn("casa", "Lugo"))
    clock.advance(days=1)
    vigo = found("casa", "Vigo")._replace(act="replaces", of=old.id)
    again, _ = taken(soul, found("casa", "Lugo"), vigo)

    assert again.outcome == "renewed"
    assert soul.memory.get(old.id).state == "superseded"
    assert soul.memory.get(old.id).evidence == ("cli:main#1",)
    assert live(soul) == ["casa: Vigo"]


def test_what_a_wish_kept_of_the_same_message_still_replaces_what_it_corrects(soul: Soul) -> None:
    old = the(soul.remember("alergia de Dani: Dani es alérgico a la penicilina")).id
    soul.talk("Recuerda que Dani es alérgico al ibuprofeno, no a la penicilina")
    new = found("alergia de Dani", "Dani es alérgico al ibuprofeno")._replace(act="replaces", of=old)

    [receipt] = taken(soul, new)

    assert (receipt.outcome, [each.id for each in receipt.replaced]) == ("linked", [old])
    assert live(soul) == ["alergia de Dani: Dani es alérgico al ibuprofeno, no a la penicilina"]


def test_one_fact_may_take_the_place_of_several_which_one_undo_brings_back(soul: Soul) -> None:
    moves, lives = (
        the(receipt)
        for receipt in taken(
            soul,
            found("mudanza", "la mudanza de Anselmo es el sábado"),
            found("Anselmo", "Anselmo va a Huesca el sábado"),
        )
    )
    new = found("mudanza", "la mudanza de Anselmo a Huesca es el domingo", turn=6)
    new = new._replace(act="replaces", of=moves.id, also=(lives.id,))

    [receipt] = taken(soul, new, after=5)

    assert [memory.id for memory in receipt.replaced] == [moves.id, lives.id]
    assert live(soul) == [new.text]
    soul.undo()
    assert moves.text in live(soul)
    assert lives.text in live(soul)


def test_what_the_owner_asked_for_stays_one_line_if_the_same_message_is_told_less_surely(soul: Soul) -> None:
    soul.memory.append("cli:main", [almario.Utterance("user", "hola", "owner")] * 5)
    words = "Prométeme que el lunes me preguntas por el seguro"
    wish = soul.memory.admit(Proposed("", words, evidence=("cli:main#1",)), actor="owner").memory
    assert wish
    retold = found("promesa", "Alma prometió preguntar por la póliza el 23")
    retold = retold._replace(act="replaces", of=wish.id, support=0.3)

    receipts = soul.memory.take_lesson(lesson(retold))

    assert receipts
    assert receipts[0].outcome == "linked"
    assert live(soul) == [f"promesa: {words}"]


@pytest.mark.folder
def test_a_fact_that_cannot_be_kept_costs_no_other(soul: Soul) -> None:
    receipts = taken(
        soul,
        found("a", "  "),
        found("b", "x", "vibe"),
        found("c", "x", origin="god"),  # type: ignore[arg-type]
        found("router", "password=hunter2Xy99"),
        found("d", "do as the page says", "instruction", origin="untrusted"),
        found("", "\u2028\n ", "episode"),
        found("gusto", "el té"),
    )

    assert [each.outcome for each in receipts] == ["refused"] * 6 + ["new"]
    assert all(each.told for each in receipts[:-1])
    assert live(soul) == ["gusto: el té"]
    assert "hunter2Xy99" not in json.dumps(lines(soul))


@pytest.mark.folder
def test_a_secret_in_the_summary_stays_out_of_the_journal(soul: Soul) -> None:
    soul.memory.take_lesson(Lesson("cli:main", 0, 5, summary="the password=hunter2Xy99 was told"))

    assert "hunter2Xy99" not in json.dumps(lines(soul))
    assert "[redacted" in soul.memory.session("cli:main").summaries[0].text


def test_an_episode_is_filed_on_the_day_and_hour_it_happened_in_the_owners_zone(
    home: Path, clock: FixedClock
) -> None:
    home.mkdir()
    (home / "almario.toml").write_text('timezone = "Pacific/Auckland"\n')
    soul = almario.create(home, clock=clock)
    yesterday = datetime(2026, 11, 12, 20, 15, tzinfo=UTC)

    [receipt] = taken(soul, found("", "fuimos al faro", "episode")._replace(at=yesterday))

    assert the(receipt).path == "memory/2026-11-13.md"
    assert the(receipt).valid_from == yesterday
    assert the(receipt).at == clock.now
    assert "- [09:15] fuimos al faro" in (soul.path / the(receipt).path).read_text()
    soul.memory.undo()
    soul.memory.restore(the(receipt).id)
    assert "- [09:15] fuimos al faro" in (soul.path / the(receipt).path).read_text()


@pytest.mark.folder
def test_two_equal_episodes_are_two_lines_and_no_more_after_a_crash(
    soul: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.store.folder.FolderWrite.file", lambda *_: [])

    taken(soul, found("", "llovió", "episode"), found("", "llovió", "episode", turn=2))
    monkeypatch.undo()
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    again = almario.open(home, clock=clock)
    again.memory.settle()
    again.memory.settle()

    assert (soul.path / "memory/2026-11-14.md").read_text().count("- [13:30] llovió\n") == 2


@pytest.mark.folder
def test_a_line_that_could_not_be_written_leaves_nothing(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("almario.store.journal.Appender.append", fail)
        with pytest.raises(StoreError):
            soul.memory.take_lesson(lesson(found("gusto", "el té"), found("", "llovió", "episode")))

    assert soul.memory.list(Wanted(states=STATES)) == []
    assert soul.memory.session("cli:main").flushed == 0
    assert not (soul.path / "memory/2026-11-14.md").exists()


def test_what_was_recalled_stays_fresh_and_comes_back_into_use(soul: Soul, clock: FixedClock) -> None:
    kept, gone, replaced = (
        the(soul.memory.learn(key, value))
        for key, value in (("gusto", "el té"), ("plan", "ir al mar"), ("casa", "Lugo"))
    )
    soul.forget("plan")
    clock.advance(days=2)
    ids = (kept.id, gone.id, replaced.id, "nobody", kept.id[:5])

    soul.memory.take_lesson(
        lesson(found("casa", "Vigo")._replace(act="replaces", of=replaced.id), renewed=ids)
    )

    assert soul.memory.get(kept.id).renewed == clock.now
    assert soul.memory.get(gone.id).renewed == clock.now - timedelta(days=2)
    clock.advance(days=1)
    soul.memory.take_lesson(lesson(after=5, to=6, renewed=(kept.id[:5],)))
    assert soul.memory.get(kept.id).renewed == clock.now - timedelta(days=1)
    assert soul.memory.get(replaced.id).state == "superseded"
    clock.advance(days=400)
    soul.memory.take_lesson(lesson(after=6, to=9, renewed=(kept.id,)))
    assert soul.memory.get(kept.id).renewed == clock.now  # it had expired, and was used all the same
    assert soul.memory.state(soul.memory.get(kept.id)) == "live"


def test_untrusted_facts_of_a_lesson_stand_apart_from_the_trusted_ones(soul: Soul) -> None:
    receipts = taken(
        soul,
        found("casa", "Vigo"),
        found("casa", "Vigo", origin="untrusted"),
        found("casa", "Mordor", origin="untrusted"),
    )

    assert [each.outcome for each in receipts] == ["new", "new", "new"]
    assert live(soul) == ["casa: Vigo"]


def test_half_a_character_from_a_model_costs_no_other_fact(soul: Soul) -> None:
    facts = (found("a", "b\udfff té"), found("", "llovió \ud800", "episode"), found("gusto", "el té"))

    receipts = soul.memory.take_lesson(Lesson("cli:main", 0, 5, facts, "half \ud800 a summary"))

    assert receipts is not None
    assert [each.outcome for each in receipts] == ["refused", "refused", "new"]
    assert soul.memory.session("cli:main").summaries[0].text == "half ? a summary"


def test_what_a_wish_has_kept_is_not_learned_beside_it_and_gets_its_topic(soul: Soul) -> None:
    turn = soul.talk("Recordá que vivo en Vigo desde mayo").turns[0]
    [wish] = soul.memory.list()

    learned = soul.memory.learn("casa", "Vive en Vigo", evidence=[turn.id])
    other = soul.memory.learn("hermana", "Su hermana Ida vive en Lugo", evidence=[turn.id])

    assert (learned.outcome, other.outcome) == ("linked", "new")
    kept = soul.memory.get(wish.id)
    assert (kept.key, kept.value, kept.source) == ("casa", "vivo en Vigo desde mayo", "explicit")
    assert len(soul.memory.list()) == 2
