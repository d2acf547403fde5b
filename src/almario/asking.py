"""The one way to ask a model for an object: what comes back fits the schema, or is refused.

A reply that cannot be used is shown to the model once, with what is wrong
with it; the second such reply is a BadReply.
"""

from typing import Any

from almario.domain.messages import Sentence, sentence_of
from almario.domain.replies import value_in
from almario.domain.schema import problems, without_extras
from almario.domain.talk import Ask, Message, Reply
from almario.domain.text import in_one_line
from almario.errors import BadReply
from almario.ports import LLM

# How much of a bad reply the owner is shown, and how much of it the model is when it is asked again.
SHOWN = 80
SHOWN_AGAIN = 4000

_AGAIN = (
    "That answer cannot be used:\n{problems}\n\nAnswer again, with one JSON value that fits the schema and "
    "nothing else: no explanation, no code fence. Be brief."
)


class _Unusable(Exception):
    """A reply that cannot be used, and what is wrong with it."""

    def __init__(self, *why: str | Sentence, reply: str = "") -> None:
        self.why = why
        self.reply = reply
        super().__init__(*why)


def ask_for(llm: LLM, ask: Ask) -> Any:
    """Return the value that fits `ask.schema`, without properties that it does not know.

    BadReply after two replies that cannot be used; what the model itself
    raises, such as LLMUnavailable, goes through.
    """
    try:
        return _value(llm, ask)
    except _Unusable as bad:
        again = _asked_again(ask, bad)
    try:
        return _value(llm, again)
    except _Unusable as bad:
        # Only the beginning is shown: no need to look at five megabytes.
        shown = in_one_line(bad.reply[: SHOWN * 10])
        shown = shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + "…"
        sentence = "{model} answered what cannot be used, twice: {why}"
        if shown:
            sentence = '{model} answered what cannot be used, twice: {why}; it began "{reply}"'
        raise BadReply(sentence, model=llm.model, why=bad.why[0], reply=shown) from bad


def _value(llm: LLM, ask: Ask) -> Any:
    schema = ask.schema
    if schema is None:
        raise ValueError("a question for a value needs a schema")
    try:
        reply = llm.reply(ask)
    except BadReply as exc:
        raise _Unusable(sentence_of(exc)) from exc
    if why := _stopped(reply):
        raise _Unusable(why, reply=reply.text)
    try:
        value = without_extras(value_in(reply.text), schema)
    except ValueError as exc:
        raise _Unusable(str(exc), reply=reply.text) from exc
    if wrong := problems(value, schema):
        raise _Unusable(*wrong, reply=reply.text)
    return value


def _stopped(reply: Reply) -> Sentence | None:
    """Return why a reply is none, whatever its text."""
    if reply.stop == "refused":
        return Sentence("it refused to answer")
    if reply.stop == "length":
        return Sentence("the answer was cut because it was too long")
    if reply.calls:
        return Sentence("it wanted to use a tool instead of answering")
    return None if reply.text.strip() else Sentence("the reply is empty")


def _asked_again(ask: Ask, bad: _Unusable) -> Ask:
    said = bad.reply.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd").strip()
    said = said if len(said) <= SHOWN_AGAIN else said[:SHOWN_AGAIN] + "…"
    # An empty message is an error to some providers.
    own = (Message("assistant", said),) if said else ()
    wrong = _AGAIN.format(problems="\n".join(f"- {why}" for why in bad.why))
    return ask._replace(messages=(*ask.messages, *own, Message("user", wrong)))
