"""What every store promises, and what an agent does on any of them."""

import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from almario.domain.documents.document import Document
from almario.domain.events import DayLogged, Filing, JobTried, PurgeBegun, PurgeDone, SoulChanged, SoulEdited
from almario.domain.messages import Sentence
from almario.domain.soul_events import ProposalAnswered, ProposalMade
from almario.domain.turns import Utterance
from almario.errors import DocumentError, EditConflict, SoulError
from almario.ports import Store
from almario.testing import FixedClock
from tests.souls import by_hand, store_of

TRIED = JobTried("flush", Sentence.own("no model"))


@pytest.fixture(params=["folder", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Store:
    return store_of(request.param, tmp_path / "agent", clock)


def put(store: Store, name: str, text: str) -> Document:
    with store.writing() as write:
        return write.replace(store.read(name), text)


def say(store: Store, *texts: str, session: str = "cli:main") -> None:
    store.append_turns(session, [Utterance("user", text, "owner") for text in texts])


# The journal.


def test_a_new_store_has_nothing(store: Store) -> None:
    assert store.journal.tail() == (0, None)
    assert store.journal.read() == []
    assert store.journal.first() is None
    assert store.journal.check() == []
    assert store.read("MEMORY.md").content is None
    assert store.documents.names("memory") == []
    assert store.documents.marks() == {}
    assert store.transcripts.sessions() == []
    assert store.versions.history("SOUL.md") == []
    assert store.settle() == []


def test_lines_are_read_in_order_after_any_of_them(store: Store) -> None:
    events = [store.record(JobTried("flush", Sentence.own(why)), actor="agent") for why in "abc"]

    assert [event.body for event in store.journal.read()] == [event.body for event in events]
    assert [event.seq for event in store.journal.read(after=events[0].seq)] == [e.seq for e in events[1:]]
    assert store.journal.tail().seq == events[-1].seq
    assert store.journal.tail().last == events[-1]
    assert store.journal.first() == events[0]
    assert len({event.id for event in events}) == 3


def test_lines_of_a_kind_are_found_newest_first(store: Store) -> None:
    store.record(JobTried("flush", Sentence.own("one")), actor="agent")
    store.record(PurgeBegun((), (), "salt", ()), actor="owner")
    store.record(JobTried("flush", Sentence.own("two")), actor="agent")

    assert [event.body.why for event in store.journal.select("job.") if isinstance(event.body, JobTried)] == [
        "two",
        "one",
    ]
    assert list(store.journal.select("soul.")) == []


def test_a_write_that_rests_on_what_was_erased_since_is_refused(store: Store) -> None:
    line = store.record(TRIED, actor="agent").seq
    with store.writing(since=line) as write:
        write.append(PurgeBegun((), (), "salt", ()), actor="owner")

    with pytest.raises(EditConflict, match="erased in the meantime"), store.writing(since=line):
        pass


def test_one_write_is_open_at_a_time(store: Store) -> None:
    order: list[str] = []
    began = threading.Event()

    def later() -> None:
        began.set()
        with store.writing():
            order.append("second")

    other = threading.Thread(target=later)
    with store.writing():
        other.start()
        began.wait()
        order.append("first")
    other.join()

    assert order == ["first", "second"]


# What a line owes to documents.


def filing(text: str = "- one\n") -> Filing:
    return Filing("memory/2026-11-14.md", text, "# Log\n\n")


def test_what_an_interrupted_write_owes_is_added_once_by_the_next(store: Store) -> None:
    with store.writing() as write:
        write.append(DayLogged("2026-11-14", "UTC"), actor="owner", filings=[filing(), filing()])

    for _ in range(2):
        with store.writing() as write:
            assert write.filed == write.seq

    assert store.read("memory/2026-11-14.md").text.count("- one\n") == 2


def test_a_line_that_the_owner_took_out_stays_out(store: Store) -> None:
    store.add_to_log("embarrassing", actor="owner")
    by_hand(store, "memory/2026-11-14.md", "# Log\n")

    store.add_to_log("next", actor="owner")

    assert "embarrassing" not in store.log_of(date(2026, 11, 14)).text
    assert "next" in store.log_of(date(2026, 11, 14)).text


def test_the_log_needs_words(store: Store) -> None:
    with pytest.raises(SoulError, match="empty"):
        store.add_to_log(" \n", actor="owner")


# Documents.


def test_a_document_that_has_changed_is_not_replaced(store: Store) -> None:
    nothing = store.read("MEMORY.md")
    read = put(store, "MEMORY.md", "one\n")
    by_hand(store, "MEMORY.md", "the owner's\n")

    for stale in (read, nothing):
        for content in ("ours\n", None):
            with pytest.raises(EditConflict), store.writing() as write:
                write.replace(stale, content)

    assert store.read("MEMORY.md").text == "the owner's\n"


def test_a_document_can_be_removed_and_moved(store: Store) -> None:
    put(store, "memory/a.md", "a\n")
    gone = put(store, "memory/b.md", "b\n")

    with store.writing() as write:
        write.replace(gone, None)
        write.move("memory/a.md", "memory/c.md")

    assert store.documents.names("memory") == ["memory/c.md"]
    assert store.read("memory/c.md").text == "a\n"


def test_a_document_is_not_moved_over_another(store: Store) -> None:
    put(store, "memory/a.md", "a\n")
    put(store, "memory/b.md", "b\n")

    with pytest.raises(EditConflict), store.writing() as write:
        write.move("memory/a.md", "memory/b.md")

    assert store.read("memory/b.md").text == "b\n"


@pytest.mark.parametrize("name", ["../elsewhere.md", "memory/../../x.md", "a\0b"])
def test_no_name_leads_out(store: Store, name: str) -> None:
    with pytest.raises(DocumentError):
        store.read(name)


def test_a_folder_lists_what_is_right_below_it(store: Store) -> None:
    for name in ("memory/b.md", "memory/a.md", "memory/archive/c.md", "x.md"):
        put(store, name, "x\n")

    assert store.documents.names("memory") == ["memory/a.md", "memory/b.md"]


def test_a_mark_changes_with_its_document(store: Store) -> None:
    put(store, "memory/a.md", "a\n")
    put(store, "memory/b.md", "b\n")
    before = store.documents.marks()
    put(store, "memory/b.md", "another\n")
    say(store, "hello")
    after = store.documents.marks()

    assert before["memory/a.md"] == after["memory/a.md"]
    assert before["memory/b.md"] != after["memory/b.md"]
    assert set(after) == {"memory/a.md", "memory/b.md", "sessions/cli.main.jsonl"}


def test_lines_are_added_without_a_write(store: Store) -> None:
    for line in (b"one\n", b"two\n"):
        store.documents.add_line("costs/2026-11.jsonl", line)

    assert store.read("costs/2026-11.jsonl").content == b"one\ntwo\n"
    assert "costs/2026-11.jsonl" not in store.documents.marks()


# Soul files.


def test_a_soul_file_has_a_history(store: Store) -> None:
    for text in ("one\n", "two\n"):
        store.write_soul(store.read("SOUL.md"), text, actor="owner", reason=f"wrote {text.strip()}")
    by_hand(store, "SOUL.md", "three\n")
    with store.writing():
        pass

    history = store.versions.history("SOUL.md")

    assert [(v.number, v.actor, v.reason) for v in history] == [
        (1, "owner", "wrote one"),
        (2, "owner", "wrote two"),
        (3, "owner", "edited by hand"),
    ]
    assert [store.versions.text("SOUL.md", v.hash or "") for v in history] == ["one\n", "two\n", "three\n"]
    kinds = [type(event.body) for event in store.journal.select("soul.")]
    assert kinds == [SoulEdited, SoulChanged, SoulChanged]


def test_an_earlier_version_can_be_put_back(store: Store) -> None:
    for text in ("one\n", "two\n"):
        store.write_soul(store.read("SOUL.md"), text, actor="owner", reason="written")

    version = store.restore("soul", "1", actor="owner")

    assert version.number == 1
    assert store.read("SOUL.md").text == "one\n"
    assert store.versions.find("SOUL.md", "3").reason == "version restored: 1"
    with pytest.raises(SoulError, match="has no version"):
        store.versions.find("SOUL.md", "9")


def test_pruning_keeps_the_latest_contents_the_present_one_and_what_a_proposal_waits_for(
    store: Store,
) -> None:
    for text in ("four\n", "one\n", "two\n", "one\n", "three\n", "four\n"):
        store.write_soul(store.read("SOUL.md"), text, actor="owner", reason="written")
    two = store.versions.history("SOUL.md")[2].hash or ""
    made = ProposalMade("p1", "SOUL.md", None, two, Sentence("as before"), (), "agent")
    store.record(made, actor="agent")

    assert store.prune() == 0
    assert store.prune(keep=2) == 1
    assert [v.kept for v in store.versions.history("SOUL.md")] == [True, False, True, False, True, True]
    with pytest.raises(SoulError, match="no longer kept"):
        store.restore("SOUL.md", "2", actor="owner")
    store.record(ProposalAnswered("p1", "rejected", Sentence("no")), actor="owner")

    assert store.prune(keep=1) == 2
    assert store.versions.text("SOUL.md", store.read("SOUL.md").hash or "") == "four\n"
    assert store.versions.check() == []


def test_a_soul_file_that_the_owner_changed_is_not_written_over(store: Store) -> None:
    store.write_soul(store.read("SOUL.md"), "one\n", actor="owner", reason="written")
    read = store.read("SOUL.md")
    by_hand(store, "SOUL.md", "the owner's\n")

    with pytest.raises(EditConflict):
        store.write_soul(read, "ours\n", actor="agent", reason="x")

    assert store.read("SOUL.md").text == "the owner's\n"


def test_a_content_can_be_kept_before_it_is_one(store: Store) -> None:
    with store.writing() as write:
        name = write.keep_version("SOUL.md", "perhaps\n")

    assert store.versions.has("SOUL.md", name)
    assert store.versions.history("SOUL.md") == []
    with pytest.raises(SoulError, match="no longer kept"):
        store.versions.content("SOUL.md", "0" * 64)


# Transcripts.


def test_turns_are_numbered_in_each_session(store: Store) -> None:
    say(store, "one", "two")
    say(store, "else", session="cli:other")
    store.append_turns("cli:main", [Utterance("assistant", "later", "agent")], after=7)

    turns = store.transcripts.read("cli:main")

    assert [(turn.n, turn.text) for turn in turns] == [(1, "one"), (2, "two"), (8, "later")]
    assert store.transcripts.sessions() == ["cli:main", "cli:other"]
    assert store.transcripts.read("cli:main", after=1)[0].text == "two"
    assert [turn.text for turn in store.transcripts.read("cli:main", last=1)] == ["later"]
    assert store.transcripts.last_number("cli:main") == 8
    assert store.transcripts.first("cli:main") == turns[0]


def test_turns_in_the_archive_are_read_as_before(store: Store) -> None:
    say(store, "one", "two", "three")
    before = store.transcripts.read("cli:main")

    assert store.archive_turns("cli:main", 2) == 2
    assert store.archive_turns("cli:main", 2) == 0

    assert store.transcripts.archived("cli:main") == 2
    assert store.transcripts.read("cli:main") == before
    current, older = "sessions/cli.main.jsonl", "sessions/archive/cli.main.jsonl"
    assert {current, older} <= set(store.documents.marks())
    assert store.read(current).text.count("\n") == 1
    assert store.read(older).text.count("\n") == 2


def test_a_session_has_a_mark_that_changes_when_something_is_said(store: Store) -> None:
    say(store, "one")
    before = store.transcripts.marks()
    say(store, "else", session="cli:other")

    assert store.transcripts.marks()["cli:main"] == before["cli:main"]
    say(store, "two")
    assert store.transcripts.marks()["cli:main"] != before["cli:main"]


def test_others_who_spoke_are_known_by_name(store: Store) -> None:
    store.append_turns(
        "chat", [Utterance("user", "hi", "untrusted", "Eva"), Utterance("user", "yo", "owner", "Ana")]
    )

    assert store.transcripts.speakers("chat") == {"Eva"}
    assert store.transcripts.speakers("nobody") == frozenset()
    store.append_turns("chat", [Utterance("user", "me too", "untrusted", "Leo")])
    assert store.transcripts.speakers("chat") == {"Eva", "Leo"}


# Erasing.


def test_everything_that_holds_text_can_be_rewritten(store: Store) -> None:
    put(store, "memory/notes.md", "a canary\n")
    store.write_soul(store.read("SOUL.md"), "a canary\n", actor="owner", reason="a canary")
    say(store, "a canary")
    store.documents.add_line("costs/2026-11.jsonl", b"canary\n")

    def without(text: str) -> str | None:
        return text.replace("canary", "bird")

    def fields(line: dict[str, object]) -> dict[str, object]:
        return {name: without(said) if isinstance(said, str) else said for name, said in line.items()}

    with store.writing() as write:
        for held in store.documents.holdings():
            if held.holder == "version":
                assert write.rewrite(held, lambda text: None if "canary" in text else text)
            else:
                write.rewrite(held, without, fields if held.holder in ("transcript", "journal") else None)
        write.append(PurgeDone(0), actor="almario")  # what is known of the journal is not true any more

    texts = [store.read(each.name).raw for each in store.documents.holdings()]
    assert not any("canary" in text for text in texts)
    assert store.transcripts.read("cli:main")[0].text == "a bird"
    assert [v.kept for v in store.versions.history("SOUL.md")] == [False]
    assert store.versions.history("SOUL.md")[0].reason == "a bird"
    assert store.journal.check() == store.transcripts.check() == []
    assert store.read("costs/2026-11.jsonl").content == b"canary\n"


# Who does a job, and who watches.


def test_a_job_is_done_by_one_at_a_time(store: Store) -> None:
    lease = store.lease
    with lease("flush") as mine, lease("flush", seconds=0.01) as theirs, lease("reflect") as another:
        assert (mine, theirs, another) == (True, False, True)

    with store.lease("flush") as again:
        assert again


@pytest.mark.parametrize("change", [lambda s: by_hand(s, "SOUL.md", "x"), lambda s: put(s, "MEMORY.md", "x")])
def test_who_watches_is_told_of_changes(store: Store, change: Callable[[Store], object]) -> None:
    heard = threading.Event()

    def look() -> None:
        if "x" in (store.read("SOUL.md").text, store.read("MEMORY.md").text):
            heard.set()

    with store.watch(look):
        change(store)
        assert heard.wait(60)
