"""`python -m rules.interface` prints every public name with its signature, to compare with another version's.

What is public is told in docs/python.md.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from almario.conversation.toolbox import Toolbox
from almario.conversation.tools import Tools
from almario.memory.facade import Memories

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


if __name__ == "__main__":
    print(written(), end="")
