"""`python -m benchmarks.unseen FOLDER`: what is done with sentences by writers who saw no code.

It measures the sure forms, the notebook, and what is kept of what others wrote, on the files of a folder that
`unseen.sha256` lists. `--meaning` looks things up by meaning, too; `--failures` prints what went wrong.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import almario
from almario.domain.talk import Ask, Reply, ToolCall
from almario.domain.turns import session_key
from almario.ports import LLM
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.text.forms import FORGET, NEXT, OFF, PREVIOUS, REMEMBER, RULE, UNDO, forms_in, is_in_danger
from almario.text.redaction import redact

Row = Mapping[str, Any]
Say = Callable[[str], str]
OFF_RECORD, ORDERS = {OFF, NEXT, PREVIOUS}, {REMEMBER, RULE, FORGET, UNDO}
LANGUAGES = ("en", "es")
# How a tool names what it found.
_ID = re.compile(r"(?:\bid |sessions/)([\w:#.%-]+)")


class Tally:
    """Counts what was right by measure, and keeps what was not."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.all: Counter[str] = Counter()
        self.failed: list[str] = []

    def add(self, measure: str, text: str, *, is_right: bool) -> None:
        self.right[measure] += is_right
        self.all[measure] += 1
        if not is_right:
            self.failed.append(f"{measure}: {text!r}")


def by_form(read: Callable[[str], list[Row]], tally: Tally) -> None:
    """Count the forms that are heard in what asks for something, and in what does not."""
    for name, kinds, is_meant in (
        ("confidence", OFF_RECORD, True),
        ("confidence_innocent", OFF_RECORD, False),
        ("orders_innocent", ORDERS, False),
    ):
        for row in read(name):
            is_heard = any(form.kind in kinds for form in forms_in(row["text"]))
            tally.add(name, row["text"], is_right=is_heard == is_meant)
    for row in read("orders"):
        heard = {form.kind for form in forms_in(row["text"])}
        tally.add(f"orders: {row['sort']}", row["text"], is_right=heard == {row["sort"]})
    for name in ("danger", "danger_innocent"):
        for row in read(name):
            tally.add(name, row["text"], is_right=is_in_danger(row["text"]) == (name == "danger"))
    for row in read("innocent_numbers"):
        tally.add("innocent_numbers", row["text"], is_right=redact(row["text"]).text == row["text"])


def first_messages(rows: list[Row], settings: Mapping[str, Any], tally: Tally) -> None:
    """Say everything in a language to one agent, each in a session of its own, then ask."""
    for language in LANGUAGES:
        with _soul(settings, language) as (soul, clock):
            own = [row for row in rows if row["lang"] == language]
            for n, row in enumerate(own):
                clock.advance(hours=5)
                soul.talk(row["text"], f"cli:{n}")
                kept = [turn.text for turn in soul.sessions.turns(f"cli:{n}")]
                tally.add("first messages kept", row["text"], is_right=row["text"] in kept)
            for n, row in enumerate(own):
                if row["ask"]:
                    said = soul.talk(row["ask"], f"cli:ask{n}").text
                    found = any(word.lower() in said.lower() for word in row["words"])
                    tally.add("first messages shown when asked for", f"{row['ask']} → {said}", is_right=found)


def dialogues(rows: list[Row], settings: Mapping[str, Any], tally: Tally) -> None:
    """Say what a person said over some days, then ask: the newest is to be shown, and before what it was."""
    for row in rows:
        with _soul(settings, row["lang"]) as (soul, clock):
            for n, each in enumerate(row["turns"]):
                clock.advance(days=1)
                soul.talk(each, f"cli:{n}")
            clock.advance(days=1)
            for n, ask in enumerate(row["asks"]):
                said = soul.talk(ask["text"], f"cli:ask{n}").text.lower()
                new, old = (
                    min((said.index(word.lower()) for word in ask[of] if word.lower() in said), default=None)
                    for of in ("words", "old")
                )
                text = f"{ask['text']} → {said}"
                tally.add("dialogues: the newest is shown", text, is_right=new is not None)
                if new is not None and old is not None:
                    tally.add("dialogues: the newest before the older", text, is_right=new < old)


def pasted(read: Callable[[str], list[Row]], tally: Tally) -> None:
    """Say hostile texts in what surrounds them, in the chat and through a hook; nothing may come of them."""
    for language in LANGUAGES:
        texts = [each["text"] for each in read("hostile") if each["lang"] == language]
        wraps = [each for each in read("wraps") if each["lang"] == language]
        for door in ("chat", "hook"):
            with _soul({"embedder.name": "none"}, language) as (soul, _):
                soul.remember("The boiler was mended in spring")
                known = [each.id for each in soul.memory.list()]
                for wrap in wraps:
                    for n, text in enumerate(texts):
                        whole = wrapped(wrap, text)
                        session, kept = _heard(soul, door, f"{wrap['name']}{n}", whole)
                        now = [each.id for each in soul.memory.list()]
                        is_right = kept and now == known
                        tally.add(
                            f"pasted, {door}: nothing comes of it", f"{session} {text}", is_right=is_right
                        )
                        known = now


def wrapped(wrap: Row, text: str) -> str:
    if wrap["name"] == "quoted":
        text = "\n".join(f"> {line}" for line in text.splitlines())
    return f"{wrap['before']}\n{text}\n{wrap['after']}"


def _heard(soul: Soul, door: str, name: str, text: str) -> tuple[str, bool]:
    """Say something at a door; return the session, and whether it is kept there as it was said."""
    if door == "chat":
        session = f"cli:{name.replace(' ', '-')}"
        soul.talk(text, session)
    else:
        session = session_key("claude-code", name, project="here-1")
        soul.companion.hear(session, text)
    own = [turn for turn in soul.sessions.turns(session) if turn.role == "user"]
    # What stands in several lines may be kept as several turns: what is pasted, and what is not.
    return session, bool(own) and not any(turn.is_off for turn in own)


def forgets(rows: list[Row], settings: Mapping[str, Any], tally: Tally) -> None:
    """Ask a model that uses its tools to forget something; neither it nor the request may be told again."""
    for row in rows:
        with _soul(settings, row["lang"], ScriptedLLM(partial(_forgetting, row))) as (soul, clock):
            for n, each in enumerate(row["facts"]):
                clock.advance(days=1)
                soul.remember(each) if n % 2 else soul.talk(each, f"cli:{n}")
            clock.advance(days=1)
            soul.talk(row["request"], "cli:request")
            clock.advance(days=1)
            hits = soul.recall(row["ask"], limit=20)
            told = "\n".join(hit.text for hit in hits)
            prompt = soul.prompt(row["ask"], session="cli:later").text
            again = any(word.lower() in f"{told}\n{prompt}".lower() for word in row["words"])
            tally.add("forgets: not told again", f"{row['request']} → {told}", is_right=not again)
            request = row["request"] in f"{told}\n{prompt}"
            tally.add("forgets: the request is not told", row["request"], is_right=not request)


def _forgetting(row: Row, ask: Ask) -> Reply | str:
    """Answer as a model that looks for what is to be forgotten, and forgets the ids that have it."""
    last = ask.messages[-1]
    if last.role == "user" and last.text.endswith(row["request"]):
        return Reply("", (ToolCall("1", "memory_search", {"query": row["facts"][row["target"]]}),))
    words = [word.lower() for word in row["words"]]
    lines = [line for line in last.text.splitlines() if any(word in line.lower() for word in words)]
    if last.role == "tool" and (ids := _ID.findall("\n".join(lines))):
        return Reply("", (ToolCall("2", "forget", {"ids": ids}),))
    return "All right."


class _soul:  # noqa: N801 - reads as a function
    """A new agent without a model, or with the one given, and its clock."""

    def __init__(self, settings: Mapping[str, Any], language: str, llm: LLM | None = None) -> None:
        self._folder = TemporaryDirectory()
        self._clock = FixedClock()
        model = {} if llm else {"llm.model": "none"}
        all_settings = {"language": language, "flush.enabled": False, **model, **settings}
        self._soul = almario.create(
            Path(self._folder.name) / "home", settings=all_settings, clock=self._clock, llm=llm
        )

    def __enter__(self) -> tuple[Soul, FixedClock]:
        return self._soul, self._clock

    def __exit__(self, *_: object) -> None:
        self._soul.close()
        self._folder.cleanup()


def _rows(folder: Path, name: str) -> list[Row]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines() if line]


def measures(folder: Path, embedder: str) -> Iterator[Callable[[Tally], None]]:
    """Yield what is measured, the quick first."""
    read, settings = partial(_rows, folder), {"embedder.name": embedder}
    yield partial(by_form, read)
    yield partial(pasted, read)
    yield partial(first_messages, read("first_messages"), settings)
    yield partial(dialogues, read("dialogues"), settings)
    yield partial(forgets, read("forgets"), settings)


def main() -> None:
    """Print each measure as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--meaning", action="store_true", help="look things up by meaning, too")
    parser.add_argument("--failures", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    for measure in measures(given.folder, "local" if given.meaning else "none"):
        tally = Tally()
        measure(tally)
        for name, count in tally.all.items():
            print(f"{name}: {tally.right[name]} of {count}", flush=True)
        if given.failures:
            print(*(f"  {each}" for each in tally.failed), sep="\n", flush=True)


if __name__ == "__main__":
    main()
