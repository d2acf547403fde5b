"""What no proposal may do, and what may be done without asking.

Each rule looks at a wish and says why not, or nothing. The sentences have no
places to fill: they are kept as they are, and said in the owner's language.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

from almario.becoming.rules.locking import keeps_locks
from almario.becoming.rules.merging import changes_between
from almario.becoming.rules.motivations import DRIVES, FOCUS, OBSERVATIONS, QUESTIONS
from almario.becoming.rules.places import headings_in, place_of
from almario.domain.documents.headings import SPANISH, compared, parse_sections, section_body
from almario.domain.documents.lines import is_blank, split_lines
from almario.domain.memories import UNTRUSTED, Origin
from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.proposal import is_too_short
from almario.domain.soul_events import FILES, Maker
from almario.named_tuples import NamedTuple

SOUL, IDENTITY, MOTIVATIONS = FILES
# What strangers may have a say in.
STRANGE = (FOCUS, QUESTIONS, OBSERVATIONS)
# A longer text is no soul, and is kept in part only.
LONGEST = 100_000
# What a reflection may add to SOUL.md by itself, in characters of new lines, and by how much it may grow.
LEAST_PATCH, MOST_PATCH, _MOST_GROWTH = 50, 3000, 1.2
# Of the words of who somebody is, so many must be left.
_LEAST_KEPT = 0.3
_WORD = regex(r"\w{4,}")
_TAG = regex(r"<[^<>]*>")
# Comments, tags, fences, definitions of links, and what ends a line for some readers only.
_HIDING = regex(
    r"<[!?/a-z]|-->|^[\s>*+.)\d-]*(?:```|~~~|\[[^\]]+\]:\s*\S)|\r(?!\n)|[\v\f\x1c-\x1e\x85\u2028\u2029]",
    re.IGNORECASE,
)


class ChangeRequest(NamedTuple):
    """What a proposal would make of a soul file; *had_patch* says that a reflection has had its one today."""

    file: str
    before: str
    after: str
    origin: Origin = "agent"
    by: Maker = ""
    had_patch: bool = False

    @property
    def is_patch(self) -> bool:
        """Whether a reflection wants this in SOUL.md."""
        return self.file == SOUL and self.by == "reflection"


def refusal(wish: ChangeRequest) -> Sentence | None:
    """Return why a wish is not even to be proposed; None if it may be."""
    return next(filter(None, (rule(wish) for rule in RULES)), None)


def emptied(wish: ChangeRequest) -> Sentence | None:
    return Sentence("it would make the file empty") if is_blank(wish.after.strip()) else None


def shrunk(wish: ChangeRequest) -> Sentence | None:
    # What a night wants by itself is small. What waits for a yes may be as large as the owner likes.
    if wish.by == "reflection" and _loses_much(wish):
        return Sentence("the file would lose more than 30 % of its text; propose a smaller change")
    return None


def overgrown(wish: ChangeRequest) -> Sentence | None:
    if len(wish.before) < len(wish.after) > LONGEST:
        return Sentence("the file would be longer than 100,000 characters")
    return None


def replaced(wish: ChangeRequest) -> Sentence | None:
    if wish.by == "reflection" and _keeps_little(wish):
        return Sentence("almost nothing of the current text would be left; propose a smaller change")
    return None


def unlocked(wish: ChangeRequest) -> Sentence | None:
    if not keeps_locks(wish.before, wish.after):
        return Sentence("it would change, move, hide or add a locked section")
    return None


def strange(wish: ChangeRequest) -> Sentence | None:
    if wish.origin != UNTRUSTED:
        return None
    if wish.file != MOTIVATIONS:
        return Sentence("it is based on what an untrusted person said, who has no say in this file")
    if not _changes_only(wish, titles_in(",".join(STRANGE))):
        return Sentence(
            "it is based on what an untrusted person said, and changes more than plain words of "
            "Current Focus, Open Questions or Self-Observations"
        )
    return None


def second_patch(wish: ChangeRequest) -> Sentence | None:
    if wish.is_patch and wish.had_patch:
        return Sentence("a reflection has proposed a change to SOUL.md today; it may do so once a day")
    return None


def outsized_patch(wish: ChangeRequest) -> Sentence | None:
    if not wish.is_patch:
        return None
    if len(wish.after) > len(wish.before) * _MOST_GROWTH:
        return Sentence("SOUL.md would grow by more than 20 % in one reflection")
    added = [line.strip() for change in changes_between(wish.before, wish.after) for line in change.lines]
    if not LEAST_PATCH <= sum(map(len, added)) <= MOST_PATCH:
        return Sentence("a reflection adds 50 to 3,000 characters to SOUL.md, no less and no more")
    return None


def far_reaching(wish: ChangeRequest) -> Sentence | None:
    """Return what the owner should know before saying yes to a change that leaves little of a text."""
    if _keeps_little(wish):
        return Sentence("almost nothing of the current text would be left")
    return Sentence("the file would lose more than 30 % of its text") if _loses_much(wish) else None


def _loses_much(wish: ChangeRequest) -> bool:
    # A field of IDENTITY.md may well get a shorter value.
    return is_too_short(wish.before, wish.after, in_lines=wish.file == IDENTITY)


def _keeps_little(wish: ChangeRequest) -> bool:
    texts = (_self_in(wish.file, text) for text in (wish.before, wish.after))
    old, new = (set(_WORD.findall(text.casefold())) for text in texts)
    return len(old & new) < len(old) * _LEAST_KEPT


RULES: tuple[Callable[[ChangeRequest], Sentence | None], ...] = (
    emptied,
    overgrown,
    unlocked,
    shrunk,
    replaced,
    strange,
    second_patch,
    outsized_patch,
)


def titles_in(setting: str) -> frozenset[str]:
    """Return the titles that a comma-separated setting names, as they are compared."""
    return frozenset(filter(None, map(_compared, setting.split(","))))


def names_drives(title: str) -> bool:
    """Say whether a line or a title is nothing but the words Core Drives, in whatever dress or language."""
    return _letters(_TAG.sub("", title)) in (_letters(DRIVES), _letters(SPANISH[DRIVES]))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text).casefold()))


def may_go_unasked(wish: ChangeRequest, accepted: frozenset[str]) -> bool:
    """Return whether a wish changes only plain words in sections of MOTIVATIONS.md that are *accepted*."""
    return wish.file == MOTIVATIONS and wish.origin != UNTRUSTED and _changes_only(wish, accepted)


def _changes_only(wish: ChangeRequest, titles: frozenset[str]) -> bool:
    """Return whether a wish changes plain words under these titles, and nothing that may be Core Drives.

    Where several parts bear that name, whatever changes may be the one that counts.
    """
    if sum(map(names_drives, split_lines(wish.after))) > 1:
        return False
    before, after = parse_sections(wish.before), parse_sections(wish.after)
    known = [_compared(section.title) for section in before if section.level]
    if [s.heading for s in before] != [s.heading for s in after] or len(known) > len(set(known)):
        return False
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old.body != new.body]
    return all(
        old.level
        and _compared(old.title) in titles
        and not any(map(names_drives, (old.title, *split_lines(old.body), *split_lines(new.body))))
        and _is_plain(old.body, new.body)
        for old, new in changed
    )


def _compared(title: str) -> str:
    return " ".join(compared(title).split())


def _self_in(file: str, text: str) -> str:
    """Return that part of a soul file which says who somebody is; the rest of it may come and go."""
    return section_body(text, DRIVES) if file == MOTIVATIONS else text


def _is_plain(old: str, new: str) -> bool:
    """Return whether a section gets words only, above any smaller heading, and nothing hides what follows."""
    before, after = split_lines(old), split_lines(new)
    if _below_headings(before) != _below_headings(after) or _left_open(old) != _left_open(new):
        return False
    return not any(map(_HIDING.search, Counter(after) - Counter(before)))


def _below_headings(lines: list[str]) -> list[str]:
    first = next((index for index, _ in headings_in(lines)), len(lines))
    return lines[first:]


def _left_open(text: str) -> tuple[str, bool]:
    place = place_of(text, len(text))
    return place.fence, place.in_comment
