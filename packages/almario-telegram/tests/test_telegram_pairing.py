"""Pairing, and the command: a code from the terminal makes an account the owner's, and nothing else does."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.errors import SoulError, StoreError
from almario.store.papers import FolderPapers
from almario.testing import FixedClock
from almario_telegram.pairing import FILE, Pairing
from tests.apps.conftest import Run
from tests.apps.telegram_stand_in import ANA, GROUP, PEPE, TOKEN, Telegram, alive, over_http
from tests.tables import each_row


def pairing_in(folder: Path, clock: FixedClock | None = None) -> Pairing:
    return Pairing(FolderPapers(folder), "default", clock or FixedClock())


def wrong(code: str, number: int = 0) -> str:
    return code[:-1] + "23456789"[number] if code[-1] != "23456789"[number] else wrong(code, number + 1)


def test_a_code_pairs_one_account_once_however_it_is_typed(tmp_path: Path) -> None:
    pairing = pairing_in(tmp_path)
    code = pairing.new_code()

    assert pairing.tried(ANA, "Ana", f"  {code.lower().replace('-', ' ')} ") == "paired"
    assert pairing.tried(PEPE, "Pepe", code) == "no code"

    assert [owner.id for owner in pairing.owners()] == [ANA]
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert code.replace("-", "") not in path.read_text()
    assert not Pairing(FolderPapers(tmp_path), "other", FixedClock()).is_owner(ANA)  # one bot, one agent


def test_a_code_ends_after_ten_minutes_and_with_the_next_one(tmp_path: Path) -> None:
    clock = FixedClock()
    pairing = pairing_in(tmp_path, clock)
    old, code = pairing.new_code(), pairing.new_code()
    assert pairing.tried(ANA, "Ana", old) == "wrong"

    clock.advance(minutes=10)

    assert pairing.tried(ANA, "Ana", code) == "wrong"
    assert pairing.owners() == []


def test_guessing_ends_soon_for_one_and_for_all(tmp_path: Path) -> None:
    pairing = pairing_in(tmp_path)
    code = pairing.new_code()
    for number in range(3):
        assert pairing.tried(PEPE, "Pepe", wrong(code, number)) == "wrong"
    assert pairing.tried(PEPE, "Pepe", code) == "wrong"
    assert pairing.tried(ANA, "Ana", code) == "paired"  # it is still there for others

    code = pairing.new_code()
    for guesser in range(100, 120):
        pairing.tried(guesser, "Bot", wrong(code))
    assert pairing.tried(8, "Late", code) == "no code"
    assert [owner.id for owner in pairing.owners()] == [ANA]


def test_who_is_paired_can_be_unpaired_by_name_or_id(tmp_path: Path) -> None:
    pairing = pairing_in(tmp_path)
    for number, name in ((1, "Ana"), (2, "Ana"), (3, "Eva")):
        pairing.tried(number, name, pairing.new_code())

    with pytest.raises(SoulError, match="several accounts"):
        pairing.unpair("Ana")
    with pytest.raises(SoulError, match="is not paired"):
        pairing.unpair("Pepe")
    assert len(pairing.owners()) == 3

    pairing.unpair("2")
    pairing.unpair("Eva")
    assert [owner.id for owner in pairing.owners()] == [1]


@each_row("content", [b"", b"[]", b'{"default": 1}', b"\xff"])
def test_a_file_that_cannot_be_read_makes_nobody_the_owner(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)

    with pytest.raises(StoreError, match="delete it and pair again"):
        pairing_in(tmp_path).is_owner(ANA)


def test_in_the_chat_the_code_pairs_and_what_came_before_stays_a_strangers(tmp_path: Path) -> None:
    living = alive(tmp_path, paired=())
    living.telegram.write(ANA, "Hi, it is me")
    living.step()
    assert "almario telegram pair" in living.telegram.said(ANA)[0]
    assert living.llm.asked == []

    living.telegram.write(PEPE, f"/start {wrong(living.pairing.new_code())}")
    code = living.pairing.new_code()
    living.telegram.write(ANA, code, GROUP)  # in a group nobody is paired
    living.telegram.write(ANA, f"/start {code}")
    living.telegram.write(ANA, "Hi again")
    living.step()

    assert living.telegram.said(PEPE) == ["That code is wrong or has expired."]
    assert living.telegram.said(ANA)[1].startswith("Paired.")
    assert living.texts("telegram:5") == ["Hi again", "Hello."]
    assert living.soul.audience("telegram:5").is_private


def test_strangers_are_not_told_more_than_a_few_times_who_it_is(tmp_path: Path) -> None:
    living = alive(tmp_path)
    for _ in range(20):
        living.telegram.write(PEPE, "/start")
    living.step()

    assert len(living.telegram.said(PEPE)) == 5


# The command.


@pytest.fixture
def at(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A home with an agent; the function says where its Telegram is."""
    almario.create(home).close()
    monkeypatch.setenv("ALMARIO_TELEGRAM_TOKEN", TOKEN)
    return lambda url: monkeypatch.setenv("ALMARIO_TELEGRAM_URL", url)


def test_from_the_first_start_to_the_first_message(run: Run, at: Callable[[str], None], home: Path) -> None:
    telegram = Telegram()
    with over_http(telegram) as url:
        at(url)
        shown = run("telegram", "--once")
        assert (shown.code, shown.err) == (0, "")
        assert "@alma_bot answers as Alma." in shown.out
        assert "Nobody is paired yet" in shown.out  # a code is for a terminal, not for a log
        link = run("telegram", "pair").out.split()[-1]
        assert link.startswith("https://t.me/alma_bot?start=")

        telegram.write(ANA, f"/start {link.rpartition('=')[2]}")
        telegram.write(ANA, "Remember that I row on Tuesdays")
        run("telegram", "--once")

    assert telegram.updates == []
    with almario.open(home) as soul:
        assert [memory.value for memory in soul.memory.list()] == ["I row on Tuesdays"]
    assert "I row on Tuesdays" in (home / "agents/default/MEMORY.md").read_text()
    assert json.loads(run("telegram", "list", "--json").out)[0]["name"] == "Ana"
    assert "Ana" in run("telegram", "list").out
    assert run("telegram", "unpair", "Ana").out == "Ana (5) is no longer paired.\n"
    assert "Nobody is paired yet" in run("telegram", "list").out


def test_the_token_goes_to_no_address_that_only_an_agent_names(
    run: Run, at: Callable[[str], None], home: Path
) -> None:
    telegram = Telegram()
    with over_http(telegram) as url:
        (home / "agents/default/agent.toml").write_text(f'[telegram]\nurl = "{url}"\n')
        refused = run("telegram", "--once")
        (home / "almario.toml").write_text(f'[telegram]\nurl = "{url}"\n')
        named = run("telegram", "--once")

    assert (refused.code, refused.err) == (
        2,
        "Error: the token goes to no address that an agent's own settings name; "
        "put telegram.url into almario.toml\n",
    )
    assert named.code == 0


def test_what_is_wrong_is_one_sentence(
    run: Run, at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    telegram = Telegram()
    with over_http(telegram) as url:
        at(url)
        monkeypatch.setenv("ALMARIO_TELEGRAM_TOKEN", TOKEN[:-1] + "B")
        refused = run("telegram", "--once")
    assert refused.code == 2
    assert refused.err == (
        "Error: Telegram does not accept the token in ALMARIO_TELEGRAM_TOKEN; copy it again from @BotFather\n"
    )
    monkeypatch.delenv("ALMARIO_TELEGRAM_TOKEN")
    missing = run("telegram")
    assert (missing.code, missing.err.startswith("Error: ALMARIO_TELEGRAM_TOKEN is not set")) == (2, True)
    assert run("telegram", "unpair", "Nadie").code == 2
