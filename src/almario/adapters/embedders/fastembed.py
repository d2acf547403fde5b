"""An embedder with the models of the fastembed package, once one has been downloaded."""

import json
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, cast

from almario.adapters.embedders.cache import cache_folder, make_private
from almario.adapters.embedders.vectors import never_blank, unit_rows
from almario.errors import EmbedderUnavailable, MissingExtra
from almario.ports import Vector

DEFAULT_MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
_BATCH = 32
# Lists the files in a model's folder once all are there, so that nothing need be loaded to know.
_WHOLE = "whole.json"
_CHECK_SECONDS = 0.2

# Called with the bytes that have arrived and the bytes there are in all, or 0 if that is not known.
Progress = Callable[[int, int], None]


class FastEmbedEmbedder:
    """Embeds with a downloaded model; vectors are rows of a float32 array. Safe in several threads."""

    def __init__(self, model: str = DEFAULT_MODEL, cache: Path | None = None) -> None:
        self._model = model or DEFAULT_MODEL
        self._cache = cache
        self._loaded: Any = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The model's name among fastembed's."""
        return f"fastembed:{self._model}"

    def is_available(self) -> bool:
        """Return whether the package is installed and the model is downloaded."""
        return find_spec("fastembed") is not None and _is_whole(_folder(self._model, self._cache))

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text; nothing is ever downloaded here."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            clean = [never_blank(text) for text in texts]
            rows = list(self._loaded.embed(clean, batch_size=_BATCH))
        try:
            return cast("Sequence[Vector]", unit_rows(rows)) if rows else []
        except ValueError as exc:
            sentence = "the model {model} did not give a vector for each text"
            raise EmbedderUnavailable(sentence, model=self._model) from exc

    def _load(self) -> Any:
        make = _text_embedding()
        folder = _folder(self._model, self._cache)
        _check_name(make, self._model)
        if not _is_whole(folder):
            raise _not_downloaded(self._model)
        try:
            return make(self._model, cache_dir=str(folder), local_files_only=True, threads=1)
        except _failures() as exc:
            raise _not_downloaded(self._model) from exc


def download(
    model: str = DEFAULT_MODEL, cache: Path | None = None, *, progress: Progress | None = None
) -> Path:
    """Fetch a model from the network into the cache folder; return where it is."""
    model = model or DEFAULT_MODEL
    make = _text_embedding()
    total = _check_name(make, model)
    folder = _folder(model, cache)
    why = [""]
    done = Event()

    def fetch() -> None:
        try:
            make_private(folder.parent)
            make_private(folder)
            (folder / _WHOLE).unlink(missing_ok=True)
            make(model, cache_dir=str(folder), threads=1)
            (folder / _WHOLE).write_text(json.dumps(_sizes(folder)))
            done.set()
        except _failures() as exc:
            why.append(str(exc))

    thread = Thread(target=fetch, name="download-model", daemon=True)
    thread.start()
    alive = True
    while alive:  # the package tells nobody how far it is, but its files grow
        thread.join(_CHECK_SECONDS)
        alive = thread.is_alive()
        if progress is not None:
            progress(sum(_sizes(folder).values()), total)
    if not done.is_set():
        raise EmbedderUnavailable(
            "the model {model} could not be downloaded: {why}", model=model, why=why[-1]
        )
    return folder


def _folder(model: str, cache: Path | None) -> Path:
    return (cache or cache_folder()) / "fastembed" / model.replace("/", "--")


def _text_embedding() -> Any:
    if find_spec("fastembed") is None:
        raise MissingExtra("fastembed is not installed; run: pip install 'almario[fastembed]'")
    from fastembed import TextEmbedding  # noqa: PLC0415 - half a second

    if find_spec("loguru") is not None:
        from loguru import logger  # noqa: PLC0415 - what fastembed logs with

        logger.disable("fastembed")  # it would write on the terminal what we say in our own words
    return TextEmbedding


def _check_name(make: Any, model: str) -> int:
    """Return the size of a model that fastembed knows, in bytes."""
    for each in make.list_supported_models():
        if each["model"].lower() == model.lower():
            return int(each.get("size_in_GB", 0) * 1e9)
    raise EmbedderUnavailable("fastembed has no model {model}; correct embedder.model", model=model)


def _not_downloaded(model: str) -> EmbedderUnavailable:
    sentence = "the model {model} is not downloaded, or not whole; run: almario memory download-model"
    return EmbedderUnavailable(sentence, model=model)


def _failures() -> tuple[type[Exception], ...]:
    """Return what fastembed raises, and onnxruntime, whose errors have no root of their own."""
    own: list[type[Exception]] = []
    if find_spec("onnxruntime") is not None:
        from onnxruntime.capi import onnxruntime_pybind11_state as state  # noqa: PLC0415 - heavy

        own = [
            each for each in vars(state).values() if isinstance(each, type) and issubclass(each, Exception)
        ]
    return (ValueError, OSError, RuntimeError, *own)


def _is_whole(folder: Path) -> bool:
    try:
        listed = json.loads((folder / _WHOLE).read_bytes())
        return all((folder / name).stat().st_size == size for name, size in listed.items())
    except (OSError, ValueError, AttributeError):
        return False


def _sizes(folder: Path) -> dict[str, int]:
    """Return the size of each file below a folder; what a link leads to is there by itself."""
    sizes: dict[str, int] = {}
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names if name != _WHOLE):
            if path.is_file() and not path.is_symlink():
                sizes[str(path.relative_to(folder))] = path.stat().st_size
    return sizes
