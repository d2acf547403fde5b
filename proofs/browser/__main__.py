"""Say which Chromium `make browser` will use; where there is none, install Debian's."""

import os
import shutil
import subprocess

from proofs.browser.chromium import path_of_chromium


def install() -> None:
    """Install Debian's Chromium, if this is a machine on which that can be done."""
    if not shutil.which("apt-get"):
        return
    as_root = [] if os.geteuid() == 0 else ["sudo"] if shutil.which("sudo") else None
    if as_root is None:
        return
    print("There is no Chromium: apt-get installs Debian's.", flush=True)
    subprocess.run([*as_root, "apt-get", "update", "--quiet"], check=False)
    wanted = ["install", "--quiet", "--yes", "--no-install-recommends", "chromium"]
    subprocess.run([*as_root, "apt-get", *wanted], check=False)


def main() -> None:
    if not path_of_chromium():
        install()
    found = path_of_chromium()
    if not found:
        raise SystemExit("No Chromium is found, and none can be installed: name one with CHROMIUM=/path.")
    try:
        result = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as exc:
        raise SystemExit(f"{found} does not start: {exc}") from None
    print(f"{result.stdout.strip()}, {found}")


if __name__ == "__main__":
    main()
