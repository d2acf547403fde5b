"""Power cuts: a real file system is shut down under a writer, without flushing its log.

`kill -9` leaves the page cache, so it cannot find a missing fsync. This can:
an ext4 on a loop device that commits only every 300 seconds by itself.
"""

import fcntl
import os
import random
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proofs.torture.kills import tokens_of, writer
from proofs.torture.writing import plant, problems_after

_SHUTDOWN = 0x8004587D
_NO_LOG_FLUSH = 2


def why_not() -> str:
    """Say why power cannot be cut here, or nothing."""
    if os.geteuid() != 0:
        return "it needs root"
    missing = [tool for tool in ("mkfs.ext4", "mount", "umount") if not shutil.which(tool)]
    if missing:
        return "it needs " + ", ".join(missing)
    try:
        with disk() as mounted, mounted():
            pass
    except (OSError, subprocess.CalledProcessError) as exc:
        return f"a loop device could not be mounted: {exc}"
    return ""


@contextmanager
def disk() -> Iterator["Mounting"]:
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "disk"
        with image.open("wb") as file:
            file.truncate(256 * 1024 * 1024)
        subprocess.run(["mkfs.ext4", "-q", str(image)], check=True, capture_output=True)
        point = Path(folder) / "mounted"
        point.mkdir()
        yield Mounting(image, point)


class Mounting:
    def __init__(self, image: Path, point: Path) -> None:
        self.image = image
        self._point = point

    @contextmanager
    def __call__(self) -> Iterator[Path]:
        command = ["mount", "-o", "loop,commit=300", str(self.image), str(self._point)]
        subprocess.run(command, check=True, capture_output=True)
        try:
            yield self._point
        finally:
            subprocess.run(["umount", str(self._point)], check=True, capture_output=True)


def cut_power(point: Path) -> None:
    descriptor = os.open(point, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, _SHUTDOWN, struct.pack("I", _NO_LOG_FLUSH))
    finally:
        os.close(descriptor)


def run(cuts: int, fault: str = "none") -> list[str]:
    """Return what went wrong in *cuts* power cuts."""
    plant(fault)
    dice = random.Random()
    acknowledged: list[str] = []
    with disk() as mounted:
        for _ in range(cuts):
            with mounted() as point:
                root = point / "agent"
                root.mkdir(exist_ok=True)
                if not acknowledged:
                    os.sync()  # the folder itself was there before anything was promised
                writing = writer(root)
                # What is acknowledged after the cut is no promise: ext4 may then say that all is
                # on the disk, because the transaction that would have brought it there is gone.
                acknowledged += tokens_of([writing], dice.randint(1, 60))
                cut_power(point)
                writing.kill()
            with mounted() as point:
                if found := problems_after(point / "agent", acknowledged):
                    return found
    print(f"{cuts} power cuts, {len(acknowledged)} writes acknowledged")
    return []
