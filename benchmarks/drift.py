"""`python -m benchmarks.drift`: how far made-up changes take two made-up souls, and how long measuring takes.

Each change is measured with the embedder that comes along, and by lines alone.
"""

from collections.abc import Callable, Mapping

from almario.adapters.embedders.local import LocalEmbedder
from almario.becoming.rules.distance import UNRELATED, by_meaning, drift_of, to_compare
from almario.becoming.settings import DriftSettings
from almario.domain.soul_events import Drift
from benchmarks.measuring import milliseconds, timed
from benchmarks.souls import CHANGES, LANGUAGES, soul_in

Measure = Callable[[Mapping[str, str], Mapping[str, str]], Drift]


def with_embedder() -> Measure:
    """Return what measures by meaning."""
    embedder = LocalEmbedder()

    def measure(before: Mapping[str, str], after: Mapping[str, str]) -> Drift:
        texts = list(dict.fromkeys([*UNRELATED, *to_compare(before, after)]))
        return drift_of(before, after, by_meaning(dict(zip(texts, embedder.embed(texts), strict=True))))

    return measure


def by_lines(before: Mapping[str, str], after: Mapping[str, str]) -> Drift:
    """Measure without an embedder."""
    return drift_of(before, after, None)


def main() -> None:
    meaning = with_embedder()
    souls = {language: soul_in(language) for language in LANGUAGES}
    persona = CHANGES[-1].made["en"](souls["en"])
    cold = timed(lambda: meaning(souls["en"], persona))
    warn = DriftSettings().warn
    print("| change | en | es | en, lines | es, lines | |\n|---|--:|--:|--:|--:|---|")
    for change in CHANGES:
        found = [
            measure(souls[language], change.made[language](souls[language]))
            for measure in (meaning, by_lines)
            for language in LANGUAGES
        ]
        is_right = all(drift.warns(warn) == change.warns for drift in found)
        by_score = all(drift.score > warn for drift in found)
        note = ("a warning" if by_score else "a warning: a boundary") if change.warns else ""
        note += "" if is_right else " (WRONG)"
        print(f"| {change.name} | {' | '.join(f'{drift.score:.2f}' for drift in found)} | {note} |")
    warm = min(timed(lambda: meaning(souls["en"], persona)) for _ in range(5))
    lines = min(timed(lambda: by_lines(souls["en"], persona)) for _ in range(5))
    print(
        f"\nanother persona: {milliseconds(cold)} the first time, {milliseconds(warm)} after that;", end=" "
    )
    print(f"{milliseconds(lines)} by lines")


if __name__ == "__main__":
    main()
