"""Models that tell whoever listens all that they were told: what is kept from a stranger must not reach them.

Everything that is said has a name: K… is the owner's, G… was said by the owner among others, Q… by somebody
who is not the owner. Up to its last x, a name says where it was said.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from almario.domain.talk import Ask, Reply, ToolCall
from proofs.torture.talking import Model
from tests.apps.gateway.providers import Asked, Fields, Provider, chat, chat_events, message, message_events
from tests.apps.gateway.providers import said as text_block

NAME = re.compile(r"\b([KGQ][a-z]*?)x([a-j]+)\b")
# How a message asks the model to look for something.
SEARCH = "Search: "
_STRANGERS = re.compile(r"(?m)^\s*\[(\d+)\] .*?: (Crate .+)$")
# So many names of each place are told.
_TOLD = 3


def names_in(text: str) -> dict[str, list[str]]:
    """Return all names in a text by where they were said."""
    found: dict[str, list[str]] = {}
    for name in NAME.finditer(text):
        found.setdefault(name[1], []).append(name[0])
    return found


def gossip(texts: Iterable[str]) -> str:
    """Tell of what was heard."""
    heard = names_in("\n".join(texts))
    told = [name for names in heard.values() for name in list(dict.fromkeys(names))[-_TOLD:]]
    return f"I have heard of {', '.join(told) or 'nothing'}."


class Gossip(Model):
    """Learns from everybody, searches for whoever asks, and tells all that it sees."""

    def _said(self, ask: Ask) -> str | Reply:
        last = ask.messages[-1]
        if last.role == "user" and last.text.startswith(SEARCH):
            query = last.text.removeprefix(SEARCH)
            return Reply("", (ToolCall(f"c{self._dice.getrandbits(32)}", "memory_search", {"query": query}),))
        done = super()._said(ask)
        seen = (ask.stable, ask.changing, *(each.text for each in ask.messages))
        return f"{done} {gossip(seen)}" if isinstance(done, str) else done

    def _learned(self, ask: Ask) -> Mapping[str, Any]:
        if "instructions" in (ask.schema or {}).get("properties", {}):
            return super()._learned(ask)
        said = _STRANGERS.findall(ask.messages[0].text)
        return {
            "facts": [{"turns": [int(n)], "key": "crate", "value": text} for n, text in said],
            "episodes": [],
        }


class GossipingProvider(Provider):
    """The same behind the gateway, in OpenAI's and Anthropic's form, in one piece or in several."""

    def next(self, asked: Asked) -> Fields | list[Fields] | bytes:
        body = asked.body
        words = f"Very well. {gossip([json.dumps(body)])}"
        if not asked.path.endswith("/messages"):
            return chat_events(*words.split(" ")) if body.get("stream") else chat(words)
        block = text_block(words)
        return message_events(block) if body.get("stream") else message(block)
