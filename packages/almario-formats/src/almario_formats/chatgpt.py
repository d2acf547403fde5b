"""ChatGPT's data export: conversations as trees, of which the branch that was left open is the talk."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from almario.domain.plain_text import regex
from almario.importing.arrivals import Arrival, ImportedMessage, Kind, Skipped
from almario.importing.fields import Fields, text
from almario.importing.source import Entry, Export
from almario.plugins import Sentence
from almario_formats.json_streams import first_of, objects
from almario_formats.spoken import ROLES, NotText, files_of, talk

_FILE = regex(r"conversations(?:-\d+)?\.json")
_TEXT_KINDS = ("text", "multimodal_text", "code")
_NOT_TEXT = {"thoughts": NotText.THOUGHT, "reasoning_recap": NotText.THOUGHT}


def _files(source: Export) -> list[Entry]:
    found = [entry for entry in source.entries if _FILE.fullmatch(entry.last)]
    return sorted(found, key=lambda entry: entry.name) or list(source.entries[:1])


def _fits(source: Export) -> bool:
    [first, *_] = _files(source)
    return first.last.endswith(".json") and "mapping" in first_of(first)


def _read(source: Export) -> Iterator[Arrival]:
    for entry in _files(source):
        for found in objects(entry):
            yield from [found] if isinstance(found, Skipped) else _conversation(found)


def _conversation(found: Fields) -> Iterator[Arrival]:
    nodes, title, identity = found.inner("mapping"), found.text("title"), found.text("conversation_id", "id")
    apart = Counter[Sentence]()
    messages = {name: each for name in nodes.all if (each := _message(name, nodes, found, apart))}
    branch = [messages[name] for name in _branch(nodes, found.text("current_node")) if name in messages]
    yield from talk(found.place, identity, title, branch, apart)
    if beside := len(messages) - len(branch):
        sentence = "messages on branches of it that were left: {count}"
        yield Skipped(title or found.place, Sentence(sentence, count=beside))


def _branch(nodes: Fields, last: str) -> list[str]:
    name = last if last in nodes else next(reversed([*nodes.all]), "")
    seen: dict[str, None] = {}
    while name in nodes and name not in seen:
        seen[name] = None
        name = nodes.inner(name).text("parent")
    return [*reversed(seen)]


def _message(name: str, nodes: Fields, whole: Fields, apart: Counter[Sentence]) -> ImportedMessage | None:
    """Return what a node says, if it is a message that the owner saw; what is no text is counted *apart*."""
    message = nodes.inner(name).inner("message")
    author, content = message.inner("author").text("role"), message.inner("content")
    given = [*content.listed("parts"), content["text"], *content.listed("thoughts")]
    if left_out := _not_text(author, message):
        apart[left_out] += any(given)
        return None
    parts = [each for part in given if (each := _part(part, apart))]
    files = files_of(message.inner("metadata").every("attachments"), "name", apart)
    words = "\n\n".join([*parts, *files])
    at = message.instant("create_time") or whole.instant("create_time", "update_time")
    return ImportedMessage(name, ROLES[author], words, at) if words else None


def _not_text(author: str, message: Fields) -> Sentence | None:
    """Return what a message is that nobody said to anybody; None if somebody did."""
    if message.inner("metadata")["is_visually_hidden_from_conversation"] or author == "system":
        return NotText.HIDDEN
    if author == "tool":
        return NotText.RESULT
    if message.text("recipient") not in ("", "all"):
        return NotText.CALL
    kind = message.inner("content").text("content_type")
    return None if author in ROLES and kind in _TEXT_KINDS else _NOT_TEXT.get(kind, NotText.OTHER)


def _part(part: Any, apart: Counter[Sentence]) -> str:
    """Return a part of a message: its text, or which picture or sound it is."""
    if isinstance(part, str):
        return text(part)
    found = Fields(part)
    kind = found.text("content_type").removesuffix("_asset_pointer").replace("_", " ")
    if not kind or found.text("text"):
        return found.text("text")
    sorts = {"image": NotText.IMAGE, "audio": NotText.RECORDING}
    apart[next((sort for word, sort in sorts.items() if word in kind), NotText.OTHER)] += 1
    file = found.text("asset_pointer").rpartition("/")[2]
    return f"[{kind}: {file}]" if file else f"[{kind}]"


KIND = Kind("chatgpt", Sentence("a ChatGPT export"), _fits, _read)
