"""Makes `typed_faces.pyi`: the types of the client's verbs, which follow from their table.

Whoever builds or installs Almario has it made; `python hatch_build.py` makes it anew for a type checker.
"""

import sys
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from almario.verb_table import Verb

SOURCE = Path(__file__).parent / "src"
STUB = SOURCE / "almario" / "client" / "typed_faces.pyi"


class TypedFaces(BuildHookInterface[Any]):
    """Called by hatchling before it collects what goes into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        write()


def write() -> None:
    """Write the file; nothing but Python itself is needed for it."""
    sys.path.insert(0, str(SOURCE))
    try:
        STUB.write_text(typed_verbs())
    finally:
        sys.path.remove(str(SOURCE))


def typed_verbs() -> str:
    """Return the types of both faces of the client, as type checkers read them."""
    from almario.verb_table import scopes, verb  # noqa: PLC0415 - it is on the path by now

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
    head = ["# Made by hatch_build.py from the table of verbs.", "# ruff: noqa", "# fmt: off"]
    return "\n".join([*head, *(f"import {each}" for each in sorted(modules)), *classes]) + "\n"


def _class_name(face: str, part: str) -> str:
    return f"{face}{part.capitalize()}"


def _stub_of(found: "Verb", modules: set[str], *, is_awaited: bool) -> str:
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
        is_keyword = is_keyword or is_many
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
    write()
