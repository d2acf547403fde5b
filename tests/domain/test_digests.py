"""Digests are what hashlib makes, by whatever they are made."""

import hashlib

import pytest

from almario.domain import digests
from tests.tables import each_row


@each_row("content", [b"", b"a", "ñandú 🌊".encode(), b"x" * 70_000])
def test_digests_are_those_of_hashlib(content: bytes) -> None:
    assert digests.sha256(content) == hashlib.sha256(content).hexdigest()
    assert digests.blake2b(content) == hashlib.blake2b(content, digest_size=16).hexdigest()


def test_a_python_without_functions_of_its_own_asks_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_SHA2", "_no_such_module")

    assert digests.sha256(b"a") == hashlib.sha256(b"a").hexdigest()
