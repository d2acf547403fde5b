"""The journal's lines as bytes.

A line is one JSON object: `seq id at host actor type v`, the fields of its
body, `filings` if it owes text to files, `filed`, `crc`.
"""

import json
from datetime import datetime
from typing import Any
from zlib import crc32

from almario.domain.events import KNOWN, VERSION, Body, Event, Filing, Unknown
from almario.domain.memories import written

# Every line ends in this many bytes: `,"crc":"` + eight hex digits + `"}`.
_SEAL_LENGTH = 18
_SAID = object()
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
    if isinstance(event.body, Unknown):
        line.update(event.body.content)
    else:
        defaults = type(event.body)._field_defaults
        said = event.body._asdict().items()
        # `of` has been there from the first line on.
        line.update(
            {name.rstrip("_"): v for name, v in said if name == "of" or v != defaults.get(name, _SAID)}
        )
    if event.filings:
        line["filings"] = [filing._asdict() for filing in event.filings]
    line["filed"] = event.filed
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def seal(line: bytes) -> bytes:
    """Close a JSON object with its checksum and a newline."""
    return b'%b,"crc":"%08x"}\n' % (line[:-1], crc32(line[:-1]))


def is_sealed(line: bytes) -> bool:
    """Say whether a line (without its newline) carries its own checksum."""
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
            actor=str(content["actor"]),
            body=_body(content),
            filings=tuple(_filing(filing) for filing in content.get("filings", ())),
            filed=int(content["filed"]),
            version=int(content["v"]),
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise ValueError("a field is missing or has another type") from exc


def _filing(content: dict[str, Any]) -> Filing:
    """Read a filing, passing over what a later version may have added."""
    return Filing(**{name: content[name] for name in Filing._fields if name in content})


def _body(content: dict[str, Any]) -> Body:
    kind = KNOWN.get(content["type"])
    if kind is None or content["v"] > VERSION:
        return Unknown(content["type"], {key: content[key] for key in content if key not in _ENVELOPE})
    there = [name for name in kind._fields if name.rstrip("_") in content or name not in kind._field_defaults]
    found = {name: content[name.rstrip("_")] for name in there}
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    body: Body = kind(**(found | lists))
    return body
