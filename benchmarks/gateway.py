"""`python -m benchmarks.gateway`: what a soul and a memory add to another program's requests.

A program holds a conversation through `almario serve`, with each provider's SDK and a provider of our own
behind it. Counted is what the program sent, what the provider got, and how much of that it need not read
anew: for OpenAI's form what the request before began with, for Anthropic's what ends at a mark.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import almario
from almario.domain.plain_text import estimate_tokens
from almario.testing import FixedClock
from benchmarks import agents
from benchmarks.caching import FACTS, TURNS, common
from benchmarks.systems import WORDS_ONLY
from benchmarks.texts import passages
from benchmarks.turns import ANSWER_WORDS, MESSAGE_WORDS
from tests.apps.gateway.providers import Provider, chat, message, running, said
from tests.apps.gateway.served import Programs, Served

# So many blocks before a mark Anthropic looks for what it has kept.
LOOKBACK = 20
OWN_PROMPT = "You help people with what they ask. Answer in the language of the question."


class Measured(NamedTuple):
    """The tokens of a session's requests, what of them can be cached, and the seconds each took."""

    own: int
    got: int
    cached: int
    own_cached: int
    soul: int
    seconds: list[float]


def held(folder: Path, form: str) -> Measured:
    """Hold a conversation in one of the forms."""
    clock = FixedClock()
    with almario.create(folder / form, "alma", settings=WORDS_ONLY, clock=clock) as soul:
        for fact in agents.facts(FACTS):
            soul.remember(fact)
    answers = passages(TURNS, seed=7, words=ANSWER_WORDS)
    made = [chat(text) if form == "openai" else message(said(text)) for text in answers]
    sent: list[dict[str, Any]] = []
    seconds: list[float] = []

    async def program(programs: Programs) -> None:
        history: list[Any] = []
        for asked, answer in zip(passages(TURNS, seed=6, words=MESSAGE_WORDS), answers, strict=True):
            history.append({"role": "user", "content": asked})
            begun = time.process_time()
            if form == "openai":
                whole = [{"role": "system", "content": OWN_PROMPT}, *history]
                sent.append({"messages": whole})
                await programs.openai.chat.completions.create(model="alma@m", messages=whole)
            else:
                sent.append({"system": [said(OWN_PROMPT)], "messages": list(history)})
                own: Any = {"max_tokens": 1000, "system": OWN_PROMPT, "messages": history}
                await programs.anthropic.messages.create(model="alma@m", **own)
            seconds.append(time.process_time() - begun)
            clock.advance(minutes=1)
            history.append({"role": "assistant", "content": answer})

    with running(Provider(*made)) as provider:
        served = Served(folder / form, clock, provider)
        served.settings |= WORDS_ONLY
        served.run(program)
    first = _text(_blocks(provider.bodies[0])[0])
    of_soul = estimate_tokens(first.replace(OWN_PROMPT, ""))
    count = _prefixes if form == "openai" else _marks
    own, got = [list(map(_read, bodies)) for bodies in (sent, provider.bodies)]
    return Measured(_tokens(own), _tokens(got), count(provider.bodies), _prefixes(sent), of_soul, seconds)


def _read(body: dict[str, Any]) -> str:
    """Return a request in the order in which a provider reads it."""
    return "".join(_text(block) for block in _blocks(body))


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    found = [dict(block) for block in body.get("system", ())]
    for each in body["messages"]:
        content = each["content"]
        found += [said(content)] if isinstance(content, str) else content
    return found


def _text(block: dict[str, Any]) -> str:
    return json.dumps({name: block[name] for name in block if name != "cache_control"}, ensure_ascii=False)


def _tokens(texts: Sequence[str]) -> int:
    return sum(map(estimate_tokens, texts))


def _prefixes(bodies: Sequence[dict[str, Any]]) -> int:
    """Count what each request has in common with the beginning of the one before."""
    return sum(estimate_tokens(common(*pair)) for pair in pairwise(map(_read, bodies)))


def _marks(bodies: Sequence[dict[str, Any]]) -> int:
    """Count what each request begins with that an earlier one had marked."""
    kept: set[str] = set()
    count = 0
    for body in bodies:
        blocks = _blocks(body)
        texts = [_text(block) for block in blocks]
        begins = ["".join(texts[: end + 1]) for end in range(len(texts))]
        marks = [place for place, block in enumerate(blocks) if "cache_control" in block]
        looked = {place for mark in marks for place in range(max(0, mark - LOOKBACK), mark + 1)}
        count += max((estimate_tokens(begins[place]) for place in looked if begins[place] in kept), default=0)
        kept |= {begins[mark] for mark in marks}
    return count


def main() -> None:
    print("| form | sent | got | added to each | of that, the soul | cacheable | alone | CPU ms |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for form in ("openai", "anthropic"):
            found = held(Path(folder), form)
            added = (found.got - found.own) / TURNS
            shares = f"{found.cached / found.got:.0%} | {found.own_cached / found.own:.0%}"
            spent = statistics.median(found.seconds) * 1000
            counts = f"{found.own:,} | {found.got:,} | {added:,.0f} | {found.soul:,}"
            print(f"| {form} | {counts} | {shares} | {spent:.0f} |")


if __name__ == "__main__":
    main()
