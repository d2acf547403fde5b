"""The process that gives the commands of a transcript, with a clock of its own and the same ids each time."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, tzinfo
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from click.testing import CliRunner

import almario
from almario import wiring
from almario.apps.cli import i18n, root, spoken_language
from almario.conversation import learning
from almario.domain.talk import Usage
from almario.errors import AlmarioError, LLMUnavailable
from almario.ports import Models
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import birth, models
from tests.becoming.reflecting import thinking

# Which options there are is told by the help.
USAGE = re.compile(r"(?m)^(?:Usage|Uso): .*\n(?:Try|Prueba) .*\n\n")
# What can be done in this process: a command of ours, or one that is told something by programs of the shell.
PLAIN = re.compile(
    r"(?:(?P<telling>(?:echo|printf|cat) .*) \| )?(?P<command>almario\b[^|<>]*)(?P<silent> > /dev/null)?"
)
AT_HAND = {"json": json, "re": re, "Usage": Usage, "thinking": thinking, "LLMUnavailable": LLMUnavailable}


class Standing(datetime):
    """Stands still while a command runs, and goes on by a minute for the next."""

    clock = FixedClock()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return cls.clock().astimezone(tz)


class Chance:
    """What is random depends on the command alone, so that a new one leaves the ids of others as they are."""

    given: ClassVar[Counter[str]] = Counter()
    numbers: ClassVar[Iterator[int]] = count()
    command = ""

    @classmethod
    def begin(cls, command: str) -> None:
        cls.given[command] += 1
        cls.command, cls.numbers = f"{command} {cls.given[command]}", count()

    @classmethod
    def chosen(cls, size: int) -> bytes:
        return hashlib.blake2b(f"{cls.command} {next(cls.numbers)}".encode(), digest_size=size).digest()


class Patient(learning.Learning):
    """Learns before anything else is said, so that the lines of the journal come in one order."""

    def consider(self, session: str) -> None:
        super().consider(session)
        self.wait(None)


_models = models.models


class Model(ScriptedLLM):
    """A model that is there as soon as it has lines."""

    def found(self, settings: Any, environment: Any = None) -> Models:
        return Models(self, self) if self.lines else _models(settings)


def play(script: Path) -> None:
    """Give the commands that are listed in a file, and put what they print in their place."""
    vars(wiring)["datetime"] = Standing
    os.urandom = Chance.chosen
    vars(learning)["Learning"] = Patient
    sys.argv = ["almario"]
    i18n.use(spoken_language([]))
    listed = json.loads(script.read_text())
    script.write_text(json.dumps({name: _transcript(script.parent / name, listed[name]) for name in listed}))


def _transcript(folder: Path, commands: list[str]) -> list[str]:
    """Return what each of its commands prints in a new home."""
    home, model = folder / "home", Model()
    home.mkdir(parents=True)
    os.environ |= {"ALMARIO_HOME": str(home), "HOME": str(folder)}
    os.chdir(home)
    for each in (models, birth):
        vars(each)["models"] = model.found
    Standing.clock = FixedClock()
    Chance.given.clear()
    printed = []
    for command in commands:
        Standing.clock.advance(minutes=1)
        Chance.begin(command)
        text = _done(command, home, model)
        printed.append(text.replace(str(home), "~/.almario").replace(str(folder), "~"))
    return printed


def _done(line: str, home: Path, model: ScriptedLLM) -> str:
    """Return what a line of a transcript prints."""
    if line.startswith(">>> "):
        with almario.open(home, clock=Standing.clock, llm=model) as soul:
            try:
                exec(line[4:], {"soul": soul, "model": model, "home": home, **AT_HAND})
            except AlmarioError as exc:
                return f"{type(exc).__name__}: {exc}\n"
        return ""
    line = line.removeprefix("$ ")
    if asleep := re.fullmatch(r"sleep (\d+)([dh])", line):
        Standing.clock.advance(**{{"d": "days", "h": "hours"}[asleep[2]]: int(asleep[1])})
        return ""
    if not (plain := PLAIN.fullmatch(line)):
        return _in_the_shell(line)
    command = re.sub(r"\{(\w+)\}", lambda name: Path(name[1]).read_text(), plain["command"])
    told = _in_the_shell(plain["telling"]) if plain["telling"] else ""
    result = CliRunner().invoke(root(), shlex.split(command)[1:], input=told)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    shown = "" if plain["silent"] else USAGE.sub("", result.output)
    return shown + (f"[{result.exit_code}]\n" if result.exit_code else "")


def _in_the_shell(line: str) -> str:
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr
