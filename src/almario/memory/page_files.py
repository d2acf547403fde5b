"""The files of pages, kept true: nothing that is out of use stays in what was made from memories."""

from collections.abc import Collection, Sequence
from contextlib import suppress

from almario.domain.documents.document import Document
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import Sentence, say
from almario.errors import DocumentError, EditConflict
from almario.memory.rules.page_file import (
    MadeSentence,
    PageFile,
    digest_of,
    page_path,
    parsed,
    rendered,
    sentence_of_memory,
    still_holding,
)
from almario.memory.rules.sources import PAGES
from almario.memory.writer import MemoryWriter, Write
from almario.named_tuples import NamedTuple

# A page is rewritten after this many changes.
_MOST_CHANGES = 2000
# What a change sets that lets a memory say something else, or nothing.
_SAYING = {"key", "value", "state", "valid_to", "dated"}
_TITLE = Sentence("What I know about you")


class CurrentPage(NamedTuple):
    """A page as it holds now: its file, the sentences that still hold, the live evidence of the others."""

    file: PageFile
    made: Sequence[MadeSentence] = ()
    freed: Sequence[Memory] = ()


class PageFiles:
    """Reads and writes the pages of one agent."""

    def __init__(self, writer: MemoryWriter, language: str, *, enabled: bool) -> None:
        """*enabled* says whether a model may write them unasked."""
        self.enabled = enabled
        self._writer = writer
        self._ledger = writer.ledger
        self._language = language

    def names(self) -> list[str]:
        """Return whose pages there are besides the owner's."""
        titles = {path: self._parsed(self._read(path)).title for path in self._paths()}
        return [
            title if page_path(title) == path else path.rpartition("/")[2].removesuffix(".md")
            for path, title in titles.items()
            if path != page_path("")
        ]

    def current(self, name: str = "") -> CurrentPage:
        """Return somebody's page, or the owner's, as it holds now."""
        return self._current(self._parsed(self._read(page_path(name))))

    def put(self, write: Write, name: str, page: PageFile) -> None:
        """Write what was made of a page; what the owner wrote stays. Nothing happens if it just changed."""
        document = self._read(page_path(name))
        self._replace(write, document, page._replace(head=self._parsed(document).head), name)

    def settle(self, write: Write) -> None:
        """Take out of every page what does not hold any more; the rest of its evidence takes its place."""
        for path in self._paths():
            document = self._read(path)
            file = self._parsed(document)
            now = self._current(file)
            if len(now.made) < len(file.made):
                theme = {one: each.theme for each in file.made for one in each.evidence}
                sentences = (
                    MadeSentence(
                        theme[memory.id], sentence_of_memory(memory), (memory.id,), digest_of([memory])
                    )
                    for memory in now.freed
                )
                self._replace(write, document, file._replace(made=(*now.made, *sentences)), file.title)

    def _paths(self) -> list[str]:
        names = self._writer.vault.documents.names(PAGES.rstrip("/"))
        return [name for name in names if name.endswith(".md")]

    def _read(self, path: str) -> Document:
        try:
            document = self._writer.vault.read(path)
            _ = document.text
        except DocumentError:  # no name, or no text, of ours
            return Document(path)
        return document

    def _parsed(self, document: Document) -> PageFile:
        return parsed(document.text) if document.content else PageFile()

    def _current(self, file: PageFile) -> CurrentPage:
        if not file.made:
            return CurrentPage(file)
        since = self._ledger.table.history(after=file.seq, last=_MOST_CHANGES)
        if len(since) == _MOST_CHANGES:
            return CurrentPage(file)
        cited = {one for each in file.made for one in each.evidence}
        changed = {each.change["id"] for each in since if _SAYING.intersection(each.change.get("set", ()))}
        live = {each.id: each for each in self._live(cited | changed)}
        gone = [text for one in changed for text in self._texts_gone(one, live.get(one), file.seq)]
        return CurrentPage(
            file, *still_holding(file.made, {one: live[one] for one in cited & live.keys()}, gone)
        )

    def _live(self, ids: Collection[str]) -> list[Memory]:
        wanted = Wanted(ids=tuple(sorted(ids)))
        return self._ledger.live(self._writer.vault.now(), wanted) if ids else []

    def _texts_gone(self, memory_id: str, live: Memory | None, seq: int) -> list[str]:
        before = [
            each.change["set"]["value"]
            for each in self._ledger.table.history(memory=memory_id)
            if each.seq <= seq and "value" in each.change.get("set", {})
        ]
        return before[-1:] if before and (live is None or live.value != before[-1]) else []

    def _replace(self, write: Write, document: Document, page: PageFile, name: str) -> None:
        text = rendered(page, name or say(self._language, _TITLE), self._language)
        if text != document.text:
            with suppress(EditConflict):  # somebody is writing there: the next time
                write.appender.replace(document, text)
