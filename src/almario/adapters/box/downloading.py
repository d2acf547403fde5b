"""Fetching a model: an earlier part is gone on with, and only what has the right hash becomes a model."""

import fcntl
import hashlib
import os
import re
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from almario.adapters.addresses import host_of
from almario.adapters.box.weights import (
    PIECE,
    SUFFIX,
    Progress,
    Weights,
    check_space,
    told_of_disk,
    write,
)
from almario.adapters.embedders.cache import make_private
from almario.domain.messages import Sentence, sentence_of
from almario.domain.plain_text import size_shown
from almario.errors import ConfigError, LLMUnavailable, StoreBusy

_SECONDS = 30.0
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


def download(weights: Weights, source: str, folder: Path, progress: Progress) -> Path:
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
        with told_of_disk():
            os.fsync(file.fileno())
            os.replace(part, target)
    return target


def _receive(weights: Weights, url: str, file: BinaryIO, progress: Progress) -> None:
    """Append what is missing."""
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
        raise _cut(weights, have, getattr(exc, "reason", exc)) from exc
    if have < weights.size:
        raise _cut(weights, have, Sentence("the connection was lost"))


def _begin(weights: Weights, answer: HTTPResponse, file: BinaryIO) -> int:
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


def _cut(weights: Weights, have: int, why: object) -> LLMUnavailable:
    sentence = "{name}: {why} after {have} of {size}; run the same command to resume"
    told = sentence_of(why) if isinstance(why, OSError) else why if isinstance(why, Sentence) else str(why)
    return LLMUnavailable(
        sentence, name=weights.name, why=told, have=size_shown(have), size=size_shown(weights.size)
    )


def _check(weights: Weights, file: BinaryIO, progress: Progress) -> None:
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
