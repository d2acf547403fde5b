"""Whether a rule of the owner's surely forbids a call: by its words as they stand, if none is left over.

A clause forbids with *never*, *don't*, *nunca*; it names the sub-command, or the program; and all that it
says besides stands in the call as well. Whatever depends on something (*unless*, *salvo*) is not sure.
"""

from collections.abc import Iterator

from almario.domain.acts import Call, Command
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, forms_of
from almario.text.calls import table

_CLAUSES = regex(
    r"[,;:.!?…\n]\s+|[!?…;\n]|\s+[–—-]\s+|\b(?:but|and then|because|pero|porque|que|as|since|it|they)\b"
)
# What an argument is made of: a branch called `fix/main-menu` is not the one called `main`.
_PIECES = regex(r"[^\s/:=,@]+")


def forbids(rule: str, call: Call) -> bool:
    """Say whether a rule surely forbids a call."""
    clauses = list(_forbidding(rule))
    if call.kind == "read" or not clauses:
        return False
    if call.kind == "edit":
        return any(_names_file(clause, call.path) for clause in clauses)
    return any(
        _is_broken(clause, each) for clause in clauses for each in call.commands if not each.only_looks
    )


def _forbidding(rule: str) -> Iterator[list[str]]:
    """Yield what the clauses that forbid something say after the word by which they do."""
    words = table()["forbids"]
    if not words["depends"].isdisjoint(_spoken(rule)):
        return
    for clause in _CLAUSES.split(rule):
        spoken = _spoken(clause)
        for begin in words["begins"]:
            first = begin.split()
            place = next((n for n in range(len(spoken)) if spoken[n : n + len(first)] == first), None)
            if place is not None and (rest := spoken[place + len(first) :]):
                yield rest
                break


def _spoken(text: str) -> list[str]:
    return [word.strip("\"'`()[]«»“”¿¡").rstrip(".,;:!?") for word in text.lower().replace("’", "'").split()]


def _is_broken(clause: list[str], command: Command) -> bool:
    program, sub = fold(command.program), fold(command.sub)
    names = {program, sub, *_called(program), *_called(sub)} - {""}
    pieces = [each.lstrip("-") for each in _PIECES.findall(" ".join((program, sub, *command.rest)))]
    given = {fold(each) for each in pieces}
    given |= {form for each in pieces if each.isalnum() for forms in forms_of(each) for form in forms}
    said = [word for word in clause if not _says_nothing(word)]
    named = [word for word in said if _base(word) in names]
    about = [word for word in said if _base(word) not in names]
    if not named or not all(_stands_in(word, given) for word in about):
        return False
    # Of a program alone a rule means all that it does; of a sub-command, what it is done with.
    return program in map(_base, named) or bool(about)


def _base(word: str) -> str:
    """Return what a program is called that may be named with its folder."""
    return fold(word.rpartition("/")[2])


def _names_file(clause: list[str], path: str) -> bool:
    verbs = {fold(each) for each in _called("edit")}
    paths = [word for word in clause if "/" in word.strip("/") or _has_ending(word)]
    is_about_it = any(path == each or path.endswith("/" + each) for each in paths)
    others = [
        word for word in clause if word not in paths and fold(word) not in verbs and not _says_nothing(word)
    ]
    return is_about_it and not others and any(fold(word) in verbs for word in clause)


def _has_ending(word: str) -> bool:
    stem, dot, ending = word.rpartition(".")
    return bool(dot and ending.isalnum() and (stem or word.startswith(".")))


def _called(name: str) -> frozenset[str]:
    found: frozenset[str] = table()["verbs"].get(name, frozenset())
    return found


def _says_nothing(word: str) -> bool:
    return fold(word) in SMALL or word in table()["forbids"]["plain"] or not any(map(str.isalnum, word))


def _stands_in(word: str, given: set[str]) -> bool:
    return fold(word.lstrip("-")) in given or all(not given.isdisjoint(forms) for forms in forms_of(word))
