"""A user's machine: a home folder of its own, with the real programs and Almario on its PATH."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from proofs.clients import inspector

PROJECT = Path(__file__).parents[2]
# Where the programs are installed, once.
FOLDER = PROJECT / ".clients"
# OpenClaw wants a newer Node than most people have; npm brings that too.
NODE = "node@26.10.0"
PACKAGES = [
    NODE,
    "@anthropic-ai/claude-code@2.1.327",
    "@openai/codex@0.169.0",
    "openclaw@2026.9.6",
    "@google/gemini-cli@0.61.0",
    inspector.PACKAGE,
]
# What these programs and Almario are steered by, and whoever runs this may have set.
_THEIRS = ("ALMARIO_", "ANTHROPIC_", "CLAUDE", "CODEX_", "GEMINI_", "OPENAI_", "OPENCLAW_", "XDG_")
SECONDS = 180


class Machine(NamedTuple):
    """A home folder, a project in it, and the environment in which programs run."""

    home: Path
    project: Path
    environment: dict[str, str]

    def run(self, *command: str, **more: str) -> str:
        """Run a command in the project and return what it prints; AssertionError if it fails."""
        done = subprocess.run(
            command,
            cwd=self.project,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout


@contextmanager
def machine(almario: Path) -> Iterator[Machine]:
    """Give a user with an agent, and nothing else."""
    with TemporaryDirectory(prefix="clients-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        project = home / "project"
        project.mkdir()
        modules = FOLDER / "node_modules"
        path = [modules / "node" / "bin", modules / ".bin", almario.parent, *os.environ["PATH"].split(":")]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_THEIRS)}
        environment = {
            **kept,
            "HOME": str(home),
            "PATH": ":".join(map(str, path)),
            "ALMARIO_LLM_MODEL": "none",
        }
        found = Machine(home, project, environment)
        found.run("almario", "init", "--yes", "--name", "Vesper")
        yield found


def install(packages: Sequence[str] = PACKAGES) -> None:
    """Install the programs with npm, unless they are there."""
    FOLDER.mkdir(exist_ok=True)
    mark = FOLDER / "installed"
    wanted = "\n".join(packages)
    if mark.exists() and mark.read_text() == wanted:
        return
    if not (FOLDER / "package.json").exists():
        (FOLDER / "package.json").write_text("{}\n")
    path = f"{FOLDER / 'node_modules' / 'node' / 'bin'}:{os.environ['PATH']}"
    npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
    for names in ([NODE], packages):
        print(f"installing {', '.join(names)} in {FOLDER}", file=sys.stderr, flush=True)
        environment = {**os.environ, "PATH": path}
        subprocess.run([*npm, *names], cwd=FOLDER, env=environment, check=True, stdout=sys.stderr)
    mark.write_text(wanted)
