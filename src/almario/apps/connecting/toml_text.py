"""Putting one table into a TOML text, and taking it out again; no other line is touched."""

import json
import re
from collections.abc import Mapping
from typing import Any


def toml_with(text: str, path: tuple[str, ...], entry: Mapping[str, Any] | None) -> str:
    """Return a TOML text in which the table at *path* is *entry*, or is not there."""
    head = re.escape(".".join(path))
    table = re.compile(rf"(?:^\n)?^\[{head}(?:\.[^\]\n]*)?\].*\n?(?:^(?!\[|\s*#|\s*$).*\n?)*", re.MULTILINE)
    if entry is None:
        return table.sub("", text)
    keys = [f"{key} = {_toml(value)}" for key, value in entry.items()]
    new = "\n".join([f"[{'.'.join(path)}]", *keys]) + "\n"
    if found := table.search(text):
        blank = "\n" if found[0].startswith("\n") else ""
        return text[: found.start()] + blank + new + table.sub("", text[found.end() :])
    end = "" if not text or text.endswith("\n") else "\n"
    return text + end + ("\n" if text else "") + new


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
