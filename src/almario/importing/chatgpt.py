"""ChatGPT's data export: conversations as trees, of which the branch that was left open is the talk."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.turns import Role
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, Kind, NoText, NotText, Skipped
from almario.importing.fields import first_of, instant, listed, mapping, objects, text
from almario.importing.source import Entry, Export

_FILE = regex(r"conversations(?:-\d+)?\.json")
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
_TEXT_KINDS = ("text", "multimodal_text", "code")
_NOT_TEXT = {"thoughts": NotText.THOUGHT, "reasoning_recap": NotText.THOUGHT}


def _files(source: Export) -> list[Entry]:
    return sorted((e for e in source.entries if _FILE.fullmatch(e.last)), key=lambda entry: entry.name)


def _fits(source: Export) -> bool:
    files = _files(source) or [entry for entry in source.entries[:1] if entry.last.endswith(".json")]
    return any("mapping" in mapping(first_of(entry)) for entry in files[:1])


def _read(source: Export) -> Iterator[Arrival]:
    for entry in _files(source) or source.entries[:1]:
        for number, found in enumerate(objects(entry), 1):
            if isinstance(found, Skipped):
                yield found
            else:
                yield from _conversation(found, f"{entry.name} [{number}]")


def _conversation(found: Mapping[str, Any], place: str) -> Iterator[Arrival]:
    nodes = mapping(found.get("mapping"))
    title = text(found.get("title"))
    apart = Counter[Sentence]()
    messages = {name: each for name, node in nodes.items() if (each := _message(name, node, found, apart))}
    yield NoText(apart)
    branch = [name for name in _branch(nodes, text(found.get("current_node"))) if name in messages]
    identity = text(found.get("conversation_id")) or text(found.get("id"))
    if not identity or not messages:
        yield Skipped(place, Sentence("it has no messages" if identity else "it has no id"))
        return
    yield ImportedTalk(identity, title, tuple(messages[name] for name in branch))
    if beside := len(messages) - len(branch):
        sentence = "messages on branches of it that were left: {count}"
        yield Skipped(title or place, Sentence(sentence, count=beside))


def _branch(nodes: Mapping[str, Any], last: str) -> list[str]:
    name = last if last in nodes else next(reversed([*nodes]), "")
    seen: dict[str, None] = {}
    while name in nodes and name not in seen:
        seen[name] = None
        name = text(mapping(nodes[name]).get("parent"))
    return [*reversed(seen)]


def _message(
    name: str, node: Any, talk: Mapping[str, Any], apart: Counter[Sentence]
) -> ImportedMessage | None:
    """Return what a node says, if it is a message that the owner saw; what is no text is counted *apart*."""
    message = mapping(mapping(node).get("message"))
    more = mapping(message.get("metadata"))
    author = text(mapping(message.get("author")).get("role"))
    content = mapping(message.get("content"))
    given = [*listed(content.get("parts")), content.get("text"), *listed(content.get("thoughts"))]
    role, kind = _ROLES.get(author), text(content.get("content_type"))
    if left_out := _not_text(author, kind, text(message.get("recipient")), more):
        apart[left_out] += any(given)
        return None
    parts = [each for part in given if (each := _part(part, apart))]
    named = [each for one in listed(more.get("attachments")) if (each := text(mapping(one).get("name")))]
    parts += [f"[{each}]" for each in named]
    apart[NotText.ATTACHMENT] += len(named)
    at = instant(message.get("create_time")) or instant(talk.get("create_time"))
    words = "\n\n".join(parts)
    return (
        ImportedMessage(name, role, words, at or instant(talk.get("update_time"))) if role and words else None
    )


def _not_text(author: str, kind: str, recipient: str, more: Mapping[str, Any]) -> Sentence | None:
    """Return what a message is that nobody said to anybody; None if somebody did."""
    if more.get("is_visually_hidden_from_conversation") or author == "system":
        return NotText.HIDDEN
    if author == "tool":
        return NotText.RESULT
    if recipient not in ("", "all"):
        return NotText.CALL
    return None if author in _ROLES and kind in _TEXT_KINDS else _NOT_TEXT.get(kind, NotText.OTHER)


def _part(part: Any, apart: Counter[Sentence]) -> str:
    """Return a part of a message: its text, or which picture or sound it is."""
    if isinstance(part, str):
        return text(part)
    found = mapping(part)
    kind = text(found.get("content_type")).removesuffix("_asset_pointer").replace("_", " ")
    if kind and not text(found.get("text")):
        apart[
            NotText.IMAGE if "image" in kind else NotText.RECORDING if "audio" in kind else NotText.OTHER
        ] += 1
        file = text(found.get("asset_pointer")).rpartition("/")[2]
        return f"[{kind}: {file}]" if file else f"[{kind}]"
    return text(found.get("text"))


KIND = Kind("chatgpt", Sentence("a ChatGPT export"), _fits, _read)
