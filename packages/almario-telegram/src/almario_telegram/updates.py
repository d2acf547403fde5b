"""What Telegram brings, as far as it concerns us: messages, pressed buttons, being put into a group."""

import re
from collections.abc import Mapping
from typing import Any

from almario.apps.cli.i18n import _
from almario.domain.plain_text import in_one_line, shortened
from almario.named_tuples import NamedTuple

# The kinds of updates that are asked for.
KINDS = ("message", "callback_query", "my_chat_member")
_LONGEST_NAME = 64
# What a message can be besides words, told as what it is.
_ATTACHMENTS = {
    "voice": "[a voice message of {seconds} s]",
    "video_note": "[a video message of {seconds} s]",
    "audio": "[an audio file of {seconds} s]",
    "video": "[a video of {seconds} s]",
    "animation": "[an animation]",  # which is also a document
    "document": "[a file: {name}]",
    "photo": "[a photo]",
    "sticker": "[a sticker: {emoji}]",
    "venue": "[a location]",
    "location": "[a location]",
    "contact": "[a contact]",
    "poll": "[a poll]",
    "dice": "[a die: {value}]",
    "story": "[a story]",
}


class Me(NamedTuple):
    """The bot itself."""

    id: int
    username: str


class Sender(NamedTuple):
    """Who wrote or pressed something; a channel or a group that speaks as itself *is_person* not."""

    id: int
    name: str
    is_person: bool = True

    @property
    def speaker(self) -> str:
        """The name that a transcript has: anybody can be called Ana, so the id goes with it."""
        return f"{self.name} ({self.id})".strip()


class Received(NamedTuple):
    """A message: *text* is the sender's own, *pasted* is what it passes on from others.

    *is_called* says that the bot was mentioned, or that one of its messages was replied to.
    """

    id: int
    chat: int
    is_private: bool
    topic: int
    sender: Sender
    text: str
    pasted: tuple[str, ...] = ()
    is_called: bool = False

    @property
    def ref(self) -> str:
        """What the message is called: a chat gives each number once."""
        return f"{self.chat}/{self.id}"


class Pressed(NamedTuple):
    """A button that was pressed under a message."""

    id: str
    sender: Sender
    chat: int
    message: int
    data: str


class Added(NamedTuple):
    """Somebody put the bot into a group."""

    chat: int
    sender: Sender


def understood(update: Mapping[str, Any], me: Me) -> Received | Pressed | Added | None:
    """Return what an update says; None if it is none of our business, or not as it is documented."""
    try:
        if message := update.get("message"):
            return _message(message, me)
        if query := update.get("callback_query"):
            about = query.get("message") or {"chat": {"id": 0}, "message_id": 0}
            data, sender = str(query.get("data", "")), _person(query["from"])
            return Pressed(str(query["id"]), sender, int(about["chat"]["id"]), int(about["message_id"]), data)
        if change := update.get("my_chat_member"):
            is_group = change["chat"]["type"] in ("group", "supergroup")
            is_in = change["new_chat_member"]["status"] in ("member", "administrator")
            return Added(int(change["chat"]["id"]), _person(change["from"])) if is_group and is_in else None
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    return None


def _message(message: Mapping[str, Any], me: Me) -> Received | None:
    chat, sender = message["chat"], _sender(message)
    is_private = chat["type"] == "private"
    if sender is None or (not is_private and chat["type"] not in ("group", "supergroup")):
        return None
    words, attachment = str(message.get("text") or message.get("caption") or ""), _attachment(message)
    if not words.strip() and not attachment:
        return None  # somebody joined, a topic was closed
    mention = re.compile(rf"(?<![\w@])@{re.escape(me.username)}\b", re.IGNORECASE)
    answered = message.get("reply_to_message") or {}
    if answered.get("forum_topic_created"):  # what is said in a topic replies to its beginning
        answered = {}
    by = (answered.get("from") or {}).get("id")
    is_others = bool(message.get("forward_origin") or message.get("via_bot"))
    passed_on = (words,) if is_others and words.strip() else ()
    text = _("[a forwarded message]") if passed_on else mention.sub("", words).strip() or words
    quoted = (
        str(answered.get("text") or answered.get("caption") or "") if by not in (me.id, sender.id) else ""
    )
    return Received(
        id=int(message["message_id"]),
        chat=int(chat["id"]),
        is_private=is_private,
        topic=int(message["message_thread_id"]) if message.get("is_topic_message") is True else 0,
        sender=sender,
        text="\n".join(filter(None, (text, attachment))),
        pasted=tuple(filter(str.strip, (quoted, *passed_on))),
        is_called=by == me.id or bool(mention.search(words)),
    )


def _sender(message: Mapping[str, Any]) -> Sender | None:
    """Return who wrote a message; None for another bot.

    A group or a channel that speaks as itself is nobody in particular, whoever is behind it.
    """
    if of := message.get("sender_chat"):
        return Sender(int(of["id"]), _name(str(of.get("title", ""))), is_person=False)
    return None if message["from"].get("is_bot") is True else _person(message["from"])


def _person(user: Mapping[str, Any]) -> Sender:
    name = f"{user.get('first_name', '')} {user.get('last_name', '')}"
    return Sender(int(user["id"]), _name(name))


def _name(name: str) -> str:
    return shortened(in_one_line(name), _LONGEST_NAME)


def _attachment(message: Mapping[str, Any]) -> str:
    """Tell what a message has besides words."""
    kind = next((kind for kind in _ATTACHMENTS if message.get(kind)), "")
    if not kind:
        return ""
    found = message[kind] if isinstance(message[kind], dict) else {}
    name = _name(str(found.get("file_name", ""))) or "?"
    emoji, value = _name(str(found.get("emoji", ""))) or "?", found.get("value", 0)
    return _(_ATTACHMENTS[kind], seconds=int(found.get("duration", 0)), name=name, emoji=emoji, value=value)
