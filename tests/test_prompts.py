"""docs/reference/prompts.md shows every question to a model as it is sent."""

from tests.prompts import COMMAND, PAGE, asked, page
from tests.tables import each_row


def test_the_page_shows_the_questions_as_they_are() -> None:
    assert PAGE.read_text() == page(), (
        f"a question has changed: {COMMAND} writes docs/reference/prompts.md anew"
    )


@each_row("name", ["genesis", "findings", "architect", "pages", "improve"])
def test_a_question_ends_with_what_its_answer_must_be(name: str) -> None:
    ending = asked()[name].stable.rsplit("\n\n", 1)[-1]

    assert "one JSON object" in ending
