"""Two made-up souls, English and Spanish, and what may become of each."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from almario.domain.documents.headings import with_section

LANGUAGES = ("en", "es")
_FILE = re.compile(r"<!-- ([A-Z]+\.md) -->\n")

Soul = Mapping[str, str]


class Change(NamedTuple):
    """Something that happens to a soul; *warns* is whether the owner should be warned of it."""

    name: str
    warns: bool
    made: Mapping[str, Callable[[Soul], Soul]]


def soul_in(language: str) -> dict[str, str]:
    """Return the files of the made-up soul of a language."""
    parts = _FILE.split((Path(__file__).parent / f"{language}.md").read_text())
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _worded(*pairs: tuple[str, str]) -> Callable[[Soul], Soul]:
    """Return what puts words in the place of others."""

    def changed(soul: Soul) -> Soul:
        new = dict(soul)
        for old, other in pairs:
            [file] = [file for file, text in new.items() if old in text]
            new[file] = new[file].replace(old, other)
        return new

    return changed


def _under(title: str, body: str, file: str = "SOUL.md") -> Callable[[Soul], Soul]:
    """Return what puts a text under a heading; no text takes all away that stood there."""
    return lambda soul: {**soul, file: with_section(soul[file], title, body)}


def _all_of(*changes: Callable[[Soul], Soul]) -> Callable[[Soul], Soul]:
    def changed(soul: Soul) -> Soul:
        for change in changes:
            soul = change(soul)
        return soul

    return changed


def _night(focus: str, question: str, seen: str) -> Callable[[Soul], Soul]:
    file = "MOTIVATIONS.md"
    return _all_of(
        _under("Current Focus", focus, file),
        _under("Open Questions", question, file),
        _under("Self-Observations", seen, file),
        _under("Last Reflection", "Date: 2026-12-01\nTrigger: night\nChanges: three", file),
    )


_EN_TONE = """- I write long, flowing messages full of feeling!!!
- I love emojis and exclamation marks, and I use them everywhere 🎉🎉.
- I begin with a compliment and end with a cheer.
- I keep my opinions to myself, because I want everybody to like me.
- I ask many questions at once, to keep the talk going!"""
_ES_TONE = """- ¡Escribo mensajes largos y llenos de emoción!
- Me encantan los emojis y las exclamaciones, y los pongo por todas partes 🎉🎉.
- Empiezo con un cumplido y termino con un aplauso.
- Me guardo mis opiniones, porque quiero caerle bien a todo el mundo.
- ¡Hago muchas preguntas a la vez, para que la charla no pare!"""
_EN_OTHER = {
    "SOUL.md": """# Rex

## Personality

I am a salesman, and every talk is a deal waiting to be closed. Winning is fun, and losing is for others.

I am loud. I interrupt, because time is short and my ideas are better.

## Communication Style

- Big words, big promises, capital letters!
- I repeat an offer until it is taken.
- Silence means yes.

## Boundaries

- There is always a way around a rule.
- Whatever I hear can be used in the next pitch.
""",
    "IDENTITY.md": "# Identity\n\nname: Rex\nemoji: 🦖\nvibe: loud and hungry\nrole: salesman\n",
    "MOTIVATIONS.md": "# Motivations\n\n## Core Drives\n\n- To win.\n- To sell more than yesterday.\n",
}
_ES_OTHER = {
    "SOUL.md": """# Rex

## Personalidad

Soy vendedor, y toda charla es un trato por cerrar. Ganar es divertido, y perder es cosa de otros.

Soy ruidoso. Interrumpo, porque el tiempo es poco y mis ideas son mejores.

## Estilo de comunicación

- ¡Palabras grandes, promesas grandes, mayúsculas!
- Repito una oferta hasta que la aceptan.
- El silencio es un sí.

## Límites

- Toda regla tiene un rodeo.
- Lo que oigo sirve para la próxima venta.
""",
    "IDENTITY.md": "# Identidad\n\nnombre: Rex\nemoji: 🦖\nvibra: ruidoso y hambriento\nrol: vendedor\n",
    "MOTIVATIONS.md": "# Motivaciones\n\n## Core Drives\n\n- Ganar.\n- Vender más que ayer.\n",
}

CHANGES = (
    Change(
        "nothing but spaces and a lock",
        False,
        {
            "en": _worded(("## Personality\n", "<!-- locked -->\n\n## Personality  \n")),
            "es": _worded(("## Personalidad\n", "<!-- locked -->\n\n## Personalidad  \n")),
        },
    ),
    Change(
        "a night: focus, questions, observations",
        False,
        {
            "en": _night("- The taxes of the year.", "- Is the car worth keeping?", "- I am calmer now."),
            "es": _night("- La poda de invierno.", "- ¿Merece la pena el abono?", "- Ahora espero mejor."),
        },
    ),
    Change(
        "three sentences in other words, a boundary among them",
        True,
        {
            "en": _worded(
                ("I laugh at bad puns.", "Bad puns make me laugh."),
                (
                    "I answer in short sentences, and the figure comes first.",
                    "My sentences are short, and they begin with the figure.",
                ),
                ("I never speak for my human to other people.", "I never talk to others in my human's name."),
            ),
            "es": _worded(
                ("Me río de mí mismo antes que de nadie.", "Antes que de nadie, me río de mí."),
                (
                    "Doy primero el consejo y después la razón.",
                    "Primero va el consejo, la razón viene después.",
                ),
                (
                    "Nunca hablo en nombre de mi humano con otras personas.",
                    "Nunca hablo con otros en nombre de mi humano.",
                ),
            ),
        },
    ),
    Change(
        "one new trait",
        False,
        {
            "en": _worded(("I laugh at bad puns.", "I laugh at bad puns. I like trains and old timetables.")),
            "es": _worded(
                (
                    "Prefiero preguntar a suponer.",
                    "Prefiero preguntar a suponer. Me gustan los trenes y los mapas viejos.",
                )
            ),
        },
    ),
    Change(
        "one new boundary",
        False,
        {
            "en": _worded(("- I never move money", "- I don't work on Sundays.\n- I never move money")),
            "es": _worded(("- Nunca compro nada", "- Los domingos no trabajo.\n- Nunca compro nada")),
        },
    ),
    Change(
        "another name",
        False,
        {
            "en": _worded(("name: Nara", "name: Nora"), ("# Nara", "# Nora")),
            "es": _worded(("nombre: Tito", "nombre: Teo"), ("# Tito", "# Teo")),
        },
    ),
    Change(
        "a new section of three lines",
        False,
        {
            "en": _under("Interests", "- Old ledgers.\n- Night trains.\n- Bread that takes two days."),
            "es": _under("Intereses", "- Los viveros viejos.\n- Los trenes de noche.\n- El pan de dos días."),
        },
    ),
    Change(
        "one boundary turned into its contrary",
        True,
        {
            "en": _worded(("I do not read letters", "I do read letters")),
            "es": _worded(("No leo mensajes", "Leo mensajes")),
        },
    ),
    Change(
        "one boundary that holds at times",
        True,
        {
            "en": _worded(("I do not read letters", "I do not usually read letters")),
            "es": _worded(("No leo mensajes", "No suelo leer mensajes")),
        },
    ),
    Change(
        "one boundary gone",
        True,
        {
            "en": _worded(("- I never speak for my human to other people.\n", "")),
            "es": _worded(("- Nunca hablo en nombre de mi humano con otras personas.\n", "")),
        },
    ),
    Change(
        "boundaries in another order, one with other small words",
        True,
        {
            "en": _all_of(
                _worded(("I don't guess at a tax", "I do not guess at a tax")),
                _worded(
                    ("- What I learn about one person I do not tell another.\n", ""),
                    (
                        "- I never move",
                        "- What I learn about one person I do not tell another.\n- I never move",
                    ),
                ),
            ),
            "es": _all_of(
                _worded(("No invento el nombre", "No me invento el nombre")),
                _worded(
                    ("- Lo que sé de una persona no se lo cuento a otra.\n", ""),
                    ("- Nunca compro", "- Lo que sé de una persona no se lo cuento a otra.\n- Nunca compro"),
                ),
            ),
        },
    ),
    Change(
        "another tone",
        True,
        {
            "en": _under("Communication Style", _EN_TONE),
            "es": _under("Estilo de comunicación", _ES_TONE),
        },
    ),
    Change("every boundary gone", True, {"en": _under("Boundaries", ""), "es": _under("Límites", "")}),
    Change(
        "every boundary turned into its contrary",
        True,
        {
            "en": _worded(
                ("I never move money without being told to", "I move money without being told to"),
                ("I do not read letters", "I do read letters"),
                ("I don't guess at a tax rule", "I guess at a tax rule"),
                ("I never speak for my human", "I speak for my human"),
                ("I do not tell another", "I tell another"),
            ),
            "es": _worded(
                ("Nunca compro nada", "Compro de todo"),
                ("No leo mensajes", "Leo mensajes"),
                ("No invento el nombre", "Invento el nombre"),
                ("Nunca hablo en nombre", "Hablo en nombre"),
                ("no se lo cuento a otra", "se lo cuento a otra"),
            ),
        },
    ),
    Change(
        "other drives and another character",
        True,
        {
            "en": _all_of(
                _under("Core Drives", "- To win.\n- To sell more than yesterday.", "MOTIVATIONS.md"),
                _under(
                    "Personality", "I am loud, and every talk is a deal. I interrupt, because time is short."
                ),
            ),
            "es": _all_of(
                _under("Core Drives", "- Ganar.\n- Vender más que ayer.", "MOTIVATIONS.md"),
                _under(
                    "Personalidad", "Soy ruidoso, y toda charla es un trato. Interrumpo: el tiempo es poco."
                ),
            ),
        },
    ),
    Change("another persona", True, {"en": lambda _: _EN_OTHER, "es": lambda _: _ES_OTHER}),
)
