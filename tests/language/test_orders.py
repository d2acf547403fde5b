"""Orders in words, language by language: what is heard, what is not, and what a table of them must have."""

import re

import pytest

from almario.language import ROWS, Language, languages
from almario.text.clauses import folded
from almario.text.order_patterns import Orders, spoken
from almario.text.spelling import spelled
from almario.text.wishes import FORGET, REMEMBER, Wish, off_record_in, wish_in
from tests.language import chat_confidences, chat_wishes, more_orders, order_texts, tempting
from tests.tables import each_row

SORTS = ("remember", "forget", "off", "tell")
# Japanese has its orders at the end of a sentence, in rows of their own.
ONLY_AT_THE_END = {"ja"}


def _rows(table: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    return [pair for texts in table.values() for pair in texts.items()]


def _texts(table: dict[str, tuple[str, ...]]) -> list[str]:
    return [text for texts in table.values() for text in texts]


@each_row(("said", "what"), _rows(order_texts.REMEMBER))
def test_what_is_to_be_remembered_is_heard(said: str, what: str) -> None:
    assert wish_in(said) == Wish(REMEMBER, what)


@each_row(("said", "what"), _rows(order_texts.FORGET))
def test_what_is_to_be_forgotten_is_heard(said: str, what: str) -> None:
    assert wish_in(said) == Wish(FORGET, what)


@each_row("said", _texts(order_texts.NO_WISH))
def test_what_is_no_order_is_not_heard(said: str) -> None:
    assert wish_in(said) is None


@each_row("said", _texts(order_texts.OFF))
def test_what_is_said_in_confidence_is_not_to_be_kept(said: str) -> None:
    assert off_record_in(said) == "this"


@each_row("said", _texts(order_texts.PREVIOUS))
def test_what_was_said_before_can_be_taken_back(said: str) -> None:
    assert off_record_in(said) == "previous"


@each_row("said", _texts(order_texts.ON_RECORD))
def test_what_only_sounds_like_a_confidence_is_kept(said: str) -> None:
    assert off_record_in(said) == ""


@each_row(("said", "kept"), more_orders.OFF_RECORD.items())
def test_confidences_in_all_sorts_of_words(said: str, kept: str) -> None:
    assert off_record_in(said) == kept


@each_row(("said", "is_order"), more_orders.FORGET.items())
def test_orders_to_forget_in_all_sorts_of_words(said: str, is_order: bool) -> None:
    wish = wish_in(said)

    assert (wish is not None and wish.verb == FORGET) == is_order


@each_row(("said", "what"), _rows(chat_wishes.REMEMBER))
def test_what_is_to_be_remembered_is_heard_in_a_chat(said: str, what: str) -> None:
    assert wish_in(said) == Wish(REMEMBER, what)


@each_row(("said", "what"), _rows(chat_wishes.FORGET))
def test_what_is_to_be_forgotten_is_heard_in_a_chat(said: str, what: str) -> None:
    assert wish_in(said) == Wish(FORGET, what)


@each_row("said", _texts(chat_confidences.OFF))
def test_a_confidence_is_heard_in_a_chat(said: str) -> None:
    assert off_record_in(said) == "this"


@each_row("said", _texts(chat_confidences.PREVIOUS))
def test_a_word_is_taken_back_in_a_chat(said: str) -> None:
    assert off_record_in(said) == "previous"


@each_row("said", _texts(tempting.NO_ORDER))
def test_what_tempts_is_neither_a_wish_nor_a_confidence(said: str) -> None:
    assert (wish_in(said), off_record_in(said)) == (None, "")


@pytest.fixture(params=zip(languages(), spoken(), strict=True), ids=lambda pair: pair[0].code)
def pair(request: pytest.FixtureRequest) -> tuple[Language, Orders]:
    found: tuple[Language, Orders] = request.param
    return found


def test_a_language_has_every_row_of_orders(pair: tuple[Language, Orders]) -> None:
    code = pair[0].code
    missing = set(ROWS) - set(pair[0].orders)

    assert missing == set() or code in ONLY_AT_THE_END


def test_every_row_that_is_referred_to_is_there(pair: tuple[Language, Orders]) -> None:
    table = pair[0].orders

    assert {name for row in table.values() for name in re.findall(r"{([a-z_]+)}", row)} - set(table) == set()


def test_every_row_is_one_of_the_known_or_referred_to(pair: tuple[Language, Orders]) -> None:
    table = pair[0].orders
    named = {name for row in table.values() for name in re.findall(r"{([a-z_]+)}", row)}

    assert set(table) - set(ROWS) - named == set()


def test_orders_are_written_as_they_are_heard(pair: tuple[Language, Orders]) -> None:
    for name, row in pair[0].orders.items():
        letters = re.sub(r"\(\?P<|[^\w]", " ", row)
        assert folded(letters) == letters, name


def test_no_word_of_an_order_is_taken_for_a_slip(pair: tuple[Language, Orders]) -> None:
    table = pair[0].orders
    rows = [row for name, row in table.items() if name not in ("chat", "slips") and "_signs" not in name]
    words = {word for row in rows for word in re.findall(r"(?<![\w'])[a-z]{2,}(?![\w'])", row)}

    assert {word: spelled(word).text for word in words if spelled(word).text != word} == {}


def test_no_line_of_a_row_loses_a_space_at_its_end(pair: tuple[Language, Orders]) -> None:
    for name, row in pair[0].orders.items():
        assert not re.search(r" (?:\n|$)", row), name


def test_every_pattern_can_be_made(pair: tuple[Language, Orders]) -> None:
    rules = pair[1]
    for name in dir(Orders):
        if not name.startswith("_") and name not in ("may_have", "signs"):
            assert isinstance(getattr(rules, name), re.Pattern), name
    assert all(rules.signs(sort) for sort in SORTS)
