"""The account of what models cost, and the budget that background work keeps to."""

import json
import logging
import os
import stat
import threading
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.conversation.settings import ModelSettings
from almario.domain.talk import Ask, Message, Reply, Usage
from almario.errors import BadReply, ConfigError, LLMUnavailable
from almario.ports import Hear
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.structured_reply import ask_for
from almario.testing import FixedClock, ScriptedLLM
from almario.upkeep.costs import Costs, Metered
from almario.upkeep.rules.costs import PaidCall, Spent, decode_call, encode_call, priced, prices_in
from tests.bad_replies import BAD_REPLIES, ids
from tests.tables import each_row

BUENOS_AIRES = ZoneInfo("America/Argentina/Buenos_Aires")
ASK = Ask((Message("user", "hello there"),), stable="Be kind.")
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def account(folder: Path, clock: FixedClock, **settings: object) -> Costs:
    return Costs(FolderStore(folder, clock, BUENOS_AIRES), ModelSettings(**settings))  # type: ignore[arg-type]


@pytest.fixture
def costs(tmp_path: Path, clock: FixedClock) -> Costs:
    return account(tmp_path, clock)


def test_every_call_is_a_line_of_its_month(costs: Costs, tmp_path: Path) -> None:
    costs.add("chat", "anthropic/claude-x", Usage(100, 20, 80, 0.25))
    costs.add("flush", "ollama/qwen", Usage(10, 2))

    lines = (tmp_path / "costs/2026-11.jsonl").read_text().splitlines()

    assert json.loads(lines[0]) == {
        "at": "2026-11-14T13:30:00+00:00",
        "job": "chat",
        "model": "anthropic/claude-x",
        "told": 100,
        "said": 20,
        "cached": 80,
        "cost": 0.25,
    }
    assert "cost" not in json.loads(lines[1])


def test_only_the_owner_can_read_them(costs: Costs, tmp_path: Path) -> None:
    costs.add("chat", "m", Usage(1, 1))

    assert stat.S_IMODE((tmp_path / "costs").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "costs/2026-11.jsonl").stat().st_mode) == 0o600


def test_the_owners_zone_decides_the_day_and_the_month(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 12, 1, 2, 59, tzinfo=UTC))  # in Buenos Aires it is still November
    costs = account(tmp_path, clock)
    costs.add("chat", "m", Usage(1, 1))
    clock.advance(minutes=1)
    costs.add("chat", "m", Usage(5, 5))

    assert sorted(os.listdir(tmp_path / "costs")) == ["2026-11.jsonl", "2026-12.jsonl"]
    assert costs.spent().tokens == 10
    assert costs.spent(date(2026, 11, 30)).tokens == 2
    assert list(costs.report(2).days) == [date(2026, 11, 30), date(2026, 12, 1)]


def test_a_day_is_whole_after_the_owner_has_travelled(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 12, 1, 1, 0, tzinfo=UTC))
    Costs(FolderStore(tmp_path, clock, UTC), ModelSettings()).add("chat", "m", Usage(1, 1))

    assert account(tmp_path, clock).spent(date(2026, 11, 30)).calls == 1


def test_a_report_sums_by_day_job_and_model(costs: Costs, clock: FixedClock) -> None:
    costs.add("chat", "a/x", Usage(100, 10, 50, 0.5))
    clock.advance(days=1)
    costs.add("flush", "a/x", Usage(7, 3, 0, 0.25))
    costs.add("chat", "b/y", Usage(1, 1))

    report = costs.report(2)

    assert report.total == Spent(3, 108, 14, 50, 0.75, 1, 0)
    assert {str(day): spent.calls for day, spent in report.days.items()} == {"2026-11-14": 1, "2026-11-15": 2}
    assert {job: spent.tokens for job, spent in report.jobs.items()} == {"chat": 112, "flush": 10}
    assert list(report.models) == ["a/x", "b/y"]
    assert costs.report(1).total.calls == 2


def test_lines_that_are_torn_or_foreign_are_passed_over(costs: Costs, tmp_path: Path) -> None:
    costs.add("chat", "m", Usage(1, 1))
    good = (tmp_path / "costs/2026-11.jsonl").read_text()
    foreign = [
        "",
        "null",
        "[]",
        "7",
        '"at"',
        "\0\0\0",
        "{}",
        good[: len(good) // 2],
        "[" * 100_000,
        "<<<<<<< ours",
        good.strip().replace('"told":1', '"told":-1'),
        good.strip().replace('"told":1', '"told":true'),
        good.strip().replace('"told":1', '"told":1e3'),
        good.strip().replace('"told":1', '"told":' + "9" * 400),
        good.strip().replace('"told":1', '"cost":NaN,"told":1'),
        good.strip().replace('"told":1', '"cost":1e999,"told":1'),
        good.strip().replace('"told":1', '"cost":"3","told":1'),
        good.strip().replace('"job":"chat"', '"job":["chat"]'),
        good.strip().replace("+00:00", ""),
        good.strip().replace("2026-11-14T13", "0001-01-01T00"),
    ]
    (tmp_path / "costs/2026-11.jsonl").write_bytes(
        "\n".join([*foreign, good]).encode() + b"\xff\xfe\n" + good.encode()
    )

    assert costs.spent().calls == 2


def test_a_call_after_a_torn_line_is_not_lost_with_it(costs: Costs, tmp_path: Path) -> None:
    costs.add("chat", "m", Usage(1, 1))
    path = tmp_path / "costs/2026-11.jsonl"
    path.write_bytes(path.read_bytes()[:-20])

    costs.add("chat", "m", Usage(5, 5))

    assert costs.spent() == Spent(1, 5, 5, 0, 0.0, 1, 0)


def test_a_full_disk_leaves_half_a_line_and_no_wrong_sum(
    costs: Costs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:30]))
        costs.add("chat", "m", Usage(1, 1))

    assert "No space left on device" in caplog.text
    assert costs.spent().calls == 1
    costs.add("chat", "m", Usage(5, 5))
    assert costs.spent().tokens == 12


def test_calls_entered_at_once_are_all_there(costs: Costs) -> None:
    def spend() -> None:
        for _ in range(50):
            costs.add("chat", "m", Usage(1, 1))

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert costs.spent().calls == 400


@pytest.mark.parametrize("obstacle", ["a file for the folder", "a folder for the file", "a pipe", "no vault"])
def test_a_disk_that_refuses_breaks_no_answer(
    obstacle: str, tmp_path: Path, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    vault = tmp_path / "vault"
    costs = account(vault, clock, daily_tokens=10)
    if obstacle != "no vault":
        vault.mkdir()
    if obstacle == "a file for the folder":
        (vault / "costs").write_text("")
    elif obstacle == "a folder for the file":
        (vault / "costs/2026-11.jsonl").mkdir(parents=True)
    elif obstacle == "a pipe":
        (vault / "costs").mkdir()
        os.mkfifo(vault / "costs/2026-11.jsonl")
    llm = Metered(ScriptedLLM(Reply("hi", usage=Usage(8, 4))), costs, "flush", background=True)

    with caplog.at_level(logging.WARNING):
        assert llm.reply(ASK).text == "hi"

    assert "the cost of scripted/model for flush could not be saved" in caplog.text
    assert obstacle != "no vault" or not vault.exists()
    with pytest.raises(LLMUnavailable):  # the budget counts what this process knows
        llm.reply(ASK)


def test_prices_are_read_with_beginnings() -> None:
    prices = prices_in(" Anthropic/Claude-x = 3, 15, 0.3; anthropic/* = 1, 5 ;ollama/qwen3:8b=0,0; ")
    usage = Usage(2_000_000, 1_000_000, 1_000_000)

    assert priced("anthropic/claude-x", usage, prices).cost == pytest.approx(3 + 0.3 + 15)
    assert priced("anthropic/claude-y", usage, prices).cost == pytest.approx(2 + 5)
    assert priced("ollama/qwen3:8b", usage, prices).cost == 0
    assert priced("openai/gpt", usage, prices).cost is None
    assert priced("anthropic/claude-x", usage._replace(cost=0.5), prices).cost == 0.5


def test_the_price_that_names_a_model_best_counts() -> None:
    prices = prices_in("a/* = 1, 1; a/large-* = 2, 2; a/large-x = 3, 3; a/large-x* = 4, 4; * = 9, 9")
    million = Usage(1_000_000)

    costs = [priced(model, million, prices).cost for model in ("a/small", "a/large-y", "a/large-x", "b/z")]
    assert costs == [1, 2, 3, 9]


@each_row(
    "bad",
    [
        "x",
        "a/b",
        "a/b =",
        "= 3, 15",
        "a/b = 3",
        "a/b = 3 15",
        "a/b = 3, x",
        "a/b = -1, 2",
        "a/b = nan, 1",
        "a/b = inf, 1",
        "a/b = 1, 2, 3, 4",
        "a/b = 3,5, 15",
        "a/b = 3, 15,5",
        "a/b = 1, 2; c/d = 5",
    ],
)
def test_a_bad_price_is_named_with_its_setting(bad: str, tmp_path: Path, clock: FixedClock) -> None:
    with pytest.raises(ConfigError, match=r"^llm\.prices: .* is not a price; write provider/model = 3, 15"):
        account(tmp_path, clock, prices=bad)


def test_every_answer_is_entered_with_its_job_and_model(costs: Costs) -> None:
    llm = Metered(ScriptedLLM(Reply("hi", model="a/b", usage=Usage(9, 3, 1, 0.5))), costs, "chat")
    heard: list[str] = []

    assert llm.reply(ASK, heard.append).text == "hi"

    assert heard == ["hi"]
    assert costs.report().jobs == {"chat": Spent(1, 9, 3, 1, 0.5, 0, 0)}
    assert list(costs.report().models) == ["a/b"]


@each_row("name", ids)
def test_a_bad_reply_and_its_repair_are_both_entered(name: str, costs: Costs, clock: FixedClock) -> None:
    clock.advance(days=40)  # what was spent in other months is not read again
    llm = Metered(ScriptedLLM(BAD_REPLIES[name]), costs, "flush")
    before = costs.spent().calls

    with pytest.raises((BadReply, LLMUnavailable)) as caught:
        ask_for(llm, ASK._replace(schema=SCHEMA))

    # What never came is not paid for.
    assert costs.spent().calls - before == (0 if isinstance(caught.value, LLMUnavailable) else 2)


class Uncounted:
    """A model whose provider counts no tokens."""

    model = "silent/model"

    def is_available(self) -> bool:
        return True

    def reply(self, ask: Ask, hear: object = None) -> Reply:
        return Reply("one two three four")


def test_tokens_that_nobody_counted_are_estimated(costs: Costs, tmp_path: Path) -> None:
    Metered(Uncounted(), costs, "chat").reply(ASK)

    _, line = (tmp_path / "costs/2026-11.jsonl").read_text().splitlines()
    assert json.loads(line)["estimated"] is True
    assert costs.spent().told > 0
    assert costs.spent().said > 0


def test_an_answer_that_was_stopped_is_entered_as_far_as_it_came(costs: Costs) -> None:
    def stop(piece: str) -> None:
        if piece.startswith("three"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Metered(ScriptedLLM("one two three four"), costs, "chat").reply(ASK, stop)

    assert costs.spent().calls == 1
    assert costs.spent().said > 0


class Killed(ScriptedLLM):
    """A model whose caller is killed while it answers."""

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        raise SystemExit


def test_a_call_whose_answer_was_lost_counts_by_estimate(costs: Costs) -> None:
    with pytest.raises(SystemExit):
        Metered(Killed(), costs, "flush").reply(ASK)

    spent = costs.spent()
    assert (spent.calls, spent.unanswered, spent.said) == (1, 1, 0)
    assert spent.told > 0

    Metered(ScriptedLLM(Reply("hi", usage=Usage(9, 3))), costs, "flush").reply(ASK)
    assert (costs.spent().calls, costs.spent().unanswered) == (2, 1)


def test_a_call_that_never_came_about_costs_nothing(costs: Costs) -> None:
    with pytest.raises(LLMUnavailable):
        Metered(ScriptedLLM(LLMUnavailable("no network")), costs, "flush").reply(ASK)

    assert costs.spent() == Spent()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"daily_tokens": 100}, "(100 of 100 tokens)"),
        ({"daily_cost": 0.5}, "($0.50 of $0.50)"),
        ({"daily_tokens": 1000, "daily_cost": 0.5}, "($0.50 of $0.50)"),
    ],
)
def test_background_work_stops_at_the_budget_until_the_next_day(
    settings: dict[str, float], said: str, tmp_path: Path, clock: FixedClock
) -> None:
    costs = account(tmp_path, clock, **settings)
    inner = ScriptedLLM("hi")
    llm = Metered(inner, costs, "flush", background=True)
    costs.add("chat", "m", Usage(60, 30, 0, 0.25))
    assert not costs.over()
    costs.add("chat", "m", Usage(5, 5, 0, 0.25))

    with pytest.raises(LLMUnavailable) as caught:
        llm.reply(ASK)

    assert caught.value.passes
    assert str(caught.value) == f"the daily budget for background work is used up {said}"
    assert inner.asked == []
    assert costs.over()
    assert Metered(inner, costs, "chat").reply(ASK).text == "hi"
    clock.advance(days=1)
    assert llm.reply(ASK).text == "hi"


def test_without_a_budget_nothing_stops(costs: Costs) -> None:
    costs.add("chat", "m", Usage(10**9, 10**9, 0, 10**6))

    assert not costs.over()
    assert Metered(ScriptedLLM("hi"), costs, "flush", background=True).reply(ASK).text == "hi"


def test_another_process_spends_from_the_same_budget(tmp_path: Path, clock: FixedClock) -> None:
    account(tmp_path, clock).add("chat", "m", Usage(100, 0))

    assert account(tmp_path, clock, daily_tokens=100).over()


@given(
    st.integers(10**9, 4 * 10**9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.text(),
    st.text(),
    st.builds(Usage, *[st.integers(0, 10**9)] * 3, st.none() | st.integers(0, 10**6).map(lambda n: n / 1000)),
    st.booleans(),
)
def test_a_line_holds_a_call(at: datetime, job: str, model: str, usage: Usage, is_estimated: bool) -> None:
    call = PaidCall(at, job, model, *usage, is_estimated)
    line = encode_call(call)

    assert line.count(b"\n") == 1
    assert decode_call(line) == call


@given(st.binary())
def test_any_line_is_read_or_passed_over(line: bytes) -> None:
    assert decode_call(line) is None


def test_the_account_is_not_recalled_and_a_purge_leaves_it_whole(soul: Soul) -> None:
    soul.costs.add("zebra-job", "zebra/model", Usage(4242, 7))
    soul.remember("toy: zebra/model")

    assert {hit.text for hit in soul.recall("zebra")} == {"zebra/model"}
    soul.memory.purge(soul.memory.plan_purge("toy"))

    assert list(soul.costs.report().models.items()) == [("zebra/model", Spent(1, 4242, 7, 0, 0.0, 1, 0))]
    assert soul.memory.verify() == []
