"""Three sessions with answers that a careful reader wrote by hand, in Spanish and English, lived again.

`by_hand/` has the owner's messages and those answers: what was said, learned and compared, and a reflection.
Memories are named there by their words.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import almario
from almario.domain.talk import Ask, Reply, ToolCall
from almario.testing import FixedClock, ScriptedLLM
from tests.effort import every

Json = dict[str, Any]
KINDS = ("facts", "episodes", "instructions")
FOLDER = Path(__file__).parent / "by_hand"
# What must be known at the end, each by one memory; with its time, if it has one.
KNOWN = {
    "es": [
        ("Se llama Marina", ""),
        ("Museo Blanes.*restauradora de papel", "2026-12-14/.."),
        ("La Blanqueada.*Tino.*Brisa", ""),
        ("pucho", "2025-07/.."),
        ("Tino.*frutos secos", ""),
        ("operaron de la rodilla", "2026-12-03"),
        ("Tratarla de vos", ""),
        ("signos de exclamación", ""),
        ("12 km por la rambla", "2026-11-14"),
        ("Brisa.*9 años", "XXXX-12-04"),
        ("34.000 pesos", "2027-01-01/.."),
        ("Raleigh verde", ""),
        ("doctor Olmos", ""),
        ("Lucía se casa el 6 de marzo de 2027 en Rocha", "2027-03-06"),
        ("Estela Muiños", ""),
        ("Volvió a correr, 5 km", "2027-01"),
        ("domingos.*Atlántida", "XXXX-WXX-7"),
    ],
    "en": [
        ("Is called Callum", ""),
        ("Teaches at Jordanhill", "2027-01-18/.."),
        ("Isla is a paramedic", ""),
        ("Rory, born on 2 March 2024", "XXXX-03-02"),
        ("drinking in 2023", "2023/.."),
        ("Rory can't have eggs", ""),
        ("Call him Cal", ""),
        ("two sentences", ""),
        ("1,120 pounds a month", "2027-02/.."),
        ("Dr. Anand", ""),
        ("mum's birthday is 9 April", "XXXX-04-09"),
        ("dad's birthday is 30 April", "XXXX-04-30"),
        ("Loch Ness marathon", "2027-09-26"),
        ("Moira Lennox", ""),
        ("Skoda estate", ""),
        ("Hillview nursery four days a week", ""),
        ("Dr. Chowdhury", ""),
        ("Lisbon", "2026-12-27/2027-01-03"),
    ],
}
# What must not be in mind any more, or never have been.
GONE = {
    "es": ["Rosgal", "31.000", "Pereyra", "20 de febrero", "mudarse|mudarme|sola", "Pocitos", "28.900"],
    "en": ["Holyrood", "960", "MOT", "Fraser$", "Wednesday", "leaving the service"],
}


class ByHand:
    """Answers as the reader did; of memories and turns it knows the words."""

    def __init__(self, said: Json) -> None:
        self._said = said
        self._replies: Iterator[Json] = iter(said["replies"])
        self._reflection = iter(said["reflection"])
        self._calls = 0

    def __call__(self, ask: Ask) -> str | Reply:
        properties = (ask.schema or {}).get("properties", {})
        if not properties:
            return self._reply(next(self._replies), ask)
        if "summary" in properties and "facts" in properties:
            return json.dumps(self._learned(ask))
        if "facts" in properties:
            return json.dumps(self._said["strangers"][0])
        if "pairs" in properties:
            lines = [json.loads(line) for line in ask.messages[0].text.splitlines()]
            return json.dumps({"pairs": [self._verdict(pair) for pair in lines]})
        return json.dumps(next(self._reflection))

    def _reply(self, reply: Json, ask: Ask) -> Reply:
        self._calls += 1
        for _, given in reply["calls"]:  # of what is listed, the ids by its words
            if "ids" in given:
                given["ids"] = [_id(each, ask.changing) for each in given["ids"]]
        calls = [ToolCall(f"c{self._calls}", name, given) for name, given in reply["calls"]]
        return Reply(reply["text"], tuple(calls))

    def _learned(self, ask: Ask) -> Json:
        """Return what the turns that are shown teach, with what is known by its name there."""
        shown = {int(n) for n in re.findall(r"^\[(\d+)\]", ask.messages[0].text, re.MULTILINE)}
        names = {
            text: name for name, text in re.findall(r"^(k\d+) (.*?)(?: \([^()]*\))?$", ask.changing, re.M)
        }
        whole = max(self._said["learned"], key=lambda each: len(shown & _turns(each)))
        found: Json = {"summary": whole["summary"]}
        for kind in KINDS:
            found[kind] = [dict(each) for each in whole[kind] if set(each["turns"]) <= shown]
            for each in found[kind]:
                verb, _, text = each.get("known", "").partition(" ")
                each["known"] = f"{verb} {names[text]}" if text in names else ""
        return found

    def _verdict(self, pair: Json) -> Json:
        both = {pair[side]["fact"]: pair[side]["id"] for side in "ab"}
        known = next((each for each in self._said["pairs"] if set(each["facts"]) == set(both)), None)
        if known is None:
            return {"pair": pair["pair"], "verdict": "different", "keep": "", "since": ""}
        return {"pair": pair["pair"], "verdict": known["verdict"], "keep": both[known["keep"]], "since": ""}


def _id(words: str, listed: str) -> str:
    found = re.search(rf"(\w+) \([^()]*{words}", listed)
    assert found, (words, listed)
    return found[1]


def _turns(answer: Json) -> set[int]:
    return {
        n for kind in ("facts", "episodes", "instructions") for each in answer[kind] for n in each["turns"]
    }


@pytest.fixture(params=every(2, ["es", "en"]))
def lived(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, almario.Soul]:
    """A soul after three sessions, in the zone and at the times of its owner."""
    answer = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    zone = ZoneInfo(answer["zone"])

    def at(text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=zone)

    clock = FixedClock(at(answer["sessions"][0]["at"]))
    settings = {"language": request.param, "timezone": answer["zone"], "embedder.name": "local"}
    persona = almario.Persona(language=request.param, owner=answer["owner"])
    almario.create(tmp_path / "home", persona=persona, settings=settings, clock=clock).close()
    llm = ScriptedLLM(ByHand(answer))
    soul = almario.open(tmp_path / "home", settings=settings, clock=clock, llm=llm)
    for session in answer["sessions"]:
        clock.now = at(session["at"])
        for message in session["messages"]:
            clock.advance(minutes=2)
            text, pasted = (
                (message, ()) if isinstance(message, str) else (message["text"], (message["pasted"],))
            )
            soul.talk(text, "cli:main", pasted=pasted)
            assert soul.learning.wait(60)
        clock.advance(minutes=5)
        soul.learning.want("cli:main")
        assert soul.learning.wait(60)
        soul.end_session("cli:main")
    clock.advance(hours=8)
    return request.param, soul


def test_what_was_told_in_three_sessions_is_known_once_with_its_time_and_reflected_on(
    lived: tuple[str, almario.Soul],
) -> None:
    language, soul = lived
    memories = [memory for memory in soul.memory.list() if memory.kind != "summary"]

    for pattern, dated in KNOWN[language]:
        found = [memory for memory in memories if re.search(pattern, memory.text)]
        assert [memory.dated for memory in found] == [dated], (pattern, found)
    for pattern in GONE[language]:
        assert not [memory for memory in memories if re.search(pattern, memory.text)], pattern
    assert {memory.origin for memory in memories} == {"owner"}

    done = soul.reflection.run()

    assert len(done.findings) >= 5
    assert soul.memory.verify() == []
