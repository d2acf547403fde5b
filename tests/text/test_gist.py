"""What can be seen of a passage at a glance: whether it tells anything, its figures, the days it names."""

from datetime import date

from almario.domain.passages import Passage
from almario.text.timewords import tells, with_gist
from tests.tables import each_row

DAY = date(2026, 11, 10)


def _turn(text: str) -> Passage:
    return with_gist(Passage(text, "sessions/a.jsonl", 1, "turn", DAY, turn="a#1"))


@each_row(
    "text",
    [
        "What is Leo allergic to?",
        "¿Cómo se llama mi médica? ¿Y el dentista?",
        "what's my dentist called again",
        "where is the spare key",
        "donde esta la llave de repuesto",
        "qué día pago la luz",
        "olvida lo del zoo",
        "forget about my trip to Lugo",
        "delete my salary from your memory",
        "remind me what my dentist is called",
        "decime cuando es la boda",
        "彼女の名前は？",
        "?!",
    ],
)
def test_questions_and_orders_to_forget_tell_nothing(text: str) -> None:
    assert not tells(text)


@each_row(
    "text",
    [
        "Leo is allergic to nuts.",
        "Do I have to go? I did fire safety in January.",
        "Como pan sin gluten desde mayo",
        "When I moan about running just let me moan.",
        "Remember that Ana is allergic to nuts",
        "olvida lo del zoo. Al final fuimos al acuario.",
        "remind me that I have the dentist on Monday",
        "Leo told me what he eats",
    ],
)
def test_whatever_has_a_statement_in_it_tells_something(text: str) -> None:
    assert tells(text)


def test_only_what_was_said_can_be_a_mere_question() -> None:
    note = Passage("Where to go next?", "notes.md", 1, "note")

    assert with_gist(note).tells


def test_a_passage_knows_the_days_it_speaks_of() -> None:
    assert _turn("the flight will be on 20 December").times == ((date(2026, 12, 20), date(2026, 12, 20)),)
    assert _turn("ayer comimos paella").moments == ((date(2026, 11, 9), date(2026, 11, 9)),)
    assert _turn("we ate paella").moments == ((DAY, DAY),)


def test_a_time_that_has_no_end_says_nothing_of_when() -> None:
    assert _turn("I have been a vegetarian until 2019").times == ()


@each_row(
    "text",
    ["it costs 900 euros", "paga dos millones", "on 3 May", "a las cinco y media", "es kostet zwölf Mark"],
)
def test_figures_are_seen(text: str) -> None:
    assert _turn(text).figures


def test_what_has_no_figure_has_none() -> None:
    assert not _turn("he likes rye bread").figures
