"""Facts of older forms of core memory, which were folded into MEMORY.md: nobody knows whose word they are."""

import os
import re

from almario.errors import AlmarioError
from almario.memory.rules.mirror import Fact, parse, same
from almario.store import files
from almario.store.vault import Vault

_FOLDERS = ("memory", "memory/archive")
_NAME = re.compile(r"(?:legacy|MEMORY)(?:-\d+)?\.md")


def older_facts(vault: Vault) -> set[Fact]:
    """Return what such files say, where they lie and where they were moved to, as facts are compared."""
    facts: set[Fact] = set()
    for folder in _FOLDERS:
        place = vault.root / folder
        with files.reading(place):
            names = sorted(os.listdir(place)) if place.is_dir() else []
        for name in filter(_NAME.fullmatch, names):
            try:
                parsed = parse(vault.read(f"{folder}/{name}").text)
            except AlmarioError:  # told by whoever folds it
                continue
            facts |= {same(line.key, line.value) for line in parsed.facts}
    return facts
