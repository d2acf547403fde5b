"""Without a model, what corrects one clear thing is remembered, and what it corrects is only in doubt."""

from datetime import date, timedelta

import pytest

import almario
from almario.domain.validity import next_time
from almario.memory.amending import Amendment
from almario.testing import FixedClock
from almario.text.corrections import is_moved
from tests.conversation.unaided import shown, values
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
DILIP = "Dilip takes his levothyroxine 75 every morning"
UPPED = "100 now, they upped it in the autumn and I keep forgetting"


def soul_knowing(*known: str) -> almario.Soul:
    """Return a soul without a model that remembers something, on a Saturday."""
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    for each in known:
        soul.remember(each)
    return soul


def doubt_after(soul: almario.Soul, *said: str) -> str:
    """Return what is told of a change after the last of some messages, if they change anything known."""
    done = [soul.talk(each).done for each in said][-1]
    changing = [each for each in done if {"doubts", "replaces"} & set(each.structured)]
    return " ".join(str(each) for action in changing for each in action.told)


@each_row(
    "known, said, right",
    [
        ("brunch on Friday at 14:00", "brunch is at 15:00 instead", "brunch on Friday at 15:00"),
        ("the vet is on Monday at nine", "the vet moved to Tuesday", "the vet is on Tuesday at nine"),
        ("the vet is on Monday at nine", "the vet is now tomorrow", "the vet is tomorrow at nine"),
        ("Joe comes on Monday", "Joe comes on Tuesday instead of Monday", "Joe comes on Tuesday"),
        ("my aunt lives in Hull", "actually Bath, not Hull", "my aunt lives in Bath"),
        ("my aunt is called Rita", "no, Greta, not Rita", "my aunt is called Greta"),
        ("merienda el viernes a las seis", "la merienda pasa al jueves", "merienda el jueves a las seis"),
        ("mi tía vive en Soria", "en realidad vive en Ávila, no en Soria", "mi tía vive en Ávila"),
        ("Ana lives in Leeds", "Ana lives in York, not Leeds", "Ana lives in York"),
        ("our desk is on the second floor", "our desk is on the third floor, not the second",
         "our desk is on the third floor"),
        ("Ana vive en Soria", "Ana vive en Ávila, no en Soria", "Ana vive en Ávila"),
        ("yoga every Tuesday at six", "yoga is now every Thursday", "yoga every Thursday at six"),
        ("I have yoga every Tuesday at six", "yoga is cancelled", "yoga is cancelled"),
        ("vet on Tuesday at 3", "the vet on Tuesday was cancelled", "the vet on Tuesday was cancelled"),
        ("merienda con Eva el viernes", "se cancela la merienda", "se cancela la merienda"),
        ("the vet is on Monday", "the vet has been called off", "the vet has been called off"),
        ("merienda con Eva el viernes", "se canceló la merienda", "se canceló la merienda"),
    ],
)  # fmt: skip
def test_a_correction_is_remembered_and_a_yes_or_a_no_settles_what_it_corrects(
    known: str, said: str, right: str
) -> None:
    soul = soul_knowing(known)

    told = doubt_after(soul, said)
    opens, closes = "«»" if "«" in told else '""'
    assert f"{opens}{known}{closes}" in told
    assert values(soul) == [f"? {known}", right]
    assert [plan.since.value for plan in soul.plans() if plan.memory.value == known and plan.since] in (
        [],
        [right],
    )

    [done] = soul.talk("yes").done
    assert values(soul) == [right]
    assert not any(
        "cancel" in plan.memory.value or "called off" in plan.memory.value for plan in soul.plans()
    )

    soul.undo(int(done.structured["line"]))
    assert values(soul) == [f"? {known}", right]
    soul.undo()
    assert values(soul) == [known]

    soul.talk(said)
    soul.talk("no")
    assert values(soul) == [known]

    soul.talk(said)
    soul.talk("both")
    assert values(soul) == [known, right]


@each_row(
    "said, coming",
    [
        ("no yoga this Tuesday", ["2026-11-24", "2026-12-01"]),
        ("yoga is cancelled on 24 November", ["2026-11-17", "2026-12-01"]),
        ("este martes no hay yoga", ["2026-11-24", "2026-12-01"]),
        ("there's no yoga in November", ["2026-12-01", "2026-12-08"]),
    ],
)
def test_a_day_is_left_out_of_what_comes_again_after_a_yes_and_one_undo_puts_it_back(
    said: str, coming: list[str]
) -> None:
    soul = soul_knowing("I have yoga every Tuesday at six")
    assert "yoga every Tuesday at six" in doubt_after(soul, said)

    [done] = soul.talk("yes").done

    [memory] = soul.memory.list()
    first = next_time(memory.dated, date(2026, 11, 14))
    after = next_time(memory.dated, first.first_day + timedelta(days=1)) if first else None
    assert [str(first), str(after)] == coming
    assert [str(plan.when) for plan in soul.plans()] == coming[:1]
    soul.undo(int(done.structured["line"]))
    assert [str(plan.when) for plan in soul.plans()] == ["2026-11-17"]


def test_what_is_left_out_is_only_of_the_series_that_is_named() -> None:
    soul = soul_knowing("I have yoga every Tuesday at six", "I have chess every Tuesday at eight")

    assert doubt_after(soul, "no milk on Tuesday") == ""
    assert doubt_after(soul, "there's no yoga on Monday") == ""


@each_row(
    "known, said",
    [
        ("the vet is on Monday", "is the vet cancelled?"),
        ("the vet is on Monday", "if it snows the vet is cancelled"),
        ("the vet is on Monday", "the vet is not cancelled"),
        ("the vet is on Monday", "yesterday's optician was cancelled"),
        ("the vet is on Monday", "they cancelled my favourite show"),
        ("my aunt lives in Hull", "I like plums, not pears"),
        ("merienda con Eva el viernes", "ojalá cancelen la merienda"),
        ("merienda con Eva el viernes", "la merienda con Luis es el lunes"),
        ("mi tía vive en Soria", "me gusta el mar, no el monte"),
        ("I have yoga every Tuesday at six", "yoga is on Thursday instead"),
    ],
)
def test_what_corrects_nothing_offers_no_replacement(known: str, said: str) -> None:
    soul = soul_knowing(known)

    assert doubt_after(soul, said) == ""
    assert soul.memory.list()[0].value == known


def test_of_two_that_may_be_meant_none_is_touched() -> None:
    soul = soul_knowing("lunch with Ivy on Friday", "lunch with Bo on Monday")

    assert doubt_after(soul, "the lunch is cancelled") == ""


def test_what_was_told_just_before_is_put_right() -> None:
    soul = soul_knowing()
    told = doubt_after(soul, "the fair is on Friday at ten", "sorry, I was wrong: it is on Thursday")
    assert told.startswith("remembered: the fair is on Thursday at ten")

    soul.talk("yes")
    [memory] = soul.memory.list()
    assert (memory.value, memory.dated) == ("the fair is on Thursday at ten", "2026-11-19")


def test_a_plan_told_before_is_no_answer_to_what_was_done_then_and_who_asks_for_others_is_no_who_am_i() -> (
    None
):
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.remember("I fly to Oslo on 12 December")
    soul.remember("besé a Lucía en la feria")
    clock.advance(days=3)
    unknown = "I find nothing about it in my memory"

    assert unknown in soul.talk("what did I do on 15 November?").text
    assert unknown in soul.talk("what happened yesterday?").text
    assert "Lucía" in soul.talk("¿a quién besé?").text
    assert "Oslo" in soul.talk("what did I plan for 12 December?").text
    assert "Oslo" in soul.talk("what do I do on 12 December?").text


@each_row("said", ["the vet moved to Thursday", "el veterinario se ha cambiado al jueves"])
def test_what_moved_is_ahead_though_nothing_was_known_of_it(said: str) -> None:
    soul = soul_knowing()

    soul.talk(said)
    soul.talk("yes")

    assert [str(plan.when.first) for plan in soul.plans()] == ["2026-11-19"]


@each_row(
    "known, said, right",
    [
        ("yoga every Tuesday at 7", "no, Thursdays", "yoga every Thursday at 7"),
        ("yoga every Tuesday at 7", "sorry, I meant Thursday", "yoga every Thursday at 7"),
        ("bins every other Tuesday", "it's every other Thursday, not Tuesday", "bins every other Thursday"),
        ("tengo yoga los martes a las 7", "no, el sábado", "tengo yoga los sábados a las 7"),
    ],
)
def test_a_series_on_another_weekday_stays_a_series(known: str, said: str, right: str) -> None:
    soul = soul_knowing()
    soul.talk(known)

    assert right in doubt_after(soul, said)
    soul.talk("yes")
    [plan] = soul.plans()
    assert (plan.memory.value, plan.is_repeated) == (right, True)


def test_one_week_of_a_series_on_another_day_leaves_the_others() -> None:
    soul = soul_knowing()

    assert "every Thursday" not in doubt_after(soul, "yoga every Tuesday at 7", "no, this Thursday")


@pytest.mark.parametrize("embedder", ["local", "none"])
@each_row(
    "told, said, right",
    [
        ("haircut on Friday at 3", "the haircut moved to 1 December", "haircut on 1 December at 3"),
        ("recital tomorrow at ten", "the recital is at half past one", "recital tomorrow at half past one"),
        ("the scan is on Friday at 3", "sorry, it's the 28th", "the scan is on the 28th at 3"),
        ("cena con Marta el viernes a las 9", "la cena es mañana", "cena con Marta mañana a las 9"),
        ("la boda es el 23 de mayo", "la boda es la primera semana de junio",
         "la boda es la primera semana de junio"),
        ("la revisión es el lunes a las 8", "han pasado la revisión al miércoles",
         "la revisión es el miércoles a las 8"),
        ("remember Eva likes tea", "actually coffee, not tea", "Eva likes coffee"),
        ("my cousin Rhona lives in Perth", "no, Fiona", "my cousin Fiona lives in Perth"),
    ],
)  # fmt: skip
def test_a_sure_form_is_heard_with_an_encoder_and_without(
    told: str, said: str, right: str, embedder: str
) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": embedder})

    assert right in doubt_after(soul, told, said)


@each_row(
    "said",
    ["the haircut was on Monday", "I think the haircut is on Monday", "the haircut with Luis is on Monday"],
)
def test_what_may_be_another_time_is_not_taken_for_a_plan_that_moved(said: str) -> None:
    assert not is_moved("haircut on Friday at 3", said, date(2026, 11, 14))


@each_row("said", ["the dentist moved to 1 December", "the dentist is cancelled"])
def test_nobody_is_asked_how_it_went_that_was_moved_or_cancelled(said: str) -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.talk("dentist on Friday at 3")
    clock.advance(days=7)
    assert "ask how it went" in soul.prompt("hello there").text
    clock.advance(days=-7)
    for each in (said, "yes"):
        soul.talk(each)
    clock.advance(days=7)
    assert "ask how it went" not in soul.prompt("hello there").text


@each_row(
    "said, kept",
    [
        ("scrap that", ["the vet is on Monday at nine"]),
        ("off the record, that last message", ["the vet is on Monday at nine"]),
        ("what's the capital of Peru?", ["? the vet is on Monday at nine", "the vet is on Thursday at ten"]),
        ("my car is red", ["? the vet is on Monday at nine", "the vet is on Thursday at ten",
                           "my car is red"]),
        ("no, on Friday", ["? the vet is on Monday at nine", "? the vet is on Thursday at ten",
                           "the vet is on Friday at ten"]),
    ],
)  # fmt: skip
def test_who_says_nothing_to_it_leaves_the_old_in_doubt_and_who_takes_it_back_leaves_it_as_it_was(
    said: str, kept: list[str]
) -> None:
    soul = soul_knowing("the vet is on Monday at nine")
    assert doubt_after(soul, "the vet is now on Thursday at ten")

    soul.talk(said)

    assert values(soul) == kept


@each_row(
    "known, said",
    [
        (DILIP, UPPED),
        ("the dentist is on Monday at nine",
         "the dentist moved to Thursday at ten, and bring the scans from Dr Okafor"),
        ("the dentist is on Monday at nine", "the dentist moved to Thursday, I must fast before it"),
        ("the dentist is on Monday at nine", "the dentist is on Thursday, at the new surgery"),
    ],
)  # fmt: skip
def test_a_correction_that_is_not_sure_is_kept_as_it_was_said_and_told_beside_what_it_is_about(
    known: str, said: str
) -> None:
    soul = soul_knowing()
    assert doubt_after(soul, known, said) == ""

    soul.talk("yes")

    assert values(soul) == [known, said]


@each_row(
    "known, said",
    [
        ("flight on Friday at 10", "if the flight moved to Saturday I'd be happy"),
        ("flight on Friday at 10", "I hope the flight is moved to Saturday"),
        ("vuelo el viernes a las 10", "ojalá el vuelo fuera el sábado"),
        ("Ana is my sister", "Eva is not my sister"),
    ],
)
def test_what_is_wished_supposed_or_denied_of_another_corrects_nothing_by_itself(
    known: str, said: str
) -> None:
    soul = soul_knowing(known)
    soul.talk(said)

    assert set(values(soul)) <= {known, said}


@each_row("answer", ["yes", "no", "both", "undo that", "forget it"])
def test_what_was_asked_in_private_is_not_answered_before_others(answer: str) -> None:
    soul = soul_knowing("my aunt lives in Hull")
    soul.talk("actually Bath, not Hull")
    kept = values(soul)

    said = soul.talk(answer, mode="collaboration")

    assert values(soul) == kept
    assert not any(place in shown(said) for place in ("Bath", "Hull"))


@each_row("known, said", [("my aunt lives in Hull", "actually Bath, not Hull"),
                          ("I live in Porto", "I live in Lisbon now")])  # fmt: skip
def test_a_yes_does_not_bring_back_what_was_put_otherwise_by_hand(known: str, said: str) -> None:
    soul = soul_knowing(known)
    soul.talk(said)
    new = soul.memory.list()[-1]
    soul.memory.amend(new.id, Amendment(value="it is otherwise"))

    soul.talk("yes")

    assert values(soul)[-1] == "it is otherwise"
    assert new.value not in values(soul)


@each_row(
    "told, asked",
    [
        ("I live in York", "why do you say that I live in York?"),
        ("vivo en Albacete", "¿por qué dices que vivo en Albacete?"),
    ],
)
def test_what_a_question_names_word_for_word_is_not_denied(told: str, asked: str) -> None:
    assert told in soul_knowing(told).talk(asked).text


@each_row("answer", ["yes", "no", "both"])
def test_what_was_settled_elsewhere_is_not_answered_again(answer: str) -> None:
    for settled in ("confirmed", "replaced"):
        soul = soul_knowing("my aunt lives in Hull")
        soul.talk("actually Bath, not Hull")
        old, new = soul.memory.list()
        if settled == "confirmed":
            soul.memory.confirm(old.id)
        else:
            soul.remember(new.value, replaces=old.id)
        before = values(soul)

        told = shown(soul.talk(answer))

        assert "that is settled already; nothing was changed" in told
        assert values(soul) == before


def test_a_no_says_what_it_takes_back_when_what_it_corrected_was_forgotten_since() -> None:
    soul = soul_knowing("my aunt lives in Hull")
    soul.talk("actually Bath, not Hull")
    soul.forget("my aunt lives in Hull")

    told = shown(soul.talk("no"))

    assert 'not remembered: "my aunt lives in Bath"' in told
    assert "stays" not in told
    assert values(soul) == []


def test_what_is_in_doubt_is_told_after_what_was_said_since_and_marked_wherever_it_is_told() -> None:
    soul = soul_knowing("my aunt lives in Hull")
    soul.talk("the vet is on Monday at nine")
    soul.talk("the vet is now on Thursday at ten")
    soul.talk("actually my aunt lives in Bath, not Hull")

    first, second = soul.recall("where does my aunt live?")[:2]
    assert (first.text, second.state) == ("my aunt lives in Bath", "earlier")
    prompt = soul.prompt("where does my aunt live?").text
    assert "told earlier: " in prompt
    assert "said since: the vet is on Thursday at ten" in prompt
    assert 'but since then you said "the vet is on Thursday' in soul.talk("what's coming up?").text
    why = soul.memory.why(second.memory)
    assert why.replaced_by is not None
    assert (why.state, why.replaced_by.id) == ("live", first.memory)
    assert soul.memory.life(second.memory)[-1].deed == "doubted"

    soul.memory.confirm(second.memory)
    assert soul.memory.why(second.memory).replaced_by is None


def test_what_is_told_again_is_in_doubt_no_more() -> None:
    soul = soul_knowing("Ana lives in Leeds")
    for said in ("Ana lives in York, not Leeds", "Ana lives in Leeds, not York"):
        soul.talk(said)

    assert values(soul) == ["Ana lives in Leeds", "? Ana lives in York"]
    soul.talk("yes")
    assert values(soul) == ["Ana lives in Leeds"]


@each_row(
    "known, said",
    [
        ("dentist for Poppy on Monday at 4", "Poppy's 7 on the 2nd of December"),
        ("mum's in Otley", "Karen's in Hull now"),
        ("no como carne", "bueno, carne sí, pero cerdo no"),
        ("Nerea es alérgica a los frutos secos", "no es alérgica, es intolerante a la lactosa"),
        ("Karen's new job is at Asda", "Karen has a new boyfriend called Dave"),
        ("le debo 150 euros a Gorka", "a Nerea le debo otros 60, voy fino este mes"),
        ("Cenamos el viernes con los Echeverri", "el sábado no cenamos con nadie, por fin"),
        ("Dentist on Monday at 9.40", "and the hygienist Wednesday at 4, different building"),
        ("mi hermana Ana vive en Vigo", "la contraseña del wifi de casa es Verde99-xyzzy8"),
        ("mum's neighbour Jean has a key", "I've got a new uniform"),
        ("The alarm code is 4821 and Bob has it", "no, Ana has it"),
    ],
)
def test_what_says_more_than_another_word_is_kept_as_it_was_said_and_doubts_nothing(
    known: str, said: str
) -> None:
    soul = soul_knowing()
    soul.talk(known)
    before = values(soul)
    soul.talk(said)

    assert [each for each in values(soul) if each in before] == before
    assert not any(each.startswith("? ") for each in values(soul))


def test_a_few_words_that_say_not_of_what_touch_nothing() -> None:
    soul = soul_knowing()
    doubt_after(soul, "Dario takes 3.5 of the blue syrup", "hm, 2.75 even, I misread the label")
    soul.talk("yes")

    assert values(soul)[0] == "Dario takes 3.5 of the blue syrup"


def test_no_question_shows_a_secret_that_was_told_after_something_else() -> None:
    soul = soul_knowing()

    assert "4821" not in doubt_after(soul, "el candado es rojo", "no, la clave del candado es 4821")


def test_of_two_that_a_message_may_correct_none_is_put_right_unasked() -> None:
    soul = soul_knowing("Poppy swims on Monday at 4", "Alfie swims on Monday at 5")

    soul.talk("the swimming moved to Friday")

    assert not any(each.startswith("? ") for each in values(soul))


def test_what_is_forgotten_or_over_replaces_nothing_any_more() -> None:
    soul = soul_knowing("Ana lives in Leeds")
    soul.talk("Ana lives in York, not Leeds")
    [older, newer] = soul.memory.list()
    soul.memory.amend(newer.id, Amendment(ended="2026-11-13"))
    assert values(soul)[0] == "Ana lives in Leeds"

    soul.undo()
    soul.forget(newer.id)
    assert soul.memory.why(older.id).replaced_by is None


def test_what_was_only_in_doubt_is_not_erased_or_forgotten_with_what_seemed_to_replace_it() -> None:
    soul = soul_knowing("my aunt lives in Hull")
    soul.talk("actually my aunt lives in Bath, not Hull")
    [_, newer] = soul.memory.list()
    soul.memory.purge(soul.memory.plan_purge(newer.id))

    assert [hit.state for hit in soul.recall("where does my aunt live?")] == [""]


def test_another_plan_stands_beside_the_last() -> None:
    soul = soul_knowing()

    assert doubt_after(soul, "dentist on Friday at 10am", "lunch with Omar tomorrow at noon") == ""
    assert len(soul.plans()) == 2
