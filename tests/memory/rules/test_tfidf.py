"""The search that can be followed with a pencil."""

import math

import pytest

from almario.domain.candidates import Filter
from almario.domain.model import Scope
from almario.memory.rules.scored import RankingQuery, Scored
from almario.memory.rules.tfidf import search
from almario.text.questions import read_question
from tests.memory.rules.passages_found import TODAY, MemoryTable


def _ask(table: MemoryTable, question: str, **how: object) -> list[Scored]:
    return search(table, RankingQuery(read_question(question, TODAY))._replace(**how))  # type: ignore[arg-type]


def test_each_word_has_its_tf_and_idf_and_its_part_of_the_cosine() -> None:
    table = MemoryTable().facts("cat dog", "cat cat fish", "bird")

    first, second = _ask(table, "a dog or a cat")

    dog, cat, fish = math.log(4 / 2) + 1, math.log(4 / 3) + 1, math.log(4 / 2) + 1
    asked = math.hypot(dog, cat)
    dogs, cats, lengths = first.parts
    names = ["dog: tf 1 × idf ln(4/2) + 1", "cat: tf 1 × idf ln(4/3) + 1", "|q| 2.13 × |d| 2.13"]
    assert [dogs[0], cats[0], lengths[0]] == names
    assert dogs[1:] == pytest.approx((dog, dog * dog / asked / asked))
    assert cats[1:] == pytest.approx((cat, cat * cat / asked / asked))
    assert lengths[1:] == pytest.approx((asked * asked, 0.0))
    assert first.score == pytest.approx(1.0)
    own = math.hypot(2 * cat, fish)
    assert second.parts[0][0] == "cat: tf 2 × idf ln(4/3) + 1"
    assert second.parts[0][1:] == pytest.approx((2 * cat, second.score))
    assert second.score == pytest.approx(cat * 2 * cat / asked / own)


def test_of_chinese_and_japanese_the_pairs_of_characters_count() -> None:
    table = MemoryTable().facts("我喜欢深色模式", "東京に住んでいます", "a cat")

    [dark], [tokyo] = _ask(table, "深色"), _ask(table, "東京はどう")

    assert dark.passage.text == "我喜欢深色模式"
    assert tokyo.parts[0][0] == "東京: tf 1 × idf ln(4/2) + 1"


def test_what_shares_no_word_or_is_not_wanted_does_not_come() -> None:
    table = MemoryTable().facts("the cat sleeps").talk("user: a cat came by")

    assert _ask(table, "dog") == _ask(table, "") == []
    only = Filter(Scope(kinds=("fact",)))
    assert [each.passage.text for each in _ask(table, "cat", filter=only)] == ["the cat sleeps"]
    assert [each.passage.text for each in _ask(table, "cat", hidden=["a#0"])] == ["the cat sleeps"]


def test_what_only_asks_does_not_come_and_makes_no_word_common() -> None:
    [alone] = _ask(MemoryTable().facts("the cat sleeps", "rain"), "cat")
    table = MemoryTable().facts("the cat sleeps", "rain").talk("user: where is the cat?")

    assert _ask(table, "cat")[0].score == alone.score
    assert len(_ask(table, "cat")) == 1


def test_more_words_than_are_looked_up_at_once_are_all_counted() -> None:
    table = MemoryTable().facts("cat " + " ".join(f"word{n}" for n in range(100)), "word7", "word8")

    [hit] = _ask(table, "cat")

    common, rare = math.log(4 / 3) + 1, math.log(4 / 2) + 1
    assert hit.score == pytest.approx(rare / math.hypot(*[rare] * 99, common, common))
