"""Souls that show a model what a good one is like: three that come along, and the owner's from a folder."""

from collections.abc import Iterator
from pathlib import Path

from almario.becoming.archetypes import archetype
from almario.becoming.drafts import files_of
from almario.becoming.rules.motivations import DRIVES
from almario.domain.documents.headings import section_body
from almario.domain.documents.lines import without_comments
from almario.domain.plain_text import cut_to_tokens
from almario.errors import SoulError

# As unlike each other as ours are.
_OWN = ("companion", "maker", "sceptic")
# So many of a folder are shown, and so much of each.
_MOST, _TOKENS = 3, 500
_PARTS = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md")


def examples(language: str, folder: Path | None = None) -> list[str]:
    """Return souls as a model is shown them; those of a *folder* come first.

    There, each file `*.md` is a soul, and each folder with a SOUL.md; so is the folder itself if it has one.
    """
    theirs = [] if folder is None else list(_in(folder))[:_MOST]
    ours = [_shown(files_of(archetype(name, language).draft)) for name in _OWN]
    return [cut_to_tokens(text, _TOKENS) for text in (*theirs, *ours)]


def _in(folder: Path) -> Iterator[str]:
    try:
        if (folder / "SOUL.md").is_file():
            yield _shown(_files(folder))
            return
        for path in sorted(folder.iterdir()):
            if path.suffix == ".md" and path.is_file():
                yield _read(path)
            elif (path / "SOUL.md").is_file():
                yield _shown(_files(path))
    except OSError as exc:
        raise SoulError(
            "the example souls in {folder} cannot be read: {why}", folder=folder, why=exc
        ) from exc


def _files(folder: Path) -> dict[str, str]:
    return {name: _read(folder / name) for name in _PARTS if (folder / name).is_file()}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _shown(files: dict[str, str]) -> str:
    """Return who a soul is; what it is busy with, and has observed, shows no form."""
    drives = section_body(files.get("MOTIVATIONS.md", ""), DRIVES)
    parts = [
        files.get("IDENTITY.md", ""),
        files.get("SOUL.md", ""),
        f"## {DRIVES}\n{drives}" if drives else "",
    ]
    return "\n\n".join(part for each in parts if (part := without_comments(each).strip()))
