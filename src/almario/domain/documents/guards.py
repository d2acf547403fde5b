"""A fact's value and key as Markdown that is read back as they are.

What would be misread gets a backslash, as in Markdown; where one stands
already it gets one more, so that reading back takes away just ours.
"""

import re

# What a value's line may not begin with, lest it open a fence or a comment for this or another reader,
# be a rule, or lose its first spaces.
_SPECIAL = re.compile(r"\\*(?:```|~~~|<!--|[ \t]|\Z|(?:[-*][ \t]*)+\Z)")
# An arrow would close a comment that the owner left open above.
_ARROW = re.compile(r"--(\\*>)")
_GUARDED_ARROW = re.compile(r"--\\(\\*>)")
# Signs at the end of a heading are no part of its title.
_CLOSING_SIGNS = re.compile(r"(^| )(\\*#+)\Z")
_GUARDED_SIGNS = re.compile(r"(^| )\\(\\*#+)\Z")


def bullet(value: str, end: str, sign: str = "-") -> str:
    """Return a fact's lines; a carriage return ends a line for many editors, so here too."""
    first, *more = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [f"{sign} {_guarded(first, first=True)}"]
    for place, line in enumerate(more, 1):
        guarded = _guarded(line, last=place == len(more))
        lines.append(f"  {guarded}" if guarded else "")
    return end.join(lines) + end


def bullet_value(first: str, more: list[str]) -> str:
    """Return the value of a bullet, from what follows its sign and the lines below it."""
    lines = [first, *(line[2:] if line.startswith("  ") else line[1:] for line in more)]
    return "\n".join(_plain(line.rstrip(" \t\r\n")) for line in lines)


def closing_nothing(text: str) -> str:
    """Return a text whose arrows close no comment; `as_said` takes the backslash away again."""
    return _ARROW.sub(r"--\\\1", text)


def as_said(text: str) -> str:
    """Return a text as it was before `closing_nothing`."""
    return _GUARDED_ARROW.sub(r"--\1", text)


def _guarded(line: str, *, first: bool = False, last: bool = False) -> str:
    may_stay = line[:1] in ("", " ", "\t") and not first and (line or not last)
    if _SPECIAL.match(line) and not may_stay:
        line = "\\" + line
    if line.rstrip("\\").endswith((" ", "\t")):
        line += "\\"
    return closing_nothing(line)


def _plain(line: str) -> str:
    if "\\" not in line:
        return line
    line = as_said(line)
    if line.endswith("\\") and line.rstrip("\\").endswith((" ", "\t")):
        line = line[:-1]
    return line[1:] if line.startswith("\\") and _SPECIAL.match(line) else line


def key_heading(key: str) -> str:
    """Return the heading of a key, without the line's end."""
    return "## " + closing_nothing(_CLOSING_SIGNS.sub(r"\1\\\2", " ".join(key.split())))


def heading_key(title: str) -> str:
    """Return the key that a heading's title says."""
    return _GUARDED_SIGNS.sub(r"\1\2", as_said(title))
