"""What earlier versions took for facts in MEMORY.md, as bullets."""

from almario.memory.rules.mirror import Fact, parse, same
from almario.memory.rules.older_lines import as_bullets
from tests.tables import each_row


def bullets(text: str, *known: Fact) -> str:
    return as_bullets(text, lambda key, value: same(key, value) in [same(*each) for each in known])[0]


@each_row(
    ("older", "newer"),
    [
        ("**job:** builds boats\n", "- job: builds boats\n"),
        ("__job__: builds boats\r\n", "- job: builds boats\r\n"),
        ("**job**: builds boats <!-- a -->", "- job: builds boats <!-- a -->"),
        ("**so many words for a key**: x\n", "- **so many words for a key**: x\n"),
        ("|a|b|\n|-|-|\n|**job**|boats \\| ships|\n", "|a|b|\n|-|-|\n- job: boats | ships\n"),
        ("| a | b |\n|---|---|\n| job | - x |\n", "| a | b |\n|---|---|\n- job: - x\n"),
        ("| a | b |\n|---|---|\n| 2024 | Lugo |\n", "| a | b |\n|---|---|\n\n## 2024\n\n- Lugo\n"),
        ("## Leo\n- born: May\n## Nora\n- born: June\n", None),
    ],
)
def test_a_fact_becomes_a_bullet_where_it_stood(older: str, newer: str | None) -> None:
    leo = "## Leo\n- **Leo: born**: May\n## Nora\n- **Nora: born**: June\n"
    assert bullets(older) == (newer or leo)


def test_a_fact_keeps_the_key_that_it_has() -> None:
    text = "## Leo\n- born: May\n"

    assert bullets(text, ("born", "May")) == text
    assert bullets(text, ("Leo: born", "May")) == "## Leo\n- **Leo: born**: May\n"


@each_row(
    "text",
    [
        "| a | b |\n| job | boats |\n",
        "| a | b | c |\n|---|---|---|\n| job | builds | boats |\n",
        "| a | b |\n|---|---|\n\n| job | boats |\n",
        "| a | b |\n|---|---|\n| | boats |\n| job | |\n",
        "**job:**\n**bold** words\n",
        "```\n**job**: boats\n```\n<!--\n**job**: boats\n-->\n",
        "- plain\n  **job**: boats\n- job: boats\n",
    ],
)
def test_what_was_no_fact_stays_as_it_is(text: str) -> None:
    assert as_bullets(text, lambda key, value: False) == (text, 0)


def test_what_is_read_afterwards_is_what_was_read_before() -> None:
    text = "**a**: --> b\n**c:** d: e\n| k | v |\n|-|-|\n| f | # g |\n| h | --- |\n"

    assert [(fact.key, fact.value) for fact in parse(bullets(text)).facts] == [
        ("a", "--> b"), ("c", "d: e"), ("f", "# g"), ("h", "---"),
    ]  # fmt: skip
