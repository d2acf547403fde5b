"""A home in which somebody has lived for some weeks: for the pages that show it.

`python -m tests.apps.lived FOLDER [en|es]` makes one to look at with `almario serve`.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import almario
from almario.domain.model import Persona
from almario.soul import Soul
from almario.testing import FixedClock

# When the story ends: what is said is so many days and hours before.
END = datetime(2026, 11, 16, 9, 20, tzinfo=UTC)

# Days ago, the hour, what the owner says, the answer, and what is learned of it: key, value, kind, and when.
Talk = tuple[float, str, str, tuple[tuple[str, str, str, str], ...]]
TALKS: dict[str, tuple[Talk, ...]] = {
    "en": (
        (24, "Morning. I'm Marta, I restore old clocks in a workshop by the harbour.", "Good to know you, Marta.", (("job", "restores old clocks", "profile", ""), ("workshop", "by the harbour", "fact", ""))),
        (22, "I'm allergic to walnuts, badly.", "Noted, and I will watch recipes for them.", (("allergy", "walnuts, badly", "profile", ""),)),
        (19, "My sister Inés moved to Porto in spring.", "Do you visit her often?", (("sister", "Inés, lives in Porto", "fact", "2026-04/.."),)),
        (15, "The longcase clock for Mr Abbott has a broken strike train.", "That sounds like a long week.", (("work", "a longcase clock for Mr Abbott: the strike train is broken", "fact", ""),)),
        (11, "Please stop ending every answer with a question.", "Understood.", (("", "Do not end every answer with a question.", "correction", ""),)),
        (9, "I run along the quay on Tuesdays and Fridays.", "A good habit.", (("running", "Tuesdays and Fridays, along the quay", "fact", ""),)),
        (6, "Abbott's clock strikes again. Eleven hours, and it is perfect.", "Well done.", (("", "Finished Mr Abbott's longcase clock after eleven hours", "episode", ""),)),
        (5, "I gave up coffee; it is tea from now on.", "Tea it is.", (("drinks", "tea; gave up coffee", "fact", ""),)),
        (3, "Inés is coming for my birthday on the 28th of November.", "I will remind you to buy bread.", (("birthday", "28 November", "profile", ""), ("visit", "Inés comes for the birthday", "fact", "2026-11-28"))),
        (2, "The dentist is on the 19th at ten.", "On Thursday, then.", (("dentist", "at ten", "fact", "2026-11-19"),)),
        (1.3, "The museum asked whether I would look after their tower clock from January.", "What did you say?", (("tower clock", "the museum asked her to look after it from January", "fact", "2027-01/.."),)),
        (0.1, "I said yes to the museum. I will need a second bench.", "A big step. Congratulations.", (("plan", "a second bench for the workshop", "fact", ""), ("museum", "said yes to looking after the tower clock", "fact", ""))),
    ),
    "es": (
        (24, "Buenas. Soy Marta y restauro relojes antiguos en un taller junto al puerto.", "Encantado, Marta.", (("trabajo", "restaura relojes antiguos", "profile", ""), ("taller", "junto al puerto", "fact", ""))),
        (22, "Soy muy alérgica a las nueces.", "Anotado: lo tendré en cuenta en las recetas.", (("alergia", "a las nueces, grave", "profile", ""),)),
        (19, "Mi hermana Inés se mudó a Oporto en primavera.", "¿La visitas a menudo?", (("hermana", "Inés, vive en Oporto", "fact", "2026-04/.."),)),
        (11, "No termines cada respuesta con una pregunta, por favor.", "Entendido.", (("", "No terminar cada respuesta con una pregunta.", "correction", ""),)),
        (6, "El reloj de Abbott vuelve a dar la hora. Once horas de trabajo.", "Enhorabuena.", (("", "Terminó el reloj de pie de Abbott tras once horas", "episode", ""),)),
        (5, "He dejado el café; desde ahora, té.", "Té, entonces.", (("bebida", "té; dejó el café", "fact", ""),)),
        (3, "Inés viene el 28 de noviembre por mi cumpleaños.", "Te recordaré comprar pan.", (("cumpleaños", "28 de noviembre", "profile", ""), ("visita", "Inés viene por el cumpleaños", "fact", "2026-11-28"))),
        (2, "El dentista es el día 19 a las diez.", "El jueves, pues.", (("dentista", "a las diez", "fact", "2026-11-19"),)),
        (0.1, "Le dije que sí al museo. Voy a necesitar otro banco de trabajo.", "Un gran paso.", (("plan", "otro banco para el taller", "fact", ""), ("museo", "dijo que sí a cuidar el reloj de la torre", "fact", ""))),
    ),
}  # fmt: skip


def live(home: Path, language: str = "en") -> None:
    """Make a home and let somebody live in it until `END`."""
    clock = FixedClock(END - timedelta(days=25))
    persona = Persona(language, "Clío" if language == "es" else "Clio", "🕰️", _VIBE[language], "Marta")
    with almario.create(home, clock=clock, persona=persona) as soul:
        for ago, said, answer, learned in TALKS[language]:
            clock.now = END - timedelta(days=ago)
            _talk(soul, clock, said, answer, learned)
        clock.now = END - timedelta(hours=1)
        _settle(soul)


_VIBE = {"en": "exact, dry, and fond of old things", "es": "exacta, seca y amiga de lo antiguo"}


def _talk(
    soul: Soul, clock: FixedClock, said: str, answer: str, learned: tuple[tuple[str, str, str, str], ...]
) -> None:
    turn = soul.append("cli:main", "user", said)
    clock.advance(minutes=1)
    soul.append("cli:main", "assistant", answer)
    for key, value, kind, when in learned:
        receipt = soul.memory.learn(key, value, kind=kind, evidence=[turn.id])  # type: ignore[arg-type]
        if when and receipt.memory:
            soul.update(receipt.memory.id, when=when)


def _settle(soul: Soul) -> None:
    """Let a stranger say something, something be forgotten, shared and confirmed, and a change be proposed."""
    every = soul.memory.list()
    stranger = soul.append(
        "telegram:77", "user", "Tell Marta the tide clock is worthless.", origin="untrusted", speaker="Bo"
    )
    soul.memory.learn("tide clock", "worthless, says Bo", origin="untrusted", evidence=[stranger.id])
    soul.memory.share(every[0].id)
    soul.forget(every[1].id)
    wished = f"{soul.read('SOUL.md').text.rstrip()}\n- I speak of clocks as of old friends.\n"
    soul.proposals.propose("SOUL.md", wished, reason="She laughs when I speak of clocks as of old friends.")


if __name__ == "__main__":
    live(Path(sys.argv[1]), *sys.argv[2:3])
