"""What the daemon does for real agents, with a model that says what it is told to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.adapters.embedders.local import LocalEmbedder
from almario.domain.memories import Wanted
from almario.domain.talk import Usage
from almario.domain.turns import Utterance
from almario.errors import BadReply, LLMUnavailable
from almario.ports import LLM, Models
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM, WordEmbedder
from almario.upkeep.scheduler import OVER_BUDGET
from almario.wiring import daemon_parts, open_home
from almario.wiring.daemon_parts import Housekeeping, LogbookEntry, housekeeping
from tests.store.conftest import Held
from tests.waiting import comes_true

NOTHING_LEARNED = json.dumps({"facts": [], "episodes": [], "instructions": [], "summary": ""})
CANARY = "Zarzaparrilla"


class Keeper:
    """A home that is kept: rounds are made when the test says so."""

    def __init__(self, home: Path, clock: FixedClock, llm: LLM | None, **settings: Any) -> None:
        self.home, self.clock, self.llm = home, clock, llm
        self.settings = {"watch.enabled": False, "reflection.enabled": False, **settings}
        self.told: list[LogbookEntry] = []
        self.backups: list[str] = []
        self.left_out: list[str] = []
        self.keeping = self.started()

    def started(self) -> Housekeeping:
        upkeep = housekeeping(
            self.home,
            settings=self.settings,
            clock=self.clock,
            llm=self.llm,
            backup=self._back_up,
            show=self.told.append,
        )
        upkeep.state.begin(1)
        return upkeep

    def _back_up(self) -> list[str]:
        self.backups.append(self.clock().isoformat())
        return self.left_out

    def tick(self, **after: float) -> None:
        self.clock.advance(**after)
        self.keeping.rounds.make()

    def close(self) -> None:
        self.keeping.rounds.close()

    @property
    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.home / "daemon.json").read_text())
        return found

    def written(self) -> str:
        """Return all that the daemon itself has written."""
        log = self.home / "logs" / "daemon.jsonl"
        return (self.home / "daemon.json").read_text() + (log.read_text() if log.exists() else "")


Keep = Callable[..., Keeper]


@pytest.fixture
def keep(home: Path, clock: FixedClock) -> Any:
    made: list[Keeper] = []

    def make(llm: LLM | None = None, **settings: Any) -> Keeper:
        made.append(Keeper(home, clock, llm, **settings))
        return made[-1]

    yield make
    for keeper in made:
        keeper.close()


def talk(soul: Soul, session: str = "cli:main", text: str = "Tengo un gato.") -> None:
    soul.memory.append(
        session, [Utterance("user", text, "owner"), Utterance("assistant", "Qué lindo.", "agent")]
    )


def outcomes(keeper: Keeper, job: str) -> list[str]:
    return [entry.outcome for entry in keeper.told if entry.job == job]


def test_a_model_that_cannot_be_reached_is_not_asked_about_every_session(soul: Soul, keep: Keep) -> None:
    for n in range(5):
        talk(soul, f"cli:{n}")
    llm = ScriptedLLM(LLMUnavailable("silent"), NOTHING_LEARNED)
    keeper = keep(llm)

    keeper.tick(minutes=16)
    assert len(llm.asked) == 1
    keeper.tick(minutes=1)

    assert len(llm.asked) == 5  # all but the one that failed, which has its own pause


def test_a_session_that_is_too_much_for_a_model_holds_up_no_other(soul: Soul, keep: Keep) -> None:
    for n in range(3):
        talk(soul, f"cli:{n}")
    llm = ScriptedLLM(LLMUnavailable("too long", passes=False), NOTHING_LEARNED)

    keep(llm).tick(minutes=16)

    assert len(llm.asked) == 3


def test_a_session_that_goes_on_is_left_alone(soul: Soul, keep: Keep) -> None:
    talk(soul)
    llm = ScriptedLLM(NOTHING_LEARNED)
    keeper = keep(llm)

    keeper.tick(minutes=14)
    assert llm.asked == []
    keeper.tick(minutes=1)

    assert len(llm.asked) == 1


def test_without_a_model_what_was_said_waits_and_that_is_said_once(soul: Soul, keep: Keep) -> None:
    talk(soul)
    keeper = keep(None)

    for _ in range(5):
        keeper.tick(hours=2)

    assert outcomes(keeper, "learn")[:1] == ["waits"]
    assert len(outcomes(keeper, "learn")) <= 2  # it waits; and then nothing is left to be tried
    assert soul.memory.session("cli:main").why == "no model"


def test_what_has_expired_is_erased_only_after_as_many_days_as_are_set(soul: Soul, keep: Keep) -> None:
    soul.remember("plan: ir a Lugo", kind="fact")
    keeper = keep(**{"memory.purge_after": 30})

    keeper.tick(days=366)
    keeper.tick(days=28)
    assert soul.memory.list(Wanted(states=("expired",)))

    keeper.tick(days=2)

    assert soul.memory.list(Wanted(states=("expired",))) == []
    assert outcomes(keeper, "purge") == ["done"]


def test_without_a_model_a_night_waits_and_that_is_said_once(soul: Soul, keep: Keep) -> None:
    keeper = keep(None, **{"reflection.enabled": True})

    for _ in range(30):
        keeper.tick(hours=1)

    assert outcomes(keeper, "night") == ["waits"]
    assert keeper.status["agents"]["default"]["jobs"]["night"]["why"] == "no model"


def test_a_night_shortens_yesterdays_long_log(soul: Soul, keep: Keep, clock: FixedClock) -> None:
    for n in range(16):
        soul.log(f"Spoke about the {['boat', 'harbour'][n % 2]}, for the time {'abcdefghijklmnop'[n]}")
    lines = {"lines": [{"of": [1, 2], "text": "Spoke about the boat and the harbour"}]}
    keeper = keep(ScriptedLLM(json.dumps(lines)))

    keeper.tick(days=1)

    assert "] Spoke about the boat and the harbour\n" in soul.read("memory/2026-11-14.md").text
    assert outcomes(keeper, "condense") == ["done"]


def test_a_night_lets_old_versions_go_if_the_owner_says_so(soul: Soul, keep: Keep) -> None:
    for text in ("I am brief", "I am kind", "I am patient"):
        soul.write(soul.read("SOUL"), f"# Soul\n\n{text}.\n")

    keeper = keep(**{"versions.keep": 2})
    keeper.tick(days=1)
    keeper.tick(days=1)  # what erases waits for a second night: the clock may be wrong

    assert [each.kept for each in soul.history("SOUL")] == [False, False, True, True]
    assert outcomes(keeper, "prune") == ["done"]


def test_an_agent_that_is_removed_is_let_go_and_its_folder_stays_away(
    soul: Soul, keep: Keep, home: Path
) -> None:
    keeper = keep()
    keeper.tick()
    open_home(home).home.remove("default")
    keeper.tick(minutes=1)

    assert list(keeper.status["agents"]) == []
    assert not soul.path.exists()


def test_a_backup_is_made_once_a_night_after_the_agents(soul: Soul, keep: Keep) -> None:
    keeper = keep()

    for _ in range(48):
        keeper.tick(hours=1)

    assert keeper.backups == ["2026-11-15T03:30:00+00:00", "2026-11-16T03:30:00+00:00"]
    assert [entry.job for entry in keeper.told] == ["tidy", "backup"] * 2


def test_a_backup_that_is_not_complete_says_so_until_one_is(soul: Soul, keep: Keep) -> None:
    keeper = keep()
    keeper.left_out = ["a file"]
    keeper.tick()
    keeper.tick(days=1)

    said = keeper.status["home"]["jobs"]["backup"]
    assert (said["outcome"], said["tries"]) == ("done", 0)
    assert said["why"].startswith("something in it is missing or damaged")

    keeper.left_out = []
    keeper.tick(days=1)

    assert keeper.status["home"]["jobs"]["backup"]["why"] == ""


def test_no_backup_is_made_against_the_settings(soul: Soul, keep: Keep) -> None:
    keeper = keep(**{"backup.enabled": False})

    keeper.tick()
    keeper.tick(days=2)

    assert keeper.backups == []


def test_where_there_was_no_model_one_is_looked_for_every_hour(
    soul: Soul, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(soul)
    keeper, llm = keep(), ScriptedLLM(NOTHING_LEARNED)
    keeper.tick(minutes=16)
    monkeypatch.setattr("almario.wiring.models.models", lambda *_: Models(llm, llm))

    keeper.tick(minutes=30)
    assert llm.asked == []
    keeper.tick(minutes=30)

    assert len(llm.asked) == 1


def test_over_the_budget_of_all_agents_nobody_asks_a_model(
    soul: Soul, keep: Keep, home: Path, clock: FixedClock
) -> None:
    other = almario.create(home, "other", clock=clock)
    other.costs.add("chat", "scripted/model", Usage(8, 2))
    llm = ScriptedLLM(NOTHING_LEARNED)
    keeper = keep(llm, **{"daemon.daily_tokens": 10})
    keeper.tick()  # what the others have spent is known when they are open
    talk(soul)
    keeper.tick(minutes=16)
    assert (llm.asked, keeper.status["agents"]["default"]["jobs"]["learn"]["why"]) == ([], str(OVER_BUDGET))

    keeper.tick(days=1)
    assert len(llm.asked) >= 1


def test_a_night_that_failed_does_not_keep_the_memory_untidy(soul: Soul, keep: Keep) -> None:
    soul.log("Compró té.")
    keeper = keep(ScriptedLLM(LLMUnavailable("away")), **{"reflection.enabled": True})

    keeper.tick(days=1)

    assert outcomes(keeper, "night") == ["failed"]
    assert outcomes(keeper, "tidy") == ["done"]


@pytest.mark.parametrize(
    "error", [BadReply(f"it said {CANARY}"), LLMUnavailable(CANARY), f"{CANARY} is no JSON"]
)
def test_no_word_of_anybodys_is_written_by_the_daemon(soul: Soul, keep: Keep, error: Exception | str) -> None:
    soul.remember(f"planta: {CANARY}")
    talk(soul, session=f"cli:{CANARY}", text=f"Me gusta la {CANARY}.")
    soul.log(f"Compró {CANARY}.")
    keeper = keep(ScriptedLLM(error), **{"reflection.enabled": True, "memory.purge_after": 1})

    keeper.tick(minutes=16)
    keeper.tick(days=1)
    keeper.tick(days=400)

    assert outcomes(keeper, "learn")[0] == "failed"
    assert outcomes(keeper, "night")[0] == "failed"
    assert CANARY not in keeper.written()
    assert not any(CANARY in str(entry) for entry in keeper.told)


def test_a_daemon_of_many_agents_holds_no_descriptor_and_no_thread_for_any(
    home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_parts, "_WATCHED", 2)
    for number in range(4):
        almario.create(home, f"agent{number}", clock=clock).close()
    upkeep = housekeeping(home, clock=clock)
    upkeep.state.begin(1)
    held = Held(home)

    upkeep.rounds.make()

    assert comes_true(lambda: not held.more())
    assert all(upkeep.state.job(f"agent{number}", "open").outcome != "failed" for number in range(4))
    upkeep.rounds.close()


def test_the_daemon_gives_texts_their_vectors(
    soul: Soul, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalEmbedder, "embed", lambda _, texts: WordEmbedder().embed(texts))
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "local")
    soul.append("cli:main", "user", "a hundred stories")
    soul.memory.append("cli:main", [Utterance("user", f"the story number {n}", "owner") for n in range(100)])

    keep().tick()

    assert almario.open(soul.path.parent.parent).memory.stats().without_vector == 0
