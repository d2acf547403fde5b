"""Rewriting stored lines in place, for a purge: their seq, id and order stay, their seal is renewed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from almario.domain.journal_lines import is_sealed, seal
from almario.store import files, replacing

# Takes a line's fields and returns them as they shall be.
Rewrite = Callable[[dict[str, Any]], Any]


def rewrite_lines(path: Path, rewrite: Rewrite, plain: Callable[[str], str]) -> bool:
    """Rewrite a file of sealed JSON lines; what is not one goes through *plain*. Say whether it changed."""
    before = files.read_bytes(path)
    if before is None:
        return False
    after = b"\n".join(_rewritten(line, rewrite, plain) for line in before.split(b"\n"))
    if after == before:
        return False
    replacing.replace(path, after, expected=files.digest(before))
    return True


def rewrite_text(path: Path, plain: Callable[[str], str]) -> bool:
    """Rewrite a text file; say whether it changed."""
    before = files.read_bytes(path)
    if before is None:
        return False
    after = plain(before.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if after == before:
        return False
    replacing.replace(path, after, expected=files.digest(before))
    return True


def _rewritten(line: bytes, rewrite: Rewrite, plain: Callable[[str], str]) -> bytes:
    if not is_sealed(line):
        return plain(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    fields = json.loads(line)
    del fields["crc"]
    changed = rewrite(fields)
    if changed == fields:
        return line
    return seal(files.encoded(json.dumps(changed, ensure_ascii=False, separators=(",", ":")))).rstrip(b"\n")
