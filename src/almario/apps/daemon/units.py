"""The files by which systemd and launchd start the daemon when its owner logs in."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from almario.domain.plain_text import regex
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

# Whoever finds this in a file knows that it may be replaced.
MARK = 'Written by "almario daemon install"'
# Which home a file is for, as either system has it.
_HOME = regex(r"ALMARIO_HOME(?:=|</key>\s*<string>)(.*)")
_LABEL = "org.almario.daemon"
_NICE = 10


class Unit(NamedTuple):
    """A file that starts the daemon, and the commands that make the system read it, or leave it."""

    path: Path
    text: str
    enable: tuple[str, ...]
    disable: tuple[str, ...]


def unit(home: Path, *, platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Unit:
    """Return the file for this system that keeps *home*."""
    command = [*this_program(), "daemon"]
    user = Path(environment.get("HOME") or Path.home())
    if platform == "darwin":
        path = user / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
        load = f'launchctl bootstrap gui/$(id -u) "{path}"'
        return Unit(path, plist(command, home), (load,), (f"launchctl bootout gui/$(id -u)/{_LABEL}",))
    folder = Path(environment.get("XDG_CONFIG_HOME") or user / ".config") / "systemd" / "user"
    reload = "systemctl --user daemon-reload"
    enable = (reload, "systemctl --user enable --now almario.service")
    disable = ("systemctl --user disable --now almario.service", reload)
    return Unit(folder / "almario.service", service(command, home), enable, disable)


def this_program() -> list[str]:
    """Return how the program that runs now is started from anywhere."""
    started = os.path.abspath(sys.argv[0])
    if os.path.basename(started) == "almario" and os.access(started, os.X_OK):
        return [started]
    return [sys.executable, "-m", "almario"]


def service(command: Sequence[str], home: Path) -> str:
    """Return a systemd unit."""
    words = " ".join(_quoted(word).replace("$", "$$") for word in command)
    lines = [
        f"# {MARK}",
        "[Unit]",
        "Description=Almario keeps the agents of a home",
        "",
        "[Service]",
        f"Environment={_quoted(f'ALMARIO_HOME={home}')}",
        f"ExecStart={words}",
        "Restart=on-failure",
        "RestartSec=30",
        "TimeoutStopSec=15",
        f"Nice={_NICE}",
        "IOSchedulingClass=idle",
        "",
        "[Install]",
        "WantedBy=default.target",
    ]
    return "\n".join(lines) + "\n"


def plist(command: Sequence[str], home: Path) -> str:
    """Return a launchd property list."""
    from plistlib import dumps  # noqa: PLC0415 - one command on one system

    keys = {
        "Label": _LABEL,
        "ProgramArguments": list(command),
        "EnvironmentVariables": {"ALMARIO_HOME": str(home)},
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": _NICE,
    }
    head, rest = dumps(keys).decode().split("\n", 1)
    return f"{head}\n<!-- {MARK} -->\n{rest}"


def install(wanted: Unit) -> None:
    """Write the file; one that we did not write, or for another home, stays."""
    _check_ours(wanted)
    wanted.path.parent.mkdir(parents=True, exist_ok=True)
    wanted.path.write_text(wanted.text, encoding="utf-8")


def uninstall(wanted: Unit) -> bool:
    """Remove the file, and say whether there was one."""
    _check_ours(wanted)
    is_there = wanted.path.exists()
    wanted.path.unlink(missing_ok=True)
    return is_there


def _check_ours(wanted: Unit) -> None:
    if not wanted.path.exists():
        return
    path, text = str(wanted.path), wanted.path.read_text("utf-8", "replace")
    if not any(MARK in line for line in text.splitlines()[:2]):
        raise SoulError("{path} was not written by Almario; remove it first", path=path)
    if _HOME.findall(text) != _HOME.findall(wanted.text):
        raise SoulError("{path} belongs to another home; remove it first", path=path)


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + "".join(char if char.isprintable() else _in_octal(char) for char in escaped) + '"'


def _in_octal(char: str) -> str:
    """Return what would end the line, or is no text, byte by byte."""
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
