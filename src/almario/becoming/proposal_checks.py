"""What a wish must be before it can become a proposal: of a file that has them, and a change."""

from collections.abc import Callable

from almario.becoming.rules.consent import LONGEST
from almario.becoming.rules.merging import changes_between, with_changes
from almario.domain.documents.lines import with_newlines_of
from almario.domain.memories import ORIGINS, Origin
from almario.domain.model import soul_file
from almario.domain.plain_text import whole
from almario.domain.soul_drift import FILES
from almario.errors import SoulError


def proposable(file: str) -> str:
    """Return the name of a file that proposals are for; SoulError for any other."""
    name = soul_file(file)
    if name not in FILES:
        sentence = "{file} can be changed without a proposal; proposals are for {files}"
        raise SoulError(sentence, file=name, files=", ".join(FILES))
    return name


def check_origin(origin: Origin) -> None:
    """Raise SoulError for what is no origin."""
    if origin not in ORIGINS:
        raise SoulError(
            '"{origin}" is not an origin; use {origins}', origin=origin, origins=", ".join(ORIGINS)
        )


def ended(old: str, text: str) -> str:
    """Return a text that ends its lines as the old one does; SoulError if it is the same."""
    text = whole(text)
    if not text.endswith("\n") and (not old or old.endswith("\n")):
        text += "\n"
    if old.count("\r\n") in (0, old.count("\n")):  # in a file that has both, each line has its own
        text = with_newlines_of(text, old)
    if text == old:
        raise SoulError("there is nothing to propose: nothing would change")
    return text


def without_new_secrets(old: str, text: str, redact: Callable[[str], str]) -> str:
    """Return a text without the secrets in its new lines; those that stand there are the owner's."""
    if len(text) > LONGEST:
        return redact(text)
    changes = changes_between(old, text)
    return with_changes(old, [each._replace(lines=(redact("".join(each.lines)),)) for each in changes])
