"""`kill -9` of several processes that live with two agents at once, and what must be so afterwards.

They talk, remember, erase, reflect by day and by night, propose and decide, aim,
edit souls by hand, back up, verify, rename and remove, all at random.
"""

import itertools
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import almario
from almario.domain.memories import STATES, Wanted
from almario.domain.model import Persona
from almario.ports import Clock
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.upkeep.backup import Backups
from almario.wiring import backups, listed_agents, open_home
from proofs.torture.breaches import plant
from proofs.torture.diary import NAMES, SETTINGS, Diary, Hastening, erase
from proofs.torture.lived import LOCKED, Told, problems_of, read_told
from proofs.torture.living import live_until_killed
from proofs.torture.mirror import own_folder
from proofs.torture.musing import SECRET, SECRETS, Muse
from proofs.torture.said import indexed, verified
from proofs.torture.talking import lettered

MEMBERS = 3
# After so many kills all are killed at once, and what is left is looked at.
_STAGE = 40
# So long at most is waited for the next one, by an idle machine.
_SECONDS = 1.6


def run(kills: int, fault: str = "none", *, seed: int = 0, members: int = MEMBERS) -> list[str]:
    """Return what went wrong in *kills* kills of the members, each of whom comes back."""
    plant(fault)
    with own_folder() as folder:
        home, said = folder / "home", folder / "said"
        said.mkdir()
        clock = Hastening(time.monotonic())
        for first, _ in NAMES.values():
            _furnish(home, first, clock)
        killing = Killing(home, said, random.Random(seed), members, partial(live_until_killed, clock=clock))
        while killing.kills < kills:
            killing.go_on(min(_STAGE, kills - killing.kills))
            if found := _problems(home, said, clock, is_last=killing.kills >= kills):
                return [f"after {killing.kills} kills: {problem}" for problem in found]
        print(f"{killing.kills} kills of {members} processes, {killing.burnt} of them at a step of writing")
        print(_told(said))
    return []


class Killing:
    """Members of a household that are killed and started again."""

    def __init__(
        self,
        home: Path,
        said: Path,
        dice: random.Random,
        members: int,
        work: Callable[[Path, int, str, Path], None],
    ) -> None:
        self.kills = 0
        self.burnt = 0
        self._home = home
        self._said = said
        self._dice = dice
        self._members = members
        self._work = work
        self._lives = itertools.count()
        self._running: dict[int, int] = {}

    def go_on(self, kills: int) -> None:
        """Kill so many more times, at the end all that run at one moment."""
        end = self.kills + kills
        self._start()
        while self.kills < end - self._members:
            until = time.monotonic() + self._dice.random() ** 2 * _SECONDS * _busy()
            while time.monotonic() < until and self.kills < end - self._members:
                time.sleep(0.003)
                self._bury()
                self._start()
            self._kill(self._dice.choice(sorted(self._running)))
            self._start()
        time.sleep(self._dice.random() * _SECONDS * _busy())
        self._bury()
        for pid in sorted(self._running):
            self._kill(pid)

    def _start(self) -> None:
        for number in set(range(self._members)) - set(self._running.values()):
            name = f"{number}x{next(self._lives)}"
            pid = os.fork()
            if pid == 0:
                try:
                    self._work(self._home, number, name, self._said / name)
                finally:
                    os._exit(1)
            self._running[pid] = number

    def _bury(self) -> None:
        """Notice who has ended by a step of its own."""
        for pid in sorted(self._running):
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self._running[pid]
                self.kills += 1
                self.burnt += 1

    def _kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        del self._running[pid]
        self.kills += 1


def _busy() -> float:
    """Return by how much longer than alone a process takes now: killed too soon, members would do nothing."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _furnish(home: Path, name: str, clock: Hastening) -> None:
    with almario.create(home, name, persona=Persona(language="en"), settings=SETTINGS, clock=clock) as soul:
        document = soul.read("SOUL.md")
        soul.write(document, f"{document.text.rstrip()}\n\n{LOCKED}\n## Notes\n\n- I keep notes.\n")
        secret = SECRET.format(token=f"Z{name}xa")  # one that is erased at the end, whatever comes between
        soul.remember("secret", secret)
        soul.goals.add(f"Keep it safe: {secret}")


def _problems(home: Path, said: Path, clock: Hastening, *, is_last: bool) -> list[str]:
    """Open everything as the next process would, and say what was promised and is not so."""
    troubles, told = read_told(said)
    found = [f"a member met {trouble}" for trouble in troubles]
    opened = open_home(home, settings=SETTINGS, clock=clock).home
    for lost in opened.trash():  # of whoever was killed between removing and bringing back
        opened.bring_back(lost.name)
    agents = [agent.id for agent in listed_agents(home)]
    if sorted(name[0] for name in agents) != sorted(NAMES):
        return [*found, f"the agents are {agents}"]
    found += _backed_up(home, told, clock)
    for name in agents:
        found += [f"{name}: {problem}" for problem in problems_of(_opened(home, name, clock), told[name[0]])]
    if found or not is_last:
        return found
    found += verified(home, *agents)
    now = FixedClock(clock())
    for name in agents:
        found += [f"{name}, at the end: {problem}" for problem in _at_the_end(home, name, now, said)]
    return found


def _opened(home: Path, name: str, clock: Clock) -> Soul:
    muse = Muse(random.Random(0), (lettered(f"end{n}") for n in range(10**6)), is_sound=True)
    return almario.open(home, name, settings=SETTINGS, clock=clock, llm=ScriptedLLM(muse))


def _at_the_end(home: Path, name: str, clock: Clock, said: Path) -> Iterator[str]:
    """Finish what was left, erase every secret that is known, and look once more."""
    with _opened(home, name, clock) as soul:
        done = soul.reflection.run()
        if done.why:
            yield f"no reflection can be finished: {done.why}"
        soul.flush()
        secrets = {
            found[0]
            for memory in soul.memory.list(Wanted(states=STATES))
            if (found := SECRETS.fullmatch(memory.value))
        }
        for secret in sorted(secrets):
            erase(soul, secret, Diary(said / "end"))
        yield from problems_of(soul, read_told(said)[1][name[0]])
        yield from indexed(soul)


def _backed_up(home: Path, told: Mapping[str, Told], clock: Hastening) -> Iterator[str]:
    """The last backups that were acknowledged are whole, and hold what was acknowledged before they began."""
    made = backups(home, settings=SETTINGS, clock=clock)
    for line in told[""].did.get("backup", ())[-3:]:
        path, lacking = Path(line["path"]), [each for each in line["told"] if "is unfinished" not in each]
        problems = [str(each) for each in made.check(path) if "is unfinished" not in str(each)]
        problems += [each for each in lacking if "no longer exists" not in each]
        if not lacking:  # or an agent was renamed or removed meanwhile
            problems += _lacking(made, path, told, line["began"])
        yield from (f"{path.name}: {problem}" for problem in problems)


def _lacking(made: Backups, path: Path, told: Mapping[str, Told], began: float) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        made.restore(path, Path(folder) / "home")
        held = "".join(each.read_text() for each in Path(folder).rglob("journal/*.jsonl"))
    facts = [each for letter in NAMES for each in told[letter].did.get("remember", ()) if each["at"] < began]
    return [f"{each['value']!r} is not in it" for each in facts if each["value"] not in held]


def _told(said: Path) -> str:
    did = [
        (verb, len(lines)) for told in read_told(said)[1].values() for verb, lines in sorted(told.did.items())
    ]
    counts = {verb: sum(n for each, n in did if each == verb) for verb, _ in did}
    return "acknowledged: " + ", ".join(f"{verb} {count}" for verb, count in counts.items())
