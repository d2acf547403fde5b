"""The lint says what is wrong with a soul, where, and nothing of what is right."""

from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.linting import Remark, lint
from almario.becoming.starter import starter_files
from almario.domain.messages import LANGUAGES, say
from almario.domain.model import Persona
from tests.tables import each_row
from tests.timing import is_done_within


def kinds(text: str, file: str = "AGENTS.md") -> list[str]:
    return [remark.kind for remark in lint({file: text})]


def soul(line: str) -> str:
    sections = {
        "Personality Foundation": line,
        "Communication Style": "- Plain words.",
        "Boundaries": "- I ask.",
    }
    return "# Soul\n" + "".join(f"\n## {title}\n\n{body}\n" for title, body in sections.items())


@each_row("language", LANGUAGES)
def test_the_starter_soul_is_without_fault(language: str) -> None:
    assert lint(starter_files(Persona(language, owner="Ana")), language=language) == []


@each_row(
    "line",
    [
        "My name is {name}.",
        "I live in [your city].",
        "Vivo en [tu ciudad].",
        "I like <your hobby here>.",
        "Me gusta <tu afición>.",
        "TODO: write more about tea",
        "FIXME",
        "Lorem ipsum dolor sit amet",
        "My favourite colour is ____.",
    ],
)
def test_text_that_was_never_filled_in_is_found(line: str) -> None:
    assert kinds(line) == ["template"]


@each_row(
    "line",
    [
        "Lo leo TODO dos veces.",
        "I keep a list [see your notes](notes.md).",
        "Todo lo que me cuentan se queda conmigo.",
        "I help when I am asked to.",
        "I assist the surgeon.",
        "f(x) = {1, 2}",
    ],
)
def test_what_only_looks_like_a_template_is_left_alone(line: str) -> None:
    assert kinds(line) == []


def test_a_file_longer_than_its_budget_is_too_long_comments_apart() -> None:
    text = "word " * 100

    assert [remark.kind for remark in lint({"AGENTS.md": text}, budgets={"AGENTS.md": 50})] == ["long"]
    assert lint({"AGENTS.md": text}, budgets={"AGENTS.md": 500}) == []
    assert lint({"AGENTS.md": f"<!-- {text} -->"}, budgets={"AGENTS.md": 50}) == []


def test_missing_sections_and_empty_headings_are_told() -> None:
    found = lint({"SOUL.md": "# Soul\n\n## Boundaries\n\n## Communication Style\n\n<!-- later -->\n"})

    assert [(remark.line, remark.kind) for remark in found] == [(0, "missing"), (3, "empty"), (5, "empty")]
    assert kinds("emoji: x\n", "IDENTITY.md") == ["missing"]


def test_a_section_that_time_fills_may_be_empty() -> None:
    assert kinds("# Goals\n\n## Active Goals\n\n## Completed\n", "GOALS.md") == []


def test_a_line_said_twice_is_told_with_its_first_place() -> None:
    [remark] = lint({"AGENTS.md": "- I like green tea.\n- Other things.\n* **I like green tea**\n"})

    assert (remark.line, remark.kind) == (3, "repeated")
    assert "AGENTS.md:1" in str(remark.sentence)


def test_a_soul_in_another_language_than_its_own_is_told() -> None:
    text = soul("I like what is old and I keep it where it was.")

    [remark] = lint({"SOUL.md": text}, language="es")
    assert remark.kind == "language"
    assert say("es", remark.sentence) == "está escrito en inglés, pero su idioma es español"
    assert lint({"SOUL.md": text}, language="en") == []


def test_comments_and_code_are_nobodys_words() -> None:
    assert kinds("<!-- TODO: [your name] -->\n```\n{name}\n```\n") == []


@given(st.dictionaries(st.sampled_from(["SOUL.md", "MOTIVATIONS.md", "GOALS.md", "USER.md"]), st.text()))
def test_whatever_the_text_the_lint_ends_and_points_into_it(texts: dict[str, str]) -> None:
    for remark in lint(texts, budgets=dict.fromkeys(texts, 3), language="es"):
        assert isinstance(remark, Remark)
        assert 0 <= remark.line <= texts[remark.file].count("\n") + 1
        assert str(remark.sentence)


@each_row(
    "words",
    ["{{", "<your ", "[your "],
)
def test_no_line_takes_long_to_look_at(words: str) -> None:
    assert is_done_within(3, lambda: lint({"SOUL.md": "- " + words * (20_000 // len(words))}))
