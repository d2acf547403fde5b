"""Which turns are learned from together, and who said what in them."""

from collections.abc import Sequence
from itertools import chain

from almario.conversation.grounding import LONGEST_TURN, heard
from almario.domain.plain_text import estimate_tokens
from almario.domain.turns import CUT, Turn, is_owners
from almario.memory.rules.exchanges import exchanges_in
from almario.text.quoting import Parted, parted

# How much of a session goes to the model at once; it fits a small one with 8,000 tokens.
_MOST_TURNS, _MOST_TOKENS = 40, 3000
# So many exchanges before are shown with it.
_EARLIER = 3


def first_stretch(waiting: Sequence[Turn], edges: Sequence[int]) -> Sequence[Turn]:
    """Return the turns up to where the session first began anew among them."""
    stretches = ([turn for turn in waiting if turn.n <= edge] for edge in edges)
    return next(filter(None, stretches), waiting)


def batch_of(waiting: Sequence[Turn], *, halvings: int) -> list[Turn]:
    """Return as many exchanges as are learned from at once; one that is too long by itself is cut."""
    some = _fitting(exchanges_in(waiting), _MOST_TURNS >> halvings, _MOST_TOKENS >> halvings)
    return _fitting([[turn] for turn in some], _MOST_TURNS, _MOST_TOKENS)


def exchanges_before(turns: Sequence[Turn], first: Turn, edges: Sequence[int]) -> list[Turn]:
    """Return the last exchanges before a turn, since the session last began anew."""
    begun = max((edge for edge in edges if edge < first.n), default=0)
    earlier = exchanges_in([turn for turn in turns if begun < turn.n < first.n])
    return list(chain.from_iterable(earlier[-_EARLIER:]))


def ends_of(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the first and the last turn of each exchange."""
    return tuple(turn for each in exchanges_in(turns) for turn in (*each[:-1][:1], each[-1]))


def _fitting(parts: Sequence[Sequence[Turn]], turns: int, tokens: int) -> list[Turn]:
    """Return the turns of the first parts that fit: at least one that says something, if any does."""
    found: list[Turn] = []
    spoken = used = 0
    for part in parts:
        texts = [text for turn in part if (text := heard(turn))]
        cost = sum(estimate_tokens(text[:LONGEST_TURN]) for text in texts)
        if texts and spoken and (spoken + len(texts) > turns or used + cost > tokens):
            break
        found += part
        spoken, used = spoken + len(texts), used + cost
    return found


def sides(turns: Sequence[Turn]) -> tuple[list[Turn], list[Turn]]:
    """Part what the owner and the agent said from what others did, also where the owner quotes them."""
    trusted, strangers = [], []
    for turn in turns:
        own, others = parted(turn.text, mark=CUT) if is_owners(turn) else Parted(turn.text, "")
        if turn.origin != "untrusted" and own:
            trusted.append(turn._replace(text=own))
        elif (
            turn.origin == "untrusted" and turn.role != "assistant"
        ):  # what the agent made of it is no source
            strangers.append(turn)
        if others:
            strangers.append(turn._replace(text=others, origin="untrusted", speaker=""))
    return trusted, strangers


def texts_of_others(strangers: Sequence[Turn], batch: Sequence[Turn]) -> tuple[str, ...]:
    """Return what strangers said, also by a tool; not what the agent made of it, which repeats the owner."""
    brought = [turn for turn in batch if turn.origin == "untrusted" and turn.role != "assistant"]
    return tuple(dict.fromkeys(turn.text[:LONGEST_TURN] for turn in (*strangers, *brought)))
