"""The house rules: who may import whom, no circles, and a map that is true."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parent.parent
SOURCE = PROJECT / "src" / "almario"

# From the ground up: a room may import what stands before it.
ROOMS = [
    "named_tuples",
    "errors",
    "entry_points",
    "former_names",
    "served",
    "language",
    "domain",
    "projects",
    "text",
    "ports",
    "structured_reply",
    "store",
    "memory",
    "becoming",
    "conversation",
    "upkeep",
    "importing",
    "exporting",
    "soul",
    "verb_table",
    "config",
    "adapters",
    "wiring",
    "testing",
    "plugins",
    "client",
    "apps",
]
# They know the store by its port alone; in `upkeep`, so does all that is not about the home on disk.
ABOVE_THE_STORE = ("memory", "becoming", "conversation", "importing", "exporting", "soul")
ABOUT_THE_DISK = {"backup", "doctor", "logbook", "daemon_state", "older"}
ALLOWED = {room: set(ROOMS[: place + 1]) for place, room in enumerate(ROOMS)} | {
    "errors": {"errors"},
    "entry_points": {"entry_points", "errors"},
    "former_names": {"former_names"},
    "served": {"served", "errors"},
    "language": {"language", "errors"},
    "domain": {"domain", "language", "errors", "entry_points"},
    "projects": {"projects", "served", "domain"},
    "text": {"text", "domain", "language", "errors"},
    "ports": {"domain", "errors", "ports"},
    "adapters": {"domain", "ports", "errors", "config", "adapters"},
    "testing": {"domain", "ports", "errors", "config", "testing"},
    **{room: set(ROOMS[: ROOMS.index(room) + 1]) - {"store"} for room in ABOVE_THE_STORE},
    "wiring": set(ROOMS) - {"apps", "plugins", "client"},
    # It makes the values that a Soul gives, and has nothing of what makes them there.
    "client": set(ROOMS[: ROOMS.index("soul")]) - {"store"} | {"verb_table", "client"},
    "verb_table": {"verb_table", "soul", "domain"},
    "apps": {
        "client",
        "entry_points",
        "former_names",
        "served",
        "importing",
        "exporting",
        "wiring",
        "soul",
        "verb_table",
        "config",
        "domain",
        "projects",
        "text",
        "errors",
        "apps",
    },
}


@cache
def modules(source: Path = SOURCE) -> tuple[tuple[str, Path], ...]:
    paths = sorted(source.rglob("*.py"))
    names = [".".join(path.relative_to(source.parent).with_suffix("").parts) for path in paths]
    return tuple((name.removesuffix(".__init__"), path) for name, path in zip(names, paths, strict=True))


@cache
def with_packages() -> tuple[tuple[str, Path], ...]:
    found = sorted((PROJECT / "packages").glob("*/src/*"))
    return (*modules(), *(each for source in found for each in modules(source)))


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Read(NamedTuple):
    """What the rules are about in one file: a file is parsed once for all of them."""

    imports: set[str]
    # What is loaded with it, and by each import inside a function.
    at_once: set[str]
    later: dict[int, set[str]]
    used: set[str]
    asking_the_time: list[int]
    broad: list[int]
    classes: list[str]


@cache
def read(path: Path) -> Read:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [each.name for each in tree.body if isinstance(each, ast.ClassDef)]
    found = Read(set(), set(), {}, set(), [], [], classes)
    inside = {id(each) for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for each in ast.walk(node)}
    for_types = {id(each) for node in tree.body if isinstance(node, ast.If) for each in node.body}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found.imports.update(alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert not level, f"{path}: relative import"
                every = (f"{module}.{each.name}" for each in names)
                there = {full if full in known() else module or "" for full in every}
                found.imports.update(there)
                if id(node) in inside:
                    found.later[node.lineno] = there
                elif id(node) not in for_types:
                    found.at_once.update(there)
            case ast.Attribute(attr=attribute, value=value):
                # A method is in use wherever it is named; a value is made where it is called.
                found.used.update({attribute} if attribute.islower() else ())
                if attribute in ("now", "today", "utcnow") and getattr(value, "id", "") in (
                    "datetime",
                    "date",
                ):
                    found.asking_the_time.append(node.lineno)
            case ast.Call(func=called):
                found.used.add(getattr(called, "attr", getattr(called, "id", "")))
            case ast.ExceptHandler(type=caught):
                kinds = {getattr(each, "id", "") for each in ast.walk(caught)} if caught else {"Exception"}
                if kinds & {"Exception", "BaseException"}:
                    found.broad.append(node.lineno)
    return found


@cache
def known() -> set[str]:
    return {name for name, _ in with_packages()}


def imports(path: Path) -> set[str]:
    """Return every module of ours that a file imports, inside functions too, for types or not."""
    return {name for name in read(path).imports if name.split(".")[0] == "almario" or name in known()}


def is_rule(module: str) -> bool:
    return module.split(".")[2:3] == ["rules"]


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "almario"


def test_every_room_imports_only_what_it_may() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, path in modules()
        if room_of(name) in ROOMS
        for other in imports(path)
        if room_of(other) not in ALLOWED[room_of(name)]
        and other not in ("almario", "almario.named_tuples")
        and not (room_of(name) == "apps" and is_rule(other))
    ]

    assert wrong == []


def test_the_upkeep_knows_the_folder_only_where_it_is_about_the_disk() -> None:
    knowing = {
        name.rpartition(".")[2]
        for name, path in modules()
        if room_of(name) == "upkeep" and any(room_of(other) == "store" for other in imports(path))
    }

    assert knowing == ABOUT_THE_DISK


def test_rules_are_pure() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, path in modules()
        if is_rule(name)
        for other in imports(path)
        if room_of(other) not in {"named_tuples", "domain", "text", "language", "errors"}
        and not is_rule(other)
    ]

    assert wrong == []


def test_no_two_modules_in_different_rooms_have_one_name() -> None:
    rooms: dict[str, set[str]] = {}
    for name, path in modules():
        if path.stem not in ("__init__", "__main__", "settings") and not is_rule(name):
            rooms.setdefault(path.stem, set()).add(room_of(name))

    assert {name: where for name, where in rooms.items() if len(where) > 1} == {}


def test_a_public_class_has_one_home() -> None:
    homes: dict[str, list[str]] = {}
    for name, path in with_packages():
        for each in read(path).classes:
            if not each.startswith("_"):
                homes.setdefault(each, []).append(name)

    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_every_module_stands_in_a_room() -> None:
    assert {room_of(name) for name, _ in modules()} <= {*ROOMS, "almario", "__main__"}


def test_there_are_no_circles() -> None:
    graph = {name: imports(path) - {name, "almario"} for name, path in with_packages()}
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name not in done:
            for other in graph.get(name, ()):
                walk(other, (*trail, name))
            done.add(name)

    for name in graph:
        if name != "almario":
            walk(name, ())


def test_an_import_inside_a_function_spares_the_loading_of_something() -> None:
    files = dict(with_packages())
    done: dict[str, set[str]] = {}

    def loaded(name: str) -> set[str]:
        """Return what is loaded with a module: there are no circles."""
        if name not in done:
            own = read(files[name]).at_once & files.keys() if name in files else set()
            done[name] = own.union(*map(loaded, own))
        return done[name]

    needless = [
        f"{name}:{line}"
        for name, path in files.items()
        for line, there in read(path).later.items()
        if there <= loaded(name)
    ]
    assert needless == []


def test_only_the_clock_that_is_passed_in_tells_the_time() -> None:
    asking = [f"{name}:{line}" for name, path in with_packages() for line in read(path).asking_the_time]

    assert [place for place in asking if not place.startswith("almario.wiring:")] == []


def test_no_except_is_broad_but_those_around_hooks_tools_jobs_and_plug_ins() -> None:
    assert [name for name, path in with_packages() for _ in read(path).broad] == [
        "almario.apps.hooks.entry",
        "almario.conversation.tools",
        "almario.entry_points",
        "almario.upkeep.scheduler",
    ]


# The gates: who may call what lets something in. Each has measured whose word it brings, or is the owner.
GATES = {
    # Memories, all through `memory.admission`.
    "admit": {"memory.facade", "conversation.memory_tools"},
    "judge": {
        "memory.admission",
        "memory.amending",
        "memory.facade",
        "becoming.improving",
    },
    "judge_each": {"memory.admission", "memory.lessons"},
    "take_lesson": {"conversation.flush", "importing.importer"},
    "learn": set[str](),
    "amending": {"conversation.memory_tools", "memory.facade", "memory.withholding"},
    "Lesson": {"conversation.flush", "importing.importer"},
    "MemoriesChanged": {
        "memory.admission",
        "memory.amending",
        "memory.cueing",
        "memory.consolidation",
        "memory.episodes",
        "memory.forgetting",
        "memory.lessons",
        "memory.mirror",
        "memory.purge",
        "memory.transfer",
    },
    # Soul files, goals among them.
    "write_soul": {"becoming.goals", "soul"},
    "change_soul": {"becoming.proposals", "becoming.rebirth", "memory.purge", "ports.storing", "wiring"},
    # What a model wants of them.
    "submit": {"becoming.applying", "becoming.improving", "becoming.proposals", "conversation.soul_tools"},
    "submit_changes": {
        "becoming.improving",
        "conversation.memory_tools",
        "conversation.tidying",
    },
    "GoalUpdate": {
        "becoming.architect",
        "becoming.goals",
        "conversation.soul_tools",
    },
    "SectionEdit": {
        "becoming.architect",
        "becoming.section_changes",
    },
    # Facts that ask to be remembered.
    "Proposed": {
        "becoming.improving",
        "conversation.extraction",
        "conversation.memory_tools",
        "importing.importer",
        "memory.admission",
        "memory.amending",
    },
}


def test_nothing_comes_in_but_through_the_gates() -> None:
    callers: dict[str, set[str]] = {gate: set() for gate in GATES}
    for name, path in with_packages():
        for used in read(path).used & callers.keys():
            callers[used].add(name.removeprefix("almario."))

    assert callers == GATES


def test_whoever_makes_something_of_what_a_model_says_measures_it() -> None:
    measuring = {name for name, path in modules() if "almario.memory.rules.provenance" in imports(path)}

    assert "almario.conversation.grounding" in measuring


def test_the_glossary_names_classes_that_are_there() -> None:
    table = (SOURCE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Words")[1]
    named = set(re.findall(r"`([A-Z]\w+)`", table.split("\n## ")[0]))
    known = {each for _, path in with_packages() for each in read(path).classes}

    assert len(named) > 10
    assert named - known == set()


def test_the_map_names_what_is_there() -> None:
    table = map_of_the_house().split("| where is … | in `src/almario/` |")[1]
    named = re.findall(r"`([a-z_-]+/[a-z_/.-]+)`", table)

    assert len(named) > 20
    assert [each for each in named if not any((root / each).exists() for root in (SOURCE, PROJECT))] == []


def test_the_map_has_every_room_in_its_order() -> None:
    tree = map_of_the_house().split("```")[1]

    assert re.findall(r"^  (\w+)(?:\.py|/)", tree, re.MULTILINE) == ROOMS


def map_of_the_house() -> str:
    return (
        (PROJECT / "CONTRIBUTING.md")
        .read_text(encoding="utf-8")
        .split("## Finding your way")[1]
        .split("\n## ")[0]
    )
