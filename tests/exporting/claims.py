"""An agent that has lived, and what there is to see of what went out of it."""

import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from almario.domain.memories import Memory
from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on


def agent(seconds: float = 0) -> Soul:
    clock = FixedClock()
    clock.advance(seconds=seconds)
    return soul_on(MemoryStore(clock), {"embedder.name": "none"})


@contextmanager
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def told(soul: Soul) -> set[tuple[object, ...]]:
    return {(m.key, m.value, m.kind, m.dated, cues(soul, m)) for m in soul.memory.list()}


def cues(soul: Soul, memory: Memory) -> tuple[str, ...]:
    return soul.memory.why(memory.id).cues


def live(soul: Soul) -> Soul:
    """Give an agent something of every sort: in use, replaced, forgotten, off the record, withheld."""
    soul.append("cli:main", "user", "I live in Soria")
    soul.append("cli:main", "assistant", "A cold town.")
    soul.remember("coffee: black", kind="fact")
    soul.remember("dentist: on 2027-03-04 at 10:00")
    soul.remember("answer in short sentences", kind="instruction")
    [tea] = [each for each in [soul.remember("tea: green").memory] if each]
    soul.remember("tea", "white", replaces=tea.id)
    [boat] = [each for each in [soul.remember("The boat has a new mast").memory] if each]
    soul.memory.change(boat.id, cues=["sailing", "the harbour"])
    soul.remember("shoe size: forty-one")
    soul.remember("shoe size", "forty-two", replaces=soul.memory.list()[-1].id)
    soul.forget("shoe size")
    soul.remember("the alarm code is maybe tundra-5591")
    soul.log("Fixed the boiler")
    soul.log("Saw Doctor Abril about the knee")
    soul.forget("Doctor Abril")
    soul.memory.leave_out([soul.append("cli:main", "user", "Zoilo owes me money").id])
    soul.off_record("cli:secret")
    soul.append("cli:secret", "user", "I hate my job at Quorum")
    line = json.dumps({"id": "0123456789ab", "value": "Vera has bees", "origin": "untrusted"})
    soul.memory.import_lines([line])
    soul.append("telegram:-7", "user", "Vera sells honey", origin="untrusted", speaker="Vera")
    return soul


def everything(path: Path) -> str:
    """All text of an export."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "\n".join(archive.read(name).decode() for name in archive.namelist())
    return path.read_text()
