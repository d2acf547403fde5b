"""The line that installs what is missing beside this Almario, wherever it is from."""

import json
import shlex
import sys
from pathlib import Path


def to_install(what: str) -> str:
    """Return the line that installs a package of ours, or an extra, as "almario[mcp]", beside this Almario.

    One that is from a folder of its source gets it from there.
    """
    source, flags = _source()
    if not source:
        return f"pip install {shlex.quote(what)}"
    package, bracket, extra = what.partition("[")
    folder = source if package == "almario" else source / "packages" / package
    pip = Path(sys.executable).with_name("pip")
    program = [_from_here(pip), "install"]
    if not pip.exists():  # as in what uv makes
        program = ["uv", "pip", "install", "--python", sys.executable]
    return shlex.join([*program, *flags, _from_here(folder) + bracket + extra])


def _source() -> tuple[Path | None, list[str]]:
    """Return the folder that Almario was installed from, if there is one, and how it was told to pip."""
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - who lacks nothing
    from urllib.parse import urlsplit  # noqa: PLC0415 - needs none of them
    from urllib.request import url2pathname  # noqa: PLC0415

    try:
        origin = json.loads(distribution("almario").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None, []
    folder = Path(url2pathname(urlsplit(origin.get("url", "")).path))
    if "dir_info" not in origin or not (folder / "packages").is_dir():
        return None, []
    return folder, ["-e"] if origin["dir_info"].get("editable") else []


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
