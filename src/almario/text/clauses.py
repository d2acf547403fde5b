"""What a text says clause by clause, and what in it others said."""

import unicodedata
from functools import cache

from almario.domain.plain_text import regex
from almario.text.quoting import OTHERS

# Stands for each sign of a quotation and of code: these are other people's words.
NOT_SAID = "\ufffc"
_SPACES = regex(r"[\t\r\v\f]")
_MAY_BE_OTHERS = regex(r"[`\"“„«「『'>]")


def folded(written: str) -> str:
    """Return a text in lower case, without accents and with no word of others; it is as long as before."""
    is_plain = written.isascii() and not _SPACES.search(written)
    plain = (written if is_plain else written.translate(_letters())).lower()
    if not _MAY_BE_OTHERS.search(plain):
        return plain
    return OTHERS.sub(lambda found: NOT_SAID * len(found[0]), plain)


@cache
def _letters() -> dict[int, str]:
    """Return what stands for each sign that is written in more ways than one."""
    marked = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    found = {code: base for code, base in marked.items() if base.isascii()}
    found |= {ord(sign): "'" for sign in "’‘ʼ´"}
    found |= {ord(sign): " " for sign in "\t\r\v\f\xa0\u2009\u202f\u3000"}
    return found | {ord("、"): ",", ord("，"): ",", ord("："): ":", ord("；"): ";"}
