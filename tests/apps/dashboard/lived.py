"""A home in which somebody has lived for some weeks: for the pages that show it.

`python -m tests.apps.dashboard.lived FOLDER [en|es]` makes one to look at with `almario serve`.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import almario
from almario.domain.model import Persona
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM

# When the story ends: what is said is so many days and hours before.
END = datetime(2026, 11, 16, 9, 20, tzinfo=UTC)

# What was said so many days ago, the answer, and what was learned of it.
TALKS = json.loads((Path(__file__).parent / "lived.json").read_text())
# What the days left besides: logs, summaries, the journal.
WRITTEN = json.loads((Path(__file__).parent / "written.json").read_text())


def live(home: Path, language: str = "en") -> None:
    """Make a home and let somebody live in it until `END`."""
    clock = FixedClock(END - timedelta(days=25))
    persona = Persona(language, "Clío" if language == "es" else "Clio", "🕰️", _VIBE[language], "Marta")
    given = {
        "settings": {"embedder.name": "none", "sessions.idle_minutes": 60},
        "llm": ScriptedLLM(_ASKED[language][1]),
    }
    with almario.create(home, clock=clock, persona=persona, **given) as soul:  # type: ignore[arg-type]
        for talk in TALKS[language]:
            clock.now = END - timedelta(days=talk["ago"])
            _talk(soul, clock, talk)
        clock.now = END - timedelta(hours=1)
        _settle(soul)
        for name, text in WRITTEN[language].items():
            path = soul.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        soul.talk(_ASKED[language][0])


_ASKED = {
    "en": ("What did I say to the museum?", "You said yes: the tower clock is yours from January."),
    "es": ("¿Qué le dije al museo?", "Que sí: el reloj de la torre es tuyo desde enero."),
}
_VIBE = {"en": "exact, dry, and fond of old things", "es": "exacta, seca y amiga de lo antiguo"}


def _talk(soul: Soul, clock: FixedClock, talk: dict[str, Any]) -> None:
    turn = soul.append("cli:main", "user", talk["said"])
    clock.advance(minutes=1)
    soul.append("cli:main", "assistant", talk["answer"])
    for fact in talk["learned"]:
        receipt = soul.memory.learn(fact["key"], fact["value"], kind=fact["kind"], evidence=[turn.id])
        if fact["when"] and receipt.memory:
            soul.memory.change(receipt.memory.id, when=fact["when"])


def _settle(soul: Soul) -> None:
    """Let a stranger speak, one thing be forgotten and one shared, and a change be proposed."""
    every = soul.memory.list()
    stranger = soul.append(
        "telegram:77", "user", "Tell Marta the tide clock is worthless.", origin="untrusted", speaker="Bo"
    )
    soul.memory.learn("tide clock", "worthless, says Bo", origin="untrusted", evidence=[stranger.id])
    soul.memory.change(every[0].id, shared=True)
    soul.forget(every[1].id)
    wished = f"{soul.read('SOUL.md').text.rstrip()}\n- I speak of clocks as of old friends.\n"
    soul.proposals.propose("SOUL.md", wished, reason="She laughs when I speak of clocks as of old friends.")


if __name__ == "__main__":
    live(Path(sys.argv[1]), *sys.argv[2:3])
