"""Who has spoken in a transcript, besides the owner, without reading what they said.

A transcript only grows, so only what is new of it is looked at. In JSON a
quotation mark within a text is escaped: what is looked for is never part of
what somebody said.
"""

import json
import os
from pathlib import Path

from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

_USER = regex(rb'"role":"user","speaker":("(?:[^"\\]|\\.)+"),"origin":"([a-z]+)"')


class _Seen(NamedTuple):
    inode: int = 0
    end: int = 0
    names: frozenset[str] = frozenset()


class Speakers:
    """Knows the speakers of the transcripts that it was asked about."""

    def __init__(self) -> None:
        self._seen: dict[Path, _Seen] = {}

    def of(self, path: Path) -> frozenset[str]:
        """Return the names of those who spoke in a transcript and are not the owner."""
        try:
            with open(path, "rb") as file:
                there = os.fstat(file.fileno())
                seen = self._seen.get(path, _Seen())
                if seen.inode != there.st_ino or seen.end > there.st_size:
                    seen = _Seen()
                if seen.end < there.st_size:
                    file.seek(seen.end)
                    content = file.read()
                    whole = content[: content.rfind(b"\n") + 1]
                    seen = _Seen(there.st_ino, seen.end + len(whole), seen.names | _named(whole))
                    self._seen[path] = seen
                return seen.names
        except OSError:  # gone, or not to be read: nobody has been heard there
            return frozenset()


def _named(content: bytes) -> frozenset[str]:
    found = {speaker for speaker, origin in _USER.findall(content) if origin != b"owner"}
    return frozenset(str(json.loads(speaker)) for speaker in found)
