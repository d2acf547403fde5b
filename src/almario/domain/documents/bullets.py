"""A value as a bullet or a cell of a table, guarded so that it reads back as it was."""

from almario.domain.memories import LONGEST_KEY, key_in
from almario.domain.plain_text import regex

# What a value's line may not begin with, lest it open a fence or a comment for this or another reader,
# be a rule, or lose its first spaces.
_SPECIAL = regex(r"\\*(?:```|~~~|<!--|[ \t]|\Z|(?:[-*][ \t]*)+\Z)")
# `**key**: value`, `**key:** value`, and with a dash.
_BOLD = regex(rf"(\*\*|__)([^\s*_:][^*\r\n]{{0,{LONGEST_KEY}}}?)(?::\1|\1[ \t]*[:–—])[ \t]+(?=\S)")
_MARKS = " \t*_`:"
# An arrow would close a comment that the owner left open above.
_ARROW = regex(r"--(\\*>)")
_GUARDED_ARROW = regex(r"--\\(\\*>)")
# A bar would part a cell of a table.
_BAR = regex(r"(\\*\|)")
_GUARDED_BAR = regex(r"\\(\\*\|)")
# Signs at the end of a heading are no part of its title.
_CLOSING_SIGNS = regex(r"(^| )(\\*#+)\Z")
_GUARDED_SIGNS = regex(r"(^| )\\(\\*#+)\Z")


def bullet(value: str, end: str, lead: str = "- ", tail: str = "") -> str:
    """Return a fact's lines; a carriage return ends a line for many editors, so here too."""
    first, *more = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [f"{lead}{_guarded(first, first=True)}{tail}"]
    for place, line in enumerate(more, 1):
        guarded = _guarded(line, last=place == len(more))
        lines.append(f"  {guarded}" if guarded else "")
    return end.join(lines) + end


def bullet_value(first: str, more: list[str]) -> str:
    """Return the value of a bullet, from what follows its sign and its label, and the lines below it."""
    lines = [line[2:] if line.startswith("  ") else line[1:] for line in more]
    plain = [_plain(line.rstrip(" \t\r\n")) for line in lines]
    return "\n".join([_plain(first.rstrip(" \t\r\n"), first=True), *plain])


def cell(value: str) -> str:
    """Return a value as a cell of a table has it: in one line, with its bars guarded."""
    return flat(_BAR.sub(r"\\\1", value))


def cell_value(text: str) -> str:
    """Return the value that a cell says."""
    return _GUARDED_BAR.sub(r"\1", unguard_arrows(text.strip(" \t\r\n")))


def flat(value: str) -> str:
    """Return a value in one line."""
    return guard_arrows(" ".join(value.split()))


def label_in(line: str) -> tuple[str, int]:
    """Return the key with which a line labels its value, and where that begins; without one, "" and 0."""
    if line[:1] in ("\\", "["):
        return "", 0
    key, start = bold_label_in(line)
    if not key:
        key, start = key_in(line)
        key = key.strip(_MARKS)
    return (key, start) if key else ("", 0)


def bold_label_in(line: str) -> tuple[str, int]:
    """Do the same where the key is in bold."""
    found = _BOLD.match(line)
    is_key = found is not None and any(sign.isalpha() for sign in found[2])
    return (" ".join(found[2].split()).strip(_MARKS), found.end()) if found and is_key else ("", 0)


def guard_arrows(text: str) -> str:
    """Return a text whose arrows close no comment; `unguard_arrows` takes the backslash away again."""
    return _ARROW.sub(r"--\\\1", text)


def unguard_arrows(text: str) -> str:
    """Return a text as it was before `guard_arrows`."""
    return _GUARDED_ARROW.sub(r"--\1", text)


def _guarded(line: str, *, first: bool = False, last: bool = False) -> str:
    may_stay = line[:1] in ("", " ", "\t") and not first and (line or not last)
    if line.rstrip("\\").endswith((" ", "\t")):
        line += "\\"
    line = guard_arrows(line)
    head, _, rest = line.partition(":")
    if first and _is_labelled(head, rest):
        return f"{head}\\:{rest}"
    return "\\" + line if not may_stay and _is_special(line, first=first) else line


def _plain(line: str, *, first: bool = False) -> str:
    if "\\" not in line:
        return line
    head, _, rest = line.partition(":")
    if first and head.endswith("\\") and _is_labelled(head, rest):
        line = f"{head[:-1]}:{rest}"
    if line.startswith("\\") and _is_special(line, first=first):
        line = line[1:]
    line = unguard_arrows(line)
    return line[:-1] if line.endswith("\\") and line.rstrip("\\").endswith((" ", "\t")) else line


def _is_labelled(head: str, rest: str) -> bool:
    """Return whether a colon would make a label of what stands before it, backslashes aside."""
    return head[:1].isalnum() and bool(label_in(head.rstrip("\\") + ":" + rest)[0])


def _is_special(line: str, *, first: bool) -> bool:
    return bool(_SPECIAL.match(line)) or (first and bool(label_in(line.lstrip("\\"))[0]))


def key_heading(key: str) -> str:
    """Return the heading of a key, without the line's end."""
    return "## " + guard_arrows(_CLOSING_SIGNS.sub(r"\1\\\2", " ".join(key.split())))


def heading_key(title: str) -> str:
    """Return the key that a heading's title says."""
    return _GUARDED_SIGNS.sub(r"\1\2", unguard_arrows(title))
