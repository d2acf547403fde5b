"""The value that stands after a label: where it begins and ends, in quotes of any kind or without."""

from typing import NamedTuple

from almario.text.secrets.patterns import CJK, pattern

WINDOW = 160
# Quotes as they are written inside of other quotes, in markup and in addresses.
QUOTES = r"(?:\\{1,3}[\"'`]|&(?:quot|apos|#34|#39);|%2[27]|\\u00(?:22|27))"


class Value(NamedTuple):
    start: int
    end: int
    word: bytes
    quoted: bool
    after: bytes


def value_at(raw: bytes, at: int, *, sign: bool) -> Value:
    """Return what stands at a place of the text; *sign* says that a sign and no verb stands before it."""
    window = raw[at : at + WINDOW]
    quote = window[:1]
    if quote in (b'"', b"'", b"`") and (close := window.find(quote, 1)) > 1 and b"\n" not in window[:close]:
        return Value(at + 1, at + close, window[1:close].partition(b"\0")[0], True, window[close + 1 :])
    if escaped := pattern(QUOTES, any_case=True).match(window):
        close = window.find(escaped.group(), escaped.end())
        if close > escaped.end() and b"\n" not in window[:close]:
            word = window[escaped.end() : close].partition(b"\0")[0]
            return Value(at + escaped.end(), at + close, word, True, window[close + escaped.end() :])
    words = window.split(None, 1)
    word = words[0].partition(b"\0")[0].partition(b'"')[0] if words else b""
    inner = word.lstrip(b"*_~([\"'`")
    start = at + len(window) - len(window.lstrip()) + len(word) - len(inner)
    for stop in (b"&", b";"):
        if stop in inner and b"=" in inner.partition(stop)[2] + b"=" * inner.endswith(stop):
            inner = inner.partition(stop)[0]
    if CJK not in inner[:1]:
        inner = inner.partition(CJK)[0]
    inner = inner.rstrip(b".,;:)]}>'`*_~" if sign else b".,;:)]}>'`*_~!?")
    return Value(start, start + len(inner), inner, False, raw[start + len(inner) : start + len(inner) + 40])
