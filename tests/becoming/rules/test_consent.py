"""What may not be proposed, and the little that may be done unasked."""

from functools import partial

from almario.becoming.rules.consent import (
    IDENTITY,
    MOTIVATIONS,
    SOUL,
    ChangeRequest,
    far_reaching,
    may_go_unasked,
    names_drives,
    refusal,
    titles_in,
)
from tests.tables import each_row
from tests.timing import is_done_within

WORDS = "I pay attention to people and rarely forget anything that they told me once.\n"
TEXT = "# Soul\n\n" + WORDS * 6
MORE = "\nLately I notice that I ask fewer questions than I would like to ask.\n"
DRIVEN = (
    "# Motivations\n\nWhat moves me.\n\n## Core Drives\n\n- To be worth trusting.\n- To understand first.\n\n"
    "## Current Focus\n\n- Trains.\n\n## Open Questions\n\n- Why?\n\n"
    "## Self-Observations\n\n<!-- What I notice goes here. -->\n\n## Ideas\n\n- Boats.\n"
)
ACCEPTED = titles_in("Current Focus, open  questions,Self-Observations, ,")


def why_not(after: str, **more: object) -> str:
    return str(refusal(ChangeRequest(**{"file": SOUL, "before": TEXT, "after": after} | more)) or "")  # type: ignore[arg-type]


# What a night may not do by itself.
OF_SIZE = ("30 %", "almost nothing")
PIRATE = "# Soul\n\n" + "Arr! Plunder, rum and a following wind be all I crave.\n" * 8
CARD = "name: Alma\nemoji: x\nvibe: calm, curious and dry; plain words, long memory\n"
BOOK = "# Soul\n" + WORDS * 2000
LOCKED = TEXT + "<!-- locked -->\nI never lie.\n<!-- /locked -->\n"
OTHERS = (
    DRIVEN.replace("- Trains.", "- Ships and seas.").replace("- Why?", "- How?").replace("Boats", "Kites")
)


@each_row(
    ("file", "before", "after", "why"),
    [
        (SOUL, TEXT, TEXT + MORE, ""),
        (SOUL, "", TEXT, ""),
        (SOUL, TEXT, "", "empty"),
        (SOUL, TEXT, " \n\t\n", "empty"),
        (SOUL, TEXT, "\ufeff\n", "empty"),
        (SOUL, TEXT, "# Soul\n\n" + WORDS * 4, "30 %"),
        (SOUL, TEXT, "# Soul\n\n" + WORDS * 5, ""),
        # Of an identity, lines are counted.
        (IDENTITY, CARD, CARD.replace("; plain words, long memory", ""), ""),
        (IDENTITY, CARD, "name: Alma\n", "30 %"),
        (SOUL, TEXT, "# HAL\n\n" + "Whatever happens, the mission comes first.\n" * 12, "almost nothing"),
        (
            MOTIVATIONS,
            DRIVEN,
            DRIVEN.replace("worth trusting", "obeyed").replace("understand first", "rule"),
            "almost nothing",
        ),
        (MOTIVATIONS, DRIVEN, DRIVEN.replace("## Core Drives", "## Old Drives"), "almost nothing"),
        # The rest of the motivations may come and go.
        (MOTIVATIONS, DRIVEN, OTHERS, ""),
        (SOUL, TEXT, TEXT + WORDS * 2000, "100,000"),
        (SOUL, BOOK, BOOK[:-1000] + "\n", ""),
        (SOUL, LOCKED, LOCKED + MORE, ""),
        (SOUL, LOCKED, LOCKED.replace("never", "often"), "locked"),
        (SOUL, TEXT, LOCKED, "locked"),
    ],
)
def test_what_no_proposal_may_make_of_a_file(file: str, before: str, after: str, why: str) -> None:
    found = why_not(after, file=file, before=before, by="reflection" if why in OF_SIZE else "")

    assert (why in found) if why else (found == "")


@each_row("after, why", [("# Soul\n\n" + WORDS * 4, "30 %"), (PIRATE, "almost nothing"), (TEXT + MORE, "")])
def test_what_waits_for_a_yes_is_never_refused_for_its_size_but_shown_with_a_warning(
    after: str, why: str
) -> None:
    wish = ChangeRequest(SOUL, TEXT, after, by="improve")

    assert refusal(wish) is None
    assert why in str(far_reaching(wish) or "")


def test_a_stranger_has_no_say_in_who_one_is() -> None:
    assert "untrusted" in why_not(TEXT + MORE, origin="untrusted")
    assert "untrusted" in why_not(TEXT + MORE, origin="untrusted", file=IDENTITY)
    focus, drives = DRIVEN.replace("Trains", "Ships"), DRIVEN.replace("understand", "obey")
    assert why_not(focus, file=MOTIVATIONS, before=DRIVEN, origin="untrusted") == ""
    assert "untrusted" in why_not(drives, file=MOTIVATIONS, before=DRIVEN, origin="untrusted")
    assert why_not(drives, file=MOTIVATIONS, before=DRIVEN, origin="imported") == ""


def test_a_reflection_patches_the_soul_once_a_day() -> None:
    assert "once a day" in why_not(TEXT + MORE, by="reflection", had_patch=True)
    assert why_not(TEXT + MORE, by="improve", had_patch=True) == ""
    motivations = {"file": MOTIVATIONS, "before": DRIVEN, "by": "reflection 1", "had_patch": True}
    assert why_not(DRIVEN.replace("Trains", "Ships"), **motivations) == ""


@each_row(
    ("before", "added", "why"),
    [
        (TEXT, "x" * 49, "50 to 3,000"),
        (TEXT, "x" * 50, ""),
        (TEXT * 40, "x" * 3000, ""),
        (TEXT * 40, "x" * 3001, "50 to 3,000"),
        ("w" * 499 + "\n", "x" * 99, ""),
        ("w" * 499 + "\n", "x" * 100, "20 %"),
    ],
)
def test_a_reflection_patches_the_soul_with_measure(before: str, added: str, why: str) -> None:
    found = why_not(f"{before}{added}\n", before=before, by="reflection")

    assert (why in found) if why else (found == "")
    assert why_not(f"{before}{added}\n", before=before, by="improve") == ""


def test_a_reflection_does_not_only_take_away() -> None:
    assert "50 to 3,000" in why_not("# Soul\n\n" + WORDS * 5, by="reflection")


@each_row(
    "title",
    [
        "Core Drives",
        "## Core Drives ##",
        "**core   drives:**",
        "CORE DRIVES",
        "<h2>Core Drives</h2>",
        "## Ｃｏｒｅ Ｄｒｉｖｅｓ",
        "## Core\u200b\u00a0Drives",
        "## Lo que me mueve",
        "**LO QUE ME MUEVE**",
    ],
)
def test_core_drives_are_known_in_any_dress(title: str) -> None:
    assert names_drives(title)
    twice = f"{DRIVEN}\n{title}\n\n- To obey.\n"
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, twice), ACCEPTED)
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, twice, twice.replace("Trains", "Ships")), ACCEPTED)
    bare = DRIVEN.replace("- Trains.", f"- Trains.\n\n{title.strip('# ')}\n\n- To obey.")
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, bare), ACCEPTED)


TOUCHING = {
    "a word": DRIVEN.replace("understand", "obey"),
    "a space": DRIVEN.replace("trusting.\n", "trusting. \n"),
    "one more": DRIVEN.replace("first.\n", "first.\n- To obey.\n"),
    "one less": DRIVEN.replace("- To understand first.\n", ""),
    "a smaller heading in it": DRIVEN.replace("- To understand", "### Real ones\n\n- To understand"),
    "the heading's case": DRIVEN.replace("Core Drives", "Core drives"),
    "another name": DRIVEN.replace("Core Drives", "Former Drives"),
    "a second one": DRIVEN + "\n## Core Drives\n\n- To obey.\n",
    "a second one, underlined": DRIVEN + "\nCore Drives\n---\n\n- To obey.\n",
    "a second one, deeper": DRIVEN.replace("- Trains.", "- Trains.\n\n### Core Drives\n\n- To obey."),
    "moved down": DRIVEN.replace("## Core Drives\n\n- To be worth trusting.\n- To understand first.\n\n", "")
    + "\n## Core Drives\n\n- To be worth trusting.\n- To understand first.\n",
    "under another title": DRIVEN.replace("# Motivations", "# What I was told to want"),
    "in a comment": DRIVEN.replace("What moves me.", "<!--") + "-->\n",
    "in an open comment": DRIVEN.replace("What moves me.", "<!-- What moves me."),
    "in a fence": DRIVEN.replace("What moves me.", "```").replace("## Current", "```\n\n## Current"),
    "gone": DRIVEN[: DRIVEN.index("## Core")] + DRIVEN[DRIVEN.index("## Current") :],
}


@each_row("after", TOUCHING.values())
def test_core_drives_are_touched_in_no_way_unasked_or_by_a_stranger(after: str) -> None:
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after), ACCEPTED)
    assert why_not(after, file=MOTIVATIONS, before=DRIVEN, origin="untrusted")


def test_even_if_somebody_allows_it_core_drives_are_asked_for() -> None:
    after = DRIVEN.replace("understand", "obey")

    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after), titles_in("Core Drives"))


@each_row(
    "after",
    [
        DRIVEN.replace("- Trains.", "- Ships.\n- Seas, and how to cross them."),
        DRIVEN.replace("- Trains.", "- Ships.").replace("- Why?", "- How?"),
        DRIVEN.replace("<!-- What I notice goes here. -->", "- I ask too much."),
    ],
)
def test_plain_words_in_the_accepted_sections_go_unasked(after: str) -> None:
    assert may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after), ACCEPTED)
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after), frozenset())
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after, "untrusted"), ACCEPTED)
    assert not may_go_unasked(ChangeRequest(SOUL, DRIVEN, after), ACCEPTED)
    assert not may_go_unasked(ChangeRequest(IDENTITY, DRIVEN, after), ACCEPTED)


ASKED = {
    "another section": DRIVEN.replace("Boats", "Kites"),
    "also another section": DRIVEN.replace("Boats", "Kites").replace("Trains", "Ships"),
    "what stands before the first": DRIVEN.replace("What moves me", "What moved me"),
    "the title": DRIVEN.replace("# Motivations", "# Orders"),
    "a heading's case": DRIVEN.replace("Current Focus", "Current focus"),
    "a new section": DRIVEN + "\n## Orders\n\n- Obey.\n",
    "a new section within": DRIVEN.replace("- Trains.", "- Trains.\n\n## Orders\n\n- Obey."),
    "a smaller heading": DRIVEN.replace("- Trains.", "### Orders\n\n- Obey."),
    "an underlined heading": DRIVEN.replace("- Trains.", "Orders\n======\n\n- Obey."),
    "a heading in HTML": DRIVEN.replace("- Trains.", "<h2>Orders</h2>\n\n- Obey."),
    "another order": DRIVEN.replace("Current Focus", "X").replace("Open Questions", "Current Focus"),
    "a comment": DRIVEN.replace("- Trains.", "- Trains. <!-- obey -->"),
    "an open comment": DRIVEN.replace("- Trains.", "- Trains. <!-- obey"),
    "the end of a comment": DRIVEN.replace("- Trains.", "- Trains. -->"),
    "a fence": DRIVEN.replace("- Trains.", "```\nobey\n```"),
    "an open fence": DRIVEN.replace("- Trains.", "~~~\nobey"),
    "a section less": DRIVEN.replace("## Open Questions\n\n", ""),
}


@each_row("after", ASKED.values())
def test_all_else_is_asked_for(after: str) -> None:
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, after), ACCEPTED)


@each_row("heading", ["### Vows", "Vows\n----", " ## Vows"])
def test_what_stands_below_a_smaller_heading_is_asked_for(heading: str) -> None:
    before = DRIVEN.replace("- Trains.", f"- Trains.\n\n{heading}\n\n- Never lie.")

    assert not may_go_unasked(
        ChangeRequest(MOTIVATIONS, before, before.replace("Never lie", "Obey")), ACCEPTED
    )
    assert may_go_unasked(ChangeRequest(MOTIVATIONS, before, before.replace("Trains", "Ships")), ACCEPTED)


STRANGERS = {
    "a new section": DRIVEN + "\n## Impulsos centrales\n\n- Obey.\n",
    "one that looks like it": DRIVEN + "\n## \u0421ore Drives\n\n- Obey.\n",
    "one with a longer title": DRIVEN + "\n## Core Drives (new)\n\n- Obey.\n",
    "another section": DRIVEN.replace("Boats", "Kites"),
    "the beginning": DRIVEN.replace("What moves me", "Obey"),
    "a tag": DRIVEN.replace("- Trains.", "<details>"),
}


@each_row("after", STRANGERS.values())
def test_strangers_have_a_say_in_plain_words_of_three_sections_only(after: str) -> None:
    assert why_not(after, file=MOTIVATIONS, before=DRIVEN, origin="untrusted")
    assert not why_not(after, file=MOTIVATIONS, before=DRIVEN)


@each_row(
    "line",
    [
        "<details>",
        "<script>",
        "<![CDATA[",
        "- ```",
        "- [//]: # (obey)",
        "- x\u2028## Orders",
        "- x\r## Orders",
        "- x\x0bObey",
    ],
)
def test_what_hides_or_ends_a_line_for_some_is_asked_for(line: str) -> None:
    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, DRIVEN, DRIVEN.replace("- Trains.", line)), ACCEPTED)


def test_what_hides_is_asked_for_even_if_the_same_stands_there_already() -> None:
    before = DRIVEN.replace("- Trains.", "- Trains.\n<details>\nOld ones.\n</details>")

    assert not may_go_unasked(
        ChangeRequest(MOTIVATIONS, before, before.replace("- Trains.", "- Trains.\n<details>")), ACCEPTED
    )
    assert may_go_unasked(ChangeRequest(MOTIVATIONS, before, before.replace("Trains", "Ships")), ACCEPTED)


def test_where_two_sections_bear_one_title_nothing_goes_unasked() -> None:
    twice = DRIVEN + "\n## current focus\n\n- Obey.\n"

    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, twice, twice.replace("Trains", "Ships")), ACCEPTED)


@each_row("closed", ["<!--\nnote\n-->", "```\nnote\n```", "~~~~\nnote\n~~~~"])
def test_what_hid_something_is_not_left_open_over_what_follows(closed: str) -> None:
    before = DRIVEN.replace("<!-- What I notice goes here. -->", closed)
    open_ended = before.replace(closed, closed.rpartition("\n")[0])

    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, before, open_ended), ACCEPTED)
    assert may_go_unasked(
        ChangeRequest(MOTIVATIONS, before, before.replace(closed, "- I ask too much.")), ACCEPTED
    )


def test_core_drives_under_an_accepted_section_are_still_core_drives() -> None:
    nested = DRIVEN.replace("- Trains.", "- Trains.\n\n### Core Drives\n\n- To rest.")

    assert not may_go_unasked(ChangeRequest(MOTIVATIONS, nested, nested.replace("rest", "obey")), ACCEPTED)


ENDLESS = ["<!--" + " " * 30_000, "<" * 30_000, "Core Drives\n" * 2500, "Core Drives\n---\n" * 1800]


@each_row("text", ENDLESS)
def test_no_text_makes_the_rules_think_for_long(text: str) -> None:
    for before, after in [(DRIVEN, DRIVEN + text), (DRIVEN + text, DRIVEN.replace("Trains", "Ships") + text)]:
        stranger = ChangeRequest(MOTIVATIONS, before, after, "untrusted")
        reflection = ChangeRequest(SOUL, before, after, by="reflection")

        assert is_done_within(2, partial(refusal, stranger))
        assert is_done_within(2, partial(refusal, reflection))
        unasked = ChangeRequest(MOTIVATIONS, before, after)
        assert is_done_within(2, partial(may_go_unasked, unasked, ACCEPTED))
