"""`python -m benchmarks.caching`: what a session sends to a model, and how much of it a provider can cache.

A provider that was told something lately need not read it anew as far as the
next call begins with the same: the tools, who the agent is, what was said.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

import almario
from almario.adapters.llm import anthropic, openai
from almario.domain.plain_text import estimate_tokens
from almario.domain.talk import Ask, Reply, ToolCall
from almario.testing import ScriptedLLM
from almario.wiring.offering import offered
from benchmarks import agents
from benchmarks.systems import WORDS_ONLY
from benchmarks.texts import passages
from benchmarks.turns import ANSWER_WORDS, MESSAGE_WORDS

TURNS = 20
FACTS, FULL = 30, 120
# So many facts are remembered where what a prompt tells of them is counted.
REMEMBERED = (70, 400, 2000)
SEVEN = (
    "name: Nora Vidal",
    "address: Calle de la Luna 14, Madrid",
    "job: I design bridges",
    "cat: Michi",
    "allergy: penicillin",
    "sister: Inés lives in Utrecht",
    "favourite tea: genmaicha",
)
# Every so many answers begin with a search.
SEARCHES = 5


class Sent(NamedTuple):
    """The tokens of a session's calls, and those of them that the call before began with."""

    calls: int
    tokens: int
    cacheable: int

    @property
    def share(self) -> float:
        return self.cacheable / self.tokens


def session(folder: Path, turns: int = TURNS, facts: int = FACTS) -> list[Ask]:
    """Hold a session with an agent that remembers; return all that its model was asked."""
    answers = passages(turns, seed=7, words=ANSWER_WORDS)
    llm = ScriptedLLM(lambda ask: _answer(ask, answers))
    with almario.create(folder / "home", settings=WORDS_ONLY) as soul:
        for fact in agents.facts(facts):
            soul.remember(fact)
    with almario.open(folder / "home", llm=llm, settings=WORDS_ONLY) as soul:
        for message in passages(turns, seed=6, words=MESSAGE_WORDS):
            soul.talk(message)
        soul.flush()
    return llm.asked


def _answer(ask: Ask, texts: Sequence[str]) -> str | Reply:
    if ask.schema is not None:
        fields = ask.schema["properties"].items()
        return json.dumps({name: [] if each["type"] == "array" else "" for name, each in fields})
    asked, last = sum(message.role == "user" for message in ask.messages), ask.messages[-1]
    if asked % SEARCHES == 0 and last.role == "user":
        query = " ".join(last.text.split()[:6])
        return Reply("", (ToolCall(os.urandom(4).hex(), "memory_search", {"query": query}),))
    return texts[asked % len(texts)]


def talked(asked: Sequence[Ask]) -> list[Ask]:
    """Return the calls that answer a message, or go on to."""
    return [ask for ask in asked if ask.schema is None]


def sent(asked: Iterable[Ask], *, changing_first: bool = False) -> Sent:
    """Count what calls sent, in the order in which a provider reads it."""
    told = [
        _told(each._replace(stable=each.system, changing="") if changing_first else each) for each in asked
    ]
    cacheable = sum(estimate_tokens(common(*pair)) for pair in pairwise(told))
    return Sent(len(told), sum(map(estimate_tokens, told)), cacheable)


def common(one: str, other: str) -> str:
    """Return what two texts begin with."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return one[: sum(1 for _ in same)]


def _told(ask: Ask) -> str:
    return _json(openai.tool_params(ask.tools)) + _json(openai.message_params(ask))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def rows(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    asked = session(folder)
    talk, learn = talked(asked), [ask for ask in asked if ask.schema is not None]
    now, before = sent(talk), sent(talk, changing_first=True)
    full = sent(talked(session(folder / "full", facts=FULL)))
    tools = [estimate_tokens(_json(each.tool_params(talk[0].tools))) for each in (openai, anthropic)]
    question = [estimate_tokens(f"{ask.system}{_json(ask.schema)}") for ask in learn]
    yield "| what | tokens |"
    yield "|---|--:|"
    yield f"| the tools, as OpenAI is sent them / Anthropic | {tools[0]:,} / {tools[1]:,} |"
    with almario.create(folder / "new", settings=WORDS_ONLY) as fresh:
        prompt, begun = fresh.prompt(tools=None).text, fresh.companion.begin("claude-code:main")
    listed = anthropic.tool_params([tool.spec._replace(name=name) for name, tool in offered().items()])
    yield f"| the tools over MCP, as Anthropic is sent them | {estimate_tokens(_json(listed)):,} |"
    yield f"| the prompt of a new agent, in the chat | {estimate_tokens(prompt):,} |"
    yield f"| what a session of a coding agent begins with, new agent | {estimate_tokens(begun):,} |"
    yield (
        f"| the question that learns, with the {FACTS} facts and without the conversation"
        f" | {min(question):,}–{max(question):,} |"
    )
    yield f"| a session of {TURNS} turns, {now.calls} calls | {now.tokens:,} |"
    yield f"| of it, what the call before began with | {now.cacheable:,} ({now.share:.0%}) |"
    yield f"| of it, if what changes stood before what was said | {before.cacheable:,} ({before.share:.0%}) |"
    yield f"| a session with a core memory past its budget | {full.tokens:,} |"
    yield f"| of it, what the call before began with | {full.cacheable:,} ({full.share:.0%}) |"
    with almario.create(folder / "short", settings=WORDS_ONLY) as soul:
        for fact in SEVEN:
            soul.remember(fact)
        seven, hello = _known(soul, "What shall we cook?"), _known(soul, "Hello!")
        for number in range(93):
            soul.remember(f"thing {number}: value {number} here")
        hundred = _known(soul, "What shall we cook?")
    yield f"| seven facts, with a message / a greeting; a hundred short | {seven} / {hello}; {hundred} |"
    told = [f"{_remembered(folder / str(count), count):,}" for count in REMEMBERED]
    facts = " / ".join(f"{each:,}" for each in REMEMBERED)
    yield f"| what a prompt tells of {facts} facts | {' / '.join(told)} |"


def _known(soul: almario.Soul, message: str) -> int:
    return sum(each.tokens for each in soul.prompt(message).sections if each.name == "known")


def _remembered(home: Path, facts: int) -> int:
    """Return how many tokens of a prompt for a message are what is remembered."""
    with agents.remembering(home, facts) as soul:
        sections = soul.prompt(passages(1, seed=6, words=MESSAGE_WORDS)[0]).sections
    return sum(each.tokens for each in sections if each.name in ("coming", "recent", "relevant", "known"))


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        print("\n".join(rows(Path(folder))))


if __name__ == "__main__":
    main()
