"""Those who come through the other doors: programs at the gateway, and people on Telegram.

A stranger hears what a model makes of it that tells all it sees: nothing of the owner's, and nothing of other
strangers', may be in that.
"""

import itertools
import json
import random
import signal
import threading
import time
from collections.abc import Mapping
from typing import Any

from proofs.torture.diary import Diary
from proofs.torture.gossip import SEARCH
from proofs.torture.house import GONE, KILLED, PATIENCE, THINGS, House, facts
from proofs.torture.talking import lettered
from tests.apps.telegram_stand_in import ANA, GROUP, Telegram

# The faces of the gateway.
_CHAT, _MESSAGES = "/v1/chat/completions", "/v1/messages"
_TOPICS = (0, 7)
# So many messages a stranger sends before another one comes: who sends more is flooding.
_FEW = 8
# While nothing comes, Telegram makes whoever asks wait so long.
_WAIT = 0.3


class Gateway:
    """A program written for OpenAI's or Anthropic's models, whose base URL was changed."""

    def __init__(self, house: House, dice: random.Random) -> None:
        self._house = house
        self._dice = dice
        self._messages: list[dict[str, str]] = []

    def talk(self, text: str, *, session: str = "") -> str:
        """Say something in a conversation, or begin another, and return the answer; or one of GONE."""
        dice = self._dice
        if len(self._messages) > 8 or dice.random() < 0.2:
            self._messages = []
        self._messages.append({"role": "user", "content": text})
        path, is_stream = dice.choice((_CHAT, _MESSAGES)), dice.random() < 0.5
        body: dict[str, Any] = {"model": self._house.agent.name + "@some-model", "messages": self._messages}
        body |= {"max_tokens": 500, **({"stream": True} if is_stream else {})}
        headers = {"X_Almario_Session": session} if session else {}
        try:
            status, output = self._house.ask("POST", path, body, **headers)
        except GONE:
            self._messages = []
            raise
        if status != 200:
            self._house.trouble("gateway", f"{path}: {status} {output}")
        if is_stream and "[DONE]" not in output and "message_stop" not in output:
            raise ConnectionError("the answer broke off")
        self._messages.append({"role": "assistant", "content": output[-500:]})
        return output


def programming(house: House, dice: random.Random, diary: Diary) -> None:
    """Talk through the gateway as the owner."""
    known, program = facts("gateway", dice), Gateway(house, dice)
    while not house.is_over.wait(dice.random() * 0.4):
        text = next(known)
        diary.add("will", "say", "gateway", text=text)
        try:
            program.talk(text, session=dice.choice(("", "", "app:work")))
        except GONE:
            house.is_over.wait(0.2)
            continue
        diary.add("did", "say", "gateway", text=text)


class Network(Telegram):
    """Telegram for several threads; it notes what strangers are told, and who has heard of what."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house
        self._lock = threading.RLock()
        self._topics: dict[int, int] = {}
        # So often somebody has asked for what came.
        self.polls = 0

    def bring(self, kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            return super().bring(kind, content)

    def answer(self, method: str, fields: dict[str, Any]) -> bytes:
        if method == "getUpdates":
            self.polls += 1
            self._wait(fields)
        with self._lock:
            self.calls.clear()
            told = super().answer(method, fields)
            if method == "sendMessage":
                number = json.loads(told).get("result", {}).get("message_id", 0)
                self._topics[number] = fields.get("message_thread_id", 0)
                self._check(fields, self._topics[number])
            elif method == "editMessageText":
                self._check(fields, self._topics.get(fields["message_id"], 0))
            return told

    def _wait(self, fields: Mapping[str, Any]) -> None:
        until = time.monotonic() + min(fields.get("timeout", 0), _WAIT)
        while time.monotonic() < until and not self.waiting(fields.get("offset", 0)):
            time.sleep(0.02)

    def waiting(self, offset: int = 0) -> bool:
        """Return whether something is still to be fetched."""
        with self._lock:
            return any(each["update_id"] >= offset for each in self.updates)

    def _check(self, fields: Mapping[str, Any], topic: int) -> None:
        chat = fields["chat_id"]
        if chat == GROUP:
            self._house.check(
                "telegram group", fields["text"], lettered(f"Gtopic{topic}"), lettered(f"Qtopic{topic}")
            )
        elif chat != ANA:
            self._house.check("telegram stranger", fields["text"], lettered(f"Qguest{chat}"))


def writing(house: House, dice: random.Random, diary: Diary, telegram: Network) -> None:
    """Write on Telegram: the owner in private and in a group, strangers in both."""
    own, numbers = facts("telegram", dice), itertools.count()
    among = {(who, topic): facts(f"topic{topic}", dice, f"{what}{who}")
             for who, what in (("G", "Shelf "), ("Q", "Crate ")) for topic in _TOPICS}  # fmt: skip
    while not house.is_over.wait(dice.uniform(0.3, 2)):
        act, topic = dice.choice(("private", "group", "group", "guest")), dice.choice(_TOPICS)
        place = {"message_thread_id": topic, "is_topic_message": True} if topic else {}
        if act == "private":
            text = f"{dice.choice(('', '', 'Remember: '))}{next(own)}"
            diary.add("did", "say", "telegram", text=text)
            telegram.write(ANA, text)
        elif act == "guest":
            number = 1000 + next(numbers) // _FEW
            text = f"Crate {lettered(f'Qguest{number}x{dice.randrange(10**9)}')} holds {dice.choice(THINGS)}"
            text = dice.choice((text, text, f"Remember: {text}"))
            house.hearsay.append(text.removeprefix("Remember: "))
            diary.add("did", "pry", "guest", text=text)
            telegram.write(number, dice.choice((text, text, f"{SEARCH}baskets with {dice.choice(THINGS)}")))
        else:
            is_owner = dice.random() < 0.5
            text = next(among["G" if is_owner else "Q", topic])
            diary.add("did", "say" if is_owner else "pry", "group", text=text)
            said = dice.choice(("@alma_bot ", "", "")) + text
            telegram.write(ANA if is_owner else 77, said, GROUP, **place)


def answering(house: House, dice: random.Random, diary: Diary, telegram: Network) -> None:
    """Run `almario telegram` for a while once it is up, and again."""
    while not house.is_over.is_set():
        before, process = telegram.polls, house.start("telegram")
        while telegram.polls == before and process.poll() is None and not house.is_over.wait(0.1):
            continue
        house.is_over.wait(dice.uniform(4, 20))
        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE)
        if code not in (0, KILLED, -signal.SIGTERM):
            house.trouble("telegram", f"it ended with {code}")
        diary.add("did", "work", "telegram", text="")
