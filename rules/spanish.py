"""What is still to be said in Spanish, and what of the Spanish nobody says any more, in each catalogue.

A commit may leave out a sentence's Spanish, and English stands in. `make lint` lists what is missing, `make
spanish` fails for it, and nothing is released without it.
"""

import ast
import errno
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import click
from jinja2 import Environment
from jinja2.nodes import Call, Const, Name

import almario
from almario import config, errors
from almario.apps.cli.command_table import FIRST, OTHERS
from almario.apps.dashboard.rendering import TEMPLATES
from almario.config.checks import ARGUMENT
from almario.domain.soul_events import DIMENSIONS
from almario.domain.vocabulary import WEEKDAYS
from almario.named_tuples import NamedTuple

SOURCE = Path(almario.__file__).parent
# Each package has its own sentences, and its own file of them.
PACKAGES = sorted((Path(__file__).parent.parent / "packages").glob("*/src/*"))

# Which arguments of which calls are said, at once or later.
ERRORS = {name: (0,) for name, value in vars(errors).items() if isinstance(value, type)}
OURS = {
    "_": (0,),
    "say": (1,),
    "_say": (0,),
    "Sentence": (0,),
    **ERRORS,
    "_report": (2,),
    "Complaint": (1,),
    "warning": (0,),
    "PromptSection": (0, 2),
    "within": (0,),
    "Version": (5,),
    "option": (1,),
    "switch": (0,),
    **dict.fromkeys(("make_command", "make_group", "make", "takes", "flag"), (1,)),
}
CLICKS = {"_": (0,), "ngettext": (0, 1)}
# Said by another module than the one that has them, or given by whoever uses the library.
ELSEWHERE = {*FIRST.values(), *OTHERS, *WEEKDAYS, *DIMENSIONS, config.DEFAULT, ARGUMENT, "agent", "keep"}


def sentences(folder: Path, calls: Mapping[str, tuple[int, ...]], named: Collection[str] = ()) -> set[str]:
    """Return every literal that is such an argument, by place or by name, in the modules of *folder*."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = assignments(nodes)
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            said = [call.args[place] for place in calls.get(called, ()) if place < len(call.args)]
            said += [keyword.value for keyword in call.keywords if keyword.arg in named]
            for argument in said:
                found.update(literals(argument, names))
    return found - {""}


def assignments(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def literals(node: ast.expr, names: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the strings that an expression can be; its names and tables are followed within the module."""
    inner: list[ast.expr] = []
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name):
            inner = names.get(name, [])
        case ast.Subscript(value=table):
            inner = [table]
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, otherwise]):
            inner = [table, otherwise]
        case ast.IfExp(body=one, orelse=other):
            inner = [one, other]
        case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.BoolOp(values=values):
            inner = values
    for each in inner:
        yield from literals(each, names)


@cache
def our_sentences() -> set[str]:
    return sentences(SOURCE, OURS, named=("actor", "note")) | ELSEWHERE | in_templates()


def in_templates() -> set[str]:
    """Return every literal that a page says."""
    asked = Environment(autoescape=True)
    asked.filters |= dict.fromkeys(("markdown", "terminal", "upfirst", "marked", "prose"), str)
    nodes = [asked.parse(path.read_text()) for path in TEMPLATES.iterdir()]
    return {
        call.args[0].value
        for node in nodes
        for call in node.find_all(Call)
        if isinstance(call.node, Name) and call.node.name == "_" and isinstance(call.args[0], Const)
    }


class Catalogue(NamedTuple):
    """The Spanish of Almario or of a package: what is *missing*, and what is there and *unused*."""

    path: Path
    spanish: Mapping[str, str]
    missing: list[str]
    unused: list[str]


@cache
def catalogues() -> list[Catalogue]:
    """Return all there are, ours first."""
    clicks = sentences(Path(click.__file__).parent, CLICKS)
    of_the_system = {os.strerror(number) for number in errno.errorcode}
    ours = catalogue_in(SOURCE / "domain", our_sentences(), elsewhere=clicks | of_the_system)
    of_packages = [catalogue_in(each, _of_package(each), known=ours.spanish) for each in PACKAGES]
    return [ours, *of_packages]


def catalogue_in(
    folder: Path, said: set[str], *, elsewhere: Collection[str] = (), known: Collection[str] = ()
) -> Catalogue:
    """Return a folder's catalogue beside what is *said* there.

    What is *known* needs no Spanish of its own, and what is said *elsewhere* may have it here.
    """
    path = folder / "messages.es.json"
    spanish: dict[str, str] = json.loads(path.read_bytes()) if path.exists() else {}
    missing = sorted(said.difference(spanish, known))
    return Catalogue(path, spanish, missing, sorted(spanish.keys() - said.union(elsewhere)))


def _of_package(folder: Path) -> set[str]:
    every = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    own = re.findall(r"^class (\w+)\(\w*(?:Error|Unavailable|Refused)\b", every, re.MULTILINE)
    return sentences(folder, {**OURS, **dict.fromkeys(own, (0,))}, named=("actor",))


def listed(found: Iterable[Catalogue]) -> Iterator[str]:
    """Yield what is to be done, as lines to paste into a catalogue or to take out of it."""
    for each in found:
        if each.missing:
            yield f"{each.path}: no Spanish yet for"
            yield from (f'  {json.dumps(english, ensure_ascii=False)}: "",' for english in each.missing)
        if each.unused:
            yield f"{each.path}: said no more"
            yield from (f"  {json.dumps(english, ensure_ascii=False)}" for english in each.unused)


if __name__ == "__main__":
    lines = [*listed(catalogues())]
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines) and "--complete" in sys.argv)
