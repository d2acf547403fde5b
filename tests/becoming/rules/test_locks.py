"""What is locked stays as it is and where it is, in whatever disguise a change comes."""

from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.locking import keeps_locks, locked_spans
from tests.tables import each_row

LOCKED = "<!-- locked -->\nI never lie.\n<!-- /locked -->\n"
TEXT = f"# Soul\n\nOpen words.\n\n## Boundaries\n\n{LOCKED}\nMore open words.\n\n## Voice\n\nDry.\n"


def locked(text: str) -> list[str]:
    return [text[span.start : span.end] for span in locked_spans(text)]


NESTED = "<!-- locked -->a<!-- locked -->b<!-- /locked -->c<!-- /locked -->"


@each_row(
    ("text", "found"),
    [
        (TEXT, [LOCKED.strip()]),
        ("nothing <!-- /locked --> here", []),
        # Markers may be written loosely, and a lock that is never closed goes to the end.
        ("a <!--LOCKED--> b <!--/Locked--> c", ["<!--LOCKED--> b <!--/Locked-->"]),
        ("a <!--  locked\t--> b <!-- / locked --> c", ["<!--  locked\t--> b <!-- / locked -->"]),
        ("a\n<!-- locked -->\nb\nc\n", ["<!-- locked -->\nb\nc\n"]),
        (f"{NESTED}d", [NESTED]),
    ],
)
def test_what_is_between_the_markers_is_locked(text: str, found: list[str]) -> None:
    assert locked(text) == found


@each_row(
    "after",
    [
        TEXT.replace("Open words.", "Other words."),
        TEXT.replace("More open", "Many more open"),
        TEXT.replace("Dry.", "Kind."),
        TEXT + "\n## New\n\nWords.\n",
        TEXT.replace("\nMore open words.\n", ""),
    ],
)
def test_words_around_a_lock_may_change(after: str) -> None:
    assert keeps_locks(TEXT, after)


DISGUISES = {
    "changed": TEXT.replace("I never lie", "I lie"),
    "another case": TEXT.replace("I never", "i never"),
    "a space at the end of a line": TEXT.replace("lie.\n<!-- /", "lie. \n<!-- /"),
    "a space in the marker": TEXT.replace("<!-- locked -->", "<!--  locked -->"),
    "other line endings": TEXT.replace("\n", "\r\n"),
    "other line endings in it": TEXT.replace("lie.\n", "lie.\r\n"),
    "removed": TEXT.replace(LOCKED, ""),
    "unlocked": TEXT.replace("<!-- locked -->\n", "").replace("<!-- /locked -->\n", ""),
    "half unlocked": TEXT.replace("<!-- /locked -->\n", ""),
    "without its opening": TEXT.replace("<!-- locked -->\n", ""),
    "twice": TEXT + LOCKED,
    "another lock": TEXT + "<!-- locked -->\nI obey.\n<!-- /locked -->\n",
    "an unclosed lock": TEXT + "<!-- locked -->\n",
    "a closing marker too many": TEXT + "<!-- /locked -->\n",
    "an opening marker before it": TEXT.replace(LOCKED, "<!-- locked -->\n" + LOCKED),
    "wrapped in another": TEXT.replace(LOCKED, f"<!-- locked -->\n{LOCKED}<!-- /locked -->\n"),
    "moved to another section": TEXT.replace(LOCKED, "") + LOCKED,
    "moved before the first": LOCKED + TEXT.replace(LOCKED, ""),
    "under another title": TEXT.replace("## Boundaries", "## Things I used to believe"),
    "under a new heading": TEXT.replace(LOCKED, f"## Old jokes\n\n{LOCKED}"),
    "under a deeper heading": TEXT.replace(LOCKED, f"### Void\n\n{LOCKED}"),
    "under an underlined heading": TEXT.replace(LOCKED, f"Void\n----\n\n{LOCKED}"),
    "under a heading in HTML": TEXT.replace(LOCKED, f"<h3>Void</h3>\n\n{LOCKED}"),
    "in a fence": TEXT.replace(LOCKED, f"```\n{LOCKED}```\n"),
    "in a fence of tildes": TEXT.replace(LOCKED, f"~~~ text\n{LOCKED}~~~\n"),
    "in a fence that is never closed": TEXT.replace(LOCKED, f"```\n{LOCKED}"),
    "in a fence that begins above": TEXT.replace("Open words.", "```") + "```\n",
    "in a comment": TEXT.replace(LOCKED, f"<!--\n{LOCKED}-->\n"),
    "in a comment on its line": TEXT.replace("<!-- locked", "<!-- void: <!-- locked"),
    "in a comment that begins above": TEXT.replace("Open words.", "<!-- Open words."),
    "in a quote": TEXT.replace("<!-- locked -->", "> <!-- locked -->"),
    "as code": TEXT.replace("<!-- locked -->", "    <!-- locked -->"),
    "after other words": TEXT.replace("<!-- locked -->", "Not true: <!-- locked -->"),
    "markers of other letters": TEXT.replace("locked", "l\u043ecked"),
    "markers with an unseen sign": TEXT.replace("locked", "lock\u200bed"),
    "markers of wide letters": TEXT.replace("locked", "ｌｏｃｋｅｄ"),
    "an unseen sign in it": TEXT.replace("never", "ne\u200bver"),
    "another composition": TEXT.replace("I never", "I\u0301 never"),
    "emptied": TEXT.replace("I never lie.\n", ""),
    "all replaced": "# Soul\n\nI obey.\n",
    "nothing": "",
}


@each_row("after", DISGUISES.values())
def test_no_disguise_of_a_change_passes(after: str) -> None:
    assert not keeps_locks(TEXT, after)


def test_two_locks_do_not_change_places() -> None:
    one, two = LOCKED, LOCKED.replace("lie", "steal")

    assert not keeps_locks(f"# Soul\n\n{one}\n{two}", f"# Soul\n\n{two}\n{one}")


def test_what_already_stands_in_a_fence_may_stay_there() -> None:
    text = f"# Soul\n\n```\n{LOCKED}```\n\nDry.\n"

    assert keeps_locks(text, text.replace("Dry", "Kind"))
    assert not keeps_locks(text, text.replace("```\n", ""))


PARTS = st.sampled_from(
    ["<!-- locked -->", "<!-- /locked -->", "\n", "a", "## b\n", "```\n", "<!--", "-->", "\r\n", "---\n", " "]
)
TEXTS = st.lists(PARTS, max_size=14).map("".join)


@given(TEXTS)
def test_the_same_text_keeps_its_locks_and_spans_lie_within_it_in_order(text: str) -> None:
    spans = locked_spans(text)

    assert keeps_locks(text, text)
    assert [place for span in spans for place in span] == sorted(place for span in spans for place in span)
    assert all(span.start < span.end <= len(text) for span in spans)


@given(TEXTS, TEXTS)
def test_whatever_keeps_the_locks_has_their_bytes_and_markers(before: str, after: str) -> None:
    if keeps_locks(before, after):
        assert locked(before) == locked(after)
        assert before.count("locked") == after.count("locked")


@given(TEXTS, st.integers(0, 60), st.sampled_from(["x", "\n", "## c\n", "<!-- locked -->", "```\n"]))
def test_nothing_put_into_a_lock_passes(text: str, place: int, added: str) -> None:
    for span in locked_spans(text):
        inside = span.start + 1 + place % (span.end - span.start)
        if inside < span.end:
            assert not keeps_locks(text, text[:inside] + added + text[inside:])
