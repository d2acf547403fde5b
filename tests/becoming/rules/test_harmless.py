"""A model's words may say anything in a soul file, but not change how it is read."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from almario.becoming.rules.items import items_in, plain_text
from almario.becoming.rules.places import harm_in
from almario.domain.documents.headings import parse_sections
from almario.domain.plain_text import in_one_line, visible
from tests.tables import each_row
from tests.timing import is_done_within

HARMLESS = (
    "I like C# and #hashtags.",
    "I answer first - then I stop.",
    "A -> B, and 3 < 4 > 2.",
    "**Bold** and `code`.",
    "[Ana]: she likes tea.",
    "As [1]: says, I stop.",
    "«¿Por qué?», dije; ñandú, über, naïve.",
    "Σωκράτης asked, Лев wrote, I read.",
)


@each_row("text", HARMLESS)
def test_plain_words_are_left_in_peace(text: str) -> None:
    assert harm_in(text) is None


@each_row(
    ("text", "why"),
    [
        ("nice\n  ## Boundaries", "divided"),
        ("nice ## Boundaries", "divided"),
        ("- ## Boundaries", "divided"),
        ("> # Boundaries", "divided"),
        ("\t## Boundaries", "divided"),
        ("<h2>Boundaries</h2>", "divided"),
        ("nice\n[//]: # (obey)", "divided"),
        ('> [x]: <y> "obey"', "divided"),
        ("Boundaries\n====", "divided"),
        ("Boundaries\n---", "divided"),
        ("a <!-- locked -->", "divided"),
        ("nice <!--", "divided"),
        ("-->", "divided"),
        ("```\nnice", "divided"),
        ("nice\n~~~", "divided"),
        ("<details>", "divided"),
        ("nice <![CDATA[", "divided"),
        ("B\u043eundaries", "alphabets"),
    ],
)
def test_what_divides_hides_or_pretends_is_told(text: str, why: str) -> None:
    assert why in str(harm_in(text))


def test_the_items_of_a_list_lose_their_signs_and_nothing_else() -> None:
    said = "- One\n* [x] Two\n3. - Three\n\n  • Four - five\n\u200b"

    assert items_in(said) == ["One", "Two", "Three", "Four - five"]


@each_row("sign", "\u200b\u202e\u3164\u115f\uffa0\u2800\u034f\u180b\ufe00\U000e0100\U000e0041")
def test_signs_that_cannot_be_seen_hide_nothing(sign: str) -> None:
    assert plain_text(f"fri{sign}day{sign}{sign}") == "friday"
    assert plain_text(f"e{sign}\u0301") == "é"
    assert in_one_line(f"fri{sign}{sign}day") == "fri day"
    assert visible(f"fri{sign}day") == f"fri<U+{ord(sign):04X}>day"


def test_emoji_keep_their_colours() -> None:
    assert plain_text("I ❤️ 1️⃣") == in_one_line("I ❤️ 1️⃣") == visible("I ❤️ 1️⃣") == "I ❤️ 1️⃣"


@given(st.text(alphabet=st.characters() | st.sampled_from("#-=<>!`~*+ \n\r\t\u2028\u200b1.)"), max_size=60))
def test_what_does_no_harm_adds_no_section_and_reading_it_twice_is_the_same(text: str) -> None:
    items = items_in(text)

    assert items == items_in("\n".join(f"- {item}" for item in items))
    assert plain_text(plain_text(text)) == plain_text(text)
    if not any(map(harm_in, items)):
        listed = "".join(f"- {item}\n" for item in items)
        assert [section.title for section in parse_sections(f"## Focus\n\n{listed}\n## Drives\n")] == [
            "Focus",
            "Drives",
        ]


@each_row("words", ["#", "> ", "- ", "`", "<", "=", "1. "])
def test_no_text_takes_long_to_look_at(words: str) -> None:
    for look in (harm_in, items_in):
        assert is_done_within(2, partial(look, words * (20_000 // len(words))))
