"""How many of the times that people tell are read as they mean them."""

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import almario.language
from almario.text.timewords import spans
from tests.language.time_expressions import NAMES, OTHERS, SPANISH_ENGLISH, Row
from tests.tables import each_row

HOURS = "2026-05-13 at half past four\n2026-05-13 a las seis menos cuarto\n2026-05-13 quarter to nine\n"


def _is_read(row: Row) -> bool:
    text, today, meant = row
    found = {(span.first, span.last) for span in spans(text, date.fromisoformat(today))}
    ends = (days.split("..") for days in meant)
    return found == {(date.fromisoformat(days[0]), date.fromisoformat(days[-1])) for days in ends}


@each_row(
    ("rows", "rate"),
    [(SPANISH_ENGLISH, 0.97), (OTHERS, 0.9), (NAMES, 0.97)],
)
def test_times_are_read_as_they_are_meant(rows: list[Row], rate: float) -> None:
    wrong = [row[0] for row in rows if not _is_read(row)]

    assert len(wrong) <= len(rows) * (1 - rate), wrong


ALONE = """
import sys
from datetime import date
from pathlib import Path
import almario.language
almario.language._FOLDER = Path(sys.argv[1])
from almario.text.times.clock import hours
from almario.text.timewords import spans
for line in sys.stdin.read().splitlines():
    day, _, text = line.partition(" ")
    print([span[:2] for span in spans(text, date.fromisoformat(day))], [hour.at for hour in hours(text)])
"""


def test_english_and_spanish_need_no_other_language(tmp_path: Path) -> None:
    """Each language's rows are its own: without those of Japanese, a space is still a space."""
    whole = Path(almario.language.__file__).parent
    own = shutil.copytree(whole, tmp_path / "two", ignore=shutil.ignore_patterns("??.toml", "*.py"))
    for code in ("en", "es"):
        shutil.copy(whole / f"{code}.toml", own)
    texts = "".join(f"{today} {text}\n" for text, today, _ in SPANISH_ENGLISH) + HOURS

    found = [
        subprocess.run(
            [sys.executable, "-c", ALONE, str(folder)],
            input=texts,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for folder in (whole, own)
    ]

    assert found[0] == found[1] != ""
