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


def seal_of(lines: Iterable[str], key: bytes, agent: str) -> str:
    """Return the line that seals these lines as an agent's."""
    return json.dumps({_NAME: _VERSION, "agent": agent, "hmac": _sum([agent, *lines], key)})


def is_seal(line: str) -> bool:
    """Say whether a line is meant as a seal."""
    return line.lstrip().startswith(f'{{"{_NAME}"')


def parted(lines: Iterable[str], key: bytes) -> Iterator[tuple[int, str, str | None]]:
    """Yield each line that is no seal, with its number, from 1, and whose it is by a seal of *key*."""
    part: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if not is_seal(line):
            part += [(number, line)] if line.strip() else []
            continue
        agent = _sealed_by(line, [each for _, each in part], key)
        yield from ((*each, agent) for each in part)
        part = []
    yield from ((*each, None) for each in part)


def _sealed_by(seal: str, lines: Sequence[str], key: bytes) -> str | None:
    """Return the agent whose export a seal says the lines are; None if it is no seal of this key."""
    try:
        agent = str(json.loads(seal).get("agent", ""))
    except (ValueError, AttributeError, RecursionError):
        return None
    own = seal_of(lines, key, agent).encode("utf-8", "surrogatepass")
    return agent if key and hmac.compare_digest(seal.strip().encode("utf-8", "surrogatepass"), own) else None


def _sum(lines: Iterable[str], key: bytes) -> str:
    found = hmac.new(key, digestmod=hashlib.sha256)
    for line in lines:
        found.update(line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()
