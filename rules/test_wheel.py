"""What is made as it is needed is in what users install."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from rules.test_architecture import PROJECT

STUB = "almario/client/typed_faces.pyi"


def test_the_types_of_the_clients_verbs_are_in_the_wheel(tmp_path: Path) -> None:
    (PROJECT / "src" / STUB).unlink(missing_ok=True)

    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)

    [wheel] = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        assert b"class WaitingMemory(" in archive.read(STUB)
    assert (PROJECT / "src" / STUB).is_file()


def test_the_image_is_built_with_what_makes_them() -> None:
    copied = (PROJECT / "Dockerfile").read_text()

    assert "hatch_build.py" in copied
    assert "!hatch_build.py\n" in (PROJECT / ".dockerignore").read_text()
