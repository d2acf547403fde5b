"""What Telegram brings is confirmed when it is kept and answered; trouble on the way is waited out."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from almario.errors import ConfigError, StoreError
from almario.testing import FixedClock
from almario_telegram.bot_api import BotApi, BotRefused, Unreachable
from almario_telegram.door import introduced, tell_morning
from almario_telegram.polling import PollingWork, Workers
from almario_telegram.sending import TelegramChat
from tests.apps.telegram_stand_in import (
    ANA,
    BOT,
    NO_NETWORK,
    PEPE,
    TOKEN,
    Passing,
    Telegram,
    alive,
    over_http,
    refused,
)
from tests.memory_store import MemoryStore
from tests.tables import each_row

MINE = "telegram:5"


def test_an_update_is_confirmed_when_it_is_kept_and_answered_and_not_before(tmp_path: Path) -> None:
    living = alive(tmp_path, at_once=False)
    first = living.telegram.write(ANA, "Hi there")
    other = living.telegram.write(PEPE, "Hi there")
    living.step()
    assert living.polling.is_busy

    living.later.pop()()  # the other one's
    living.step()
    assert living.telegram.updates == [first, other]

    living.later.pop()()
    living.step()
    assert living.telegram.updates == []
    assert len(living.telegram.said(ANA)) == len(living.telegram.said(PEPE)) == 1


def test_messages_of_a_chat_are_answered_in_order_and_those_of_others_meanwhile(tmp_path: Path) -> None:
    living = alive(tmp_path, at_once=False)
    for text in ("one", "two"):
        living.telegram.write(ANA, text)
    living.telegram.write(PEPE, "three")
    living.step()
    assert len(living.later) == 2

    while living.later:
        living.later.pop(0)()
    assert living.texts(MINE) == ["one", "Hello.", "two", "Hello."]


@each_row("killed", ["before it is kept", "while the model thinks", "before it is confirmed"])
def test_after_a_kill_a_message_is_there_once_and_is_answered(killed: str, tmp_path: Path) -> None:
    telegram, store = Telegram(), MemoryStore(FixedClock())
    told = telegram.write(ANA, "I row on Tuesdays")
    doomed = alive(tmp_path, telegram=telegram, store=store, at_once=False)
    doomed.step()
    if killed == "while the model thinks":
        doomed.llm.lines[:] = [KeyError()]
    if killed != "before it is kept":
        with suppress(KeyError):
            doomed.later.pop()()
    assert telegram.updates == [told]

    living = alive(tmp_path, telegram=telegram, store=store)
    living.step()
    living.step()

    assert living.texts(MINE) == ["I row on Tuesdays", "Hello."]
    assert set(telegram.said(ANA)) == {"Hello."}
    assert telegram.updates == []


def test_the_same_update_twice_is_taken_once(tmp_path: Path) -> None:
    living = alive(tmp_path)
    told = living.telegram.write(ANA, "Hi there")
    living.telegram.updates.append(told)
    living.step()
    living.telegram.updates = [told]
    living.telegram.fail("getUpdates", {"ok": True, "result": [told]})
    living.step()

    assert living.texts(MINE) == ["Hi there", "Hello."]


def test_what_cannot_be_written_is_not_confirmed_and_tried_until_it_can() -> None:
    passing, tries = Passing(), list[int]()

    def full() -> None:
        tries.append(1)
        if len(tries) < 4:
            raise StoreError("the disk is full")

    done: list[str] = []
    Workers(lambda work: work(), passing.pause).add(PollingWork("5/0", full), lambda: done.append("done"))

    assert (done, len(tries), passing.pauses) == (["done"], 4, [1.0, 2.0, 4.0])


def test_one_message_that_breaks_us_does_not_hold_up_the_next() -> None:
    later: list[object] = []
    workers = Workers(later.append, Passing().pause)
    done: list[str] = []

    def broken() -> None:
        raise ZeroDivisionError

    workers.add(PollingWork("5/0", broken), lambda: done.append("first"))
    workers.add(PollingWork("5/0", bool), lambda: done.append("second"))
    with pytest.raises(ZeroDivisionError):
        later.pop()()  # type: ignore[operator]
    later.pop()()  # type: ignore[operator]

    assert done == ["first", "second"]


def test_when_the_network_is_gone_it_waits_longer_each_time(tmp_path: Path) -> None:
    living = alive(tmp_path)
    living.telegram.write(ANA, "Hi there")
    living.telegram.fail(
        "getUpdates",
        *[NO_NETWORK] * 8,
        refused(502, "Bad Gateway"),
        refused(429, "Slow down", retry_after=99),
    )
    for _ in range(11):
        living.step()

    assert living.passing.pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 99]
    assert living.telegram.said(ANA) == ["Hello."]


def test_another_program_with_the_same_bot_is_said_in_a_sentence(tmp_path: Path) -> None:
    living = alive(tmp_path)
    conflict = refused(409, "Conflict: terminated by other getUpdates request")
    living.telegram.fail("getUpdates", *[conflict] * 5)
    for _ in range(4):  # one that is just ending is waited for
        living.step()

    with pytest.raises(ConfigError, match="another program receives this bot's messages"):
        living.step()


def test_odd_updates_are_passed_over(tmp_path: Path) -> None:
    living = alive(tmp_path)
    for content in ({}, {"chat": 5}, {"chat": {"id": 5, "type": "private"}, "from": None}):
        living.telegram.bring("message", content)
        living.telegram.bring("callback_query", content)
        living.telegram.bring("my_chat_member", content)
    living.telegram.bring("poll", {})
    living.telegram.fail("getUpdates", {"ok": True, "result": [5, {}, {"update_id": "x"}]})
    living.step()
    living.telegram.fail("getUpdates", {"ok": True, "result": 5})
    living.step()
    living.telegram.write(ANA, new_chat_members=[])
    living.step()
    living.step()

    assert living.telegram.updates == []
    assert living.telegram.messages == {}


# The Bot API over HTTP.


def test_the_real_thing_speaks_json_over_http_and_shows_its_token_in_no_error() -> None:
    telegram = Telegram()
    with over_http(telegram) as url:
        api = BotApi(TOKEN, url)
        assert introduced(api, Passing().pause) == BOT
        assert api("sendMessage", chat_id=5, text="¿Qué tal? 🐈 \ud83d", topic=None)["message_id"]
        assert telegram.calls[-1][1] == {"chat_id": 5, "text": "¿Qué tal? 🐈 �"}
        telegram.fail("sendMessage", refused(429, "Too Many Requests", retry_after=3))
        with pytest.raises(BotRefused) as blocked:
            api("sendMessage", chat_id=5, text="x")
        assert (blocked.value.code, blocked.value.after) == (429, 3.0)
        for nonsense in (b"moved", b"<html>", b'{"ok": 1}', b"[]"):
            telegram.answer = lambda method, fields, nonsense=nonsense: nonsense  # type: ignore[method-assign,misc]
            with pytest.raises(Unreachable, match="cannot be read"):
                api("getMe")
    with pytest.raises(Unreachable) as gone:
        api("getMe")
    assert TOKEN not in repr(gone.value)
    assert gone.value.__suppress_context__


@each_row(
    ("token", "url", "said"),
    [
        ("", "https://api.telegram.org", "is not a bot's token"),
        ("123456:AAAAAAAAAAAAAAAAAAAAAAAA/../x", "https://api.telegram.org", "is not a bot's token"),
        (TOKEN, "http://api.telegram.org", "must be an https address"),
        (TOKEN, "file:///etc/passwd", "must be an https address"),
        (TOKEN, "https://[", "must be an https address"),
    ],
)
def test_what_cannot_be_right_is_refused_before_anything_is_sent(token: str, url: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        BotApi(token, url)


def test_a_wrong_token_is_said_at_once_and_a_dead_network_is_waited_for() -> None:
    telegram, passing = Telegram(), Passing()
    telegram.fail("getMe", NO_NETWORK, refused(500, "Internal"), refused(401, "Unauthorized"))

    with pytest.raises(ConfigError, match="does not accept the token"):
        introduced(telegram, passing.pause)
    assert passing.pauses == [1, 2]

    telegram.fail("getMe", {"ok": True, "result": {"id": 5}})
    with pytest.raises(ConfigError, match="not as Telegram's Bot API does"):
        introduced(telegram, passing.pause)


# The morning.


def test_the_morning_note_is_sent_once_after_the_night(tmp_path: Path) -> None:
    clock = FixedClock()
    living = alive(tmp_path, "{}", clock=clock, settings={"proposals.accept": "Last Reflection"})
    chats = [TelegramChat(living.telegram, ANA, living.passing.time)]

    def tell() -> bool:
        return tell_morning(living.soul, living.pairing, chats, clock(), hour=8)

    assert not tell()
    living.soul.remember("Ana: likes tea")
    clock.now = clock.now.replace(hour=3)
    found = {"evidence": ["M1"], "dimension": "people", "text": "Ana likes tea."}
    own = {"file": "MOTIVATIONS.md", "title": "Current Focus", "body": "To offer Ana tea, which she likes."}
    design = {"changes": [{"evidence": ["M1"], **own}], "goals": [], "journal": "Ana likes tea."}
    living.llm.lines[:] = [json.dumps({"findings": [found], **design})]
    done = living.soul.reflection.run(trigger="night")
    assert done.entry, done.why

    assert not tell()  # it is three in the morning
    clock.advance(hours=6)
    assert tell()
    assert "Ana likes tea." in living.telegram.said(ANA)[0]
    assert "To offer Ana tea" in living.telegram.said(ANA)[1]
    assert len(living.telegram.buttons) == 1
    assert not tell()
    clock.advance(days=1)
    assert not tell()
