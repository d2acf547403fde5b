"""Keeps the index in step with the files: every `.md` of the vault, and the transcripts.

A file is read again only if its size, time or inode changed, and cut again
only if its content did; of a transcript that has grown, only the new turns.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache

from almario.domain.documents.conflicts import without_conflicts
from almario.domain.documents.document import decoded, digest
from almario.domain.documents.lines import split_lines
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY
from almario.domain.passages import Passage
from almario.domain.plain_text import regex
from almario.domain.turns import ARCHIVE, SUFFIX, session_of, transcript_name, whole_turns
from almario.domain.withheld import MASK
from almario.errors import AlmarioError, DocumentError, SoulError, StoreError
from almario.memory.rules.chunking import CUTTER
from almario.memory.rules.sources import ARCHIVE as LOG_ARCHIVE
from almario.memory.rules.sources import PAGES, SNAPSHOTS, homes_of, passages_of, passages_of_turn
from almario.memory.settings import SearchSettings
from almario.named_tuples import NamedTuple
from almario.ports import Index, Mark, Store
from almario.text.redaction import Redacted, with_lines_in_place
from almario.text.timewords import with_gist

_SPOKEN_IN = regex(r"^(?:<!--[ \t]*)?session:[ \t]*(.+?)[ \t]*(?:-->)?[ \t]*$", re.MULTILINE)


class Refreshed(NamedTuple):
    """What a refresh did: the sources it read and lost, the passages it cut, what is worth telling."""

    read: tuple[str, ...]
    passages: int
    removed: tuple[str, ...]
    notices: list[Sentence]
    # Those of the read files that hold secrets, which stay there.
    secretive: tuple[str, ...] = ()


class _Seen(NamedTuple):
    """What a fingerprint says: a source as it was, by which rules it was cut, and how much is in the index.

    While it is not *sure*, only the content tells whether it has changed. *kept* is how much the owner had
    said is no secret, if something is withheld there.
    """

    mark: str = ""
    rules: str = ""
    is_sure: bool = True
    hash: str = ""
    # Where the last complete line ends, how many lines that are, and how many passages they gave.
    end: int = 0
    lines: int = 0
    passages: int = 0
    kept: int | None = None


_NEVER = _Seen()
# Neighbouring passages share this part of one.
_OVERLAP = 5


class Indexing:
    """Brings an index up to date with a vault, and redacts all that it hands over."""

    def __init__(
        self,
        vault: Store,
        index: Index,
        settings: SearchSettings | None = None,
        *,
        transcripts: bool = True,
        redact: Callable[[str], Redacted] = lambda text: Redacted(text, (), 0.0, text),
        kept: Callable[[], Collection[str]] = tuple,
        elsewhere: Callable[[str, str], Collection[int]] = lambda *_: (),
    ) -> None:
        """*elsewhere* tells which lines of a file, counted from 1, say what is indexed in another place.

        *kept* is all that the owner said is no secret: a source with something withheld, or that would be,
        is read again when there is more of it, or less.
        """
        settings = settings or SearchSettings()
        self._vault = vault
        self._index = index
        self._transcripts = transcripts
        self._redact = redact
        self._kept = kept
        self._elsewhere = elsewhere
        self._sizes = {"chunk_tokens": settings.chunk_tokens, "overlap": settings.chunk_tokens // _OVERLAP}
        self._rules = f"{CUTTER}-{settings.chunk_tokens}-{settings.chunk_tokens // _OVERLAP}"
        self._secretive: list[str] = []
        self._withholds = False
        # What the system would not let this process read.
        self._unreadable: dict[str, _Seen] = {}

    def stale(self) -> bool:
        """Return whether a refresh has anything to do; nothing is read but what changed a moment ago."""
        known, found = self._looked()
        return found.keys() != known.keys() or not all(
            self._is_settled(mark, known[name]) or self._is_same(name, mark, known[name])
            for name, mark in found.items()
        )

    def refresh(self, progress: Callable[[int, int], None] | None = None) -> Refreshed:
        """Bring the index up to date; the caller holds the lock.

        *progress* is told after each source how many of how many are done.
        """
        known, found = self._looked()
        gone = [name for name in known if name not in found]
        for name in gone:
            self._put(name, "", [])
        if any(name.endswith(SUFFIX) for name in found.keys() ^ known.keys()):
            # A session came or went: whether the snapshots are indexed depends on that.
            known |= dict.fromkeys((name for name in found if name.startswith(SNAPSHOTS)), _NEVER)
        for name in [name for name in found.keys() ^ known.keys() if name.startswith(LOG_ARCHIVE)]:
            # Its entries came or went: whether the lines that stand for them are indexed depends on that.
            known |= {home: _NEVER for home in homes_of(name) if home in found}
        due = [
            name
            for name in sorted(found, key=_in_order)
            if not self._is_settled(found[name], known.get(name, _NEVER))
        ]
        notices: list[Sentence] = []
        self._secretive.clear()
        passages = 0
        for done, name in enumerate(due, 1):
            try:
                passages += self._renew(name, known.get(name, _NEVER), found)
            except (DocumentError, StoreError) as exc:
                notices.append(Sentence("{path} was not indexed: {why}", path=name, why=sentence_of(exc)))
                self._pass_over(name, found[name], exc)
            if progress:
                progress(done, len(due))
        return Refreshed(tuple(due), passages, tuple(gone), notices, tuple(self._secretive))

    def withholding(self) -> Mapping[str, Collection[str] | None]:
        """Return the turns of each session of which something is withheld; None where none is indexed."""
        if not self._transcripts:
            return dict.fromkeys(self._vault.transcripts.sessions())
        found: dict[str, set[str]] = {}
        spoken = {name: _parsed(p) for name, p in self._index.sources().items() if name.endswith(SUFFIX)}
        withheld = {name: seen for name, seen in spoken.items() if seen.kept is not None}
        for name, first in self._index.places(withheld).items():
            session = session_of(name.rpartition("/")[2])
            passages = self._index.passages(range(first, first + withheld[name].passages)).values()
            if session is not None and (turns := {each.turn for each in passages if MASK in each.text}):
                found.setdefault(session, set()).update(turns)
        return found

    def _renew(self, name: str, known: _Seen, found: Mapping[str, Mark]) -> int:
        """Bring one source up to date; return how many passages were cut for that."""
        content = self._vault.read(name).content
        if content is None:
            self._put(name, "", [])
            return 0
        whole = _whole(name, content)
        seen = self._still_there(name, whole, known)
        self._withholds = seen.kept is not None
        new = [] if seen.end == len(whole) else list(self._passages(name, whole, seen, found))
        now = _Seen(
            *(found[name].text, self._rules, found[name].is_sure, digest(whole), len(whole)),
            lines=seen.lines + whole.count(b"\n", seen.end),
            passages=seen.passages + len(new),
            kept=len(self._kept()) if self._withholds else None,
        )
        self._put(name, json.dumps(now), new, keep=seen.passages)
        return len(new)

    def _still_there(self, name: str, whole: bytes, known: _Seen) -> _Seen:
        """Return what is in the index and right: all of a file, the beginning of a transcript, or nothing."""
        may_grow = name.endswith(SUFFIX) or known.end == len(whole)
        is_right = self._is_fit(known) and may_grow and digest(whole[: known.end]) == known.hash
        return known if is_right else _NEVER

    def _passages(self, name: str, whole: bytes, seen: _Seen, found: Collection[str]) -> Iterator[Passage]:
        if name.endswith(SUFFIX):
            session = session_of(name.rpartition("/")[2]) or ""
            for line, turn in whole_turns(whole[seen.end :], session, first_line=seen.lines + 1):
                clean = turn._replace(text=self._cleaned(turn.text))
                day = turn.at.astimezone(self._vault.zone).date()
                for passage in passages_of_turn(clean, name, line, **self._sizes):
                    yield with_gist(passage._replace(day=day))
            return
        text = decoded(whole, name)
        if name.startswith(PAGES):
            from almario.memory.rules.page_file import handwritten  # noqa: PLC0415 - few agents have pages

            text = handwritten(text)  # the rest tells memories
        if name.startswith(SNAPSHOTS) and _is_spoken(text, found):
            return
        skip = self._elsewhere(name, text)
        if name == CORE_MEMORY and skip and not _has_prose(text, skip):
            return
        self._withholds = False
        clean_text = with_lines_in_place(self._cleaned(text), text)
        if clean_text != text:
            self._secretive.append(name)
        for passage in passages_of(name, clean_text, **self._sizes, skip_lines=skip):
            yield with_gist(passage)

    def _cleaned(self, text: str) -> str:
        redacted = self._redact(without_conflicts(text))
        self._withholds |= redacted.has_kept or MASK in redacted.text
        return redacted.text

    def _looked(self) -> tuple[dict[str, _Seen], dict[str, Mark]]:
        """Return what is known of the sources that are indexed, and the marks of those that are there."""
        sources = self._index.sources().items()
        known = {name: _parsed(each) for name, each in sources if name.endswith((".md", SUFFIX))}
        known |= self._unreadable
        found = self._vault.documents.marks(known).items()
        return known, {name: mark for name, mark in found if self._transcripts or not name.endswith(SUFFIX)}

    def _put(self, name: str, fingerprint: str, passages: list[Passage], *, keep: int = 0) -> None:
        self._unreadable.pop(name, None)
        self._index.put(name, fingerprint, passages, keep=keep)

    def _pass_over(self, name: str, mark: Mark, why: AlmarioError) -> None:
        """Leave a source out until it changes; what could not be read may be readable to the next process."""
        seen = _Seen(mark.text, self._rules)
        if isinstance(why, DocumentError):
            self._put(name, json.dumps(seen), [])
        else:
            self._unreadable[name] = seen

    def _is_settled(self, mark: Mark, seen: _Seen) -> bool:
        return seen.is_sure and seen.mark == mark.text and self._is_fit(seen)

    def _is_fit(self, seen: _Seen) -> bool:
        """Return whether a source would be cut alike, and withholds nothing that is no secret since."""
        return seen.rules == self._rules and (seen.kept is None or seen.kept == len(self._kept()))

    def _is_same(self, name: str, mark: Mark, seen: _Seen) -> bool:
        """Say by its content whether a file is what it was a moment after it was written."""
        if seen.is_sure or seen.mark != mark.text or not self._is_fit(seen):
            return False
        try:
            content = self._vault.read(name).content or b""
        except (SoulError, StoreError):
            return False
        return digest(_whole(name, content)) == seen.hash


@lru_cache(1 << 13)
def _parsed(fingerprint: str) -> _Seen:
    return _Seen(*json.loads(fingerprint))


def _has_prose(text: str, facts: Collection[int]) -> bool:
    """Return whether MEMORY.md says anything besides its facts and headings; both are found elsewhere."""
    lines = enumerate(split_lines(text), 1)
    return any(
        number not in facts and line.strip() and not line.lstrip().startswith("#") for number, line in lines
    )


def _in_order(name: str) -> tuple[bool, str]:
    """Put the archive first: a turn that moves there keeps its vector only while its text is in the index."""
    return not name.startswith(f"sessions/{ARCHIVE}/"), name


def _whole(name: str, content: bytes) -> bytes:
    """Return what of a file is finished: all of it, or a transcript's complete lines."""
    return content[: content.rfind(b"\n") + 1] if name.endswith(SUFFIX) else content


def _is_spoken(snapshot: str, found: Collection[str]) -> bool:
    named = _SPOKEN_IN.search(snapshot[:2000])
    try:
        name = transcript_name(named[1]) if named else ""
    except SoulError:
        return False
    return f"sessions/{name}" in found or f"sessions/{ARCHIVE}/{name}" in found
