"""Messages of conversations: who says what in them, and what stands there that is no text."""

from collections import Counter
from collections.abc import Iterator, Mapping

from almario.domain.turns import Role
from almario.importing.arrivals import Arrival, ImportedMessage, ImportedTalk, NoText, Skipped
from almario.importing.fields import Fields
from almario.plugins import Sentence

ROLES: Mapping[str, Role] = {"user": "user", "human": "user", "assistant": "assistant"}
_TEXTS = ("text", "input_text", "output_text")


class NotText:
    """What stands in conversations and is no text of theirs."""

    CALL = Sentence("tool calls")
    RESULT = Sentence("tool results")
    THOUGHT = Sentence("thoughts of a model")
    IMAGE = Sentence("images (only named)")
    RECORDING = Sentence("recordings (only named)")
    ATTACHMENT = Sentence("attachments (only named)")
    HIDDEN = Sentence("hidden messages")
    PROGRAM = Sentence("lines of the program itself")
    OTHER = Sentence("others")


# The parts of a message that are no text, as Anthropic and OpenAI call them.
NOT_TEXT = {
    **dict.fromkeys(("tool_use", "server_tool_use", "function_call", "custom_tool_call"), NotText.CALL),
    **dict.fromkeys(("local_shell_call", "web_search_call"), NotText.CALL),
    **dict.fromkeys(("tool_result", "function_call_output", "custom_tool_call_output"), NotText.RESULT),
    **dict.fromkeys(("thinking", "redacted_thinking", "reasoning"), NotText.THOUGHT),
    **dict.fromkeys(("image", "input_image"), NotText.IMAGE),
}


def texts_of(message: Fields, otherwise: str, apart: Counter[Sentence]) -> list[str]:
    """Return the texts among the parts of a message's content, or what it says *otherwise* in one field.

    What else is in the content is counted *apart*.
    """
    parts = message.every("content")
    kinds = (part.text("type") for part in parts if part["type"] not in _TEXTS)
    apart.update(NOT_TEXT.get(kind, NotText.OTHER) for kind in kinds)
    texts = [part.text("text") for part in parts if part["type"] in _TEXTS]
    return list(filter(None, texts)) or list(filter(None, [message.text(otherwise)]))


def files_of(listed: list[Fields], field: str, apart: Counter[Sentence]) -> list[str]:
    """Return what stands in a message for the files that came with it, which are counted *apart*."""
    names = [f"[{name}]" for file in listed if (name := file.text(field))]
    apart[NotText.ATTACHMENT] += len(names)
    return names


def talk(
    place: str,
    name: str,
    title: str,
    messages: list[ImportedMessage],
    apart: Counter[Sentence],
    folder: str = "",
) -> Iterator[Arrival]:
    """Yield a conversation, and what was counted *apart* in it."""
    yield NoText(apart)
    if name and messages:
        yield ImportedTalk(name, title, tuple(messages), folder=folder)
    else:
        yield Skipped(place, Sentence("it has no messages" if name else "it has no id"))
