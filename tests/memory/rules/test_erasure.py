"""Taking a text out of others: nothing of it is left, and nothing else goes."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from almario.memory.rules.erasure import erased, holds, without_headings
from tests.tables import each_row

SECRET = "el lío de Roma"


@each_row(
    ("before", "after"),
    [
        (f"- {SECRET}\n- queda\n", "- queda\n"),
        (f"- [13:30] {SECRET}\n", ""),
        (f"* {SECRET}  \n", ""),
        (f"se habló de {SECRET}, y más\n", "se habló de [erased], y más\n"),
        (f"{SECRET}nte es otra cosa\n", f"{SECRET}nte es otra cosa\n"),
        (f"un{SECRET}\n", f"un{SECRET}\n"),
        (f"# Memory Log: {SECRET}\n", f"# Memory Log: {SECRET}\n"),
        (f"## {SECRET}\n", "## [erased]\n"),
        ("De El  LÍO\n  de Roma, sí\n", "De [erased], sí\n"),
        (f"- {unicodedata.normalize('NFD', SECRET)}\n", ""),
        ("> El lío de Roma.\n", "> [erased].\n"),
    ],
)
def test_a_line_of_its_own_goes_and_a_span_is_marked(before: str, after: str) -> None:
    assert erased(before, [SECRET]) == after


def test_a_short_text_goes_only_where_it_stands_alone() -> None:
    assert erased("- Ana\n- Ana y Luis\n", ["Ana"]) == "- Ana y Luis\n"


def test_more_lines_go_with_their_indentation_in_a_quote_or_in_one() -> None:
    assert (
        erased("uno que es largo dos\n> uno que es largo\n> dos\n", ["uno que es largo\ndos"])
        == "> [erased]\n"
    )
    assert erased("- uno que es largo\n  dos\n- queda\n", ["uno que es largo\ndos"]) == "- queda\n"


@given(
    st.text(), st.text('abc «»"\\\n', min_size=8).map(str.strip).filter(lambda text: len(text) > 7), st.text()
)
def test_nothing_is_held_any_more(before: str, secret: str, after: str) -> None:
    text = f"{before}\n{secret}\n{after}"

    assert not holds(erased(text, [secret]), [secret])


def test_lines_that_became_a_list_go_too() -> None:
    secret = "the vault is open\nbehind the mill\u2028at night"

    assert erased("- the vault is open\n- behind the mill\n- at night\n- mine\n", [secret]) == "- mine\n"


def test_a_heading_goes_only_if_nothing_stands_under_it() -> None:
    text = "## lío\n\n## té\n\n- verde\n\n## otro\n\n<!-- almario 3 2026-11-14T13:30:00Z v2 -->\n"

    assert without_headings(text, {"lío", "té", "otro"}) == (
        "## té\n\n- verde\n\n<!-- almario 3 2026-11-14T13:30:00Z v2 -->\n"
    )
