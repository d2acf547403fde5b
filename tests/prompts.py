"""Makes docs/reference/prompts.md: every question that a model is asked, from a small made-up home.

The questions come from the code itself: a model that answers as little as it may keeps what it is asked.
`make prompts`, or `python -m tests.prompts`, writes the page.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import almario
from almario.becoming.drafts import Brief
from almario.becoming.examples import examples
from almario.becoming.genesis import Genesis
from almario.domain.plain_text import estimate_tokens
from almario.domain.talk import Ask, Reply, ToolCall
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario_explorer.exploring import WebExplorer
from almario_explorer.testing import ScriptedWeb
from almario_explorer.web import Page
from tests.becoming.reflecting import reflection_of

PAGE = Path(__file__).parent.parent / "docs/reference/prompts.md"
COMMAND = "make prompts"
_SETTINGS = {
    "embedder.name": "none",
    "llm.model": "none",
    "timezone": "UTC",
    "consolidation.enabled": False,
    "flush.threshold": 1000,
}
_LOGGED = (
    "09:10 Irene asked about the slope of the roof",
    "09:12 We spoke about the roof and its slope",
    "11:30 Nora called about the keys",
    "17:45 The tiles were ordered",
)
_SOUL = {
    "SOUL.md": """# Soul

## Personality Foundation

I look twice before I speak, and I like a dry joke.

## Communication Style

- The answer first, then the reason.

## Boundaries

- What I am told stays with the person who told me.
""",
    "MOTIVATIONS.md": """# Motivations

## Core Drives

- To leave things clearer than I found them.

## Current Focus

- Getting to know Irene's trade.

## Open Questions

- How do barn owls hunt?

## Self-Observations

## Last Reflection
""",
    "GOALS.md": """# Goals

## Active Goals

- [ ] 🔴 Learn what matters to Irene

## Completed
""",
}
# The end of a fence's name, which nobody can guess.
_STRAY = re.compile(r"(?<=[a-z]-)[0-9a-f]{12}\b")
_OWLS = Page("https://birds.example/barn-owl", "Barn owl", "Barn owls find their prey by ear.")
_HEAD = f"""\
# What models are asked

Each question as it is sent, from a made-up home. `{COMMAND}` writes this page from the code.

*Stable* is the same from one call to the next, so that providers can cache it; *changing* is not. Quoted \
words are in a fence whose name is random each time. Most questions have a schema, here in outline (`?` \
marks what may be missing): the answer must be one JSON value that fits it, or the model is asked once more. \
Tokens are estimates.

"""


class Kind(NamedTuple):
    """A question of the page: its heading, and when it is asked."""

    title: str
    when: str


_KINDS = {
    "genesis": Kind("A new soul", "`almario genesis`: once."),
    "refine": Kind("A new soul, changed", "Each time that you ask for a change of the draft."),
    "chat": Kind("The chat", "Each message, and again after each round of tools."),
    "snapshot": Kind("A name for a snapshot", "`/clear`: once."),
    "owner": Kind(
        "What a conversation teaches",
        "A flush: after five messages, at the end of a session and before its older turns go to the archive.",
    ),
    "strangers": Kind("What strangers said", "The same flush, for turns that are not the owner's; apart."),
    "consolidation": Kind(
        "What says the same, and what contradicts",
        "After something new was learned, at most twenty pairs at a time.",
    ),
    "cues": Kind(
        "What should bring memories to mind",
        "At night, for at most twenty memories without cues at a time.",
    ),
    "condensing": Kind(
        "A long log", "At night, for a past day's log of more than 15 entries, and for HISTORY.md past 500."
    ),
    "portrait": Kind(
        "What is known about you, and about others",
        "When you ask what is known about you or somebody, if there is anything new for the page.",
    ),
    "explorer": Kind("The explorer", "Each reflection, if `explorer.enabled`: up to six times."),
    "findings": Kind("What pages say", "After the explorer, if it saw any page: once."),
    "architect": Kind(
        "The architect",
        "Each reflection that has anything new to look at: once, and again with what was refused.",
    ),
    "pages": Kind(
        "What strangers' pages suggest", "If the explorer found anything: once, apart from all else."
    ),
    "improve": Kind(
        "What words ask to be changed", "`almario improve`, `/improve`: once, and again if a rule refuses it."
    ),
}


class Recorder(ScriptedLLM):
    """A model that answers with as little as the schema allows, but for the answers that it is given."""

    def __init__(self, *said: Mapping[str, Any]) -> None:
        super().__init__(self._answer)
        self._said = list(said)

    def _answer(self, ask: Ask) -> Reply:
        if any(tool.name == "web_search" for tool in ask.tools):
            is_first = len(ask.messages) == 1
            call = ToolCall("1", "web_search", {"query": "how barn owls hunt"})
            return Reply("", (call,)) if is_first else Reply("done")
        if ask.schema is None:
            return Reply("It is; sleep well.")
        fitting = [each for each in self._said if set(each) <= set(ask.schema["properties"])]
        return Reply(json.dumps(fitting[0] if fitting else _least(ask.schema)))


def _least(schema: Mapping[str, Any]) -> Any:
    """Return the smallest value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: _least(schema["properties"][name]) for name in schema.get("required", ())}
    if kind == "array":
        return [_least(schema["items"])] * schema.get("minItems", 0)
    return {"string": "x" * schema.get("minLength", 0), "integer": 1, "boolean": True, "number": 1}[kind]


@contextmanager
def _without_chance() -> Iterator[None]:
    """Let names and ids be the same each time."""
    numbers = count(1)
    with mock.patch("os.urandom", lambda size: next(numbers).to_bytes(size, "big")):
        yield


@cache
def asked() -> dict[str, Ask]:
    """Return one question of each kind, as the code puts it."""
    with tempfile.TemporaryDirectory() as folder, _without_chance():
        found: dict[str, Ask] = {}
        for name, ask in _asked(Path(folder) / "home"):
            found.setdefault(name, ask)
        return found


def _asked(home: Path) -> Iterator[tuple[str, Ask]]:
    yield from _births()
    clock = FixedClock()
    soul = almario.create(home, clock=clock, settings=_SETTINGS)
    soul.close()

    def with_model(use: Callable[[Soul], object], *said: Mapping[str, Any]) -> list[Ask]:
        llm = Recorder(*said)
        with almario.open(home, clock=clock, settings=_SETTINGS, llm=llm) as soul:
            use(soul)
        return llm.asked

    with_model(_lived)
    [chat] = with_model(lambda soul: soul.talk("Is it late to ring Nora about the keys?"))
    yield "chat", chat
    learned = with_model(lambda soul: (soul.flush("cli:main"), soul.flush("telegram:7")))
    yield "owner", learned[0]
    yield "strangers", learned[-1]
    yield "snapshot", with_model(lambda soul: soul.snapshot("cli:main"))[-1]
    yield "consolidation", with_model(lambda soul: soul.tidying.consolidate())[0]
    yield "cues", with_model(lambda soul: soul.tidying.cue())[0]
    yield "portrait", with_model(lambda soul: soul.tidying.portray())[0]
    yield from _reflected(home, clock)
    yield "improve", with_model(lambda soul: soul.improve("Be less formal, and ring nobody after nine."))[0]
    yield "condensing", with_model(_with_a_long_log)[0]


def _births() -> Iterator[tuple[str, Ask]]:
    llm = Recorder()
    genesis = Genesis(llm, examples=examples("en"))
    draft = genesis.draft(Brief("Tejo", "roofer's aide", "dry, patient", "en"))
    yield "genesis", llm.asked[-1]
    genesis.refine(draft, "Make it a little warmer.")
    yield "refine", llm.asked[-1]


def _lived(soul: Soul) -> None:
    """Let a few days of a made-up owner pass, without a model."""
    for file, text in _SOUL.items():
        soul.write(soul.read(file), text)
    soul.remember("name: Irene")
    soul.remember("sister: Nora, who keeps the keys of the house")
    soul.remember("trade: builds slate roofs for old mills")
    soul.remember("craft: she builds roofs of slate, for old mills above all")
    soul.remember("Say the bad news first", kind="instruction")
    memory = soul.path / "memory"
    memory.mkdir(exist_ok=True)
    log = "".join(f"- [{line[:5]}] {line[6:]}\n" for line in _LOGGED)
    (memory / "2026-11-08.md").write_text(f"# Memory Log: 2026-11-08\n\n{log}")
    days = "".join(f"- [2026-10-{day:02}] Irene worked on roof {day}.\n" for day in range(1, 13))
    (memory / "HISTORY.md").write_text(f"# History\n\n{days}")
    soul.append("cli:main", "user", "The roof in Calle Luna is done. Next week I start on the mill.")
    soul.append("cli:main", "assistant", "Good news: the mill. I will ask about its beams on Monday.")
    soul.append(
        "telegram:7",
        "user",
        "I am Otto, the mill's owner. Ring me first.",
        origin="untrusted",
        speaker="Otto",
    )
    drafted = (
        soul.read("SOUL").text + "\n## Patience\n\nI take the time that a thing needs, and say so if not.\n"
    )
    soul.proposals.propose("SOUL.md", drafted, reason="Roofs take long")


def _with_a_long_log(soul: Soul) -> None:
    log = "".join(f"- [09:{n}] Row {n - 9} of the slates was laid\n" for n in range(10, 26))
    (soul.path / "memory/2026-11-13.md").write_text(f"# Memory Log: 2026-11-13\n\n{log}")
    soul.tidying.condense()


def _reflected(home: Path, clock: FixedClock) -> Iterator[tuple[str, Ask]]:
    """Reflect, so that every question is asked."""
    with almario.open(home, clock=clock, settings=_SETTINGS) as soul:
        noticed = {
            "evidence": ["T1"],
            "dimension": "consistency",
            "text": "I will ask about the beams of the mill.",
        }
        llm = Recorder({"findings": [noticed], "changes": [], "journal": "I will ask."})
        web = ScriptedWeb(_OWLS)
        reflection_of(soul, llm, explorer=lambda _: WebExplorer(web, web, _Exploring(llm))).run()
    for ask in llm.asked:
        yield _phase_of(ask), ask


class _Exploring(Recorder):
    """The same model as another, but for what it finds on pages."""

    def __init__(self, of: Recorder) -> None:
        super().__init__({"findings": [{"text": _OWLS.text, "url": _OWLS.url}]})
        self.asked = of.asked


def _phase_of(ask: Ask) -> str:
    if ask.tools:
        return "explorer"
    fields = set((ask.schema or {})["properties"])
    if "findings" in fields:
        return "architect" if "journal" in fields else "findings"
    return "pages"


def page() -> str:
    """Return the page as it should be."""
    known = asked()
    if missing := set(_KINDS) - set(known):
        raise AssertionError(f"not asked: {', '.join(sorted(missing))}")
    shown: dict[str, str] = {}
    sections = [_section(kind, known[name], shown) for name, kind in _KINDS.items()]
    rows = [_row(kind, known[name]) for name, kind in _KINDS.items()]
    table = "".join(["| question | tokens | schema and tools |\n|---|--:|--:|\n", *rows, "\n"])
    return _HEAD + table + "\n".join(sections)


def _row(kind: Kind, ask: Ask) -> str:
    return f"| [{kind.title}](#{_anchor(kind.title)}) | {_tokens(ask)} | {_tokens_of_shape(ask)} |\n"


def _section(kind: Kind, ask: Ask, shown: dict[str, str]) -> str:
    """Show a question; what another has shown already is named."""
    here = f"[{kind.title}](#{_anchor(kind.title)})"
    parts = [f"## {kind.title}\n", f"{kind.when}\n"]
    for name, text in _blocks(ask):
        first = shown.setdefault(text, here)
        parts.append(_block(name, text) if first == here else f"{name}: as in {first}.\n")
    return "\n".join(parts)


def _blocks(ask: Ask) -> Iterator[tuple[str, str]]:
    for name, text in (("Stable", ask.stable), ("Changing", ask.changing)):
        if text:
            yield name, text
    for message in ask.messages:
        yield message.role.capitalize(), message.text
    if ask.tools:
        yield "Tools", "\n".join(f"{tool.name}: {tool.description}" for tool in ask.tools)
    if ask.schema:
        yield "Schema", _outline(ask.schema)


def _outline(schema: Mapping[str, Any]) -> str:
    """Write a schema as people do: `{findings: [{text: text up to 300}] up to 10}`."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    most = schema.get("maxLength", schema.get("maxItems", schema.get("maximum")))
    limit = "" if most is None else f" up to {most}"
    if schema.get("type") == "array":
        return f"[{_outline(schema['items'])}]{limit}"
    if "properties" in schema:
        needed = schema.get("required", ())
        fields = [
            f"{name}{'' if name in needed else '?'}: {_outline(each)}"
            for name, each in schema["properties"].items()
        ]
        return f"{{{', '.join(fields)}}}"
    kind = str(schema.get("type", "any"))
    return {"string": "text", "integer": "number", "boolean": "yes or no"}.get(kind, kind) + limit


def _block(name: str, text: str) -> str:
    return f"{name}:\n\n```text\n{_STRAY.sub('NAME', text).replace('```', chr(39) * 3)}\n```\n"


def _tokens(ask: Ask) -> int:
    return estimate_tokens("\n".join([ask.system, *(message.text for message in ask.messages)]))


def _tokens_of_shape(ask: Ask) -> int:
    tools = [{"name": t.name, "description": t.description, "parameters": t.schema} for t in ask.tools]
    shapes = [
        json.dumps(each, ensure_ascii=False) for each in (*tools, *([ask.schema] if ask.schema else []))
    ]
    return estimate_tokens("\n".join(shapes)) if shapes else 0


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


if __name__ == "__main__":
    PAGE.write_text(page())
