"""What only may be a secret is never destroyed: it is kept, told to nobody, and used with one word."""

import json
from pathlib import Path

import pytest

import almario
from almario.apps.hooks.clients import read_call
from almario.apps.hooks.hooking import answered
from almario.conversation.flush import Flush
from almario.domain.audiences import Audience
from almario.domain.events import OwnerKept
from almario.domain.turns import Turn, Utterance
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.text.redaction import digest_of
from almario.wiring.models import Models
from tests.apps.conftest import Run
from tests.apps.hooked import BOAT, recorded
from tests.apps.served import Served
from tests.held import MemoryTranscripts
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

SUSPECT = "the cabin password is tundra"
CERTAIN = "the wifi of the cabin by the lake is set up with password=hunter2xyz"
SESSION = "cli:main"


def everything(folder: Path) -> str:
    """Return all that stands in files of an agent but what is derived."""
    files = [path for path in folder.rglob("*") if path.is_file() and ".index" not in path.parts]
    return "\n".join(path.read_text("utf-8", "replace") for path in files)


def prompt(soul: Soul, message: str = "what is the cabin password?") -> str:
    return soul.prompt(message).text


def found(soul: Soul, words: str) -> list[str]:
    return [hit.text for hit in soul.recall(words)]


@pytest.mark.folder
def test_what_is_certain_is_left_out_of_every_file(soul: Soul) -> None:
    receipt = soul.remember(CERTAIN)

    assert [str(each) for each in receipt.told] == ["a secret was left out (password)"]
    assert "hunter2xyz" not in everything(soul.path)


def test_the_owner_is_told_at_once_what_is_left_out_and_how_to_use_it(run: Run) -> None:
    run("init")

    result = run("remember", SUSPECT)

    assert (
        'Left out of what I tell models, as it may be a secret: “tundra”. "almario keep" lets me use it.'
        in result.err
    )
    assert "tundra" in run("keep", "--list").out
    assert run("keep").out.startswith("Used from now on: tundra\n")
    assert run("keep").err == "Error: nothing was left out\n"
    assert run("keep", "birch").code == 2


@pytest.mark.folder
def test_it_is_kept_whole_and_out_of_prompts_and_recall(soul: Soul) -> None:
    soul.remember(SUSPECT)
    soul.memory.finish()

    assert SUSPECT in (soul.path / "MEMORY.md").read_text()
    assert "tundra" not in prompt(soul)
    assert found(soul, "tundra") == []
    assert "tundra" not in " ".join(found(soul, "cabin password"))


def test_undo_takes_the_permission_back_and_undone_it_is_there_again(soul: Soul) -> None:
    soul.remember("tea: yes")
    soul.remember(SUSPECT)
    soul.log("gave Ana the cabin password: tundra")
    soul.memory.append(SESSION, [Utterance("user", f"By the way, {SUSPECT}.", "owner")])
    waiting = soul.memory.withheld()
    assert len(waiting) == 3

    def check(*, is_used: bool) -> None:
        assert soul.memory.withheld() == ([] if is_used else waiting)
        assert ("tundra" in prompt(soul), found(soul, "tundra") != []) == (is_used, is_used)

    soul.memory.keep("tundra")
    check(is_used=True)
    undone = soul.undo()
    check(is_used=False)
    soul.undo(undone.memories[0].seq)
    check(is_used=True)
    soul.undo(soul.position)
    check(is_used=False)

    # And of what no memory says.
    soul.memory.append("cli:2", [Utterance("user", "The boat password is birchwood.", "owner")])
    assert soul.memory.keep("cli:2#1") == ["birchwood"]
    assert found(soul, "birchwood") != []
    soul.undo()
    assert found(soul, "birchwood") == []
    assert ("birchwood",) in [each.suspected for each in soul.memory.withheld()]
    assert soul.memory.verify() == []


def test_undo_of_a_line_goes_on_where_what_was_kept_is_erased(run: Run) -> None:
    run("init")
    run("remember", "I live in Leeds")
    run("remember", SUSPECT)
    run("keep")
    run("forget", "--purge", "--yes", "cabin password")

    assert "erased something for good" in run("undo").err
    assert "looked like a secret is as it was" in run("undo", "14").out
    assert "I live in Leeds" in run("undo", "12").out
    assert "[may be a secret]" in run("remember", SUSPECT.replace("cabin", "boat")).out


@pytest.mark.parametrize(
    "how",
    [
        ("memory", "change", "{}", "--text", "so far, the cabin password is tundra"),
        ("forget", "{}"),
        ("memory", "share", "{}"),
    ],
)
def test_the_permission_can_be_taken_back_whatever_became_of_the_memory(
    run: Run, how: tuple[str, ...]
) -> None:
    run("init")
    memory = json.loads(run("remember", "--json", SUSPECT).out)["memory"]["id"]
    run("keep")
    line = json.loads(run("undo", "--list", "--json").out)[0]["seq"]
    assert run(*(word.format(memory) for word in how)).code == 0

    assert run("undo", str(line)).code == 0
    assert "tundra" not in run("prompt").out
    assert run("undo").code == 0  # of what became of it
    assert "tundra" not in run("prompt").out
    assert run("keep").out.startswith("Used from now on: tundra\n")
    assert "tundra" in run("prompt").out


def test_a_memory_that_is_restored_tells_no_more_than_it_may_by_now(soul: Soul) -> None:
    memory = soul.remember(SUSPECT).memory
    assert memory
    soul.memory.keep()
    line = soul.position
    soul.memory.change(memory.id, right=False)
    soul.undo(line)

    assert "tundra" not in soul.memory.restore(memory.id).value
    assert soul.memory.keep() == ["tundra"]


def test_undo_of_keep_leaves_it_out_of_all_that_was_remembered_meanwhile(soul: Soul) -> None:
    soul.remember(SUSPECT)
    soul.memory.keep()
    line = soul.position
    soul.remember("the boat house password is tundra")

    soul.undo(line)

    undone = soul.position
    assert "tundra" not in prompt(soul)
    assert not any("tundra" in memory.value for memory in soul.memory.list())
    soul.remember("the garage password is tundra")
    soul.undo(undone)
    assert soul.memory.withheld() == []
    assert [memory.value.endswith("tundra") for memory in soul.memory.list()] == [True] * 3
    assert soul.memory.verify() == []


def test_undo_of_a_keep_in_an_older_journal_takes_its_permission_back(soul: Soul) -> None:
    receipt = soul.remember(SUSPECT)
    assert receipt.memory
    soul.memory.record(OwnerKept((digest_of("birch"),)), actor="owner")
    soul.memory.record(OwnerKept((digest_of("tundra"),)), actor="owner")
    soul.memory.apply([{"id": receipt.memory.id, "set": {"value": SUSPECT}}], verb="kept")
    assert "tundra" in prompt(soul)

    soul.undo()

    assert "tundra" not in prompt(soul)
    assert soul.memory.keep() == ["tundra"]
    assert soul.remember("the boat house password is birch").told == ()  # it was kept before
    assert soul.memory.verify() == []


def test_what_was_kept_stays_so_for_the_next_process_and_the_next_time(soul: Soul, reopened: object) -> None:
    soul.remember(SUSPECT)
    soul.memory.keep("tundra")
    soul.close()
    again: Soul = reopened()  # type: ignore[operator]

    receipt = again.remember("Remember: the boat house password is tundra")

    assert receipt.told == ()
    assert found(again, "boat house")[0].endswith("tundra")


def test_two_that_are_told_alike_are_two(soul: Soul) -> None:
    soul.remember(SUSPECT)
    soul.remember("the cabin password is birch")

    soul.memory.keep(every=True)

    values = [memory.value for memory in soul.memory.list()]
    assert values == [SUSPECT, "the cabin password is birch"]


@pytest.mark.folder
def test_an_edit_of_memory_md_beside_it_changes_nothing(soul: Soul) -> None:
    soul.remember(SUSPECT)
    soul.memory.finish()
    file = soul.path / "MEMORY.md"
    file.write_text(file.read_text().replace(SUSPECT, f"{SUSPECT}\n- Ana sails"))

    soul.memory.settle()
    soul.memory.keep("tundra")

    assert [memory.value for memory in soul.memory.list()] == [SUSPECT, "Ana sails"]
    assert soul.memory.verify() == []


def test_the_facts_of_memory_md_are_listed_by_their_names_alone(soul: Soul) -> None:
    soul.remember("Ana es alérgica al cacahuete")
    locker = soul.remember("el código de mi taquilla es 4471").memory
    soul.memory.finish()
    assert locker

    assert [(each.name, each.suspected) for each in soul.memory.withheld()] == [(locker.id, ("4471",))]


@pytest.mark.folder
def test_what_is_written_by_hand_in_memory_md_beside_its_facts_is_listed_under_its_name(soul: Soul) -> None:
    soul.remember("Ana sails")
    soul.memory.finish()
    file = soul.path / "MEMORY.md"
    file.write_text(f"For the holidays: {SUSPECT}.\n\n{file.read_text()}")

    assert [(each.name, each.suspected) for each in soul.memory.withheld()] == [("MEMORY.md", ("tundra",))]


def test_a_log_line_is_kept_whole_and_told_masked(soul: Soul) -> None:
    [told] = soul.log("the alarm code is 2012")

    assert "2012" in str(told)
    assert "the alarm code is 2012" in soul.days.get().log[0].text
    assert "the alarm code is [withheld:password]" in prompt(soul)
    assert found(soul, "alarm code") == ["the alarm code is [withheld:password]"]

    soul.memory.keep()

    assert "the alarm code is 2012" in prompt(soul)
    assert found(soul, "alarm code") == ["the alarm code is 2012"]


def test_the_model_that_answers_is_told_what_it_will_not_know_later(clock: FixedClock) -> None:
    llm = ScriptedLLM("I see.")
    soul = soul_on(MemoryStore(clock), {"flush.enabled": False}, llm)

    soul.talk(f"By the way, {SUSPECT}.")
    soul.talk("Nice weather.")
    soul.talk("what is the cabin password?", "cli:other")

    first, second, later = (ask.changing for ask in llm.asked)
    assert "is not learned, nor shown to you later, unless your human says" in first
    assert "may be a secret" not in second
    assert "Something that may be a secret is left out here" in later


@each_row("are_indexed", [True, False])
def test_what_is_withheld_is_looked_for_in_no_conversation_that_is_known_to_have_none(
    clock: FixedClock, monkeypatch: pytest.MonkeyPatch, are_indexed: bool
) -> None:
    soul = soul_on(MemoryStore(clock), {"sessions.index": are_indexed})
    soul.memory.append("cli:1", [Utterance("user", "The heron is back.", "owner")])
    soul.memory.append("cli:2", [Utterance("user", f"By the way, {SUSPECT}.", "owner")])
    looked_at, read, own = [], MemoryTranscripts.read, soul._vault.transcripts

    def reading(transcripts: MemoryTranscripts, session: str, **given: int) -> list[Turn]:
        if transcripts is own:  # the soul of another test may still be learning
            looked_at.append(session)
        return read(transcripts, session, **given)

    soul.memory.settle()
    with monkeypatch.context() as patched:
        patched.setattr(MemoryTranscripts, "read", reading)
        assert [each.name for each in soul.memory.withheld()] == ["cli:2#1"]

    assert looked_at == (["cli:2"] if are_indexed else ["cli:1", "cli:2"])


@pytest.mark.folder
def test_a_turn_is_kept_and_the_model_that_learns_is_not_shown_it(soul: Soul) -> None:
    soul.memory.append(
        SESSION,
        [Utterance("user", f"By the way, {SUSPECT}.", "owner"), Utterance("assistant", "ok", "agent")],
    )
    llm = ScriptedLLM('{"facts": [], "episodes": [], "summary": "They talked."}')

    Flush(soul._vault, soul.memory, soul.sessions, lambda: llm).flush(SESSION)

    asked = " ".join(message.text for ask in llm.asked for message in ask.messages)
    assert "cabin password is [withheld:password]" in asked
    assert "tundra" not in asked
    assert "tundra" in everything(soul.path / "sessions")
    assert found(soul, "tundra") == []

    assert soul.memory.keep(f"{SESSION}#1") == ["tundra"]
    assert any("tundra" in text for text in found(soul, "tundra"))


def test_in_a_talk_the_owner_is_told_and_the_prompt_is_not(furnished: Path, clock: FixedClock) -> None:
    llm = ScriptedLLM("fine")
    soul = almario.open(furnished, clock=clock, llm=llm, settings={"flush.enabled": False})

    answer = soul.talk(f"Remember that {SUSPECT}")

    notices = [str(sentence) for deed in answer.done for sentence in deed.told]
    assert sum("“tundra”" in sentence for sentence in notices) == 1
    assert "tundra" not in (llm.asked[0].system or "")


def test_others_do_not_hear_of_it_and_exports_to_them_leave_it_out(soul: Soul) -> None:
    receipt = soul.remember(SUSPECT)
    assert receipt.memory
    soul.memory.change(receipt.memory.id, shared=True)

    assert "tundra" not in "\n".join(soul.memory.export(Audience("telegram:chat", ("Bo",))))
    assert "tundra" in "\n".join(soul.memory.export())


def test_what_was_exported_comes_back_whole(soul: Soul, tmp_path: Path, clock: FixedClock) -> None:
    soul.remember(SUSPECT)
    other = almario.create(tmp_path / "other", clock=clock)

    other.memory.import_lines(soul.memory.export())
    other.memory.keep("tundra")

    assert [memory.value for memory in other.memory.list()] == [SUSPECT]


@pytest.mark.folder
def test_erased_it_is_gone_from_every_file(soul: Soul) -> None:
    receipt = soul.remember(SUSPECT)
    assert receipt.memory

    soul.memory.purge(soul.memory.plan_purge(receipt.memory.id))

    assert "tundra" not in everything(soul.path)


@pytest.mark.folder
def test_a_hand_written_line_is_told_of_once_and_used_when_kept(soul: Soul) -> None:
    (soul.path / "USER.md").write_text("# Ana\n\nfr0gs!leap was her first password.\n")

    notices = [str(each) for each in soul.memory.settle()]

    assert sum("“fr0gs!leap”" in each for each in notices) == 1
    assert "fr0gs!leap" not in prompt(soul)
    assert soul.memory.keep("USER.md") == ["fr0gs!leap"]
    assert "fr0gs!leap" in prompt(soul)


def test_the_owner_is_told_it_in_a_talk_without_a_model_and_a_search_says_how_to_see_it(run: Run) -> None:
    run("init", "--language", "en")
    run("remember", SUSPECT)

    said = run("say", "What is the cabin password?")
    chatted = run("chat", stdin="What is the cabin password?\n")
    recalled = run("recall", "cabin password")

    assert "tundra" in said.out
    assert "tundra" in chatted.out
    assert "left out here" not in said.err + chatted.err
    assert "the cabin password is [may be a secret]" in recalled.out
    assert 'Something that may be a secret is left out here; "almario keep --list" shows it.' in recalled.err
    assert '"almario keep --list"' not in run("recall", "birthday").err


def test_why_and_explain_say_that_something_is_left_out(run: Run) -> None:
    run("init")
    memory = json.loads(run("remember", "--json", SUSPECT).out)["memory"]["id"]

    assert "“tundra”" in run("memory", "why", memory).out
    assert "left out" in run("prompt", "--explain").out


def test_in_the_chat_one_word_brings_it_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init", "--language", "en")
    llm = ScriptedLLM("fine", "fine")
    monkeypatch.setattr("almario.wiring.models.models", lambda *_: Models(llm, llm))
    monkeypatch.setenv("ALMARIO_FLUSH_ENABLED", "false")

    result = run("chat", stdin=f"{SUSPECT}\n/keep\n")

    assert '“tundra”. "/keep" lets me use it.' in result.err
    assert "Used from now on: tundra" in result.out


@each_row("name", ["claude-code", "cursor"])
def test_a_hook_shows_it_to_the_person_and_not_to_the_model(soul: Soul, name: str) -> None:
    call = read_call(
        "user-prompt", recorded(name, "user-prompt", SUSPECT, session="s1", folder=BOAT), environment={}
    )

    answer = json.loads(answered(soul, call, lambda _: None)[0])

    assert "“tundra”" in answer.pop("user_message" if name == "cursor" else "systemMessage")
    assert "tundra" not in json.dumps(answer)
    content = recorded(name, "session-start", session=f"{name}-2", folder=BOAT)
    begun = read_call("session-start", content, environment={})
    assert "tundra" not in answered(soul, begun, lambda _: None)[0]  # once, in a process that goes on


def test_over_http_it_is_told_listed_and_kept(furnished: Path, clock: FixedClock) -> None:
    with Served(furnished, clock, llm=ScriptedLLM()) as served:
        receipt = served.post("/memories", {"text": SUSPECT})
        assert "“tundra”" in receipt["told"][0]
        assert served.post("/do/memory.withheld")[0]["suspected"] == ["tundra"]
        assert served.post("/recall", {"question": "tundra"})["hits"] == []

        assert served.post("/do/memory.keep") == ["tundra"]

        assert served.get(f"/memories/{receipt['memory']['id']}")["value"] == SUSPECT


def test_each_door_names_what_brings_a_message_back_there(run: Run) -> None:
    off = "Between us: the pearl is in the drawer."
    run("init", "--language", "en")

    assert "off the record" in (said := run("say", off).err)
    assert "keep" not in said  # the words are gone with the process
    chatted = run("chat", stdin=f"{off}\n/keep\n").err
    assert '"/keep" puts it on the record' in chatted
    assert f"back on the record: {off}" in chatted
    assert f"back on the record: {off}" in run("chat", stdin=f"{off}\nconserva\n").err


def test_keep_brings_back_a_message_off_the_record_that_has_what_looks_like_a_secret(run: Run) -> None:
    run("init", "--language", "en")
    off = "Between us: the wifi password is tundra-fox-88."

    told = run("chat", stdin=f"{off}\n/keep\n").err

    assert "Left out of what I tell models" not in told.partition("back on the record")[0]
    assert f"back on the record: {off}" in told


def test_an_announcement_covers_the_next_message_and_is_no_question(run: Run, home: Path) -> None:
    run("init", "--language", "en")
    for words in ("what I tell you now stays between us", "lo que te cuento ahora queda entre nosotros"):
        told = run("chat", stdin=f"{words}\nMy brother Luis is in debt\n")

        assert "off the record: your next message" in told.err
        assert '"/keep" puts it on the record' in told.err  # as the chat has it, whatever the language
    assert not any("Luis" in file.read_text() for file in home.rglob("*.jsonl"))


def test_what_is_withheld_is_listed_however_much_is_said_since(run: Run) -> None:
    run("init", "--language", "en")
    run("chat", stdin="\n".join(["the wifi password is tundra-fox-88", *["hm"] * 25]) + "\n")

    assert "tundra-fox-88" in run("keep", "--list").out


def test_a_secret_is_listed_once_however_often_it_is_told(run: Run) -> None:
    run("init", "--language", "en")
    said = "Remember that the wifi password is tundra-fox-88"
    run("chat", stdin=f"{said}\nso the wifi password is tundra-fox-88\n")

    assert len(json.loads(run("keep", "--list", "--json").out)) == 1
    run("keep", "tundra-fox-88")
    assert json.loads(run("keep", "--list", "--json").out) == []


def test_a_list_of_memories_says_how_what_is_left_out_is_shown(run: Run) -> None:
    run("init")
    run("remember", SUSPECT)

    shown = run("memory", "list")

    assert "tundra" not in shown.out
    assert '"almario keep --list" shows it' in shown.out + shown.err
