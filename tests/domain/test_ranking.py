"""What is found, in which order, with which score and why."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.ranking import Query, Scored, Weights, search
from tests.domain.shelf import TODAY, Shelf

FILLER = (
    "the weather was lovely in the mountains",
    "we cooked lentils for dinner on Monday",
    "her cousin plays the violin in an orchestra",
    "the train to the coast left too early",
    "he repaired an old bicycle in the garage",
)
MODES = ("best", "weighted", "tfidf")


def _ask(shelf: Shelf, question: str, **how: object) -> list[Scored]:
    return search(shelf, Query(question, TODAY)._replace(**how))  # type: ignore[arg-type]


def _texts(hits: list[Scored]) -> list[str]:
    return [hit.passage.text for hit in hits]


@pytest.mark.parametrize("mode", MODES)
def test_the_only_memory_is_found(mode: str) -> None:
    [hit] = _ask(Shelf().facts("trabajo: diseña puentes"), "¿Quién diseña puentes?", mode=mode)

    assert hit.score > 0.25
    assert hit.by_word
    assert not hit.by_meaning


@pytest.mark.parametrize("mode", MODES)
def test_the_parts_of_a_score_add_up_to_it(mode: str) -> None:
    vectors = dict.fromkeys(FILLER, (0.6, 0.8))
    shelf = Shelf(vectors).talk(*(f"Ana: {text}" for text in FILLER), day=date(2026, 11, 10))

    hits = _ask(shelf, "Did Ana go to the mountains last week by train?", vector=(1.0, 0.0), mode=mode)

    assert hits
    for hit in hits:
        assert 0 < hit.score <= 1
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        assert all(part.value > 0 for part in hit.parts)


@pytest.mark.parametrize("mode", MODES)
def test_an_unrelated_question_is_answered_with_silence(mode: str) -> None:
    assert _ask(Shelf().facts(*FILLER), "quantum chromodynamics lattice", mode=mode) == []
    assert _ask(Shelf().facts(*FILLER), '"', mode=mode) == []


def test_a_question_that_shares_one_common_word_stays_below_a_quarter() -> None:
    shelf = Shelf().talk(*FILLER).facts(*(f"{text} on a day like any other" for text in FILLER))

    hits = _ask(shelf, "Which day did the parliament ratify the fisheries treaty?")

    assert all(hit.score < 0.25 for hit in hits)


def test_an_exact_word_beats_its_stem() -> None:
    exact, stem = _ask(Shelf().facts("she paints it", "she painted it"), "paints")

    assert exact.passage.text == "she paints it"
    assert stem.score < 0.85 * exact.score


def test_a_rare_word_beats_a_common_one() -> None:
    shelf = Shelf().facts("coffee with cinnamon", "tea with milk", "tea with honey", "tea with lemon")

    assert _texts(_ask(shelf, "tea cinnamon"))[0] == "coffee with cinnamon"


def test_a_beginning_finds_a_word_that_is_not_known_whole() -> None:
    assert _texts(_ask(Shelf().facts(*FILLER), "orchest")) == [FILLER[2]]


def test_an_answer_is_found_through_the_question_before_it() -> None:
    shelf = Shelf().talk("Ana: Which instrument do you play?", "Luis: The cello.").talk(*FILLER)

    assert "The cello." in _texts(_ask(shelf, "instrument"))[:2]


def test_facts_that_stand_together_do_not_answer_for_each_other() -> None:
    assert _texts(_ask(Shelf().facts("instrument: violin", "city: Girona"), "instrument")) == [
        "instrument: violin"
    ]


def test_whom_the_question_names_is_preferred_as_speaker() -> None:
    shelf = Shelf().talk("Luis: that same morning I finally adopted a small puppy")
    shelf.talk("Ana: Luis, you adopted a puppy")

    assert [hit.passage.speaker for hit in _ask(shelf, "When did Luis adopt a puppy?")] == ["Luis", "Ana"]


def test_what_the_user_said_is_preferred_to_the_reply() -> None:
    shelf = Shelf().talk("my kayak is red", roles=["user"]).talk("your kayak is red", roles=["assistant"])

    assert [hit.passage.role for hit in _ask(shelf, "kayak")] == ["user", "assistant"]


def test_a_time_in_the_question_favours_that_time() -> None:
    shelf = (
        Shelf()
        .facts("dentist appointment", day=date(2023, 3, 10))
        .facts("dentist visit", day=date(2026, 11, 1))
    )

    assert _texts(_ask(shelf, "dentist in March 2023"))[0] == "dentist appointment"
    assert _texts(_ask(shelf, "dentist"))[0] == "dentist visit"


def test_a_question_of_nothing_but_a_time_is_answered_by_that_time() -> None:
    shelf = Shelf().talk("paella", day=date(2026, 11, 14)).talk("gazpacho", day=date(2026, 3, 1))

    [hit] = _ask(shelf, "¿ayer?", min_score=0.25)

    assert hit.passage.text == "paella"


def test_recency_never_outranks_a_clearly_better_match() -> None:
    shelf = Shelf().facts("the blue kayak hangs in the shed", day=date(2016, 1, 1))
    shelf.facts("a kayak", day=TODAY)

    assert _texts(_ask(shelf, "Where does the blue kayak hang?"))[0].startswith("the blue kayak")


def test_meaning_finds_what_has_no_word_in_common() -> None:
    shelf = Shelf({"es alérgica al maní": (1.0, 0.0), FILLER[0]: (-0.8, 0.6)})
    shelf.facts("es alérgica al maní", FILLER[0])

    hits = _ask(shelf, "peanut allergy", vector=(0.6, 0.8), min_score=0.25)

    assert _texts(hits) == ["es alérgica al maní"]
    assert hits[0].by_meaning
    assert not hits[0].by_word


@pytest.mark.parametrize("mode", ["best", "weighted"])
def test_a_passage_found_both_ways_beats_one_found_once(mode: str) -> None:
    texts = ("my cat is called Mia", "my dog is called Rex", "a cat on a wall")
    shelf = Shelf({texts[0]: (1.0, 0.0), texts[1]: (1.0, 0.0), texts[2]: (0.0, 1.0)}).facts(*texts)

    assert _texts(_ask(shelf, "cat", vector=(1.0, 0.0), mode=mode))[0] == texts[0]


def test_what_is_not_embedded_yet_is_found_by_its_words_in_full() -> None:
    shelf = Shelf({FILLER[0]: (0.0, 1.0)}).facts(FILLER[0], "the passport lies in the drawer")

    [hit] = _ask(shelf, "passport drawer", vector=(1.0, 0.0))

    assert hit.score > 0.8
    assert not hit.by_meaning


def test_a_passage_that_is_the_question_scores_one() -> None:
    assert _ask(Shelf().facts("blue kayak shed"), "blue kayak shed")[0].score == pytest.approx(1)


def test_being_recent_is_no_reason_by_itself() -> None:
    shelf = Shelf({FILLER[0]: (0.0, 1.0)}).facts(FILLER[0], day=TODAY)

    assert _ask(shelf, "passport", vector=(1.0, 0.0)) == []


def test_weighted_is_seven_tenths_meaning_and_three_tenths_words() -> None:
    weights = Weights(length=0, speaker=0, recency=0, doubt=1)
    shelf = Shelf({"kayak": (1.0, 0.0)}).facts("kayak")

    [hit] = _ask(shelf, "kayak", vector=(0.4, 0.9165), mode="weighted", weights=weights)

    assert hit.score == pytest.approx(0.7 * 0.5 + 0.3)


def test_what_the_caller_does_not_want_takes_nobodys_place() -> None:
    shelf = Shelf().facts("one apple among very many others", *(f"apple number {n}" for n in range(900)))
    wanted = shelf.having("others")

    [hit] = _ask(shelf, "apple", limit=1, keep=lambda passage: passage.id in wanted)

    assert hit.passage.text.startswith("one")


def test_classic_search_drops_what_is_hardly_alike() -> None:
    shelf = Shelf().facts("apple " + " ".join(f"word{n}" for n in range(20_000)), "an apple")

    assert _texts(_ask(shelf, "apple", mode="tfidf")) == ["an apple"]


_word = st.sampled_from(["kayak", "blue", "shed", "river", "lemon", "violin", "bicycle", "train"])
_text = st.lists(_word, min_size=1, max_size=8).map(" ".join)


@given(
    st.lists(_text, min_size=1, max_size=6), st.lists(_word, min_size=1, max_size=5, unique=True), st.data()
)
def test_one_more_word_of_the_question_never_lowers_a_passage(
    texts: list[str], question: list[str], data: st.DataObject
) -> None:
    chosen = data.draw(st.integers(0, len(texts) - 1))
    more = [*texts]
    more[chosen] += " " + data.draw(st.sampled_from(question))
    talk = data.draw(st.booleans())

    def score(turns: list[str]) -> float:
        shelf = Shelf().talk(*turns) if talk else Shelf().facts(*turns)
        hits = _ask(shelf, " ".join(question), limit=10)
        return next((hit.score for hit in hits if hit.passage.line == chosen), 0.0)

    assert score(more) >= score(texts) - 1e-9


@given(st.text(), st.sampled_from(MODES))
def test_any_string_is_a_valid_question(question: str, mode: str) -> None:
    for asked in (question, f"{question} kayak NEAR( * AND"):
        for hit in _ask(Shelf().talk(*FILLER).facts("kayak"), asked, mode=mode):
            assert 0 < hit.score <= 1
