"""Asking a model for an object: it fits the schema, or it is refused in one sentence."""

import json
from typing import Any

import pytest

from almario.domain.messages import say, sentence_of
from almario.domain.talk import Ask, Message, Reply
from almario.errors import BadReply, LLMError, LLMUnavailable, MissingExtra
from almario.structured_reply import SHOWN, SHOWN_AGAIN, ask_for, ask_in
from almario.structured_reply.schema import problems
from almario.testing import ScriptedLLM
from tests.bad_replies import BAD_REPLIES, GOOD_REPLIES, good, ids
from tests.tables import each_row
from tests.timing import is_done_within

TEXT = {"type": "string", "minLength": 1}
FACT = {
    "type": "object",
    "properties": {"key": TEXT, "value": TEXT, "kind": {"type": "string", "enum": ["fact", "profile"]}},
    "required": ["key", "value"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "facts": {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": FACT}, "summary": {"type": "string"}},
        "required": ["facts", "summary"],
        "additionalProperties": False,
    },
    "a text": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]},
    "a number": {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]},
}


def question(schema: str = "facts") -> Ask:
    return Ask((Message("user", "I have a cat."),), stable="Find facts.", schema=SCHEMAS[schema])


@each_row("schema", SCHEMAS)
@each_row("name", ids)
def test_no_bad_reply_gets_through(name: str, schema: str) -> None:
    def refused() -> None:
        llm = ScriptedLLM(BAD_REPLIES[name])
        with pytest.raises(LLMError) as caught:
            ask_for(llm, question(schema))

        assert len(llm.asked) == (1 if isinstance(caught.value, LLMUnavailable) else 2)
        assert len(str(caught.value)) < 400
        assert "\n" not in str(caught.value)
        assert str(caught.value).isprintable()

    assert is_done_within(2, refused)


@each_row("name", ids)
def test_a_model_that_recovers_is_believed(name: str) -> None:
    line = BAD_REPLIES[name]
    llm = ScriptedLLM(line, lambda ask: json.dumps(good(ask)))

    if isinstance(line(question()), LLMUnavailable):
        with pytest.raises(LLMUnavailable):
            ask_for(llm, question())
    assert ask_for(llm, question()) == good(question())


@each_row("schema", SCHEMAS)
@each_row("name", GOOD_REPLIES)
def test_a_good_answer_is_found_in_what_surrounds_it(name: str, schema: str) -> None:
    llm = ScriptedLLM(GOOD_REPLIES[name])

    assert ask_for(llm, question(schema)) == good(question(schema))
    assert len(llm.asked) == 1


def test_the_model_is_shown_its_reply_and_what_is_wrong_with_it() -> None:
    bad = '{"facts": [{"key": "cat", "value": {"name": "Michi"}}]}'
    llm = ScriptedLLM(bad, '{"facts": [], "summary": ""}')

    assert ask_for(llm, question()) == {"facts": [], "summary": ""}

    first, second = llm.asked
    assert second.messages[:1] == first.messages
    assert second._replace(messages=()) == first._replace(messages=())
    [own, wrong] = second.messages[1:]
    assert own == Message("assistant", bad)
    assert wrong.role == "user"
    assert "- facts[0].value: must be a string, not an object\n" in wrong.text
    assert "- summary: is missing\n" in wrong.text


def test_an_answer_in_another_language_is_better_than_none() -> None:
    english = '{"text": "It is what the cat does with it."}'

    for again in ("no", english):
        llm = ScriptedLLM(english, again)
        found = ask_in("es", llm, question("a text"), lambda value: [value["text"]])
        assert found["text"].startswith("It is")
        assert len(llm.asked) == (3 if again == "no" else 2)


@each_row("text, is_explained", [("the code is [withheld:password]", True), ("I have a cat.", False)])
def test_what_stands_for_a_secret_is_explained_where_there_is_one(text: str, is_explained: bool) -> None:
    llm = ScriptedLLM('{"text": "x"}')

    ask_for(llm, question("a text")._replace(messages=(Message("user", text),)))

    assert ("[withheld:…] stands for what may be a secret" in llm.asked[0].changing) is is_explained


def test_an_empty_reply_is_not_sent_back() -> None:
    llm = ScriptedLLM("", '{"facts": [], "summary": ""}')

    ask_for(llm, question())

    assert [message.role for message in llm.asked[1].messages] == ["user", "user"]


def test_a_huge_reply_is_not_sent_back_whole() -> None:
    llm = ScriptedLLM("\ud83d\0" + "x" * 5_000_000, '{"facts": [], "summary": ""}')

    ask_for(llm, question())

    said = llm.asked[1].messages[1].text
    assert len(said) <= SHOWN_AGAIN + 1
    assert said.encode("utf-8").count(b"\0") == 0


def test_the_error_shows_the_beginning_of_the_second_reply_and_no_more() -> None:
    llm = ScriptedLLM("no", "I would\n rather\x1b[2J {not}, " + "really " * 100)

    with pytest.raises(BadReply) as caught:
        ask_for(llm, question())

    assert len(caught.value.facts["reply"]) == SHOWN
    assert caught.value.facts["reply"].startswith("I would rather [2J {not}, really")
    assert str(caught.value).startswith("scripted/model gave an unusable answer twice: ")


@each_row(
    ("reply", "why"),
    [
        (Reply("", stop="refused"), "se negó a responder"),
        ("no", "la respuesta no tiene JSON; empezaba «no»"),
        ("[]", "su JSON no se ajusta a lo que se pedía; empezaba «[]»"),
        ("{}", "su JSON no se ajusta a lo que se pedía (facts); empezaba «{}»"),
    ],
)
def test_the_error_is_said_in_spanish(reply: Reply | str, why: str) -> None:
    with pytest.raises(BadReply) as caught:
        ask_for(ScriptedLLM(reply, reply), question())

    said = say("es", sentence_of(caught.value))
    assert said == f"scripted/model dio dos veces una respuesta que no sirve: {why}"


def test_what_nobody_asked_for_is_left_out_at_every_depth() -> None:
    said = {"facts": [{"key": "a", "value": "b", "sure": 1}], "summary": "", "mood": {"x": 1}}

    value = ask_for(ScriptedLLM(json.dumps(said)), question())

    assert value == {"facts": [{"key": "a", "value": "b"}], "summary": ""}
    assert problems(value, SCHEMAS["facts"]) == []


def test_a_model_that_goes_away_after_a_bad_reply_is_unavailable() -> None:
    with pytest.raises(LLMUnavailable):
        ask_for(ScriptedLLM("hm", LLMUnavailable("gone")), question())


def test_a_package_that_is_missing_is_told_at_once() -> None:
    llm = ScriptedLLM(MissingExtra("pip install x"))

    with pytest.raises(MissingExtra):
        ask_for(llm, question())

    assert len(llm.asked) == 1


def test_a_question_without_a_schema_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="schema"):
        ask_for(ScriptedLLM("{}"), Ask(()))
