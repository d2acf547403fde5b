"""Swapping two files in one step, where the system can."""

import errno
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # the same number in Linux's renameat2 and macOS's renamex_np
UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}


def swap(one: Path, other: Path) -> bool:
    """Swap two files in one step; False where the system cannot."""
    try:
        if sys.platform == "darwin":
            result = _libc().renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_EXCHANGE)
        else:
            rename = _libc().renameat2
            result = rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    except AttributeError:  # a C library without the call
        return False
    if result == 0:
        return True
    import ctypes  # noqa: PLC0415 - as below

    number = ctypes.get_errno()
    if number in UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))


@cache
def _libc() -> "ctypes.CDLL":
    import ctypes  # noqa: PLC0415 - only who writes needs it

    return ctypes.CDLL(None, use_errno=True)


def can_exchange(folder: Path) -> bool:
    """Try it on two files in *folder*."""
    one, other = (folder / f".probe-{os.urandom(4).hex()}" for _ in range(2))
    try:
        one.write_bytes(b"1")
        other.write_bytes(b"2")
        return swap(one, other)
    finally:
        one.unlink(missing_ok=True)
        other.unlink(missing_ok=True)
