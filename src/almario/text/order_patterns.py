"""The orders of each language as patterns, made of the rows in `language/`."""

import re
from functools import cache, cached_property
from itertools import count

from almario.domain.plain_text import regex
from almario.language import Language, languages

_NAME = regex(r"\{([a-z_]+)\}")
_WORD = regex(r"_(?![a-z_]*\})")
# A space that has no sign of repetition; a thing outside of brackets.
_SPACES, _SPACE = regex(" +"), regex(" (?![*?+{])")
_THING = regex(r"…(?![^\[\]]*\])")
_NAMED = regex(r"\(\?P<[a-z]+")
_GROUP = regex(r"(?<!\\)\((?!\?)")
# What no order may be followed by: a word that goes on; "qu'" is whole.
_WHOLE = r"(?:(?<=')|(?!-?[a-z0-9]))"
_LONGEST_THING = 400


def _pattern(row: str, flags: int = 0) -> "cached_property[re.Pattern[str]]":
    """Return an attribute of `Orders`: a pattern written as a row is, made when it is first needed."""
    return cached_property(lambda orders: re.compile(orders._any(row), flags))


class Orders:
    """What can be ordered in one language. Each pattern is made when it is first needed."""

    joins = _pattern(" {joins} ")
    # What joins a clause with the next, at its end.
    joined = _pattern("[,; ]+{joins}$", re.IGNORECASE)
    # Words by which somebody else's are told; and at the end, by which all that stands before is.
    saying = _pattern(rf"(?<![a-z])({{saying}}){_WHOLE}")
    said = _pattern(r"[,;–—-] *({saying})( _){0,4}[\s.!?]*$")
    # What stands between an order and the thing: that it was told, or is known, or nothing of that.
    about = _pattern(rf"((?P<known>{{told}}|{{memory}})|{{about}}){_WHOLE}[, ]*")
    # What a person has, as a number or an address: it can only be known, if it is to be erased.
    own = _pattern(rf"{{own}}{_WHOLE}")
    # What stands after a thing and says that it is known: "from your memory".
    memory = _pattern(rf"[, ]+({{memory}}|{{told_after}}){_WHOLE}")
    thanks = _pattern(r"[,;]? {thanks}[.!…\s]*$")
    # Where what is to be forgotten ends, and the reason begins.
    ends = _pattern(rf" {{because}}{_WHOLE}| [–—-]+ |[,;:(]")
    nothing = _pattern(r"({nothing})[\s\W]*")
    # What is still to be told.
    ahead = _pattern(rf"(?<![a-z]){{ahead}}{_WHOLE}")
    # Where a way to behave begins, after something to be remembered.
    behave = _pattern(rf" *(;|, {{joins}}) (?={{behave}}{_WHOLE})")

    def __init__(self, language: Language) -> None:
        self._rows = language.orders
        self._asking = language.asking

    def may_have(self, sort: str, said: str) -> bool:
        """Tell cheaply whether something that is said may be an order of a sort."""
        return any(map(said.__contains__, self.signs(sort)))

    @cache  # noqa: B019 - the orders of a language are made once
    def signs(self, sort: str) -> tuple[str, ...]:
        """Return what no order of a sort is without."""
        return tuple(word.replace("_", " ") for word in self._rows.get(f"{sort}_signs", "").split())

    @cached_property
    def asking(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{'|'.join(sorted(self._asking))}){_WHOLE}")

    @cached_property
    def remember(self) -> re.Pattern[str]:
        """An order to remember; `list` if a colon follows, after which all is meant."""
        orders = self._any("((?P<polite>{polite}) {remembering}|{remember})")
        aside = self._any("(,? ({aside}|{thanks})(?![a-z])){0,3}")
        that = self._any(rf" {{that}}{_WHOLE}[,:]?( |(?<='))")
        led = self._any(rf",? (?={{led}}{_WHOLE})")
        listed = self._any("( {this})?") + aside + r" *:(?P<list>[ \n]+)"
        heading = self._any("({heading}|{headed})") + rf"{aside}(?:,{that}| *:(?P<listed>[ \n]+))"
        return re.compile(f"{self._lead}(?:{orders}(?:{aside}(?:,?{that}|{led})|{listed})|{heading})")

    @cached_property
    def remembered(self) -> re.Pattern[str]:
        """An order to remember that stands after what is meant."""
        return re.compile(f"{self._lead}(?:{self._rows_of('remember_rows')}){self._tail}$")

    @cached_property
    def forget(self) -> re.Pattern[str]:
        """An order to forget, or to erase, which holds only for what is known."""
        forget = self._any("(?P<polite>{polite}) {forgetting}|{forget}")
        erase = self._any("(?P<politely>{polite}) {erasing}|{erase}")
        aside = self._any("({thanks}[, ]+){0,2}")
        return re.compile(f"{self._lead}(?:(?:{forget})|(?P<erase>{erase})){_WHOLE}[, ]*{aside}")

    @cached_property
    def forgotten(self) -> re.Pattern[str]:
        """An order to forget that stands around what is meant, or after it."""
        return re.compile(f"{self._lead}(?:{self._rows_of('forget_rows')}){self._tail}$")

    @cached_property
    def tail(self) -> re.Pattern[str]:
        return re.compile(f"{self._tail}$")

    @cached_property
    def telling(self) -> re.Pattern[str]:
        """An order to tell what is known: "remind me when…"."""
        return re.compile(f"{self._lead}(?:{self._rows_of('tell')}){_WHOLE}")

    @cached_property
    def off(self) -> re.Pattern[str]:
        """What is not to be kept; a group of the name `gone…` if that was said before."""
        polite = self._any("({polite} )?")
        return re.compile(f"{self._lead}{polite}(?:{self._rows_of('off')}){_WHOLE}")

    @cached_property
    def _lead(self) -> str:
        return r"[\s¡¿!.]*" + self._any(r"(({lead}|ok|okay)\b[,:;.!… ]+){0,5}")

    @cached_property
    def _tail(self) -> str:
        return self._any(r"([,;.!… ]+({tail}|{thanks}))*") + r"[\s.!…?,;)。！？]*"

    def _rows_of(self, name: str) -> str:
        """Return a row as a pattern in which what is meant, and what was said before, is named.

        No two groups may have one name: each has its number.
        """
        number = count()
        row = self._lines(name).replace("{gone}", "(?P<gone>{gone})")
        named = _THING.sub(f"(?P<thing>.{{1,{_LONGEST_THING}}}?)", row)
        return self._any(_NAMED.sub(lambda found: f"{found[0]}{next(number)}", named))

    def _any(self, row: str) -> str:
        """Return a row as a pattern."""
        parts = re.split(r"(\[[^\]]*\])", _GROUP.sub("(?:", row))
        plain = (
            part
            if part.startswith("[")
            else _WORD.sub(r"[^\\s,;:]+", _SPACE.sub(" +", _SPACES.sub(" ", part)))
            for part in parts
        )
        return _NAME.sub(self._named, "".join(plain))

    def _named(self, found: re.Match[str]) -> str:
        return f"(?:{self._any(self._lines(found[1]))})"

    def _lines(self, name: str) -> str:
        """Return a row of the table with its lines as alternatives; one that is missing fits nothing."""
        lines = [line.strip() for line in self._rows.get(name, "").splitlines()]
        return "|".join(line for line in lines if line) or "(?!)"


@cache
def signs_of(*sorts: str) -> tuple[str, ...]:
    """Return what no order of some sorts is without, in every language."""
    return tuple(dict.fromkeys(sign for each in spoken() for sort in sorts for sign in each.signs(sort)))


@cache
def spoken() -> tuple[Orders, ...]:
    """Return the orders of every language."""
    return tuple(Orders(each) for each in languages())


@cache
def articles() -> re.Pattern[str]:
    """Return what may stand before the name of a thing in any language: "the", "il mio", "l'", "私の"."""
    words = {word for each in languages() for word in each.orders["articles"].split()}
    joined = {word for word in words if word.endswith("'") or not word.isascii()}
    return re.compile(
        rf"^(?:(?:{'|'.join(sorted(words - joined))})\s+|(?:{'|'.join(sorted(joined))})\s*){{1,2}}(?=\S)",
        re.IGNORECASE,
    )
