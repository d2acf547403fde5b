"""The packages of this repository: the core knows none of them by name, and each says what it leans on."""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import almario
from almario import config
from almario.config import Settings
from almario.domain.installing import to_install
from almario.entry_points import OF_PACKAGES, installed, packages
from almario.errors import ConfigError
from tests.apps.conftest import Run
from tests.importing import exports
from tests.importing.exports import written
from tests.plugged import PROJECT, Site, entry_points
from tests.tables import each_row

OLD_BUNDLE = PROJECT / "tests" / "importing" / "exported_by_0_2" / "bundle.zip"
FOLDERS = sorted(path.parent for path in (PROJECT / "packages").glob("*/pyproject.toml"))


def source(folder: Path) -> Path:
    return folder / "src" / folder.name.replace("-", "_")


def project(folder: Path) -> dict[str, Any]:
    return dict(tomllib.loads((folder / "pyproject.toml").read_text())["project"])


@each_row("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_package_is_of_our_version_and_its_types_are_told(folder: Path) -> None:
    said = project(folder)

    assert (said["name"], said["version"]) == (folder.name, almario.__version__)
    assert re.fullmatch(rf"almario(\[\w+])?=={almario.__version__}", said["dependencies"][0])
    assert (source(folder) / "py.typed").exists()
    assert packages()[folder.name] == almario.__version__


@each_row("name", [name for each in FOLDERS for name in entry_points(each).get("almario.settings", ())])
def test_every_setting_of_a_package_is_on_the_page_of_settings(name: str) -> None:
    page = (PROJECT / "docs/settings.md").read_text()

    for key, made in installed("settings")[name].load().declared.items():
        assert f"| `{name}.{key}` | `{json.dumps(made.default)}` | {made.limits.doc} |" in page


def test_the_doctor_lists_them_with_their_versions(run: Run, furnished: Path) -> None:
    result = run("doctor").out.splitlines()[0]

    assert result.startswith("✓ packages: almario-")
    assert all(f"{folder.name} {almario.__version__}" in result for folder in FOLDERS)


@pytest.fixture
def bare(site: Site) -> None:
    """Nothing but the core is installed, from a wheel."""
    site.put("almario", {})
    for folder in FOLDERS:
        site.put(folder.name, {})


@pytest.mark.usefixtures("bare")
def test_who_lacks_a_package_is_told_which_one_it_is(run: Run, home: Path) -> None:
    home.mkdir()
    assert {*OF_PACKAGES.values()} == {folder.name for folder in FOLDERS}
    for word, package in OF_PACKAGES.items():
        if not word.isalpha() or word in Settings.declared:
            continue
        home.joinpath("almario.toml").write_text(f"[{word}]\nenabled = true\n")
        sentence = f"almario.toml: {word} needs the package {package}: pip install {package}"
        with pytest.raises(ConfigError, match=re.escape(sentence)):
            config.load(home, environment={})
    home.joinpath("almario.toml").unlink()
    for line, package in {
        "telegram list": "almario-telegram",
        "model get": "almario-local",
        "move work --to folder": "almario-postgres",
        "--set store=postgres://localhost/almario agents": "almario-postgres",
        "--set llm.model=claude-cli/x model": "almario-local",
    }.items():
        result = run(*line.split())
        assert result.code == 2
        assert f"needs the package {package}: pip install {package}" in result.err


@each_row(
    ("info", "package", "line"),
    [
        ({"editable": True}, "almario-postgres", "venv/bin/pip install -e packages/almario-postgres"),
        ({"editable": True}, "almario[mcp]", "venv/bin/pip install -e '.[mcp]'"),
        ({}, "almario-postgres", "venv/bin/pip install packages/almario-postgres"),
        (None, "almario-postgres", "pip install almario-postgres"),
        (None, "almario[mcp]", "pip install 'almario[mcp]'"),
    ],
)
def test_the_line_that_installs_a_package_works_where_almario_is_from(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    info: object,
    package: str,
    line: str,
) -> None:
    clone = tmp_path_factory.mktemp("my clone")
    for folder in ("packages", "site", "venv/bin"):
        (clone / folder).mkdir(parents=True)
    origin = {"url": clone.as_uri()} | ({"archive_info": {}} if info is None else {"dir_info": info})
    monkeypatch.syspath_prepend(clone / "site")
    Site(clone / "site").put("almario", {}, origin=origin)
    written(clone / "venv" / "bin" / "pip", b"")
    monkeypatch.setattr(sys, "executable", str(clone / "venv" / "bin" / "python"))
    monkeypatch.chdir(clone)

    assert to_install(package) == line
    (clone / "venv" / "bin" / "pip").unlink()
    assert to_install(package).startswith("pip " if info is None else "uv pip install --python ")


@pytest.mark.usefixtures("bare")
def test_the_core_alone_moves_its_own_agents_and_says_what_others_need(
    run: Run, furnished: Path, tmp_path: Path
) -> None:
    needed = "needs the package almario-formats: pip install almario-formats"
    exports.chatgpt(tmp_path / "chatgpt.zip")
    written(tmp_path / "x.bin", b"?")
    for line, sentence in {
        "import chatgpt.zip": f"chatgpt.zip looks like an export of ChatGPT or Claude, which {needed}",
        "import x.bin": f"x.bin is no bundle of Almario's; what other programs keep {needed}",
        "import chatgpt.zip --from chatgpt": 'there is no kind "chatgpt" here (bundle); those of other ',
        "export --as letta": 'there is no kind "letta"; known: zip, jsonl',
    }.items():
        words = [str(tmp_path / word) if "." in word else word for word in line.split()]
        result = run(*words)
        assert (result.code, result.err.count("\n"), sentence in result.err) == (2, 1, True), result.err
    run("remember", "The boat has a new mast")
    almario.create(furnished, "twin").close()
    path = str(tmp_path / "own.jsonl")
    assert run("export", "--as", "jsonl", "--to", path).code == 0
    assert "memories 1." in run("--agent", "twin", "import", path, "--yes").out
    assert "messages: 4), notes: 9" in run("--agent", "twin", "import", str(OLD_BUNDLE), "--yes").out
