"""How long a model that runs on this machine takes to answer: `python -m benchmarks.local_model FILE.gguf`.

A new agent is talked with in three messages, the last two as further commands would send them.
"""

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import almario
from almario_local.model_process import ModelProcess
from almario_local.weights import take_file

MESSAGES = (
    "Hello! Who are you? One short sentence.",
    "What do you want most? One short sentence.",
    "Good night.",
)


def main(file: str) -> None:
    with TemporaryDirectory() as folder:
        os.environ["ALMARIO_CACHE"] = folder
        name = take_file(Path(file), Path(folder) / "models", lambda done, total: None)
        process = ModelProcess(Path(folder) / "models" / f"{name}.gguf")
        almario.create(Path(folder) / "home").close()
        for message in MESSAGES:
            talk(Path(folder) / "home", f"local/{name}", message, process)
        process.stop()


def talk(home: Path, model: str, message: str, process: ModelProcess) -> None:
    settings = {"llm.model": model}
    used = seconds_used(process)
    with almario.open(home, settings=settings | {"flush.enabled": False}) as soul:
        heard: list[float] = []
        began = time.perf_counter()
        answer = soul.talk(message, "cli:main", hear=lambda piece: heard.append(time.perf_counter()))
        whole = time.perf_counter() - began
    told, said, cached = answer.usage[:3]
    first = heard[0] - began if heard else whole
    print(
        f"first word {first:6.1f} s, whole {whole:6.1f} s, CPU {seconds_used(process) - used:6.1f} s; "
        f"{told} tokens told, {cached} of them from the cache, {said} said; {memory(process)} MB",
        flush=True,
    )


def seconds_used(process: ModelProcess) -> float:
    address = process.address()
    if address is None:
        return 0.0
    fields = Path(f"/proc/{address.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: ModelProcess) -> int:
    address = process.address()
    pages = Path(f"/proc/{address.pid}/statm").read_text().split()[1] if address else "0"
    return int(pages) * os.sysconf("SC_PAGE_SIZE") // 1_000_000


if __name__ == "__main__":
    main(sys.argv[1])
