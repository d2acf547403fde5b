"""What the agent notices counts only where it rests on what was looked at."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.architect import MOST_FINDINGS, Architect, grounded
from almario.becoming.gathering import Material, Source
from almario.domain.memories import same_value
from almario.domain.soul_events import DIMENSIONS, Finding
from almario.errors import BadReply
from almario.testing import ScriptedLLM
from tests.becoming.reflecting import answer
from tests.tables import each_row

MATERIAL = Material(
    {"SOUL.md": "# Soul\n\nI listen.\n"},
    (
        Source("aa11", "M1", "fact", "Ana likes tea, le gusta el té"),
        Source("memory/2026-11-14.md#3", "L1", "log", "Ana came by, le gusta el té"),
    ),
)


def found_by(llm: ScriptedLLM, **how: Any) -> tuple[Finding, ...]:
    return Architect(llm, **how).design(MATERIAL).findings


def test_findings_carry_the_ids_of_the_lines_they_rest_on() -> None:
    llm = ScriptedLLM(answer(("people", "Ana came for tea.", ["L1", "[M1]", "L1"])))

    [finding] = found_by(llm)

    assert finding.evidence == ("memory/2026-11-14.md#3", "aa11")
    assert "[M1] fact: Ana likes tea, le" in llm.asked[0].messages[0].text


def test_a_finding_without_evidence_is_dropped_and_so_are_labels_that_are_not_there() -> None:
    llm = ScriptedLLM(
        answer(
            ("gaps", "Nobody knows.", []),
            ("gaps", "Made up.", ["M7"]),
            ("gaps", "Tea for Ana.", ["M1", "X9"]),
        )
    )

    [finding] = found_by(llm)

    assert (finding.text, finding.evidence) == ("Tea for Ana.", ("aa11",))


def test_the_same_is_found_once_and_no_dimension_takes_all_the_room() -> None:
    again = ["Tea, Ana.", "Ana likes tea.", "Ana likes it.", "Ana, tea, likes."]
    said = [("patterns", text, ["M1"]) for text in again]
    llm = ScriptedLLM(
        answer(*said, ("people", "ana likes tea", ["M1"]), ("consistency", "Ana came.", ["L1"]))
    )

    found = found_by(llm)

    assert [finding.text for finding in found] == ["Ana came.", *again[:3]]


@each_row(("language", "name"), [("en", "English"), ("es", "Spanish")])
def test_it_is_asked_to_write_in_the_agents_language(language: str, name: str) -> None:
    llm = ScriptedLLM(answer())

    found_by(llm, language=language)

    assert f"in {name}" in llm.asked[0].stable


def test_what_it_says_has_no_secrets_and_one_line() -> None:
    llm = ScriptedLLM(answer(("gaps", "Ana likes tea\n# with hunter2\x1b[J", ["M1"])))

    [finding] = found_by(llm, redact=lambda text: text.replace("hunter2", "[hidden]"))

    assert finding.text == "Ana likes tea # with [hidden] [J"


def test_an_answer_of_another_shape_is_asked_for_once_more() -> None:
    llm = ScriptedLLM(answer(("luck", "x", ["M1"])))

    with pytest.raises(BadReply):
        found_by(llm)

    assert len(llm.asked) == 2


_FINDINGS = st.lists(
    st.fixed_dictionaries(
        {
            "dimension": st.sampled_from(DIMENSIONS),
            "text": st.text(max_size=20),
            "evidence": st.lists(st.sampled_from(["M1", "L1", "M2", "", "m1", "[L1]", "M1,L1", "\ud800"])),
        }
    ),
    max_size=40,
)


@given(_FINDINGS)
def test_whatever_is_answered_every_finding_rests_on_the_material(answered: list[dict[str, Any]]) -> None:
    found = grounded(answered, MATERIAL)

    ids = set(MATERIAL.ids.values())
    assert all(finding.evidence and set(finding.evidence) <= ids for finding in found)
    assert all(finding.text.encode() for finding in found)
    assert len({same_value(finding.text) for finding in found}) == len(found)
    for dimension in DIMENSIONS:
        assert sum(finding.dimension == dimension for finding in found) <= MOST_FINDINGS


def test_a_finding_with_its_line_comes_in_in_whatever_words_and_language() -> None:
    english = ("people", "She unwinds over a hot drink, as people in England do.", ["M1"])
    spanish = ("gaps", "A mi humana le gusta el té y a Ana también.", ["L1"])
    llm = ScriptedLLM(answer(english), answer(english, spanish))

    found = found_by(llm, language="es")

    assert [(finding.dimension, finding.evidence) for finding in found] == [
        ("people", ("aa11",)),
        ("gaps", ("memory/2026-11-14.md#3",)),
    ]
