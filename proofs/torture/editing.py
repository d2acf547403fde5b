"""An owner at his editors: buffers that may be old, and the ways in which editors save them."""

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

WORDS = (
    *("té", "café", "mar", "río", "barco", "puente", "libro", "gato", "perro", "luna"),
    *("piano", "ajedrez", "sidra", "monte", "tren", "faro", "pan", "queso", "nube", "jardín"),
    *("reloj", "mesa", "carta", "viaje", "puerto", "sal", "lana", "fuego", "arena", "trigo"),
)
KEYS = ("gusto", "familia", "Nota de casa", "C#")
# A key under which a new value takes the old one's place.
SINGLE = "trabajo"
TOKEN = re.compile(r"\bw(?:[aeiou]l)+\b")
MARKER = re.compile(r"<!-- almario \d+ \S+ v2 -->")
_PROSE = ("{p} is prose", "> {p} quoted", "1. {p}", "<!-- {p} -->", "```\n{p}\n```", "| {p} | x |")


def _token(number: int) -> str:
    """Return a word of its own for each number; with digits it might be a secret, and be withheld."""
    word = ""
    while number:
        number, digit = divmod(number - 1, 5)
        word = "aeiou"[digit] + "l" + word
    return f"w{word}"


@dataclass(frozen=True)
class Text:
    """A text, and what of it was rendered: the tokens that stood there, and at which tick of the run."""

    text: str = ""
    rendered: frozenset[str] = frozenset()
    at: int = 0

    @property
    def tokens(self) -> set[str]:
        return set(TOKEN.findall(self.text))

    @property
    def has_marker(self) -> bool:
        return MARKER.search(self.text) is not None

    @property
    def prose(self) -> list[str]:
        """The owner's own lines, which must stay as they are."""
        lines = (line.rstrip("\r") for line in self.text.lstrip("\ufeff").split("\n"))
        return [line for line in lines if re.search(r"\bp\d{4}\b", line)]


class Owner:
    """Edits buffers by chance; every line that he types has a token of its own."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.count = 0
        # Every value that anybody ever said, by its token.
        self.values: dict[str, str] = {}
        # Tokens that he may have put under another heading.
        self.moved: set[str] = set()

    def value(self, like: str = "") -> str:
        """Return a new value, or one that keeps the words of another."""
        self.count += 1
        token = _token(self.count)
        words = like.split()[1:] if like else self.dice.sample(WORDS, 5)
        self.values[token] = " ".join([token, *words])
        return self.values[token]

    def edit(self, buffer: Text) -> Text:
        """Do one thing to a buffer."""
        acts = (self.add, self.add, self.append, self.change, self.change, self.remove, self.remove)
        more = (self.remove_many, self.write_prose, self.write_prose, self.move, self.twice)
        rare = (self.drop_marker, self.other_newlines, self.with_bom, self.type_again)
        act = self.dice.choice((*acts, *more, *rare))
        return replace(buffer, text=act(buffer.text))

    def add(self, text: str) -> str:
        end = _end(text)
        key, line = self.dice.choice(KEYS), f"- {self.value()}{end}"
        heading = f"## {key}{end}"
        if heading in text:
            return text.replace(heading, heading + line, 1)
        return f"{heading}{line}{end}{text}" if not text.startswith("\ufeff") else f"{text}{heading}{line}"

    def append(self, text: str) -> str:
        """As `echo "- …" >> MEMORY.md` does, below the marker."""
        gap = "" if not text or text.endswith("\n") else _end(text)
        return f"{text}{gap}- {self.value()}{_end(text)}"

    def change(self, text: str) -> str:
        lines = text.split("\n")
        facts = _facts(lines)
        if not facts:
            return text
        place = self.dice.choice(facts)
        lines[place] = (
            "- " + self.value(like=lines[place][2:].rstrip("\r")) + "\r" * lines[place].endswith("\r")
        )
        return "\n".join(lines)

    def remove(self, text: str) -> str:
        lines = text.split("\n")
        facts = _facts(lines)
        gone = self.dice.sample(facts, min(len(facts), self.dice.randint(1, 2)))
        return "\n".join(line for place, line in enumerate(lines) if place not in gone)

    def remove_many(self, text: str) -> str:
        lines = text.split("\n")
        gone = {place for place in _facts(lines) if self.dice.random() < 0.8}
        return "\n".join(line for place, line in enumerate(lines) if place not in gone)

    def move(self, text: str) -> str:
        """Put a line under the first heading."""
        lines = text.split("\n")
        heads = [place for place, line in enumerate(lines) if line.startswith("## ")]
        facts = _facts(lines)
        if heads and facts:
            line = lines.pop(self.dice.choice(facts))
            self.moved.add(line.split()[1])
            lines.insert(min(heads[0], len(lines) - 1) + 1, line)
        return "\n".join(lines)

    def twice(self, text: str) -> str:
        lines = text.split("\n")
        if facts := _facts(lines):
            place = self.dice.choice(facts)
            lines.insert(place, lines[place])
        return "\n".join(lines)

    def write_prose(self, text: str) -> str:
        """Write some prose where a blank line is, or at the end."""
        self.count += 1
        lines = text.split("\n")
        blank = [place for place, line in enumerate(lines) if not line.strip("\r")]
        prose = self.dice.choice(_PROSE).format(p=f"p{self.count:04}").replace("\n", _end(text))
        lines.insert(self.dice.choice(blank) if blank else len(lines), prose + "\r" * ("\r" in text))
        return "\n".join(lines)

    def drop_marker(self, text: str) -> str:
        return MARKER.sub("", text)

    def other_newlines(self, text: str) -> str:
        return text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")

    def with_bom(self, text: str) -> str:
        return text.removeprefix("\ufeff") if text.startswith("\ufeff") else "\ufeff" + text

    def type_again(self, text: str) -> str:
        """Type what was said before, be it in use or not."""
        missing = sorted(set(self.values) - set(TOKEN.findall(text)))
        if not missing:
            return text
        gap = "" if not text or text.endswith("\n") else _end(text)
        value = " ".join(self.values[self.dice.choice(missing)].split())
        self.moved.add(value.split()[0])
        return f"{text}{gap}- {value}{_end(text)}"


def _end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _facts(lines: list[str]) -> list[int]:
    """Return the places of the lines that are facts of one line."""
    places = [place for place, line in enumerate(lines) if re.match(rf"- {TOKEN.pattern}", line)]
    return [place for place in places if not "".join(lines[place + 1 : place + 2]).startswith(" ")]


def in_place(path: Path, content: bytes) -> None:
    """Write over the old bytes, then cut off what is left of them."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(content)
        file.truncate()


def truncating(path: Path, content: bytes) -> None:
    """As VS Code and most others do."""
    path.write_bytes(content)


def renaming_over(path: Path, content: bytes) -> None:
    """As careful editors and sync programs do."""
    copy = path.with_name("MEMORY.md.tmp-editor")
    copy.write_bytes(content)
    copy.replace(path)


def as_vim(path: Path, content: bytes) -> None:
    """Move the old file to a backup, write the new one, and remove the backup."""
    backup = path.with_name("MEMORY.md~")
    if path.exists():
        path.rename(backup)
    path.write_bytes(content)
    backup.unlink(missing_ok=True)


STYLES = (in_place, truncating, renaming_over, as_vim)
