"""Running the real command in the end-to-end runs, and keeping what it showed."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

OUT = Path(__file__).parent.parent.parent / "docs" / "transcripts"


def settle_in(home: Path, language: str) -> None:
    """Make this home, in this language, the one that every command means."""
    os.environ |= {"ALMARIO_HOME": str(home), "ALMARIO_LANGUAGE": language}


def almario(*arguments: str, check: bool = True) -> str:
    """Run a command; return what it said, and on failure the error too."""
    command = [sys.executable, "-m", "almario", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if check and done.returncode:
        sys.exit(f"almario {' '.join(arguments)}: {done.stderr or done.stdout}")
    return done.stdout + (done.stderr if done.returncode else "")


def keep(name: str, parts: Iterable[str]) -> None:
    """Write what was seen to `docs/transcripts/`, as if the home were where it usually is."""
    text = "\n\n".join(part.rstrip() for part in parts) + "\n"
    OUT.mkdir(exist_ok=True)
    (OUT / name).write_text(text.replace(os.environ["ALMARIO_HOME"], "~/.almario"))
