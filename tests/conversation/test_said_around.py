"""What people say around a question or an order, such as a name or a sigh, changes nothing of it."""

import pytest

import almario
from almario.testing import FixedClock
from tests.effort import every
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
TOLD = {
    "I'm allergic to penicillin": ("what am I allergic to?", "penicillin"),
    "The spare key is under the blue pot": ("where is the spare key?", "blue pot"),
    "I owe Marta 40 euros": ("how much do I owe Marta?", "40"),
    "Nuestra perra se llama Lola": ("¿cómo se llama nuestra perra?", "Lola"),
    "Tomo la pastilla blanca por la noche": ("¿cuándo tomo la pastilla blanca?", "noche"),
    "Papá cumple 70 el 3 de marzo": ("¿cuándo es el cumple de papá?", "marzo"),
}
AROUND = [
    ("Vesper, {}", "Vesper, {}"),
    ("Hey Vesper! {}", "¡Hola, Vesper! {}"),
    ("vesper {}", "vesper {}"),
    ("{bare}, Vesper?", "{bare}, Vesper?"),
    ("long day today. {}", "vaya día. {}"),
    ("my cat died this morning. {}", "se me ha muerto el gato. {}"),
    ("the kids are at school. {}", "los niños están en el cole. {}"),
    ("{} thanks", "{} gracias"),
    ("{bare}", "{bare}"),
    ("tell me {bare}", "dime {bare}"),
]


def called_vesper() -> almario.Soul:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    identity = soul.read("IDENTITY.md")
    soul.write(identity, "# Identity\n\n- Name: Vesper\n", reason="so it is called")
    return soul


@pytest.fixture(scope="module")
def soul() -> almario.Soul:
    """A soul that has been told a few things."""
    soul = called_vesper()
    for fact in TOLD:
        soul.remember(fact)
    return soul


@each_row(
    "fact, message",
    every(
        3,
        [
            (fact, around["¿" in asked].format(asked, bare=asked.strip("¿?")))
            for fact, (asked, _) in TOLD.items()
            for around in AROUND
        ],
    ),
)
def test_what_is_said_around_a_question_changes_nothing_of_its_answer(
    soul: almario.Soul, fact: str, message: str
) -> None:
    answer = soul.talk(message, f"cli:{message}").text

    assert TOLD[fact][1] in answer
    assert f"- {message}" not in answer


@each_row("call", ["Vesper, {}", "Hey Vesper! {}", "{}, Vesper."])
def test_a_fact_is_kept_without_the_name_that_the_agent_is_called_by(call: str) -> None:
    soul = called_vesper()
    soul.talk(call.format("I moved to Leith in May"))

    assert [memory.value.rstrip(".") for memory in soul.memory.list()] == ["I moved to Leith in May"]


ORDERS = {
    "remember that the boiler man comes on Friday": ("remember", 3),
    "forget that Hannah lives in Leeds": ("forget", 2),
    "between us, I can't stand my boss": ("off_record", 2),
    "I started at the bakery on Monday": ("remember", 3),
    "olvida que la perra se llama Lola": ("forget", 1),
    "recuerda que el técnico viene el viernes": ("remember", 3),
}
SAID_WITH = {
    False: ["Vesper, {}", "hey Vesper, {}", "please {}", "{}, thanks", "Hi! {}", "{}, ok?", "sorry, {}"],
    True: ["Vesper, {}", "oye Vesper, {}", "por favor, {}", "{}, gracias", "¡Hola! {}", "{}, vale?"],
}


@each_row(
    "order, message",
    every(
        3,
        [
            (order, around.format(order))
            for order in ORDERS
            for around in SAID_WITH[order.startswith(("olvida", "recuerda"))]
        ],
    ),
)
def test_what_is_said_around_an_order_changes_nothing_of_what_is_done(order: str, message: str) -> None:
    soul = called_vesper()
    soul.remember("My sister Hannah lives in Leeds")
    soul.remember("Nuestra perra se llama Lola")

    name, left = ORDERS[order]
    assert [action.name for action in soul.talk(message).done] == [name]
    assert len(soul.memory.list()) == left


@each_row(
    "message", ["one more thing: forget that Hannah lives in Leeds", "otra cosa: olvida que Ana vive en León"]
)
def test_what_may_order_to_forget_is_never_kept_as_a_fact(message: str) -> None:
    soul = called_vesper()
    soul.remember("My sister Hannah lives in Leeds")
    soul.talk(message)

    assert [memory.value for memory in soul.memory.list()] == ["My sister Hannah lives in Leeds"]
