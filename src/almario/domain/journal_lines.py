"""The journal's lines as bytes.

A line is one JSON object: `seq id at host actor type v`, the fields of its
body (`ref` is the id of the proposal or reflection that it is about),
`filings` if it owes text to files, `filed`, `crc`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from zlib import crc32

from almario.domain.events import VERSION, Body, Event, Filing, Unknown, kind_of
from almario.domain.records import Rewriting, plain, read, rewritten, written

# Every line ends in this many bytes: `,"crc":"` + eight hex digits + `"}`.
_SEAL_LENGTH = 18
# Longer lines are seldom, and would fill the memory if they were kept there.
SHORT = 1 << 13
# Under this name stands the id of what a line is about; its own is `id`.
_REF = "ref"
_ENVELOPE = ("seq", "id", "at", "host", "actor", "type", "v", "filings", "filed", "crc")


def encode(event: Event) -> str:
    """Return the event as a line of JSON, not yet sealed."""
    line: dict[str, Any] = {
        "seq": event.seq,
        "id": event.id,
        "at": written(event.at),
        "host": event.host,
        "actor": event.actor,
        "type": event.type,
        "v": event.version,
    }
    body = event.body.content if isinstance(event.body, Unknown) else plain(event.body)
    line |= {_REF if name == "id" else name: value for name, value in body.items()}
    if event.filings:
        line["filings"] = plain(event.filings)
    line["filed"] = event.filed
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def seal(line: bytes) -> bytes:
    """Close a JSON object with its checksum and a newline."""
    return b'%b,"crc":"%08x"}\n' % (line[:-1], crc32(line[:-1]))


def is_sealed(line: bytes) -> bool:
    """Return whether a line (without its newline) carries its own checksum."""
    body, sealed = line[:-_SEAL_LENGTH], line[-_SEAL_LENGTH:]
    return sealed == b',"crc":"%08x"}' % crc32(body)


def unsealed(line: bytes) -> Any:
    """Return what a sealed line holds; ValueError says why it is not one."""
    if not is_sealed(line):
        raise ValueError("its checksum does not fit")
    return json.loads(line)


def decode(line: bytes) -> Event:
    """Read a sealed line; ValueError says why it is not one."""
    content = unsealed(line)
    try:
        return Event(
            seq=int(content["seq"]),
            id=str(content["id"]),
            at=datetime.fromisoformat(content["at"]),
            host=str(content["host"]),
            actor=content["actor"],
            body=_body(content),
            filings=read(tuple[Filing, ...], content.get("filings", ())),
            filed=int(content["filed"]),
            version=int(content["v"]),
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise ValueError("a field is missing or has another type") from exc


def readable(line: bytes) -> Event | None:
    """Return the event of a line; None if it is not one."""
    # The latest lines are read several times in each write.
    return (_kept_at_hand if len(line) < SHORT else _readable)(line)


def _readable(line: bytes) -> Event | None:
    try:
        return decode(line)
    except ValueError:
        return None


_kept_at_hand = lru_cache(1 << 8)(_readable)


def _body(content: dict[str, Any]) -> Body:
    kind = kind_of(content["type"])
    if kind is None or content["v"] > VERSION:
        return Unknown(content["type"], {key: content[key] for key in content if key not in _ENVELOPE})
    body: Body = read(kind, content | {"id": content.get(_REF)})
    return body


def with_texts(fields: dict[str, Any], change: Rewriting, *, only: type[str] = str) -> dict[str, Any]:
    """Return a line's fields with each of its texts changed, and nothing that only names something.

    Of a line that this version does not know, every string is one.
    """
    kind = kind_of(fields["type"]) if fields["v"] <= VERSION else None
    envelope = {name: fields[name] for name in fields if name in _ENVELOPE}
    body = {name: fields[name] for name in fields if name not in _ENVELOPE}
    if "filings" in fields:
        envelope["filings"] = rewritten(tuple[Filing, ...], fields["filings"], change)
    changed = rewritten(kind, body, change, only=only) if kind else every_string(body, change)
    return {name: (envelope if name in envelope else changed)[name] for name in fields}


def every_string(value: Any, change: Rewriting) -> Any:
    """Return a JSON value with each of the strings in it changed."""
    if isinstance(value, dict):
        return {name: every_string(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [every_string(inner, change) for inner in value]
    return change(value, False) if isinstance(value, str) else value


_NAME = "almario_export"
_VERSION = 1


def sealed(lines: Iterable[str], key: bytes, agent: str) -> Iterator[str]:
    """Yield these lines, then the one that seals them as an agent's."""
    import hmac  # noqa: PLC0415 - only exports are sealed

    found = hmac.new(key, digestmod="sha256")
    found.update(_summed(agent))
    for line in lines:
        found.update(_summed(line))
        yield line
    yield json.dumps({_NAME: _VERSION, "agent": agent, "hmac": found.hexdigest()})


def is_seal(line: str) -> bool:
    """Return whether a line is meant as a seal."""
    return line.lstrip().startswith(f'{{"{_NAME}"')


def parted(lines: Iterable[str], key: bytes) -> Iterator[tuple[int, str, str | None]]:
    """Yield each line that is no seal, with its number, from 1, and whose it is by a seal of *key*."""
    part: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if not is_seal(line):
            part += [(number, line)] if line.strip() else []
            continue
        agent = _sealed_by(line, [each for _, each in part], key)
        yield from ((*each, agent) for each in part)
        part = []
    yield from ((*each, None) for each in part)


def _sealed_by(seal: str, lines: Sequence[str], key: bytes) -> str | None:
    """Return the agent whose export a seal says the lines are; None if it is no seal of this key."""
    try:
        agent = str(json.loads(seal).get("agent", ""))
    except (ValueError, AttributeError, RecursionError):
        return None
    from hmac import compare_digest  # noqa: PLC0415 - only exports are sealed

    *_, own_seal = sealed(lines, key, agent)
    own = own_seal.encode("utf-8", "surrogatepass")
    return agent if key and compare_digest(seal.strip().encode("utf-8", "surrogatepass"), own) else None


def _summed(line: str) -> bytes:
    return line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n"
