"""`python -m benchmarks.drift`: how far made-up changes take two made-up souls, and how long measuring takes.

Each change is measured with the embedder that comes along, and by words alone.
"""

from collections.abc import Callable, Mapping

from almario.adapters.embedders.local import LocalEmbedder
from almario.becoming.settings import DriftSettings
from almario.domain.distance import UNRELATED, by_meaning, drift_of, to_compare
from almario.domain.drift import Drift
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


def by_words(before: Mapping[str, str], after: Mapping[str, str]) -> Drift:
    """Measure without an embedder."""
    return drift_of(before, after, None)


def main() -> None:
    meaning = with_embedder()
    souls = {language: soul_in(language) for language in LANGUAGES}
    persona = CHANGES[-1].made["en"](souls["en"])
    cold = timed(lambda: meaning(souls["en"], persona))
    warn = DriftSettings().warn
    print("| change | en | es | en, words | es, words | |\n|---|--:|--:|--:|--:|---|")
    for change in CHANGES:
        scores = [
            measure(souls[language], change.made[language](souls[language])).score
            for measure in (meaning, by_words)
            for language in LANGUAGES
        ]
        is_right = all((score > warn) == change.warns for score in scores)
        note = ("a warning" if change.warns else "") + ("" if is_right else " (WRONG)")
        print(f"| {change.name} | {' | '.join(f'{score:.2f}' for score in scores)} | {note} |")
    warm = min(timed(lambda: meaning(souls["en"], persona)) for _ in range(5))
    words = min(timed(lambda: by_words(souls["en"], persona)) for _ in range(5))
    print(
        f"\nanother persona: {milliseconds(cold)} the first time, {milliseconds(warm)} after that;", end=" "
    )
    print(f"{milliseconds(words)} by words")


if __name__ == "__main__":
    main()
