"""Off the record by the model's tool: whatever was written meanwhile, no byte of the home keeps it."""

import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import almario
from almario import wiring
from almario.becoming.settings import ReflectionSettings
from almario.domain.talk import Ask, Reply, ToolCall
from almario.errors import LLMUnavailable
from almario.soul import Soul
from almario.store.settings import VersionSettings
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring.daemon_parts import jobs_of

MAIN = "cli:main"
# What no form recognises; these words must be nowhere in the end.
WORDS = "zafiro Gwendolyn"
WORDINGS = (
    "What I'm about to say never happened: the zafiro is under Gwendolyn's floor.",
    "Do me a favour and let the zafiro under Gwendolyn's floor leave no trace with you.",
    "Purge this from yourself when we are done: Gwendolyn has the zafiro.",
    "I'd rather you didn't hang on to this, but Gwendolyn stole a zafiro.",
    "Que nadie lo lea nunca, tampoco vos: Gwendolyn tiene el zafiro.",
    "Hacé como que no te lo dije: el zafiro es de Gwendolyn.",
    "Das muss unter uns bleiben: Gwendolyn hat den zafiro.",
    "Solo te lo cuento a ti y luego lo borras: Gwendolyn y el zafiro.",
)
BEFORE = "What I told you a moment ago is to be gone from you."
LEEKS = "What goes with leeks?"
ECHO = "I see, the zafiro of Gwendolyn."


class Model:
    """A model that does what it is asked to with its tools, and repeats what it heard of the zafiro."""

    def __init__(self, **lesson: object) -> None:
        self._lesson = {"facts": [], "episodes": [], "instructions": [], "summary": "", **lesson}

    def __call__(self, ask: Ask) -> Reply | str:
        if ask.schema:
            return json.dumps({name: each for name, each in self._lesson.items() if name in str(ask.schema)})
        last = ask.messages[-1]
        said = next(each.text for each in reversed(ask.messages) if each.role == "user")
        if last.role != "tool" and any(each in said for each in (*WORDINGS, BEFORE)):
            calls: dict[str, dict[str, object]] = {"memory_search": {"query": "zafiro"}}
            calls["off_record"] = {"previous_too": BEFORE in said}
            return Reply("", tuple(ToolCall(name, name, given) for name, given in calls.items()))
        return ECHO if "zafiro" in str(ask) else "Hello."


def left_in(home: Path, words: str) -> list[str]:
    """Return every file that has one of the words, in any case, in its name or in any byte."""
    found = []
    for path in home.rglob("*"):
        content = (path.read_bytes() if path.is_file() else b"").lower() + path.name.lower().encode()
        found += [
            f"{path.relative_to(home)}: {word}" for word in words.split() if word.lower().encode() in content
        ]
    return found


@pytest.fixture
def killed(furnished: Path, clock: FixedClock) -> Iterator[Callable[..., Soul]]:
    """Open a soul whose model says these lines, and that is never closed: as `kill -9` leaves it."""
    alive: list[Soul] = []

    def make(*lines: object, learns: bool = False) -> Soul:
        settings = {"flush.enabled": learns, "flush.threshold": 1000}
        soul = almario.open(furnished, clock=clock, llm=ScriptedLLM(*lines), settings=settings)  # type: ignore[arg-type]
        alive.append(soul)
        return soul

    yield make
    for soul in alive:
        soul.close()


@pytest.mark.parametrize("said", WORDINGS)
def test_whatever_the_words_nothing_of_it_is_anywhere_after_a_kill_and_the_sessions_end(
    said: str, killed: Callable[..., Soul], home: Path, clock: FixedClock
) -> None:
    soul = killed(Model())
    soul.talk("Hello there.", MAIN)
    done = soul.talk(said, MAIN).done
    assert ("off_record", False) in [(each.name, each.is_error) for each in done]
    soul.talk("What did I just tell you?", MAIN)
    soul.recall("zafiro Gwendolyn")

    clock.advance(hours=2)
    again = almario.open(home, clock=clock)
    again.close()

    assert left_in(home, WORDS) == []
    assert "Hello there." in [turn.text for turn in again.sessions.turns(MAIN)]
    assert again.memory.verify() == []


def test_a_message_that_got_no_answer_and_is_sent_again_goes_with_all_its_copies(
    killed: Callable[..., Soul], home: Path
) -> None:
    soul = killed("Hello.", LLMUnavailable("the model is away"))
    soul.talk("Hello there.", MAIN)
    with pytest.raises(LLMUnavailable):
        soul.talk(WORDINGS[0], MAIN)

    soul = killed(Model())
    soul.talk(WORDINGS[0], MAIN)
    soul.end_session(MAIN)
    soul.close()

    assert left_in(home, WORDS) == []
    assert "Hello there." in [turn.text for turn in soul.sessions.turns(MAIN)]


def test_the_beginning_of_it_that_a_power_cut_left_goes_with_it(
    killed: Callable[..., Soul], home: Path
) -> None:
    soul = killed("Hello.")
    soul.talk("Hello there.", MAIN)
    soul.close()
    transcript = next(home.rglob("cli.main.jsonl"))
    transcript.write_bytes(transcript.read_bytes() + b'{"n":3,"role":"user","text":"Purge this: the zafi')

    soul = killed(Model())
    soul.talk(WORDINGS[2], MAIN)
    assert left_in(home, "zafi") != []
    soul.end_session(MAIN)
    soul.close()

    assert left_in(home, f"zafi {WORDS}") == []
    assert soul.memory.verify() == []


SAID = "The zafiro is under Gwendolyn's floor."
LEARNED = {
    "facts": [
        {"turns": [3], "key": "zafiro", "value": "The zafiro is under Gwendolyn's floor", "kind": "fact"},
        {"turns": [1], "key": "dog", "value": "Has a dog called Rufo", "kind": "profile"},
    ],
    "episodes": [{"turns": [3], "text": "Hid the zafiro under Gwendolyn's floor", "date": "2026-11-13"}],
    "summary": "The zafiro is under Gwendolyn's floor, and there is a dog called Rufo.",
}


@pytest.mark.parametrize("ends", ["ended", "cleared", "killed"])
def test_what_was_learned_of_the_exchange_before_goes_from_every_byte_with_it(
    ends: str, killed: Callable[..., Soul], home: Path, clock: FixedClock
) -> None:
    soul = killed(Model(**LEARNED), learns=True)
    soul.talk("Hello, I have a dog called Rufo.", MAIN)
    soul.talk(SAID, MAIN)
    assert [each.outcome for each in soul.flush(MAIN)] == ["extracted"]
    soul.finish()
    assert "zafiro" in str([each.value for each in soul.memory.list()])
    assert "Gwendolyn" in soul.prompt("Where is the zafiro?", session="cli:other").text
    soul.talk("And where did I hide that thing, under which floor?", "cli:other")
    assert soul.sessions.turns("cli:other")[-1].text == ECHO

    soul.talk(BEFORE, MAIN)
    assert "Gwendolyn" not in str([each.text for each in soul.recall("under Gwendolyn's floor")])
    if ends == "killed":
        clock.advance(hours=2)
        almario.open(home, clock=clock).close()
    else:
        soul.end_session(MAIN, clear=ends != "ended")
        soul.finish()

    assert left_in(home, WORDS) == []
    assert "Has a dog called Rufo" in [each.value for each in soul.memory.list()]
    assert soul.memory.verify() == []


@pytest.mark.parametrize("how", ["off the record", "forgotten"])
def test_what_goes_while_a_model_learns_from_it_is_not_learned(
    how: str, killed: Callable[..., Soul], home: Path, clock: FixedClock
) -> None:
    other = almario.open(home, clock=clock)

    def learning(ask: Ask) -> Reply | str:
        if ask.schema and "zafiro" in str(ask.messages):
            if how == "forgotten":
                other.forget(f"{MAIN}#3")
            else:
                other.tools.call("off_record", {}, session=MAIN)
            return Model(**LEARNED)(ask)
        return Model()(ask) if ask.schema else "Hello."

    soul = killed(learning, learns=True)
    soul.talk("Hello, I have a dog called Rufo.", MAIN)
    soul.talk(SAID, MAIN)

    assert [each.outcome for each in soul.flush(MAIN)] == ["busy"]

    assert [each.value for each in soul.memory.list()] == []
    assert "zafiro" not in str([each.text for each in soul.recall("Where is the zafiro?")])
    other.end_session(MAIN)
    other.close()
    assert (left_in(home, WORDS) == []) is (how == "off the record")


def test_the_daemon_erases_what_a_killed_chat_left_once_nobody_talks_there(
    killed: Callable[..., Soul], home: Path, clock: FixedClock
) -> None:
    tended = almario.open(home, clock=clock)
    [settle] = [
        each
        for each in jobs_of(tended, None, ReflectionSettings(), purge_after=0, versions=VersionSettings())
        if each.name == "settle"
    ]
    settle.run(clock().date())

    killed(Model()).talk(WORDINGS[0], MAIN)
    settle.run(clock().date())
    assert left_in(home, WORDS) != []  # "keep" still brings it back
    clock.advance(hours=2)
    settle.run(clock().date())

    assert left_in(home, WORDS) == []
    tended.close()


def test_no_backup_has_it_though_the_session_goes_on(
    killed: Callable[..., Soul], home: Path, clock: FixedClock, tmp_path: Path
) -> None:
    soul = killed(Model())
    soul.talk("Hello there.", MAIN)
    soul.talk(WORDINGS[0], MAIN)

    made = wiring.backups(home, clock=clock).make()

    with tarfile.open(made.path) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert left_in(tmp_path / "unpacked", WORDS) == []
    assert "Hello there." in (tmp_path / "unpacked").rglob("cli.main.jsonl").__next__().read_text()


def test_what_a_confidence_took_the_place_of_holds_again(killed: Callable[..., Soul]) -> None:
    moved = {"turns": [1], "key": "home", "value": "Lives where the zafiro is", "known": "replaces k1"}
    soul = killed(Model(facts=[moved]), learns=True)
    soul.memory.learn("home", "Lives in Lisbon")
    soul.talk("I live where the zafiro is, since last week.", MAIN)
    soul.flush(MAIN)
    assert [memory.value for memory in soul.memory.list()] == ["Lives where the zafiro is"]

    soul.talk(BEFORE, MAIN)

    assert [memory.value for memory in soul.memory.list()] == ["Lives in Lisbon"]


def test_a_later_answer_of_something_else_stays_as_it_was(killed: Callable[..., Soul]) -> None:
    soul = killed(
        lambda ask: "Leeks go well with potatoes. Some grow at Gwendolyn's." if LEEKS in str(ask) else "Ok."
    )

    soul.talk("Between us: I saw how Gwendolyn stole the zafiro.", MAIN)
    soul.talk(LEEKS, MAIN)

    assert soul.sessions.turns(MAIN)[-1].text == "Leeks go well with potatoes. [off the record]"
