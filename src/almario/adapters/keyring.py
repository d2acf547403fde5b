"""The system's keyring, if there is one: it keeps the keys of providers, and the token of a server."""

from pathlib import Path


def ask_keyring(verb: str, root: Path, variable: str, *given: str) -> str | None:
    """Ask the system's keyring; None if there is none that works, or it has no such key."""
    try:
        import keyring.errors  # noqa: PLC0415 - optional, and only who has a key there needs it
    except ImportError:
        return None
    try:
        ring = keyring.get_keyring()
        if ring.priority < 1:  # it keeps nothing, or in plain text
            return None
        found = getattr(ring, verb)(f"almario {root}", variable, *given)
    except (keyring.errors.KeyringError, OSError, RuntimeError):  # it is locked, or its desktop is gone
        return None
    return "" if found is None else str(found)
