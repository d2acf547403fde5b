"""A file as it was read: its bytes, their hash, its text."""

from functools import lru_cache

from almario.domain.digests import sha256
from almario.domain.records import showing
from almario.errors import DocumentError, StoreError
from almario.named_tuples import NamedTuple

# Of so many documents the text and the hash are at hand: MEMORY.md may be long, and is asked for often.
_READ = 16


@showing("hash")
class Document(NamedTuple):
    """A document as it was read; *content* is None if there is none, *is_link* if it lies elsewhere."""

    name: str
    content: bytes | None = None
    is_link: bool = False

    @property
    def text(self) -> str:
        """Its text; DocumentError names the line that is none."""
        return _text(self.content or b"", self.name)

    @property
    def raw(self) -> str:
        """Its text, whatever its bytes are."""
        return (self.content or b"").decode("utf-8", "surrogateescape")

    @property
    def hash(self) -> str | None:
        """The name under which its content is known."""
        return hash_of(self.content)


# Returns the name under which a content is known.
digest = sha256


@lru_cache(_READ)
def hash_of(content: bytes | None) -> str | None:
    """Return a content's digest, or None for a document that is not there."""
    return None if content is None else digest(content)


def decoded(content: bytes, name: str) -> str:
    """Return a document's text; a byte that is not UTF-8 is refused with its line."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise DocumentError(
            "{path} line {line}: byte {byte} is not UTF-8 text; save the file as UTF-8",
            path=name,
            line=line,
            byte=f"0x{content[exc.start]:02x}",
        ) from exc


_text = lru_cache(_READ)(decoded)


def encoded(text: str | bytes) -> bytes:
    """Return *text* as UTF-8; half a character is refused."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise StoreError("the text has characters that are not valid Unicode, so it was not stored") from exc
