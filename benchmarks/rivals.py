"""Other ways to keep and search the same texts, put together simply and not tuned.

Each keeps its texts in a folder and numbers them from 0. The packages are not
dependencies of this project: `make bench-systems` installs them apart.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from benchmarks.measuring import batched
from benchmarks.plain import PlainFts

_WIDTH = 512
# How many of each ranking the blend of the two looks at.
_CANDIDATES = 100


class Rival(Protocol):
    """Keeps texts in a folder, and finds them."""

    def add(self, texts: Sequence[str]) -> None: ...
    def search(self, question: str, limit: int) -> Sequence[int]: ...
    def close(self) -> None: ...


class Encoder:
    """The model of Almario's default embedder."""

    def __init__(self) -> None:
        self._model: Any = None
        # Vectors that were made before, so that the same texts are embedded once for all systems.
        self.known: dict[str, Any] = {}

    def vectors(self, texts: Sequence[str]) -> Any:
        import numpy  # noqa: PLC0415 - TF-IDF's cold start must not pay for the model

        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if new and self._model is None:
            from almario.adapters.embedders.local import LocalEmbedder  # noqa: PLC0415 - as above

            self._model = LocalEmbedder()
        for batch in batched(new, 64):
            rows = numpy.asarray(self._model.embed(batch), dtype="float32")
            self.known |= dict(zip(batch, rows, strict=True))
        return numpy.stack([self.known[text] for text in texts])


ENCODER = Encoder()


class SqliteVec:
    """sqlite-vec and FTS5 in one file, blended 0.7 to 0.3 after each is stretched to 0–1."""

    def __init__(self, folder: Path) -> None:
        import apsw  # noqa: PLC0415 - the others' cold start must not pay for it

        self._words = PlainFts(folder / "words.db")
        self._db = apsw.Connection(str(folder / "vectors.db"))
        self._db.enable_load_extension(True)
        self._db.load_extension(import_module("sqlite_vec").loadable_path())
        table = f"vec0(id INTEGER PRIMARY KEY, vector float[{_WIDTH}] distance_metric=cosine)"
        self._db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING {table}")

    def add(self, texts: Sequence[str]) -> None:
        self._words.add(texts)
        rows = ENCODER.vectors(texts)
        with self._db:
            self._db.executemany(
                "INSERT INTO vectors (id, vector) VALUES (?, ?)",
                ((n, row.tobytes()) for n, row in enumerate(rows, 1)),
            )

    def search(self, question: str, limit: int) -> Sequence[int]:
        [vector] = ENCODER.vectors([question])
        sql = "SELECT id, distance FROM vectors WHERE vector MATCH ? AND k = ?"
        near = {row: -far for row, far in self._db.execute(sql, (vector.tobytes(), _CANDIDATES))}
        words = {row: -rank for row, rank in self._words.search(question, _CANDIDATES)}
        scores: Counter[int] = Counter()
        for weight, found in ((0.7, _stretched(near)), (0.3, _stretched(words))):
            for row, score in found.items():
                scores[row] += weight * score  # type: ignore[assignment]
        return [row - 1 for row, _ in scores.most_common(limit)]

    def close(self) -> None:
        self._words.close()
        self._db.close()


class Chroma:
    """A collection of chroma with its default settings, but for the model.

    Its default model is fetched from the network at first use; here it gets
    the same vectors as the others.
    """

    def __init__(self, folder: Path) -> None:
        chromadb = import_module("chromadb")
        settings = chromadb.Settings(anonymized_telemetry=False)
        self._collection = chromadb.PersistentClient(str(folder), settings).get_or_create_collection(
            "memories"
        )

    def add(self, texts: Sequence[str]) -> None:
        rows = ENCODER.vectors(texts)
        for numbers in batched(range(len(texts)), 2000):
            self._collection.add(
                ids=[str(n) for n in numbers],
                embeddings=[rows[n] for n in numbers],
                documents=[texts[n] for n in numbers],
            )

    def search(self, question: str, limit: int) -> Sequence[int]:
        most = min(limit, self._collection.count())
        found = self._collection.query(
            query_embeddings=ENCODER.vectors([question]), n_results=most, include=[]
        )
        return [int(name) for name in found["ids"][0]]

    def close(self) -> None:
        pass


class TfIdf:
    """The textbook's TF-IDF and cosine, kept as arrays in a file."""

    _WORD = re.compile(r"\w+")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: Any = None
        self._vocabulary: dict[str, int] = {}
        if (folder / "tfidf.npz").exists():
            self._load()

    def add(self, texts: Sequence[str]) -> None:
        import numpy  # noqa: PLC0415 - as for the other systems

        told = [Counter(self._WORD.findall(text.lower())) for text in texts]
        spread = Counter(chain.from_iterable(told))
        numbers = {word: number for number, word in enumerate(spread)}
        rarity = [math.log(len(texts) / spread[word]) for word in numbers]
        postings: list[list[tuple[int, float]]] = [[] for _ in numbers]
        for row, words in enumerate(told):
            length = (
                math.sqrt(sum((times * rarity[numbers[word]]) ** 2 for word, times in words.items())) or 1.0
            )
            for word, times in words.items():
                postings[numbers[word]].append((row, times * rarity[numbers[word]] / length))
        ends = numpy.cumsum([0, *map(len, postings)])
        flat = list(chain.from_iterable(postings))
        numpy.savez(
            self._folder / "tfidf.npz",
            ends=ends,
            rows=numpy.array([row for row, _ in flat], dtype="int32"),
            weights=numpy.array([weight for _, weight in flat], dtype="float32"),
            rarity=numpy.array(rarity, dtype="float32"),
            size=numpy.array([len(texts)]),
        )
        (self._folder / "words.json").write_text(json.dumps(numbers, ensure_ascii=False))
        self._load()

    def _load(self) -> None:
        import numpy  # noqa: PLC0415 - as for the other systems

        with numpy.load(self._folder / "tfidf.npz") as kept:
            self._rows = {name: kept[name] for name in kept.files}
        self._vocabulary = json.loads((self._folder / "words.json").read_text())

    def search(self, question: str, limit: int) -> Sequence[int]:
        import numpy  # noqa: PLC0415 - as for the other systems

        kept = self._rows
        scores = numpy.zeros(int(kept["size"][0]), dtype="float32")
        for word, times in Counter(self._WORD.findall(question.lower())).items():
            if (number := self._vocabulary.get(word)) is not None:
                part = slice(kept["ends"][number], kept["ends"][number + 1])
                scores[kept["rows"][part]] += times * kept["rarity"][number] * kept["weights"][part]
        best = numpy.argsort(-scores, kind="stable")[:limit]
        return [int(row) for row in best if scores[row] > 0]

    def close(self) -> None:
        pass


RIVALS: Mapping[str, Callable[[Path], Rival]] = {"sqlite-vec": SqliteVec, "chroma": Chroma, "tfidf": TfIdf}


def _stretched(scores: Mapping[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    return {row: (score - low) / (high - low or 1.0) for row, score in scores.items()}
