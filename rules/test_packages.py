"""The packages of this repository: the core knows none of them by name, and each says what it leans on."""

from pathlib import Path

from almario.domain.messages import say
from rules import test_architecture
from rules.spanish import catalogues
from tests.plugged import PROJECT
from tests.tables import each_row

FOLDERS = sorted(path.parent for path in (PROJECT / "packages").glob("*/pyproject.toml"))
# What each may import of the core, room by room: what it leans on must be worth leaning on.
LEANS_ON = {
    "almario_explorer": {"plugins", "errors", "domain", "structured_reply"},
    "almario_formats": {"plugins", "domain", "importing"},
    "almario_gateway": {
        *("plugins", "errors", "domain", "named_tuples", "config", "soul", "wiring", "apps"),
        "adapters",
    },
    "almario_local": {"plugins", "errors", "domain", "named_tuples", "ports", "adapters", "wiring", "apps"},
    "almario_postgres": {
        *("plugins", "errors", "domain", "named_tuples", "config", "ports", "adapters", "wiring", "apps"),
        *("store", "memory", "upkeep", "served"),
    },
    "almario_telegram": {"plugins", "errors", "domain", "named_tuples", "config", "soul", "wiring", "apps"},
}


def source(folder: Path) -> Path:
    return folder / "src" / folder.name.replace("-", "_")


def imports(folder: Path) -> set[str]:
    return {name for path in source(folder).rglob("*.py") for name in test_architecture.read(path).imports}


def test_there_are_packages_and_the_core_names_none_of_them() -> None:
    names = [source(folder).name for folder in FOLDERS]
    core = [path.read_text() for path in (PROJECT / "src" / "almario").rglob("*.py")]

    assert names == sorted(LEANS_ON)
    assert [name for name in names if any(name in text for text in core)] == []


@each_row("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_package_leans_on_what_it_says_and_on_no_other_package(folder: Path) -> None:
    ours = {name.split(".")[0] for name in imports(folder) if name.startswith("almario_")}
    rooms = {name.split(".")[1] for name in imports(folder) if name.startswith("almario.")}

    assert ours <= {source(folder).name}
    assert rooms == LEANS_ON[source(folder).name]


@each_row("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_package_speaks_spanish_without_being_loaded(folder: Path) -> None:
    spanish = next(each.spanish for each in catalogues() if each.path.parent == source(folder))

    assert [english for english, own in spanish.items() if say("es", english) != own] == []
