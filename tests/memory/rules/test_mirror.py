"""MEMORY.md is read as facts, merged as the owner meant it, and rendered without touching the rest."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import split_lines
from almario.domain.memories import Memory
from almario.memory.rules import mirror
from almario.memory.rules.mirror import Fact, Marker, Parsed, place, same
from almario.memory.rules.mirror_merge import Edits, merge
from almario.memory.rules.mirror_render import is_current, render
from tests.effort import every
from tests.tables import each_row
from tests.texts import any_text, ended, is_within, often, reads_long_lines
from tests.timing import is_done_within

AT = datetime(2026, 11, 14, 10, tzinfo=UTC)
MARKER = "<!-- almario 7 2026-11-14T10:00:00Z v2 -->"


def parse(text: str) -> Parsed:
    return mirror.parse(text)


def memory(key: str, value: str, *, seq: int = 1, name: str = "") -> Memory:
    return Memory(name or value, key, value, "profile", "explicit", "owner", AT, AT, AT, seq=seq)


def memories(*facts: Fact) -> list[Memory]:
    return [memory(key, value) for key, value in facts]


def facts(text: str) -> list[Fact]:
    return [(line.key, line.value) for line in parse(text).facts]


def rendered(text: str, live: list[Memory], seq: int = 7, **more: object) -> str:
    return render(parse(text), live, marker=Marker(seq, AT), **more)  # type: ignore[arg-type]


def file_of(*live: Fact) -> str:
    return rendered("", memories(*live))


def rest(text: str) -> str:
    """Return what is neither a fact nor a marker; a byte order mark is looked at apart."""
    parsed = parse(text)
    ours = {index for line in parsed.facts for index in range(line.first, line.last + 1)}
    ours |= set(parsed.markers)
    return "".join(line.lstrip("\ufeff") for index, line in enumerate(parsed.lines) if index not in ours)


# Reading.


def test_a_bullet_is_a_fact_under_the_heading_that_is_its_key() -> None:
    text = (
        "- loose\n# Memory\n* titled\n\n## work\nprose\n- builds boats\n+ in Cádiz  \n### also\n- [ ] learn\n"
    )

    assert facts(text) == [
        ("", "loose"),
        ("", "titled"),
        ("work", "builds boats"),
        ("work", "in Cádiz"),
        ("also", "[ ] learn"),
    ]


def test_indented_lines_belong_to_the_bullet_above_them() -> None:
    text = "- friends\n  - Ana\n    of Cádiz\n\n\tand more\nprose\n  - no fact\n- next\n"

    assert facts(text) == [("", "friends\n- Ana\n  of Cádiz\n\nand more"), ("", "next")]
    assert [(line.first, line.last) for line in parse(text).facts] == [(0, 4), (7, 7)]


@each_row(
    "prose", ["1. one", "-", "-  ", "- - -", "* * *", "-no", "  - deeper", "> - quoted", "\\- no", "**b**"]
)
def test_what_is_no_bullet_is_the_owners_prose(prose: str) -> None:
    assert facts(f"{prose}\n") == []


def test_fences_and_comments_hold_no_facts() -> None:
    assert facts("```\n- a\n## b\n```\n<!--\n- c\n-->\n- d\n") == [("", "d")]


def test_a_fence_that_a_fact_opens_hides_nothing_below_it() -> None:
    assert facts("- run\n  ```\n- next\n\n```\n- code\n```\n") == [("", "run\n```"), ("", "next")]


def test_the_marker_says_which_state_was_rendered() -> None:
    assert parse(f"- a\n\n{MARKER}\r\n\n").marker == Marker(7, AT)
    assert parse("- a\n").marker is None


def test_a_marker_with_lines_below_it_is_still_true() -> None:
    text = f"<!-- left open\n- a\n{MARKER}\n- b\n"

    assert parse(text).marker == Marker(7, AT)
    assert facts(text) == [("", "a"), ("", "b")]


@each_row("spoilt", ["2026-99-99T10:00:00Z", "2026-11-14T10:00:00", "2026-"])
def test_a_spoilt_marker_says_nothing_and_is_replaced(spoilt: str) -> None:
    text = f"- a\n\n<!-- almario 7 {spoilt} -->\n"

    assert parse(text).marker is None
    assert rendered(text, memories(("", "a"))) == f"- a\n\n{MARKER}\n"


def test_a_marker_in_a_fence_is_the_owners() -> None:
    text = f"```\n{MARKER}\n```\n"

    assert parse(text).marker is None
    assert rendered(text, []) == f"{text}\n{MARKER}\n"


# Merging: the file against what was rendered and what is live.


def merged(text: str, base: list[Memory] | None, live: list[Memory] | None = None, **more: object) -> Edits:
    return merge(parse(text), base, base or [] if live is None else live, **more)  # type: ignore[arg-type]


WORK = memories(("work", "builds boats"), ("work", "in Cádiz"), ("pets", "a cat"))
FILE = rendered("", WORK)


def test_a_new_line_is_a_new_fact_once() -> None:
    assert merged(FILE.replace("- a cat\n", "- a cat\n- a dog\n- a dog\n"), WORK) == Edits(
        added=(("pets", "a dog"),)
    )


def test_lines_changed_together_find_their_own_memories() -> None:
    text = FILE.replace("- builds boats\n- in Cádiz\n", "- near Cádiz\n- builds ships and boats\n")

    assert set(merged(text, WORK).changed) == {
        ("builds boats", "work", "builds ships and boats"),
        ("in Cádiz", "work", "near Cádiz"),
    }


def test_a_line_that_is_alike_but_stands_elsewhere_takes_no_place() -> None:
    base = memories(("", "Leo was born in May"), ("", "tea at five"), ("", "no sugar"))
    text = rendered("", base)

    typed_over = text.replace("- Leo was born in May", "- Leo was born in June")
    apart = text.replace("- Leo was born in May\n", "").replace(
        "- no sugar\n", "- no sugar\n- Zoe was born in May\n"
    )

    assert merged(typed_over, base).changed == (("Leo was born in May", "", "Leo was born in June"),)
    assert merged(apart, base) == Edits(
        added=(("", "Zoe was born in May"),), removed=("Leo was born in May",)
    )


def test_a_heading_spelt_otherwise_changes_nothing() -> None:
    text = FILE.replace("## work", "## **Work:**")

    assert merged(text, WORK) == Edits()
    assert merged(text.replace("boats", "ships"), WORK).changed == (("builds boats", "work", "builds ships"),)


def test_spaces_line_breaks_and_line_ends_change_nothing() -> None:
    text = FILE.replace("builds boats", "builds  \n   boats ").replace("\n", "\r\n")

    assert merged(text, WORK) == Edits()


def test_what_changed_since_the_marker_is_not_removed_and_not_replaced() -> None:
    newer = [*WORK[:2], WORK[2]._replace(seq=8)]

    assert merged(FILE.replace("- a cat\n", ""), WORK, newer) == Edits()
    assert merged(FILE.replace("a cat", "a dog"), WORK, newer) == Edits(added=(("pets", "a dog"),))


@each_row("length", range(FILE.index(MARKER)))
def test_a_half_written_save_is_no_edit(length: int) -> None:
    half = FILE[:length]
    edits = merged(half, None, WORK)

    assert edits._replace(cut=()) == Edits()
    assert set(facts(rendered(half, WORK, gone=dict.fromkeys(edits.cut)))) == set(facts(FILE))


@each_row("value", ["a --> b", "one\n``` two\n\nthree ", "- -", "\\# a"])
def test_a_value_cut_anywhere_is_no_edit(value: str) -> None:
    live = memories(("k", value))
    text = rendered("", live)

    for length in range(text.index(MARKER)):
        assert merged(text[:length], None, live).added == ()


def test_a_value_cut_between_its_lines_is_no_edit() -> None:
    assert merged("## a\n\n- one\n", None, memories(("a", "one\ntwo"))).added == ()
    assert merged("## a\n\n- one\nprose\n", None, memories(("a", "one\ntwo"))).added == (("a", "one"),)


@each_row("text", ["- builds\n", "- builds\nprose", f"{MARKER}\n- builds"])
def test_a_line_that_begins_like_another_and_was_not_cut_is_a_fact(text: str) -> None:
    assert merged(f"## work\n{text}", None, WORK).added == (("work", "builds"),)


MANY = memories(*(("k", f"{n} {chr(97 + n) * 9}") for n in range(26)))


@each_row(("count", "gone"), [(26, 5), (26, 6), (9, 6), (5, 5)])
def test_many_lines_gone_at_once_are_asked_about(count: int, gone: int) -> None:
    base = MANY[:count]
    edits = merge(parse(rendered("", base[gone:])), base, base)
    names = tuple(memory.id for memory in base[:gone])

    is_mass = gone > 5
    assert (edits.removed, edits.missing) == (((), names) if is_mass else (names, ()))


def test_a_fifth_of_many_lines_may_go() -> None:
    base = memories(*(("k", f"{n} {chr(97 + n) * 9}") for n in range(30)))

    assert len(merge(parse(rendered("", base[6:])), base, base).removed) == 6
    assert len(merge(parse(rendered("", base[7:])), base, base).missing) == 7


def test_among_many_that_are_gone_a_line_that_is_like_none_replaces_none() -> None:
    base = memories(
        ("work", "builds boats"), *(("pets", f"a pet named {'abcdefgh'[n] * 6}") for n in range(7))
    )
    text = rendered("## work\n- rests\n", [])

    edits = merge(parse(text), base, base)

    assert edits.added == (("work", "rests"),)
    assert edits.changed == ()
    assert len(edits.missing) == 8


def test_a_secret_in_the_file_is_the_memory_that_was_redacted() -> None:
    def redact(key: str, value: str) -> Fact:
        return key, value.replace("1234", "[redacted:pin]")

    live = memories(("bank", "pin [redacted:pin]"))
    text = f"## bank\n\n- pin 1234\n\n{MARKER}\n"

    assert merged(text, live, redact=redact) == Edits()
    assert merged(text, None, live, redact=redact) == Edits()
    assert rendered(text, live, redact=redact) == text
    assert facts(rendered(text, [], gone={("bank", "pin [redacted:pin]"): None}, redact=redact)) == []


# Rendering.


def test_new_facts_come_after_those_of_their_key() -> None:
    text = "* loose\n\n## Work\n\n* builds boats\n\nprose\n\n## pets\n\nmine\n\n# End\n"
    live = [*WORK, *memories(("", "loose"), ("", "more"), ("home", "by the sea"))]

    assert rendered(text, live) == (
        "* loose\n* more\n\n## Work\n\n* builds boats\n* in Cádiz\n\nprose\n\n"
        f"## pets\n\nmine\n- a cat\n\n# End\n\n## home\n\n- by the sea\n\n{MARKER}\n"
    )


def test_a_superseded_line_makes_way_for_its_heir_where_it_stands() -> None:
    heir = memory("work", "builds ships\nand boats")
    text = "## work\r\n+ builds boats\r\n  of wood\r\n+ in Cádiz"

    after = rendered(text, [heir, WORK[1]], gone={("work", "builds boats of wood"): heir})

    assert after == f"## work\r\n+ builds ships\r\n  and boats\r\n+ in Cádiz\r\n\r\n{MARKER}\r\n"


def test_an_heir_that_stands_elsewhere_is_not_written_twice() -> None:
    heir = memory("work", "builds ships")
    text = "## work\n- builds boats\n- builds ships\n- builds rafts\n"
    gone = {("work", "builds boats"): heir, ("work", "builds rafts"): heir}

    assert facts(rendered(text, [heir], gone=gone)) == [("work", "builds ships")]
    assert facts(rendered(text.replace("- builds ships\n", ""), [heir], gone=gone)) == [
        ("work", "builds ships")
    ]


def test_an_heir_with_another_key_stands_under_that() -> None:
    heir = memory("home", "in Cádiz")

    assert facts(rendered(FILE, [heir], gone={("work", "in Cádiz"): heir}))[-1] == ("home", "in Cádiz")


def test_what_is_live_again_stays_though_it_was_gone() -> None:
    assert facts(rendered(FILE, WORK, gone={("pets", "a cat"): None})) == facts(FILE)


def test_a_heading_that_lost_its_last_fact_stays_and_is_used_again() -> None:
    empty = rendered(FILE, WORK[:2], gone={("pets", "a cat"): None})

    assert "## pets\n" in empty
    assert facts(rendered(empty, WORK)) == facts(FILE)
    assert rendered(empty, WORK).count("##") == 2


def test_a_second_rendering_changes_only_the_marker() -> None:
    text = f"\ufeff# Mine\r\n\r\n* builds boats\r\n\r\n{MARKER}"
    live = memories(("", "builds boats"))

    assert rendered(text, live) == text
    assert rendered(text, live, seq=12) == text.replace("almario 7", "almario 12")


def test_old_markers_elsewhere_are_removed() -> None:
    text = f"- a\n{MARKER}\n  more of a\n- b\n{MARKER}\n{MARKER}\n\n"
    live = memories(("", "a more of a"), ("", "b"))

    assert rendered(text, live) == f"- a\n  more of a\n- b\n{MARKER}\n\n"
    assert rendered(f"{MARKER}\n- b\n", live[1:]) == f"- b\n\n{MARKER}\n"


def test_a_rendering_that_would_renew_an_equal_marker_is_not_needed() -> None:
    def current(text: str, live: list[Memory]) -> bool:
        newest = max(memory.seq for memory in live)
        return is_current(parse(text), rendered(text, live, seq=9), Marker(9, AT), newest)

    assert current(FILE, WORK)
    assert not current(FILE, [*WORK[:2], memory("pets", "a dog")])
    assert not current(FILE, [*WORK[:2], WORK[2]._replace(seq=8)])
    assert not current(FILE.replace(MARKER, ""), WORK)
    assert not current(f"{MARKER}\n{FILE.replace(MARKER, '')}", WORK)


def test_a_memory_without_words_is_not_shown() -> None:
    assert rendered("", memories(("a", " \n"))) == f"{MARKER}\n"


SIGNS = (
    "#",
    "```",
    "~~~",
    "<!--",
    "-->",
    "- ",
    "* ",
    "\\",
    " ",
    "\t",
    "\n",
    "##",
    "a",
    "é",
    "🗝️",
    "日本",
    "&#32;",
    MARKER,
)
values = (st.lists(st.sampled_from(SIGNS), max_size=7).map("".join) | st.text(max_size=8)).filter(
    lambda value: bool(value.split())
)
# What has nothing but marks in its key has none.
keys = values.map(lambda value: " ".join(value.split())).filter(lambda key: bool(place(key)))


@often
@given(keys, values, st.sampled_from(["\n", "\r\n"]), st.sampled_from("-*+"))
@example("C#", "- -", "\n", "-")
@example("a --> b", "a", "\n", "-")
@example("a: b", "a\n\n  ```\nb\n", "\n", "-")
@example("#", "\n <!-- a \\", "\r\n", "*")
@example("a ##", "\\\\ \n\\", "\n", "*")
@example("a\ufeff", "\ufeffa", "\n", "+")
@example("a: b", "c: d", "\n", "+")
@example("a", "\\**c**: d", "\n", "+")
def test_any_value_and_key_are_read_back_as_they_were(key: str, value: str, end: str, sign: str) -> None:
    live = memories((key, value))
    plain = value.replace("\r\n", "\n").replace("\r", "\n")

    fresh = rendered(f"<!-- left open{end}", live)
    after = rendered(
        f"<!-- left open{end}## k{end}{sign} old{end}",
        [memory("k", value)],
        gone={("k", "old"): memory("k", value)},
    )

    assert facts(fresh) == [(key, plain)]
    assert facts(after) == [("k", plain)]
    assert after.split(end)[2][0] == sign
    assert merged(fresh, live) == Edits()


@each_row("opener", ["```", "~~~", "<!--"])
def test_a_value_hides_no_heading_from_other_readers(opener: str) -> None:
    text = rendered(
        f"## a\n- a\n\n## b\n\n{opener}\nhidden\n{opener}-->\n", memories(("a", f"a\n{opener}"), ("c", "c"))
    )

    assert [section.title for section in parse_sections(text)] == ["a", "b", "c"]


@often
@given(st.lists(st.tuples(keys, values), max_size=5))
def test_any_facts_together_are_read_back_as_they_were(some: list[Fact]) -> None:
    live = memories(*some)
    text = file_of(*some)

    assert {same(*fact) for fact in facts(text)} == {same(*fact) for fact in some}
    assert merged(text, live) == Edits()
    assert rendered(text, live) == text


@often
@given(any_text)
def test_the_lines_of_a_file_join_back_to_it(text: str) -> None:
    parsed = parse(text)

    assert parsed.bom + "".join(parsed.lines) == text
    assert all(fact.value.split() for fact in parsed.facts)


@often
@given(any_text, st.sets(st.integers(0, 9)), st.lists(st.tuples(keys, values), max_size=3))
@example("\r", set(), [])
@example("a\n\n  ", set(), [])
@example("\ufeff- a\n- b", {0}, [("k", "v")])
@example("- a\n\ufeff- b", {0}, [])
def test_what_is_nobodys_fact_keeps_its_bytes(text: str, leaving: set[int], more: list[Fact]) -> None:
    added = merged(text, None, []).added
    stay = [fact for place, fact in enumerate(added) if place not in leaving]
    gone = {fact: None for fact in added if fact not in stay}
    live = memories(*stay)

    same_keys = rendered(text, live, gone=gone)
    after = rendered(text, memories(*stay, *more), gone=gone)

    assert after.startswith(parse(text).bom)
    assert rest(same_keys).startswith(rest(text))
    assert not rest(same_keys).removeprefix(rest(text)).strip("\r\n")
    assert is_within(ended(rest(text), text), ended(rest(after)))
    assert merged(same_keys, live) == Edits()
    assert merged(after, memories(*stay, *more)) == Edits()
    assert rendered(after, memories(*stay, *more)) == after
    assert parse(after).marker == Marker(7, AT)


def test_a_crlf_file_stays_crlf() -> None:
    after = rendered("## work\r\n- a\r\n", [*WORK, memory("work", "a\nb")])

    assert all(line.endswith("\r\n") for line in split_lines(after))


# Size.


def test_thousands_of_facts_are_merged_and_rendered_at_once() -> None:
    live = memories(*((f"key {n % 300}", f"value {n} of some words") for n in range(1_000)))
    parsed = parse(rendered("", live))
    changed = parse(rendered("", [m._replace(value=m.value + " or more", key="k") for m in live]))
    base = [m._replace(key="k") for m in live]

    assert is_done_within(0.3, lambda: merge(parsed, live, live))
    assert is_done_within(0.3, lambda: render(parsed, live, marker=Marker(7, AT)))
    assert is_done_within(1.5, lambda: merge(changed, base, base))


@each_row(
    "line",
    every(
        3,
        [
            "```\n",
            "<!-- a\n",
            f"{MARKER}\n",
            "\n",
            "- a\n\n\n",
            "  a\n",
            "## k\n",
            "- \\\n",
            "-->\n",
            "~~~~\n```\n",
        ],
    ),
)
def test_hostile_files_take_linear_time(line: str) -> None:
    def run() -> None:
        text = "- a\n" + line * 5_000
        rendered(text, [*WORK, memory("k", "v")], gone={("", "a"): None})

    assert is_done_within(1, run)


def test_a_long_line_is_read_at_once() -> None:
    assert reads_long_lines(lambda text: rendered(text, WORK))


@each_row("sign", ["\\", "#", " #", "- ", "-->", "--\\", "``` ", " \\", "\n", "a\n"])
def test_a_long_value_or_key_takes_linear_time(sign: str) -> None:
    live = memories((f"k{sign * 8_000}", f"v{sign * 8_000}"), (f"{sign * 8_000}k", f"{sign * 8_000}v"))

    assert is_done_within(0.4, lambda: merged(rendered("", live), live))
