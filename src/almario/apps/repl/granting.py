"""Doing what the owner wished for in words: to remember something, or to forget it."""

import re

from almario.apps.cli.common import tell
from almario.apps.repl import shown
from almario.domain.memories import Memory, Wanted
from almario.domain.model import Scope
from almario.domain.wishes import REMEMBER, Wish
from almario.domain.words import index_terms, query_words
from almario.soul import Soul

# So many memories are looked at for one that is to be forgotten, and so many named if none is clear.
_LOOKED_AT, _NAMED = 20, 5
# What is less like what was said is not even asked about.
_LIKE = 0.5
# A fact that a newer one stands before in recall is in use all the same, and may be the one that is meant.
_LIVE = Scope(sources=("memory",), include=("superseded",))
_ARTICLE = re.compile(
    r"(?:the|my|our|a|an|el|la|los|las|lo|un|una|mi|mis|nuestr[oa]s?|tu|tus|su|sus)\s+", re.IGNORECASE
)


def grant(soul: Soul, wish: Wish) -> bool:
    """Do it, and say so; False if there is nothing that it could mean."""
    if wish.verb == REMEMBER:
        receipt = soul.remember(wish.text)
        tell(receipt.told)
        if receipt.memory is not None:
            shown.tell_kept(receipt.outcome, receipt.memory, receipt.replaced)
        return True
    meant, likely = sought(soul, wish.text)
    if len(meant) == 1:
        shown.tell_forgotten(soul.forget(meant[0].id))
    elif meant or likely:
        shown.tell_which(soul, (meant or likely)[:_NAMED])
    return bool(meant or likely)


def sought(soul: Soul, text: str) -> tuple[list[Memory], list[Memory]]:
    """Return the memories in use that are meant by what was said, and those that may be.

    Meant is what stands under a key of that name, or has every word that was said.
    """
    bare = _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text
    for key in dict.fromkeys((text, bare)):
        if under := soul.memory.list(Wanted(keys=(key,))):
            return under, []
    hits = soul.recall(text, limit=_LOOKED_AT, min_score=0.0, scope=_LIVE)
    scores = {hit.memory: hit.score for hit in reversed(hits) if hit.memory}
    found = [each for each in map(soul.memory.get, reversed(scores)) if each.is_live]
    words = [{term for term, _worth in word.terms} for word in query_words(text) if not word.whole]
    meant = [each for each in found if words and all(word & set(index_terms(each.text)) for word in words)]
    return meant, [each for each in found if scores[each.id] >= _LIKE]
