"""The encoder's two files, read into arrays: weights in an npz, a vocabulary as sentencepiece writes it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

FOLDER = Path(__file__).parent
# Each file, with the digest of the one whose vectors are known.
WEIGHTS = ("weights.npz", "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9")
VOCABULARY = ("sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9")

_AS_THEY_ARE = ("scale", "lo", "ln_g", "ln_b", "cnn_b")
# A question is one row, which is multiplied twice as quickly with these if they are kept by columns.
BY_COLUMNS = ("cnn_W", "d0", "d1", "d2", "d3", "p1", "p3")
# The lengths of the network's windows, by which its arrays are named.
_WINDOWS = (2, 3, 5)
# The rows of the table are dealt out to so many arrays in turn.
_CHUNKS = 17
# How a piece of the vocabulary begins, and its score; then, in the third field, the map of characters.
_PIECE, _SCORE = b"\n\x15"
_SPEC, _CHARACTERS = 3, 2
# Below the score of every piece.
_UNKNOWN = 10.0


def are_whole() -> bool:
    """Return whether both files are there, and are the known ones."""
    return all(_digest(FOLDER / name) == digest for name, digest in (WEIGHTS, VOCABULARY))


def _digest(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def weights() -> "Arrays":
    """Return what the network stands on: 80 MB, after a second of work."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only when something is embedded

    with np.load(FOLDER / WEIGHTS[0], allow_pickle=False) as file:
        arrays = {name: file[name] for name in _AS_THEY_ARE}
        arrays |= {name: np.ascontiguousarray(file[name].T) for name in BY_COLUMNS}
        first = file["q1"]
        table = np.empty((_CHUNKS * len(first), first.shape[1]), dtype=first.dtype)
        for chunk in range(_CHUNKS):
            table[chunk::_CHUNKS] = file[f"q{chunk + 1}"]
        arrays["table"] = table
        arrays["proj_W"] = np.concatenate([file[f"proj{n}"] for n in _WINDOWS], axis=1)
        for ours, theirs in (("proj_b", "proj_b"), ("ln_g_all", "ln_g"), ("ln_b_all", "ln_b")):
            arrays[ours] = np.concatenate([file[f"{theirs}{n}"] for n in _WINDOWS])
        for name in ("w1", "b1", "w2", "b2"):
            arrays |= {f"{name}.{place}": file[f"{name}_{n}"] for place, n in enumerate(_WINDOWS)}
        arrays["eps"] = np.array([float(file["eps"])])
    return arrays


def vocabulary() -> "Arrays":
    """Return what the tokenizer stands on."""
    import numpy as np  # noqa: PLC0415 - as above

    content = (FOLDER / VOCABULARY[0]).read_bytes()
    texts: list[str] = []
    scores: list[bytes] = []
    place = 0
    while content[place] == _PIECE:  # its size, and in that the size of its text, are a byte each
        start, end = place + 4, place + 4 + content[place + 3]
        texts.append(content[start:end].decode())
        scores.append(content[end + 1 : end + 5] if content[end] == _SCORE else bytes(4))
        place += 2 + content[place + 1]
    spec = next(found for field, found in _fields(content[place:]) if field == _SPEC)
    characters = dict(_fields(spec))[_CHARACTERS]
    beginnings = {text[:end]: 0 for text in texts for end in range(1, len(text))}
    beginnings |= {text: number + 1 for number, text in enumerate(texts)}
    hashes = np.frombuffer(b"".join(map(_hashed, beginnings)), dtype="<u8").astype(np.uint64)
    order = np.argsort(hashes)
    score = np.frombuffer(b"".join(scores), dtype="<f4")
    size = int.from_bytes(characters[:4], "little")
    return {
        "hashes": hashes[order],
        "pieces": np.fromiter(beginnings.values(), dtype=np.int32)[order],
        "scores": score,
        "limits": np.array([max(map(len, texts)), float(score.min()) - _UNKNOWN]),
        "units": np.frombuffer(characters[4 : 4 + size], dtype="<u4"),
        "normalized": np.frombuffer(characters[4 + size :], dtype=np.uint8),
    }


def hash_of(text: str) -> int:
    """Return the 64 bits by which the beginning of a piece is sought."""
    return int.from_bytes(_hashed(text), "little")


def _hashed(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def _fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the fields of a protobuf message that have bytes, with their numbers."""
    place = 0
    while place < len(content):
        tag, place = _number(content, place)
        field, kind = tag >> 3, tag & 7
        if kind == 0:
            _, place = _number(content, place)
            continue
        if kind == 2:
            size, place = _number(content, place)
        else:
            size = {1: 8, 5: 4}[kind]
        yield field, content[place : place + size]
        place += size


def _number(content: bytes, place: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = content[place]
        place += 1
        found |= (byte & 0x7F) << shift
        if byte < 0x80:
            return found, place
        shift += 7
