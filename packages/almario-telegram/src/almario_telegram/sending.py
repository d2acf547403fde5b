"""Saying something in a chat: in pieces that fit, and an answer as it comes, by changing what was sent.

Telegram wants few changes a minute, and says so when there were too many; what comes meanwhile waits.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from almario.domain.logs import Log
from almario.domain.messages import Sentence
from almario.named_tuples import NamedTuple
from almario_telegram.bot_api import Api, BotRefused, Unreachable

log = Log(__name__)

# So many signs, as Telegram counts them, fit in a message; of a longer text at most so many are sent.
LONGEST, _MOST_MESSAGES = 4096, 10
# At least so many seconds lie between two changes of an answer: alone, and in a group.
_EVERY, _EVERY_IN_GROUP = 1.5, 4.0
# So often what must arrive is tried, and for so many seconds at most a refusal is waited for.
_TRIES, _LONGEST_WAIT = 6, 60.0

# A button: what it says, and what pressing it brings.
Button = tuple[str, str]


class Time(NamedTuple):
    """How time passes: *now* in seconds that only grow, *pause* waits for some."""

    now: Callable[[], float]
    pause: Callable[[float], object]


class TelegramChat:
    """A chat, or a topic of one, to say something in."""

    def __init__(self, api: Api, chat: int, time: Time, *, topic: int = 0, answers: int = 0) -> None:
        """*answers* is the message that is replied to."""
        self.id = chat
        self.time = time
        self._api = api
        self._where: dict[str, Any] = {"chat_id": chat, "message_thread_id": topic or None}
        self._replies = {"message_id": answers, "allow_sending_without_reply": True} if answers else None

    @property
    def is_group(self) -> bool:
        return self.id < 0

    def say(self, text: str, buttons: Sequence[Button] = (), *, quietly: bool = False) -> None:
        """Send a text, in several messages if it is long; the buttons stand under the last."""
        pieces = parted(text)
        for piece in pieces:
            under = buttons if piece is pieces[-1] else ()
            self.surely(partial(self.send, piece, under, quietly=quietly))

    def send(self, text: str, buttons: Sequence[Button] = (), *, quietly: bool = False) -> int:
        """Send one message, and return its number. A link in it shows no preview: that would be opened."""
        sent = self._api(
            "sendMessage",
            **self._where,
            text=text,
            reply_parameters=self._replies,
            reply_markup=_keyboard(buttons) if buttons else None,
            link_preview_options={"is_disabled": True},
            disable_notification=quietly or None,
        )
        self._replies = None  # one of several is enough
        return int(sent["message_id"])

    def change(self, message: int, text: str) -> None:
        """Put another text, without buttons, in the place of what was sent."""
        self._api(
            "editMessageText",
            chat_id=self.id,
            message_id=message,
            text=text,
            link_preview_options={"is_disabled": True},
        )

    def show_typing(self) -> None:
        """Let it be seen that an answer is being written."""
        try:
            self._api("sendChatAction", **self._where, action="typing")
        except (BotRefused, Unreachable):
            return

    def surely(self, call: Callable[[], Any]) -> None:
        """Do what must be done, again if it fails for now; what is refused for good is told and left."""
        for tried in range(_TRIES):
            try:
                call()
                return
            except BotRefused as exc:
                if exc.code != 429 and exc.code < 500:
                    if "not modified" not in exc.why:
                        log.warning("Telegram refused a message: %s", Sentence.own(exc.why))
                    return
                wait = min(exc.after or 2.0**tried, _LONGEST_WAIT)
            except Unreachable:
                wait = 2.0**tried
            self.time.pause(wait)
        log.warning("a message could not be sent to Telegram")


class StreamedMessage:
    """An answer that is shown while it comes."""

    def __init__(self, chat: TelegramChat) -> None:
        self._chat = chat
        self._every = _EVERY_IN_GROUP if chat.is_group else _EVERY
        self._next = chat.time.now() + self._every
        self._text = ""
        # The messages that were sent, by their numbers, and what each says.
        self._sent: list[tuple[int, str]] = []

    def hear(self, text: str) -> None:
        """Take in a piece; what has come so far is shown if it is time."""
        self._text += text
        if self._chat.time.now() < self._next:
            return
        wait = self._every
        try:
            for place, piece in enumerate(parted(self._text)):
                self._show(place, piece)
        except BotRefused as exc:
            wait = max(exc.after, wait)
        except Unreachable:
            pass  # it is shown with what comes next
        self._next = self._chat.time.now() + wait

    def finish(self, text: str) -> None:
        """Let the whole answer stand there."""
        for place, piece in enumerate(parted(text)):
            self._chat.surely(partial(self._show, place, piece))

    def _show(self, place: int, piece: str) -> None:
        if place == len(self._sent):
            self._sent.append((self._chat.send(piece), piece))
        elif self._sent[place][1] != piece:
            self._chat.change(self._sent[place][0], piece)
            self._sent[place] = (self._sent[place][0], piece)


def parted(text: str) -> list[str]:
    """Return a text in pieces that fit in a message each, parted where lines or words end."""
    pieces: list[str] = []
    rest = text.strip()
    while rest and len(pieces) < _MOST_MESSAGES:
        end = _fitting(rest)
        if end < len(rest):
            breaks = (rest.rfind(sign, end // 2, end) for sign in ("\n\n", "\n", " "))
            end = next((place for place in breaks if place > 0), end)
        pieces.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    if rest:
        pieces[-1] = pieces[-1][: _fitting(pieces[-1]) - 1].rstrip() + "…"
    return pieces


def _fitting(text: str) -> int:
    """Return how many characters fit in a message: those outside the basic plane count twice."""
    end = min(len(text), LONGEST)
    while (units := len(text[:end].encode("utf-16-le", "replace")) // 2) > LONGEST:
        end -= max(1, (units - LONGEST) // 2)
    return end


def _keyboard(buttons: Sequence[Button]) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": text, "callback_data": data} for text, data in buttons]]}
