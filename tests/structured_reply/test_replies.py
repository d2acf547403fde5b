"""A JSON value is cut out of whatever a model says around it, and never guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.structured_reply.replies import MOST_CHARACTERS, MOST_DEPTH, value_in
from tests.tables import each_row
from tests.timing import grows_with_its_size

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)
LISTS = st.lists(VALUES, max_size=4)
# What stands in strings to lead a reader astray, and what stands around an answer.
TRAPS = st.sampled_from(["```", "</think>", "<think>", '"', "\\", "{", "]", "\n```\n", "[1]", "\u2028", "\0"])
TRAPPED = st.dictionaries(TRAPS | st.text(), TRAPS | VALUES, min_size=1, max_size=4)
WORDS = st.sampled_from(
    [
        "Sure!",
        "Here it is:",
        "[note]",
        "{name}",
        "{ ",
        "it's",
        'a "word"',
        "`x`",
        "\n",
        ":-)",
        ":]",
        "ñandú",
        "2.5",
    ]
)
PROSE = st.lists(WORDS, max_size=6).map(" ".join)
FORMS = st.sampled_from(
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "~~~\n{}\n~~~",
        "```json {} ```",
        '<think>{{"</think>{}',
        "a [1, </think>{}",
    ]
)
INDENTS = st.sampled_from([None, 0, 2])


def dumped(value: Any, indent: int | None, *, ascii_only: bool = False) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=ascii_only)


@given(VALUES, INDENTS, st.booleans())
def test_a_reply_that_is_a_value_is_that_value(value: Any, indent: int | None, ascii_only: bool) -> None:
    assert value_in(f"\ufeff \n{dumped(value, indent, ascii_only=ascii_only)}\n ") == value


@given(OBJECTS | TRAPPED | LISTS, INDENTS, PROSE, PROSE, FORMS)
def test_an_answer_comes_back_the_same_from_prose_thoughts_and_fences(
    value: Any, indent: int | None, before: str, after: str, form: str
) -> None:
    said = form.replace("{}", "%s").replace("{{", "{") % dumped(value, indent)

    assert value_in(f"{before}\n{said}\n{after}") == value


@given(
    st.text()
    | st.lists(TRAPS | WORDS | st.sampled_from(["[", "{", "}", ":", ",", "1", '"a": '])).map("".join)
)
def test_garbage_is_refused_in_a_sentence_or_is_a_value(text: str) -> None:
    try:
        value = value_in(text)
    except ValueError as exc:
        value = str(exc)

    assert json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@given(st.dictionaries(st.text(), OBJECTS, min_size=1, max_size=3), INDENTS, st.data())
def test_a_part_is_never_taken_for_the_whole(value: Any, indent: int | None, data: st.DataObject) -> None:
    whole = dumped(value, indent)
    cut = data.draw(st.integers(1, len(whole) - 1))

    for text in (whole[:cut], f"Here:\n```json\n{whole[:cut]}", f"```json\n{whole[:cut]}\n```\n"):
        with pytest.raises(ValueError, match=r"\w"):
            value_in(text)


@each_row(
    ("text", "why"),
    [
        ("", "the reply is empty"),
        (" \ufeff\n", "the reply is empty"),
        ("I found nothing.", "the reply has no JSON"),
        ("<think>Well", "the reply is only thoughts, without an answer"),
        ('{"a": [1, 2', "the reply breaks off in the middle of its JSON"),
        ('{"a": 1} and {"a": 2}', "the reply has several JSON values, where one was asked for"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": 1e999}', "a number in the JSON is too large"),
        ('{"a": ' + "9" * 5000 + "}", "a number in the JSON is too large"),
        ('{"a": 1, "a": 1}', "the JSON has the key 'a' twice"),
        (r'{"a": "\ud83d"}', "the JSON has half a character in it"),
        ('{"a": 1,}', "the JSON is not valid in line 1, column "),
        ("[" * 100, "the reply breaks off in the middle of its JSON"),
        ('{"a":' * (MOST_DEPTH + 1) + "1" + "}" * (MOST_DEPTH + 1), "the reply is nested too deeply"),
        ("1" * (MOST_CHARACTERS + 1), "the reply is too long"),
    ],
)
def test_it_says_why_there_is_none(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        value_in(text)

    assert str(caught.value).startswith(why)


def test_as_deep_as_it_may_be() -> None:
    text = "[" * MOST_DEPTH + "]" * MOST_DEPTH

    assert json.dumps(value_in(f"so: {text}")) == text


def test_the_fenced_answer_is_meant_when_there_are_others() -> None:
    assert value_in('not {"a": 1} but\n```json\n{"a": 2}\n```\n') == {"a": 2}


def test_the_same_answer_twice_is_one_answer() -> None:
    assert value_in('{"a": 1}\n\nAgain:\n```json\n{ "a":1 }\n```') == {"a": 1}


def test_brackets_and_quotation_marks_of_prose_are_prose() -> None:
    assert value_in('[Here you are: {"a": 1}]') == {"a": 1}
    assert value_in('On a 5" screen [sic] {"a": "[1"} fits') == {"a": "[1"}


def test_thoughts_are_no_answer() -> None:
    assert value_in('<think>{"a": 1}?</think>{"a": 2}') == {"a": 2}
    assert value_in('<thinking>{"a": 1</thinking>{"a": 2}') == {"a": 2}
    with pytest.raises(ValueError, match="no JSON"):
        value_in('perhaps {"a": 1}</think> I would rather not.')


def test_what_a_broken_object_holds_is_not_the_answer() -> None:
    with pytest.raises(ValueError, match="not valid"):
        value_in('{ // all\n "facts": [{"key": "a"}]}')


@each_row("before", ["x", '{"a": "'])
@each_row(
    "piece",
    [
        "[",
        "{",
        '{"',
        '{"a":',
        "[1],",
        '{"a":1} ',
        '["\\"',
        '"\\"',
        '\\"',
        "<think>",
        "</think>",
        "```\n",
        " ",
        "{ }",
        "\\",
    ],
)
def test_the_time_grows_with_the_length_and_no_faster(before: str, piece: str) -> None:
    def read(length: int) -> None:
        with pytest.raises(ValueError, match=r"\w"):
            value_in(before + piece * (length // len(piece)))

    assert grows_with_its_size(read, 8_000)
