"""The examples of plug-ins, as an installer puts them in their place."""

import subprocess
import sys

import pytest

from almario.entry_points import installed
from tests.apps.test_plugins import GROUPS
from tests.plugged import EXAMPLES, PROJECT, Site


def test_each_example_installs_and_is_found(site: Site) -> None:
    pytest.importorskip("hatchling", reason="pip builds the examples with hatchling: pip install '.[test]'")
    packages = [str(each) for each in sorted(EXAMPLES.iterdir())]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(site.folder)]

    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options, *packages],
        check=True,
    )
    sys.path.insert(0, str(site.folder))

    known = [path.name for path in (PROJECT / "packages").iterdir()]
    found = [
        [name for name, each in installed(group).items() if each.package not in known] for group in GROUPS
    ]
    assert found == [["parrot"], ["trigrams"], ["dice"], ["diary"], ["csv"]]
    assert all(plugin.load() for group in GROUPS for plugin in installed(group).values())
