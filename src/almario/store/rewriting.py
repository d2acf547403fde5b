"""Rewriting stored lines in place, for a purge: their seq, id and order stay, their seal is renewed."""

import json
from collections.abc import Callable
from pathlib import Path

from almario.domain.documents.document import digest, encoded
from almario.domain.journal_lines import is_sealed, seal
from almario.ports import Rewrite
from almario.store import files, replacing


def rewrite_file(path: Path, change: Callable[[str], str | None], lines: Rewrite | None = None) -> bool:
    """Put *change* of its text in the place of a file, or remove it; say whether it changed.

    With *lines*, what is a sealed line of JSON goes through that, and only the others through *change*.
    """
    before = files.read_bytes(path)
    if before is None:
        return False
    if lines:
        after: bytes | None = b"\n".join(_line(line, lines, change) for line in before.split(b"\n"))
    else:
        after = _plain(before, change)
    if after == before:
        return False
    if after is None:
        files.remove(path)
    else:
        replacing.replace(path, after, expected=digest(before))
    return True


def _line(line: bytes, lines: Rewrite, change: Callable[[str], str | None]) -> bytes:
    if not is_sealed(line):
        return _plain(line, change) or b""
    fields = json.loads(line)
    del fields["crc"]
    changed = lines(fields)
    if changed == fields:
        return line
    return seal(encoded(json.dumps(changed, ensure_ascii=False, separators=(",", ":")))).rstrip(b"\n")


def _plain(content: bytes, change: Callable[[str], str | None]) -> bytes | None:
    after = change(content.decode("utf-8", "surrogateescape"))
    return None if after is None else after.encode("utf-8", "surrogateescape")
