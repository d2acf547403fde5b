"""What may be a secret or a confidence: kept, and told to nobody until the owner says that it is none."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from almario.domain.messages import CommandLine, Sentence, Words
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

# So begins what stands in its place wherever something is told.
MASK = "[withheld:"
_MASKS = regex(r"\[withheld:[^\]]*\]")
# What people read there.
MASK_NAMED = Sentence("[may be a secret]")


def masks_named(text: str, word: str) -> str:
    """Return a text with a *word* where something is withheld."""
    return _MASKS.sub(word, text) if MASK in text else text


def unmasked(text: str, parts: Sequence[str]) -> str:
    """Return a text with each of what is withheld in its place; nothing, if these are not as many."""
    left = iter(parts)
    return _MASKS.sub(lambda _: next(left), text) if len(_MASKS.findall(text)) == len(parts) else ""


class Withheld(NamedTuple):
    """Something of which parts are withheld, or all: a memory or a turn by its id, or a file."""

    name: str
    at: datetime
    text: str
    suspected: tuple[str, ...]


def each_once(found: Sequence[Withheld]) -> list[Withheld]:
    """Return what is withheld without what tells nothing but secrets that were listed before."""
    parts = {part: each for each in reversed(found) for part in each.suspected}
    return [each for each in found if any(parts[part] is each for part in each.suspected)]


def withheld(suspected: Sequence[str]) -> Sentence:
    """Tell the owner what is withheld, and how to have it used all the same."""
    what = tuple(Sentence("“{words}”", words=Words(each)) for each in suspected)
    sentence = 'Left out of what I tell models, as it may be a secret: {what}. "{keep}" lets me use it.'
    return Sentence(sentence, what=what, keep=CommandLine("almario keep"))


def where_shown(texts: Iterable[str]) -> tuple[Sentence, ...]:
    """Tell the owner how to see what is withheld in some texts; nothing, if that is none."""
    sentence = 'Something that may be a secret is left out here; "{keep}" shows it.'
    is_masked = any(MASK in text for text in texts)
    return (Sentence(sentence, keep=CommandLine("almario keep --list")),) if is_masked else ()


# What secrets are called; the names stand in files, in place of what was taken out.
_SECRETS = {
    "password": Sentence("password"),
    "api-key": Sentence("API key"),
    "private-key": Sentence("private key"),
    "token": Sentence("access token"),
    "secret": Sentence("secret"),
    "card": Sentence("card number"),
    "iban": Sentence("IBAN"),
    "account": Sentence("account number"),
    "national-id": Sentence("document number"),
    "phone": Sentence("telephone number"),
}


def named_kinds(kinds: Iterable[str]) -> tuple[Sentence | str, ...]:
    """Say of which kinds some secrets are."""
    return tuple(_SECRETS.get(kind, kind) for kind in dict.fromkeys(kinds))


def left_out(kinds: Sequence[str], suspected: Sequence[str]) -> tuple[Sentence, ...]:
    """Tell the owner what of a text is not kept, and what is kept and withheld."""
    secrets = [Sentence("a secret was left out ({kinds})", kinds=named_kinds(kinds))] if kinds else []
    return (*secrets, *([withheld(suspected)] if suspected else []))
