"""What can go wrong with a call: each is one sentence, tried again only where that may help."""

import contextlib
import json
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from almario.adapters.addresses import CallLimits, Endpoint
from almario.adapters.llm import patience
from almario.adapters.llm.anthropic import AnthropicLLM
from almario.adapters.llm.openai import OpenAILLM
from almario.domain.talk import Ask, Message
from almario.errors import LLMUnavailable, MissingExtra
from almario.ports import LLM
from tests.adapters.llm_servers import (
    LONG,
    Answering,
    Said,
    Step,
    anthropic_events,
    cut_after,
    dropped,
    ended_after,
    failing,
    openai_events,
    serving,
    streaming,
    stuck_after,
    whole,
)
from tests.tables import each_row

KEY = "sk-very-secret-key-0123456789"
PROMPT = "the owner's diary of the eleventh of May"
ASK = Ask((Message("user", PROMPT),), stable="You are Alma, who keeps secrets.")
BAD_KEY = "sk-ñandú\nx"
HELLO = Said(["Good ", "morning, ", "Ana"])


def before_ana(events: list[bytes]) -> int:
    """Return how many events come before the last piece of HELLO."""
    return next(place for place, event in enumerate(events) if b"Ana" in event)


class Talk(NamedTuple):
    """One of the providers: how it streams, and how to ask it."""

    events: Callable[[Said], list[bytes]]
    make: Callable[..., LLM]


def anthropic(url: str, limits: CallLimits, key: str = KEY) -> LLM:
    return AnthropicLLM(Endpoint("anthropic", url, "big-model", key, "ANTHROPIC_API_KEY"), limits)


def openai(url: str, limits: CallLimits, key: str = KEY) -> LLM:
    return OpenAILLM(Endpoint("openai", f"{url}/v1", "big-model", key, "OPENAI_API_KEY"), limits)


@pytest.fixture(params=["anthropic", "openai"])
def talk(request: pytest.FixtureRequest) -> Talk:
    if request.param == "anthropic":
        return Talk(anthropic_events, anthropic)
    return Talk(openai_events, openai)


class Waits(list[float]):
    """Notes for how long it was waited, and does not wait."""

    def limits(self, *, timeout: float = LONG, retries: int = 2) -> CallLimits:
        return CallLimits(timeout, retries, pause=self.append)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@each_row(
    ("status", "said", "passes", "times"),
    [
        (400, "refused the call (400: no such thing as a temperature)", False, 1),
        (401, "enter the right one on the settings page, or in {variable} if you set that", False, 1),
        (402, "has no credit left", False, 1),
        (403, "does not let this key use big-model; correct {variable}", False, 1),
        (404, "has no model big-model; correct llm.model", False, 1),
        (429, "is rate-limiting us", True, 3),
        (500, "is having problems (500: no such thing", True, 3),
        (503, "is having problems (503", True, 3),
        (529, "is having problems (529", True, 3),
    ],
)
def test_an_error_is_one_sentence_and_tried_again_only_if_it_may_pass(
    talk: Talk, status: int, said: str, passes: bool, times: int
) -> None:
    waits = Waits()
    with serving(failing(status, "no such thing as a temperature")) as server:
        with pytest.raises(LLMUnavailable) as caught:
            talk.make(server.url, waits.limits()).reply(ASK)

        variable = "ANTHROPIC_API_KEY" if talk.make is anthropic else "OPENAI_API_KEY"
        assert said.format(variable=variable) in str(caught.value)
        assert caught.value.passes == passes
        assert len(server.asked) == times
        assert len(waits) == times - 1


def test_a_page_of_a_proxy_is_no_reason(talk: Talk, waits: Waits) -> None:
    page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>"
    with (
        serving(failing(502, page)) as server,
        pytest.raises(LLMUnavailable, match=r"having problems \(502: no reason given\)"),
    ):
        talk.make(server.url, waits.limits()).reply(ASK)


def test_a_quota_that_is_used_up_is_not_tried_again(talk: Talk, waits: Waits) -> None:
    with serving(failing(429, "You exceeded your quota", code="insufficient_quota")) as server:
        with pytest.raises(LLMUnavailable, match="no credit left") as caught:
            talk.make(server.url, waits.limits()).reply(ASK)

        assert not caught.value.passes
        assert len(server.asked) == 1


@pytest.mark.parametrize("step", [failing(529), failing(429), dropped], ids=["529", "429", "dropped"])
def test_what_passes_is_answered_in_the_end(talk: Talk, waits: Waits, step: Step) -> None:
    heard: list[str] = []
    with serving(step, step, streaming(talk.events(HELLO))) as server:
        reply = talk.make(server.url, waits.limits()).reply(ASK, heard.append)

    assert reply.text == "".join(heard) == "Good morning, Ana"
    assert 0.25 <= waits[0] <= 0.75
    assert 0.5 <= waits[1] <= 1.5


def test_no_two_callers_wait_equally_long(talk: Talk, waits: Waits) -> None:
    with serving(failing(500)) as server:
        llm = talk.make(server.url, waits.limits(retries=1))
        for _ in range(4):
            with pytest.raises(LLMUnavailable):
                llm.reply(ASK)

    assert len(set(waits)) == 4


def test_the_wish_of_a_provider_is_honoured(talk: Talk, waits: Waits) -> None:
    with serving(failing(429, Retry_After="7"), streaming(talk.events(HELLO))) as server:
        talk.make(server.url, waits.limits()).reply(ASK)

    assert waits == [7.0]


def test_who_wants_us_to_wait_for_an_hour_is_not_waited_for(talk: Talk, waits: Waits) -> None:
    with serving(failing(429, Retry_After="3600")) as server:
        with pytest.raises(LLMUnavailable, match="rate-limiting"):
            talk.make(server.url, waits.limits()).reply(ASK)

        assert len(server.asked) == 1
    assert waits == []


@pytest.mark.parametrize("cut", [cut_after, ended_after])
def test_an_answer_cut_in_the_middle_is_not_begun_again(
    talk: Talk, waits: Waits, cut: Callable[[list[bytes], int], Step]
) -> None:
    heard: list[str] = []
    events = talk.events(HELLO)
    with serving(cut(events, before_ana(events))) as server:
        with pytest.raises(LLMUnavailable, match="was cut off; try again") as caught:
            talk.make(server.url, waits.limits()).reply(ASK, heard.append)

        assert len(server.asked) == 1
    assert caught.value.passes
    assert heard == ["Good ", "morning, "]


@pytest.mark.parametrize("cut", [cut_after, ended_after])
def test_one_cut_before_anything_was_heard_is(
    talk: Talk, waits: Waits, cut: Callable[[list[bytes], int], Step]
) -> None:
    events = talk.events(HELLO)
    heard: list[str] = []
    with serving(cut(events, 1), cut(events, 0), streaming(events)) as server:
        assert talk.make(server.url, waits.limits()).reply(ASK, heard.append).text == "".join(heard)

        assert len(server.asked) == 3


def test_one_that_nobody_listened_to_may_be_begun_again(talk: Talk, waits: Waits) -> None:
    events = talk.events(HELLO)
    with serving(cut_after(events, before_ana(events)), streaming(events)) as server:
        assert talk.make(server.url, waits.limits()).reply(ASK).text == "Good morning, Ana"


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the patience with a server goes by whenever its answer is looked at."""
    ticks = count()
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: next(ticks) * LONG / 10))


@pytest.mark.usefixtures("slow_clock")
def test_blanks_are_no_words(talk: Talk, waits: Waits) -> None:
    events = talk.events(Said([" \n"] * 12))
    with serving(streaming(events)) as server:
        with pytest.raises(LLMUnavailable, match="was silent") as caught:
            talk.make(server.url, waits.limits()).reply(ASK)

        assert caught.value.passes
        assert len(server.asked) == 1


@pytest.mark.parametrize("drip", [b"HTTP/1.1 200 OK\r\n", b""], ids=["before it", "in it"])
def test_a_server_that_only_says_that_it_is_there_is_waited_for_no_longer_than_any(
    talk: Talk, waits: Waits, drip: bytes
) -> None:
    def dripped(call: Answering) -> None:
        if drip:
            call.wfile.write(drip)
        else:
            call.begin()
        with contextlib.suppress(OSError):
            while not call.server.owner.released.wait(0.02):
                call.wfile.write(b"X: y\r\n") if drip else call.chunk(b": still there\n\n")
        call.server.owner.left.set()
        call.close()

    with serving(dripped) as server:
        with pytest.raises(LLMUnavailable, match=r"was silent for 0\.3 seconds"):
            talk.make(server.url, waits.limits(timeout=0.3)).reply(ASK)

        assert server.left.wait(LONG)  # nobody reads on


def test_silence_is_told_and_not_waited_for_again(talk: Talk, waits: Waits) -> None:
    for said in (0, 1):
        with serving(stuck_after(talk.events(HELLO), said)) as server:
            with pytest.raises(LLMUnavailable, match=r"was silent for 0\.1 seconds") as caught:
                talk.make(server.url, waits.limits(timeout=0.1)).reply(ASK)

            assert caught.value.passes
            assert server.left.wait(LONG)
            assert len(server.asked) == 1


@pytest.mark.usefixtures("slow_clock")
def test_a_slow_answer_is_not_silence(talk: Talk, waits: Waits) -> None:
    with serving(streaming(talk.events(Said(list("abcdefghij"))))) as server:
        assert talk.make(server.url, waits.limits()).reply(ASK).text == "abcdefghij"


@pytest.mark.usefixtures("slow_clock")
def test_an_answer_without_end_is_heard_for_five_minutes(talk: Talk, waits: Waits) -> None:
    ended = pytest.raises(LLMUnavailable, match="had not come to an end after 300 seconds")
    with serving(streaming(talk.events(Said(["and so on "] * 1000)))) as server, ended:
        talk.make(server.url, waits.limits()).reply(ASK)


def test_a_server_that_is_not_there_is_told_at_once(talk: Talk, waits: Waits) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(LLMUnavailable, match=r"^nothing answers at \S+; start ") as caught:
            talk.make(url, waits.limits()).reply(ASK)

    assert caught.value.passes
    assert waits == []


def test_a_name_that_nobody_knows_is_a_matter_of_the_network(
    talk: Talk, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(LLMUnavailable, match=r"^no connection to \S+; check the address"):
        talk.make("http://nowhere.invalid", waits.limits()).reply(ASK)

    assert len(waits) == 2


def _error_events(talk: Talk, error: dict[str, object]) -> list[bytes]:
    data = json.dumps({"type": "error", "error": error})
    return [*talk.events(HELLO)[:1], f"event: error\ndata: {data}\n\n".encode()]


def test_an_error_within_a_stream_is_an_error(talk: Talk, waits: Waits) -> None:
    events = _error_events(talk, {"type": "overloaded_error", "message": "Overloaded"})
    with serving(streaming(events), streaming(talk.events(HELLO))) as server:
        assert talk.make(server.url, waits.limits()).reply(ASK).text == "Good morning, Ana"

        server.steps[:] = [streaming(_error_events(talk, {"type": "authentication_error", "message": "no"}))]
        with pytest.raises(LLMUnavailable, match="does not accept the key"):
            talk.make(server.url, waits.limits()).reply(ASK)


MALFORMED = [
    b"event: message_start\ndata: {broken\n\n",
    b'event: message_start\ndata: "text"\n\n',
    b"event: message_start\ndata: [1, 2]\n\n",
    b'event: message_start\ndata: {"type": "message_start"}\n\n',
    b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 9, "delta": {"type": '
    b'"input_json_delta", "partial_json": "{"}}\n\n',
    b'data: {"choices": "none"}\n\n',
    b'data: {"choices": [{"delta": {"tool_calls": [7]}}]}\n\n',
    b"data: " + b"[" * 100_000 + b"\n\n",
    b"\xff\xfe\x00",
    b"data",
    b"",
]


@each_row("raw", MALFORMED)
def test_a_stream_that_makes_no_sense_is_told_as_such(talk: Talk, raw: bytes) -> None:
    unclear = pytest.raises(LLMUnavailable, match=r"did not answer like|was cut off")
    with serving(streaming([raw] if raw else [])) as server, unclear as caught:
        talk.make(server.url, Waits().limits()).reply(ASK)

    assert caught.value.passes


@pytest.mark.parametrize(
    "step",
    [whole(200, b"<html>hello</html>"), whole(200, {}), whole(302, b"", Location="http://127.0.0.1:9/v1")],
    ids=["page", "json", "redirect"],
)
def test_an_address_of_something_else_is_told_as_such(talk: Talk, waits: Waits, step: Step) -> None:
    with serving(step) as server:
        with pytest.raises(LLMUnavailable, match=r"did not answer like .*; correct llm.url"):
            talk.make(server.url, waits.limits()).reply(ASK)

        assert len(server.asked) == 1


@each_row("status", [400, 500])
@each_row("quoted", [KEY, PROMPT, f"invalid: {PROMPT[4:24]}…", "who keeps  secrets"])
def test_neither_key_nor_prompt_is_in_any_error(talk: Talk, status: int, quoted: str) -> None:
    step = failing(status, f"this is wrong: {quoted} and more")
    with serving(step) as server, pytest.raises(LLMUnavailable) as caught:
        talk.make(server.url, Waits().limits(retries=0)).reply(ASK)

    shown = "".join(traceback.format_exception(caught.value))
    assert not [part for part in (KEY, PROMPT[4:24], "keeps") if part in shown]


def test_without_a_key_nothing_is_sent(talk: Talk, waits: Waits) -> None:
    with serving(streaming(talk.events(HELLO))) as server:
        llm = talk.make(server.url, waits.limits(), key="")
        with pytest.raises(
            LLMUnavailable, match=r"needs a key; enter it on the settings page, or set [A-Z]+_API_KEY"
        ) as caught:
            llm.reply(ASK)

        assert not llm.is_available()
        assert not caught.value.passes
        assert server.asked == []


def test_a_key_that_cannot_be_one_is_told_without_it(talk: Talk, waits: Waits) -> None:
    odd = pytest.raises(LLMUnavailable, match="characters that keys never have")
    with serving(streaming(talk.events(HELLO))) as server, odd as caught:
        talk.make(server.url, waits.limits(), key=BAD_KEY).reply(ASK)

    assert "ñandú" not in "".join(traceback.format_exception(caught.value))


def test_a_package_that_is_not_installed_is_told_with_the_line_to_run(
    talk: Talk, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.adapters.llm.calling.find_spec", lambda name: None)
    llm = talk.make("http://127.0.0.1:9", waits.limits())

    assert not llm.is_available()
    with pytest.raises(MissingExtra, match=r"run: .*pip install .*\[(anthropic|openai)\]'"):
        llm.reply(ASK)


def test_an_interruption_closes_the_connection(talk: Talk, waits: Waits) -> None:
    def listen(piece: str) -> None:
        raise KeyboardInterrupt

    with serving(stuck_after(talk.events(HELLO), 4)) as server:
        llm = talk.make(server.url, waits.limits())
        with pytest.raises(KeyboardInterrupt) as caught:
            llm.reply(ASK, listen)

        assert server.left.wait(LONG)
        assert caught.tb  # which keeps the stream: it was closed, not only forgotten


@pytest.fixture
def interrupt() -> Iterator[Callable[[], None]]:
    """What a Ctrl-C does to the main thread, whatever handles it now."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("count", [0, 2])
def test_an_interruption_while_waiting_closes_the_connection(
    talk: Talk, waits: Waits, interrupt: Callable[[], None], count: int
) -> None:
    steps = streaming(talk.events(HELLO)), stuck_after(talk.events(HELLO), count, interrupt)
    with serving(*steps) as server:
        llm = talk.make(server.url, waits.limits())
        llm.reply(ASK)  # the package is loaded by now
        with pytest.raises(KeyboardInterrupt) as caught:
            llm.reply(ASK)

        assert server.left.wait(LONG)
        assert caught.tb


def test_a_reply_without_end_is_not_read_without_end(
    talk: Talk, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.adapters.llm.calling._MAX_TEXT", 1000)
    piece = talk.events(Said(["x" * 100]))[:4]

    def endless(call: Answering) -> None:
        call.begin()
        for _ in range(10_000):
            call.chunk(b"".join(piece))

    with serving(endless) as server, pytest.raises(LLMUnavailable, match="did not answer like"):
        talk.make(server.url, waits.limits()).reply(ASK)
