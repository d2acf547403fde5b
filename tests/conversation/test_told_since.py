"""Without a model: an answer is told with what was said since about the same."""

import pytest

from almario.testing import FixedClock
from tests.conversation.unaided import a_soul, talked
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
SINCE = ("but since then you said", "pero después dijiste")


@each_row(
    "said, then, asked",
    [
        (
            "guardé los pasaportes en el cajón de la cocina",
            "los cambié de lugar, están en la caja de zapatos",
            "¿dónde están los pasaportes?",
        ),
        (
            "lunch with Margaret on Wednesday at the garden centre",
            "Margaret's hip is playing up so we've left it for now",
            "what have I got on Wednesday?",
        ),
        # What was not remembered may have changed it, too.
        (
            "creo que voy a dejar el gimnasio",
            "nah mejor me quedo, me hicieron descuento",
            "¿sigo en el gimnasio?",
        ),
    ],
)
def test_what_was_said_since_about_the_same_is_told_beside_it(said: str, then: str, asked: str) -> None:
    shown = talked(a_soul(), said, then, asked)

    before, since = shown.index(said), shown.index(then)
    assert before < since
    assert any(each in shown[before:since] for each in SINCE)


@each_row(
    "said, then, asked",
    [
        # About something else.
        (
            "my sister's birthday is on 14 March",
            "I parked on level 3, row F",
            "when is my sister's birthday?",
        ),
        ("I have a biopsy on the 9th", "my boss is called Priya", "when is my biopsy?"),
        # A question, an order, a confidence, or what was taken back.
        ("the spare key is under the blue pot", "is the spare key still there?", "where's the spare key?"),
        ("I lent Tom 60 quid", "between us, Tom paid it back with stolen money", "what did I lend Tom?"),
        ("I lent Tom 60 quid", "off the record, Tom stole it", "what did I lend Tom?"),
        ("I lent Tom 60 quid", "Tom gave me 20 last night / scrap that", "what did I lend Tom?"),
        # A yes is no news.
        ("the flight moved to 07:35 on Friday", "yes that's right, from Gatwick", "when is the flight?"),
    ],
)
def test_nothing_else_is_told_beside_it(said: str, then: str, asked: str) -> None:
    shown = talked(a_soul(), said, *then.split(" / "), asked)

    assert said in shown
    assert not any(each in shown for each in SINCE)


def test_what_was_forgotten_is_not_told_beside_it() -> None:
    soul = a_soul()
    talked(soul, "I lent Tom 60 quid", "Tom gave me 20 last night")
    soul.forget(soul.memory.list()[-1].id)

    assert not any(each in talked(soul, "what did I lend Tom?") for each in SINCE)


def test_what_follows_hours_later_has_a_word_of_it() -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local", "language": "en"})
    talked(soul, "My brother Steve lives in Cardiff")
    clock.advance(hours=2)
    talked(soul, "he's moved back in with mum in Swindon")

    assert not any(each in talked(soul, "where does my brother live?") for each in SINCE)


def test_a_secret_said_since_is_not_shown() -> None:
    then = "they gave me sk-ant-api03-Zx9Kq2LmN8pR4tVw7yB1cD3eF5gH6jK0 for it"
    shown = talked(a_soul(), "the shop gave me a key", then, "what key did the shop give me?")

    assert "they gave me [redacted:api-key]" in shown
