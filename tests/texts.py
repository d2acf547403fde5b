"""Texts as people, editors and other programs leave them."""

from collections.abc import Callable, Iterable
from functools import partial

from hypothesis import strategies as st

from almario.domain.documents.lines import newline_of, split_lines
from tests.effort import THOROUGH, examples
from tests.timing import is_done_within

often = examples(12)

_PIECES = (
    "",
    " ",
    "\t",
    "\ufeff",
    "\u2028",
    "\x0b\x0c",
    "cafe\u0301",
    "日本語の行",
    "👩\u200d👩\u200d👧 🗝️",
    "words and words",
    "# Title",
    "  ## Active Goals",
    "## Completed ##",
    "## Elsewhere",
    "### Deeper",
    "#tag",
    "> quoted: line",
    "| a: | b |",
    "- [ ] 🔴 learn",
    "* [ ] rest",
    "- [x] ~~walk~~ ✅ 2026-01-15",
    "- [x] by hand",
    "  Notes: often",
    "  Status: slow",
    "    - [ ] smaller",
    "- [14:30] tea",
    "## [9:05:01] dream",
    "- likes tea",
    "name: Finny",
    "- **Vibe:** warm",
    "https://example.org/a:b",
    "```",
    "  ```",
    "````",
    "~~~ text",
    "~~~",
    "<!--",
    "  <!-- open",
    "-->",
    "<!-- closed -->",
    "<!-- almario 7 2026-11-14T10:00:00Z v2 -->",
)
_ENDS = ("\n", "\n", "\n", "\r\n", "\r", "")
_lines = st.tuples(st.sampled_from(_PIECES) | st.text(max_size=6), st.sampled_from(_ENDS)).map("".join)

any_text = st.lists(_lines, max_size=14).map("".join)
# What somebody may say: whatever looks like a sign of one of our files, broken anywhere.
_SIGNS = """- -- --> <!-- --\\> [untrusted] [UNTRUSTED] (untrusted) : – — [2026-01-01] [10:00] # ## > ** #3,
``` ~~~ ~~ ✅ 🔴 🟢 --- Status: Notes: name: \\ 1. + * a b ñ""".split()
_LINES = (
    "- [10:00] x",
    "- [2026-01-01] y",
    "## [9:05] z",
    "## Active Goals",
    "## [03:30] 2026-11-14-2 (at night)",
)
_BREAKS = (
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    *"\u2028\x0b\x85\u00a0\u3000\u200b\ufeff\ufe0f\x00\x1f",
)
anything = st.lists(st.sampled_from((*_SIGNS, *_LINES, *_BREAKS)) | st.text(max_size=3), max_size=8).map(
    "".join
)
words = st.text("abcdefg é ñ日🤖", min_size=1, max_size=12).map(str.strip).filter(bool)

# Grown step by step, so that a parser that is slow by nature fails instead of hanging. What takes its square
# takes minutes for the third.
_LENGTHS = (1_000, 20_000, 400_000, *((2_000_000,) if THOROUGH else ()))


def reads_long_lines(parse: Callable[[str], object]) -> bool:
    """Return whether *parse* reads each of some lines of 400 kB, or of 2 MB, within two seconds."""
    return all(is_done_within(2, partial(parse, line)) for length in _LENGTHS for line in _long_lines(length))


def _long_lines(length: int) -> Iterable[str]:
    for sign in " #a:-":
        yield sign * length
    for start in ("a", "- [ ] ", "## ", "  Notes", "- [14:30]", "<!--"):
        yield start + " " * length
    yield "<!---->" * (length // 70)


def ended(text: str, like: str | None = None) -> list[str]:
    """Return the lines of *text*, the last one ended as lines are in *like*."""
    lines = split_lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline_of(text if like is None else like)
    return lines


def is_within(some: Iterable[str], lines: Iterable[str]) -> bool:
    """Return whether *some* stand in *lines*, in their order."""
    rest = iter(lines)
    return all(line in rest for line in some)
