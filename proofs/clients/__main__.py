"""Connect the real programs and have them talk with scripted models: `make clients`."""

import argparse
import sys
import time
import traceback
from pathlib import Path

from proofs.clients import claude_code, codex, inspector, others, plugin, sdk
from proofs.clients.machine import install, machine

CHECKS = {
    "claude-code": claude_code.check,
    "codex": codex.check,
    "claude-code-acts": claude_code.check_at_the_act,
    "codex-acts": codex.check_at_the_act,
    "plugin": plugin.check,
    "openclaw": others.check_openclaw,
    "gemini": others.check_gemini,
    "inspector": inspector.check,
    "sdk": sdk.check,
}


def main() -> int:
    """Run the checks that are named, or all; return 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m proofs.clients", description=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    beside = Path(sys.executable).with_name("almario")
    parser.add_argument(
        "--almario", type=Path, default=beside, help="the command to test (default: %(default)s)"
    )
    given = parser.parse_args()
    install()
    failed = 0
    for name in given.checks or CHECKS:
        started = time.monotonic()
        try:
            with machine(given.almario.absolute()) as user:
                said = CHECKS[name](user)
        except Exception:  # noqa: BLE001 - the others are checked too
            failed += 1
            said = f"FAILED\n{traceback.format_exc()}"
        print(f"{name} ({time.monotonic() - started:.0f} s): {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
