"""A stand-in of Telegram: it speaks the documented JSON of the Bot API, in this process or over HTTP."""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from almario import config
from almario.domain.messages import Sentence
from almario.ports import Store
from almario.soul import Soul
from almario.store.papers import FolderPapers
from almario.testing import FixedClock, Line, ScriptedLLM
from almario_telegram.bot import Bot
from almario_telegram.bot_api import Unreachable, _result
from almario_telegram.pairing import Pairing
from almario_telegram.polling import Polling, Workers
from almario_telegram.sending import Time
from almario_telegram.settings import TelegramSettings
from almario_telegram.updates import Me
from tests.listening import listening
from tests.memory_store import MemoryStore
from tests.souls import soul_on

TOKEN = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BOT = Me(123456, "alma_bot")
ANA, PEPE = 5, 77
GROUP = -1001
NAMES = {ANA: "Ana", PEPE: "Pepe"}


def refused(code: int, description: str, **parameters: object) -> dict[str, Any]:
    told: dict[str, Any] = {"ok": False, "error_code": code, "description": description}
    return told | ({"parameters": parameters} if parameters else {})


class Telegram:
    """Keeps updates until they are confirmed, and what the bot sends."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        # Every call in order; the texts that stand in each chat; the buttons under each message.
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.messages: dict[int, dict[int, str]] = {}
        self.buttons: dict[int, list[dict[str, str]]] = {}
        # What is answered next in the place of the method's own result, by its name.
        self.trouble: dict[str, deque[dict[str, Any] | Exception]] = {}
        self._number = 100
        self._methods: dict[str, Callable[[Mapping[str, Any]], object]] = {
            "getMe": self._introduce,
            "getUpdates": self._give_updates,
            "sendMessage": self._send,
            "editMessageText": self._edit,
            "sendChatAction": self._show_action,
            "answerCallbackQuery": self._notice,
        }

    # What people do.

    def write(self, sender: int, text: str = "", chat: int = 0, **more: Any) -> dict[str, Any]:
        """Somebody writes: in private, or in a group; *more* are further fields of the message."""
        said = {"text": text} if text else {}
        message = {
            "message_id": self._next(),
            "date": 1_790_000_000,
            "from": person(sender),
            "chat": chat_of(chat or sender),
            **said,
            **more,
        }
        return self.bring("message", message)

    def press(self, sender: int, data: str, message: int, chat: int = 0) -> None:
        about = {"message_id": message, "date": 1_790_000_000, "chat": chat_of(chat or sender)}
        query = {"id": "9", "from": person(sender), "chat_instance": "1", "data": data, "message": about}
        self.bring("callback_query", query)

    def bring(self, kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
        update = {"update_id": self._next(), kind: dict(content)}
        self.updates.append(update)
        return update

    # What the bot sees.

    def __call__(self, method: str, /, *, wait: float = 0.0, **fields: object) -> Any:
        return _result(self.answer(method, {name: each for name, each in fields.items() if each is not None}))

    def answer(self, method: str, fields: dict[str, Any]) -> bytes:
        self.calls.append((method, fields))
        waiting = self.trouble.get(method)
        if waiting:
            trouble = waiting.popleft()
            if isinstance(trouble, Exception):
                raise trouble
            return json.dumps(trouble).encode()
        told = self._methods[method](fields)
        return json.dumps(
            told if isinstance(told, dict) and "ok" in told else {"ok": True, "result": told}
        ).encode()

    def fail(self, method: str, *troubles: dict[str, Any] | Exception) -> None:
        self.trouble[method] = deque(troubles)

    def said(self, chat: int) -> list[str]:
        """Return what the bot's messages in a chat say by now."""
        return list(self.messages.get(chat, {}).values())

    def sent(self, method: str) -> list[dict[str, Any]]:
        return [fields for name, fields in self.calls if name == method]

    def _introduce(self, fields: Mapping[str, Any]) -> object:
        return {"id": BOT.id, "is_bot": True, "first_name": "Alma", "username": BOT.username}

    def _give_updates(self, fields: Mapping[str, Any]) -> object:
        self.updates = [each for each in self.updates if each["update_id"] >= fields.get("offset", 0)]
        return self.updates[: fields.get("limit", 100)]

    def _send(self, fields: Mapping[str, Any]) -> object:
        if problem := _problem(fields["text"]):
            return problem
        number = self._next()
        self.messages.setdefault(fields["chat_id"], {})[number] = fields["text"]
        if "reply_markup" in fields:
            self.buttons[number] = fields["reply_markup"]["inline_keyboard"][0]
        return {"message_id": number, "date": 1, "chat": chat_of(fields["chat_id"]), "text": fields["text"]}

    def _edit(self, fields: Mapping[str, Any]) -> object:
        here = self.messages.setdefault(fields["chat_id"], {})
        if fields["message_id"] not in here:
            return refused(400, "Bad Request: message to edit not found")
        if here[fields["message_id"]] == fields["text"]:
            return refused(400, "Bad Request: message is not modified")
        if problem := _problem(fields["text"]):
            return problem
        here[fields["message_id"]] = fields["text"]
        self.buttons.pop(fields["message_id"], None)
        return {"message_id": fields["message_id"], "chat": chat_of(fields["chat_id"]), "date": 1}

    def _show_action(self, fields: Mapping[str, Any]) -> object:
        return True

    def _notice(self, fields: Mapping[str, Any]) -> object:
        return True if len(fields["text"]) <= 200 else refused(400, "Bad Request: MESSAGE_TOO_LONG")

    def _next(self) -> int:
        self._number += 1
        return self._number


def _problem(text: str) -> dict[str, Any] | None:
    if not text.strip():
        return refused(400, "Bad Request: message text is empty")
    if len(text.encode("utf-16-le")) // 2 > 4096:
        return refused(400, "Bad Request: message is too long")
    return None


def person(number: int) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": NAMES.get(number, f"P{number}")}


def chat_of(number: int) -> dict[str, Any]:
    return {"id": number, "type": "private" if number > 0 else "supergroup", "title": "Team"}


class Passing:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.seconds += seconds

    @property
    def time(self) -> Time:
        return Time(lambda: self.seconds, self.pause)


class Living(NamedTuple):
    """A bot that lives in this process: nothing happens but in `step`."""

    telegram: Telegram
    soul: Soul
    llm: ScriptedLLM
    pairing: Pairing
    polling: Polling
    passing: Passing
    later: list[Callable[[], None]]

    def step(self) -> None:
        self.polling.step()

    def texts(self, session: str) -> list[str]:
        return [turn.text for turn in self.soul.sessions.turns(session)]


def alive(
    folder: Path,
    *lines: Line,
    telegram: Telegram | None = None,
    store: Store | None = None,
    settings: Mapping[str, Any] | None = None,
    paired: Sequence[int] = (ANA,),
    at_once: bool = True,
    clock: FixedClock | None = None,
) -> Living:
    """Start a bot, as another process would; unless *at_once*, work waits in `later`."""
    llm, clock = ScriptedLLM(*lines or ("Hello.",)), clock or FixedClock()
    soul = soul_on(store or MemoryStore(clock), settings, llm=llm)
    soul.learning.close()  # nothing is done in the background
    telegram, passing, later = telegram or Telegram(), Passing(), list[Callable[[], None]]()
    pairing = Pairing(FolderPapers(folder), "default", clock)
    for number in paired:
        if not pairing.is_owner(number):
            assert pairing.tried(number, NAMES[number], pairing.new_code()) == "paired"
    workers = Workers((lambda work: work()) if at_once else later.append, passing.pause)
    chosen = config.load(folder, arguments=settings).settings.of_plugin("telegram", TelegramSettings)
    bot = Bot(soul, telegram, BOT, pairing, chosen, passing.time)
    polling = Polling(telegram, workers, bot.take, passing.pause)
    return Living(telegram, soul, llm, pairing, polling, passing, later)


NO_NETWORK = Unreachable(Sentence("no connection"))


@contextmanager
def over_http(telegram: Telegram) -> Iterator[str]:
    """Serve a stand-in on this machine; yields its address."""

    class Answering(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True  # what is written in parts is sent at once

        def do_POST(self) -> None:
            _, bot, method = self.path.split("/")
            fields = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = json.dumps(refused(401, "Unauthorized")).encode()
            if bot == f"bot{TOKEN}":
                reply = telegram.answer(method, fields)
            code = json.loads(reply).get("error_code", 200) if reply.startswith(b"{") else 502
            self.send_response(302 if reply == b"moved" else code)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with listening(ThreadingHTTPServer(("127.0.0.1", 0), Answering)) as address:
        yield address
