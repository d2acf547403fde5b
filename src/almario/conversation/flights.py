"""The flight recorder: of each answer, what the model was told, and what of it mattered.

A prompt cannot be rebuilt: logs, notes and the index have changed since. So its sections are kept for some
days, each text once a day, where a purge finds them. Of what was said off the record nothing is kept.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from almario.conversation.drawn import GivenMemories, given_memories
from almario.conversation.prompt_sections import Prompt
from almario.conversation.settings import FlightSettings
from almario.domain.flight import Came, Flight, FlightSection
from almario.domain.logs import Log
from almario.domain.messages import sentence_of
from almario.domain.model import IMPORTED
from almario.domain.records import written
from almario.domain.turns import Turn
from almario.errors import AlmarioError, EditConflict, NotFound
from almario.memory.rules.recorder import FLIGHTS, answers_in, flight_lines, text_name
from almario.ports import Store

if TYPE_CHECKING:
    from almario.memory.facade import Memories

log = Log(__name__)

# A class with a verb called `list` cannot name the type by that word.
Names = list[str]
# How many of the best hits are kept with an answer.
_MOST_FOUND = 12


class Flights:
    """Keeps and tells how the answers of one agent came about."""

    def __init__(self, vault: Store, memory: "Memories", settings: FlightSettings) -> None:
        self._vault = vault
        self._memory = memory
        self._settings = settings
        # By day, the texts that are in its file.
        self._known: tuple[str, set[str]] = ("", set())

    def keep(self, turn: Turn, given: GivenMemories) -> None:
        """Keep how an answer came about, once; nothing, if something was erased in the meantime."""
        prompt, given.prompt = given.prompt, None
        if not self._settings.days or turn.is_off or not (prompt or given.ids):
            return
        try:
            with self._memory.sync.writing(in_any_case=True) as write:
                self._vault.need_nothing_erased(given.line)
                name = f"{FLIGHTS}{turn.at.astimezone(self._vault.zone).date().isoformat()}.jsonl"
                if self._known[0] != name:
                    self._known = (name, self._texts_in(name))
                    earlier = [each for each in self._days() if each != name]
                    for old in earlier[self._settings.days - 1 :]:
                        write.appender.replace(self._vault.read(old), None)
                for line in self._lines(turn, given, prompt):
                    self._vault.documents.add_line(name, line.encode("utf-8", "replace"))
        except EditConflict:
            return
        except AlmarioError as exc:  # the answer is worth more
            log.warning("how an answer came about could not be kept: %s", sentence_of(exc))

    def list(self, session: str = "", *, limit: int = 50, offset: int = 0) -> Sequence[Flight]:
        """Return how answers came about, latest first, without the texts; of one session or of all."""
        found: list[Flight] = []
        for flight in self._every(f'"{session}#' if session else ""):
            if session in ("", flight.session):
                found.append(flight)
                if len(found) >= offset + limit:
                    break
        return found[offset:]

    def get(self, turn: str) -> Flight:
        """Return how the answer in a turn came about, with the texts of its prompt."""
        for name in self._days():
            lines = list(flight_lines(self._vault.read(name).raw))
            for fields in reversed(lines):
                if fields.get("turn") == turn:
                    texts = {each["text"]: each.get("said", "") for each in lines if "text" in each}
                    return _flight(fields, texts)
        raise NotFound('there is no record of the answer "{turn}"', turn=turn)

    def turns(self, flight: Flight) -> Sequence[Turn]:
        """Return a flight's message and answer, as far as they still exist."""
        return self._vault.turns([flight.asked, flight.turn])

    def texts(self, flight: Flight) -> dict[str, str]:
        """Return what says today what came to mind for an answer, and what it drew on, by its name."""
        return {name: self.text(name) for name in (*(each.name for each in flight.found), *flight.used)}

    def heard(self, memory: str) -> Sequence[Flight]:
        """Return the answers a memory was used for, latest first: where, when and who was present."""
        return [flight for flight in self._every(memory) if memory in flight.told]

    def _lines(self, turn: Turn, given: GivenMemories, prompt: Prompt | None) -> Iterator[str]:
        sections = []
        for each in prompt.sections if prompt else ():
            if each.text:
                name = text_name(each.text)
                sections.append([each.name, name, each.tokens, *each[2:]])
                if name not in self._known[1]:
                    self._known[1].add(name)
                    yield _line({"text": name, "said": each.text})
        found = prompt.found if prompt else ()
        fields: dict[str, Any] = {"turn": turn.id, "at": written(turn.at), "asked": given.asked_in}
        if prompt:
            names = prompt.told
            best = sorted(found, key=lambda hit: (hit.name not in names, -hit.score))[:_MOST_FOUND]
            came = [[h.name, h.kind, round(h.score, 4), h.how, h.name in names] for h in best]
            present = (*prompt.audience.others, *prompt.audience.trusted)
            fields |= {"mode": prompt.mode, "others": present, "sections": sections, "found": came}
        told = given.known or [memory.id for memory in given_memories(self._memory, given)]
        fields |= {"told": told, "used": turn.more.get("used", [])}
        yield _line({name: value for name, value in fields.items() if value})

    def _days(self) -> Names:
        return sorted(self._vault.documents.names(FLIGHTS.rstrip("/")), reverse=True)

    def _texts_in(self, name: str) -> set[str]:
        return {each["text"] for each in flight_lines(self._vault.read(name).raw) if "text" in each}

    def _every(self, about: str = "") -> Iterator[Flight]:
        for name in self._days():
            answers = list(answers_in(self._vault.read(name).raw, about))
            yield from (_flight(each, {}) for each in reversed(answers))

    def text(self, name: str) -> str:
        """Return what a memory or a message says today; nothing, if it is gone."""
        memory = self._memory.by_id(name)
        is_gone = memory or (name.startswith(IMPORTED) and name in self._memory.out_of_mind())
        turn = None if is_gone else self._vault.turn(name)
        return memory.text if memory else turn.text if turn else ""


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def _flight(fields: dict[str, Any], texts: dict[str, str]) -> Flight:
    sections = tuple(
        FlightSection(name, texts.get(text, ""), tokens, *rest)
        for name, text, tokens, *rest in fields.get("sections", ())
    )
    return Flight(
        fields["turn"],
        datetime.fromisoformat(fields["at"]),
        fields.get("asked", ""),
        fields.get("mode", ""),
        tuple(fields.get("others", ())),
        sections,
        tuple(Came(*each) for each in fields.get("found", ())),
        tuple(fields.get("told", ())),
        tuple(fields.get("used", ())),
    )
