"""Patterns that are compiled when they are first used: a command uses few of those it loads."""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re import compile

    regex = compile
else:

    class regex:  # noqa: N801 - stands for a function
        """A compiled pattern, as of `re.compile`, but not before it is asked for something."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self._given = (pattern, flags)

        def __getattr__(self, name: str) -> Any:
            made = re.compile(*self._given)
            # From now on its methods are found here at once.
            for each in ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"):
                self.__dict__[each] = getattr(made, each)
            return getattr(made, name)
