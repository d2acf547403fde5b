"""Measuring, cutting and comparing text."""

import math
import string
from collections.abc import Iterable

# Characters per token, fitted to a public tokenizer (o200k_base); docs/benchmarks.md has the error.
_LETTER, _SIGN, _ACCENTED, _WIDE, _ASTRAL = 4.8, 1.6, 1.5, 1.2, 0.45
_LETTERS = (string.ascii_letters + " ").encode()

_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a language model will count in *text*, without asking one."""
    plain = text.encode("ascii", "ignore")
    signs = len(plain.translate(None, _LETTERS))
    tokens = (len(plain) - signs) / _LETTER + signs / _SIGN
    if len(plain) < len(text):
        astral = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
        inner = len(text) - len(plain) - astral
        # Of the inner characters, accented letters take two bytes and CJK three.
        wide = len(text.encode("utf-8", "surrogatepass")) - len(plain) - 4 * astral - 2 * inner
        tokens += (inner - wide) / _ACCENTED + wide / _WIDE + astral / _ASTRAL
    return math.ceil(tokens)


def cut_to_tokens(text: str, budget: int, *, keep_end: bool = False) -> str:
    """Return as much of *text* as fits *budget*: whole lines, or part of one that alone is too long."""
    if estimate_tokens(text) <= budget:
        return text
    lines = text.strip("\n").split("\n")
    if keep_end:
        lines.reverse()
    kept: list[str] = []
    left = budget
    for line in lines:
        cost = estimate_tokens(line + "\n")
        if cost > left:
            break
        kept.append(line)
        left -= cost
    if not kept and lines:
        kept = [_part(lines[0], budget, keep_end=keep_end)]
    if keep_end:
        kept.reverse()
    return "\n".join(kept).strip("\n")


def _part(line: str, budget: int, *, keep_end: bool) -> str:
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        piece = line[-middle:] if keep_end else line[:middle]
        low, high = (middle, high) if estimate_tokens(piece) <= budget else (low, middle - 1)
    return (line[-low:] if keep_end else line[:low]) if low else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that *word* was probably meant to be."""
    from difflib import get_close_matches  # noqa: PLC0415 - 9 ms, and only after a mistake

    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def is_safe_id(name: str) -> bool:
    """Say whether *name* can be a folder's name on every file system we know."""
    allowed = all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return bool(name) and len(name) <= 64 and allowed and name[0].isalnum() and name.lower() not in _RESERVED
