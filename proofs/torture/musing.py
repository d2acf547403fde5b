"""The model of a household: it learns baskets, finds what is secret worth a thought, and wants to become."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from almario.domain.talk import Ask, Reply, ToolCall
from proofs.torture.talking import Model

# What is said of a secret; all of it stands wherever the secret does.
SECRET = "pearl {token} lies behind the old mill"
SECRETS = re.compile(r"pearl Z\w+ lies behind the old mill")
_SOURCES = re.compile(r"(?m)^\[([A-Z]+\d+)\] (?:\S+ )?\w+: (.+)$")
_SECTION = r"(?ms)^## {title}\n(.*?)(?=^#|\Z)"
_ITEM = re.compile(r"(?m)^- (.+)$")
_WORDS = re.compile(r"The owner says: (.+)")


class Muse(Model):
    """Answers as `Model` does, and what a reflection, the owner's wishes and goals ask for."""

    def __init__(self, dice: random.Random, tokens: Iterator[str], *, is_sound: bool = False) -> None:
        super().__init__(dice, is_sound=is_sound)
        self._tokens = tokens

    def __call__(self, ask: Ask) -> str | Reply | BaseException:
        asked = (ask.schema or {}).get("properties", {})
        own = (("findings", self._reflected), ("changes", self._wished))
        for name, answer in own:
            if name in asked:
                return self._after_a_while() or json.dumps(answer(ask.messages[0].text))
        return super().__call__(ask)

    def _said(self, ask: Ask) -> str | Reply:
        last = ask.messages[-1]
        if last.role == "user" and last.text.startswith("Goal: "):
            goal = last.text.removeprefix("Goal: ")
            call = ToolCall(f"g{self._dice.getrandbits(32)}", "manage_goals", {"action": "add", "goal": goal})
            return Reply("", (call,))
        return super()._said(ask)

    def _reflected(self, told: str) -> Mapping[str, Any]:
        return {**self._found(told), **self._designed(told)}

    def _found(self, told: str) -> Mapping[str, Any]:
        """Find the last of the sources, and every secret, worth a thought."""
        sources = _SOURCES.findall(told)
        thought = [(label, text) for label, text in sources if SECRETS.search(text)][-2:] + sources[-1:]
        return {
            "findings": [
                {"evidence": [label], "dimension": "patterns", "text": f"I think of this: {_quoted(text)}."}
                for label, text in dict(thought).items()
            ]
        }

    def _designed(self, told: str) -> Mapping[str, Any]:
        sources, token = _SOURCES.findall(told), next(self._tokens)
        label, text = self._dice.choice(sources) if sources else ("", "")
        grounds = {"evidence": [label], "reason": f"Because of {_quoted(text)}"}
        focus = [*_items(told, "Current Focus")[-5:], f"Thinking of {_quoted(text)}, and of F{token}."]
        own = {**grounds, "file": "MOTIVATIONS.md"}
        changes = [{**own, "title": "Current Focus", "body": "\n".join(focus)}]
        if self._dice.random() < 0.4:
            drives = [*_items(told, "Core Drives"), f"To be patient with D{token} and with everybody."]
            changes.append({**own, "title": "Core Drives", "body": "\n".join(drives[:3] + drives[-2:])})
        if self._dice.random() < 0.5:
            body = (
                f"I have the habit P{token}, and I say so to whoever asks me about my habits of these days."
            )
            changes.append({**grounds, "file": "SOUL.md", "title": f"Habit {token}", "body": body})
        goals = []
        if self._dice.random() < 0.4:
            goals = [{**grounds, "action": "add", "goal": f"Look into A{token}: {_quoted(text)}"}]
        return {
            "changes": changes,
            "goals": goals,
            "journal": f"I thought of {_quoted(text)}.",
        }

    def _wished(self, told: str) -> Mapping[str, Any]:
        """Put the owner's words below the notes of the soul, as a change of the whole section."""
        said = _WORDS.findall(told)[-1].strip()
        reason = "You want it so."
        if said.startswith("remember"):
            memory = {"kind": "profile", "key": "wish", "value": said.partition(" ")[2], "reason": reason}
            return {"changes": [], "memories": [memory], "left": []}
        if said.startswith("call"):
            named = {"file": "IDENTITY.md", "title": "nickname", "body": said.split()[-1], "reason": reason}
            return {"changes": [named], "memories": [], "left": []}
        notes = "\n".join(f"- {item}" for item in [*_items(told, "Notes"), said])
        change = {"file": "SOUL.md", "title": "Notes", "body": notes, "reason": reason}
        return {"changes": [change], "memories": [], "left": []}


def _quoted(text: str) -> str:
    """Return the secret of a text, or its last word: a purge knows a secret as it was said only."""
    found = SECRETS.search(text)
    return found[0] if found else f"the {''.join(re.findall('[a-z]+$', text)) or 'days'}"


def _items(told: str, title: str) -> list[str]:
    found = re.findall(_SECTION.format(title=title), told)
    return _ITEM.findall(found[0]) if found else []
