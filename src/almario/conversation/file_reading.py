"""What a model may read of an agent's files: without what is forgotten."""

from collections.abc import Callable, Collection, Sequence
from pathlib import PurePosixPath

from almario.domain.forgotten import term_sets
from almario.domain.model import IMPORTED
from almario.domain.turns import Turn, readable_turn, session_of
from almario.domain.words import index_terms, sentence_spans
from almario.errors import DocumentError, StoreError, ToolError
from almario.memory.rules.erasure import without_turns
from almario.memory.rules.sources import SNAPSHOTS, entries_of, is_filed, line_name
from almario.ports import Store, Transcripts

# A longer file is not shown at all: a transcript of years has a few megabytes.
_MOST_BYTES = 20_000_000
_NOT_OURS = ("journal", "costs")


def readable_file(store: Store, name: str) -> str:
    """Return the text of a file by its path in the vault; ToolError says why it cannot be had."""
    path = PurePosixPath(name)
    parts = [part.casefold() for part in path.parts]
    strange = "\0" in name or "\\" in name or path.is_absolute()
    hidden = any(part.startswith(".") for part in parts)  # and the way up
    if strange or hidden or parts[:1] in ([each] for each in _NOT_OURS):
        raise ToolError('cannot read "{path}"; give a path inside your memory', path=_shown(name))
    is_transcript = parts[0] == "sessions" and path.suffix == ".jsonl" if parts else False
    if path.suffix.lower() != ".md" and not is_transcript:
        raise ToolError('cannot read "{path}": only .md files and transcripts can be read', path=_shown(name))
    try:
        document = store.read(name)
    except (DocumentError, StoreError) as exc:
        raise ToolError('cannot read "{path}"', path=_shown(name)) from exc
    if document.is_link:
        raise ToolError('cannot read "{path}": it is a link', path=_shown(name))
    if document.content is None:
        raise ToolError('there is no file "{path}"; memory_search gives paths', path=_shown(name))
    if len(document.content) > _MOST_BYTES:
        raise ToolError('"{path}" is too long to be read', path=_shown(name))
    return document.content.decode("utf-8", "replace")


def in_mind(path: str, text: str, out: Collection[str]) -> str:
    """Return a file's text without what told of things that are forgotten; every line keeps its number."""
    if not out:
        return text
    lines = text.split("\n")
    if is_filed(path):
        for entry in entries_of(path, text):
            if line_name(path, entry.text) in out:
                lines[entry.line - 1 : entry.line - 1 + entry.lines] = [""] * entry.lines
    elif path.startswith(SNAPSHOTS):
        return without_turns(text, out)
    elif (session := session_of(PurePosixPath(path).name)) is not None:
        turns = [readable_turn(line.encode("utf-8", "replace"), session) for line in lines]
        pairs = zip(lines, turns, strict=True)
        lines = ["" if turn and turn.id in out else line for line, turn in pairs]
    return "\n".join(lines)


class TranscriptsInMind:
    """Transcripts without what was imported and taken back again."""

    def __init__(self, transcripts: Transcripts, out: Callable[[], Collection[str]]) -> None:
        self._whole, self._out = transcripts, out
        self.sessions, self.marks, self.check = transcripts.sessions, transcripts.marks, transcripts.check
        self.first, self.last_number = transcripts.first, transcripts.last_number
        self.archived = transcripts.archived

    def read(self, session: str, *, after: int = 0, last: int = 0) -> list[Turn]:
        if not session.startswith(IMPORTED):
            return self._whole.read(session, after=after, last=last)
        out = self._out()
        return [turn for turn in self._whole.read(session, after=after) if turn.id not in out][-last:]

    def speakers(self, session: str) -> frozenset[str]:
        found = self._whole.speakers(session)
        if not found or not session.startswith(IMPORTED):
            return found
        return found.intersection(turn.speaker for turn in self.read(session))


def turns_in_mind(turns: Sequence[Turn], out: Collection[str]) -> list[Turn]:
    """Return turns without those that told what is forgotten, and without the answers to them.

    Of an order to forget, what else it says stays.
    """
    kept: list[Turn] = []
    is_gone = False
    for turn in turns:
        if turn.role != "user":
            kept += [] if is_gone or turn.id in out else [turn]
            continue
        is_gone = turn.id in out
        besides = _besides_forgetting(turn.text) if is_gone and turn.origin == "owner" else ""
        kept += [turn._replace(text=besides)] if besides else [] if is_gone else [turn]
    return kept


def _besides_forgetting(message: str) -> str:
    """Return the sentences of a message that neither order to forget something nor name it."""
    from almario.text.forms import FORGET, forms_in  # noqa: PLC0415 - a prompt needs none of it

    orders = [form for form in forms_in(message) if form.kind == FORGET]
    named = {term for form in orders for terms in term_sets(form.text) for term in terms}
    spans = [
        (start, end)
        for start, end in sentence_spans(message)
        if orders and not any(form.start < end and start < form.end for form in orders)
    ]
    sentences = (message[slice(*span)].strip() for span in spans)
    return " ".join(each for each in sentences if each and named.isdisjoint(index_terms(each)))


def _shown(name: str) -> str:
    plain = "".join(char if char.isprintable() else "?" for char in name)
    return plain if len(plain) <= 100 else plain[:99] + "…"
