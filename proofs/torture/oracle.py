"""What must be so after an owner and two processes have changed the same facts.

The oracle never merges. It only knows which tokens a text showed when it was
rendered, which ones are in it now, and who said what about a token after that.
"""

from typing import NamedTuple

from proofs.torture.editing import Text


class Asked(NamedTuple):
    """A text from which much is gone at once, what is gone, and how much of that may have been changed."""

    text: str
    gone: frozenset[str]
    changed: int


class Oracle:
    """Knows of each token whether it must be in use, must not be, or may."""

    def __init__(self) -> None:
        self.tick = 0
        self.state: dict[str, str] = {}
        self.since: dict[str, int] = {}
        # What a token was before it could be either.
        self.before: dict[str, str] = {}
        # Tokens of which several lines may speak: half a line, or one under two headings.
        self.wild: set[str] = set()
        self.asked: list[Asked] = []

    def put(self, token: str, state: str) -> None:
        if state == "either":
            self.before.setdefault(token, self.state[token])
        elif self.state.get(token) != state or state == "live":
            self.since[token] = self.tick
        self.state[token] = state

    def resolve(self, in_use: set[str], at: int) -> None:
        """Take what is in use for what may be: a text that was rendered at that tick shows it."""
        for token, state in self.state.items():
            if state == "either" or token in self.wild:
                self.state[token] = "live" if token in in_use else "dead"
                if self.before.get(token) != self.state[token]:
                    self.since[token] = min(self.since[token], at) if token in self.wild else at
        self.before = {}

    def dead_since(self, tick: int) -> set[str]:
        return {t for t, state in self.state.items() if state == "dead" and self.since[t] > tick}

    def merged(self, saved: Text) -> None:
        """A process has seen what the owner saved."""
        self.tick += 1
        shown = saved.tokens
        for token in sorted(shown):
            if not saved.has_marker or (
                token not in saved.rendered
                and (
                    token not in self.state or self.since[token] <= saved.at or self.state[token] == "either"
                )
            ):
                self._unless_live(token)
        if saved.has_marker:
            self._taken_out(saved, shown)

    def _unless_live(self, token: str) -> None:
        if self.state.get(token) != "live":
            self.put(token, "live")

    def _taken_out(self, saved: Text, shown: set[str]) -> None:
        lost = [t for t in sorted(saved.rendered - shown) if self.state.get(t) in ("live", "either")]
        mine = [token for token in lost if self.since[token] <= saved.at]
        mine = [token for token in mine if token not in self.wild]
        spare = len(shown - saved.rendered) + len(lost) - len(mine)
        share = 0.2 * len(saved.rendered)
        # Of a wild one nobody knows in how many lines it was, and in how many it is.
        most = len(set(lost) - self.wild) + 3 * len(self.wild & saved.rendered)
        if most <= 5 or most <= share:
            for token in mine:
                self.put(token, "dead")
        elif len(mine) - spare > 5 and len(mine) - spare > share:
            # A line that was changed is not missing, and only what was typed can be a change.
            typed = len(shown - saved.rendered)
            self.asked.append(Asked(saved.text, frozenset(mine), typed))
            for token in mine if typed else ():
                self.put(token, "either")
        else:
            for token in mine:
                self.put(token, "either")
