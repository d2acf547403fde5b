"""Turns: what was said in a session, as lines of its transcript.

A line is one JSON object: `n at role speaker origin text`, whatever else the
writer wanted kept with it, `crc`. The session is the file's name.
"""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from almario.domain.digests import sha256
from almario.domain.journal_lines import SHORT, unsealed
from almario.domain.memories import ORIGINS, Origin, lowest
from almario.domain.places import PROJECT
from almario.domain.plain_text import is_safe_id, regex, without_spans
from almario.domain.records import showing, written
from almario.domain.turn_ids import TurnId
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

Role = Literal["user", "assistant", "tool", "system"]
ROLES: tuple[Role, ...] = get_args(Role)
# What counts as a message.
SPOKEN = ("user", "assistant")
SUFFIX = ".jsonl"
# Below the folder of the transcripts: older turns of each.
ARCHIVE = "archive"
_LINE_START = b'{"n":'
# Marks a turn of which nothing is kept but that somebody spoke.
OFF = "off"
# What is off the record: a message itself, what was said before it, the next message, or both of these.
THIS, PREVIOUS, NEXT, AROUND = "this", "previous", "next", "around"
# The word that brings back what a notice says was taken out.
KEEP = ("/keep", "keep", "/conserva", "conserva", "/conservar", "conservar")
# A coding agent's session may never end, and other sessions should know what was said there: it is learned
# from when nobody has spoken for so long, or a message waits for so long.
SOON = timedelta(minutes=5)
# What the channel that a message came by calls it; and, with its answer, which one that answers.
REF, ANSWERS = "ref", "answers"
# On what a tool gave back: what the owner was told of it, in a line.
NOTICE = "notice"
# In the first turn of a conversation that was imported: what that is called.
TITLE = "title"
# A copy of the file bears a longer name, and file systems end at 255 bytes.
_NAME_LENGTH = 180

_EMPTY: Mapping[str, Any] = MappingProxyType({})
_FIELDS = ("n", "at", "role", "speaker", "origin", "text", "crc")
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
# What stands where something was left out.
CUT, _CUTS = "[…]", regex(r"\s*(?:\[…\]\s*)+")
_ESCAPED = regex(rb"%([0-9a-f]{2})")

# Where a chat takes place unless it is told otherwise.
DEFAULT_SESSION = "cli:main"


# Where a turn comes from; of what an assistant says, that may be found out.
Whose = Origin | Literal[""]
# How far whoever has a role is trusted, if nobody says so.
ORIGIN_OF: dict[Role, Whose] = {"user": "owner", "tool": "untrusted", "system": "agent", "assistant": ""}


class Utterance(NamedTuple):
    """A turn to be; *at* is now unless it is given, *more* is kept with it.

    What is said *off* the record is not written down: all that is kept is that somebody spoke.
    """

    role: Role
    text: str
    origin: Whose
    speaker: str = ""
    at: datetime | None = None
    more: Mapping[str, Any] = _EMPTY
    off: bool = False


@showing("id", "is_off")
class Turn(NamedTuple):
    """One message of a session, its *n*th; *more* are the fields of its line that have no name here."""

    session: str
    n: int
    at: datetime
    role: Role
    speaker: str
    text: str
    origin: Origin
    more: Mapping[str, Any] = _EMPTY

    @property
    def id(self) -> str:
        return str(TurnId(self.session, self.n))

    @property
    def is_off(self) -> bool:
        """Whether it was said off the record."""
        return self.more.get(OFF) is True


class Window(NamedTuple):
    """What the model is told of a session: a summary of what is older, and the last turns."""

    summary: str
    turns: tuple[Turn, ...]


def own_words(turn: Turn, *, marked: bool = False, keeps: Callable[[str], bool] = lambda words: False) -> str:
    """Return what a turn itself says: without the spans that its writer marked as repeating memory.

    If *marked*, it shows where; a span that it *keeps* stays.
    """
    given = turn.more.get("recalled")
    pairs = [each for each in given if isinstance(each, list | tuple)] if isinstance(given, list) else []
    spans = [each for each in pairs if len(each) == 2 and all(type(end) is int for end in each)]
    whole = [(start, end) for start, end in spans if max(start, 0) < end and not keeps(turn.text[start:end])]
    left = without_spans(turn.text, whole, gap=" ").strip()
    if not (marked and left):
        return left
    return _CUTS.sub(f" {CUT} ", without_spans(turn.text, whole, gap=CUT)).strip()


def turn_of(utterance: Utterance, session: str, n: int, *, now: datetime) -> Turn:
    """Number what was said; SoulError if its role or origin is not one of ours."""
    for word, known in ((utterance.role, ROLES), (utterance.origin, ORIGINS)):
        if word not in known:
            sentence = "a turn cannot have {word!r} there; it may be {known}"
            raise SoulError(sentence, word=word, known=", ".join(known))
    if taken := [name for name in utterance.more if name in _FIELDS]:
        raise SoulError("a turn has its own {names}; call it something else", names=", ".join(taken))
    at = utterance.at or now
    if at.tzinfo is None:
        raise SoulError("the instant {at} has no time zone", at=at.isoformat())
    at = at.astimezone(UTC)
    at = at.replace(microsecond=at.microsecond // 1000 * 1000)
    return Turn(
        session,
        n,
        at,
        utterance.role,
        utterance.speaker,
        utterance.text,
        cast("Origin", utterance.origin),
        dict(utterance.more),
    )


def named_in(turns: Iterable[Turn], name: str) -> list[str]:
    """Return what these turns name: memories, turns and files, as `told` to the model or `used` by it."""
    marked = [turn.more.get(name) for turn in turns]
    ids = [each for used in marked if isinstance(used, list | tuple) for each in used]
    return list(dict.fromkeys(each for each in ids if isinstance(each, str) and each))


def without_words(utterance: Utterance, salt: str) -> Utterance:
    """Return what is written down of what was said off the record; a channel's name for it may tell of it."""
    ref = {REF: _salted(salt, utterance.more[REF])} if REF in utterance.more else {}
    return utterance._replace(text="", more={OFF: True, **ref}, off=False)


def bears(turn: Turn, ref: str) -> bool:
    """Return whether a turn is what its channel calls *ref*."""
    known = turn.more.get(REF)
    if not turn.is_off or not isinstance(known, str):
        return bool(ref) and known == ref
    return bool(ref) and known in (ref, _salted(known.partition(":")[0], ref))


def _salted(salt: str, ref: object) -> str:
    return f"{salt}:{sha256(f'{salt}:{ref}'.encode('utf-8', 'surrogatepass'))[:24]}"


def lowest_of(turns: Iterable[Turn]) -> Origin:
    """Return the origin of the least trusted of these turns."""
    return lowest(*(turn.origin for turn in turns))


def is_owners(turn: Turn) -> bool:
    """Return whether a turn is the owner's own word: said here, or to another assistant and imported."""
    return turn.origin == "owner" or (turn.origin == "imported" and turn.role == "user")


def fields_of_turn(turn: Turn) -> dict[str, Any]:
    """Return the turn as its line has it."""
    return {
        "n": turn.n,
        "at": written(turn.at),
        "role": turn.role,
        "speaker": turn.speaker,
        "origin": turn.origin,
        "text": turn.text,
        **turn.more,
    }


def encode_turn(turn: Turn) -> str:
    """Return the turn as a line of JSON, not yet sealed."""
    return json.dumps(fields_of_turn(turn), ensure_ascii=False, separators=(",", ":"))


def decode_turn(line: bytes, session: str) -> Turn:
    """Read a sealed line; ValueError says why it is not one."""
    content = unsealed(line)
    try:
        return Turn(
            session=session,
            n=int(content["n"]),
            at=datetime.fromisoformat(content["at"]),
            role=content["role"],
            speaker=str(content["speaker"]),
            text=str(content["text"]),
            origin=content["origin"],
            more={name: content[name] for name in content if name not in _FIELDS},
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise ValueError("a field is missing or has another type") from exc


def readable_turn(line: bytes, session: str) -> Turn | None:
    """Return the turn in a line; also one that was written right after a torn one."""
    # The latest turns are read many times for each message.
    return (_kept_at_hand if len(line) < SHORT else _readable)(line, session)


def _readable(line: bytes, session: str) -> Turn | None:
    for start in (0, line.rfind(_LINE_START)):
        with contextlib.suppress(ValueError):
            return decode_turn(line[max(0, start) :], session)
    return None


_kept_at_hand = lru_cache(1 << 10)(_readable)


def whole_turns(content: bytes, session: str, *, first_line: int) -> Iterator[tuple[int, Turn]]:
    """Yield the readable turns of a transcript's complete lines, each with its line."""
    for number, line in enumerate(content.split(b"\n")[:-1], first_line):
        if turn := readable_turn(line, session):
            yield number, turn


def session_key(channel: str, chat: str, topic: str = "", *, project: str = "") -> str:
    """Return the key of a conversation: `cli:main`, or `telegram:42:topic-7` for a topic of a forum.

    One about a *project* is `claude-code:project-api:8f14`. A colon within a part would make two
    conversations one, so it is written otherwise.
    """
    about, of = [f"{PROJECT}{project}"] if project else [], [f"topic-{topic}"] if topic else []
    parts = [channel, *about, chat, *of]
    if not channel or not chat:
        raise SoulError("a session needs a key, like cli:main")
    key = ":".join(part.replace("%", "%25").replace(":", "%3a") for part in parts)
    transcript_name(key)
    return key


def messages(turns: Sequence[Turn]) -> list[Turn]:
    """Return those of the turns in which the user or the assistant said something."""
    return [turn for turn in turns if turn.role in SPOKEN and turn.text.strip()]


@lru_cache(1 << 13)  # every page asks this of each session there is
def transcript_name(session: str) -> str:
    """Return the name of a session's file: `telegram:42` is in `telegram.42.jsonl`.

    It is a plain name on every file system, also on those that do not tell `A` from `a`.
    """
    if not session:
        raise SoulError("a session needs a key, like cli:main")
    try:
        key = session.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise SoulError(
            "{key!r} is not valid Unicode, so no session can have it as its key", key=session
        ) from exc
    signs = [chr(byte) if byte in _PLAIN else "." if byte == ord(":") else f"%{byte:02x}" for byte in key]
    first = "".join(signs).partition(".")[0]
    is_reserved = first.isalnum() and len(first) <= 4 and not is_safe_id(first)
    if signs[0] == "." or is_reserved:
        signs[0] = f"%{key[0]:02x}"
    name = "".join(signs)
    if len(name) > _NAME_LENGTH:
        sentence = "the session key {key!r} is too long to be a file's name"
        raise SoulError(sentence, key=f"{session[:40]}…")
    return name + SUFFIX


@lru_cache(8192)
def session_of(name: str) -> str | None:
    """Return the session whose file has that name, or None if no session's has."""
    raw = name.removesuffix(SUFFIX).replace(".", ":").encode("utf-8", "surrogateescape")
    try:
        session = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), raw).decode("utf-8")
        return session if transcript_name(session) == name else None
    except (UnicodeDecodeError, SoulError):
        return None
