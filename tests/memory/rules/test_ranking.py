"""What is found, in which order, with which score and why."""

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.candidates import Filter
from almario.domain.model import Scope
from almario.memory.rules.ranking import search
from almario.memory.rules.scored import RankingQuery, Scored
from almario.text.questions import read_question
from tests.memory.rules.passages_found import TODAY, MemoryTable
from tests.tables import each_row

FILLER = (
    "the weather was lovely in the mountains",
    "we cooked lentils for dinner that evening",
    "her cousin plays the violin in an orchestra",
    "the train to the coast left too early",
    "he repaired an old bicycle in the garage",
)


def _ask(table: MemoryTable, question: str, **how: object) -> list[Scored]:
    return search(table, RankingQuery(read_question(question, TODAY))._replace(**how))  # type: ignore[arg-type]


def _texts(hits: list[Scored]) -> list[str]:
    return [hit.passage.text for hit in hits]


def test_the_reasons_of_a_score_add_up_to_its_log_odds() -> None:
    vectors = dict.fromkeys(FILLER, (0.6, 0.8))
    table = MemoryTable(vectors).talk(*(f"Ana: {text}" for text in FILLER), day=date(2026, 11, 10))

    hits = _ask(table, "Did Ana go to the mountains last week by train?", vector=(1.0, 0.0))

    assert hits
    for hit in hits:
        assert 0 < hit.score < 1
        odds = math.log(hit.score / (1 - hit.score))
        assert sum(value for _, _, value in hit.parts) == pytest.approx(odds)


def test_an_unrelated_question_is_hardly_likely_to_be_helped() -> None:
    for question in ("quantum chromodynamics lattice", '"', "asdfgh"):
        assert all(hit.score < 0.1 for hit in _ask(MemoryTable().facts(*FILLER), question))


def test_a_question_that_shares_one_common_word_is_not_answered_by_it() -> None:
    table = MemoryTable().talk(*FILLER).facts(*(f"{text} on a day like any other" for text in FILLER))

    hits = _ask(table, "Which day did the parliament ratify the fisheries treaty?")

    assert all(hit.score < 0.25 for hit in hits)


def test_an_exact_word_beats_its_stem() -> None:
    exact, stem = _ask(MemoryTable().facts("she paints it", "she painted it"), "paints")

    assert exact.passage.text == "she paints it"
    assert stem.score < exact.score


def test_a_rare_word_beats_a_common_one() -> None:
    table = MemoryTable().facts("coffee with cinnamon", "tea with milk", "tea with honey", "tea with lemon")

    assert _texts(_ask(table, "tea cinnamon"))[0] == "coffee with cinnamon"


def test_a_beginning_finds_a_word_that_is_not_known_whole() -> None:
    assert _texts(_ask(MemoryTable().facts(*FILLER), "orchest")) == [FILLER[2]]


def test_of_two_people_who_answers_the_question_belongs_to_it() -> None:
    table = MemoryTable().talk("Ana: Which instrument do you play?", "Luis: The cello.", "Ana: Lovely.")

    assert [part.text for part in _ask(table, "instrument")[0].answer] == ["The cello."]


@each_row("said", ["What is Leo allergic to?", "olvida lo del zoo", "¿Y el zoo?"])
def test_a_question_or_an_order_alone_is_no_answer(said: str) -> None:
    table = MemoryTable().talk(said, roles=["user"]).talk(*FILLER)

    assert said not in _texts(_ask(table, said))


def test_what_is_being_answered_neither_comes_nor_lends_to_its_neighbours() -> None:
    talk = ("the divorce is through at last", "I am here.", "xylophone platypus pumpkin")
    table = MemoryTable().talk(*talk, roles=["user", "assistant", "user"])

    with_it, without = (_ask(table, "xylophone platypus", hidden=hidden) for hidden in ((), ("a#2",)))

    assert _texts(with_it) == ["xylophone platypus pumpkin", "the divorce is through at last"]
    assert "xylophone platypus pumpkin" not in _texts(without)
    assert all(hit.score < with_it[1].score / 10 for hit in without)


def test_another_day_is_another_conversation() -> None:
    one = MemoryTable().talk("the kayak is in the shed", "we had soup", day=date(2026, 3, 1))
    two = MemoryTable().days(
        (date(2026, 3, 1), "the kayak is in the shed"), (date(2026, 3, 2), "we had soup")
    )

    together, apart = ({hit.passage.text: hit.score for hit in _ask(each, "kayak")} for each in (one, two))

    assert "we had soup" in together
    assert "we had soup" not in apart


def test_facts_that_stand_together_do_not_answer_for_each_other() -> None:
    assert _texts(_ask(MemoryTable().facts("instrument: violin", "city: Girona"), "instrument")) == [
        "instrument: violin"
    ]


def test_whom_the_question_names_is_preferred_as_speaker() -> None:
    table = MemoryTable().talk("Luis: that same morning I finally adopted a small puppy")
    table.talk("Ana: Luis, you adopted a puppy")

    assert [hit.passage.speaker for hit in _ask(table, "Did Luis adopt a puppy?")] == ["Luis", "Ana"]


def test_a_time_in_the_question_favours_that_time() -> None:
    table = (
        MemoryTable()
        .talk("dentist appointment", day=date(2023, 3, 10))
        .talk("dentist visit", day=date(2026, 11, 1))
    )

    assert _texts(_ask(table, "which dentist in March 2023?"))[0] == "dentist appointment"


def test_what_is_asked_about_comes_though_the_time_is_a_mistake() -> None:
    table = MemoryTable().talk("we gave the old car to the shelter", day=date(2025, 12, 18))
    table.talk("the shelter has a new cook", day=date(2026, 5, 3))

    assert _texts(_ask(table, "what did the shelter get in May 2026?")) == ["the shelter has a new cook"]
    car = _texts(_ask(table, "why did the shelter get the old car in May 2026?"))
    assert car[0] == "we gave the old car to the shelter"
    assert _texts(_ask(table, "who got the old car in July 2026?")) == ["we gave the old car to the shelter"]


def test_a_remark_only_mentions_its_time() -> None:
    table = MemoryTable().facts("Luz is coeliac", day=date(2026, 3, 1))

    assert _texts(_ask(table, "Luz comes for dinner tomorrow")) == ["Luz is coeliac"]


def test_where_a_figure_is_asked_for_what_has_one_is_preferred() -> None:
    table = MemoryTable().facts("the rent is due in the bank", "the rent is 900 euros")

    assert _texts(_ask(table, "how much is the rent?"))[0] == "the rent is 900 euros"


def test_age_never_outranks_a_clearly_better_match() -> None:
    table = MemoryTable().facts("the blue kayak hangs in the shed", day=date(2016, 1, 1))
    table.facts("a kayak", day=TODAY)

    assert _texts(_ask(table, "Where does the blue kayak hang?"))[0].startswith("the blue kayak")


def test_meaning_finds_what_has_no_word_in_common() -> None:
    table = MemoryTable({"es alérgica al maní": (1.0, 0.0), FILLER[0]: (-0.8, 0.6)})
    table.facts("es alérgica al maní", FILLER[0])

    hits = _ask(table, "peanut allergy", vector=(0.8, 0.6))

    assert [hit.passage.text for hit in hits if hit.score >= 0.25] == ["es alérgica al maní"]
    assert hits[0].by_meaning
    assert not hits[0].by_word


def test_a_passage_found_both_ways_beats_one_found_once() -> None:
    texts = ("my cat is called Mia", "my dog is called Rex", "a cat on a wall")
    table = MemoryTable({texts[0]: (1.0, 0.0), texts[1]: (1.0, 0.0), texts[2]: (0.0, 1.0)}).facts(*texts)

    assert _texts(_ask(table, "cat", vector=(1.0, 0.0)))[0] == texts[0]


def test_the_owner_says_what_meaning_weighs_and_each_score_can_be_added_up() -> None:
    near, named, bare = "a parrot that sings", "the pet shop on the corner", "my pet snake"
    table = MemoryTable({near: (0.8, 0.6), named: (0.3, 0.954), FILLER[0]: (0.1, 0.995)})
    table.facts(near, named, bare, *FILLER[:1])

    def scores(**how: object) -> dict[str, float]:
        return {hit.passage.text: hit.score for hit in _ask(table, "pet", vector=(1.0, 0.0), **how)}

    for hit in _ask(table, "pet", vector=(1.0, 0.0), meaning_weight=0.7):
        assert sum(value for _, _, value in hit.parts) == pytest.approx(hit.score)
    by_both, by_words, by_meaning = (scores(meaning_weight=weight) for weight in (0.7, 0.0, 1.0))
    assert by_meaning == pytest.approx({near: 0.8, named: 0.3, FILLER[0]: 0.1, bare: by_words[bare]})
    assert by_both[named] == pytest.approx(0.7 * 0.3 + 0.3 * by_words[named])
    assert by_both[bare] == by_words[bare]  # what has no vector is found by its words in full
    assert by_words.keys() == {named, bare}
    assert scores() == scores(meaning_weight=None) != by_both


def test_what_is_not_embedded_yet_is_found_by_its_words_in_full() -> None:
    table = MemoryTable({FILLER[0]: (0.0, 1.0)}).facts(FILLER[0], "the passport lies in the drawer")

    hit = _ask(table, "passport drawer", vector=(1.0, 0.0))[0]

    assert hit.passage.text.startswith("the passport")
    assert hit.score > 0.7
    assert not hit.by_meaning


def test_what_the_caller_does_not_want_takes_nobodys_place() -> None:
    table = MemoryTable().facts("one apple among very many others", day=TODAY)
    table.facts(*(f"apple number {n}" for n in range(900)), day=date(2025, 1, 1))

    [hit] = _ask(table, "apple", limit=1, filter=Filter(Scope(since=TODAY)))

    assert hit.passage.text.startswith("one")


_word = st.sampled_from(["kayak", "blue", "shed", "river", "lemon", "violin", "bicycle", "train"])
_text = st.lists(_word, min_size=1, max_size=8).map(" ".join)


@given(
    st.lists(_text, min_size=1, max_size=6), st.lists(_word, min_size=1, max_size=5, unique=True), st.data()
)
def test_one_more_word_of_the_question_never_lowers_a_fact(
    texts: list[str], question: list[str], data: st.DataObject
) -> None:
    chosen = data.draw(st.integers(0, len(texts) - 1))
    more = [*texts]
    more[chosen] += " " + data.draw(st.sampled_from(question))

    def score(facts: list[str]) -> float:
        hits = _ask(MemoryTable().facts(*facts), " ".join(question), limit=10)
        return next((hit.score for hit in hits if hit.passage.line == chosen), 0.0)

    assert score(more) >= score(texts) - 1e-9


def test_in_passing_what_is_found_has_the_score_that_words_alone_would_give_it() -> None:
    vectors = dict.fromkeys(FILLER, (0.6, 0.8))
    message = "The violin of her cousin is broken."

    near = _ask(MemoryTable(vectors).talk(*FILLER), message, vector=(1.0, 0.0), in_passing=True)[0]
    alone = _ask(MemoryTable().talk(*FILLER), message, in_passing=True)[0]

    assert near.passage.text == alone.passage.text == FILLER[2]
    assert near.word_score == pytest.approx(alone.score)


def test_a_time_that_is_mentioned_in_passing_speaks_against_nothing() -> None:
    table = MemoryTable().talk(*FILLER, day=date(2026, 6, 10))
    remark = "The violin of her cousin was broken on Friday last week."

    mentioned = _ask(table, remark, in_passing=True)[0]
    meant = _ask(table, remark)[0]

    assert not [part for part in mentioned.parts if part[0] == "time"]
    assert [value < 0 for name, _, value in meant.parts if name == "time"] == [True]
