"""Where something was told: in a project, or at home, which is everywhere else.

What was told at home stays there: a coding agent hears of its own project, and of work.
"""

from collections.abc import Iterable

from almario.domain.plain_text import regex
from almario.errors import SoulError

# Begins the second part of a session's key, if it is about a project.
PROJECT = "project-"
# The chat, other chat programs, the dashboard, files that were edited by hand, talks that were imported.
HOME = ""
# Every project: what is about coding and nothing else.
WORK = "work"
# Where a coding agent is at work in a folder that is of no project.
NOWHERE = "nowhere"
_NAME = regex(r"[\w.%-]+")


def project_of(session: str) -> str:
    """Return the project that a session, or a turn of one, is about; most are about none."""
    if PROJECT not in session:
        return HOME
    about = session.split(":", 2)[1:]
    return about[0].removeprefix(PROJECT) if len(about) > 1 and about[0].startswith(PROJECT) else HOME


def place_of(said: str | Iterable[str]) -> str:
    """Return where a session is, or what rests on some turns: in the one project of all of them, or at home.

    What rests on turns of several projects is about work; on what is of home, at home.
    """
    places = {project_of(each) for each in ((said,) if isinstance(said, str) else said)}
    return HOME if not places or HOME in places else WORK if len(places) > 1 else places.pop()


def checked(place: str | None) -> str | None:
    """Return a place as it is kept, or None where none is given; SoulError if it is none."""
    if place and not _NAME.fullmatch(place):
        raise SoulError('"{place}" is not the name of a project', place=place)
    return place
