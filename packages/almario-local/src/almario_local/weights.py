"""Which models can be fetched, and which of them are here: files of weights in one folder of the cache."""

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from almario.adapters.addresses import host_of
from almario.adapters.embedders.cache import make_private
from almario.domain.messages import sentence_of
from almario.domain.plain_text import size_shown
from almario.errors import ConfigError, LLMUnavailable, SoulError, StoreBusy, StoreError
from almario.named_tuples import NamedTuple

Progress = Callable[[int, int], None]
MAGIC = b"GGUF"
SUFFIX = ".gguf"
PIECE = 1 << 20
# So much of the disk is left alone.
_SPARE = 200_000_000
# A model may take so much of the memory: the system and the rest of Almario need some.
_SHARE = 0.6


class ModelFile(NamedTuple):
    """A model that can be fetched: where it lies below `llm.local_source`, and how to know it again.

    *memory* is what it takes while it runs with the usual context, in bytes; with fewer *cores* the first
    answer would take minutes.
    """

    name: str
    path: str
    size: int
    sha256: str
    memory: int
    cores: int = 1


# Small models that follow instructions, in many languages, all under the Apache licence 2.0; best last.
CATALOGUE = (
    ModelFile(
        "qwen2.5-0.5b",
        "Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/9217f5db79a29953eb74d5343926648285ec7e67"
        "/qwen2.5-0.5b-instruct-q4_k_m.gguf",
        491_400_032,
        "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
        1_000_000_000,
    ),
    ModelFile(
        "qwen2.5-1.5b",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/91cad51170dc346986eccefdc2dd33a9da36ead9"
        "/qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_117_320_736,
        "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        2_000_000_000,
    ),
    ModelFile(
        "qwen3-4b",
        "unsloth/Qwen3-4B-Instruct-2507-GGUF/resolve/a06e946bb6b655725eafa393f4a9745d460374c9"
        "/Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
        2_497_281_120,
        "3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597",
        5_500_000_000,
        cores=6,
    ),
)


def memory_here() -> int:
    """Return how many bytes of memory this machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def recommended(memory: int, cores: int) -> ModelFile:
    """Return the best model for such a machine; the smallest if none is small enough."""
    fitting = [each for each in CATALOGUE if each.memory <= memory * _SHARE and each.cores <= cores]
    return fitting[-1] if fitting else CATALOGUE[0]


def models_here(folder: Path) -> dict[str, Path]:
    """Return the models that can be run, by name, the smallest first."""
    files = [path for path in folder.glob(f"*{SUFFIX}") if path.is_file()]
    return {path.stem: path for path in sorted(files, key=lambda path: (path.stat().st_size, path.name))}


def take_file(source: Path, folder: Path, progress: Progress) -> str:
    """Put a file of weights into *folder*, by a link if that can be, and return the model's name."""
    source = source.expanduser().resolve()
    if source.exists() and not source.is_file():  # whoever reads a pipe waits for ever
        raise SoulError("{file} is not a model: it is not a file", file=str(source))
    with open(source, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise SoulError("{file} is not a model: it is not in GGUF format", file=str(source))
    name = re.sub(r"[^a-z0-9._-]+", "-", source.stem.lower()).strip("-.") or "model"
    target = folder / f"{name}{SUFFIX}"
    make_private(folder)
    if target.exists() and target.samefile(source):
        return name
    if target.exists():
        sentence = 'you already have a model called {name}; "almario model remove {name}" deletes it'
        raise SoulError(sentence, name=name)
    part = target.with_suffix(".link")
    part.unlink(missing_ok=True)
    try:
        with contextlib.suppress(OSError):  # another disk, or somebody else's file
            os.link(source, part)
        if not part.exists():
            _copy(source, part, progress)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return name


def _copy(source: Path, part: Path, progress: Progress) -> None:
    size = source.stat().st_size
    check_space(part.parent, size)
    with open(source, "rb") as file, open(part, "xb") as copy:
        while piece := file.read(PIECE):
            write(copy, piece)
            progress(file.tell(), size)
        os.fsync(copy.fileno())


def check_space(folder: Path, needed: int) -> None:
    """Raise StoreError if a file of so many bytes would fill the disk."""
    free = shutil.disk_usage(folder).free
    if needed + _SPARE > free:
        sentence = "{folder} has {free} free and {needed} is needed; free up some space, or set ALMARIO_CACHE"
        raise StoreError(
            sentence, folder=str(folder), free=size_shown(free), needed=size_shown(needed + _SPARE)
        )


def write(file: BinaryIO, piece: bytes) -> None:
    """Write to the disk, which may be full."""
    with naming_disk_errors():
        file.write(piece)


@contextlib.contextmanager
def naming_disk_errors() -> Iterator[None]:
    """Say in one sentence what the disk refuses."""
    try:
        yield
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreError("the disk is full; free up some space and run the same command again") from exc
        raise StoreError("the model cannot be written: {why}", why=sentence_of(exc)) from exc


_SECONDS = 30.0
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


def download(weights: ModelFile, source: str, folder: Path, progress: Progress) -> Path:
    """Fetch a model into *folder*, going on where an earlier try ended."""
    if not host_of(source):
        raise ConfigError(
            "llm.local_source is not an address such as {example}", example="https://huggingface.co"
        )
    target = folder / f"{weights.name}{SUFFIX}"
    if target.exists():
        return target
    make_private(folder)
    part = target.with_suffix(".part")
    with open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy("another command is downloading {name}", name=weights.name) from None
        if target.exists():  # fetched between our look and our lock
            return target
        have = file.seek(0, os.SEEK_END)
        if have > weights.size:
            have = file.truncate(0)
        check_space(folder, weights.size - have)
        if have < weights.size:
            _receive(weights, f"{source.rstrip('/')}/{weights.path}", file, progress)
        _check(weights, file, progress)
        with naming_disk_errors():
            os.fsync(file.fileno())
            os.replace(part, target)
    return target


def _receive(weights: ModelFile, url: str, file: BinaryIO, progress: Progress) -> None:
    have = file.seek(0, os.SEEK_END)
    headers = {"User-Agent": "almario", "Range": f"bytes={have}-"}
    try:
        with urlopen(Request(url, headers=headers), timeout=_SECONDS) as answer:  # noqa: S310 - checked above
            have = _begin(weights, answer, file)
            while have < weights.size and (piece := answer.read(min(PIECE, weights.size - have))):
                write(file, piece)
                have += len(piece)
                progress(have, weights.size)
    except HTTPError as exc:
        exc.close()
        sentence = "{url} answered {status}; try again later, or set llm.local_source to another server"
        raise LLMUnavailable(sentence, url=url, status=exc.code) from exc
    except (OSError, HTTPException, ValueError) as exc:  # the last: headers that make no sense
        if have:
            raise _cut(weights, have) from exc
        sentence = (
            "{host} cannot be reached, so {name} was not downloaded; check the network, or set "
            "llm.local_source to another server"
        )
        raise LLMUnavailable(sentence, host=urlsplit(url).netloc, name=weights.name) from exc
    if have < weights.size:
        raise _cut(weights, have)


def _begin(weights: ModelFile, answer: HTTPResponse, file: BinaryIO) -> int:
    """Return the place from which the file goes on: the beginning, if the server knows no other."""
    found = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    start, size = map(int, found.groups()) if found else (0, int(answer.headers.get("Content-Length", -1)))
    if size != weights.size or start not in (0, file.tell()):
        sentence = "the server offers a different file for {name}: {size} instead of {known}"
        raise LLMUnavailable(
            sentence, name=weights.name, size=size_shown(size), known=size_shown(weights.size)
        )
    file.seek(start)
    file.truncate()
    return start


def _cut(weights: ModelFile, have: int) -> LLMUnavailable:
    sentence = "{name}: the connection was lost after {have} of {size}; run the same command to resume"
    return LLMUnavailable(sentence, name=weights.name, have=size_shown(have), size=size_shown(weights.size))


def _check(weights: ModelFile, file: BinaryIO, progress: Progress) -> None:
    """Raise LLMUnavailable, and throw the file away, if it is not the one that is known."""
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(PIECE):
        digest.update(piece)
        progress(file.tell(), weights.size)
    if digest.hexdigest() != weights.sha256:
        file.truncate(0)
        sentence = "the downloaded file is not {name} (its sha256 is different); it was deleted, so try again"
        raise LLMUnavailable(sentence, name=weights.name)
