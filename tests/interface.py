"""Writes tests/interface.txt: every public name with its signature, so that a change of it is a decision.

`python -m tests.interface` writes it anew; what is public is told in docs/python.md.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from almario.conversation.toolbox import Toolbox
from almario.conversation.tools import Tools
from almario.memory.facade import Memories

FILE = Path(__file__).parent / "interface.txt"
MODULES = ("almario", "almario.errors", "almario.plugins", "almario.testing")
# What hangs on a Soul and is promised as it is.
REACHED = {"Soul.memory": Memories, "Soul.tools": Toolbox, "Soul.tools.add": Tools.add}


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
    return [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]


def _told(name: str, found: Any) -> Iterator[str]:
    if not inspect.isclass(found) and not inspect.isfunction(found):
        yield name
        return
    [node] = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    if isinstance(node, ast.FunctionDef):
        yield _signature(name, node)
    elif isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        yield f"{name}({bases})" if bases else name
        yield from _members(name, node)


def _members(name: str, node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            if not each.target.id.startswith("_"):
                yield f"{name}.{ast.unparse(each.target)}: {ast.unparse(each.annotation)}"
        elif isinstance(each, ast.FunctionDef) and (each.name == "__init__" or not each.name.startswith("_")):
            decorators = [ast.unparse(decorator) for decorator in each.decorator_list]
            is_value = "property" in decorators or "cached_property" in decorators
            place = f"{name}.{each.name}"
            returns = ast.unparse(each.returns) if each.returns else ""
            yield f"{place}: {returns}" if is_value else _signature(place, each)


def _signature(name: str, node: ast.FunctionDef) -> str:
    own = node.args
    own.args = [argument for argument in own.args if argument.arg not in ("self", "cls")]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({ast.unparse(own)}){returns}".replace("'", "")


if __name__ == "__main__":
    FILE.write_text(written())
