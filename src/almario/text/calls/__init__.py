"""What an agent is about to do, read from the call of a tool: which program, which files, with which words.

A call is read for what it is, field by field, as the words of a path weigh otherwise than those of a text
that is written. `programs.toml` says which tools do what, and which commands only look.
"""

import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from almario.domain.acts import Call, Command, Kind
from almario.domain.plain_text import regex

# So much of a command and of a new text is read: what is longer was not written to be read.
_COMMAND, _WRITTEN = 2_000, 1_500
_ASSIGNED = regex(r"\A[A-Za-z_]\w*=")
_WORD = regex(r"\A[A-Za-z][\w:.-]*\Z")
# Where a shell begins another command.
_ENDS = frozenset({";", "&&", "||", "|", "&", "(", ")", "|&", "\n"})
# What a patch names before its hunks, and the lines that it adds.
_PATCHED = regex(r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$")
_ADDED = regex(r"(?m)^\+(?!\+\+)(.*)$")


def call_in(tool: str, given: Mapping[str, Any], folder: str = "") -> Call | None:
    """Read the call of a tool; None if it neither runs a command nor touches one file.

    The *folder* is that of the project, which stands before each of its paths.
    """
    kind = _kind_of(tool)
    name = PurePosixPath(folder).name
    if kind == "run":
        line = _line_of(given)
        purpose = _text(given, "description", "justification")
        call = Call(kind, tuple(commands_in(line)), purpose=purpose, line=line, project=name)
        if path := _shown_by(call):  # a program with a shell and no other tool reads files so
            return Call("read", path=within(path, folder), line=line, project=name)
        if not _PATCHED.search(line):
            return call if line.strip() else None
        kind, given = "edit", {"patch": line}
    patch = _text(given, "input", "patch")
    path = _text(given, "file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file")
    if patch and not path:
        path, written = "".join(_PATCHED.findall(patch)[:1]), "\n".join(_ADDED.findall(patch))
    else:
        written = "\n".join(_written(given))
    if kind is None or not path:
        return None
    call = Call(kind, path=within(path, folder), project=name)
    return call._replace(written=written[:_WRITTEN]) if kind == "edit" else call


def _shown_by(call: Call) -> str:
    """Return the file that a line shows, if it does nothing else."""
    if not call.only_looks:
        return ""
    words = [[each.sub, *each.rest] for each in call.commands if each.program in table()["looks"]["readers"]]
    paths = [word for some in words for word in some if "." in word.strip(".") or "/" in word]
    return paths[0] if len(paths) == 1 and not paths[0].startswith("-") else ""


def commands_in(line: str) -> Iterator[Command]:
    """Yield the commands of a shell's line, without what stands before a program."""
    for words in map(_run_by, _parts(line)):
        if not words or words[0].startswith("-"):
            continue
        program, rest = PurePosixPath(words[0]).name, list(words[1:])
        sub = next(_unvalued(rest), "")
        is_sub = bool(_WORD.match(sub)) and "." not in sub
        if is_sub:
            rest.remove(sub)
        sub = sub if is_sub else ""
        yield Command(program, sub, tuple(rest), only_looks=_only_looks(program, sub, rest))


def _unvalued(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command that are neither flags nor what those are set to."""
    valued = table()["valued"]["flags"]
    for before, word in pairwise(("", *words)):
        if not word.startswith("-") and before not in valued:
            yield word


def _run_by(words: list[str]) -> list[str]:
    """Return a command without what stands before its program."""
    before, first = table()["before"], 0
    while first < len(words) and (_ASSIGNED.match(words[first]) or words[first] in before["words"]):
        first += 1
    return words[first + 2 :] if " ".join(words[first : first + 2]) in before["pairs"] else words[first:]


def _only_looks(program: str, sub: str, rest: Sequence[str]) -> bool:
    """Say whether a command shows or checks something and changes nothing, as far as its name tells."""
    looks: Mapping[str, frozenset[str]] = table()["looks"]
    if program in looks["programs"]:
        return looks["unless"].isdisjoint(rest)
    if program in looks["changing"] or f"{program} {sub}" in looks["pairs"]:
        return False
    if program == "sed":  # prints what it is asked for, unless it writes
        return "-n" in rest and not any(each.startswith(("-i", "--in-place")) for each in rest)
    if not looks["unless"].isdisjoint((sub, *rest)):
        return False
    then = next(_unvalued(rest), "")
    return (
        sub in looks["words"]
        or (sub in looks["bare"] and not then)
        or (bool(sub) and then in looks["second"])
        or not looks["flags"].isdisjoint((sub, *rest))
        or (not sub and list(rest) == ["-h"])
    )


def _parts(line: str) -> Iterator[list[str]]:
    """Part a line into the words of its commands; what is no shell's line is parted at its blanks."""
    try:
        lexer = shlex.shlex(
            line[:_COMMAND].replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars=";&|()"
        )
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = list(lexer)
    except ValueError:
        words = line[:_COMMAND].split()
    part: list[str] = []
    for word in words:
        if word in _ENDS:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _line_of(given: Mapping[str, Any]) -> str:
    command = given.get("command", given.get("cmd", ""))
    if isinstance(command, list):
        words = [each for each in command if isinstance(each, str)]
        is_shell = len(words) > 2 and words[1].startswith("-") and words[1].endswith("c")
        return words[2] if is_shell else shlex.join(words)
    return command if isinstance(command, str) else ""


def _written(given: Mapping[str, Any]) -> Iterator[str]:
    edits = given.get("edits")
    for each in (given, *(edits if isinstance(edits, Sequence) and not isinstance(edits, str) else ())):
        if isinstance(each, Mapping) and (
            new := _text(each, "new_string", "content", "new_source", "newString", "file_text")
        ):
            before = set(_text(each, "old_string", "oldString").splitlines())
            yield "\n".join(line for line in new.splitlines() if line not in before)


def within(path: str, folder: str) -> str:
    """Return a path as it is called in its project."""
    root = folder.rstrip("/") + "/"
    return path.removeprefix(root) if folder else path


def _text(given: Mapping[str, Any], *names: str) -> str:
    return next((given[name] for name in names if isinstance(given.get(name), str)), "")


def _kind_of(tool: str) -> Kind | None:
    return next((kind for kind, tools in table()["tools"].items() if tool in tools), None)


@cache
def table() -> Mapping[str, Any]:
    """Return what is known of programs, and of the words of those who speak of them."""
    text = (Path(__file__).parent / "programs.toml").read_text(encoding="utf-8")
    return {
        part: {name: frozenset(words) for name, words in rows.items()}
        for part, rows in tomllib.loads(text).items()
    }
