"""What `almario telegram` runs: it fetches and answers until it is stopped, and sends the morning note."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from almario.apps.daemon.bounds import spare_memory
from almario.apps.daemon.process import Waiting
from almario.config import Settings
from almario.domain.logs import Log
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError, ConfigError
from almario.soul import Soul
from almario_telegram import buttons
from almario_telegram.bot import Bot
from almario_telegram.bot_api import Api, BotRefused, Unreachable
from almario_telegram.pairing import Pairing
from almario_telegram.polling import Polling, Workers, need_token
from almario_telegram.sending import TelegramChat, Time
from almario_telegram.settings import TelegramSettings
from almario_telegram.updates import Me

log = Log(__name__)

# For so many seconds what is at work may be finished when the end has come.
_GRACE = 5.0
_LONGEST_PAUSE = 60.0


class Alarm:
    """Waits for a time to pass, or until it is woken; once it is stopped, nobody waits."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self.is_stopped = False

    def pause(self, seconds: float) -> None:
        """Wait, unless the end has come."""
        if not self.is_stopped:
            self._woken.wait(seconds)
            self._woken.clear()

    def wake(self) -> None:
        """End the wait."""
        self._woken.set()

    def stop(self) -> None:
        """Let nobody wait any more."""
        self.is_stopped = True
        self._woken.set()


def in_thread(work: Callable[[], None]) -> None:
    """Do something in a thread of its own, which does not keep the process."""
    threading.Thread(target=work, name="almario-telegram", daemon=True).start()


def introduced(api: Api, pause: Callable[[float], object]) -> Me:
    """Ask Telegram who the bot is, until it can be reached; ConfigError: the token is wrong."""
    wait = 1.0
    while True:
        try:
            found = api("getMe")
            return Me(int(found["id"]), str(found["username"]))
        except BotRefused as exc:
            need_token(exc)
            why, after = Sentence.own(exc.why), exc.after
        except Unreachable as exc:
            why, after = exc.why, 0.0
        except (LookupError, TypeError, ValueError):
            raise ConfigError("telegram.url answers, but not as Telegram's Bot API does") from None
        if wait == 1.0:
            log.warning("Telegram cannot be reached, trying again: %s", why)
        pause(max(wait, after))
        wait = min(wait * 2, _LONGEST_PAUSE)


class TelegramDoor:
    """One bot for one agent."""

    def __init__(
        self,
        soul: Soul,
        api: Api,
        me: Me,
        pairing: Pairing,
        settings: Settings,
        clock: Callable[[], datetime],
    ) -> None:
        self.alarm = Alarm()
        self._soul = soul
        self._api = api
        self._pairing = pairing
        self._settings = settings.of_plugin("telegram", TelegramSettings)
        self._learns = settings.flush.enabled
        self._clock = clock
        # A pause between two tries of one message is not for whoever wakes the polling.
        self._time = Time(time.monotonic, threading.Event().wait)
        self.workers = Workers(in_thread, self._time.pause)
        bot = Bot(soul, api, me, pairing, self._settings, self._time)
        self.polling = Polling(api, self.workers, bot.take, self.alarm.pause, wake=self.alarm.wake)

    def run(self, *, once: bool = False) -> None:
        """Fetch and answer until it is stopped; *once*, only what has come already."""
        spare_memory()
        if self._learns and self._soul.models.background is not None:
            self._soul.learning.want_left()
        while not self.alarm.is_stopped:
            self.polling.step(**({"wait": 0} if once else {}))
            self._tell_morning()
            if once and not self.polling.is_busy:
                break
        until = time.monotonic() + _GRACE
        while self.polling.is_busy and time.monotonic() < until:
            self._time.pause(0.05)
        self.workers.is_stopped = True
        self.polling.confirm()

    def _tell_morning(self) -> None:
        """Send the note of last night, if that is wanted and it is morning."""
        if not self._settings.morning_note:
            return
        try:
            chats = [TelegramChat(self._api, owner.id, self._time) for owner in self._pairing.owners()]
            tell_morning(self._soul, self._pairing, chats, self._clock(), hour=self._settings.morning_hour)
        except AlmarioError as exc:
            log.warning("the morning note could not be sent: %s", sentence_of(exc))


def run_until_signalled(door: TelegramDoor, signals: Waiting, *, once: bool = False) -> None:
    """Run a door in a thread until a signal comes or it ends; AlmarioError says why it could not go on."""
    over, failed = threading.Event(), list[AlmarioError]()

    def run() -> None:
        try:
            door.run(once=once)
        except AlmarioError as exc:
            failed.append(exc)
        finally:
            over.set()
            signals.wake()

    runner = threading.Thread(target=run, name="almario-telegram-polling", daemon=True)
    runner.start()
    while not over.is_set() and not signals.wait(60):
        continue
    door.alarm.stop()
    if door.polling.is_busy:  # else it waits for Telegram, which may take its time
        runner.join(_GRACE + 2)
    if failed:
        raise failed[0]


def tell_morning(
    soul: Soul, pairing: Pairing, chats: list[TelegramChat], now: datetime, *, hour: int
) -> bool:
    """Send what the agent wrote last night, and what it proposes, once; say whether it was sent."""
    here = now.astimezone(soul.zone)
    night = soul.reflection.latest() if here.hour >= hour else None
    if night is None or here.date() - night.day > timedelta(days=1):
        return False
    if night.day.isoformat() <= pairing.last_morning:
        return False
    pairing.note(told=night.day.isoformat())
    proposals = [each for each in soul.proposals.list() if each.reflection == night.id]
    for chat in chats if night.entry else ():
        chat.say("\n".join(line.lstrip("# ") for line in night.entry.splitlines()))
        for proposal in proposals:
            buttons.show(proposal, chat)
    return bool(night.entry)
