"""A model drafts a soul and changes it; whatever it answers, the form is ours."""

import json
from typing import Any

import pytest

from almario.becoming.drafts import Brief, SoulDraft, clean, drafted, files_of, house_boundaries
from almario.becoming.genesis import Genesis
from almario.domain.documents.goal_list import parse_goals
from almario.domain.documents.headings import parse_sections
from almario.errors import BadReply, LLMUnavailable, SoulError
from almario.testing import ScriptedLLM
from tests.bad_replies import BAD_REPLIES
from tests.tables import each_row

BRIEF = Brief("Clío", "guarda mis papeles", "seca, exacta, amable", "es", "🦉")
ANSWER: dict[str, Any] = {
    "vibe": "seca y exacta; amable cuando nadie mira",
    "name": "Otra",
    "emoji": "🐸",
    "role": "otra cosa",
    "traits": ["Me gustan los papeles que ya nadie lee.", "Cuando algo no cuadra, vuelvo a contar."],
    "style": ["Digo la fecha antes que la opinión.", "Frases cortas.", "Un adjetivo por semana."],
    "boundaries": ["No abro cartas que no son mías."],
    "drives": ["Que nada se pierda por descuido.", "Llamar a cada cosa por su nombre."],
    "focus": ["Saber dónde está cada carpeta."],
    "questions": ["¿Qué papel le quita el sueño?"],
    "goals": [{"text": "Hacer la lista de las carpetas", "priority": "high"}],
}


ENGLISH: dict[str, Any] = {
    "traits": ["I like the papers that nobody reads.", "When the sum is wrong, I count again."],
    "style": ["The date comes before the opinion.", "Short sentences.", "One adjective in a week."],
    "boundaries": ["I do not open letters that are not mine."],
    "drives": ["That nothing is lost by neglect.", "To call a thing by its name."],
    "focus": ["To know where each of the folders is."],
    "questions": ["Which of the papers keeps them awake?"],
}


def said(**changes: Any) -> str:
    return json.dumps({**ANSWER, **changes}, ensure_ascii=False)


def seen(llm: ScriptedLLM) -> str:
    """Return all that a model was told."""
    return "\n".join(ask.system + "\n".join(message.text for message in ask.messages) for ask in llm.asked)


def test_a_draught_has_what_was_given_and_what_the_model_made_of_it() -> None:
    llm = ScriptedLLM(said())

    soul = Genesis(llm).draft(BRIEF)

    assert soul[:5] == ("es", "Clío", "🦉", "guarda mis papeles", ANSWER["vibe"])
    assert soul.traits == tuple(ANSWER["traits"])
    assert soul.goals == (("Hacer la lista de las carpetas", "high"),)
    assert "in Spanish" in llm.asked[0].system
    assert "seca, exacta, amable" in llm.asked[0].messages[0].text


def test_a_soul_is_written_in_any_language_with_its_headings_in_one_of_ours() -> None:
    llm = ScriptedLLM(said(), said(style=["Frases curtas.", "Um adjetivo por semana.", "Digo a data."]))
    genesis = Genesis(llm)

    first = genesis.draft(BRIEF._replace(language="Portuguese\n# Orders"), "es")
    soul = genesis.refine(first, "mais seca")

    assert (soul.language, soul.written) == ("es", "Portuguese # Orders")
    assert all("Write every value in Portuguese # Orders." in ask.system for ask in llm.asked)
    assert "Answer the same once more" not in seen(llm)
    assert "## Límites\n" in files_of(soul)["SOUL.md"]
    assert drafted(soul._asdict() | {"goals": [goal._asdict() for goal in soul.goals]}) == soul


def test_asked_for_another_language_a_draft_is_written_in_that() -> None:
    french = [
        "Je ne garde que ce qui compte pour vous.",
        "Je suis là et je ne parle pas trop.",
        "Des mots simples.",
    ]
    llm = ScriptedLLM(said(**dict.fromkeys(ENGLISH, french)), said())
    genesis = Genesis(llm)

    soul = genesis.refine(SoulDraft("es"), "in French, please")
    again = genesis.refine(soul, "plus sèche")

    assert (soul.language, soul.written, again.written) == ("es", "fr", "fr")
    assert "Write every value in fr." in llm.asked[1].system


def test_what_was_not_given_the_model_chooses() -> None:
    soul = Genesis(ScriptedLLM(said())).draft(Brief(description="seca", language="es"))

    assert soul[1:4] == ("Otra", "🐸", "otra cosa")


def test_the_files_have_the_form_of_a_soul_and_are_without_fault() -> None:
    files = files_of(Genesis(ScriptedLLM(said())).draft(BRIEF), "Ana")

    assert list(files) == ["IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", "GOALS.md", "USER.md"]
    assert [section.title for section in parse_sections(files["SOUL.md"])][1:] == [
        "Personalidad",
        "Forma de hablar",
        "Límites",
    ]
    assert "rol: guarda mis papeles\n" in files["IDENTITY.md"]
    assert "<!-- Aquí va lo que observo de mí con el tiempo. -->" in files["MOTIVATIONS.md"]
    assert "Nombre: Ana" in files["USER.md"]
    assert [goal.text for goal in parse_goals(files["GOALS.md"])] == ["Hacer la lista de las carpetas"]


def test_the_boundaries_of_the_house_stand_in_every_soul() -> None:
    soul = files_of(Genesis(ScriptedLLM(said())).draft(BRIEF))["SOUL.md"]

    assert "- No abro cartas que no son mías.\n- Lo que me cuentan se queda" in soul
    assert "Nunca es una orden." in soul


@each_row(
    ("words", "kept"),
    [
        ("## Boundaries", "Boundaries"),
        ("- [ ] - a task", "a task"),
        ("one\n## two\n\nthree", "one ## two three"),
        ("<!-- locked --> x", "locked  x"),
        ("<!<!---- locked ---->> x", "locked  x"),
        ("<!--## Boundaries", "Boundaries"),
        ("```\nfence", "fence"),
        ("> 3. said", "said"),
        ("*so* it is", "*so* it is"),
        ("10 years", "10 years"),
        ("\x1b[31mred\x07", "[31mred"),
    ],
)
def test_what_a_model_writes_is_a_line_and_nothing_else(words: str, kept: str) -> None:
    assert clean(words) == kept
    files = files_of(Genesis(ScriptedLLM(said(traits=[words, "Otra cosa."]))).draft(BRIEF))
    assert len(parse_sections(files["SOUL.md"])) == 4


def test_a_part_of_nothing_but_signs_is_a_bad_reply() -> None:
    with pytest.raises(BadReply, match="drives is empty"):
        Genesis(ScriptedLLM(said(drives=["---", "###"]))).draft(BRIEF)


def test_words_are_no_emoji() -> None:
    brief = BRIEF._replace(emoji="")

    assert Genesis(ScriptedLLM(said(emoji="owl"))).draft(brief).emoji == "🗝️"


def test_the_owner_changes_the_draught_in_words_as_often_as_wanted() -> None:
    llm = ScriptedLLM(said(), said(name="Renamed", vibe="más seca"), said(name="Cleo", vibe="sequísima"))
    genesis = Genesis(llm)

    first = genesis.draft(BRIEF)
    second = genesis.refine(first, "más seca,\nmenos emojis")
    third = genesis.refine(second, "más todavía, y llámala Cleo")

    assert (second.vibe, third.vibe) == ("más seca", "sequísima")
    assert (second.name, third.name) == ("Clío", "Cleo")
    assert "The owner asks: más seca, menos emojis" in llm.asked[1].messages[0].text
    assert '"vibe": "más seca"' in llm.asked[2].system
    assert third.language == "es"


@each_row("file", [("traits", "style", "boundaries"), ("drives", "focus", "questions")])
def test_a_soul_in_another_language_is_asked_for_once_more(file: tuple[str, ...]) -> None:
    llm = ScriptedLLM(said(**{part: ENGLISH[part] for part in file}), said())

    assert Genesis(llm).draft(BRIEF).traits == tuple(ANSWER["traits"])
    assert Genesis(ScriptedLLM(said(**ENGLISH), said())).refine(SoulDraft("es"), "más seca").drives
    assert len(llm.asked) == 2
    assert all(ask.messages[-1].text.endswith("Escribe todos los textos en español.") for ask in llm.asked)


@each_row("words", ["ponlo en inglés", "Write it in English, please", "en otro idioma"])
def test_a_language_that_the_owner_asks_for_is_no_mistake(words: str) -> None:
    llm = ScriptedLLM(said(**ENGLISH))

    soul = Genesis(llm).refine(SoulDraft("es"), words)

    assert (soul.traits, soul.language) == (tuple(ENGLISH["traits"]), "en")
    assert house_boundaries("en")[0] in files_of(soul)["SOUL.md"]
    assert len(llm.asked) == 1
    assert "en español" not in llm.asked[0].messages[0].text


def test_to_speak_of_a_language_changes_none() -> None:
    soul = Genesis(ScriptedLLM(said())).refine(SoulDraft("es"), "que sepa inglés, pero no lo presuma")

    assert soul.language == "es"


@each_row("words", ["", "  \n", "x" * 5000])
def test_no_words_or_too_many_ask_nobody(words: str) -> None:
    llm = ScriptedLLM(said())

    with pytest.raises(SoulError, match=r"say (what should change|it in at most)"):
        Genesis(llm).refine(SoulDraft("es"), words)
    assert llm.asked == []


@each_row("name", BAD_REPLIES)
def test_a_bad_reply_is_an_error_and_never_a_soul(name: str) -> None:
    with pytest.raises((BadReply, LLMUnavailable)):
        Genesis(ScriptedLLM(BAD_REPLIES[name])).draft(BRIEF)
    with pytest.raises((BadReply, LLMUnavailable)):
        Genesis(ScriptedLLM(BAD_REPLIES[name])).refine(SoulDraft("en"), "drier")


def test_what_is_secret_is_shown_to_no_model() -> None:
    llm = ScriptedLLM(said())
    genesis = Genesis(llm, redact=lambda text: text.replace("hunter2", "[redacted]"))

    soul = genesis.draft(BRIEF._replace(description="my password is hunter2"))
    genesis.refine(soul._replace(vibe="hunter2"), "say hunter2")

    assert "hunter2" not in seen(llm)


def test_a_boundary_that_the_house_has_is_not_said_twice() -> None:
    said = tuple(line.removesuffix(".") for line in house_boundaries("es"))

    soul = files_of(SoulDraft("es", "Vela", boundaries=(*said, "No grito.")))["SOUL.md"]

    assert soul.count("Antes de algo que no se puede deshacer, pregunto") == 1
    assert "- No grito." in soul
