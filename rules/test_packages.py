"""The packages of this repository: the core knows none of them by name, and each says what it leans on."""

import json
import re
from pathlib import Path

from almario.domain.messages import say
from rules import test_architecture
from rules.test_messages import ERRORS, OURS, SPANISH, places, sentences
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
        *("store", "memory", "upkeep"),
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
def test_every_sentence_of_a_package_is_said_in_spanish_without_loading_it(folder: Path) -> None:
    own = json.loads((source(folder) / "messages.es.json").read_text())
    errors = re.findall(r"^class (\w+)\(\w*(?:Error|Unavailable|Refused)\b", every_text(folder), re.MULTILINE)
    said = sentences(source(folder), {**OURS, **ERRORS, **dict.fromkeys(errors, (0,))}, named=("actor",))

    assert sorted(said - set(own) - set(SPANISH)) == []
    assert sorted(set(own) - said) == []
    assert [english for english, spanish in own.items() if places(english) != places(spanish)] == []
    assert [english for english, spanish in own.items() if say("es", english) != spanish] == []


def every_text(folder: Path) -> str:
    return "\n".join(path.read_text() for path in source(folder).rglob("*.py"))
