"""JSON as programs and people keep it: read with comments in it, written as a text was."""

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\])*"|(?P<single>'(?:\\.|[^'\\])*')"""
    r"""|-?\d[\w.+-]*|(?P<name>[A-Za-z_$][\w$]*)|\s+|.""",
    re.DOTALL,
)
_INDENT = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)


def rewritten(text: str, value: Any) -> str:
    """Return a value as JSON with the indent, the line ends, the escapes and the last line of a text."""
    indent = _INDENT.search(text)
    is_escaped = "\\u" in text  # what is half a sign cannot be written otherwise
    new = json.dumps(value, ensure_ascii=is_escaped, indent=indent[0] if indent else "  ")
    is_ended = text.endswith("\n") or not text.strip()
    return (new + "\n" * is_ended).replace("\n", "\r\n" if "\r\n" in text else "\n")


def relaxed(text: str) -> str:
    """Return JSON with comments, trailing commas, bare names or single quotes as plain JSON."""
    kept: list[str] = []
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if found.lastgroup == "comment" or piece.isspace():
            continue
        if found.lastgroup == "single":
            piece = json.dumps(piece[1:-1].replace("\\'", "'"))
        elif found.lastgroup == "name" and piece not in ("true", "false", "null"):
            piece = f'"{piece}"'
        elif piece in ("}", "]") and kept and kept[-1] == ",":
            del kept[-1]
        kept.append(piece)
    return "".join(kept)
