"""A Markdown file as sections: its first and second level headings and what stands under them."""

from almario.domain.documents.lines import folded, newline_of, plain_lines, split_lines, with_newlines_of
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

# An indented heading belongs to the list item above it.
_HEADING = regex(r"\ufeff?(#{1,2})[ \t]+(?=\S)")


# What the sections of the soul files are called in a Spanish soul.
SPANISH = {
    "Personality Foundation": "Personalidad",
    "Communication Style": "Forma de hablar",
    "Boundaries": "Límites",
    "Core Drives": "Lo que me mueve",
    "Current Focus": "En qué estoy",
    "Open Questions": "Preguntas abiertas",
    "Self-Observations": "Lo que observo de mí",
    "Last Reflection": "Última reflexión",
    "Active Goals": "Objetivos activos",
    "Completed": "Cumplidos",
}
_ENGLISH = {folded(spanish): english for english, spanish in SPANISH.items()}


class Section(NamedTuple):
    """A heading line and all below it; level 0 is what stands before the first heading."""

    level: int
    title: str
    heading: str
    body: str


def parse_sections(text: str) -> list[Section]:
    """Cut *text* into sections; their headings and bodies join back to *text*."""
    lines = split_lines(text)
    starts: list[tuple[int, int, str]] = []
    for index, line in plain_lines(lines):
        if found := heading_of(line):
            starts.append((index, *found))
    first = starts[0][0] if starts else len(lines)
    sections = [Section(0, "", "", "".join(lines[:first]))] if first else []
    ends = [start[0] for start in starts[1:]] + [len(lines)]
    for (index, level, title), end in zip(starts, ends, strict=False):
        sections.append(Section(level, title, lines[index], "".join(lines[index + 1 : end])))
    return sections


def heading_of(line: str) -> tuple[int, str] | None:
    """Return the level and title of a first or second level heading."""
    if "#" not in line[:5] or not (found := _HEADING.match(line)):
        return None
    title = line[found.end() :].strip()
    # The closing signs of `## Title ##` are left out, but not those of `## C#`.
    open_end = title.rstrip("#")
    return len(found[1]), open_end.rstrip() if open_end[-1:] in ("", " ", "\t") else title


def join_sections(sections: list[Section]) -> str:
    return "".join(section.heading + section.body for section in sections)


def english_title(title: str) -> str:
    """Return the English name of a section that a Spanish soul has; any other title as it is."""
    return _ENGLISH.get(folded(title), title)


def compared(title: str) -> str:
    """Return a title as titles are compared, whether English or Spanish."""
    return folded(english_title(title))


def section_body(text: str, title: str) -> str:
    """Return what stands under the heading *title*, or nothing."""
    wanted = compared(title)
    return "".join(s.body for s in parse_sections(text) if s.level and compared(s.title) == wanted)


def with_section(text: str, title: str, body: str) -> str:
    """Return *text* with what stands under *title* replaced; a missing section is added at the end."""
    end = newline_of(text)
    new_body = f"{end}{with_newlines_of(body.strip(), text)}{end}" if body.strip() else ""
    sections = parse_sections(text)
    wanted = compared(title)
    for place, section in enumerate(sections):
        if section.level and compared(section.title) == wanted:
            is_last = place == len(sections) - 1
            heading = section.heading if section.heading.endswith("\n") else section.heading + end
            sections[place] = section._replace(heading=heading, body=new_body + ("" if is_last else end))
            return join_sections(sections)
    gap = "" if not text.removeprefix("\ufeff") else end if text.endswith("\n") else end * 2
    return f"{text}{gap}## {title_in(sections, title)}{end}{new_body}"


def title_in(sections: list[Section], title: str) -> str:
    """Return what a section is called in a file with these: in Spanish if others of it are."""
    is_spanish = any(folded(section.title) in _ENGLISH for section in sections)
    return SPANISH.get(title, title) if is_spanish else title
