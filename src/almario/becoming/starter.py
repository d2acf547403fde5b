"""The soul that a new agent starts with, in English or Spanish: a person, not a form to fill in."""

from pathlib import Path

from almario.domain.messages import LANGUAGES, say
from almario.domain.model import STARTER_EMOJI, STARTER_NAME, Persona
from almario.errors import SoulError

FILES = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", "GOALS.md", "USER.md")
VIBE = "calm, curious and dry; plain words, long memory"


def starter_files(persona: Persona) -> dict[str, str]:
    """Return the files of a new soul, by name."""
    check_language(persona.language)
    facts = {
        "name": _one_line("name", persona.name) or STARTER_NAME,
        "emoji": _one_line("emoji", persona.emoji) or STARTER_EMOJI,
        "vibe": _one_line("vibe", persona.vibe) or say(persona.language, VIBE),
        "owner": "",
    }
    if owner := _one_line("owner", persona.owner):
        facts["owner"] = say(persona.language, "Name: {owner}", owner=owner) + "\n\n"
    folder = Path(__file__).parent / "starter" / persona.language
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
    return {name: _filled(text, facts) for name, text in texts.items()}


def check_language(language: str) -> None:
    """Refuse a language that no soul of ours is written in."""
    if language not in LANGUAGES:
        sentence = '"{language}" is not a language of starter souls; use {known}'
        raise SoulError(sentence, language=language, known=", ".join(LANGUAGES))


def _filled(text: str, facts: dict[str, str]) -> str:
    for place, fact in facts.items():
        text = text.replace(f"{{{place}}}", fact)
    return text


def _one_line(field: str, value: str) -> str:
    if "\n" in value.strip() or "\r" in value.strip():
        raise SoulError("the {field} must be one line", field=field)
    return value.strip()
