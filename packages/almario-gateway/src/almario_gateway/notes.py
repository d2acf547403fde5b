"""The notes that a model keeps for itself with Anthropic's memory tool (`memory_20250818`).

What it sees as `/memories` are its notes, in `memory/notebook/`, and beside them, to be read, who it is and
what it remembers. Its notes are found when they are searched for; they are nobody's word, and so they never
come to mind by themselves: a page that the model read may have told it what to write.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from almario.conversation.file_reading import in_mind, readable_file
from almario.conversation.soul_tools import PROPOSED_FILES
from almario.domain.documents.document import Document
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.plain_text import shortened, uncontrolled, whole
from almario.domain.talk import ToolCall
from almario.domain.turns import DEFAULT_SESSION
from almario.errors import AlmarioError, MissingExtra, ToolError
from almario.memory.rules.sources import NOTES, is_filed
from almario.soul import Soul

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaBuiltinFunctionTool

ROOT = "/memories"
# Who it is and what it remembers: to be read, under its own name.
_OWN = (*SOUL_FILES, CORE_MEMORY)
_LOGS = "memory"
_MOST_NOTES, _LONGEST, _DEEPEST = 1000, 100_000, 4
_REASON = "written with the memory tool"


class MemoryNotes:
    """Reads and writes the notes of one agent as a model asks for it;"""

    def __init__(self, soul: Soul) -> None:
        self._vault = soul.tools.agent.parts.vault
        self._memory = soul.memory
        self._agent = soul.tools.agent

    def call(self, command: Mapping[str, Any], *, session: str = DEFAULT_SESSION) -> str:
        """Do what the memory tool was called with, and return its result; ToolError says why not.

        A change to a soul file becomes a proposal. With others in the session, nothing is told or written.
        """
        if not self._agent.audience(session).is_private:
            raise ToolError("the notes are private, and others are present")
        name = str(command.get("command"))
        if name == "view":
            return self._view(_text(command, "path"), command.get("view_range"))
        if self._agent.parts.discretion.is_off(session):
            raise ToolError("this is off the record: none of it is kept")
        if name == "delete":
            return self._delete(_text(command, "path"))
        if name == "rename":
            return self._rename(_text(command, "old_path"), _text(command, "new_path"))
        if name not in ("create", "str_replace", "insert"):
            sentence = 'the memory tool has no command "{name}"'
            raise ToolError(sentence, name=shortened(uncontrolled(name), 40))
        path = _text(command, "path")
        file = _inner(path)
        if file in PROPOSED_FILES:
            return self._propose(file, path, command, session)
        document = self._note(path)
        text = self._edited(document, path, command)
        self._write(document, text)
        if name == "create":
            return f"File created successfully at: {path}"
        return f"The memory file has been edited.\n{_numbered(text)}"

    def for_anthropic(self, *, session: str = DEFAULT_SESSION) -> "BetaBuiltinFunctionTool":
        """Return the memory tool as the tool runner of Anthropic's SDK takes it."""
        try:
            from anthropic.lib.tools import BetaBuiltinFunctionTool  # noqa: PLC0415 - nearly two seconds
            from anthropic.lib.tools import ToolError as TheirError  # noqa: PLC0415 - the same
        except ImportError as exc:
            sentence = "{package} is not installed; run: pip install 'almario[{package}]'"
            raise MissingExtra(sentence, package="anthropic") from exc
        notes = self

        class MemoryTool(BetaBuiltinFunctionTool):
            """Anthropic's memory tool on an agent's notes."""

            def to_dict(self) -> Any:
                return {"type": "memory_20250818", "name": "memory"}

            def call(self, input: object) -> str:  # noqa: A002 - its name there
                try:
                    return notes.call(input if isinstance(input, Mapping) else {}, session=session)
                except AlmarioError as exc:
                    raise TheirError(str(exc)) from exc

        return MemoryTool()

    def _view(self, path: str, lines: Any) -> str:
        place = _inner(path)
        if listed := self._listed(place):
            return "\n".join([_LISTING.format(path=path), *listed])
        text = self._readable(place, path)
        first, last = 1, -1
        if isinstance(lines, list) and len(lines) == 2 and all(type(each) is int for each in lines):
            first, last = max(1, lines[0]), lines[1]
        shown = text.split("\n")[first - 1 : last if last > 0 else None]
        return f"Here's the content of {path} with line numbers:\n" + _numbered("\n".join(shown), first)

    def _readable(self, place: str, path: str) -> str:
        if place in _OWN or is_filed(place):
            text = in_mind(place, readable_file(self._vault, place), self._memory.out_of_mind())
            return self._memory.without_secrets(text)
        return self._memory.without_secrets(self._existing(path).raw)

    def _listed(self, place: str) -> list[str]:
        """Return what is in a folder, or nothing if it is none: its notes, and at the top what is its own."""
        names = {
            name: size for name, size in self._all().items() if name.startswith(f"{place}/" if place else "")
        }
        if not place:
            # The logs of years would be long: they are listed by their folder's name.
            names = {name: size for name, size in names.items() if not is_filed(name)} | {f"{_LOGS}/": 0}
        lines = [f"{_size(size)}\t{ROOT}/{name}" for name, size in sorted(names.items())]
        return [f"{_size(sum(names.values()))}\t{ROOT}/{place}".rstrip("/"), *lines] if names else []

    def _all(self) -> dict[str, int]:
        """Return what a model can see, by its path there, with its length."""
        own = [name for name in _OWN if self._vault.read(name).content is not None]
        logs = [name for name in self._vault.documents.names(_LOGS) if is_filed(name)]
        found = {name: len(self._vault.read(name).content or b"") for name in (*own, *logs)}
        for name in self._names():
            found[name.removeprefix(NOTES)] = len(self._vault.read(name).content or b"")
        return found

    def _names(self) -> list[str]:
        holdings = self._vault.documents.holdings()
        return [each.name for each in holdings if each.name.startswith(NOTES) and each.holder == "document"]

    def _note(self, path: str) -> Document:
        place = _inner(path)
        if not place:
            raise ToolError('"{path}" is a folder', path=_shown(path))
        if place in _OWN or place.partition("/")[0] == _LOGS:
            raise ToolError('"{path}" can only be read; your human changes it', path=_shown(path))
        document = self._vault.read(f"{NOTES}{place}")
        if document.is_link:
            raise ToolError('cannot read "{path}": it is a link', path=_shown(path))
        return document

    def _existing(self, path: str) -> Document:
        document = self._note(path)
        if document.content is None:
            raise ToolError('the path "{path}" does not exist', path=_shown(path))
        return document

    def _edited(self, document: Document, path: str, command: Mapping[str, Any]) -> str:
        if command["command"] == "create":
            if document.content is not None and document.name not in PROPOSED_FILES:
                raise ToolError('there is already a file "{path}"', path=_shown(path))
            return _text(command, "file_text", may_be_empty=True)
        if document.content is None:
            raise ToolError('the path "{path}" does not exist', path=_shown(path))
        text = document.raw
        if command["command"] == "insert":
            return _inserted(
                text, command.get("insert_line"), _text(command, "insert_text", may_be_empty=True)
            )
        old = _text(command, "old_str")
        if (count := text.count(old)) != 1:
            sentence = "nothing was replaced: old_str stands {count} times in {path}, not once"
            raise ToolError(sentence, count=count, path=_shown(path))
        return text.replace(old, _text(command, "new_str", may_be_empty=True))

    def _write(self, document: Document, text: str | None) -> None:
        if text is not None:
            if len(text) > _LONGEST:
                raise ToolError("a note has at most {most} characters", most=_LONGEST)
            if document.content is None and len(self._names()) >= _MOST_NOTES:
                raise ToolError("there are {most} notes already; delete some first", most=_MOST_NOTES)
            text = self._memory.redact.whole(whole(text))
        with self._memory.sync.writing(in_any_case=True) as write:
            write.appender.replace(document, text)

    def _delete(self, path: str) -> str:
        place = _inner(path)
        within = [name for name in self._names() if place and name.startswith(f"{NOTES}{place}/")]
        for name in within:
            self._write(self._vault.read(name), None)
        if not within:
            self._write(self._existing(path), None)
        return f"Successfully deleted {path}"

    def _rename(self, path: str, to: str) -> str:
        old, new = self._existing(path), self._note(to)
        if new.content is not None:
            raise ToolError('there is already a file "{path}"', path=_shown(to))
        with self._memory.sync.writing(in_any_case=True) as write:
            write.appender.replace(new, old.content)
            write.appender.replace(old, None)
        return f"Successfully renamed {path} to {to}"

    def _propose(self, file: str, path: str, command: Mapping[str, Any], session: str) -> str:
        text = self._edited(self._vault.read(file), path, command)
        given = {"file": file, "text": text, "reason": _REASON}
        done = self._agent.use(session, ToolCall("memory", "propose_change", given))[0]
        if done.is_error:
            raise ToolError("{why}", why=done.text)
        return done.text


_LISTING = "Here're the files and directories in {path}, excluding hidden items:"


def _inner(path: str) -> str:
    """Return what a path means below the root, nothing for the root; ToolError if it leads elsewhere."""
    parts = PurePosixPath(path).parts
    is_plain = path.isprintable() and "\\" not in path and len(path) <= 200 and whole(path) == path
    if not is_plain or parts[:2] != ("/", ROOT[1:]) or len(parts) > _DEEPEST + 2:
        raise ToolError('"{path}" is not a path in {root}', path=_shown(path), root=ROOT)
    if any(part.startswith(".") or len(part) > 100 for part in parts[2:]):  # and the way up
        raise ToolError('"{path}" is not a path in {root}', path=_shown(path), root=ROOT)
    inner = "/".join(parts[2:])
    return next((name for name in _OWN if name.casefold() == inner.casefold()), inner)


def _text(command: Mapping[str, Any], name: str, *, may_be_empty: bool = False) -> str:
    found = command.get(name, "" if may_be_empty else None)
    if not isinstance(found, str) or not (found or may_be_empty):
        raise ToolError('"{name}" is missing', name=name)
    return found


def _inserted(text: str, line: Any, more: str) -> str:
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    if type(line) is not int or not 0 <= line <= len(lines):
        raise ToolError('"insert_line" is a number from 0 to {most}', most=len(lines))
    return "\n".join([*lines[:line], more.removesuffix("\n"), *lines[line:]]) + "\n"


def _numbered(text: str, first: int = 1) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), first))


def _size(count: int) -> str:
    return f"{count}B" if count < 1024 else f"{count / 1024:.1f}K"


def _shown(path: str) -> str:
    return shortened(uncontrolled(path), 100)
