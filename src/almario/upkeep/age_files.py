"""Archives locked with age (age-encryption.org): only who has a key reads them, also with the program `age`.

Bytes pass through a pipe, piece by piece, so nothing unlocked reaches the disk and memory does not grow. A
passphrase locks a key and that key locks archives: a nightly backup needs none.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Thread
from typing import IO, Any

from almario.domain.messages import Sentence
from almario.errors import AlmarioError, Damaged, MissingExtra, SoulError
from almario.store import files
from almario.store.home import expanded

# How a file of age begins, plain and as text.
_HEADS = (b"age-encryption.org/", b"-----BEGIN AGE")
_PUBLIC, _SECRET, _SSH_SECRET = ("age1", "ssh-"), "age-secret-key-", b"PRIVATE KEY-----"

Through = Callable[[IO[bytes]], contextlib.AbstractContextManager[IO[bytes]]]


def is_locked(path: Path) -> bool:
    with files.reading(path), open(path, "rb") as file:
        return file.read(len(_HEADS[0])).startswith(_HEADS)


def public_keys(wanted: Iterable[str]) -> list[Any]:
    """Return the keys that lock an archive: age's or SSH's, each as such or in a file of them."""
    texts = filter(None, map(str.strip, wanted))
    return [
        _public(key)
        for text in texts
        for key in ([text] if _is_key(text) else _lines(_content(expanded(text))))
    ]


def _is_key(text: str) -> bool:
    return text.lower().startswith((_SECRET, *_PUBLIC))


def _public(key: str) -> Any:
    age = _age()
    if key.lower().startswith(_SECRET):  # which no sentence repeats
        raise SoulError("an archive is locked with a public key (age1…), and that is a secret one")
    try:
        return (age.ssh if key.startswith("ssh-") else age.x25519).Recipient.from_str(key)
    except age.RecipientError as exc:
        sentence = '"{key}" is not a public key of age (age1…) or SSH (ssh-ed25519, ssh-rsa)'
        raise SoulError(sentence, key=key[:20]) from exc


def secret_keys(path: Path, passphrase: Callable[[], str]) -> list[Any]:
    """Return the keys in a file, age's or SSH's; where a passphrase locks the file, it is asked for."""
    age, content = _age(), _content(path)
    if content.startswith(_HEADS):
        try:
            content = age.passphrase.decrypt(content, passphrase())
        except age.DecryptError as exc:
            raise SoulError("{path} does not open with this passphrase", path=str(path)) from exc
    try:
        if _SSH_SECRET in content:
            return [age.ssh.Identity.from_buffer(content)]
        if found := [age.x25519.Identity.from_str(line) for line in _lines(content)]:
            return found
    except age.IdentityError:
        pass
    raise SoulError("{path} holds no secret key of age, nor one of SSH without a passphrase", path=str(path))


def new_key(passphrase: Callable[[], str]) -> tuple[str, bytes]:
    """Return a new public key, and the file of its secret one, which the passphrase locks."""
    age = _age()
    secret = age.x25519.Identity.generate()
    public = str(secret.to_public())
    text = f"# public key: {public}\n{secret}\n".encode()
    return public, age.passphrase.encrypt(text, passphrase(), armored=True)


def locking(keys: Sequence[Any]) -> tuple[Through, Through]:
    """Return what locks a file with these keys, and what unlocks it again while this process lives.

    For the latter one more key is made, which is never written: who locks need not be able to unlock.
    """
    age = _age()
    passing = age.x25519.Identity.generate()

    def lock(file: IO[bytes], end: IO[bytes]) -> None:
        try:
            age.encrypt_io(end, file, [*keys, passing.to_public()])
        except age.EncryptError as exc:
            raise OSError(errno.EIO, str(exc).rpartition("] ")[2]) from exc  # it repeats the system's words

    return lambda file: _piped(partial(lock, file), gives=False), unlocking([passing])


def unlocking(keys: Sequence[Any]) -> Through:
    """Return what unlocks a file; once it is read, SoulError or Damaged if it is not all as it was locked."""
    age = _age()

    def unlock(file: IO[bytes], end: IO[bytes]) -> None:
        try:
            age.decrypt_io(file, end, keys)
        except age.DecryptError as exc:
            sentence = "{path} does not open with this key: another one locked it, or it was changed"
            raise SoulError(sentence, path=file.name) from exc
        except OSError as exc:
            if exc.errno:  # the system's word, or our own end of the pipe was closed
                raise
            why = Sentence("it was cut or changed since it was locked")
            raise Damaged("{path} is not a whole backup: {why}", path=file.name, why=why) from exc

    return lambda file: _piped(partial(unlock, file), gives=True)


@contextlib.contextmanager
def _piped(work: Callable[[IO[bytes]], None], *, gives: bool) -> Iterator[IO[bytes]]:
    """Do some work at one end of a pipe, beside us, and hand out the other; what fails there fails here."""
    read, write = os.pipe()
    failures: list[Exception] = []

    def run() -> None:
        try:
            with open(write if gives else read, "wb" if gives else "rb", buffering=0) as end:
                work(end)
        except (AlmarioError, OSError) as exc:
            failures.append(exc)

    beside = Thread(target=run)
    beside.start()
    try:
        with open(read if gives else write, "rb" if gives else "wb") as ours:
            yield ours
    finally:
        beside.join()
        if failures and not isinstance(failures[0], BrokenPipeError):  # our end was closed, by a failure here
            raise failures[0]


def _content(path: Path) -> bytes:
    found = files.read_bytes(path)
    if found is None:
        raise SoulError("there is no file {path}", path=str(path))
    return found


def _lines(content: bytes) -> list[str]:
    lines = map(str.strip, content.decode("utf-8", "replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _age() -> Any:
    try:
        import pyrage  # noqa: PLC0415 - only who locks backups needs it
    except ImportError as exc:
        raise MissingExtra("locked backups need pyrage; run: pip install 'almario[age]'") from exc
    return pyrage
