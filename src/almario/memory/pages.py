"""Pages about the owner and others: what the owner wrote is a file, what a model made of memories is derived.

What was made holds as long as all that the model was shown is in use and says the same. Then none of it is
told any more: it may retell, in other words, what was changed or forgotten.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress

from almario.domain.digests import sha256
from almario.domain.memories import Memory, Wanted
from almario.domain.portrait import MadePage
from almario.domain.records import plain, read
from almario.errors import DocumentError, EditConflict
from almario.memory.rules.page_file import handwritten, page_path, title_and_note
from almario.memory.rules.sources import PAGES
from almario.memory.writer import MemoryWriter, Write

# Under this, with the path of its file, the table notes a page.
_NOTED = "page:"


class PortraitPages:
    """Reads and keeps the pages of one agent."""

    def __init__(self, writer: MemoryWriter) -> None:
        self._writer = writer

    def names(self) -> list[str]:
        """Return whose pages there are besides the owner's, those that the owner wrote first."""
        own = {path: title_and_note(text)[0] for path, text in self._files()}
        plain_names = {path: path.rpartition("/")[2].removesuffix(".md") for path in own}
        named = {path: own[path] if page_path(own[path]) == path else plain_names[path] for path in own}
        made = self._writer.ledger.table.notes(_NOTED)
        named |= {path: _read(text).name for path, text in made.items() if path not in own}
        return [name for path, name in named.items() if path != page_path("")]

    def is_by_hand(self, name: str) -> bool:
        """Return whether the owner has a file for somebody."""
        return bool(self._text(page_path(name)))

    def note(self, name: str = "") -> str:
        """Return what the owner wrote about somebody, or about themselves."""
        return title_and_note(self._text(page_path(name)))[1]

    def made(self, name: str = "") -> MadePage:
        """Return what a model made of somebody's page, or the owner's; nothing, if it does not hold now."""
        page = _read(self._writer.ledger.table.noted(_NOTED + page_path(name)))
        wanted = Wanted(ids=page.shown)
        live = self._writer.ledger.live(self._writer.vault.now(), wanted) if page.shown else []
        return page if page.digest == digest_of(live) else MadePage()

    def keep(self, page: MadePage) -> None:
        """Keep what a model made, in the place of what it made before; the caller holds the lock."""
        with self._writer.derived.writing():
            text = json.dumps(plain(page), ensure_ascii=False)
            self._writer.derived.table.note(_NOTED + page_path(page.name), text)

    def leave_by_hand(self, write: Write) -> None:
        """Take out of the files what an older version made there."""
        for path, text in self._files():
            if (own := handwritten(text)) != text:
                with suppress(EditConflict):  # somebody is writing there: the next time
                    write.appender.replace(self._writer.vault.read(path), own)

    def _files(self) -> Iterator[tuple[str, str]]:
        for name in self._writer.vault.documents.names(PAGES.rstrip("/")):
            if name.endswith(".md"):
                yield name, self._text(name)

    def _text(self, path: str) -> str:
        try:
            return self._writer.vault.read(path).text
        except DocumentError:  # no name, or no text, of ours
            return ""


def digest_of(memories: Iterable[Memory]) -> str:
    """Return a short digest of what some memories say."""
    lines = sorted(f"{each.id} {each.text} {each.dated}" for each in memories)
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass"))[:16] if lines else ""


def _read(text: str) -> MadePage:
    return read(MadePage, json.loads(text)) if text else MadePage()
