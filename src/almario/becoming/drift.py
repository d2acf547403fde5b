"""How far the soul has come from its baseline: measured for every proposal, and kept over time.

The baseline is the soul that the owner pinned, or else the first content that
each of its files had.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from almario.becoming.rules.distance import (
    UNRELATED,
    DriftReport,
    Near,
    Point,
    by_meaning,
    drift_of,
    timeline,
    to_compare,
)
from almario.becoming.settings import DriftSettings
from almario.domain.documents.document import Document
from almario.domain.events import Actor
from almario.domain.logs import Log
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import soul_file
from almario.domain.read_models import VERSIONS
from almario.domain.soul_events import FILES, Drift, DriftMeasured, SoulPinned
from almario.domain.soul_models import DRIFT, DriftMark
from almario.errors import Damaged, EmbedderUnavailable, MissingExtra, SoulError, StoreError
from almario.ports import Embedder, Store

log = Log(__name__)


class Drifting:
    """Measures a soul against its baseline: the first one, or the one that the owner pinned."""

    def __init__(
        self, vault: Store, embedder: Embedder | None, settings: DriftSettings | None = None
    ) -> None:
        self._vault = vault
        self._embedder = embedder
        self.settings = settings or DriftSettings()

    def measure(self, file: str, text: str) -> Drift | None:
        """Return the soul's drift with *text* in place of a file; None if it is not measured.

        Its boundaries are those that the soul has now: one that the owner gave up is no reason to warn for
        ever. Never call it under the lock.
        """
        present = _texts(self._present())
        return self._measured(present | {soul_file(file): text}, now=present)

    def now(self, files: Sequence[str] = FILES) -> Drift | None:
        """Return the soul's current drift, or that of some *files* only."""
        present = _texts(self._present())
        changed = {file: present[file] for file in map(soul_file, files)}
        return self._measured(self.baseline() | changed)

    def note(self) -> Drift | None:
        """Measure the soul now, and record it unless it was measured since its last change."""
        if not self.settings.enabled:
            return None
        present = self._present()
        hashes = {file: document.hash for file, document in present.items() if document.hash}
        known = self._last_measured(hashes)
        if known:
            return known
        drift = self._measured(_texts(present))
        if drift:
            self._vault.record(DriftMeasured(hashes, drift), actor="almario")
        return drift

    def report(self, only: Sequence[str] = ()) -> DriftReport | None:
        """Measure the soul, or *only* some of its files; None if drift is switched off.

        The whole is kept; where nothing can be written, it is measured all the same.
        """
        told: tuple[Sentence, ...] = ()
        try:
            drift = self.now(only) if only else self.note()
        except StoreError as exc:
            drift, told = self.now(), (sentence_of(exc),)
        if drift is None:
            return None
        way = () if only else tuple(self.timeline())
        return DriftReport(drift, self.settings.warn, *self._baseline(), way, told)

    def timeline(self) -> list[Point]:
        """Return the drift at each measurement, and whose changes caused it."""
        versions = self._vault.follower.rows(VERSIONS)
        unasked = {line for line, version in versions.items() if version.actor == "agent"}
        return timeline(self._vault.follower.rows(DRIFT), unasked)

    def baseline(self) -> dict[str, str]:
        """Return the soul that drift is measured against: its files by name."""
        pinned, names = self._baseline()
        absent = set(FILES) - names.keys() if pinned else set()
        return {file: "" if file in absent else self._kept(file, names.get(file)) for file in FILES}

    def pinned_at(self) -> datetime | None:
        """Return when the owner pinned the baseline; None if it is the original soul."""
        return self._baseline()[0]

    def pin(self, versions: Mapping[str, str] | None = None, *, actor: Actor = "owner") -> dict[str, str]:
        """Measure drift against the current soul from now on, or against other *versions* of some files.

        Return the pinned hashes.
        """
        wanted = {soul_file(file): version for file, version in (versions or {}).items()}
        if others := wanted.keys() - set(FILES):
            raise SoulError("drift is not measured in {file}", file=min(others))
        kept = self._vault.versions
        with self._vault.writing() as write:
            contents = {file: document.content for file, document in self._present().items()}
            for file, version in wanted.items():
                name = kept.find(file, version).hash
                contents[file] = kept.content(file, name) if name else None
            pinned = {
                file: write.keep_version(file, each) for file, each in contents.items() if each is not None
            }
            write.append(SoulPinned(pinned), actor=actor)
        return pinned

    def _measured(self, soul: Mapping[str, str], *, now: Mapping[str, str] | None = None) -> Drift | None:
        if not self.settings.enabled:
            return None
        base = self.baseline()
        near = self._near(to_compare(base, soul))
        return drift_of(base, soul, near, now=now)

    def _near(self, texts: Sequence[str]) -> Near | None:
        """Return what compares these texts by their meaning; None if there is nothing that can."""
        if self._embedder is None:
            return None
        if not texts:  # nothing is worth loading a model for
            return lambda one, other: float(one == other)
        every = list(dict.fromkeys([*UNRELATED, *texts]))
        try:
            return by_meaning(dict(zip(every, self._embedder.embed(every), strict=True)))
        except (EmbedderUnavailable, MissingExtra) as exc:
            log.warning("drift is measured by lines only: %s", exc)
            return None

    def _present(self) -> dict[str, Document]:
        return {file: self._vault.read(file) for file in FILES}

    def _baseline(self) -> tuple[datetime | None, dict[str, str]]:
        for mark in reversed(self._marks()):
            if mark.kind == "pinned":
                return mark.at, mark.files
        firsts = {file: self._vault.versions.history(file)[:1] for file in FILES}
        return None, {file: first.hash for file, found in firsts.items() for first in found if first.hash}

    def _last_measured(self, hashes: Mapping[str, str]) -> Drift | None:
        """Return what was measured last, if neither the soul nor its baseline has changed since."""
        for mark in reversed(self._marks()):
            if mark.kind == "pinned":
                return None
            if mark.kind == "measured":
                return mark.drift if mark.files == hashes else None
        return None

    def _marks(self) -> list[DriftMark]:
        return list(self._vault.follower.rows(DRIFT).values())

    def _kept(self, file: str, name: str | None) -> str:
        """Return a content of a file, or else the oldest that is kept, or else the present one."""
        kept = self._vault.versions
        for each in filter(None, (name, *(version.hash for version in kept.history(file)))):
            try:
                return kept.text(file, each)
            except (SoulError, Damaged):  # a purge, pruning or a hand took it away
                continue
        return self._vault.read(file).text


def _texts(soul: Mapping[str, Document]) -> dict[str, str]:
    return {file: document.text for file, document in soul.items()}
