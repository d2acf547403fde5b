"""Everything that a user can see is said in Spanish too."""

import ast
import errno
import json
import os
import re
import string
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import click
from jinja2 import Environment
from jinja2.nodes import Call, Const, Name

import almario
from almario import config, errors
from almario.apps.cli import FIRST, OTHERS
from almario.apps.dashboard.rendering import TEMPLATES
from almario.config.checks import ARGUMENT
from almario.domain.messages import Sentence, say
from almario.domain.soul_events import DIMENSIONS
from almario.domain.vocabulary import WEEKDAYS
from tests.tables import each_row

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
ELSEWHERE = {*FIRST.values(), *OTHERS, *WEEKDAYS, *DIMENSIONS, config.DEFAULT, ARGUMENT, "agent"}


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


def places(sentence: str) -> set[tuple[str, str | None, str | None]]:
    parsed = string.Formatter().parse(sentence)
    return {(name, form, conversion) for _, name, form, conversion in parsed if name is not None}


SOURCE = Path(almario.__file__).parent
# Each package has its own sentences, and its own file of them.
SPANISH: dict[str, str] = json.loads((SOURCE / "domain" / "messages.es.json").read_bytes())
SYSTEMS_SENTENCES = {os.strerror(number) for number in errno.errorcode}


@cache
def our_sentences() -> set[str]:
    return sentences(SOURCE, OURS, named=("actor",)) | ELSEWHERE | in_templates()


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


def test_every_sentence_of_ours_is_in_the_spanish_catalogue() -> None:
    assert sorted(our_sentences() - set(SPANISH)) == []


def test_the_catalogue_has_no_sentence_that_nobody_says() -> None:
    clicks = sentences(Path(click.__file__).parent, CLICKS)

    assert sorted(set(SPANISH) - our_sentences() - clicks - SYSTEMS_SENTENCES) == []


def test_both_languages_have_the_same_places_for_facts() -> None:
    assert [english for english, spanish in SPANISH.items() if places(english) != places(spanish)] == []


@each_row(
    ("english", "spanish"),
    [
        (r"\bjournals?\b(?!/)", "registro"),
        (r"\b(?:daily|long|today's|day's) logs?\b", "diario"),
        (r"\bproposals?\b(?! )", "propuesta"),
        (r"\bbased on\b", "basa"),
        (r"\bswitched off\b", "desactivad"),
        (r"\b(?:not trusted|untrusted)\b", "confianza"),
        (r"\b[Ee]xits with code\b", "código de salida"),
        (r"\bdaemon\b", "servicio"),
    ],
)
def test_in_spanish_too_one_thing_has_one_word(english: str, spanish: str) -> None:
    named = re.compile(r'"(?:almario|/)[^"]*"|\{\w+\}|\S+\.md|almario .*|\w+\.\w+|--\w+')
    said = {each: named.sub("", each) for each in SPANISH}

    found = [each for each, plain in said.items() if re.search(english, plain)]
    assert found
    assert [each for each in found if spanish not in SPANISH[each].lower()] == []


def facts_of(sentence: str) -> dict[str, object]:
    return {
        name: 1 if form else name.upper() for _, name, form, _ in string.Formatter().parse(sentence) if name
    }


def test_a_sentence_that_is_kept_is_said_in_any_language_when_it_is_read_again() -> None:
    failures = sentences(SOURCE / "adapters" / "llm", ERRORS)
    kept = [Sentence(english, **facts_of(english)) for english in sorted(failures) if "{" in english]

    assert len(kept) > 10
    for each in kept:
        again = Sentence.read(json.loads(json.dumps(each.kept)))
        assert (again, again.text, again.facts) == (each, each.text, each.facts)
        assert say("es", again) == SPANISH[each.text].format(**each.facts)


def test_spanish_quotes_are_all_of_one_kind_but_where_a_shell_reads_them() -> None:
    typed = ("almario ", "cat ", "echo ", "almario.toml: ")

    assert [
        each for each in SPANISH.values() if not {*each}.isdisjoint('"“”') and not each.startswith(typed)
    ] == []
