"""Two changes of one text become one, without a line lost, doubled or overruled."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.merging import changes_between, merged
from tests.tables import each_row

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d\r\n"]), max_size=12)
TEXTS = st.tuples(LINES, st.sampled_from(["", "", "end"])).map(lambda parts: "".join(parts[0]) + parts[1])


@given(TEXTS, TEXTS)
def test_who_changed_nothing_overrules_nobody(base: str, other: str) -> None:
    assert merged(base, base, other) == other
    assert merged(base, other, base) == other


@given(TEXTS, TEXTS)
def test_the_same_change_on_both_sides_is_made_once(base: str, other: str) -> None:
    assert merged(base, other, other) == other


@given(TEXTS, TEXTS, TEXTS)
def test_it_does_not_matter_who_comes_first(base: str, ours: str, theirs: str) -> None:
    assert merged(base, ours, theirs) == merged(base, theirs, ours)


@given(TEXTS, TEXTS)
def test_the_changes_make_one_text_of_the_other(before: str, after: str) -> None:
    lines, shift = before.splitlines(keepends=True), 0
    for change in changes_between(before, after):
        lines[change.start + shift : change.end + shift] = change.lines
        shift += len(change.lines) - (change.end - change.start)

    assert "".join(lines) == after


EDITS = st.lists(st.sampled_from(["keep", "keep", "keep", "drop", "add"]), min_size=12, max_size=12)


def edited(base: list[str], edits: list[str], name: str) -> tuple[list[str], set[str]]:
    """Return a text with lines dropped and added, and which were dropped."""
    text, dropped = [], set()
    for n, (line, edit) in enumerate(zip(base, edits, strict=True)):
        if edit == "drop":
            dropped.add(line)
        else:
            text.append(line)
        if edit == "add":
            text.append(f"{name} {n}\n")
    return text, dropped


@given(EDITS, EDITS)
def test_no_line_is_lost_or_doubled(ours: list[str], theirs: list[str]) -> None:
    base = [f"line {n}\n" for n in range(12)]
    (one, gone_here), (other, gone_there) = edited(base, ours, "ours"), edited(base, theirs, "theirs")

    both = merged("".join(base), "".join(one), "".join(other))

    if both is not None:
        wanted = {line for line in base if line not in gone_here | gone_there}
        wanted |= {line for line in [*one, *other] if line not in base}
        assert Counter(both.splitlines(keepends=True)) == Counter(wanted)
        for side in (one, other):
            order = [line for line in both.splitlines(keepends=True) if line in side]
            assert order == [line for line in side if line in wanted]


BASE = "".join(f"{n}\n" for n in range(9))


@each_row(
    ("ours", "theirs"),
    [
        (BASE.replace("4", "four"), BASE.replace("4", "cuatro")),
        (BASE.replace("4\n", ""), BASE.replace("4", "four")),
        (BASE + "mine\n", BASE + "yours\n"),
        ("mine\n" + BASE, "yours\n" + BASE),
        (BASE.replace("4", "four"), BASE.replace("5", "five")),
        ("", BASE.replace("4", "four")),
    ],
)
def test_what_meets_is_left_to_whoever_decides(ours: str, theirs: str) -> None:
    assert merged(BASE, ours, theirs) is None


def test_lines_that_are_all_alike_are_told_apart_by_their_place() -> None:
    half = "- the same\n" * 150
    ours, theirs = f"mine\n{half}{half}mine, too\n", f"{half}yours\n{half}"

    assert merged(half + half, ours, theirs) == f"mine\n{half}yours\n{half}mine, too\n"


def test_what_lies_apart_is_both_done() -> None:
    ours, theirs = BASE.replace("1", "one"), BASE.replace("6\n", "") + "9\n"

    assert merged(BASE, ours, theirs) == "0\none\n2\n3\n4\n5\n7\n8\n9\n"
