"""One interleaving of an owner and two processes on an agent of its own, and what must hold after it."""

import fcntl
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from proofs.torture.editing import KEYS, SINGLE, STYLES, TOKEN, Owner, Text
from proofs.torture.meddling import AT_EXCHANGE
from proofs.torture.oracle import Oracle
from proofs.torture.working import Process

_CAN_SEE_WRITERS = hasattr(fcntl, "F_SETLEASE")


class Run:
    """One interleaving on an agent of its own."""

    def __init__(self, home: Path, dice: random.Random, processes: list[Process]) -> None:
        self.path = home / "agents" / "default" / "MEMORY.md"
        self.dice = dice
        self.owner = Owner(dice)
        self.oracle = Oracle()
        self.processes = processes
        self.ids: dict[str, str] = {}
        self.buffers: list[Text] = []
        self.on_disk = Text()
        self.pending: Text | None = None
        self.log: list[str] = []
        self.problems: list[str] = []

    # What the processes do.

    def act(self, verb: str = "") -> None:
        """Let a process do something; what the owner saved before is seen first."""
        verb = verb or self.dice.choice(
            ("remember", "remember", "forget", "work", "renew", "undo", "restore", "settle")
        )
        arguments = self.arguments(verb)
        if arguments is None:
            return
        number = self.dice.randrange(len(self.processes))
        self.log.append(f"{verb} {' '.join(arguments)} by {number}")
        self.saw_owner()
        answer = self.processes[number].do(verb, *arguments)
        self.look()
        self.oracle.tick += 1
        self.heard(answer)

    def arguments(self, verb: str) -> list[str] | None:
        live = [token for token, state in self.oracle.state.items() if state == "live" and token in self.ids]
        dead = [token for token, state in self.oracle.state.items() if state == "dead" and token in self.ids]
        if verb == "remember":
            value = self.owner.value()
            if self.dice.random() < 0.1:
                value = self.owner.values[value.split()[0]] = f"{value}\nmás abajo"
            return [self.dice.choice(KEYS), value]
        if verb == "work":
            return [SINGLE, self.owner.value()]
        chosen = {"forget": live, "renew": live, "restore": dead}.get(verb)
        if chosen is None:
            return []
        newest = chosen[-1:] if self.dice.random() < 0.5 else chosen
        return [self.ids[self.dice.choice(newest)]] if chosen else None

    def heard(self, answer: list[tuple[str, str, str]]) -> None:
        """Take in what a process acknowledged: (id, value, state) of each memory it changed."""
        for memory_id, value, state in sorted(answer, key=lambda each: each[2] == "live"):
            for token in TOKEN.findall(value)[:1]:
                self.oracle.put(token, "live" if state == "live" else "dead")
                self.ids[token] = memory_id

    def saw_owner(self) -> None:
        if self.pending:
            self.oracle.merged(self.pending)
            self.pending = None
        self.oracle.tick += 1

    def look(self) -> None:
        """Take note of what a process made of the file."""
        text = self.path_text()
        if text != self.on_disk.text:
            self.on_disk = Text(text, frozenset(TOKEN.findall(text)), self.oracle.tick)

    # What the owner does.

    def open(self) -> None:
        self.buffers = [*self.buffers[-2:], self.on_disk]
        self.log.append("open")

    def edit(self) -> None:
        if not self.buffers:
            self.open()
        place = self.dice.randrange(len(self.buffers))
        before = self.buffers[place].text
        self.buffers[place] = self.owner.edit(self.buffers[place])
        self.oracle.wild |= self.owner.moved
        changed = set(self.buffers[place].text.split("\n")) ^ set(before.split("\n"))
        self.log.append(f"edit {place}: {sorted(changed)}")

    def chosen(self) -> Text:
        return self.dice.choice(self.buffers) if self.buffers else self.on_disk

    def save(self) -> None:
        style = self.dice.choice(STYLES)
        self.write(self.chosen(), style)

    def write(self, text: Text, style: Callable[[Path, bytes], None]) -> None:
        self.log.append(f"save {style.__name__}: {text.text!r}")
        style(self.path, text.text.encode())
        self.on_disk = self.pending = text

    def save_again(self) -> None:
        """The same buffer once more, after what it brought was seen, and perhaps forgotten."""
        self.edit()
        self.save()
        text = self.on_disk
        self.check()
        self.act(self.dice.choice(("forget", "")))
        self.write(text, self.dice.choice(STYLES))

    def save_half(self) -> None:
        """Processes come while the editor writes; then the rest is written."""
        text = self.chosen()
        if not _CAN_SEE_WRITERS:
            return
        content = text.text.encode()
        cut = self.dice.randint(0, len(content))
        self.log.append(f"half a save, up to {cut}: {text.text!r}")
        with self.path.open("wb", buffering=0) as file:
            self.pending = None
            file.write(content[:cut])
            self.on_disk = Text(content[:cut].decode(errors="replace"))
            for _ in range(self.dice.randint(1, 2)):
                self.act()
            file.write(content[cut:])
        self.on_disk = self.pending = text

    def save_in_vims_gap(self) -> None:
        """A process comes when vim has moved the file away and not yet written the new one."""
        text = self.chosen()
        backup = self.path.with_name("MEMORY.md~")
        if self.path.exists():
            self.path.rename(backup)
        self.log.append("vim moved the file away")
        self.on_disk, self.pending = Text(), None
        self.act()
        self.write(text, STYLES[1])
        backup.unlink(missing_ok=True)

    def save_at_exchange(self) -> None:
        """The owner saves in the moment between a process's reading and its exchange."""
        self.act("remember")  # so that there is something to write
        text = self.chosen()
        self.saw_owner()
        saved = []

        def save() -> None:
            saved.append(text)
            self.dice.choice(STYLES)(self.path, text.text.encode())

        self.log.append(f"at the exchange: {text.text!r}")
        AT_EXCHANGE[:] = [save]
        self.processes[0].do("settle")
        AT_EXCHANGE.clear()
        if saved:
            self.oracle.merged(text)
        self.on_disk = text if saved else self.on_disk
        self.look()

    def crash(self) -> None:
        """The editor dies in the middle of a save."""
        text = self.chosen()
        cut = self.dice.randint(0, len(text.text))
        left = text.text[:cut]
        if cut < len(text.text):
            self.oracle.wild.update(TOKEN.findall("\n".join(left.split("\n")[-2:])))
        self.log.append(f"crash: {left!r}")
        self.path.write_bytes(left.encode())
        self.on_disk = self.pending = Text(left, text.rendered, text.at)

    def delete(self) -> None:
        self.log.append("delete")
        self.path.unlink(missing_ok=True)
        self.on_disk, self.pending = Text(), None

    def burst(self) -> None:
        """Both processes and the owner at the same moment."""
        for _ in range(self.dice.randint(0, 3)):
            self.edit()
        if self.dice.random() < 0.3:
            self.open()
        text = self.chosen()
        verbs = [self.dice.choice(("remember", "forget", "work", "settle", "settle")) for _ in self.processes]
        wanted = [(verb, self.arguments(verb)) for verb in verbs]
        if wanted[0] == wanted[1] or verbs == ["work", "work"]:  # whose word is the last would be chance
            wanted[1] = ("settle", [])
        self.log.append(f"at once: {wanted}")
        for process, (verb, arguments) in zip(self.processes, wanted, strict=True):
            process.begin(verb if arguments is not None else "settle", *(arguments or ()))
        time.sleep(self.dice.random() * 0.02)
        self.write(text, self.dice.choice(STYLES))
        answers = [process.finish() for process in self.processes]
        before = self.oracle.tick
        self.saw_owner()
        for answer in answers:
            self.heard(answer)
        if not text.has_marker:  # what was forgotten before it was saved is added, after it is not
            for token in text.tokens & self.oracle.dead_since(before):
                self.oracle.put(token, "either")
        self.look()
        self.oracle.tick += 1
        self.check()

    # What must hold.

    def check(self) -> None:
        """Let a process settle, and compare what is in use and in the file with what must be."""
        before, prose = self.on_disk, self.on_disk.prose
        self.act("settle")
        live = self.processes[self.dice.randrange(len(self.processes))].do("list")
        counts = Counter(token for value in {each[1] for each in live} for token in TOKEN.findall(value)[:1])
        oracle = self.oracle
        for token in sorted((oracle.state.keys() | counts.keys()) - oracle.wild):
            state = oracle.state.get(token)
            if state == "live" and not counts[token]:
                self.report(f"{token} was lost or retired in silence")
            if state == "dead" and counts[token]:
                self.report(f"{token} came back, or is not gone")
            if state is None or counts[token] > 1:
                self.report(f"{token} is in use {counts[token]} times, and nobody said so")
        known = {" ".join(value.split()) for value in self.owner.values.values()}
        halves = [" ".join(v.split()) for _, v, _ in live if " ".join(v.split()) not in known]
        for half in halves:
            if not any(value.startswith(half) for value in known):
                self.report(f"nobody said {half!r}")
        self.look()
        bullets = re.findall(r"(?m)^\ufeff?- (.*(?:\n[ \t]+\S.*)*)", self.on_disk.text)
        shown = {" ".join(bullet.split()) for bullet in bullets} - {""}
        wanted = {" ".join(value.split()) for _, value, _ in live}
        if shown != wanted:
            self.report(f"file and ledger do not agree about {sorted(shown ^ wanted)}")
        if before.prose and self.on_disk.prose != prose:
            self.report(f"prose was {prose} and is {self.on_disk.prose}")
        for text, gone, changed in oracle.asked:
            retired = [token for token in gone if oracle.state[token] != "dead" and not counts[token]]
            if len(retired) > changed:
                self.report(f"much was gone at once, and {sorted(retired)} were retired")
            kept = [path.read_bytes().decode() for path in self.path.parent.glob("MEMORY.conflict-*.md")]
            if text not in kept:
                self.report("much was gone at once, and no copy was kept")
        self.settled(live)

    def settled(self, live: list[tuple[str, str, str]]) -> None:
        """See that own writes are no news, and begin anew from what is now known."""
        oracle = self.oracle
        lines = self.journal()
        for process in self.processes:
            process.do("settle")
        if self.journal() != lines or self.path_text() != self.on_disk.text:
            self.report("our own writing was taken for the owner's")
        in_use = {token for _, value, _ in live for token in TOKEN.findall(value)[:1]}
        oracle.resolve(in_use, self.on_disk.at)
        self.ids |= {token: memory_id for memory_id, value, _ in live for token in TOKEN.findall(value)[:1]}
        oracle.asked = []

    def journal(self) -> int:
        return sum(path.read_bytes().count(b"\n") for path in (self.path.parent / "journal").glob("*.jsonl"))

    def path_text(self) -> str:
        return self.path.read_bytes().decode(errors="replace") if self.path.exists() else ""

    def report(self, problem: str) -> None:
        self.problems.append(problem)
