"""Messages that another program's model answers."""

import pytest

import almario
from almario.soul import Soul

pytestmark = pytest.mark.light


def test_a_message_for_another_model_is_kept_and_its_wish_done(soul: Soul) -> None:
    heard = soul.hear(almario.Incoming("app:ana", "Remember that my boat is called Albatros."))

    assert [turn.text for turn in soul.sessions.turns("app:ana")] == [heard.turns[0].text]
    assert [deed.name for deed in heard.done] == ["remember"]
    assert "Already done, as your human asked: remembered" in heard.prompt.changing
    assert [memory.value for memory in soul.memory.list()] == ["my boat is called Albatros"]


def test_only_a_model_that_can_search_is_told_to(soul: Soul) -> None:
    said = almario.Incoming("app:ana", "What is my boat called?")

    assert "search your memory" not in soul.hear(said).prompt.stable
    assert "search your memory" in soul.hear(said, ["memory_search"]).prompt.stable
