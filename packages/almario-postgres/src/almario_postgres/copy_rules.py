"""What becomes of a file that was given out to be edited, when it may have changed in both places since."""

from collections.abc import Mapping
from typing import Literal

from almario.becoming.rules.merging import merged
from almario.domain.documents.document import Document
from almario.domain.model import CORE_MEMORY
from almario.domain.plain_text import regex
from almario.memory.rules.mirror import parse
from almario.named_tuples import NamedTuple

# What is done with a file: nothing; it is entered in the store or removed there; refreshed or removed in the
# working copy; both changes become one; the other text is put beside it; it waits for that to be merged.
# `revived`: removed here, but changed there. `kept`: removed there, but changed here.
Fate = Literal[
    "same", "entered", "removed", "refreshed", "gone", "merged", "conflict", "waiting", "revived", "kept"
]
# These want the owner's word.
OPEN: tuple[Fate, ...] = ("conflict", "waiting", "revived", "kept")

# Whose files nobody edits: transcripts, the journal, costs, what was recorded of answers or read again.
_OURS = ("sessions", "journal", "costs", "flights")
# Copies that were set aside, and what editors leave.
_ASIDE = regex(r"\.conflict-[0-9a-f]{8}\b|~$|\.sw[opx]$|\.(?:bak|orig|tmp)$")
_CONFLICT = regex(r"(?P<stem>.*)\.conflict-[0-9a-f]{8}(?P<suffix>\.[^./]*)?")
# More than this part of the files, and more than so many of them, are not removed without a word.
_PART, _FEW = 0.2, 5


class Resolved(NamedTuple):
    """What is done with a file, and the content that both sides have then."""

    fate: Fate
    content: bytes | None = None


def is_given_out(name: str) -> bool:
    """Return whether a document is one that its owner may edit by hand."""
    parts = name.split("/")
    return (
        parts[0] not in _OURS and not any(part.startswith(".") for part in parts) and not _ASIDE.search(name)
    )


def resolved(name: str, base: bytes | None, mine: bytes | None, theirs: bytes | None) -> Resolved:
    """Say what becomes of a file that was given out as *base*, and is *mine* here and *theirs* there."""
    if mine == theirs:
        return Resolved("same", mine)
    if mine == base:
        return Resolved("gone" if theirs is None else "refreshed", theirs)
    if theirs == base:
        return Resolved("removed" if mine is None else "entered", mine)
    return _of_both(name, base, mine, theirs)


def _of_both(name: str, base: bytes | None, mine: bytes | None, theirs: bytes | None) -> Resolved:
    """Say what becomes of a file that was changed in both places."""
    if mine is None:
        return Resolved("revived", theirs)
    if theirs is None:
        return Resolved("kept", mine)
    both = _merged(base or b"", mine, theirs)
    if both is not None:
        return Resolved("merged", both)
    if name == CORE_MEMORY and _prose(base or b"") == _prose(theirs):
        return Resolved("entered", mine)  # its last line says what it showed: nothing that is new is lost
    return Resolved("conflict", theirs)


def conflict_name(name: str, theirs: bytes | None) -> str:
    """Return where the other one's text is put, beside a file."""
    folder, slash, last = name.rpartition("/")
    stem, dot, suffix = last.rpartition(".")
    mark = (Document(name, theirs).hash or "")[:8]
    return f"{folder}{slash}{stem or suffix}.conflict-{mark}{dot if stem else ''}{suffix if stem else ''}"


def conflict_of(name: str) -> str:
    """Return the file beside which a text was put; nothing if it is no such text."""
    found = _CONFLICT.fullmatch(name)
    return f"{found['stem']}{found['suffix'] or ''}" if found else ""


def are_too_many(fates: Mapping[str, Resolved]) -> bool:
    """Return whether so many files are removed at once that it may be a mistake."""
    gone = sum(each.fate == "removed" for each in fates.values())
    return gone > _FEW and gone > _PART * len(fates)


def _merged(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    try:
        both = merged(*(content.decode("utf-8") for content in (base, mine, theirs)))
    except UnicodeDecodeError:
        return None
    return None if both is None else both.encode("utf-8")


def _prose(content: bytes) -> list[str]:
    """Return the lines of MEMORY.md that are neither facts nor ours."""
    parsed = parse(content.decode("utf-8", "replace"))
    facts = {line for fact in parsed.facts for line in range(fact.first, fact.last + 1)}
    ours = facts | {*parsed.markers, *parsed.heads, *(heading.line for heading in parsed.headings)}
    return [line for number, line in enumerate(parsed.lines) if number not in ours and line.strip()]
