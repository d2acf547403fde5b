"""What must be so after a household was killed again and again.

Journals, transcripts and files are read here as plain lines, without the
product's readers; what the members wrote down says what was promised.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from almario.domain.documents.headings import section_body
from almario.domain.memories import ERASED, STATES, Memory, Wanted
from almario.soul import Soul
from proofs.torture.diary import SESSION
from proofs.torture.musing import SECRETS
from proofs.torture.said import transcript

Line = Mapping[str, Any]
LOCKED = "<!-- locked -->\nI never sell what I am told, to nobody, for nothing.\n<!-- /locked -->\n"
_OWNED = re.compile(r"\bH\w+x[a-j]+")


class Told(NamedTuple):
    """What the members of a household wrote down of one agent, by verb: what they would do, and have done."""

    will: Mapping[str, Sequence[Line]]
    did: Mapping[str, Sequence[Line]]

    def named(self, verb: str, field: str) -> set[str]:
        """Return what was to be done with that verb, be it that it was done or not."""
        return {line[field] for line in (*self.will.get(verb, ()), *self.did.get(verb, ()))}


def read_told(folder: Path) -> tuple[list[str], dict[str, Told]]:
    """Return the troubles that were met, and what was written down of each agent, "" for the home."""
    troubles: list[str] = []
    found: dict[str, Told] = defaultdict(lambda: Told(defaultdict(list), defaultdict(list)))
    lines = [
        json.loads(line)
        for path in sorted(folder.iterdir())
        for line in path.read_text().splitlines()
        if line
    ]
    for line in sorted(lines, key=lambda line: line["at"]):
        if line["when"] == "met":
            troubles.append(line["text"])
        else:
            kept = found[line["agent"]].will if line["when"] == "will" else found[line["agent"]].did
            kept[line["verb"]].append(line)  # type: ignore[attr-defined]
    return list(dict.fromkeys(troubles)), found


def problems_of(soul: Soul, told: Told) -> Iterator[str]:
    """Say what was promised of an agent and is not so."""
    yield from (f"{damage.place} {damage.problem}" for damage in soul.memory.verify())
    events = journal(soul.path)
    yield from _said(soul, told)
    yield from _kept(soul, told)
    yield from _aimed(soul, told)
    yield from _decided(events, told)
    yield from _consented(soul.path, events, told)
    yield from _reflected(soul.path, events, told)
    yield from still_held(soul.path, _erased(events, told))


def journal(folder: Path) -> list[Line]:
    """Return the lines of an agent's journal."""
    paths = sorted((folder / "journal").glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_bytes().split(b"\n") if line]


def _said(soul: Soul, told: Told) -> Iterator[str]:
    """Every turn that was acknowledged is there, as it was said."""
    turns = transcript(soul.path, SESSION) if told.did.get("say") else {}
    if sorted(turns) != list(range(1, len(turns) + 1)):
        yield f"{SESSION} has not all its turns: {len(turns)}, the last is {max(turns)}"
    for line in told.did.get("say", ()):
        if turns.get(line["n"]) != line["text"] and not SECRETS.search(line["text"]):
            yield f"turn {line['n']} was {line['text']!r}, and is {turns.get(line['n'])!r}"


def _kept(soul: Soul, told: Told) -> Iterator[str]:
    """Every fact that was acknowledged is in use, unless somebody forgot it or another took its place."""
    every = {memory.id: memory for memory in soul.memory.list(Wanted(states=STATES))}
    by_value: dict[str, list[Memory]] = defaultdict(list)
    for memory in every.values():
        by_value[memory.value].append(memory)
    yield from (f"an erased memory is in use: {memory}" for memory in by_value[ERASED] if memory.is_live)
    forgotten = told.named("forget", "value")
    for line in told.did.get("remember", ()):
        known = by_value[line["value"]]
        heirs = [_heir(memory, every) for memory in known]
        if not known:
            yield f"{line['value']!r} was remembered, and is gone"
        elif not any(heir.is_live or heir.value in forgotten for heir in heirs):
            yield f"{line['value']!r} is {[heir.state for heir in heirs]}, and nobody forgot it"


def _heir(memory: Memory, every: Mapping[str, Memory]) -> Memory:
    while memory.state == "superseded" and memory.by in every:
        memory = every[memory.by]
    return memory


def _aimed(soul: Soul, told: Told) -> Iterator[str]:
    """Every goal that was acknowledged is on the list or in the archive, once, unless it was dropped."""
    paths = [soul.path / "GOALS.md", soul.path / "memory" / "archive" / "goals.md"]
    text = "".join(path.read_text() for path in paths if path.exists())
    dropped = told.named("drop", "goal")
    for goal in {line["goal"] for line in told.did.get("aim", ())} - dropped:
        if text.count(goal) != 1:
            yield f"the goal {goal!r} is there {text.count(goal)} times"


def _decided(events: Sequence[Line], told: Told) -> Iterator[str]:
    """A proposal has one answer at most, and what was accepted was done once."""
    made = {event["ref"]: event for event in _of(events, "proposal.made")}
    answers = Counter(event["ref"] for event in _of(events, "proposal.answered"))
    yield from (f"proposal {name} was answered {count} times" for name, count in answers.items() if count > 1)
    done = Counter(event["proposal"] for event in _of(events, "soul.changed") if "proposal" in event)
    yield from (f"proposal {name} was done {count} times" for name, count in done.items() if count > 1)
    rejected, accepted = ({line["id"] for line in told.did.get(verb, ())} for verb in ("reject", "accept"))
    yield from (f"proposal {name} was rejected, and done" for name in rejected if done[name])
    yield from (f"proposal {name} was accepted and rejected" for name in rejected & accepted)
    for name in accepted | rejected | told.named("propose", "id"):
        if name not in made:
            yield f"proposal {name} is not there"
        elif name in accepted and made[name]["file"] and not done[name]:
            yield f"proposal {name} was accepted, and nothing came of it"


def _consented(folder: Path, events: Sequence[Line], told: Told) -> Iterator[str]:
    """Who the agent is changes by the owner's acts only, and none of them is undone by another's."""
    before: dict[str, str | None] = {}
    wanted = {verb: _and_hidden(folder, told.named(verb, "hash")) for verb in ("edit", "restore")}
    for event in _of(events, "soul."):
        file = event.get("file")
        if file not in ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md"):
            continue
        was, now = before.get(file), _content(folder, file, event["to"])
        before[file] = now
        is_first = event.get("reason") == {"key": "first soul"}
        if file == "SOUL.md" and now is not None and not is_first and now.count(LOCKED) != 1:
            yield f"{event['to']} of SOUL.md has not what is locked"
        is_self = file != "MOTIVATIONS.md" or None in (was, now) or _drives(was) != _drives(now)
        if is_self and not _is_wanted(event, told, wanted):
            yield f"{file} was changed unasked: {event}"
        gone = set(_OWNED.findall(was or "")) - set(_OWNED.findall(now or "")) if now is not None else set()
        if gone and "proposal" in event:
            yield f"{file} lost {gone} when a proposal was accepted: {event}"


def _drives(text: str | None) -> str:
    return section_body(text or "", "Core Drives")


def _is_wanted(event: Line, told: Told, hashes: Mapping[str, set[str]]) -> bool:
    """Return whether the owner was about to do what a line tells."""
    if event["type"] == "soul.edited":
        return event["to"] in hashes["edit"]
    if "proposal" in event:
        unasked = event["file"] == "MOTIVATIONS.md" and event["actor"] == "agent"
        return unasked or event["proposal"] in told.named("accept", "id")
    reason = event["reason"]["key"]
    if reason == "version restored: {number}":
        return event["to"] in hashes["restore"]
    return reason in ("first soul", "written") or (
        reason == "a purge took text out" and bool(told.named("purge", "secret"))
    )


def _and_hidden(folder: Path, hashes: set[str]) -> set[str]:
    """Add what stands for each once a purge has taken its content: nobody without the key can tell."""
    path = folder.parents[1] / ".erased-key"
    key = path.read_bytes() if path.exists() else b""

    def hashed(text: str) -> str:
        return sha256(key + text.encode()).hexdigest()

    return hashes | {f"{'':0>8}{hashed(hashed(each))[8:]}" for each in hashes if key}


def _content(folder: Path, file: str, name: str | None) -> str | None:
    contents = (path.read_bytes() for path in (folder / ".versions" / file).glob("*.md"))
    return next((each.decode() for each in contents if sha256(each).hexdigest() == name), None)


def _reflected(folder: Path, events: Sequence[Line], told: Told) -> Iterator[str]:
    """Each reflection ended once, and is told once at most."""
    begun = {event["ref"]: event for event in _of(events, "reflection.begun")}
    ended = defaultdict(list)
    for event in _of(events, "reflection.ended"):
        ended[event["ref"]].append(event["outcome"])
    told_of = "".join(path.read_text() for path in (folder / "memory" / "reflections").glob("*.md"))
    for name, event in begun.items():
        if len(ended[name]) > 1:
            yield f"reflection {name} was ended {ended[name]}"
        times = told_of.count(f"] {name} (")
        if times > 1 or (ended[name] == ["done"] and event.get("evidence") and not times):
            yield f"reflection {name} is told of {times} times"
    yield from (
        f"reflection {name} was done, and is not"
        for name in told.named("reflect", "id")
        if ended[name] != ["done"]
    )
    nights = Counter(
        begun[name]["day"] for name in begun if begun[name]["trigger"] == "night" and ended[name] == ["done"]
    )
    yield from (f"the night of {day} was done {count} times" for day, count in nights.items() if count > 1)


def _erased(events: Sequence[Line], told: Told) -> set[str]:
    """Return the secrets that must be gone: their purge was acknowledged, or has begun."""
    begun = {name for event in _of(events, "purge.begun") for name in event["ids"]}
    return {line["secret"] for line in told.did.get("purge", ())} | {
        line["secret"] for line in told.will.get("purge", ()) if begun.intersection(line["ids"])
    }


def still_held(folder: Path, secrets: set[str]) -> Iterator[str]:
    """Name the files of a folder that hold one of these secrets."""
    tokens = {secret.split()[1]: secret for secret in secrets}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        held = set(re.findall(r"\bZ\w+x[a-j]+", path.read_bytes().decode("utf-8", "replace"))) & tokens.keys()
        yield from (f"{path.relative_to(folder)} still holds {token}, which was erased" for token in held)


def _of(events: Sequence[Line], kind: str) -> list[Line]:
    return [event for event in events if event["type"].startswith(kind)]
