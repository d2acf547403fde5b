"""A memory about somebody else is told from one about whom a question asks for."""

import pytest

from almario.text.whose import of_others
from tests.tables import each_row

pytestmark = pytest.mark.light


@each_row(
    ("question", "fact"),
    [
        ("what am I allergic to?", "my sister is allergic to peanuts"),
        ("what's my cat called?", "our dog is called Bruno"),
        ("where does Ana work?", "Tom works at the port"),
        ("how old is my nephew?", "I turned 44 in May"),
        ("¿a qué soy alérgico?", "mi hermana es alérgica a los cacahuetes"),
        ("¿dónde vive mi padre?", "mi madre vive en Soria"),
    ],
)
def test_somebody_else_is_told_from_whom_a_question_is_about(question: str, fact: str) -> None:
    [chance] = of_others(question, [fact])

    assert chance >= 0.5


@each_row(
    ("question", "fact"),
    [
        ("what am I allergic to?", "I can't have peanuts"),
        ("what is my sister allergic to?", "my sister is allergic to peanuts"),
        ("where does my mother live?", "mum has a bungalow by the sea"),
        ("where do I keep the key?", "the key is under the blue pot"),
        ("what does my brother do?", "Kev fits kitchens"),  # Kev may be the brother
        ("¿dónde vive mamá?", "mi madre vive en Soria"),
        ("¿en qué trabajo?", "trabajo en una imprenta"),
    ],
)
def test_the_same_person_or_nobody_counts_neither_way(question: str, fact: str) -> None:
    [chance] = of_others(question, [fact])

    assert chance < 0.3


def test_who_is_a_sister_in_one_memory_is_her_in_all() -> None:
    asked, fact = "what is Ana's job?", "my sister is a nurse"

    alone, joined = of_others(asked, [fact]), of_others(asked, [fact], also=["my sister Ana has twins"])

    assert joined[0] < 0.3
    assert alone[0] >= 0.5


def test_the_owner_by_name_is_nobody_else() -> None:
    fact, question = "we call it Grace's room", "where do I sleep?"

    assert of_others(question, [fact], own={"grace"}) == [0.0] != of_others(question, [fact])
