"""Owner and processes change the same facts in any order, and nobody loses anything.

A ledger and a file in memory: processes remember, replace and retire, the owner
edits buffers that may be old, and saves them whole or in part. What must hold is
checked against what the model itself saw the owner do.
"""

import random
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.documents.lines import split_lines
from almario.domain.memories import Memory, State
from almario.memory.rules import mirror
from almario.memory.rules.mirror import Fact, Marker, Parsed, same
from almario.memory.rules.mirror_merge import Edits, merge
from almario.memory.rules.mirror_render import render
from tests.effort import examples

AT = datetime(2026, 11, 14, 10, tzinfo=UTC)
KEYS = ("work", "pets", "C#", "")
WORDS = ("tea", "boats in Cádiz", "a cat", "猫が好き", "--> out", "``` code", "[ ] learn", "a\nb", "# one")
SECRET = re.compile(r"pin-\d+")


@lru_cache(maxsize=100)
def parse(text: str) -> Parsed:
    return mirror.parse(text)


def redact(key: str, value: str) -> Fact:
    return key, SECRET.sub("[redacted]", value)


def shown(key: str, value: str) -> Fact:
    return same(*redact(key, value))


@dataclass
class Ledger:
    """Memories by id, and those that were live after each change."""

    memories: dict[str, Memory] = field(default_factory=dict)
    heirs: dict[str, str] = field(default_factory=dict)
    live_at: list[list[Memory]] = field(default_factory=lambda: [[]])

    @property
    def seq(self) -> int:
        return len(self.live_at) - 1

    @property
    def live(self) -> list[Memory]:
        return self.live_at[-1]

    @property
    def facts(self) -> set[Fact]:
        return {same(memory.key, memory.value) for memory in self.live}

    def remember(self, key: str, value: str) -> str:
        found = [memory.id for memory in self.live if same(memory.key, memory.value) == shown(key, value)]
        name = found[0] if found else f"m{len(self.memories)}"
        memory = Memory(name, *redact(key, value), "profile", "explicit", "owner", AT, AT, AT)
        self._put(memory if not found else self.memories[name])
        return name

    def supersede(self, name: str, key: str, value: str) -> None:
        self.retire(name, state="superseded")
        self.heirs[name] = self.remember(key, value)

    def retire(self, name: str, state: State = "retired") -> None:
        self._put(self.memories[name]._replace(state=state))

    def _put(self, memory: Memory) -> None:
        self.memories[memory.id] = memory._replace(seq=self.seq + 1)
        self.live_at.append([memory for memory in self.memories.values() if memory.state == "live"])

    def heir(self, name: str) -> Memory | None:
        while name in self.heirs:
            name = self.heirs[name]
        return self.memories[name] if self.memories[name].state == "live" else None


@dataclass(frozen=True)
class Text:
    """A text and what the owner did in it since it was rendered."""

    text: str = ""
    typed: frozenset[Fact] = frozenset()
    taken_out: frozenset[Fact] = frozenset()


class World:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ledger = Ledger()
        self.file = Text()
        self.saved: list[Text] = [self.file]
        self.buffer = self.file
        self.count = 0

    def value(self) -> str:
        self.count += 1
        extra = f" pin-{self.count}" if self.rng.random() < 0.1 else ""
        return f"{self.rng.choice(WORDS)} {self.count if self.rng.random() < 0.8 else ''}{extra}".strip()

    # What processes do.

    def base(self, seq: int) -> tuple[list[Memory], list[Memory]]:
        ids = {memory.id for memory in self.ledger.live}
        later = {m.id: m for live in self.ledger.live_at[seq + 1 :] for m in live if m.id not in ids}
        return self.ledger.live_at[seq], list(later.values())

    def merged(self) -> Edits:
        parsed = parse(self.file.text)
        marker = parsed.marker
        base, since = self.base(marker.seq) if marker else (None, [])
        return merge(parsed, base, self.ledger.live, since=since, redact=redact)

    def sync(self) -> Edits:
        """Merge the file into the ledger, and hold the merge to what the owner did."""
        parsed = parse(self.file.text)
        marker = parsed.marker
        base, since = self.base(marker.seq) if marker else ([], [])
        ended = {same(m.key, m.value) for m in [*base, *since]} - self.ledger.facts
        before = self.ledger.facts
        newer = {same(m.key, m.value) for m in self.ledger.live if marker and m.seq > marker.seq}
        edits = self.merged()
        for name, key, value in edits.changed:
            self.ledger.supersede(name, key, value)
        for key, value in edits.added:
            self.ledger.remember(key, value)
        for name in edits.removed:
            self.ledger.retire(name)
        after = self.ledger.facts
        cut = {shown(*fact) for fact in edits.cut}
        in_file = {shown(line.key, line.value) for line in parsed.facts}

        assert in_file - cut <= after | ended, "a line of the owner was lost"
        assert (self.file.typed & in_file) - cut <= after | ended, "what the owner typed was lost"
        allowed = self.file.taken_out if marker else frozenset()
        assert before - after <= allowed, "a fact was silently retired"
        assert newer <= after, "the file took out what it had not seen"
        if marker:
            assert after - before <= self.file.typed - ended, "a fact was resurrected"
        assert len(edits.removed) <= max(5, 0.2 * len(base))
        again = self.merged()
        assert again._replace(missing=(), cut=()) == Edits(), "merging twice is not merging once"
        return edits

    def render(self) -> None:
        edits = self.sync()
        parsed = parse(self.file.text)
        base, since = self.base(parsed.marker.seq) if parsed.marker else self.base(0)
        gone: dict[Fact, Memory | None] = {(m.key, m.value): self.ledger.heir(m.id) for m in [*base, *since]}
        gone |= dict.fromkeys(edits.cut)
        marker = Marker(self.ledger.seq, AT)
        text = render(parsed, self.ledger.live, marker=marker, gone=gone, redact=redact)
        after = parse(text)

        assert {shown(line.key, line.value) for line in after.facts} == self.ledger.facts
        assert after.marker == marker
        kept = prose(after.lines, {i for f in after.facts for i in range(f.first, f.last + 1)})
        mine = prose(parsed.lines, {i for f in parsed.facts for i in range(f.first, f.last + 1)})
        assert [line for line in kept if line not in HEADINGS] == [x for x in mine if x not in HEADINGS]
        self.file = Text(text)
        self.saved.append(self.file)
        assert self.merged() == Edits(), "our own writing was taken for the owner's"

    def remember(self) -> None:
        self.sync()
        self.ledger.remember(self.rng.choice(KEYS), self.value())

    def renew(self) -> None:
        self.sync()
        if self.ledger.live:
            old = self.rng.choice(self.ledger.live)
            self.ledger.remember(old.key, old.value)

    def supersede(self) -> None:
        self.sync()
        if self.ledger.live:
            old = self.rng.choice(self.ledger.live)
            key = self.rng.choice([old.key, old.key, self.rng.choice(KEYS)])
            self.ledger.supersede(old.id, key, self.value())

    def retire(self) -> None:
        self.sync()
        if self.ledger.live:
            self.ledger.retire(self.rng.choice(self.ledger.live).id)

    # What the owner does.

    def open(self) -> None:
        self.buffer = self.file

    def open_old(self) -> None:
        self.buffer = self.rng.choice(self.saved)

    def save(self) -> None:
        self.file = self.buffer
        self.saved.append(self.file)

    def delete(self) -> None:
        self.file = Text()

    def save_half(self) -> None:
        """A reader comes while the editor writes; then the rest is written."""
        whole = self.buffer
        text = whole.text[: self.rng.randint(0, len(whole.text))]
        half = parse(text)
        if half.marker is None and "<!-- almario" not in text:
            # A comment whose end is not written yet hides nothing.
            unhidden = {shown(line.key, line.value) for line in half.facts}
            unhidden -= {shown(line.key, line.value) for line in parse(whole.text).facts}
            self.file = replace(whole, text=text, typed=whole.typed | unhidden)
            self.sync()
        self.file = whole
        self.saved.append(self.file)

    def edit(self, text: str, *, typed: tuple[str, str] | None = None) -> None:
        """Put *text* into the buffer; what it lacks, the owner took out."""
        old = {shown(line.key, line.value) for line in parse(self.buffer.text).facts}
        new = {shown(line.key, line.value) for line in parse(text).facts}
        self.buffer = Text(
            text,
            self.buffer.typed | (new - old) | ({shown(*typed)} if typed else set()),
            (self.buffer.taken_out | (old - new)) - (new - old),
        )

    def add(self) -> None:
        key, value = self.rng.choice(KEYS), self.value().split("\n")[0].replace("```", "").strip()
        lines = split_lines(self.buffer.text)
        heads = [place for place, line in enumerate(lines) if line.strip() == f"## {key}"]
        if heads:
            lines.insert(heads[0] + 1, f"- {value}\n")
        else:
            lines.insert(0, f"## {key}\n- {value}\n\n")
        self.edit("".join(lines), typed=(key, value))

    def append(self) -> None:
        """`echo "- …" >> MEMORY.md`, below the marker."""
        end = "" if self.buffer.text.endswith("\n") or not self.buffer.text else "\n"
        self.edit(f"{self.buffer.text}{end}- typed {self.value().split()[-1]}\n")

    def change(self) -> None:
        self.each_line(lambda line: line.rstrip() + f" or {self.count}\n", chance=0.3)

    def rewrite(self) -> None:
        self.count += 1
        self.each_line(lambda _: f"- rewritten {self.count}\n", chance=0.2)

    def remove(self) -> None:
        self.each_line(lambda _: "", chance=self.rng.choice([0.1, 0.1, 0.9]))

    def duplicate(self) -> None:
        self.each_line(lambda line: line + line, chance=0.2)

    def each_line(self, do, chance: float) -> None:  # type: ignore[no-untyped-def]
        lines = split_lines(self.buffer.text)
        chosen = [line.startswith("- ") and self.rng.random() < chance for line in lines]
        self.edit("".join(do(x) if hit else x for x, hit in zip(lines, chosen, strict=True)))

    def reorder(self) -> None:
        """Shuffle the sections, and with them the marker, which is in the last."""
        parts = re.split(r"(?m)^(?=## )", self.buffer.text)
        self.rng.shuffle(parts)
        self.edit("".join(part if part.endswith("\n") or not part else part + "\n" for part in parts))

    def rename(self) -> None:
        self.edit(self.buffer.text.replace(f"## {self.rng.choice(KEYS)}\n", f"## {self.rng.choice(KEYS)}\n"))

    def write_prose(self) -> None:
        lines = split_lines(self.buffer.text)
        word = self.rng.choice(
            ["prose\n", "```\n", "<!-- mine -->\n", "<!-- open\n", "# Title\n", "1. one\n", "\n"]
        )
        lines.insert(self.rng.randint(0, len(lines)), word)
        self.edit("".join(lines))

    def drop_marker(self) -> None:
        self.edit(re.sub(r"(?m)^<!-- almario .*\n?", "", self.buffer.text))

    def to_crlf(self) -> None:
        self.edit(self.buffer.text.replace("\r\n", "\n").replace("\n", "\r\n"))

    def add_spaces(self) -> None:
        self.edit(re.sub(r"(?m)(?<=\w)$", "  ", self.buffer.text))


HEADINGS = {f"## {key}" for key in KEYS} | {"## Notes", ""}
PROCESS = ("sync", "render", "render", "remember", "remember", "renew", "supersede", "retire")
OWNER = (
    *(
        "open",
        "open_old",
        "save",
        "save",
        "save",
        "save",
        "save_half",
        "delete",
        "add",
        "add",
        "append",
        "change",
    ),
    *(
        "rewrite",
        "remove",
        "duplicate",
        "reorder",
        "rename",
        "write_prose",
        "drop_marker",
        "to_crlf",
        "add_spaces",
    ),
)


def prose(lines: tuple[str, ...], facts: set[int]) -> list[str]:
    kept = (line.rstrip("\r\n") for place, line in enumerate(lines) if place not in facts)
    return [line for line in kept if not line.startswith("<!-- almario")]


@examples(60)
@given(st.integers(0, 2**40))
def test_owner_and_processes_change_the_facts_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    world = World(rng)
    for _ in range(rng.randint(0, 12)):
        world.remember()
    world.render()
    world.open()
    for _ in range(rng.randint(5, 24)):
        getattr(world, rng.choice(PROCESS if rng.random() < 0.4 else OWNER))()
    world.save()
    world.render()
