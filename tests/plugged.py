"""Packages with plug-ins, laid out as an installer would, without one."""

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).parent.parent
EXAMPLES = PROJECT / "examples" / "plugins"


def entry_points(project: Path) -> dict[str, dict[str, str]]:
    """Return what a project's pyproject.toml brings, by group and name."""
    points = tomllib.loads((project / "pyproject.toml").read_text())["project"]["entry-points"]
    return {group: dict(brought) for group, brought in points.items()}


class Site:
    """A folder of packages, laid out as an installer would, and within reach of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(
        self,
        package: str,
        points: Mapping[str, Mapping[str, str]],
        origin: Mapping[str, object] | None = None,
        **modules: str,
    ) -> None:
        """Bring a package: its entry points by group and name, where it is from, and its modules."""
        info = self.folder / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        groups = (
            [f"[{group}]", *(f"{n} = {at}" for n, at in each.items())] for group, each in points.items()
        )
        (info / "entry_points.txt").write_text("\n".join(line for lines in groups for line in lines))
        if origin:
            (info / "direct_url.json").write_text(json.dumps(origin))
        for name, text in modules.items():
            (self.folder / f"{name}.py").write_text(text)
        # What is installed is looked for once for each path: another package is another path.
        sys.path.insert(0, str(self.folder))

    def put_example(self, package: str) -> None:
        """Bring one of the examples."""
        [module] = (EXAMPLES / package).glob("*.py")
        self.put(package, entry_points(EXAMPLES / package), None, **{module.stem: module.read_text()})
