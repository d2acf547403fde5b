"""What the owner tells without a model is remembered unasked: that harms nothing, and a no takes it back."""

from datetime import date

import pytest

from almario.memory.amending import Amendment
from almario.text.facts import facts_in
from tests.conversation.unaided import a_soul, talked, values
from tests.tables import each_row

pytestmark = pytest.mark.light
TOM = "My brother Tom lives in Lisbon"


@each_row(
    "answer",
    [
        "He isn't happy there",
        "no problem",
        "no worries, thanks",
        "no está lejos",
        "not really",
        "no pasa nada",
    ],
)
def test_what_is_no_clear_no_takes_nothing_back(answer: str) -> None:
    soul = a_soul()
    talked(soul, TOM, answer)

    assert TOM in values(soul)


def test_a_no_names_what_it_takes_back_and_leaves_what_was_changed_since() -> None:
    soul = a_soul()
    assert TOM in talked(soul, TOM, "no")
    assert values(soul) == []

    talked(soul, TOM)
    soul.memory.amend(soul.memory.list()[0].id, Amendment(value="My brother Tom lives in Porto"))
    assert "stays remembered" in talked(soul, "no")
    assert values(soul) == ["My brother Tom lives in Porto"]


@pytest.mark.parametrize("answers", [("yes",), ("no", "yes")])
def test_no_answer_brings_back_what_was_erased(answers: tuple[str, ...]) -> None:
    soul = a_soul()
    talked(soul, "My uncle Ivo lives in Riga")
    soul.memory.purge(soul.memory.plan_purge(soul.memory.list()[0].id))
    talked(soul, *answers)

    assert values(soul) == []


def test_a_question_that_waits_brings_back_nothing_that_was_erased() -> None:
    soul = a_soul()
    soul.remember("I work in a bakery")
    assert "take the place" in talked(soul, "I work at a clinic now")
    soul.memory.purge(soul.memory.plan_purge(soul.memory.list()[1].id))
    talked(soul, "yes")

    assert values(soul) == ["I work in a bakery"]


@each_row("after", ["please keep that between us", "don't write that down"])
def test_what_is_said_to_be_a_confidence_just_after_is_not_kept(after: str) -> None:
    soul = a_soul()
    talked(soul, "I have a lover called Max", after, "yes")

    assert values(soul) == []


@each_row("reply", ["keep both", "maybe", "sure, but keep Porto too", "vale, pero guarda las dos"])
def test_nothing_but_a_plain_yes_puts_one_memory_in_the_place_of_another(reply: str) -> None:
    soul = a_soul()
    asked = talked(soul, "I live in Porto", "I live in Lisbon now")

    assert "take the place" in asked
    talked(soul, reply)
    assert values(soul) == ["I live in Porto", "I live in Lisbon now"]

    if "both" in reply:
        talked(soul, "yes")
        assert values(soul) == ["I live in Lisbon now"]


@each_row(
    "before, after, right",
    [
        ("I am allergic to penicillin", "no, amoxicillin", "I am allergic to amoxicillin"),
        ("My dog is called Rex", "not Rex, Rocky", "My dog is called Rocky"),
    ],
)
def test_a_piece_of_a_correction_is_no_fact_and_takes_the_place_of_a_word(
    before: str, after: str, right: str
) -> None:
    soul = a_soul()
    talked(soul, before, after, "no")
    assert values(soul) == [before]

    talked(soul, after, "yes")
    assert values(soul) == [right]


@each_row(
    "message, kept",
    [
        ("I'm allergic to nuts, what can I eat?", ["I'm allergic to nuts"]),
        ("Soy celíaca, ¿qué puedo comer?", ["Soy celíaca"]),
        ("when I was in Rome, where did I stay?", []),
        ("where do I live, and who with?", []),
    ],
)
def test_what_is_told_before_a_question_is_kept(message: str, kept: list[str]) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == kept


@each_row("after", ["esto no lo apuntes: voy a dejar la carrera", "between us, I may leave him"])
def test_a_confidence_that_tells_something_itself_leaves_what_was_told_before(after: str) -> None:
    soul = a_soul()
    talked(soul, "my exam is on 3 December", after)

    assert values(soul) == ["my exam is on 3 December"]


@each_row("answer", ["Where does Clara live", "Clara lives in Lisbon", "what about my sister"])
def test_nothing_but_a_sure_yes_forgets_the_one_thing_that_was_asked_about(answer: str) -> None:
    soul = a_soul()
    soul.remember("My sister Clara lives in Lisbon")
    asked = talked(soul, "could you drop the thing about Clara")

    assert "forget this" in asked
    talked(soul, answer)
    assert "My sister Clara lives in Lisbon" in values(soul)


@each_row("answer", ["Where does Clara live", "Clara lives in Lisbon", "-1", "²"])
def test_what_only_names_one_of_several_forgets_none(answer: str) -> None:
    soul = a_soul()
    soul.remember("Clara lives in Lisbon")
    soul.remember("Clara plays the cello")

    assert "one of these" in talked(soul, "forget what I said about Clara")
    talked(soul, answer)
    assert {"Clara lives in Lisbon", "Clara plays the cello"} <= set(values(soul))


@each_row(
    "message",
    [
        "Translate: I live in Berlin with my wife",
        "```\nI live in Berlin and have two dogs and a cat\n```",
        "> I live in Paris with my two children\n> and a dog called Rex",
    ],
)
def test_what_others_wrote_is_not_the_owner_s_fact(message: str) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == []


@each_row(
    "message, days",
    [
        ("Dentist on Tuesday at 9 and haircut on Friday at 5", ["2026-11-17", "2026-11-20"]),
        ("We fly to Rome on 2 December and come back on 6 December", ["2026-12-02", "2026-12-06"]),
        ("El viernes ceno con Ana y el sábado voy al teatro a las 8", ["2026-11-20", "2026-11-21"]),
        ("I've got the vet, the dentist and the bank on Tuesday at 9", ["2026-11-17"]),
        ("My mother lives at 22 High Street", []),
        ("Dinner tonight at 8", ["2026-11-14"]),
        ("Ana arrives on Friday and leaves on Sunday", ["2026-11-20/2026-11-22"]),
        ("My mum comes on Friday and the kids fly on Monday", ["2026-11-16", "2026-11-20"]),
        ("dentist thursday 9.15", ["2026-11-19"]),
    ],
)
def test_each_day_that_is_told_is_a_plan_of_its_own(message: str, days: list[str]) -> None:
    soul = a_soul()
    talked(soul, message)

    assert [str(plan.when) for plan in soul.plans()] == days


@each_row(
    "told, dated",
    [
        ("We moved to Tucson last weekend", "2026-11-07/..~"),
        ("My sister got divorced on Tuesday", "2026-11-10/.."),
        ("Dad was diagnosed with gout last month", "2026-10/.."),
        ("nos mudamos a Soria el finde pasado", "2026-11-07/..~"),
        ("El martes adopté un gato", "2026-11-10/.."),
        ("We had dinner with Bea on Tuesday", "2026-11-10"),
        ("We went to the beach last weekend", "2026-11-07/2026-11-08"),
        ("El martes cené con Bea", "2026-11-10"),
        ("el finde pasado fuimos a la playa", "2026-11-07/2026-11-08"),
    ],
)
def test_what_changed_on_a_past_day_is_so_since_then_and_what_happened_is_not(told: str, dated: str) -> None:
    memory = a_soul().remember(told).memory

    assert memory is not None
    assert memory.dated == dated


@each_row(
    "told, notice",
    [
        ("my exam is on 31 November", "there is no 31 November: it is kept as you put it, without a date"),
        (
            "mi examen es el 30 de febrero",
            "no existe el 30 de febrero: lo guardo como lo has puesto, sin fecha",
        ),
    ],
)
def test_a_day_that_no_year_has_is_said_to_be_none_and_the_words_are_kept(told: str, notice: str) -> None:
    soul = a_soul()

    assert notice in talked(soul, told)
    assert values(soul) == [told]
    assert list(soul.plans()) == []


def test_of_two_that_stay_the_later_has_the_day_that_was_asked_about() -> None:
    soul = a_soul()
    soul.remember("The vet is on Friday at 10")
    talked(soul, "the vet moved to Thursday at 11", "no")

    assert [str(plan.when) for plan in soul.plans()] == ["2026-11-19", "2026-11-20"]


def test_days_that_are_left_out_in_two_chats_are_both_left_out() -> None:
    soul = a_soul()
    soul.remember("yoga every Tuesday at six")
    soul.talk("no yoga on 24 November", "cli:one")
    soul.talk("no yoga on 1 December", "cli:two")
    soul.talk("yes", "cli:two")
    soul.talk("yes", "cli:one")

    [memory] = soul.memory.list()
    assert "2026-11-24" in memory.dated
    assert "2026-12-01" in memory.dated


def test_the_owner_is_told_their_own_secret_where_no_model_hears_it() -> None:
    soul = a_soul()
    talked(soul, "remember that the alarm code is 5582")

    assert "5582" in talked(soul, "what is the alarm code?")
    assert "5582" not in soul.prompt("what is the alarm code?").text


@each_row(
    "message, kept",
    [
        ("I go to the gym on Canal Street, remember that pls", "I go to the gym on Canal Street"),
        ("vivo en la calle Olmo 7, recuérdalo", "vivo en la calle Olmo 7"),
        ("My son Theo is 6 and hates shellfish. Remember that", "My son Theo is 6 and hates shellfish."),
    ],
)
def test_an_order_beside_what_is_told_is_no_part_of_it(message: str, kept: str) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == [kept]


def test_a_birthday_that_is_put_right_still_comes_every_year() -> None:
    soul = a_soul()
    talked(soul, "Theo's birthday is the 4th of March", "Thank you dear, you are very kind.")
    talked(soul, "Actually it is the 14th of March, silly me.", "yes")

    assert [memory.dated for memory in soul.memory.list()] == ["XXXX-03-14"]


@each_row(
    "plan, order",
    [
        ("the gig in Hebden is on Saturday 28th", "cancel the gig, the singer's got laryngitis"),
        ("el sábado 28 barbacoa a las 13:00", "anula lo de la barbacoa que va a llover"),
    ],
)
def test_a_plan_is_cancelled_though_the_order_says_why(plan: str, order: str) -> None:
    soul = a_soul()
    talked(soul, plan, order, "yes")

    assert soul.plans() == []


@each_row(
    "known, said, right",
    [
        ("I fly from stansted on 29 November", "wait no, gatwick not stansted. glad I checked",
         "I fly from gatwick on 29 November"),
        ("I fly from Stansted on 29 November", "sorry, it's Gatwick, not Stansted. glad I checked",
         "I fly from Gatwick on 29 November"),
        ("la boda de Ximena es en Toluca", "perdón, no es en Toluca, es en Querétaro",
         "la boda de Ximena es en Querétaro"),
    ],
)  # fmt: skip
def test_a_sentence_or_a_clause_may_put_right_what_was_told(known: str, said: str, right: str) -> None:
    soul = a_soul()
    talked(soul, known, said, "yes")

    assert values(soul) == [right]


@each_row(
    "message",
    [
        "I just had a coffee",
        "been a long shift",
        "acabo de comer",
        "back in five",
        "qué sueño tengo hoy",
    ],
)
def test_what_passes_is_not_kept(message: str) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == []


@each_row(
    "message, kept",
    [
        ("oh and btw my locker is number 12", "my locker is number 12"),
        ("mind you, I grew up in Perth", "I grew up in Perth"),
        ("by the way my sister lives in Cork", "my sister lives in Cork"),
        ("ah por cierto, mi hermana vive en Burgos", "mi hermana vive en Burgos"),
        ("Tuesday evenings I sing in a choir", "Tuesday evenings I sing in a choir"),
        ("lo he cambiado de sitio, va en la mesilla", "lo he cambiado de sitio, va en la mesilla"),
        ("no tengo alergias", "no tengo alergias"),
        (":( my aunt died", ":( my aunt died"),
        # What follows with a name or a number tells more, and whom "she" is would be lost.
        ("our son is called Sam, who is 6", "our son is called Sam, who is 6"),
        ("Hi, I'm 34, I cut hair in Leith", "Hi, I'm 34, I cut hair in Leith"),
        (
            "Write me a poem for my aunt Sheila, she's turning 70",
            "Write me a poem for my aunt Sheila, she's turning 70",
        ),
        ('"no hay mal que por bien no venga", mi madre lo dice siempre', "mi madre lo dice siempre"),
        ("when I was nine we moved to Cork", "when I was nine we moved to Cork"),
        ("ok then remind me to book it tomorrow at noon", "ok then remind me to book it tomorrow at noon"),
    ],
)
def test_a_memory_begins_where_the_fact_begins(message: str, kept: str) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == [kept]


@each_row(
    "message, facts",
    [
        ("my boss is called Karen and my desk mate is Luis",
         ["my boss is called Karen", "my desk mate is Luis"]),
        ("I live in Leeds. My sister is called Nora.", ["I live in Leeds", "My sister is called Nora"]),
        ("I hate leeks but I love onions", ["I hate leeks", "I love onions"]),
        ("dentist on Monday, and the garage on Thursday", ["dentist on Monday", "the garage on Thursday"]),
        # Not what two do together, shares a verb or a subject, points back, may be of the day before it, is
        # only thought or supposed, or would lose the name of whom it is about.
        ("my niece Ada is 9 and she's allergic to kiwi", None),
        ("Maeve has a son and he is autistic", None),
        ("Mi hermano tiene un perro y se llama Rex", None),
        ("If the exam is on Friday, I fly on Saturday", None),
        ("I dreamt I was rich and I had a boat", None),
        ("I was told my brother is ill and my sister is well", None),
        ("Physio every Tuesday and Thursday at 5 until Christmas", None),
        ("My sister's birthday is 3 May and my brother's is 4 June", None),
        ("mi gato se llama Mus, tiene quince años y está ciego", None),
        ("my cousin and I own a shop in Hull", None),
        ("I have a dog, Pepper, and a tortoise", None),
        ("my mother is from Oslo and my father from Turin", None),
        ("mi padre tiene una barca y mi madre una casa", None),
        ("my sister is married to Ann and she's a vet", None),
        ("I have a parrot and my son hates it", None),
        ("I met my aunt and my uncle who is a vet in Wales", None),
        ("my mum is coming on Friday and I'm picking up the cake at 3", None),
    ],
)  # fmt: skip
def test_each_fact_that_stands_by_itself_is_a_memory(message: str, facts: list[str] | None) -> None:
    assert facts_in(message, date(2026, 11, 14)) == (facts or [message])


@pytest.mark.parametrize("by_no", [True, False])
def test_one_word_takes_back_all_facts_of_a_message(by_no: bool) -> None:
    soul = a_soul()
    shown = talked(soul, "my boss is called Karen and my desk mate is Luis")
    one, other = soul.memory.list()

    assert "remembered: my boss is called Karen; my desk mate is Luis" in shown
    assert one.evidence == other.evidence
    if by_no:
        talked(soul, "no")
    else:
        soul.undo()
    assert values(soul) == []


def test_a_change_of_one_fact_leaves_the_other() -> None:
    soul = a_soul()
    talked(soul, "my boss is called Karen and my dentist is Dr Pope", "my dentist is Dr Bell now", "yes")

    assert values(soul) == ["my boss is called Karen", "my dentist is Dr Bell now"]
