"""What a coding agent does is kept, and what matters for it is told as it is about to do it."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from almario.apps.hooks.clients import read_call
from almario.conversation.agent import Agent
from almario.domain.acts import ACT, DONE, LEARNED
from almario.domain.model import Query
from almario.domain.places import WORK
from almario.domain.plain_text import estimate_tokens
from almario.domain.turns import Turn
from almario.errors import StoreUnavailable
from almario.memory.telling import Listener
from almario.testing import FixedClock
from almario.text.calls import commands_in
from tests.apps.agent_transcripts import ClaudeCodeTranscript, CodexTranscript
from tests.apps.hooked import BOAT, Client, processes_on, recorded
from tests.memory_store import MemoryStore
from tests.tables import each_row

PROGRAMS: dict[str, type[ClaudeCodeTranscript] | type[CodexTranscript]] = {
    "claude-code": ClaudeCodeTranscript,
    "codex": CodexTranscript,
}
RULE = "Never push to main."
HOLDING = {"hooks.hold": "rules"}


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def client(store: MemoryStore) -> Client:
    return Client(processes_on(store), learns=False)


@pytest.fixture
def transcript(tmp_path: Path) -> ClaudeCodeTranscript:
    return ClaudeCodeTranscript(tmp_path)


def acts(store: MemoryStore, client: Client, kind: str = DONE) -> list[Turn]:
    turns = processes_on(store)().sessions.turns(client.key)
    return [turn for turn in turns if turn.more.get(ACT) == kind]


def stopped(client: Client, path: Path, answer: str = "Done.") -> None:
    client("stop", answer, transcript_path=str(path))


def at(clock: FixedClock) -> datetime:
    clock.advance(seconds=1)
    return clock.now


@each_row("name", PROGRAMS)
def test_what_was_done_is_kept_once_from_the_transcript(name: str, clock: FixedClock, tmp_path: Path) -> None:
    store = MemoryStore(clock)
    client, transcript = Client(processes_on(store), name, learns=False), PROGRAMS[name](tmp_path)
    client("user-prompt", "Make the tide tests run.")
    transcript.ran("make tide", "error: no rule to make target 'tide'", failed=True, at=at(clock))
    transcript.ran("ls -la", "Makefile\ntide.py", at=at(clock))
    transcript.edited("src/tide.py", "height = 1", "height = 2", at=at(clock))

    stopped(client, transcript.path)
    stopped(client, transcript.path, "Done, again.")
    transcript.ran("npm run build", "built in 3 s", at=at(clock))
    stopped(client, transcript.path, "Built.")

    first, second = acts(store, client)
    assert first.text.splitlines() == [
        "`make tide` failed: error: no rule to make target 'tide'",
        "changed src/tide.py: height = 1 → height = 2",
    ]
    assert second.text == "`npm run build`: built in 3 s"
    assert (first.role, first.origin) == ("tool", "untrusted")


def test_secrets_are_masked_in_what_was_done(
    client: Client, store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    client("user-prompt", "Publish it.")
    transcript.ran("npm publish", "error: no token", failed=True, at=at(clock))
    transcript.ran(f"GH_TOKEN={secret} npm publish", f"used {secret}", at=at(clock))
    stopped(client, transcript.path)

    [lesson] = acts(store, client, LEARNED)
    assert "npm publish" in lesson.text
    assert secret not in json.dumps([lesson.text, dict(lesson.more)])


def test_what_was_done_off_the_record_is_not_kept_then_or_later(
    client: Client, store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    client("user-prompt", "Off the record: try the other branch.")
    transcript.ran("git switch secret-branch", "Switched", at=at(clock))
    stopped(client, transcript.path)
    clock.advance(seconds=1)
    client("user-prompt", "Now build it.")
    transcript.ran("make all", "built", at=at(clock))
    stopped(client, transcript.path)
    client("session-end")
    client("user-prompt", "And once more.")
    stopped(client, transcript.path, "There.")

    assert [turn.text for turn in acts(store, client)] == ["`make all`: built"]


def test_no_other_file_is_read_than_the_transcript_of_the_session(
    client: Client, store: MemoryStore, clock: FixedClock, tmp_path: Path
) -> None:
    other = ClaudeCodeTranscript(tmp_path, "somebody-elses")
    other.ran("make all", "built", at=at(clock))
    client("user-prompt", "Build it.")
    for path in (other.path, tmp_path / "s1.jsonl", tmp_path):
        stopped(client, path, f"Done {path}")

    assert acts(store, client) == []


@each_row("setting", ["hooks.acts", "hooks.capture"])
def test_one_setting_turns_it_off(setting: str, clock: FixedClock, transcript: ClaudeCodeTranscript) -> None:
    store = MemoryStore(clock)
    client = Client(processes_on(store, {setting: False}), learns=False)
    transcript.ran("make all", "built", at=at(clock))
    client("user-prompt", "Build it.")
    stopped(client, transcript.path)

    assert acts(store, client) == []


def test_of_very_much_the_oldest_is_counted(
    client: Client, store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    client("user-prompt", "Build all of it.")
    for n in range(40):
        transcript.ran(f"make part{n}", "built", at=at(clock))
    stopped(client, transcript.path)

    [turn] = acts(store, client)
    lines = turn.text.splitlines()
    assert len(lines) == 31
    assert lines[0].startswith("and before that: make part0 ×1")
    assert lines[-1] == "`make part39`: built"


FAILED = "pytest tests/tide -x"
CURES = {
    "a variable": ([("DATABASE_URL=x " + FAILED, False)], "DATABASE_URL=x " + FAILED),
    "another flag": ([("pytest tests/tide -x -p no:cacheprovider", False)], FAILED + " -p no:cacheprovider"),
    "a step before": ([("make database", False), (FAILED, False)], "make database && " + FAILED),
    "an edit": ([("edit", False), (FAILED, False)], None),
    "a step and an edit": ([("make database", False), ("edit", False), (FAILED, False)], None),
    "nothing": ([(FAILED, False)], None),
    "something else": ([("cargo build", False)], None),
    "it never worked": ([("DATABASE_URL=x " + FAILED, True)], None),
}


@each_row("name", CURES)
def test_a_failure_and_what_worked_in_its_place_are_one_lesson(
    name: str, clock: FixedClock, tmp_path: Path
) -> None:
    store, transcript = MemoryStore(clock), ClaudeCodeTranscript(tmp_path, name)
    client = Client(processes_on(store), session=name, learns=False)
    client("user-prompt", "Make the tide tests run.")
    transcript.ran(FAILED, "E   KeyError: 'DATABASE_URL'", failed=True, at=at(clock))
    after, cure = CURES[name]
    for command, failed in after:
        if command == "edit":
            transcript.edited("tide.py", "a = 1", "a = 2", at=at(clock))
        else:
            transcript.ran(command, "error: no" if failed else "12 passed", failed=failed, at=at(clock))
    stopped(client, transcript.path)

    wanted = [f"`{FAILED}` failed: E   KeyError: 'DATABASE_URL' → `{cure}` worked"] if cure else []
    assert [turn.text for turn in acts(store, client, LEARNED)] == wanted


def lived(client: Client, transcript: ClaudeCodeTranscript, clock: FixedClock) -> None:
    """Let a session fail and be mended."""
    client("user-prompt", "Make the tide tests run.")
    transcript.ran(FAILED, "KeyError: 'DATABASE_URL'", failed=True, at=at(clock))
    transcript.ran("DATABASE_URL=x " + FAILED, "12 passed", at=at(clock))
    transcript.edited("src/parser.py", "depth = 3", "depth = 8", at=at(clock))
    stopped(client, transcript.path)
    client("session-end", transcript_path=str(transcript.path))


def test_what_was_done_is_found_and_is_not_learned_from(
    client: Client, store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    lived(client, transcript, clock)
    soul = processes_on(store)()

    for question, wanted in (
        ("How did we get the tide tests to run?", "DATABASE_URL=x pytest"),
        ("What did you change in the parser?", "changed src/parser.py: depth = 3 → depth = 8"),
    ):
        found = soul.memory.recall(Query(question), Listener())
        assert any(wanted in f"{hit.text} {hit.agent_said}" for hit in found), question
    assert soul.memory.list() == []


def test_a_lesson_is_told_to_another_session_before_the_same_is_done_again_and_once(
    client: Client, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    lived(client, transcript, clock)
    later = client.another("s2")

    told = later.runs("pytest tests/tide -x")

    assert "DATABASE_URL=x pytest tests/tide -x` worked" in told
    assert "untrusted" in told or "<memory" in told  # fenced
    assert later.runs("pytest tests/tide -x") == ""


def test_a_day_shows_what_was_done_in_a_line_a_session_and_what_was_told_for_which_call(
    client: Client, store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    lived(client, transcript, clock)
    clock.advance(days=1)
    client.another("s2").runs(FAILED)
    soul = processes_on(store)()

    [yesterday] = soul.days.get(clock.now.date() - timedelta(days=1)).done
    assert yesterday.text.startswith("claude-code: changed src/parser.py: depth = 3 → depth = 8; `pytest")
    today = soul.days.get()
    [told] = today.done
    assert told.text.startswith(f"Before {FAILED} the model was told, in ")
    assert "DATABASE_URL=x" in told.text
    assert told in today.noted


def test_a_rule_of_a_file_is_told_as_the_file_is_edited_and_not_with_another(
    client: Client, store: MemoryStore
) -> None:
    processes_on(store)().remember(
        "Never edit src/schema.py by hand, it is generated by make schema.", place=WORK
    )
    assert "generated by make schema" in client.edits("src/schema.py")
    assert client.edits("src/schema.py") == ""
    assert client.another("s2").edits("docs/garden.md", "a tulip", "a rose") == ""


@each_row(
    "command",
    [
        "git status",
        "ls src",
        "git -C docs log --oneline",
        "terraform plan",
        "rg push main",
        "git branch -a",
        "docker volume ls",
        "kubectl --context main -n push get pods",
    ],
)
def test_who_only_looks_is_told_nothing(command: str, store: MemoryStore) -> None:
    client = Client(processes_on(store, HOLDING))
    processes_on(store)().remember(RULE, place=WORK)

    assert client.runs(command) == ""


@each_row(
    "command", ["rm -rf push/logs main", "git branch -d main", "go get push/main", "docker volume rm ls"]
)
def test_a_name_that_a_look_has_too_makes_no_look_of_a_command(command: str) -> None:
    [read] = commands_in(command)

    assert not read.only_looks


def test_what_names_the_program_is_told_in_its_project_alone(client: Client) -> None:
    client("user-prompt", "We publish pictures with pixpress, never with rsync.")
    client("stop", "Understood.")

    assert "pixpress" in client.another("s2").runs("rsync -a pictures host:/srv")
    assert client.another("s3", folder="/src/elsewhere").runs("rsync -a pictures host:/srv") == ""


@each_row(
    "text, is_told", [("We keep no pictures on the host.", True), ("Which pictures are on the host?", False)]
)
def test_what_the_owner_only_asked_is_not_told(text: str, is_told: bool, client: Client) -> None:
    client("user-prompt", text)
    client("stop", "The newest.")

    assert bool(client.another("s2").runs("rsync -a pictures srv:/in")) is is_told


def test_what_is_told_at_the_act_takes_little_room(client: Client, store: MemoryStore) -> None:
    soul = processes_on(store)()
    for n in range(3):
        because = f"because of what we learned in the long night of deploy {n}, " * 5
        soul.remember(f"Never deploy with kubectl apply, {because} ask {n}.", place=WORK)

    told = client.runs("kubectl apply -f deploy.yaml")

    assert told
    # The fence has a random name, whose digits count as more or less.
    assert estimate_tokens(re.sub("[0-9a-f]{12}", "0a1b2c3d4e5f", told)) <= 80


def test_at_most_two_things_are_told(client: Client, store: MemoryStore) -> None:
    soul = processes_on(store)()
    for n in range(5):
        soul.remember(f"Never deploy with kubectl apply on cluster {n}, we deploy with ship.sh.", place=WORK)

    assert client.runs("kubectl apply -f deploy.yaml").count("cluster ") <= 2


def test_a_rule_that_is_forgotten_is_told_to_no_coding_agent(client: Client, store: MemoryStore) -> None:
    soul = processes_on(store)()
    kept = soul.remember(RULE, place=WORK).memory
    assert kept is not None
    soul.forget(kept.id)

    assert client.runs("git push origin main") == ""


def test_an_event_that_we_do_not_know_does_nothing(client: Client, store: MemoryStore) -> None:
    client("user-prompt", "Hello, make the boat float.")
    content = recorded("claude-code", "stop", "x", session="s1", folder=BOAT)

    assert not read_call("subagent-stop", content, environment={}).has_content
    assert len(processes_on(store)().sessions.turns(client.key)) == 1


def test_a_call_that_breaks_an_explicit_rule_is_held_once_if_the_owner_wants_it(store: MemoryStore) -> None:
    client = Client(processes_on(store, HOLDING))
    processes_on(store)().remember(RULE, place=WORK)
    client("user-prompt", "Publish it.")

    assert client.runs("git push origin main").startswith(f'HELD: Your human asked for this: "{RULE}"')
    assert not client.runs("git push origin main").startswith("HELD")
    assert not client.runs("git push origin feature").startswith("HELD")
    assert client.another("s2").runs("git push origin main").startswith("HELD")


def test_nothing_is_held_unless_the_owner_wants_it(client: Client, store: MemoryStore) -> None:
    processes_on(store)().remember(RULE, place=WORK)

    assert RULE in client.runs("git push origin main")


def test_what_was_learned_in_an_earlier_session_holds_the_very_same_command(
    store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    client = Client(processes_on(store, HOLDING), learns=False)
    lived(client, transcript, clock)

    assert not client.runs(FAILED).startswith("HELD")  # its own
    later = client.another("s2")
    assert later.runs(FAILED).startswith(f"HELD: This has failed before: `{FAILED}` failed")
    assert not later.runs(FAILED).startswith("HELD")
    assert not client.another("s3").runs("pytest tests/other").startswith("HELD")


def test_the_loop_of_a_failing_test_and_an_edit_is_never_held(
    store: MemoryStore, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    client = Client(processes_on(store, HOLDING), learns=False)
    client("user-prompt", "Make the tide tests run.")
    for n in range(4):
        transcript.ran(FAILED, f"AssertionError: {n}", failed=True, at=at(clock))
        transcript.edited("tide.py", f"a = {n}", f"a = {n + 1}", at=at(clock))
    transcript.ran(FAILED, "12 passed", at=at(clock))
    stopped(client, transcript.path)

    assert not client.runs(FAILED).startswith("HELD")
    assert not client.another("s2").runs(FAILED).startswith("HELD")


def test_a_call_is_held_only_if_that_is_kept(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(processes_on(store, HOLDING))
    processes_on(store)().remember(RULE, place=WORK)

    def refused(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(Agent, "append", refused)
    assert not client.runs("git push origin main").startswith("HELD")


def test_a_failure_is_told_what_is_known_of_it(
    client: Client, clock: FixedClock, transcript: ClaudeCodeTranscript
) -> None:
    lived(client, transcript, clock)

    told = client.another("s2")(
        "post-tool-use-failure", FAILED, error="Exit code 4\nKeyError: 'DATABASE_URL'"
    )

    assert "DATABASE_URL=x pytest" in told
