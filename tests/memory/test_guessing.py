"""What was erased cannot be guessed: no digest is left by which somebody who tries every code finds it."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import almario
from almario.domain.events import PurgeBegun
from almario.domain.memories import Wanted, same_value
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM

CODE, OTHER = "4821", "4822"
SAID = "The code of the alarm is {}"
IMPORTED = "The vault opens with {}"
# By this the lines of a day's log are named.
LOG = "2026-11-14.md"
LONG = 100


def live(soul: Soul, tmp_path: Path) -> set[str]:
    """Let a code be kept, said, logged, forgotten, imported and written down; return texts that hold it."""
    said = SAID.format(CODE)
    soul.remember("alarm", said)
    assert soul.memory.keep(CODE) == [CODE]
    soul.append("cli:main", "user", f"Well: {said}")
    soul.log(f"Heard: {said}")
    soul.write(soul.read("USER"), f"# Ana\n\n- {said}\n")
    proposed = f"{soul.read('SOUL').text}\n- {said}\n"
    soul.proposals.propose("SOUL.md", proposed, reason="because")
    soul.talk("What is the code of the alarm?")
    notes = {"results": [{"memory": IMPORTED.format(CODE), "created_at": "2025-05-05T10:00:00+00:00"}]}
    (export := tmp_path / "mem0.json").write_text(json.dumps(notes))
    soul.importer.take_in(export)
    soul.forget("alarm")
    files = [soul.read("USER").text, proposed, soul.read("MEMORY.md").text]
    found = ["{}", SAID, f"alarm: {SAID}", IMPORTED, f"Well: {SAID}", f"Heard: {SAID}", *files]
    return {text.replace("{}", CODE) for text in found if "{}" in text or CODE in text}


def purge(soul: Soul) -> None:
    every = Wanted(text=CODE, states=("live", "superseded", "retired"))
    soul.memory.purge(soul.memory.plan_purge(*(memory.id for memory in soul.memory.list(every))))


def names_in(home: Path) -> frozenset[str]:
    """Return all that may be a digest, in any file and as its name, but for the key that stays at home."""
    files = [path for path in home.rglob("*") if path.is_file() and path.name != ".erased-key"]
    every = b"\n".join(part for path in files for part in (path.name.encode(), path.read_bytes()))
    return frozenset(each.decode() for each in re.findall(rb"(?<![0-9a-f])[0-9a-f]{8,64}(?![0-9a-f])", every))


def digests_of(text: str, salts: list[str]) -> Iterator[str]:
    """Yield what our files ever called a text by; of one that is long, what a content is called by."""
    yield hashlib.sha256(text.encode()).hexdigest()
    if len(text) < LONG:
        yield hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        value = text.casefold()
        yield from (hashlib.sha256(f"{salt}:{value}".encode()).hexdigest() for salt in (*salts, LOG))


def confirmed(home: Path, texts: set[str]) -> set[str]:
    """Return the texts of which a digest is left: who tries codes finds the one in them.

    Another code is tried too, which none may confirm.
    """
    starts = frozenset(name[:8] for name in names_in(home))
    salts = re.findall(r'"salt":"([0-9a-f]+)"', "".join(p.read_text() for p in home.rglob("journal/*.jsonl")))

    def is_named(text: str) -> bool:
        return not starts.isdisjoint(digest[:8] for digest in digests_of(text, salts))

    assert not any(is_named(text.replace(CODE, OTHER)) for text in texts)
    return {text for text in texts if is_named(text)}


def test_no_text_is_confirmed_by_what_is_left_after_a_purge(
    home: Path, reopened: Callable[[], Soul], tmp_path: Path
) -> None:
    soul = almario.create(
        home, clock=FixedClock(), llm=ScriptedLLM("It is kept."), settings={"flush.enabled": False}
    )
    texts = live(soul, tmp_path)
    soul.close()
    held = confirmed(home, texts)
    assert held >= {CODE, f"Heard: {SAID}".format(CODE), IMPORTED.format(CODE)}
    assert len(held) > 5  # and files

    soul = reopened()
    soul.prompt("Hello")
    assert str(soul.memory.redact.known)  # which files hold no secret, by digests of these
    purge(soul)
    assert str(soul.memory.redact.known) == ""
    soul.recall("What is the code of the alarm?")
    soul.settle()
    assert soul.memory.verify() == []
    soul.close()
    assert confirmed(home, texts) == set()


def test_what_an_older_version_erased_is_hidden_too_and_still_known(soul: Soul, home: Path) -> None:
    salt, said = "0123456789abcdef", SAID.format(CODE)
    old = hashlib.sha256(f"{salt}:{same_value(said)}".encode()).hexdigest()[:32]
    soul.memory.record(PurgeBegun((), (), salt, (old,)), actor="owner")  # type: ignore[arg-type]
    assert confirmed(home, {said}) == {said}

    soul.remember("modem", "The modem is old")  # what was begun is carried on

    soul.close()
    assert confirmed(home, {said}) == set()
    assert soul.memory.was_purged(said)


def test_what_an_older_version_erased_as_a_telephone_types_it_is_still_known(soul: Soul) -> None:
    salt, said = "0123456789abcdef", "Marta’s bicycle is red"
    old = hashlib.sha256(f"{salt}:{said.lower()}".encode()).hexdigest()[:32]
    soul.memory.record(PurgeBegun((), (), salt, (old,)), actor="owner")  # type: ignore[arg-type]

    assert soul.memory.was_purged(said)


def test_it_is_still_not_learned_or_imported_again(
    home: Path, reopened: Callable[[], Soul], tmp_path: Path
) -> None:
    soul = almario.create(
        home, clock=FixedClock(), llm=ScriptedLLM("It is kept."), settings={"flush.enabled": False}
    )
    live(soul, tmp_path)
    purge(soul)
    soul.close()

    soul = reopened()
    assert soul.memory.learn("alarm", SAID.format(CODE)).outcome == "refused"
    assert soul.memory.learn("alarm", "The alarm is loud").outcome == "new"
    assert soul.importer.take_in(tmp_path / "mem0.json").memories == 0
    assert CODE not in str(soul.memory.list())
