"""Digests of texts and files.

`hashlib` loads OpenSSL, which takes a fifth of a bare start of Python. Every command needs a few digests, and
Python has functions of its own for them; OpenSSL makes those of large contents, which it does faster.
"""

import sys
from functools import cache
from importlib import import_module
from typing import Any

_LARGE = 1 << 16
_SHA2 = "_sha2" if sys.version_info >= (3, 12) else "_sha256"


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a content, in hexadecimal."""
    made: str = _function(_SHA2 if len(content) < _LARGE else "hashlib", "sha256")(content).hexdigest()
    return made


def blake2b(content: bytes, *, size: int = 16) -> str:
    """Return the BLAKE2b of a content, so many bytes in hexadecimal."""
    made: str = _function("_blake2", "blake2b")(content, digest_size=size).hexdigest()
    return made


@cache
def _function(module: str, name: str) -> Any:
    try:
        return getattr(import_module(module), name)
    except ImportError:  # a Python that has none of its own
        return getattr(import_module("hashlib"), name)
