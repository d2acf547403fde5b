"""The keys of providers, for who does not put them into the environment.

The system's keyring keeps them if there is one, else `.keys.json` in the home, which only the owner can read.
That file also says which keys the keyring has, so that nobody loads it who kept none there.
"""

import json
import os
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from almario.adapters.keyring import ask_keyring
from almario.adapters.llm.finding import AUTO, NONE, OWN_KEY, PROVIDERS, Surroundings, endpoint_of
from almario.conversation.settings import ModelSettings
from almario.errors import SoulError
from almario.store.files import make_folder, overwrite
from almario.wiring.models import models

FILE = ".keys.json"
# What stands for an endpoint of one's own, which speaks as this provider does.
ADDRESS, OPENAI = "address", "openai"
VARIABLES = (*(each.variable for each in PROVIDERS.values() if each.variable), OWN_KEY)
# Sets one setting, or takes it out for None.
Change = Callable[[str, str | None], object]
Place = Literal["environment", "keyring", "file", ""]


def with_keys(root: Path | None) -> Mapping[str, str]:
    """Return the environment, with the keys that are kept for a home; what is set there comes first."""
    return ChainMap(os.environ, _Kept(root)) if root else os.environ  # type: ignore[arg-type]


class _Kept(Mapping[str, str]):
    """The kept keys by the variables that they stand for, each read when it is asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __getitem__(self, variable: str) -> str:
        found = _listed(self._root)[variable]
        if found is None:
            found = ask_keyring("get_password", self._root, variable)
        if not found:
            raise KeyError(variable)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_listed(self._root))

    def __len__(self) -> int:
        return len(_listed(self._root))


def place_of(root: Path, variable: str) -> Place:
    """Say where a key is; empty if there is none."""
    if os.environ.get(variable, "").strip():
        return "environment"
    listed = _listed(root)
    return "" if variable not in listed else "keyring" if listed[variable] is None else "file"


def keep_key(root: Path, variable: str, key: str) -> None:
    """Keep a key in the place of the one that was kept; an empty one is forgotten."""
    if variable not in VARIABLES:
        sentence = "{variable} is not the key of a provider; those are {known}"
        raise SoulError(sentence, variable=variable, known=", ".join(VARIABLES))
    listed = _listed(root)
    if variable in listed and listed.pop(variable) is None:
        ask_keyring("delete_password", root, variable)
    if key:
        is_in_keyring = ask_keyring("set_password", root, variable, key) is not None
        listed[variable] = None if is_in_keyring else key
    make_folder(root)
    overwrite(root / FILE, json.dumps(listed, indent=1).encode())


def keep_for(root: Path, before: str, after: str) -> None:
    """Forget the key of an endpoint of one's own where another address takes its place."""
    if after and after != before:
        keep_key(root, OWN_KEY, "")


def set_model(
    root: Path, change: Change, provider: str, *, model: str = "", url: str = "", key: str = ""
) -> None:
    """Choose the model that talks, for all agents, and keep its key; what is wrong is told before that.

    *change* sets a setting of the home. The provider may also be "auto", "none", or "address" for an
    endpoint of one's own at *url*.
    """
    name = OPENAI if provider == ADDRESS else provider
    if url and provider != ADDRESS:
        sentence = 'an address goes only with the provider "{address}", not with {provider}'
        raise SoulError(sentence, address=ADDRESS, provider=provider)
    if provider == ADDRESS and not url:
        example = PROVIDERS["ollama"].url
        raise SoulError("say at which address the model is, such as {example}", example=example)
    whole = f"{name}/{model}" if model else name
    if whole not in (AUTO, NONE):
        models(ModelSettings(model=whole, url=url), {})
    if key:
        around = Surroundings(url=url, environment={})
        variable = endpoint_of(name, around, "llm.model").variable if name in PROVIDERS else ""
        if not variable:
            raise SoulError("{provider} needs no key", provider=provider)
        keep_key(root, variable, key)
    change("llm.url", url or None)
    change("llm.model", whole)


def _listed(root: Path) -> dict[str, str | None]:
    """Return what is kept: each key, or None for one that the keyring has."""
    try:
        found = json.loads((root / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return {name: value for name, value in found.items() if name in VARIABLES} if _is_ours(found) else {}


def _is_ours(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(each, str | None) for each in found.values())
