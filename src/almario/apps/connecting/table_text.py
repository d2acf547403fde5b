"""Putting one table into a TOML or YAML text, and taking it out again; no other line is touched."""

import json
import re
from collections.abc import Mapping
from typing import Any

# What may stand at the margin of a YAML file of settings: keys, items, marks of a document, comments.
_YAML_MARGIN = re.compile(r"""(?:["']?[\w.-]+["']?[ ]*:(?:[ ]|$)|---|\.\.\.|-[ ]|[#% ]|$)""")
_YAML_COMMENT = re.compile(r"(?:^|\s)#", re.MULTILINE)


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


def is_yaml(text: str) -> bool:
    """Say whether a text looks like YAML with keys."""
    return all(_YAML_MARGIN.match(line) for line in text.splitlines())


def has_yaml_comments(text: str) -> bool:
    """Say whether a YAML text has comments, or signs that may begin one."""
    return bool(_YAML_COMMENT.search(text))


def yaml_entry(text: str, path: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the plain values and lists of a block two levels in, or None if it is not there."""
    found = _yaml_block(*path).search(text)
    if not found:
        return None
    entry: dict[str, Any] = {}
    last = ""
    for line in found["body"].splitlines():
        bare = line.strip()
        if bare.startswith("- "):
            listed = entry.get(last)
            entry[last] = [*(listed if isinstance(listed, list) else []), _plain(bare[2:])]
        else:
            last, _, value = bare.partition(":")
            entry[last] = _plain(value)
    return entry


def yaml_with(text: str, path: tuple[str, ...], entry: Mapping[str, Any] | None) -> str | None:
    """Return a YAML text in which a block two levels in is *entry*, or is not there; None if it cannot be."""
    key, name = path
    text = _yaml_block(key, name).sub(r"\g<before>", text)
    if entry is None:
        return re.sub(rf"^{key}:[ ]*\n(?![ ])", "", text, flags=re.MULTILINE)
    head = re.search(rf"^{key}:(?P<inline>[ ]*\S.*)?(?:\n(?P<indent>[ ]*)|$)", text, re.MULTILINE)
    if head and head["inline"]:
        return None
    indent = (head["indent"] if head else "") or "  "
    body = [f"{indent * 2}{field}: {json.dumps(value, ensure_ascii=False)}" for field, value in entry.items()]
    new = "\n".join([f"{indent}{name}:", *body]) + "\n"
    if head:
        after = text.find("\n", head.start()) + 1 or len(text)
        return text[:after] + ("" if text[:after].endswith("\n") else "\n") + new + text[after:]
    return text + ("" if not text or text.endswith("\n") else "\n") + f"{key}:\n{new}"


def _yaml_block(key: str, name: str) -> re.Pattern[str]:
    """Return what finds a block of a key: the lines that are further in than its name."""
    before = rf"(?P<before>^{key}:[ ]*\n(?:[ ].*\n|[ ]*\n)*?)"
    return re.compile(
        rf"{before}(?P<in>[ ]+){name}:[ ]*\n(?P<body>(?:(?P=in)[ ]+\S.*(?:\n|\Z))*)", re.MULTILINE
    )


def _plain(text: str) -> Any:
    bare = text.strip()
    try:
        return json.loads(bare)
    except ValueError:
        return bare.strip("'")
