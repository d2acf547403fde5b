"""A member of a household: does at random all that is done with two agents, until it is killed.

What it is about to do to what others said is written down before, and what a call
has returned after it. Two agents have ids that begin with their letter, whatever
they are renamed to.
"""

import contextlib
import itertools
import logging
import os
import random
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import almario
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound, Damaged, DocumentError
from almario.soul import Soul
from almario.store.files import locked
from almario.testing import ScriptedLLM
from almario.upkeep import scheduler
from almario.wiring import backups, listed_agents, open_home
from almario.wiring.daemon_parts import housekeeping, leading
from almario.wiring.health import examine
from proofs.torture.diary import KNOWN, MOVED, NAMES, SESSION, SETTINGS, Diary, Hastening, by_hand, erase
from proofs.torture.fuses import lay
from proofs.torture.musing import SECRET, SECRETS, Muse
from proofs.torture.talking import lettered

# How many lives end at a step of writing rather than at a moment; the steps are up to a power of 2.
_FUSED, _LONGEST_FUSE = 0.6, 12


class Member:
    """One life; it ends with a kill."""

    def __init__(self, home: Path, name: str, diary: Diary, clock: Hastening) -> None:
        self._home = home
        self._dice = random.Random(name)
        self._diary = diary
        self._clock = clock
        self._tokens: Iterator[str] = (lettered(f"{name}x{n}") for n in itertools.count())
        self._secrets: list[tuple[str, str]] = []
        self._open: Soul | None = None

    def live(self) -> None:
        acts: dict[Callable[[], None], int] = {
            self._talk: 6,
            self._remember: 4,
            self._note: 3,
            self._forget: 1,
            self._tell_secret: 3,
            self._purge: 2,
            self._reflect: 4,
            self._improve: 4,
            self._decide: 8,
            self._add_goal: 3,
            self._move_goal: 3,
            self._edit_soul: 3,
            self._restore: 1,
            self._flush: 2,
            self._clear: 1,
            self._tidy: 1,
            self._backup: 1,
            self._keep: 2,
            self._verify: 1,
            self._examine: 1,
            self._rename: 1,
            self._remove: 1,
            self._leave: 4,
        }
        while True:
            act = self._dice.choices(list(acts), list(acts.values()))[0]
            try:
                act()
            except KNOWN as exc:
                if isinstance(exc, DocumentError):
                    raise
                if isinstance(exc, AgentNotFound):
                    self._leave()
            except Damaged as exc:
                if not MOVED.search(str(exc)):
                    raise
                self._leave()

    @property
    def _soul(self) -> Soul:
        """The agent that is open, or either of them."""
        if self._open is None:
            wanted = self._dice.choice(list(NAMES))
            llm = ScriptedLLM(Muse(self._dice, self._tokens))
            self._open = almario.open(
                self._home, self._named(wanted), settings=SETTINGS, clock=self._clock, llm=llm
            )
        return self._open

    def _named(self, letter: str) -> str:
        """Return what an agent is called now; one that is in the trash is brought back."""
        for agent in listed_agents(self._home):
            if agent.id[0] == letter:
                return agent.id
        home = open_home(self._home, settings=SETTINGS, clock=self._clock).home
        return home.bring_back(next((each.name for each in home.trash() if each.id[0] == letter), letter)).id

    def _will(self, verb: str, **more: Any) -> None:
        self._diary.add("will", verb, self._soul.id[0], **more)

    def _did(self, verb: str, **more: Any) -> None:
        self._diary.add("did", verb, self._soul.id[0], **more)

    def _leave(self) -> None:
        soul, self._open = self._open, None
        if soul:
            with contextlib.suppress(AgentNotFound):  # another was faster, and it lies elsewhere
                soul.close()

    def _talk(self) -> None:
        token = next(self._tokens)
        message = f"Basket K{token} holds marbles"
        if self._dice.random() < 0.2:
            message = f"Goal: Walk to G{token} and back"
        answer = self._soul.talk(message, SESSION)
        for turn in answer.turns:
            self._did("say", n=turn.n, text=turn.text)
        if message.startswith("Goal: ") and not any(done.is_error for done in answer.done):
            self._did("aim", goal=message.removeprefix("Goal: "))

    def _remember(self) -> None:
        value = f"Basket K{next(self._tokens)} holds ropes"
        receipt = self._soul.remember("basket", value)
        self._did("remember", value=value, id=receipt.memory.id if receipt.memory else "")

    def _note(self) -> None:
        """Write a fact into MEMORY.md, as an editor does."""
        value = f"Basket K{next(self._tokens)} holds stamps"
        self._by_hand("MEMORY.md", lambda text: f"{text.rstrip()}\n\n- {value}\n".lstrip())
        self._soul.memory.settle()
        self._did("remember", value=value, id="")

    def _forget(self) -> None:
        memory = self._dice.choice(self._soul.memory.list() or [None])
        if memory and not SECRETS.search(memory.value):
            self._will("forget", value=memory.value, id=memory.id)
            self._soul.forget(memory.id)

    def _tell_secret(self) -> None:
        """Say a secret wherever it can be said; nobody erases it before it was said."""
        secret = SECRET.format(token=f"Z{next(self._tokens)}")
        receipt = self._soul.remember("secret", secret)
        self._did("tell", secret=secret)
        soul, letter = self._soul, self._soul.id[0]
        ways: tuple[Callable[[], object], ...] = (
            lambda: soul.log(f"Today I heard: {secret}"),
            lambda: soul.talk(secret, SESSION),
            lambda: soul.goals.add(f"Keep it safe: {secret}"),
            lambda: self._write_by_hand("SOUL.md", f"- Never say that {secret}"),
            lambda: soul.improve(f"Never say: {secret}"),
            soul.reflection.run,
        )
        for say in self._dice.sample(ways, 3):
            say()
        if receipt.memory:
            self._secrets.append((letter, secret))

    def _purge(self) -> None:
        mine = [secret for letter, secret in self._secrets if letter == self._soul.id[0]]
        if mine:
            erase(self._soul, self._dice.choice(mine), self._diary)

    def _reflect(self) -> None:
        since = self._clock().date() - timedelta(days=2) if self._dice.random() < 0.2 else None
        done = self._soul.reflection.run(since=since)
        if done.id and not done.why:
            self._did("reflect", id=done.id)

    def _improve(self) -> None:
        token = next(self._tokens)
        words = self._dice.choice(
            (f"Say P{token} less", f"remember that I like P{token}", f"call yourself P{token}")
        )
        for made in self._soul.improve(words).proposals:
            self._did("propose", id=made.id)

    def _decide(self) -> None:
        """Answer a proposal, be it answered or not: the owner may have two windows open."""
        proposals = self._soul.proposals
        found = proposals.list(every=self._dice.random() < 0.2)
        if not found:
            return
        wanted, chance = self._dice.choice(found[:3]), self._dice.random()
        if chance < 0.25:
            proposals.reject(wanted.id, "not you")
            self._did("reject", id=wanted.id)
            return
        self._will("accept", id=wanted.id)
        if chance < 0.5 and wanted.file in ("SOUL.md", "MOTIVATIONS.md"):
            self._write_by_hand(wanted.file, f"- What about H{next(self._tokens)}?")
        elif chance < 0.7 and wanted.state == "open" and wanted.file == "SOUL.md":
            more = f"{wanted.after.rstrip()}\n- Also W{next(self._tokens)}\n"
            proposals.rewrite(wanted.id, more, base=wanted.before)
        proposals.accept(wanted.id)
        self._did("accept", id=wanted.id)

    def _add_goal(self) -> None:
        goal = f"Mend G{next(self._tokens)} before winter"
        self._soul.goals.add(goal, priority=self._dice.choice(("high", "low")))
        self._did("aim", goal=goal)

    def _move_goal(self) -> None:
        goals = self._soul.goals
        every = [goal for goal in goals.list() if not SECRETS.search(goal.text)]
        if not every:
            return
        goal = self._dice.choice(every).text
        states = ("started", "done", "open", "dropped")
        changes = [{"note": "it goes on"}, {"priority": "low"}, *({"state": each} for each in states)]
        change: Any = self._dice.choice(changes)
        if change == {"state": "dropped"}:
            self._will("drop", goal=goal)
        goals.change(goal, **change)

    def _edit_soul(self) -> None:
        file = self._dice.choice(("SOUL.md", "SOUL.md", "MOTIVATIONS.md", "IDENTITY.md"))
        token = next(self._tokens)
        line = f"habit{token}: H{token}" if file == "IDENTITY.md" else f"- What about H{token}?"
        self._write_by_hand(file, line)
        self._soul.settle()

    def _write_by_hand(self, file: str, line: str) -> None:
        title = {"SOUL.md": "## Notes\n\n", "MOTIVATIONS.md": "## Open Questions\n\n"}.get(
            file, "# Identity\n\n"
        )
        self._by_hand(file, lambda text: text.replace(title, f"{title}{line}\n", 1))

    def _by_hand(self, file: str, edit: Callable[[str], str]) -> None:
        by_hand(self._soul.path, file, edit, lambda name: self._will("edit", file=file, hash=name))

    def _restore(self) -> None:
        file = self._dice.choice(("SOUL.md", "MOTIVATIONS.md"))
        # The first one is from before anything was locked.
        versions = [version for version in self._soul.history(file)[1:] if version.kept]
        for wanted in self._dice.sample(versions[-4:], min(1, len(versions))):
            self._will("restore", file=file, hash=wanted.hash)
            self._soul.restore(file, str(wanted.number))

    def _flush(self) -> None:
        self._soul.flush(SESSION)

    def _clear(self) -> None:
        self._soul.end_session(SESSION, clear=True)

    def _tidy(self) -> None:
        self._soul.tidying.consolidate()

    def _backup(self) -> None:
        began = time.monotonic()
        made = backups(self._home, settings=SETTINGS, clock=self._clock).make()
        notices = [str(each) for each in made.told]
        self._diary.add("did", "backup", path=str(made.path), told=notices, began=began)

    def _nightly(self) -> list[Sentence]:
        self._backup()
        return []

    def _keep(self) -> None:
        """Be the daemon for a while."""
        self._leave()
        llm = ScriptedLLM(Muse(self._dice, self._tokens))
        with leading(self._home) as is_leader:
            if not is_leader:
                return
            upkeep = housekeeping(
                self._home, settings=SETTINGS, clock=self._clock, llm=llm, backup=self._nightly
            )
            upkeep.state.begin(os.getpid())
            for _ in range(self._dice.randint(1, 4)):
                upkeep.rounds.make()
                time.sleep(self._dice.random() * 0.05)
            upkeep.rounds.close()
            upkeep.state.end()

    def _verify(self) -> None:
        """What the others are writing is no damage."""
        soul = self._soul
        damages = soul.memory.verify()
        with locked(soul.path / ".lock", seconds=10):  # or the agent is gone, and its files with it
            for damage in damages:
                self._diary.trouble(f"verified while others wrote: {damage.place} {damage.problem}")

    def _examine(self) -> None:
        self._leave()
        for each in examine(self._home, settings=SETTINGS, clock=self._clock):
            # A line that a killed process left unfinished is there until the next is written.
            is_passing = MOVED.search(str(each.what)) or "is unfinished" in str(each.what)
            if each.level == "failure" and not is_passing:
                self._diary.trouble(f"the doctor, while others wrote: {each.about} {each.what}")

    def _rename(self) -> None:
        home = open_home(self._home, settings=SETTINGS, clock=self._clock).home
        old = self._named(self._dice.choice(list(NAMES)))
        home.rename(old, next(name for name in NAMES[old[0]] if name != old))

    def _remove(self) -> None:
        home = open_home(self._home, settings=SETTINGS, clock=self._clock).home
        removed = home.remove(self._named(self._dice.choice(list(NAMES))))
        time.sleep(self._dice.random() * 0.05)
        home.bring_back(removed.id)


def live_until_killed(home: Path, number: int, name: str, path: Path, *, clock: Hastening) -> None:
    """Live until killed, by others or at a chosen step; what goes wrong before is written down as well."""
    diary = Diary(path)
    dice = random.Random(f"fuse of {name}")
    lay(int(2 ** (dice.random() * _LONGEST_FUSE)) if dice.random() < _FUSED else 0)

    class Telling(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not MOVED.search(record.getMessage()):
                diary.trouble(f"a warning: {record.getMessage()}")

    def failed(exc: Exception) -> Any:
        is_known = isinstance(exc, KNOWN) and not isinstance(exc, DocumentError)
        if not is_known and not MOVED.search(str(exc)):
            diary.trouble("in a round: " + "".join(traceback.format_exception(exc)))
        return telling(exc)

    telling, scheduler.failed = scheduler.failed, failed  # type: ignore[attr-defined]
    logging.getLogger("almario").addHandler(Telling(logging.WARNING))
    threading.excepthook = lambda given: diary.trouble(
        "in a thread: " + "".join(traceback.format_exception(given.exc_value) if given.exc_value else ["?"])
    )
    try:
        Member(home, name, diary, clock).live()
    except BaseException:
        diary.trouble(traceback.format_exc())
        raise
