"""What is wrong with a value is said place by place."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from almario.structured_reply.schema import MOST_PROBLEMS, problems, without_extras
from tests.tables import each_row

FACTS = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "key": {"type": "string", "minLength": 1, "maxLength": 5},
                    "value": {"type": ["string", "null"]},
                    "kind": {"enum": ["fact", "profile"]},
                    "score": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["key"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
}


@each_row(
    ("fact", "wrong"),
    [
        ({"key": "a", "value": None, "kind": "fact", "score": 0.5}, []),
        ({"key": "a", "value": {}}, ["facts[0].value: must be a string or null, not an object"]),
        ({}, ["facts[0].key: is missing"]),
        ({"key": ""}, ["facts[0].key: must not be empty"]),
        ({"key": "abcdef"}, ["facts[0].key: must have at most 5 characters, not 6"]),
        ({"key": "a", "kind": "x"}, ['facts[0].kind: must be one of "fact", "profile", not "x"']),
        ({"key": "a", "score": -1}, ["facts[0].score: must be at least 0, not -1"]),
        ({"key": "a", "score": 1.5}, ["facts[0].score: must be at most 1, not 1.5"]),
        ({"key": "a", "score": "1"}, ["facts[0].score: must be a number, not a string"]),
        ({"key": "a", "score": True}, ["facts[0].score: must be a number, not true or false"]),
        ({"key": "a", "mood": 1}, ["facts[0].mood: is not known; there are key, value, kind, score"]),
        (["a"], ["facts[0]: must be an object, not a list"]),
    ],
)
def test_each_problem_is_named_with_its_place(fact: Any, wrong: list[str]) -> None:
    assert problems({"facts": [fact]}, FACTS) == wrong


def test_the_value_itself_has_no_place() -> None:
    assert problems([], FACTS) == ["must be an object, not a list"]
    assert problems({}, FACTS) == ["facts: is missing"]
    assert problems({"facts": [{"key": "a"}] * 4}, FACTS) == ["facts: must have at most 3 items, not 4"]
    assert problems([], {"type": "array", "minItems": 1}) == ["must not be empty"]


def test_a_whole_number_is_no_fraction_and_no_truth() -> None:
    whole = {"type": "integer"}

    assert problems(3, whole) == []
    assert [len(problems(value, whole)) for value in (3.0, True, "3", None)] == [1, 1, 1, 1]
    assert problems(True, {"enum": [1]}) == ["must be one of 1, not true"]


def test_others_may_have_a_schema_too() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "string"}}

    assert problems({"a": "x", "b": 1}, schema) == ["b: must be a string, not a whole number"]


def test_a_thousand_mistakes_are_told_in_a_dozen() -> None:
    assert len(problems([1] * 1000, {"type": "array", "items": {"type": "string"}})) == MOST_PROBLEMS


def test_what_is_shown_of_a_value_is_short_and_printable() -> None:
    [wrong] = problems({"\x1b" + "k" * 1000: "x"}, {"properties": {}, "additionalProperties": False})
    [other] = problems("\n" * 9 + "v" * 1000, {"enum": ["a"]})

    assert len(wrong) < 80
    assert len(other) < 80
    assert wrong.isprintable()
    assert other.isprintable()


def test_an_empty_schema_takes_anything() -> None:
    assert problems({"a": [1]}, {}) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["facts", "key", "x"]), inner)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_value_is_judged(value: Any) -> None:
    assert all(isinstance(each, str) and each for each in problems(value, FACTS))


@given(JSON)
def test_what_is_left_of_a_value_has_no_extras_and_the_same_mistakes(value: Any) -> None:
    left = without_extras(value, FACTS)

    before = [each for each in problems(value, FACTS) if "is not known" not in each]
    assert problems(left, FACTS)[: len(before)] == before
    assert not [each for each in problems(left, FACTS) if "is not known" in each]
    assert without_extras(left, FACTS) == left


def test_a_free_object_keeps_what_it_has() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object"}}, "additionalProperties": True}
    value = {"a": {"b": 1}, "c": {"d": 2}}

    assert without_extras(value, schema) == value
    assert json.dumps(without_extras({"a": {"b": 1}, "c": 2}, {"properties": {"a": {}}})) == '{"a": {"b": 1}}'
