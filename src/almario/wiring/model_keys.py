"""The keys of providers, for who does not put them into the environment; and where any key may go.

The system's keyring keeps them if there is one, else `.keys.json` in the home, which only the owner can read.
That file also says which keys the keyring has, so that nobody loads it who kept none there. The key of an
endpoint of one's own is kept with its scheme, host and port, and goes nowhere else, whoever names an address.
"""

import json
import os
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from almario.adapters.addresses import OWN_KEY, Endpoint, origin_of
from almario.adapters.keyring import ask_keyring
from almario.adapters.llm.finding import AUTO, NONE, PROVIDERS, Surroundings, endpoint_of
from almario.config import HOME_FILE, Config
from almario.config.toml_files import read_toml
from almario.conversation.settings import ModelSettings
from almario.domain.logs import Log
from almario.errors import ConfigError, SoulError
from almario.store.files import make_folder, overwrite
from almario.wiring.models import models

FILE = ".keys.json"
# What stands for an endpoint of one's own, which speaks as this provider does.
ADDRESS, OPENAI = "address", "openai"
VARIABLES = (*(each.variable for each in PROVIDERS.values() if each.variable), OWN_KEY)
# Sets one setting, or takes it out for None.
Change = Callable[[str, str | None], object]
Place = Literal["environment", "keyring", "file", ""]
log = Log(__name__)


def with_keys(root: Path | None, config: Config) -> Mapping[str, str]:
    """Return the environment, with the keys that are kept for a home, as far as they may be used.

    What is set in the environment comes first. Of keys for an endpoint of one's own there is only that for
    `llm.url`.
    """
    environment = environment_for(config, {OWN_KEY: "llm.url"})
    if root is None:
        return environment
    return ChainMap(environment, _Kept(root, config.settings.llm.url))  # type: ignore[arg-type]


def environment_for(config: Config, keys: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment without the *keys* whose address, named by a setting, an agent itself has set.

    Whoever sets a key there means the address that the home's settings, the environment or the command line
    name; an agent's own settings may have come with a copy of it.
    """
    away = {variable for variable, setting in keys.items() if not is_owners(config, setting)}
    if not away:
        return os.environ
    return {name: value for name, value in os.environ.items() if name not in away}


def is_owners(config: Config, setting: str) -> bool:
    """Return whether an address in the settings is the owner's, or at least on the same host."""
    now, owners = config.value(setting), config.of_owner(setting)
    return now == owners or origin_of(now) == origin_of(owners) != ""


class _Kept(Mapping[str, str]):
    """The kept keys by the variables that they stand for, each read when it is asked for."""

    def __init__(self, root: Path, url: str) -> None:
        self._root = root
        self._url = url

    def __getitem__(self, variable: str) -> str:
        name, listed = _name_of(variable, self._url), _listed(self._root)
        found = listed[name]
        if found is None:
            found = ask_keyring("get_password", self._root, name)
        if not found:
            raise KeyError(variable)
        return found

    def __iter__(self) -> Iterator[str]:
        listed = _listed(self._root)
        return (each for each in VARIABLES if _name_of(each, self._url) in listed)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def place_of(root: Path, variable: str) -> Place:
    """Say where a key is; empty if there is none."""
    if os.environ.get(variable, "").strip():
        return "environment"
    listed = _listed(root)
    kept = [value for name, value in listed.items() if _variable_of(name) == variable]
    return "" if not kept else "keyring" if None in kept else "file"


def hosts_of(root: Path, variable: str) -> list[str]:
    """Return the hosts for which a key of one's own is kept."""
    return [name.partition(" ")[2] for name in _listed(root) if name.startswith(f"{variable} ")]


def keep_key(root: Path, variable: str, key: str, url: str = "") -> None:
    """Keep a key in the place of the one that was kept; that of an endpoint of one's own is for its *url*."""
    _check(variable)
    if variable == OWN_KEY and not origin_of(url):
        raise ConfigError("llm.url is not an address such as {example}", example=PROVIDERS["ollama"].url)
    _write(root, _name_of(variable, url), key)


def forget_key(root: Path, variable: str) -> None:
    """Forget a key, for whichever host it is."""
    _check(variable)
    for name in [name for name in _listed(root) if _variable_of(name) == variable]:
        _write(root, name, "")


def _check(variable: str) -> None:
    if variable not in VARIABLES:
        sentence = "{variable} is not the key of a provider; those are {known}"
        raise SoulError(sentence, variable=variable, known=", ".join(VARIABLES))


def _write(root: Path, name: str, key: str) -> None:
    listed = _listed(root)
    if name in listed and listed.pop(name) is None:
        ask_keyring("delete_password", root, name)
    if key:
        is_in_keyring = ask_keyring("set_password", root, name, key) is not None
        listed[name] = None if is_in_keyring else key
    make_folder(root)
    overwrite(root / FILE, json.dumps(listed, indent=1).encode())


def endpoint_named(provider: str, settings: ModelSettings) -> Endpoint:
    """Return where a provider's key goes, or that of the model that talks; SoulError if it needs none.

    The provider may be "address", for an endpoint of one's own at `llm.url`.
    """
    first = settings.model.partition(",")[0].strip()
    own = OPENAI if settings.url or provider == ADDRESS else ""
    name = own if provider == ADDRESS else provider or (own if first in ("", AUTO, NONE) else first)
    if not name or (provider == ADDRESS and not settings.url):
        known = ", ".join((*(name for name, each in PROVIDERS.items() if each.variable), ADDRESS))
        raise SoulError("say whose key it is: {known}; or set llm.model or llm.url", known=known)
    around = Surroundings(url=settings.url, environment={})
    found = endpoint_of(name, around, "llm.model") if name.partition("/")[0] in PROVIDERS else None
    if found is None or not found.variable:
        raise SoulError("{provider} needs no key", provider=name)
    return found


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
        keep_key(root, endpoint_named(name, ModelSettings(url=url)).variable, key, url)
    change("llm.url", url or None)
    change("llm.model", whole)


def _name_of(variable: str, url: str) -> str:
    """Return the name under which a key is kept."""
    return f"{variable} {origin_of(url)}" if variable == OWN_KEY else variable


def _variable_of(name: str) -> str:
    return name.partition(" ")[0]


def _listed(root: Path) -> dict[str, str | None]:
    """Return what is kept: each key by its name, or None for one that the keyring has."""
    try:
        found = json.loads((root / FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not _is_ours(found):
        return {}
    listed = {name: value for name, value in found.items() if _variable_of(name) in VARIABLES}
    return _with_hosts(root, listed) if OWN_KEY in listed else listed


def _with_hosts(root: Path, listed: dict[str, str | None]) -> dict[str, str | None]:
    """Give a key that was kept without a host that of the home's own setting; till then it goes nowhere."""
    url = read_toml(root / HOME_FILE).get("llm", {}).get("url", "")
    if not isinstance(url, str) or not origin_of(url):
        return listed
    name, key = _name_of(OWN_KEY, url), listed.pop(OWN_KEY)
    if key is None:
        if not (found := ask_keyring("get_password", root, OWN_KEY)):  # it is locked
            return listed
        key = None if ask_keyring("set_password", root, name, found) is not None else found
        ask_keyring("delete_password", root, OWN_KEY)
    listed[name] = key
    overwrite(root / FILE, json.dumps(listed, indent=1).encode())
    log.warning(
        "the key that was kept for an endpoint of your own goes to %s alone from now on", origin_of(url)
    )
    return listed


def _is_ours(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(each, str | None) for each in found.values())
