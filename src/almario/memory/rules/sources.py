"""What is found of a file: its passages, cut by what sort of file it is.

An entry of a daily log and a dated line of HISTORY.md are passages of their
own, without their marks, so that they can be told by their exact text; all
else is Markdown in pieces. What was found on the web is nobody's word whom the
owner trusts, line by line.
"""

from collections.abc import Collection, Iterator
from datetime import date, datetime

from almario.domain.acts import ACT as ACT_OF_TURN
from almario.domain.acts import MENDS
from almario.domain.digests import sha256
from almario.domain.documents.bullets import unguard_arrows
from almario.domain.documents.daily import bulleted, log_filing, parse_log, unmarked
from almario.domain.documents.lines import is_blank, plain_lines, split_lines, without_comments
from almario.domain.events import Filing
from almario.domain.memories import same_value
from almario.domain.passages import Passage
from almario.domain.plain_text import regex
from almario.domain.turns import Turn, own_words
from almario.memory.rules.chunking import cut, cut_if_long
from almario.named_tuples import NamedTuple

HISTORY = "memory/HISTORY.md"
# Holds the entries that were taken out of a long file, under its name.
ARCHIVE = "memory/archive/"
# Holds what a reflection found on the web.
EXPLORED = "memory/explored/"
# The last words of sessions, which may be anybody's.
SNAPSHOTS = "memory/snapshots/"
# What a model wrote down for itself, maybe as a page told it to.
NOTES = "memory/notebook/"
# What the agent wrote when it examined itself.
REFLECTIONS = "memory/reflections/"
# Lines of JSON that earlier versions wrote and nothing reads any more: what models were told for answers, and
# what old conversations taught one.
FLIGHTS = "flights/"
OUT_OF_USE = (FLIGHTS, "relearned/")
# What is known of the owner and others: written by the owner, and below a mark made from memories.
PAGES = "memory/pages/"
PAGE_MARK = regex(r"<!-- made (\d+) (\S+) (\S+) ([0-9a-f]+)\b.*-->")
# The role of whoever is not trusted: tools, pages, other people.
STRANGER = "stranger"
# The roles of what the agent did with a tool: a lesson is a failure with its cure.
ACT, LESSON = "act", "lesson"
NOTE, LOG, SUMMARY, TURN = "note", "log", "summary", "turn"

_LOG = regex(r"memory/(?:archive/|daily/)?(\d{4}-\d{2}-\d{2})(?:-\d+)?\.md")
_HISTORY = regex(r"memory/(?:archive/)?HISTORY(?:-\d+)?\.md")
_DATE = regex(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_DATED = regex(
    r"[-*+][ \t]+\[?(\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?"
    # After a bracket and a space, a dash is the first word of what is said.
    r"(?:\][:–—-]?|(?=[\s:])[ \t]*[:–—-]?)[ \t]*"
)
_LOG_TITLE = "# Memory Log"


class SourceEntry(NamedTuple):
    """Lines of a file that are one passage: the first of them, counted from 1, and how many."""

    text: str
    line: int
    lines: int
    day: date | None = None
    key: str = ""
    is_trusted: bool = True


def passages_of(
    path: str, text: str, *, chunk_tokens: int, overlap: int, skip_lines: Collection[int]
) -> list[Passage]:
    """Return the passages of a Markdown file of the vault, in order, without the lines to skip."""
    kind, entries = _sorted_out(path, text)
    day = day_named(path)
    rest = STRANGER if path.startswith((EXPLORED, NOTES)) else ""
    found: list[Passage] = []
    skip = set(skip_lines)
    for entry in entries:
        if entry.line in skip:
            continue
        skip.update(range(entry.line, entry.line + entry.lines))
        if entry.text.strip():
            role = "" if entry.is_trusted else STRANGER
            place = Passage("", path, entry.line, kind, day=entry.day or day, role=role, key=entry.key)
            pieces = cut_if_long(entry.text, target=chunk_tokens, overlap=overlap)
            found += [place._replace(text=piece) for piece in pieces]
    for chunk in cut(text, target=chunk_tokens, overlap=overlap, skip=skip):
        if prose := _prose(chunk.text):
            at = day or day_in(chunk.heading)
            found.append(Passage(prose, path, chunk.line, kind, day=at, role=rest, key=chunk.heading))
    return sorted(found, key=lambda passage: passage.line)


def _prose(text: str) -> str:
    content = without_comments(text).strip()
    is_bare = all(not line.strip() or line.startswith("#") for line in content.split("\n"))
    return "" if is_bare else content


def day_named(path: str) -> date | None:
    """Return the day that a file's name tells, if any."""
    return day_in(path.rpartition("/")[2])


def day_in(words: str) -> date | None:
    """Return the first day written as 2026-11-14, if there is one."""
    for found in _DATE.findall(words):
        try:
            return date.fromisoformat(found)
        except ValueError:
            continue
    return None


def entries_of(path: str, text: str) -> list[SourceEntry]:
    """Return the entries of a daily log or of HISTORY.md, each a passage of its own."""
    return [entry for entry in _sorted_out(path, text)[1] if entry.text]


def is_filed(path: str) -> bool:
    """Return whether a file is one that holds episodes or summaries."""
    return bool(kind_filed(path))


def kind_filed(path: str) -> str:
    """Return which kind a file holds, if any: episodes in a daily log, summaries in HISTORY.md."""
    if _HISTORY.fullmatch(path):
        return "summary"
    log = _LOG.fullmatch(path)
    return "episode" if log and day_in(log[1]) else ""


def line_name(path: str, text: str) -> str:
    """Return the name of an entry by its words and its file, in whichever folder that lies."""
    file = path.partition("#")[0].rpartition("/")[2]
    content = f"{file}:{same_value(text)}".encode("utf-8", "surrogatepass")
    return f"line:{sha256(content)[:16]}"


def without_entries(path: str, text: str, *, names: Collection[str]) -> str:
    """Return a file's text without the entries that have these names."""
    gone = lines_of_entries(path, text, names=names)
    return "".join(line for number, line in enumerate(split_lines(text), 1) if number not in gone)


def lines_of_entries(path: str, text: str, *, names: Collection[str]) -> set[int]:
    """Return where the entries with these names stand in a file, line by line, counted from 1."""
    found = (entry for entry in entries_of(path, text) if line_name(path, entry.text) in names)
    return {entry.line + n for entry in found for n in range(entry.lines)}


def places_of(path: str) -> tuple[str, ...]:
    """Return where what was filed in a file may stand: there, or in the archive."""
    folder, _, name = path.rpartition("/")
    return (path, f"{ARCHIVE}{name}") if folder == "memory" and is_filed(path) else (path,)


def homes_of(path: str) -> tuple[str, ...]:
    """Return the files whose memories may stand in this one."""
    name = path.removeprefix(ARCHIVE)
    return (path, f"memory/{name}") if name != path and is_filed(path) else (path,)


def filing_of(kind: str, text: str, at: datetime, *, is_trusted: bool) -> Filing:
    """Return what a memory owes to a file: an episode to its day's log, a summary to HISTORY.md."""
    if kind == "episode":
        return log_filing(at.date(), at.time(), text, is_trusted=is_trusted)
    bullet = bulleted(text, is_trusted=is_trusted)
    return Filing(HISTORY, f"- [{at.date().isoformat()}] {bullet}\n", "# History\n\n")


def _sorted_out(path: str, text: str) -> tuple[str, list[SourceEntry]]:
    if (log := _LOG.fullmatch(path)) and day_in(log[1]):
        return LOG, list(_log_entries(text))
    if _HISTORY.fullmatch(path):
        return SUMMARY, list(_dated_entries(text))
    return NOTE, list(_found_entries(text)) if path.startswith(EXPLORED) else []


def _log_entries(text: str) -> Iterator[SourceEntry]:
    lines = split_lines(text)
    if text.removeprefix("\ufeff").startswith(_LOG_TITLE):
        yield SourceEntry("", 1, 1)
    for entry in parse_log(text):
        after = entry.line
        if lines[entry.line - 1].lstrip("\ufeff").startswith("#") and entry.text:
            while not lines[after].strip():
                after += 1
            after += 1
        count = after - entry.line + 1 + entry.text.count("\n")
        text = entry.text or entry.category
        yield SourceEntry(text, entry.line, count, key=entry.category, is_trusted=entry.is_trusted)


def _dated_entries(text: str) -> Iterator[SourceEntry]:
    lines = split_lines(text)
    # As in a daily log, an indented line is part of the entry above it.
    flush_left = ["" if line[0] in " \t" else line for line in lines]
    shown = {index for index, _ in plain_lines(flush_left)}
    for index, line in enumerate(flush_left):
        found = _DATED.match(line)
        day = day_in(found[1]) if found else None
        first, is_trusted = unmarked(line[found.end() :].strip()) if found else ("", True)
        if day and found and (index in shown or not is_trusted):
            end = index + 1
            while end < len(lines) and lines[end][0] in " \t" and not is_blank(lines[end]):
                end += 1
            more = [below.strip() for below in lines[index + 1 : end]]
            text = unguard_arrows("\n".join([first, *more]))
            yield SourceEntry(text, index + 1, end - index, day, is_trusted=is_trusted)


def _found_entries(text: str) -> Iterator[SourceEntry]:
    for number, line in enumerate(split_lines(text), 1):
        found, is_trusted = unmarked(line.removeprefix("- ").strip())
        if not is_trusted:
            yield SourceEntry(unguard_arrows(found), number, 1, is_trusted=False)


def passages_of_turn(turn: Turn, path: str, line: int, *, chunk_tokens: int, overlap: int) -> list[Passage]:
    """Return a turn as one passage, or as several if it is very long; its day is left to the caller.

    What a stranger said can be found, marked by its role; what the system said is nobody's memory.
    What only repeats memory is none either, or it would outlive what it repeats: an agent's own tools
    tell of its memory, and an answer is marked where it does.
    """
    text = own_words(turn)
    is_own_tool = turn.role == "tool" and turn.origin != "untrusted"
    is_act = turn.role == "tool" and ACT_OF_TURN in turn.more
    if turn.role == "system" or (is_own_tool and not is_act) or not text:
        return []
    pieces = cut_if_long(text, target=chunk_tokens, overlap=overlap)
    role = STRANGER if turn.origin == "untrusted" else turn.role
    role = LESSON if MENDS in turn.more else ACT if is_act else role
    whole = Passage("", path, line, TURN, speaker=turn.speaker, role=role, turn=turn.id)
    return [whole._replace(text=piece) for piece in pieces]
