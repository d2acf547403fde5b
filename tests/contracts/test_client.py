"""A program for a Soul sees the same on a client of one, waiting or awaited, by commands and by tools."""

import asyncio
import inspect
import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

import almario
from almario import Hit, Scope, Soul, Wanted
from almario.apps.cli import common
from almario.client import AsyncRemoteSoul, RemoteSoul
from almario.client.carrying import There
from almario.client.stand_in import AwayFace, AwaySoul
from almario.client.verbs import ClientPart
from almario.domain.late import Late
from almario.errors import AlmarioError, EditConflict
from almario.memory.sync import Throttle
from almario.plugins import Ask
from almario.served import Login
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import open_soul
from tests.apps.conftest import Run
from tests.apps.served import HOST, Served
from tests.contracts.faces import COMMANDS, by_tools, typed
from tests.tables import each_row

AnySoul = Soul | RemoteSoul
LESSON = json.dumps({"facts": [], "episodes": [], "instructions": [], "summary": "They spoke of Lisbon."})


class Awaited:
    """An awaited soul for programs that wait."""

    def __init__(self, part: Any, run: Callable[[Any], Any]) -> None:
        self._part = part
        self._run = run

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if isinstance(found, ClientPart):
            return Awaited(found, self._run)
        if inspect.iscoroutine(found):
            return self._run(found)
        return (lambda *given, **named: self._run(found(*given, **named))) if callable(found) else found


def _model(ask: Ask) -> str:
    return LESSON if ask.schema else "Good evening, Ana."


@pytest.fixture
def homes(tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Homes with the same soul; one is where commands look."""
    monkeypatch.setenv("ALMARIO_FLUSH_THRESHOLD", "1000")  # nothing is learned in the background
    made = [tmp_path / name for name in ("own", "other", "third", "home")]
    almario.create(made[0], clock=clock).close()
    for home in made[1:]:
        shutil.copytree(made[0], home, ignore=shutil.ignore_patterns("*-shm"))
    return made


def own(home: Path, clock: FixedClock) -> Soul:
    return almario.open(home, clock=clock, llm=ScriptedLLM(_model))


def served(home: Path, clock: FixedClock) -> Served:
    made = Served(home, clock, llm=ScriptedLLM(_model))
    made.souls.soul("default").memory.sync.throttle = Throttle()  # MEMORY.md is in step at once, as above
    return made


@pytest.fixture
def souls(
    homes: list[Path], clock: FixedClock, monkeypatch: pytest.MonkeyPatch, run: Run
) -> Iterator[tuple[Any, ...]]:
    """The same soul four times: in this process, behind a server, awaited and not, and by commands."""
    awaited_there, waited_there = served(homes[1], clock), served(homes[2], clock)
    there = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(awaited_there.app),
        base_url=f"http://{HOST}",
        headers={"Authorization": f"Bearer {awaited_there.owner}"},
    )
    monkeypatch.setattr(common, "open_soul", partial(open_soul, clock=clock, llm=ScriptedLLM(_model)))
    with (
        asyncio.Runner() as runner,
        waited_there.client(waited_there.owner) as here,
        own(homes[0], clock) as local,
        own(homes[3], clock) as commanded,
    ):
        awaited = Awaited(AsyncRemoteSoul(There(there, "default"), "default"), runner.run)
        login = Login(f"http://{HOST}", waited_there.owner)
        by_command = typed(commanded, run)
        yield local, awaited, AwaySoul(AwayFace(here, login, "default"), "default"), by_command
        assert by_command.used == COMMANDS.keys()
        awaited_there.souls.close()


@pytest.fixture
def with_tools(homes: list[Path], clock: FixedClock) -> Iterator[tuple[Any, ...]]:
    """The same soul in this process, and by tools."""
    with own(homes[0], clock) as local, own(homes[1], clock) as tooled:
        yield local, by_tools(tooled)


def remembering(soul: AnySoul) -> Any:
    first = soul.remember("job: designs bridges")
    assert first.memory is not None
    second = soul.remember("job", "teaches physics", replaces=first.memory.id)
    assert [memory.state for memory in second.replaced] == ["superseded"]
    secret = soul.remember("sk-ant-api03-" + "a1B2" * 20)
    assert second.memory is not None
    changed = soul.memory.change(second.memory.id, when="2025/..")
    return first, second, secret, changed, soul.memory.why(changed.id), soul.memory.get(first.memory.id)


def recalling(soul: AnySoul) -> Any:
    soul.remember("tram: the 28 stops at Graça")
    found = soul.recall("where does the tram stop?", explain=True, limit=3)
    none = soul.recall("tram", scope=Scope(kinds=("episode",), since=date(2026, 1, 1), project="all"))
    return found, found.told, found.kept_out, none, [each.name for each in found]


def forgetting(soul: AnySoul) -> Any:
    soul.remember("pet: a cat called Michi")
    gone = soul.forget("pet")
    undone = soul.undo(gone.seq)
    again = soul.forget("Michi", every=True)
    return gone, gone.turns, gone.lines, undone, again, soul.memory.restore(again[0].id)


def looking_at_memories(soul: AnySoul) -> Any:
    for number in range(3):
        soul.remember(f"train {number}: leaves at {number}")
    known = soul.memory.list(Wanted(keys=("train 1",)))
    then = datetime(2026, 11, 14, 13, 30, tzinfo=UTC)
    shared = soul.memory.change(known[0].id, shared=True)
    told = soul.memory.stats()._replace(passages=0, without_vector=0)
    return known, shared, told, soul.memory.list(as_of=then), soul.memory.list()


def planning(soul: AnySoul) -> Any:
    made = soul.remember("dinner with Luis on 2026-11-20").memory
    assert made is not None
    soul.memory.change(made.id, when="2026-11-20")
    plans = soul.memory.plans()
    return plans, [(plan.away, plan.is_over, str(plan.when), plan.how_far) for plan in plans]


def portraying(soul: AnySoul) -> Any:
    soul.remember("sister: Her sister Inés is a vet in Lisbon")
    soul.remember("answer in short sentences", kind="instruction")
    page = soul.portrait()
    assert [each.text for each in page.sentences][-1:] == ["Answer in short sentences."]
    return page, soul.portrait("Inés"), soul.people()


def ending(soul: AnySoul) -> Any:
    made = soul.remember("course: studies Greek").memory
    assert made is not None
    ended = soul.memory.change(made.id, ended="2026-11-01")
    return ended, ended.state, soul.memory.list(Wanted(states=("ended",)))


def erasing(soul: AnySoul) -> Any:
    made = soul.remember("colour: a green like no other").memory
    assert made is not None
    planned = soul.memory.plan_purge(made.id)
    cleaned = soul.memory.purge(planned)
    return planned, bool(cleaned), soul.memory.plan_purge(expired=30)


def erasing_by_word(soul: AnySoul) -> Any:
    soul.log("the trip on the Gaviota")
    held = soul.memory.holding("gaviota")
    cleaned = soul.memory.purge_held("gaviota", [each.id for each in held])
    # Where a line of the journal stands is the store's own.
    return [(each.kind, each.kind == "line" and each.line, each.can_be_erased) for each in held], bool(
        cleaned
    )


def erasing_what_is_not_there(soul: AnySoul) -> Any:
    return soul.memory.purge_held("gaviota", ["0123"])


def going_out_and_in(soul: AnySoul) -> Any:
    lines = soul.memory.export()
    return len(lines), soul.memory.import_lines(lines)


def talking(soul: AnySoul) -> Any:
    heard: list[str] = []
    answer = soul.talk("Good evening!", "app:ana", hear=heard.append, ref="m1")
    again = soul.talk("Good evening!", "app:ana", ref="m1")
    wish = soul.talk("Remember that my sister is called Lucía.", "app:ana")
    return answer, heard, again.text, wish.done, soul.sessions.turns("app:ana", last=2)


def keeping_what_was_said(soul: AnySoul) -> Any:
    first = soul.append("app:grace", "user", "I moved to Lisbon last week.", ref="t1")
    same = soul.append("app:grace", "user", "I moved to Lisbon last week.", ref="t1")
    other = soul.append("app:grace", "user", "So did I.", origin="untrusted", speaker="bob")
    views = [view for view in soul.sessions.list() if view.session == "app:grace"]
    return first, same, other, views, soul.sessions.turns("app:grace")


def learning(soul: AnySoul) -> Any:
    soul.append("app:learn", "user", "I moved to Lisbon last week.")
    soul.append("app:learn", "assistant", "How is it?")
    flushed = soul.flush("app:learn")
    soul.append("app:learn", "user", "Fine.")
    ended = soul.end_session("app:learn")
    soul.append("app:learn", "user", "Are you there?")
    kept = soul.snapshot("app:learn", ask=False)
    return flushed, [each.news for each in flushed], ended, kept, soul.end_session("app:learn", clear=True)


def off_the_record(soul: AnySoul) -> Any:
    soul.off_record("app:off")
    hidden = soul.append("app:off", "user", "Nobody heard this.")
    soul.off_record("app:off", off=False)
    [back] = soul.put_back("app:off")
    return hidden, hidden.is_off, soul.append("app:off", "user", "And this they did.").is_off, back.text


def prompting(soul: AnySoul) -> Any:
    hit = Hit("fact", "Ana likes curry", date(2026, 3, 1), 0.87)
    made = soul.prompt("What can I cook?", "conversation", recalled=[hit], blocks=["Be brief."], explain=True)
    found = soul.prompt("Where does the tram stop?", session="app:tram", tools=["memory_search"])
    return made, made.text, made.tokens > 0, made.remembered, found


def using_tools(soul: AnySoul) -> Any:
    names = soul.tools.specs("conversation", session="app:tools")
    soul.append("app:tools", "user", "My bike is red.")
    saved = soul.tools.call("save_memory", {"fact": "My bike is red", "key": "bike"}, session="app:tools")
    wrong = soul.tools.call("save_memory", {"nothing": 1}, session="app:tools")
    return names, saved, wrong


def writing_files(soul: AnySoul) -> Any:
    document = soul.read("SOUL")
    soul.write(document, document.text + "\nI like trains.\n", reason="said so")
    files = soul.files()
    history = soul.history("soul")
    restored = soul.restore("SOUL", "1")
    soul.log("We spoke of trains.")
    known = (soul.name, soul.since, str(soul.zone), soul.identity("name"), soul.id, soul.prune(keep=9))
    return (
        document,
        files,
        history,
        restored,
        soul.diff("SOUL"),
        soul.read("SOUL", "2").text,
        soul.days.get().log,
        known,
    )


def having_goals(soul: AnySoul) -> Any:
    soul.goals.add("Learn to cook rice", priority="high")
    soul.goals.change("rice", state="started")
    soul.goals.change("rice", note="Too salty.")
    soul.goals.change("rice", state="done", note="It was good")
    soul.goals.change("rice", state="open", priority="low")
    soul.goals.change("rice", priority="medium")
    found = soul.goals.get("rice")
    soul.goals.add("See the sea")
    soul.goals.change("See the sea", state="dropped")
    return soul.goals.list(), found, soul.goals.stale()


def proposing(soul: AnySoul) -> Any:
    text = soul.read("SOUL").text
    wanted = soul.proposals.propose("SOUL", text + "\nI am patient.\n", reason="You asked me to slow down.")
    other = soul.proposals.propose("IDENTITY", soul.read("IDENTITY").text + "\n- Tea.\n", reason="Said so.")
    waiting = soul.proposals.list()
    waiting.append(soul.proposals.rewrite(wanted.id, text + "\nI am patient, mostly.\n", base=text))
    accepted, rejected = soul.proposals.accept(wanted.id), soul.proposals.reject(other.id, "not me")
    return wanted, wanted.diff, waiting, accepted, rejected, soul.proposals.get(other.id[:6])


def measuring(soul: AnySoul) -> Any:
    return (soul.costs.report(30),)


def looking_back(soul: AnySoul) -> Any:
    soul.visit()
    line = soul.position
    kept = soul.remember("boat: called Gaviota").memory
    gone = soul.remember("oar: broken").memory
    assert kept is not None
    assert gone is not None
    soul.forget(gone.id)
    made = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\nI sail.\n", reason="You said so.")
    soul.proposals.accept(made.id)
    accepted = soul.undoable("SOUL.md") - line
    back = soul.undo(soul.undoable("SOUL.md"))
    return (
        (back, accepted, soul.proposals.get(made.id).state, soul.undoable("USER.md") >= 0),
        soul.undo(),
    )


def judging(soul: AnySoul) -> Any:
    right, wrong = (soul.remember(each).memory for each in ("sail: a red sail", "rope: a blue rope"))
    assert right is not None
    assert wrong is not None
    cued = (
        soul.memory.change(right.id, cues=["storm tonight"]),
        soul.memory.why(right.id),
    )
    confirmed, rejected = soul.memory.change(right.id, right=True), soul.memory.change(wrong.id, right=False)
    return confirmed, rejected, soul.memory.why(right.id), cued


def counting(soul: AnySoul) -> Any:
    soul.remember("knot: a bowline")
    soul.memory.change(soul.memory.list(Wanted(newest=True, limit=1))[0].id, right=False)
    out = Wanted(states=("retired",), since=datetime(2026, 1, 1, tzinfo=UTC))
    return (
        [soul.memory.count(), soul.memory.count(out)],
        [memory.text for memory in soul.memory.list(out._replace(newest=True, limit=2, offset=1))],
    )


def recording_answers(soul: AnySoul) -> Any:
    kept = soul.remember("harbour: the harbour is Cascais").memory
    assert kept is not None
    answer = soul.talk("Which harbour is it?", "app:harbour").turns[-1]
    return [answer.more[name] for name in ("came", "told", "used")], kept.id in answer.more["told"]


def going_through_days(soul: AnySoul) -> Any:
    soul.log("We went to sea.")
    today = date(2026, 11, 14)
    return soul.days.between(date(2026, 11, 1), today), soul.days.get(today)._replace(learned=())


def tidying_up(soul: AnySoul) -> Any:
    waiting = soul.tidying.waiting()
    tidied = soul.tidying.consolidate(), soul.tidying.condense()
    checked = (soul.memory.verify(), soul.memory.reindex() > 0)
    return waiting, tidied, checked, soul.sessions.view("app:nobody")


def reflecting(soul: AnySoul) -> Any:
    return soul.reflection.run()._replace(material=None)


def following(soul: AnySoul) -> Any:
    position = soul.position
    soul.remember("hat: a blue hat")
    soul.goals.add("Buy a hat")
    told = [event for event in soul.events(after=position) if event.type != "filed"]
    return (
        [(each.type, each.actor, each.body) for each in told],
        soul.position - position,
        soul.events(after=10**6),
    )


def going_through_changes(soul: AnySoul) -> Any:
    soul.remember("oven: a wood oven")
    known = soul.memory.find("oven")
    meant = soul.memory.meant("oven")
    gone = soul.memory.put_out_of_mind(meant.hits())
    changes = [(each.verb, each.actor, each.change) for each in soul.memory.history(known[0].id)]
    news = [memory.text for memory in soul.news().learned]
    return (
        known,
        meant,
        gone,
        changes,
        news,
        soul.unaided("Is there an oven?"),
    )


def being_among_others(soul: AnySoul) -> Any:
    soul.append("telegram:77", "user", "Hi!", origin="untrusted", speaker="Bob")
    window = soul.sessions.window("telegram:77")
    trusted = [*soul.presence.trust("Bob", chat="telegram:77")]
    again = (soul.sessions.reset("telegram:77", "manual"), soul.sessions.reset("telegram:77", "manual"))
    soul.memory.erase_taken_back("telegram:77")
    return window, trusted, again, soul.presence.people(), soul.presence.places()


def keeping_what_waited(soul: AnySoul) -> Any:
    at = datetime(2026, 11, 14, 9, 30, tzinfo=UTC)
    said = [
        Late("user-prompt", "codex:s1", "Remember that I row every morning.", "r1", at),
        Late("stop", "codex:s1", "Noted.", "r2", at),
    ]
    kept = soul.companion.keep(said), soul.companion.keep(said)
    soul.learning.want("app:nobody")
    return kept, soul.sessions.turns("codex:s1"), soul.memory.find("row every morning")


def serving_programs(soul: AnySoul) -> Any:
    soul.remember("canoe: a green canoe")
    found = soul.tools.call_for("recall", {"query": "canoe"})
    text = soul.read("USER").text + "\n- Has a canoe.\n"
    asked = soul.tools.call_for("propose", {"file": "USER", "text": text, "reason": "You said so."})
    wrong = soul.tools.call_for("recall", {})
    return found.structured, asked, wrong, asked.question and soul.tools.decide(asked, asked.proposals)


def knowing_limits(soul: AnySoul) -> Any:
    night = soul.reflection.latest()
    written = (soul.tidying.cue(), soul.tidying.portray("Bruno"))
    return (
        night,
        written,
        soul.model_names,
        soul.today,
        bool(soul.place),
    )


PROGRAMS: list[Callable[[AnySoul], Any]] = [
    remembering, recalling, forgetting, looking_at_memories, planning, ending, erasing, erasing_by_word,
    going_out_and_in, talking, keeping_what_was_said, learning, off_the_record, prompting, using_tools,
    writing_files, portraying, having_goals, proposing, measuring, looking_back, judging, counting,
    recording_answers,
    going_through_days, tidying_up, reflecting, following, going_through_changes,
    being_among_others, keeping_what_waited, serving_programs, knowing_limits,
]  # fmt: skip


def wrong_id(soul: AnySoul) -> Any:
    return soul.memory.get("none")


def wrong_goal(soul: AnySoul) -> Any:
    return soul.goals.change("nothing/../of the kind", state="started")


def no_goal(soul: AnySoul) -> Any:
    return soul.goals.change("..", note="Hm.")


def wrong_file(soul: AnySoul) -> Any:
    return soul.history("NOTES.md")


def written_over(soul: AnySoul) -> Any:
    document = soul.read("USER")
    soul.write(document, document.text + "\n- Likes coffee.\n")
    soul.write(document, "something else")


def empty_question(soul: AnySoul) -> Any:
    return soul.recall(" ")


def unknown_target(soul: AnySoul) -> Any:
    return soul.forget("xyzzy")


def no_such_version(soul: AnySoul) -> Any:
    return soul.restore("SOUL", "999")


def no_such_proposal(soul: AnySoul) -> Any:
    return soul.proposals.accept("none")


def nothing_to_erase(soul: AnySoul) -> Any:
    return soul.memory.purge(soul.memory.plan_purge(expired=30))


def nothing_would_change(soul: AnySoul) -> Any:
    made = soul.remember("shoes: red ones").memory
    return soul.memory.change(made.id, "red ones") if made else None


def no_such_line(soul: AnySoul) -> Any:
    return soul.undo(999_999)


def no_such_copy(soul: AnySoul) -> Any:
    return soul.memory.accept("MEMORY.conflict-00000000.md")


def from_tomorrow_on(soul: AnySoul) -> Any:
    return soul.reflection.run(since=date(2999, 1, 1))


MISTAKES: list[Callable[[AnySoul], Any]] = [
    wrong_id, wrong_goal, no_goal, wrong_file, written_over, empty_question, unknown_target, no_such_version,
    no_such_proposal,
    nothing_to_erase, erasing_what_is_not_there, nothing_would_change, no_such_line, no_such_copy,
    from_tomorrow_on,
]  # fmt: skip


def told(value: object) -> str:
    """Return a value in words, with its types, and its ids and fences by the order in which they come."""
    text = repr(value).replace("mappingproxy({})", "{}")
    text = re.sub(r"MEMORY\.md#\d+", "MEMORY.md#…", text)  # the line depends on what was rendered together
    text = re.sub(r"'ref': 'owner:\w{32}'(, )?", "", text)  # by which a turn is known if it is sent again
    names: dict[str, str] = {}
    return re.sub(r"\b[0-9a-f]{6,64}\b", lambda found: names.setdefault(found[0], f"<{len(names)}>"), text)


def outcome(program: Callable[[AnySoul], Any], soul: AnySoul) -> str:
    """Return what a program comes to: a value, or an error and what it says."""
    try:
        return told(program(soul))
    except EditConflict as exc:  # on its disk, a Soul names the file by its whole path
        return told(type(exc))
    except AlmarioError as exc:
        return told((type(exc), str(exc)))


def untyped(text: str) -> str:
    """Return an outcome as a screen or a tool tells it: of an error, its sentence and not its kind."""
    return re.sub(r"almario\.errors\.\w+", "almario.errors", text)


EVERY = [*PROGRAMS, *MISTAKES]
# What asks a verb that a tool stands for.
OF_TOOLS = [
    each for each in EVERY if re.search(r"soul\.(goals\.|recall|memory\.why)", inspect.getsource(each))
]


@each_row("program", EVERY, ids=lambda program: program.__name__)
def test_a_program_sees_the_same(souls: tuple[Any, ...], program: Callable[[AnySoul], Any]) -> None:
    local, awaited, waited, commanded = (outcome(program, soul) for soul in souls)

    assert awaited == local
    assert waited == local
    assert untyped(commanded) == untyped(local)
    assert ("almario.errors" in local) == (program in MISTAKES), local


@each_row("program", OF_TOOLS, ids=lambda program: program.__name__)
def test_by_tools_too(with_tools: tuple[Any, ...], program: Callable[[AnySoul], Any]) -> None:
    local, tooled = (untyped(outcome(program, soul)).replace("'agent'", "'owner'") for soul in with_tools)

    assert tooled.replace('"goals" lists', '"almario goals" lists') == local  # where each looks
