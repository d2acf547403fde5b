"""What the commands print, English and Spanish side by side: transcripts that are played again.

A transcript is a text of commands. Below each stands what it printed: `en|` and `es|` are the two languages,
`|` is both; `[2]` is an exit code that is not 0. Other lines of the shell run in the home, `sleep 10d` moves
the clock, `>>>` is Python with the `soul` and a `model` to script, and `{name}` is what that file of the home
holds. `python -m tests.transcripts` records them anew: read what changed before you commit it.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.forking import forks

HERE = Path(__file__).parent
LANGUAGES = ("en", "es")
ALL = sorted(HERE.glob("*.txt"))


class Step(NamedTuple):
    """A command, with the lines before it, and what it printed in each language."""

    before: list[str]
    command: str
    printed: dict[str, list[str]]


def read(text: str) -> Iterator[Step]:
    """Yield the steps of a transcript."""
    before: list[str] = []
    step: Step | None = None
    for line in text.splitlines():
        said = re.match(r"(en|es|)\| ?(.*)", line)
        if line.startswith(("$ ", ">>> ")):
            if step:
                yield step
            step, before = Step(before, line, {name: [] for name in LANGUAGES}), []
        elif said and step:
            for name in [said[1]] if said[1] else LANGUAGES:
                step.printed[name].append(said[2])
        else:
            before.append(line)
    if step:
        yield step


def played(transcripts: list[Path], folder: Path) -> dict[Path, str]:
    """Return transcripts as their commands print them now."""
    steps = {each: list(read(each.read_text())) for each in transcripts}
    commands = {each.stem: [step.command for step in steps[each]] for each in transcripts}
    english, spanish = (_in_language(name, commands, folder / name) for name in LANGUAGES)
    return {each: _text(steps[each], english[each.stem], spanish[each.stem]) for each in transcripts}


def _text(steps: list[Step], english: list[str], spanish: list[str]) -> str:
    text = ""
    for step, one, other in zip(steps, english, spanish, strict=True):
        text += "".join(f"{line}\n" for line in [*step.before, step.command])
        text += _side_by_side(one.splitlines(), other.splitlines())
    return text


def _in_language(language: str, commands: dict[str, list[str]], folder: Path) -> dict[str, list[str]]:
    """Give all commands in one process that speaks a language; return what each prints."""
    folder.mkdir()
    script, screen = folder / "commands.json", folder / "screen"
    script.write_text(json.dumps(commands))
    screen.touch()
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ALMARIO_", "LC_", "LANG", "COLUMNS"))
    }
    quick = {"ALMARIO_EMBEDDER_NAME": "none", "ALMARIO_LLM_MODEL": "none", "ALMARIO_LANGUAGE": language}
    streams = {name: str(screen) for name in ("stdout", "stderr")}
    given = ("--play", str(script))
    ended = forks().run(given, {**own, **quick, "TZ": "UTC"}, streams, module="tests.transcripts")
    assert ended == 0, screen.read_text()
    printed: dict[str, list[str]] = json.loads(script.read_text())
    return printed


def _side_by_side(english: list[str], spanish: list[str]) -> str:
    """Return what was printed; lines that are the same in both are written once."""
    if len(english) != len(spanish):
        pairs = [*(("en", line) for line in english), *(("es", line) for line in spanish)]
        return "".join(f"{name}| {line}".rstrip() + "\n" for name, line in pairs)
    text = ""
    waiting: list[str] = []
    for one, other in zip(english, spanish, strict=True):
        if one == other:
            text += "".join(waiting) + f"| {one}".rstrip() + "\n"
            waiting = []
        else:
            text += f"en| {one}".rstrip() + "\n"
            waiting.append(f"es| {other}".rstrip() + "\n")
    return text + "".join(waiting)


def record(transcripts: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for transcript, text in played(transcripts, Path(folder)).items():
            transcript.write_text(text)
