"""The seal of an export: its last line, which only who has the home's key can write.

What it covers are the lines above it, as they are but for how they end, back
to the seal before.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Sequence

_NAME = "almario_export"
_VERSION = 1


def seal_of(lines: Iterable[str], key: bytes) -> str:
    """Return the line that seals these lines."""
    return json.dumps({_NAME: _VERSION, "hmac": _sum(lines, key)})


def is_seal(line: str) -> bool:
    """Say whether a line is meant as a seal."""
    return line.lstrip().startswith(f'{{"{_NAME}"')


def parted(lines: Iterable[str], key: bytes) -> Iterator[tuple[int, str, bool]]:
    """Yield each line that is no seal, with its number, from 1, and whether a seal of *key* covers it."""
    part: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if not is_seal(line):
            part += [(number, line)] if line.strip() else []
            continue
        is_own = _fits(line, [each for _, each in part], key)
        yield from ((*each, is_own) for each in part)
        part = []
    yield from ((*each, False) for each in part)


def _fits(seal: str, lines: Sequence[str], key: bytes) -> bool:
    return bool(key) and hmac.compare_digest(seal.strip().encode(), seal_of(lines, key).encode())


def _sum(lines: Iterable[str], key: bytes) -> str:
    found = hmac.new(key, digestmod=hashlib.sha256)
    for line in lines:
        found.update(line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()
