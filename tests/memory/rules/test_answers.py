"""The vector of a question is moved to where its answers lie."""

import math
from statistics import fmean, pstdev

import pytest

from almario.adapters.embedders.local import LocalEmbedder
from almario.memory.embedding import cosine_of
from almario.memory.rules.answers import BACKGROUND, WEIGHTS, towards_answers
from tests.tables import each_row

pytestmark = pytest.mark.light

# Sentences that were not fitted.
ENGLISH = (
    "we rent the ground floor of a house in Harrow Street",
    "two cats and a parrot keep us company",
    "cashews bring me out in hives",
    "Hamid and I tied the knot in 2016",
    "I row on the river on Saturdays",
    "the car needs a new clutch",
    "I was brought up in Galway",
)
SPANISH = (
    "reparo ascensores en un taller",
    "nos hacen compañía dos gatos y un loro",
    "los anacardos me dan ronchas",
    "vivimos de alquiler en una planta baja de la calle Sauce",
    "me crié en Salta",
    "Hamid y yo nos casamos en 2016",
)


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@each_row(
    "question, fact",
    [
        ("what's my address?", ENGLISH[0]),
        ("which postcode is mine", ENGLISH[0]),
        ("which foods are dangerous for me?", ENGLISH[2]),
        ("am I married?", ENGLISH[3]),
        ("what sport do I do?", ENGLISH[4]),
        ("¿dónde curro?", SPANISH[0]),
        ("¿qué animales tengo?", SPANISH[1]),
        ("¿cuál es mi domicilio?", SPANISH[3]),
    ],
)
def test_what_answers_a_question_comes_nearer_than_all_else(
    question: str, fact: str, embedder: LocalEmbedder
) -> None:
    facts = ENGLISH if fact in ENGLISH else SPANISH
    asked, *vectors = embedder.embed([question, *facts])
    moved = towards_answers(asked)

    assert max(zip(facts, vectors, strict=True), key=lambda each: cosine_of(each[1], moved))[0] == fact


def test_what_has_nothing_to_do_with_it_lies_around_the_background(embedder: LocalEmbedder) -> None:
    questions = ["when does the library close?", "¿quién pintó la valla?", "how far is the moon?"]
    moved = map(towards_answers, embedder.embed(questions))
    facts = embedder.embed([*ENGLISH, *SPANISH])
    cosines = [cosine_of(one, fact) for one in moved for fact in facts]
    mean, spread = BACKGROUND

    assert abs(fmean(cosines) - mean) < spread
    assert spread / 2 < pstdev(cosines) < 2 * spread


def test_a_vector_of_no_length_stays_harmless() -> None:
    assert all(map(math.isfinite, towards_answers([0.0] * 512)))


def test_its_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size <= 150_000
