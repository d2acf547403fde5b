"""A program's file of settings: what it says, and what its text becomes if one thing in it changes.

Nothing else in the text changes. Where that cannot be promised, as in JSON
with comments, there is no new text, and its owner has to change it.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from almario.apps.connecting.json_text import relaxed, rewritten
from almario.errors import DocumentError, StoreError
from almario.named_tuples import NamedTuple

Entry = Mapping[str, Any]


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


class SettingsFile(NamedTuple):
    """A file as it was read: its text (None if there is no file), what that says, and if it has comments."""

    path: Path
    text: str | None
    value: dict[str, Any]
    has_comments: bool

    def entry(self, path: tuple[str, ...]) -> dict[str, Any] | None:
        """Return the entry at a path, or None if there is none."""
        value: Any = self.value
        for name in path:
            if not isinstance(value, dict):
                raise self.not_an_object(path[0])
            value = value.get(name)
            if value is None:
                return None
        if not isinstance(value, dict):
            raise self.not_an_object(path[0])
        return value

    def with_entry(self, path: tuple[str, ...], entry: Entry | None) -> str | None:
        """Return the text with another entry at a path, or none; None if that has to be done by hand."""
        value = placed(self.value, path, entry)
        if self.path.suffix == ".toml":
            text = toml_with(self.text or "", path, entry)
            return text if _is(text, value) else None
        return self.with_value(value)

    def with_value(self, value: dict[str, Any]) -> str | None:
        """Return the text of a JSON file that says *value*; None if that has to be done by hand."""
        if self.has_comments:
            return None
        text = rewritten(self.text if self.text and self.text.strip() else "{}\n", value)
        return text if json.loads(text) == value else None

    def not_an_object(self, key: str) -> DocumentError:
        """Return the error of something that has to be an object, and is not."""
        sentence = '"{key}" in {path} is not what it should be; fix it first (nothing was changed)'
        return DocumentError(sentence, path=str(self.path), key=key)


def read_settings(path: Path) -> SettingsFile:
    """Read a file of settings; none is an empty one."""
    if path.exists() and not path.is_file() and not path.is_dir():  # whoever reads a pipe waits for ever
        raise DocumentError("{path} is not a regular file; move it away", path=str(path))
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return SettingsFile(path, None, {}, has_comments=False)
    except UnicodeDecodeError as exc:
        raise DocumentError(
            "{file} is not UTF-8 text; save it as UTF-8", path=str(path), file=str(path)
        ) from exc
    return settings_in(path, text)


def settings_in(path: Path, text: str) -> SettingsFile:
    """Return what a text says, if it were the one of a file."""
    if not text.strip():
        return SettingsFile(path, text, {}, has_comments=False)
    try:
        value, has_comments = _PARSERS[path.suffix](text)
    except _Twice as exc:
        sentence = '{path} has "{key}" twice in one place; remove one first (nothing was changed)'
        raise DocumentError(sentence, path=str(path), key=str(exc)) from exc
    except (ValueError, RecursionError) as exc:
        raise _not_valid(path, getattr(exc, "lineno", None)) from exc
    if not isinstance(value, dict):
        raise _not_valid(path, 1)
    return SettingsFile(path, text, value, has_comments)


def placed(value: dict[str, Any], path: tuple[str, ...], entry: Entry | None) -> dict[str, Any]:
    """Return settings with an entry at a path, or without it and what holds nothing else."""
    first, *rest = path
    inner = value.get(first) or {}  # null is none
    new = placed(inner, tuple(rest), entry) if rest else entry
    if new or entry is not None:
        return {**value, first: new}
    return {name: each for name, each in value.items() if name != first}


def _not_valid(path: Path, line: int | None) -> DocumentError:
    if line:
        sentence = "{path} is not valid (line {line}); fix it first (nothing was changed)"
    else:
        sentence = "{path} is not valid; fix it first (nothing was changed)"
    return DocumentError(sentence, path=str(path), line=line)


class _Twice(ValueError):
    """A key that an object has twice: whoever writes it again would lose one."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    for name, _ in pairs if len(value) < len(pairs) else ():
        if sum(name == other for other, _ in pairs) > 1:
            raise _Twice(name)
    return value


def _parsed_json(text: str) -> tuple[Any, bool]:
    try:
        return json.loads(text, object_pairs_hook=_each_once), False
    except _Twice:
        raise
    except ValueError as exc:
        try:
            return json.loads(relaxed(text), object_pairs_hook=_each_once), True
        except _Twice:
            raise
        except ValueError:
            raise exc from None


def _parsed_toml(text: str) -> tuple[Any, bool]:
    return tomllib.loads(text), "#" in text


_PARSERS = {".json": _parsed_json, ".toml": _parsed_toml}


def _is(text: str, value: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == value
    except tomllib.TOMLDecodeError:
        return False


def replace(path: Path, text: str, *, like: Path) -> None:
    """Replace a file, or where its link points, at once; only its owner reads it unless others did before."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = like.stat().st_mode & 0o777 if like.exists() else 0o600
    try:
        number, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as exc:
        raise StoreError("{path} cannot be written: {why}", path=str(target), why=exc.strerror) from exc
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except OSError:
        os.unlink(name)
        raise
