"""The benchmarks measure the product's own path, on texts that are the same everywhere."""

from pathlib import Path
from typing import NamedTuple

from benchmarks.caching import sent, session, talked
from benchmarks.systems import words_only
from benchmarks.texts import passages, questions


class Turn(NamedTuple):
    id: str
    speaker: str
    text: str


class Session(NamedTuple):
    id: str
    date: str
    turns: list[Turn]


def test_a_system_answers_with_the_ids_of_the_data_set() -> None:
    system = words_only()
    first = [Turn("D1:1", "Ana", "My dog is called Kobold."), Turn("D1:2", "Luis", "I like bridges.")]
    second = [Turn("D2:1", "assistant", "The train leaves at nine.")]

    system.ingest([Session("S1", "2023-05-08 13:56", first), Session("S2", "", second)])

    assert system.search("What is the dog called?", 10)[0] == ["D1:1"]
    assert system.search("When does the train leave?", 10, "2023-06-01 10:00")[0] == ["D2:1"]
    system.close()


def test_made_up_texts_are_the_same_every_time() -> None:
    texts = passages(20)

    assert passages(20) == texts
    assert texts[0].startswith("Are and glemorwick that in with linten")
    assert texts[1].startswith("De metordulsoa de duldulos era pestortorar")
    assert len({len(text.split()) for text in texts}) > 1


def test_a_question_has_six_to_ten_words_and_is_about_a_passage() -> None:
    texts = passages(10)

    for question in questions(20, texts):
        words = question.rstrip("?").split()
        assert 6 <= len(words) <= 10
        assert any(sum(word in text.lower() for word in words) >= 3 for text in texts)


def test_two_thirds_of_what_a_session_sends_can_be_cached(tmp_path: Path) -> None:
    asked = talked(session(tmp_path))

    assert sent(asked).share >= 2 / 3
    assert sent(asked, changing_first=True).share < 2 / 3
    assert len({ask.stable for ask in asked}) == len({repr(ask.tools) for ask in asked}) == 1
