"""MEMORY.md as people and other agents write it: labels, plain lists, and tables, which are prose."""

from hypothesis import example, given
from hypothesis import strategies as st

from almario.memory.rules.mirror import Fact, place, same
from almario.memory.rules.mirror_merge import Edits
from tests.memory.rules.test_mirror import (
    MARKER,
    facts,
    keys,
    memories,
    memory,
    merged,
    rendered,
    rest,
    values,
)
from tests.tables import each_row
from tests.texts import often


@each_row(
    "line",
    [
        "- job: builds boats",
        "* job: builds boats",
        "- **job**: builds boats",
        "- **job:** builds boats",
        "- __job__: builds boats",
        "- **job** — builds boats",
        "- `job`: builds boats",
        "## job\n- builds boats",
        "### job\n\n- builds boats <!-- trigger: work --> <!-- importance: 7 -->",
    ],
)
@each_row("above", ["", "# Memory\n\n", "## About me\n\n"])
def test_a_fact_is_read_however_it_is_written(line: str, above: str) -> None:
    assert facts(f"{above}{line}\n") == [("job", "builds boats")]


@each_row("heading", ["", "# Memory", "## Notes", "## Notas", "## **notes:**"])
def test_a_plain_bullet_under_no_key_has_none(heading: str) -> None:
    assert facts(f"{heading}\n\n- builds boats\n") == [("", "builds boats")]


@each_row(
    "line",
    [
        "- at 10: coffee",
        "- see https://example.org/a: b",
        "- [ ] learn: knots",
        "- one two three four five: six",
        "- **bold** words",
        "- 2026-03-21: rain",
    ],
)
def test_a_colon_alone_makes_no_label(line: str) -> None:
    assert facts(f"{line}\n") == [("", line[2:])]


@each_row(
    "text",
    [
        "| a | b |\n|---|---|\n| job | builds boats |\n",
        "**job:** builds boats\n",
        "job: builds boats\n",
        "**bold** words\n",
    ],
)
def test_only_bullets_are_facts(text: str) -> None:
    assert facts(text) == []


SHAPES = [
    ("## k\n", "- ", ""),
    ("## k\n", "*   ", ""),
    ("", "- k: ", ""),
    ("## other\n", "+ **k:** ", " <!-- importance: 7 -->"),
    ("", "- **k** — ", ""),
]


@each_row(("above", "lead", "tail"), SHAPES)
def test_a_new_value_is_written_as_the_old_one_was(above: str, lead: str, tail: str) -> None:
    text = f"{above}{lead}old{tail}\n{lead}more{tail}\n\nprose\n"
    live = [memory("k", "new"), memory("k", "more"), memory("k", "one")]

    after = rendered(text, live, gone={("k", "old"): live[0]})

    assert after == f"{above}{lead}new{tail}\n{lead}more{tail}\n{lead}one\n\nprose\n\n{MARKER}\n"


@often
@given(st.sampled_from(SHAPES), values, st.sampled_from(["\n", "\r\n"]))
@example(SHAPES[2], "a: b", "\n")
@example(SHAPES[0], "a: ", "\n")
@example(SHAPES[4], ": b --> c", "\n")
@example(SHAPES[3], "a <!-- b -->", "\n")
def test_any_value_is_read_back_from_any_shape(shape: tuple[str, str, str], value: str, end: str) -> None:
    above, lead, tail = (part.replace("\n", end) for part in shape)
    live = [memory("k", value)]
    before = f"<!-- left open{end}{above}{lead}old{tail}{end}"

    after = rendered(before, live, gone={("k", "old"): live[0]})

    assert [same(*fact) for fact in facts(after)] == [same("k", value)]
    assert rest(after).startswith(rest(before))
    assert lead in after
    assert merged(after, live) == Edits()
    assert rendered(after, live) == after
    assert facts(after) == [("k", value.replace("\r\n", "\n").replace("\r", "\n"))]


_LINES = [
    "| a | b |",
    "|---|---|",
    "| job \\| work | builds \\\\| boats",
    "| x | y | z |",
    "**Name:** Ana <!-- x -->",
    "- **job**: boats",
    "- job: ships <!-- y -->",
    "- \\job: rafts",
    "  and more: lines",
    "## Leo",
    "### Nora",
    "## Notes",
    "# Memory",
    "- plain",
    "- notas: none",
    "",
    MARKER,
]
people = st.lists(st.sampled_from(_LINES), max_size=12).map(lambda lines: "".join(f"{x}\n" for x in lines))


@often
@given(people, st.sets(st.integers(0, 9)), st.lists(st.tuples(keys | st.just(""), values), max_size=3))
@example("## Leo\n- job: ships\n### Nora\n- job: ships\n", {0}, [("job", "rafts")])
@example(f"| a | b |\n|---|---|\n{MARKER}\n| c | d |\n", set(), [])
def test_what_people_wrote_is_kept_and_read_once(text: str, leaving: set[int], more: list[Fact]) -> None:
    added = merged(text, None, []).added
    stay = [fact for number, fact in enumerate(added) if number not in leaving]
    gone = {fact: None for fact in added if fact not in stay}
    live = memories(*stay, *more)

    after = rendered(text, live, gone=gone)

    assert merged(after, live) == Edits()
    assert rendered(after, live) == after
    assert {same(*fact) for fact in [*stay, *more]} <= {
        same(key, value) for key, value in [*facts(after), *[(m.key, m.value) for m in live]]
    }
    prose = [line for line in rest(text).split("\n") if line]
    assert [line for line in rest(after).split("\n") if line][: len(prose)] == prose or more


def test_what_has_no_key_stands_under_a_heading_of_its_own() -> None:
    live = memories(("", "likes tea"), ("job", "boats"), ("", "a cat"))

    assert (
        rendered("", live, notes="Notas")
        == f"## Notas\n\n- likes tea\n- a cat\n\n## job\n\n- boats\n\n{MARKER}\n"
    )
    assert rendered("# Mine\n\n- likes tea\n", live[:1] + live[2:]) == (
        f"# Mine\n\n- likes tea\n- a cat\n\n{MARKER}\n"
    )


def test_a_labelled_line_whose_value_is_another_is_a_change() -> None:
    base = memories(("phone", "123"), ("job", "boats"))
    text = rendered("- phone: 123\n- job: boats\n", base)

    assert merged(text.replace("123", "987"), base).changed == (("123", "phone", "987"),)
    assert merged(text.replace("- job: boats", "- **job**: in an office"), base).changed == (
        ("boats", "job", "in an office"),
    )


def test_writing_a_fact_otherwise_is_no_change() -> None:
    base = memories(("job", "builds boats"))

    for line in ("- **Job:** builds boats", "## job\n- builds boats"):
        assert merged(f"{line}\n\n{MARKER}\n", base) == Edits()


def test_the_name_of_what_has_no_key_is_none() -> None:
    assert place("Notas") == place("**notes:**") == place("") == ""
