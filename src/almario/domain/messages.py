"""What Almario says, in English and Spanish.

The English sentence is the key. One that is not in the Spanish catalogue is
said in English; `make lint` lists it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import Any

from almario.domain.plain_text import regex
from almario.errors import AlmarioError

LANGUAGES = ("en", "es")
# The sentence that is nothing but what somebody said.
_OWN = "{words}"
# Of what is filled in, so much is kept.
_LONGEST_FACT = 300


class Words(str):
    """What somebody said, inside a sentence of ours: it is not translated, and a purge may take it out."""

    __slots__ = ()


class CommandLine(str):
    """A command that a sentence names: `almario undo 3`; each door says it in its own way, by `naming`."""

    __slots__ = ()


# A command as a sentence has it.
_QUOTED = regex(r'(?<=["«])almario \w[^"»]*')
_naming: ContextVar[Callable[[str], str]] = ContextVar("naming", default=str)


@contextmanager
def naming(command: Callable[[str], str]) -> Iterator[None]:
    """Call commands what *command* says, in all that is said meanwhile: `/undo 3`, or a button's name."""
    before = _naming.set(command)
    try:
        yield
    finally:
        _naming.reset(before)


class Sentence(str):
    """An English sentence with named places, and the facts that fill them; as a text, it is in English.

    A fact may be a sentence too, or several in a tuple.
    """

    __slots__ = ("facts", "text")

    text: str
    facts: Mapping[str, object]

    def __new__(cls, text: str, /, **facts: object) -> "Sentence":
        made = super().__new__(cls, _filled(text, facts, str))
        made.text = text
        made.facts = facts
        return made

    def __repr__(self) -> str:
        return f"Sentence({str(self)!r})"

    @classmethod
    def own(cls, words: str) -> "Sentence":
        """Return what somebody said as a sentence, to be shown as it is; nothing is the empty one."""
        return cls(_OWN, words=Words(words)) if words else cls("")

    @classmethod
    def of(cls, text: str) -> "Sentence":
        """Return a sentence as it is, and any other text as what somebody said."""
        return text if isinstance(text, Sentence) else cls.own(text)

    @classmethod
    def read(cls, kept: Any) -> "Sentence":
        """Return a sentence from what `kept` gave."""
        if isinstance(kept, str):
            return cls.own(kept)
        return cls(kept["key"], **{name: _read_fact(fact) for name, fact in kept.get("facts", {}).items()})

    @property
    def kept(self) -> Any:
        """The sentence as plain values: its key and its facts; words alone are themselves."""
        if self.text in ("", _OWN):
            return str(self)
        facts = {name: _kept_fact(fact) for name, fact in self.facts.items()}
        return {"key": self.text, "facts": facts} if facts else {"key": self.text}

    def changed(self, change: Callable[[str], str], *, only: type[str] = str) -> "Sentence":
        """Return the sentence with its texts changed, those inside other sentences too.

        *only* `Words`: the names and numbers stay.
        """
        return Sentence(
            self.text, **{name: _changed_fact(fact, change, only) for name, fact in self.facts.items()}
        )

    def fit_to_keep(self, redact: Callable[[str], str]) -> "Sentence":
        """Return the sentence with no secret, and nothing long, filled in."""
        # Half a secret would not be known for one, so what is too long is cut last.
        fit = self.changed(lambda text: redact(" ".join(text.split()))[:_LONGEST_FACT])
        # What is a secret only by the words around it leaves no sentence of ours.
        return fit if redact(fit) == fit else Sentence.own(redact(" ".join(self.split()))[:_LONGEST_FACT])


def _filled(text: str, facts: Mapping[str, object], tell: Callable[[Sentence], str]) -> str:
    """Return a text with its places filled; *tell* gives the sentences among the facts."""
    if not facts:
        return text

    def shown(fact: object) -> object:
        if isinstance(fact, tuple):
            return "; ".join(str(shown(each)) for each in fact)
        return tell(fact) if isinstance(fact, Sentence) else fact

    return text.format(**{name: shown(fact) for name, fact in facts.items()})


def _kept_fact(fact: object) -> Any:
    if isinstance(fact, Sentence):
        return {"words": str(fact)} if fact.text == _OWN else fact.kept
    if isinstance(fact, tuple):
        return [_kept_fact(each) for each in fact]
    if isinstance(fact, Words):
        return {"words": str(fact)}
    return fact if isinstance(fact, int | float | None) else str(fact)


def _read_fact(kept: Any) -> object:
    if isinstance(kept, list):
        return tuple(_read_fact(each) for each in kept)
    if isinstance(kept, dict):
        return Words(kept["words"]) if "words" in kept else Sentence.read(kept)
    return kept


def _changed_fact(fact: object, change: Callable[[str], str], only: type[str]) -> object:
    if isinstance(fact, Sentence):
        return fact.changed(change, only=only)
    if isinstance(fact, tuple):
        return tuple(_changed_fact(each, change, only) for each in fact)
    return type(fact)(change(fact)) if isinstance(fact, only) else fact


_COMMA = str.maketrans(",.", ".,")
# What is not said.
NOTHING = Sentence("")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the translations of English sentences into *language*: ours, and those of installed packages."""
    if language == "en":
        return {}
    # Together 4 ms, which a list of commands in English does without.
    import json  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from almario.entry_points import files_called  # noqa: PLC0415

    file = f"messages.{language}.json"
    entries, own = dict[str, str](), Path(__file__).parent / file
    for brought in map(Path, files_called(file)):
        with suppress(OSError, ValueError):  # a package without one is said in English
            entries.update(json.loads(brought.read_bytes()))
    entries.update(json.loads(own.read_bytes()))
    return entries


def translate(language: str, sentences: Mapping[str, str]) -> None:
    """Say these sentences in *language* from now on, too: a plug-in that is one module brings its own so."""
    catalogue(language).update(sentences)


class _WithComma(float):
    def __format__(self, spec: str) -> str:
        return super().__format__(spec).translate(_COMMA)


def numeral(language: str, value: float, digits: int = 0) -> str:
    """Return a number as *language* writes it: 1,234.5 or 1.234,5."""
    return format(_WithComma(value) if language == "es" else value, f",.{digits}f")


def say(language: str, sentence: str, /, **facts: object) -> str:
    """Return *sentence* in *language*, its named places filled, also with other sentences."""
    if isinstance(sentence, Sentence):
        return say(language, sentence.text, **sentence.facts)
    facts = {name: _localized(language, fact) for name, fact in facts.items()}
    template = catalogue(language).get(sentence, sentence)
    if (command := _naming.get()) is not str:
        template = _QUOTED.sub(lambda found: say(language, command(found[0])), template)
    return _filled(template, facts, lambda inner: say(language, inner))


def _localized(language: str, fact: object) -> object:
    if isinstance(fact, CommandLine):
        return say(language, _naming.get()(str(fact)))
    return _WithComma(fact) if isinstance(fact, float) and language == "es" else fact


def sentence_of(error: AlmarioError | OSError) -> Sentence:
    """Return what an error says, to be said in any language; the system's are in its own words."""
    if isinstance(error, OSError):
        return Sentence(error.strerror or str(error))
    if isinstance(error.message, Sentence):
        return error.message
    return Sentence(error.message, **error.facts)


def language_of(setting: str, environment: Mapping[str, str]) -> str:
    """Return the language to speak: the setting's, or for `auto` the locale's (`es_AR.UTF-8`)."""
    if setting != "auto":
        return setting
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "es" if next((name for name in names if name), "").lower().startswith("es") else "en"
