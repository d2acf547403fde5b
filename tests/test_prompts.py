"""Every question to a model, as it is sent."""

from tests.prompts import asked
from tests.tables import each_row


@each_row("name", ["genesis", "findings", "architect", "pages", "improve"])
def test_a_question_ends_with_what_its_answer_must_be(name: str) -> None:
    ending = asked()[name].stable.rsplit("\n\n", 1)[-1]

    assert "one JSON object" in ending
