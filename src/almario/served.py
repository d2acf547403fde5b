"""Where programs on this machine find the server of a home: what it leaves in there while it runs."""

import json
import os
from collections.abc import Mapping

# The address of the server that runs, and the owner's token, which only the owner can read.
SERVED_FILE, OWNER_FILE = "serve.json", ".token"


def home_of(given: str | os.PathLike[str] | None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the home's folder: the one given, ALMARIO_HOME's, or ~/.almario."""
    return os.path.expanduser(given or environment.get("ALMARIO_HOME") or "~/.almario")


def served_at(home: str | os.PathLike[str]) -> str:
    """Return the address of the server that runs for a home, or nothing."""
    try:
        with open(os.path.join(home, SERVED_FILE), "rb") as file:
            found = json.load(file)
        os.kill(int(found["pid"]), 0)
        return str(found["url"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return ""


def token_of(home: str | os.PathLike[str]) -> str:
    """Return the owner's token of a home, or nothing if there is none that we can read."""
    try:
        with open(os.path.join(home, OWNER_FILE), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
