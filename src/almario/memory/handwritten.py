"""Secrets in what the owner writes by hand: they stay in the file, and are told of once.

They reach no prompt and no index. Only the owner takes them out.
"""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator

from almario.domain.documents.conflicts import conflict_line
from almario.domain.documents.document import digest
from almario.domain.messages import Sentence
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.withheld import MASK, named_kinds, withheld
from almario.errors import AlmarioError, SoulError
from almario.memory.rules.page_file import handwritten
from almario.memory.rules.sources import HISTORY, PAGES, day_named
from almario.memory.writer import MemoryWriter
from almario.named_tuples import NamedTuple
from almario.text.redaction import LONGEST_LINE, UNREAD, Redactor, digest_of, lines_of_secrets

# The table notes under this, with a file's name, the content that was told of.
_NOTED = "secrets:"
_SUSPECTED = "suspected:"
_UNTOLD = "untold:"
# How many of the latest daily logs are checked for withheld text.
_LATEST = 3


class HandwrittenPlace(NamedTuple):
    """A line of a file, counted from 1, and the kinds of the secrets in it."""

    file: str
    line: int
    kinds: tuple[str, ...]


class Handwritten:
    """Finds secrets in the soul files, MEMORY.md, the daily logs and HISTORY.md."""

    def __init__(self, writer: MemoryWriter, redact: Redactor, *, prose: Callable[[], str]) -> None:
        """*prose* is what MEMORY.md says besides its facts, each of which is searched by itself."""
        self._writer = writer
        self._redact = redact
        self._prose = prose

    def places(self) -> Iterator[HandwrittenPlace]:
        """Yield every line with a secret in it."""
        logs = [each for each in self._writer.vault.documents.names("memory") if each.endswith(".md")]
        for name in (*SOUL_FILES, CORE_MEMORY, *logs):
            yield from self._in(name, self._text(name))

    def older(self) -> Iterator[tuple[str, int]]:
        """Yield the soul files that had a secret in contents which are kept, and in how many."""
        vault = self._writer.vault
        for name in SOUL_FILES:
            kept = {version.hash for version in vault.versions.history(name) if version.kept and version.hash}
            count = 0
            for each in kept - {vault.read(name).hash}:
                with contextlib.suppress(SoulError):  # a purge has taken it away since
                    count += bool(self._redact(vault.versions.text(name, each)).kinds)
            if count:
                yield name, count

    def news(self, files: Iterable[str]) -> list[Sentence]:
        """Tell of the secrets in these files, each content once; the caller holds the lock."""
        notices = []
        for name in files:
            text = self._text(name) if is_handwritten(name) else ""
            lines = text.split("\n")
            places = [
                place for place in self._in(name, text) if not _is_mirrored(name, lines[place.line - 1])
            ]
            # Almario adds to these files itself, so what was told of is known by its lines.
            seen = digest("\n".join(lines[place.line - 1] for place in places).encode("utf-8", "replace"))
            if places and self._writer.derived.table.noted(_NOTED + name) != seen:
                self._writer.derived.table.note(_NOTED + name, seen)
                notices.append(_sentence(name, places))
            if name != CORE_MEMORY:  # the mirror tells of its facts
                notices += self._new_suspects(name, self._redact.suspected(text))
        return notices

    def untold(self, files: Iterable[str]) -> list[Sentence]:
        """Tell what of these files is told to nobody: sides of a merge, and what is too long to be searched.

        That is told once of each content; the caller holds the lock.
        """
        read = ((name, self._text(name)) for name in files if is_handwritten(name))
        return [sentence for name, text in read for sentence in self._untold(name, text)]

    def _untold(self, name: str, text: str) -> list[Sentence]:
        notices = []
        if line := conflict_line(text):
            sentence = "{file} has merge markers from line {line} on; until you choose a side, {instead}"
            before = Sentence("what it said before them is told")
            instead = before if name in SOUL_FILES else Sentence("nothing between them is told")
            notices.append(Sentence(sentence, file=name, line=line, instead=instead))
        if len(text) > LONGEST_LINE and f"{MASK}{UNREAD}]" in self._redact.text(text):
            sentence = (
                "{file} is too long to be searched for secrets: what is not searched is told to nobody; "
                "shorter lines are"
            )
            notices.append(Sentence(sentence, file=name))
        seen = digest(text.encode("utf-8", "replace")) if notices else ""
        if self._writer.derived.table.noted(_UNTOLD + name) == seen:
            return []
        self._writer.derived.table.note(_UNTOLD + name, seen)
        return notices

    def _new_suspects(self, name: str, suspected: Collection[str]) -> list[Sentence]:
        noted = self._writer.derived.table.noted(_SUSPECTED + name)
        known = set(noted.split())
        digests = {digest_of(each): each for each in suspected}
        if digests.keys() != known:
            self._writer.derived.table.note(_SUSPECTED + name, " ".join(digests))
        new = [each for key, each in digests.items() if key not in known]
        return [withheld(new)] if new else []

    def withheld(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the files of which something is told to nobody as it may be a secret, and what that is."""
        logs = [each for each in self._writer.vault.documents.names("memory") if day_named(each)]
        for name in (*SOUL_FILES, CORE_MEMORY, HISTORY, *sorted(logs)[-_LATEST:]):
            if suspected := self._redact.suspected(self._text(name, prose=name == CORE_MEMORY)):
                yield name, suspected

    def _text(self, name: str, *, prose: bool = False) -> str:
        try:
            text = self._prose() if prose else self._writer.vault.read(name).text
            return handwritten(text) if name.startswith(PAGES) else text
        except AlmarioError:  # whoever reads it for its own sake tells
            return ""

    def _in(self, name: str, text: str) -> list[HandwrittenPlace]:
        lines = lines_of_secrets(text, self._redact.whole(text))
        return [HandwrittenPlace(name, line, kinds) for line, kinds in lines.items()]


def is_handwritten(name: str) -> bool:
    """Return whether a file is one that the owner edits."""
    is_log = name.rpartition("/")[0] == "memory" and day_named(name)
    return name in SOUL_FILES or name in (CORE_MEMORY, HISTORY) or name.startswith(PAGES) or bool(is_log)


def _is_mirrored(name: str, line: str) -> bool:
    """Return whether a line of MEMORY.md is a fact or its key, of which the mirror tells."""
    return name == CORE_MEMORY and line.lstrip().startswith(("-", "*", "+", "#"))


def _sentence(name: str, places: Collection[HandwrittenPlace]) -> Sentence:
    return Sentence(
        "{file} holds a secret ({kinds}) on line {lines}; it stays in the file, and nowhere else: take "
        'it out ("almario doctor" says how)',
        file=name,
        lines=", ".join(str(place.line) for place in places),
        kinds=named_kinds(kind for place in places for kind in place.kinds),
    )
