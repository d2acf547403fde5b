"""Writes tests/interface.txt: every public name with its signature, so that a change of it is a decision.

`python -m tests.interface` writes it anew, and `client/typed_faces.pyi`: the types of the client's verbs,
which follow from their table. What is public is told in docs/python.md.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from almario.client import typed_faces
from almario.conversation.toolbox import Toolbox
from almario.conversation.tools import Tools
from almario.memory.facade import Memories
from almario.verb_table import Verb, scopes, verb

FILE = Path(__file__).parent / "interface.txt"
STUB = Path(typed_faces.__file__).with_suffix(".pyi")
MODULES = ("almario", "almario.client", "almario.errors", "almario.plugins", "almario.testing")
# What hangs on a Soul and is promised, too; the rest of it is for our own use.
MEMORY = (
    "accept append as_of export forget get import_lines list outcomes plan_purge plan_purge_expired "
    "plans purge reindex remember restore settle share state stats undo verify why"
)
REACHED = {f"Soul.memory.{name}": getattr(Memories, name) for name in MEMORY.split()}
REACHED |= {"Soul.tools.add": Tools.add, "Soul.tools.call": Toolbox.call, "Soul.tools.specs": Toolbox.specs}
# Nobody makes one: they are given.
GIVEN = (
    "almario.Soul",
    "almario.client.AsyncRemoteSoul",
    "almario.client.RemoteSoul",
    "almario.plugins.Section",
)


def written() -> str:
    """Return the public interface, a line for each name."""
    lines: list[str] = []
    for name in MODULES:
        module = import_module(name)
        for public in sorted(_public(module)):
            lines += _told(f"{name}.{public}", getattr(module, public))
    for name, found in REACHED.items():
        lines += _told(name, found)
    return "\n".join(lines) + "\n"


def _public(module: Any) -> list[str]:
    if hasattr(module, "__all__"):
        return list(module.__all__)
    own = [name for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__]
    return [name for name in own if not name.startswith("_")]


def _told(name: str, found: Any) -> Iterator[str]:
    if found is Tools or not (inspect.isclass(found) or inspect.isfunction(found)):
        yield name  # of the tools, `add` is promised: see REACHED
        return
    [node] = _Plain().visit(ast.parse(textwrap.dedent(inspect.getsource(found)))).body
    if isinstance(node, ast.FunctionDef):
        yield _signature(name, node)
    elif isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        yield f"{name}({bases})" if bases else name
        yield from _members(name, node)


def _members(name: str, node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield f"{name}.{each.target.id}: {ast.unparse(each.annotation)}"
        elif isinstance(each, ast.FunctionDef) and _is_public(name, each.name):
            is_value = any(ast.unparse(decorator).endswith("property") for decorator in each.decorator_list)
            returns = ast.unparse(each.returns) if each.returns else ""
            place = f"{name}.{each.name}"
            yield f"{place}: {returns}" if is_value else _signature(place, each)


def _is_public(owner: str, name: str) -> bool:
    if owner.startswith("almario.testing."):  # the rest of a fake is what its port says
        return name == "__init__"
    return not name.startswith("_") or (name == "__init__" and owner not in GIVEN)


def _signature(name: str, node: ast.FunctionDef) -> str:
    own = node.args
    own.posonlyargs = [argument for argument in own.posonlyargs if argument.arg != "self"]
    own.args = [argument for argument in own.args if argument.arg != "self"]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({ast.unparse(own)}){returns}"


class _Plain(ast.NodeTransformer):
    """Writes an annotation without the quotes that only spare an import."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = _unquoted(node.annotation)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = _unquoted(node.returns)
        return node


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def typed_verbs() -> str:
    """Return the types of both faces of the client, as type checkers read them."""
    modules = {"builtins", "typing", "almario.client.verbs", "almario.ports"}
    classes: list[str] = []
    for face in ("Waiting", "Awaited"):
        of_part: dict[str, list[str]] = {"": []}
        for name in scopes():
            part, _, _ = name.rpartition(".")
            of_part.setdefault(part, []).append(_stub_of(verb(name), modules, is_awaited=face == "Awaited"))
        for part, own in of_part.items():
            classes += [f"class {_class_name(face, part)}(almario.client.verbs.ClientPart):", *own]
            if not part:
                held = [each for each in of_part if each]
                lines = "    @property\n    def {}(self) -> {}: ..."
                classes += [lines.format(each, _class_name(face, each)) for each in held]
    head = ["# Made by `python -m tests.interface` from the table of verbs.", "# ruff: noqa", "# fmt: off"]
    return "\n".join([*head, *(f"import {each}" for each in sorted(modules)), *classes]) + "\n"


def _class_name(face: str, part: str) -> str:
    return f"{face}{part.capitalize()}"


def _stub_of(found: Verb, modules: set[str], *, is_awaited: bool) -> str:
    own = found.name.rpartition(".")[2]
    gives = _type(found.returns, modules)
    gives = f"typing.Coroutine[typing.Any, typing.Any, {gives}]" if is_awaited else gives
    if found.is_fact:
        return f"    @property\n    def {own}(self) -> {gives}: ..."
    taken, is_keyword = ["self"], False
    for each in found.parameters.values():
        is_many = each.kind is each.VAR_POSITIONAL
        if each.kind is each.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            taken.append("*")
        default = "" if is_many or each.default is each.empty else " = ..."
        taken.append(f"{'*' * is_many}{each.name}: {_type(found.kinds[each.name], modules)}{default}")
    if own == "talk":
        taken.append("hear: almario.ports.Hear | None = ...")
    return f"    def {own}({', '.join(taken)}) -> {gives}: ..."


def _type(kind: Any, modules: set[str]) -> str:
    """Return a type as it is written, whole: a class with a verb called `list` cannot name the type by it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type(inner[0], modules)
    if origin is Literal:
        return f"typing.Literal[{', '.join(map(repr, inner))}]"
    if origin in (Union, UnionType):
        return " | ".join(_type(each, modules) for each in inner)
    if origin:
        return f"{_type(origin, modules)}[{', '.join(_type(each, modules) for each in inner)}]"
    if kind in (Any, ..., type(None)):
        return {Any: "typing.Any", ...: "..."}.get(kind, "None")
    modules.add(kind.__module__)
    return f"{kind.__module__}.{kind.__qualname__}"


if __name__ == "__main__":
    FILE.write_text(written())
    STUB.write_text(typed_verbs())
