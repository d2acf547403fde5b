"""Consolidation: duplicates become one, what is contradicted gives way, and nothing else goes."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.domain.memories import Memory
from almario.domain.talk import Ask
from almario.memory.rules.admission import Proposed
from almario.memory.rules.consolidation import FEW, LOSS, Settled, alike, changes_of, within_budget
from almario.memory.rules.sameness import swallows
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests import bad_replies
from tests.tables import each_row

pytestmark = pytest.mark.light

Reopener = Callable[[], Soul]
NOW = datetime(2026, 11, 14, 12, tzinfo=UTC)
# Facts that have nothing to do with each other: with these, one of two others may be lost in a day.
APART = [
    "mascota: un canario amarillo",
    "deporte: nada los jueves",
    "comida: prefiere lentejas",
    "idioma: estudia portugués",
]


def learn(soul: Soul, text: str, **more: object) -> Memory:
    key, _, value = text.partition(": ")
    memory = soul.memory.learn(key, value, **more).memory  # type: ignore[arg-type]
    assert memory is not None
    return memory


def fill(soul: Soul) -> None:
    for text in APART:
        learn(soul, text)


def live(soul: Soul) -> list[str]:
    return [memory.text for memory in soul.memory.list()]


def judging(verdict: str, keep: str | int = 0, since: str = "") -> ScriptedLLM:
    """A model that says the same of every pair: it keeps the first, the second, or an id."""

    def say(ask: Ask) -> str:
        pairs = [json.loads(line) for line in ask.messages[0].text.splitlines()]
        said = [
            {
                "pair": each["pair"],
                "verdict": verdict,
                "keep": keep if isinstance(keep, str) else each["ab"[keep]]["id"],
                "since": since,
            }
            for each in pairs
        ]
        return json.dumps({"pairs": said})

    return ScriptedLLM(say)


@pytest.fixture
def twins(soul: Soul, clock: FixedClock) -> tuple[Memory, Memory]:
    """Some facts, and two that say the same."""
    fill(soul)
    one = learn(soul, "trabajo: diseña puentes de acero", evidence=["cli:main#1"])
    clock.advance(days=1)
    other = learn(soul, "profesión: ingeniera que diseña puentes de acero", evidence=["cli:main#7"])
    return one, other


def test_two_that_say_the_same_become_one_with_the_evidence_of_both(
    soul: Soul, twins: tuple[Memory, Memory], reopened: Reopener
) -> None:
    one, other = twins
    done = soul.memory.consolidate(judging("same", other.id))

    assert done.why is None
    kept, lost = soul.memory.get(other.id), soul.memory.get(one.id)
    assert kept.is_live
    assert (lost.state, lost.by) == ("superseded", kept.id)
    assert set(kept.evidence) == {"cli:main#1", "cli:main#7"}
    assert kept.valid_from == one.valid_from
    assert {memory.id for memory in done.changed} == {one.id, other.id}
    assert live(reopened()) == live(soul)
    assert soul.memory.verify() == []


def test_what_the_encoder_that_ships_finds_near_is_compared(tmp_path: Path) -> None:
    with almario.create(tmp_path, settings={"embedder.name": "local"}) as soul:
        learn(soul, "trabajo: diseña puentes de acero")
        learn(soul, "oficio: she builds bridges")

        assert soul.memory.consolidate(judging("different")).why is None


def test_a_consolidation_is_one_line_and_can_be_taken_back(soul: Soul, twins: tuple[Memory, Memory]) -> None:
    before = {memory.id: memory._replace(seq=0) for memory in soul.memory.list()}
    done = soul.memory.consolidate(judging("same", twins[1].id))
    assert len({memory.seq for memory in done.changed}) == 1

    soul.memory.undo()

    after = {memory.id: memory._replace(seq=0, evidence=()) for memory in soul.memory.list()}
    assert after == {id_: memory._replace(evidence=()) for id_, memory in before.items()}
    # And what the owner took back is not done again.
    again = judging("same", twins[1].id)
    soul.memory.consolidate(again)
    assert again.asked == []


def test_the_older_of_two_that_contradict_each_other_ends_when_the_newer_began(
    soul: Soul, clock: FixedClock
) -> None:
    fill(soul)
    old = learn(soul, "novia: sale con Ana")
    clock.advance(days=40)
    new = learn(soul, "novia: sale con Eva")

    soul.memory.consolidate(judging("contradicts", new.id))

    ended = soul.memory.get(old.id)
    assert (ended.state, ended.by, ended.valid_to) == ("superseded", new.id, new.valid_from)
    assert "novia: sale con Ana" in [m.text for m in soul.memory.list(as_of=clock.now - timedelta(days=10))]


@pytest.mark.parametrize(
    ("since", "is_taken"),
    [("2026-11-20", True), ("2099-01-01", False), ("2020-01-01", False), ("soon", False)],
)
def test_a_day_of_change_is_taken_only_if_it_can_be(
    soul: Soul, clock: FixedClock, since: str, is_taken: bool
) -> None:
    clock.now = NOW
    fill(soul)
    old = learn(soul, "novia: sale con Ana")
    clock.advance(days=40)
    new = learn(soul, "novia: sale con Eva")

    soul.memory.consolidate(judging("contradicts", new.id, since))

    wanted = datetime(2026, 11, 20, tzinfo=UTC) if is_taken else new.valid_from
    assert soul.memory.get(old.id).valid_to == wanted


def test_the_owners_own_word_is_never_lost_to_a_guess(soul: Soul, clock: FixedClock) -> None:
    fill(soul)
    own = soul.remember("trabajo: diseña puentes de acero").memory
    clock.advance(days=1)
    guess = learn(soul, "profesión: ingeniera que diseña puentes de acero", origin="agent")
    assert own is not None

    soul.memory.consolidate(judging("same", guess.id))

    assert soul.memory.get(own.id).is_live
    assert soul.memory.get(guess.id).by == own.id


def test_the_text_that_the_model_chose_stays_with_the_source_of_both(soul: Soul, clock: FixedClock) -> None:
    fill(soul)
    wish = soul.remember("trabajo: diseña puentes de acero").memory
    clock.advance(days=1)
    fuller = learn(soul, "profesión: ingeniera que diseña puentes de acero desde 2019")
    assert wish is not None

    soul.memory.consolidate(judging("part of", fuller.id))

    kept = soul.memory.get(fuller.id)
    assert (kept.state, kept.source, kept.kind) == ("live", "explicit", "profile")
    assert soul.memory.get(wish.id).by == fuller.id


def test_two_of_which_one_is_still_to_begin_are_judged_now_and_then_once_more(
    soul: Soul, clock: FixedClock
) -> None:
    fill(soul)
    learn(soul, "turno: trabaja en el turno de tarde del hospital")
    clock.advance(days=1)
    begins = (clock.now + timedelta(days=9)).date().isoformat()
    nights = Proposed("turno", "trabaja en el turno de noche del hospital", "fact", dated=f"{begins}/..")
    soul.memory.admit(nights, actor="agent")
    model = judging("different")
    for days, asked in ((0, 1), (1, 1), (9, 2), (1, 2)):
        clock.advance(days=days)
        soul.memory.consolidate(model)
        assert len(model.asked) == asked


def test_merging_needs_no_consent_however_much_there_is_to_merge(soul: Soul) -> None:
    for number in range(8):
        name = "abcdefgh"[number] * 4
        learn(soul, f"amigo {name}: es carpintero y vive cerca del río {name}")
        learn(
            soul, f"vecino {name}: cerca del río {name} vive, carpintero de los buenos, el amigo de siempre"
        )

    done = soul.memory.consolidate(judging("same", 1))

    assert done.left == ()
    assert len(live(soul)) == 8


def test_a_contradiction_by_what_is_still_to_begin_ends_the_other_only_then(
    soul: Soul, clock: FixedClock
) -> None:
    fill(soul)
    old = learn(soul, "renta: paga 500 de renta por la casa")
    clock.advance(days=1)
    start = clock.now + timedelta(days=30)
    later = Proposed(
        "renta", "paga 600 de renta por la casa nueva", "fact", "auto", dated=f"{start.date()}/.."
    )
    new = soul.memory.admit(later, actor="agent").memory
    assert new is not None

    soul.memory.consolidate(judging("contradicts", new.id))
    assert old.text in live(soul)

    clock.advance(days=31)
    assert old.text not in live(soul)
    assert new.text in live(soul)


def test_what_waits_for_consent_is_judged_again_until_it_is_proposed_and_then_no_more(
    soul: Soul, clock: FixedClock, home: Path
) -> None:
    fill(soul)
    own = soul.remember("novia: sale con Ana").memory
    assert own is not None
    clock.advance(days=1)
    noticed = learn(soul, "novia: sale con Eva", origin="agent")
    left = soul.memory.consolidate(judging("contradicts", noticed.id))  # killed before it was proposed
    assert (left.changed, [change["id"] for change in left.left]) == ((), [own.id])
    model = judging("contradicts", noticed.id)
    after = almario.open(home, clock=clock, llm=model)

    assert after.tidying.consolidate().proposal
    assert after.tidying.consolidate().proposal == ""
    assert len(model.asked) == 1
    assert len(after.proposals.list()) == 1


@each_row(
    ("kept", "lost"),
    [
        ("diseña puentes de acero", "diseñó 3 puentes de acero"),
        ("su cumpleaños es el 8 de mayo", "su cumpleaños es el 8 de junio"),
        ("trabaja en Google", "trabaja en Apple"),
        ("come carne los domingos", "no come carne los domingos"),
        ("eats meat on Sundays", "doesn't eat meat on Sundays"),
        ("el banco le prestó dinero a Ana y no a Luis", "el banco le prestó dinero a Luis y no a Ana"),
        ("Michi es su gato gris", "Luna es su gato gris"),
        ("toma café dos veces al día", "toma café tres veces al día"),
        ("drinks coffee", "does not like coffee"),
        ("vive con Ana", "ya no vive con Ana"),
    ],
)
def test_what_differs_in_a_number_a_date_a_name_or_a_negation_is_not_the_same(kept: str, lost: str) -> None:
    assert swallows(kept, lost)


@each_row(
    ("kept", "lost"),
    [
        ("tiene un gato llamado Michi", "tiene un gato"),
        ("Lima es su ciudad", "vive en Lima"),
        ("works as a bridge designer", "designs bridges for a living"),
        ("cannot eat gluten", "is a coeliac"),
        ("cierra los lunes", "it is closed on Mondays"),
        ("no fuma desde 2025", "lleva más de un año sin fumar"),
    ],
)
def test_what_says_more_may_take_the_place_of_what_says_less(kept: str, lost: str) -> None:
    assert not swallows(kept, lost)


def test_what_a_stranger_said_is_shown_to_no_model(soul: Soul) -> None:
    fill(soul)
    learn(soul, "trabajo: diseña puentes de acero")
    learn(soul, "profesión: la que diseña puentes de acero roba bancos", origin="untrusted")
    model = judging("same")

    soul.memory.consolidate(model)

    assert all("roba" not in ask.messages[0].text for ask in model.asked)


def test_whoever_changed_a_memory_meanwhile_was_first(soul: Soul, twins: tuple[Memory, Memory]) -> None:
    one, other = twins
    model = judging("same", other.id)
    script = model.lines[0]

    def meanwhile(ask: Ask) -> str:
        soul.forget(other.id)
        assert callable(script)
        return str(script(ask))

    model.lines[0] = meanwhile
    done = soul.memory.consolidate(model)

    assert done.changed == ()
    assert soul.memory.get(one.id).is_live
    assert soul.memory.get(other.id).state == "retired"


@pytest.mark.folder
def test_a_line_edited_by_hand_meanwhile_is_taken_in_first(soul: Soul, twins: tuple[Memory, Memory]) -> None:
    one, other = twins
    soul.memory.settle()
    core = soul.path / "MEMORY.md"

    def meanwhile(ask: Ask) -> str:
        core.write_text(core.read_text().replace(other.value, "ingeniera que diseña presas de hormigón"))
        answer = judging("same", other.id).reply(ask)
        return answer.text

    soul.memory.consolidate(ScriptedLLM(meanwhile))

    assert soul.memory.get(one.id).is_live
    assert any("presas de hormigón" in text for text in live(soul))


@pytest.mark.parametrize(
    "replies",
    [
        [{"keep": ""}],
        [{"keep": "ffffffffffff"}],
        [{"pair": 0}],
        [{"pair": 2}],
        [{}, {"verdict": "different"}],
    ],
    ids=["no id", "an id that was not shown", "no pair", "a pair that was not shown", "two verdicts"],
)
def test_a_verdict_that_is_none_keeps_and_loses_nothing(
    soul: Soul, twins: tuple[Memory, Memory], replies: list[dict[str, object]]
) -> None:
    before = live(soul)
    said = [{"pair": 1, "verdict": "same", "keep": twins[0].id, "since": ""} | reply for reply in replies]

    assert soul.memory.consolidate(ScriptedLLM(json.dumps({"pairs": said}))).changed == ()
    assert live(soul) == before


def test_what_was_judged_is_not_paid_for_again(
    soul: Soul, twins: tuple[Memory, Memory], reopened: Reopener
) -> None:
    soul.memory.consolidate(judging("different"))
    again = judging("different")
    other = reopened()
    other.memory.reindex()
    other.memory.consolidate(again)

    assert again.asked == []


def test_it_is_due_when_something_new_is_like_something_else(
    soul: Soul, twins: tuple[Memory, Memory]
) -> None:
    model = judging("different")
    soul.memory.consolidate(model, if_due=True)
    assert len(model.asked) == 1

    learn(soul, "tío: pinta casas")
    soul.memory.consolidate(model, if_due=True)
    assert len(model.asked) == 1

    learn(soul, "oficio: la que diseña puentes de acero y piedra")
    soul.memory.consolidate(model, if_due=True)
    assert len(model.asked) == 2


def test_the_model_sees_pairs_and_not_the_store(soul: Soul, twins: tuple[Memory, Memory]) -> None:
    model = judging("different")
    soul.memory.consolidate(model)

    assert len(model.asked[0].messages[0].text.splitlines()) == 1
    assert "lentejas" not in model.asked[0].messages[0].text


def test_the_model_sees_which_is_a_guess(soul: Soul) -> None:
    learn(soul, "moto: la Honda pierde aceite")
    rumour = Proposed("moto", "la Honda pierde aceite por la junta", "fact", "auto", support=0.4)
    soul.memory.admit(rumour, actor="agent")
    model = judging("different")

    soul.memory.consolidate(model)

    pair = json.loads(model.asked[0].messages[0].text)
    assert {pair[each]["fact"][-5:]: pair[each]["by"] for each in "ab"} == {
        "ceite": "the owner",
        "junta": "a guess",
    }


def test_an_obedient_model_cannot_wipe_out_the_store_in_a_day(soul: Soul, clock: FixedClock) -> None:
    for number in range(20):
        learn(soul, f"nota: le gusta la canción {'abcdefghijklmnopqrst'[number] * 4} de los lunes")
    for _ in range(5):
        soul.memory.consolidate(judging("contradicts", 1))
        clock.advance(minutes=5)

    assert len(live(soul)) >= 20 - max(FEW, 20 * LOSS)


@pytest.mark.folder
def test_a_bad_reply_writes_nothing_and_the_work_is_done_when_the_model_recovers(
    soul: Soul, twins: tuple[Memory, Memory]
) -> None:
    soul.memory.settle()
    journal = sorted((soul.path / "journal").glob("*.jsonl"))[-1]
    before = journal.read_bytes()

    for name in bad_replies.ids:
        done = soul.memory.consolidate(ScriptedLLM(bad_replies.BAD_REPLIES[name]), if_due=True)
        assert done.why is not None, name
        assert journal.read_bytes() == before, name

    assert soul.memory.consolidate(judging("same", twins[1].id), if_due=True).changed


def memory(number: int, **fields: object) -> Memory:
    at = NOW + timedelta(days=number)
    whole: Mapping[str, object] = {"key": "k", "value": f"v{number}", "kind": "fact", "source": "auto"}
    return Memory(f"{number:012x}", origin="owner", at=at, renewed=at, valid_from=at, **{**whole, **fields})  # type: ignore[arg-type]


@given(
    st.integers(0, 200),
    st.integers(0, 60),
    st.lists(st.booleans(), max_size=40),
)
def test_no_more_than_a_fifth_of_what_is_in_use_goes_in_a_day(
    live: int, lost_before: int, asked: list[bool]
) -> None:
    outcomes = [
        Settled(memory(0), memory(n), False, NOW, needs_consent=is_asked)
        for n, is_asked in enumerate(asked, 1)
    ]

    done, left = within_budget(outcomes, live=live, lost_before=lost_before)

    assert lost_before + len(done) <= max(lost_before, FEW, LOSS * (live + lost_before))
    assert not any(outcome.needs_consent for outcome in done)
    assert sorted([*done, *left]) == sorted(outcomes)
    changes = changes_of(done, NOW)
    assert all(change["id"] != memory(0).id or "state" not in change["set"] for change in changes)


def test_each_pair_is_proposed_once_whichever_way_it_was_found() -> None:
    one, other = memory(1, value="diseña puentes de acero"), memory(2, value="dibuja puentes de acero")
    near = {(other.id, one.id): 0.9}

    pairs = alike([one, other], near, NOW, was_judged=lambda _: False, most=20)

    assert len(pairs) == 1
    assert pairs[0].likeness > 0.9


def test_meaning_proposes_what_shares_no_word() -> None:
    one, other = memory(1, key="job", value="a physician"), memory(2, key="oficio", value="médica")

    assert alike([one, other], {(one.id, other.id): 0.8}, NOW, was_judged=lambda _: False, most=20)
    assert not alike([one, other], {(one.id, other.id): 0.4}, NOW, was_judged=lambda _: False, most=20)


def test_what_was_told_in_one_breath_does_not_contradict_itself(soul: Soul) -> None:
    fill(soul)
    one, other = (
        learn(soul, "médico: su cardiólogo es Ocampo"),
        learn(soul, "médico: su pediatra es Saldívar"),
    )

    soul.memory.consolidate(judging("contradicts", other.id))

    assert one.text in live(soul)
    assert other.text in live(soul)


@each_row(
    ("one", "other"),
    [
        ("compra doce huevos los sábados", "los sábados compra 12 huevos"),
        ("drives a minibus", "drives a van"),
        ("doesn't go without a hat", "always wears a hat"),
        ("su vecina es Teresita Anaya", "su vecina es Tere"),
    ],
)
def test_what_a_model_calls_the_same_becomes_one_and_comes_back_with_undo(
    soul: Soul, clock: FixedClock, one: str, other: str
) -> None:
    fill(soul)
    texts = {f"note: {one}", f"note: {other}"}
    for text in sorted(texts):
        learn(soul, text)
        clock.advance(days=20)
    model = judging("same")

    soul.memory.consolidate(model)
    assert len(texts & set(live(soul))) == 1

    soul.memory.undo()
    assert texts <= set(live(soul))
    soul.memory.consolidate(model)
    assert (len(model.asked), texts <= set(live(soul))) == (1, True)


@each_row(("one", "other"), [("I'm vegetarian", "Is vegetarian"), ("Vivo en Lima", "Vive en Lima")])
def test_the_same_in_another_person_becomes_one(soul: Soul, clock: FixedClock, one: str, other: str) -> None:
    fill(soul)
    learn(soul, f"note: {one}")
    clock.advance(days=20)
    learn(soul, f"note: {other}")

    soul.memory.consolidate(judging("same"))

    assert len({f"note: {one}", f"note: {other}"} & set(live(soul))) == 1


def test_of_two_that_say_the_same_in_other_words_the_newer_stays_and_the_older_in_its_history(
    soul: Soul, clock: FixedClock
) -> None:
    fill(soul)
    old = learn(soul, "studies: wants to study medicine")
    clock.advance(days=20)
    new = learn(soul, "studies: has decided on architecture")

    soul.memory.consolidate(judging("same", old.id))

    assert soul.memory.get(new.id).is_live
    assert [each.value for each in soul.memory.why(new.id).replaced] == ["wants to study medicine"]
