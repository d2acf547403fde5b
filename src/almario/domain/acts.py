"""What an agent does with its tools: the call of one that is about to be used, and the act that it became."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Literal

from almario.domain.plain_text import in_one_line, regex, shortened
from almario.domain.words import SMALL, Word, query_words
from almario.named_tuples import NamedTuple

# What a turn has beside its text that tells of an act: what was done, the command, and the one that it mends.
ACT, COMMAND, MENDS = "act", "command", "mends"
# What kind of turn that is: acts one by one, a failure with its cure, or what was told before an act.
DONE, LEARNED, TOLD = "done", "lesson", "told"
Did = Literal["run", "edit"]
Kind = Literal["run", "edit", "read"]
# So many words of each field of a call are compared.
_WORDS = 24
_INNER = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDING = regex(r"\w\.([A-Za-z]\w{0,4})(?![\w.])")
# So much is read of a command and of a line that a tool answered. So much is kept of a command, of an answer,
# and of the line of an edit: it is cut when its secrets are masked, which are known by their whole.
_READ, _AND = 4_000, " … "
_COMMAND, _ANSWER, _LINE = 300, 600, 80
_ERROR = regex(
    r"(?i)\b(?:error|exception|fatal|failed|failure|cannot|can't|could not|not found|no such|denied|refused"
    r"|missing|invalid|unable|undefined|unexpected|mismatch|timed? ?out|traceback)\b|Error:"
)
_TRACE = regex(r"\A(?:Traceback \(most recent|Exit code \d+\s*\Z|\s+(?:File|at) )")


class Command(NamedTuple):
    """One command of a shell's line: its program, its sub-command if it has one, and what else is given."""

    program: str
    sub: str = ""
    rest: tuple[str, ...] = ()
    # Whether it shows something and changes nothing.
    only_looks: bool = False


class Call(NamedTuple):
    """A tool that is about to be used: a command, or a file, with what is said of it and written there."""

    kind: Kind
    commands: tuple[Command, ...] = ()
    path: str = ""
    # What the agent itself says that this is for.
    purpose: str = ""
    written: str = ""
    line: str = ""
    # What the project's folder is called: in its own paths that says nothing.
    project: str = ""

    @property
    def only_looks(self) -> bool:
        """Whether nothing is changed by it: a file is read before it is edited, and is not meant."""
        return self.kind == "run" and all(each.only_looks for each in self.commands)

    @property
    def fields(self) -> Mapping[str, list[Word]]:
        """The words that are compared with memory, by where they stand; the parts of a name are words, too.

        What a file ends in, and what the whole project is called, says nothing.
        """
        changing = [each for each in self.commands if not each.only_looks]
        given = self.path or " ".join(word for each in changing for word in each.rest)
        texts = {
            "command": " ".join(f"{each.program} {each.sub}" for each in changing),
            "path": _parted(given),
            "purpose": self.purpose,
            "written": _parted(self.written),
        }
        ends = {self.project.lower(), *(end.lower() for end in _ENDING.findall(given))}
        return {name: _words_of(text, ends) for name, text in texts.items()}

    @property
    def text(self) -> str:
        """What its meaning is taken of."""
        return " ".join(each for each in (self.purpose, self.line or self.path, self.written[:200]) if each)


class Act(NamedTuple):
    """A command that was run or a file that was changed; *said* are the telling lines of what came of it."""

    id: str
    did: Did
    what: str
    failed: bool = False
    said: str = ""
    # The first line that an edit changed: as it was, and as it is.
    change: tuple[str, str] = ("", "")
    at: datetime | None = None


def run_act(name: str, line: str, output: str, *, failed: bool, at: datetime | None = None) -> Act:
    """Return a command that was run, with what of its output tells how it went."""
    return Act(name, "run", in_one_line(line[:_READ]), failed, telling(output, failed=failed), at=at)


def as_kept(act: Act, mask: Callable[[str], str]) -> Act:
    """Return an act as it is kept: short, and without secrets."""
    what = named(mask(act.what)) if act.did == "run" else act.what
    change = (mask(act.change[0]), mask(act.change[1]))
    said = _AND.join(shortened(line, _ANSWER // 2) for line in mask(act.said).split(_AND))
    return act._replace(what=what, said=said, change=change)


def named(line: str) -> str:
    """Return a command as it is kept, by which it is known again."""
    return shortened(in_one_line(line), _COMMAND)


def telling(output: str, *, failed: bool) -> str:
    """Return the lines of an output that tell how it went: the first error, and the last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return ""
    worth = [line for line in lines if not _TRACE.search(line)] or lines
    first = next(filter(_ERROR.search, worth), "") if failed else ""
    return _AND.join(dict.fromkeys(each[:_READ] for each in (first, worth[-1]) if each))


def tells_of_error(text: str) -> bool:
    """Say whether a text has a word by which programs tell that something failed."""
    return bool(_ERROR.search(text))


def changed_line(old: str, new: str) -> tuple[str, str]:
    """Return the first line in which two texts differ, as it was and as it is, if those are short.

    More of a file's content is nobody's to keep.
    """
    before, after = old.splitlines(), new.splitlines()
    gone = next((line.strip() for line in before if line not in after and line.strip()), "")
    came = next((line.strip() for line in after if line not in before and line.strip()), "")
    return (gone, came) if max(len(gone), len(came)) <= _LINE else ("", "")


def _words_of(text: str, but: Collection[str]) -> list[Word]:
    """Return the words of a text; small ones say nothing here either."""
    if not text.strip():
        return []
    return [word for word in query_words(text, _WORDS) if word.text not in but and word.text not in SMALL]


def _parted(text: str) -> str:
    """Return names with their parts: `parseTide.py` is also `parse Tide py`."""
    return _INNER.sub(" ", text.replace("/", " / "))
