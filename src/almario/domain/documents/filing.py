"""Adding to a document the text that a line of the journal owes it, once."""

from collections.abc import Callable, Sequence

from almario.domain.documents.document import encoded
from almario.domain.events import Filing


def with_filing(content: bytes | None, filing: Filing, *, again: bool) -> bytes | None:
    """Return a document with a filing's text at its end; None if that is done *again*, and it is there."""
    new = encoded(filing.text)
    if again and count_of(content, filing) >= filing.nth:
        return None
    before = content or encoded(filing.title)
    gap = b"\n" if content and not content.endswith(b"\n") else b""
    return before + ((gap + new).replace(b"\n", b"\r\n") if b"\r\n" in before else gap + new)


def counted(filings: Sequence[Filing], read: Callable[[str], bytes | None]) -> tuple[Filing, ...]:
    """Say in each filing which of the equal texts in its document it is going to be."""
    found: list[Filing] = []
    for filing in filings:
        before = sum((each.path, each.text) == (filing.path, filing.text) for each in found)
        found.append(filing._replace(nth=count_of(read(filing.path), filing) + before + 1))
    return tuple(found)


def count_of(content: bytes | None, filing: Filing) -> int:
    """Count how often a text stands in a document as whole lines, with no further lines that belong to it."""
    lines = b"\n" + (content or b"").replace(b"\r\n", b"\n")
    wanted = b"\n" + encoded(filing.text)
    count = 0
    place = lines.find(wanted)
    while place >= 0:
        count += lines[place + len(wanted) :][:1] not in (b" ", b"\t")
        place = lines.find(wanted, place + 1)
    return count
