"""`python -m benchmarks.mcp_start`: how soon `almario mcp` has answered its first `tools/list`.

A program that connects its servers in the background does without one that is slow. What counts is
the computing time of the server until the answer has come, as other programs may keep the machine busy.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

import almario

RUNS = 7
# At most so many seconds.
BAR = 0.5
_START = "import sys; from almario.__main__ import main; sys.exit(main())"
_MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
# What a client says first, in each era; the last line is the list.
OPENINGS: dict[str, list[dict[str, Any]]] = {
    "2026-07-28": [
        {"id": 1, "method": "server/discover", "params": {"_meta": _MODERN}},
        {"id": 2, "method": "tools/list", "params": {"_meta": _MODERN}},
    ],
    "2025-11-25": [
        {"id": 1, "method": "initialize", "params": _HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ],
}


def measured(home: Path, era: str) -> float:
    """Return the seconds of computing until the tools are listed."""
    environment = os.environ | {"ALMARIO_HOME": str(home), "ALMARIO_EMBEDDER_NAME": "none"}
    command = [sys.executable, "-c", _START, "mcp"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answer = _asked(server.stdin, server.stdout, OPENINGS[era])
        took = _cpu_seconds(server.pid)
        server.stdin.close()
    assert answer["result"]["tools"]
    return took


def _asked(to: IO[bytes], back: IO[bytes], said: list[dict[str, Any]]) -> Any:
    answer = b"{}"
    for each in said:
        to.write(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n")
        to.flush()
        answer = back.readline() if "id" in each else answer
    return json.loads(answer)


def _cpu_seconds(pid: int) -> float:
    """Return the computing time of a process so far; Linux tells it in a file."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the median for each era beside the bar."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        almario.create(home).close()
        measured(home, "2025-11-25")  # compiles
        print("| era | tools listed after | at most |\n|---|---:|---:|")
        for era in OPENINGS:
            seconds = statistics.median(measured(home, era) for _ in range(RUNS))
            print(f"| {era} | {seconds:.2f} s of computing | {BAR} s |")


if __name__ == "__main__":
    main()
