"""How well languages are told apart, and how fast; and the commonest words of one, made from texts.

    python -m benchmarks.languages [FOLDER]         measure, on the tests and FOLDER/<code>.txt
    python -m benchmarks.languages common CODE      print a line for language/common.txt from texts on stdin
    python -m benchmarks.languages glance           write language/glance.txt anew

Texts have one sentence a line. Those in a folder are measured by their length in words.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter

import almario.language
from almario.language import codes, language
from almario.text.timewords import naming
from almario.text.tongues import language_of, spelled_words, words_of

GLANCE = Path(almario.language.__file__).parent / "glance.txt"
LENGTHS = {"1-2": (1, 2), "3-4": (3, 4), "5-20": (5, 20)}
MOST = 500
# So many words of each language are counted.
WORDS = 200
_WITHIN = re.compile(r"(?<=[\w,] )[^\W\d_]+")


def glance() -> str:
    """Return what language/glance.txt must be; `at_a_glance` says what it holds."""
    found = {"times": naming(), "figures": words_of("figures"), "oneself": words_of("oneself")}
    for each in (language("en"), language("es")):
        pairs = (f"{form}={base}" for form, base in each.irregular.items())
        found |= {f"small:{each.code}": each.small, f"irregular:{each.code}": frozenset(pairs)}
    found["sorts"] = language("en").sorts | language("es").sorts
    return "".join(f"{sort} {' '.join(sorted(words))}\n" for sort, words in found.items())


def commonest(code: str, texts: Iterable[str]) -> str:
    """Return the line of a language in language/common.txt: its commonest words, but those of names."""
    words, small, within = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        words.update(spelled_words(text))
        found = _WITHIN.findall(text)
        within.update(word.lower() for word in found)
        small.update(word for word in found if word.islower())
    names = {word for word, times in within.items() if small[word] < times / 5 and len(word) > 1}
    common = (word for word, _ in words.most_common() if word not in names)
    return " ".join([code, *islice(common, WORDS)])


def measured(texts: Sequence[tuple[str, str]]) -> str:
    """Return a row: how many there are, how many are told, told as another or as ours, and in how long."""
    started = perf_counter()
    found = [language_of(text) for _, text in texts]
    took = perf_counter() - started
    right = sum(code == told for (code, _), told in zip(texts, found, strict=True))
    unsure = sum(not told for told in found)
    ours = sum(told in codes() and told != code for (code, _), told in zip(texts, found, strict=True))
    share = [
        f"{100 * each / len(texts):.1f} %" for each in (right, unsure, len(texts) - right - unsure, ours)
    ]
    return " | ".join([str(len(texts)), *share, f"{1000 * took / len(texts):.3f} ms"])


def main(arguments: Sequence[str]) -> None:
    """Print a line of words, or a table."""
    if arguments[:1] == ["common"]:
        print(commonest(arguments[1], sys.stdin))
        return
    if arguments[:1] == ["glance"]:
        GLANCE.write_text(glance(), "utf-8")
        return
    from tests.language.written import SENTENCES  # noqa: PLC0415 - nothing else needs it

    sets: dict[str, list[tuple[str, str]]] = defaultdict(list)
    sets["the tests' own"] = [(code, text) for code, texts in SENTENCES.items() for text in texts]
    for path in sorted(Path(arguments[0]).glob("*.txt")) if arguments else ():
        by_length: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for text in path.read_text("utf-8").splitlines():
            long = len(spelled_words(text))
            for name, (least, most) in LENGTHS.items():
                if least <= long <= most and len(by_length[name]) < MOST:
                    by_length[name].append((path.stem, text))
        for name, texts in by_length.items():
            sets[f"{name} words"] += texts
            sets[f"{path.stem}, {name} words"] = texts
    started = perf_counter()
    language_of("a text")
    print(f"first: {1000 * (perf_counter() - started):.1f} ms\n")
    print("| texts | | right | not told | wrong | taken for one with rules | each |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, texts in sets.items():
        if texts:
            print(f"| {name} | {measured(texts)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
