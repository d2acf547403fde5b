"""Settings: from the files, the environment and the arguments to frozen values.

An argument beats the environment, which beats agent.toml, which beats
almario.toml, which beats the default. A key that nobody knows is an error,
and in the environment a warning.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from almario.becoming.settings import GoalSettings, ProposalSettings, ReflectionSettings
from almario.config.checks import ARGUMENT, STORE, checked, fit_to_show, wrong, zone_named
from almario.config.sections import Plugins, is_section, plugins, sections
from almario.config.toml_files import paths_in, read_toml, tables_in
from almario.conversation.settings import (
    FlushSettings,
    HookSettings,
    ModelSettings,
    PromptSettings,
    SessionSettings,
    SoulSettings,
    ToolSettings,
)
from almario.domain.installing import to_install
from almario.domain.logs import Log
from almario.domain.messages import LANGUAGES, Sentence, language_of
from almario.domain.options import Group, Option, group, option, variable_of
from almario.domain.plain_text import nearest, regex
from almario.entry_points import OF_PACKAGES
from almario.errors import ConfigError
from almario.memory.settings import (
    AutoRecallSettings,
    ConsolidationSettings,
    EmbedderSettings,
    MemorySettings,
    SearchSettings,
)
from almario.named_tuples import NamedTuple
from almario.ports import OwnSettings
from almario.store.home import OWN_FILE, SETTINGS_FILE, expanded
from almario.store.settings import LockSettings, VersionSettings, WatchSettings
from almario.text.settings import RedactionSettings
from almario.upkeep.settings import BackupSettings, DaemonSettings, ServeSettings

HOME_FILE, AGENT_FILE = SETTINGS_FILE, OWN_FILE
DEFAULT = "default"
# Variables that are no setting: where things lie; and by their ending, what must not be in a file.
NO_SETTINGS = ("ALMARIO_HOME", "ALMARIO_CACHE", "ALMARIO_SERVER")
_PREFIX = "ALMARIO_"
Section = TypeVar("Section", bound=Group)
# What settings in older files were called.
_RENAMED = {"prompt.core_tokens": "prompt.memory_tokens"}
# What older files may still set, and nothing reads: what does it now, and what is the same for everybody.
_REPLACED = dict.fromkeys(
    ("prompt.coming_tokens", "prompt.recent_day_tokens", "auto_recall.max_chars"), "prompt.memory_tokens"
) | {
    "backup.recipients": "almario backup --to -",
    **dict.fromkeys(("drift.enabled", "drift.warn", "drift.probes"), "almario proposals"),
    **dict.fromkeys(
        ("consolidation.history_lines", "consolidation.daily_log_lines"), "consolidation.condense"
    ),
    "gateway.memory_tool": "almario mcp",
    "memory.aliases": "almario memory tidy",
    "memory.cues": "almario memory tidy",
    "memory.portrait": "almario about",
    "flights.days": "almario sessions show",
    "redaction.phones": "almario keep",
    "redaction.region": "timezone",
    "search.chunk_overlap": "search.chunk_tokens",
    "sessions.index_on_start": "sessions.index",
    **dict.fromkeys(("watch.patience", "watch.rescan"), "watch.debounce"),
    **dict.fromkeys(("search.fusion", "search.word_weight"), "search.meaning_weight"),
}
# Why they are gone, if that is more than that something else does it.
_WHY = {
    **dict.fromkeys(
        ("prompt.coming_tokens", "prompt.recent_day_tokens", "auto_recall.max_chars"),
        Sentence("all that is told of memory has one budget"),
    ),
    **dict.fromkeys(
        ("search.fusion", "search.word_weight"),
        Sentence("scores are fitted chances, unless you set what meaning weighs; words weigh the rest"),
    ),
}
# What other systems call theirs, and what that was, or is, here.
_ELSEWHERE = {
    **dict.fromkeys(("auto_rag.max_results", "max_recall", "memory.max_recall"), "auto_recall.limit"),
    **dict.fromkeys(("auto_rag.max_content_chars", "auto_recall.max_content_chars"), "auto_recall.max_chars"),
    **dict.fromkeys(("versioning.max_versions_per_file", "versions.max_per_file"), "versions.keep"),
    **dict.fromkeys(("search.vector_weight", "vector_weight"), "search.meaning_weight"),
    **dict.fromkeys(
        ("search.keyword_weight", "keyword_weight", "search.text_weight", "text_weight"), "search.word_weight"
    ),
    "search.embedding_model": "embedder.model",
    "session_memory.enabled": "sessions.index",
    "cleanup_interval_hours": "memory.purge_after",
    "memory_file_watch_enabled": "watch.enabled",
    "conversation_max_messages": "sessions.window",
}
# What they let be set, and nothing here does: why, and what to look at.
_NEVER = "{key} is not a setting: {why}; see {now}"
_NOWHERE = {
    **dict.fromkeys(
        ("consolidation.threshold", "similarity_threshold", "dedup_threshold"),
        (Sentence("no likeness decides whether two memories are the same"), "almario memory tidy"),
    ),
    **dict.fromkeys(
        ("watch.inotify", "inotify", "watchfiles"),
        (Sentence("files are looked at every two seconds, and before each command"), "watch.debounce"),
    ),
    **dict.fromkeys(
        ("soul.dir", "memory_dir"),
        (Sentence("each agent's folder is set when it is made"), "almario init --path"),
    ),
}
_HUMP = regex("(?<=[a-z])(?=[A-Z])")
_FIXED = (
    "goals.stale_days",
    *(f"prompt.{file}_tokens" for file in ("identity", "soul", "motivations", "goals", "user", "behaviour")),
    *("prompt.instructions_tokens", "prompt.corrections_tokens", "prompt.coming_days"),
    *("memory.many", "embedder.timeout", "embedder.batch"),
    *("llm.local_context", "llm.local_idle_minutes", "llm.retries", "llm.max_tokens", "llm.tool_rounds"),
    *("hooks.show_count", "hooks.max_chars", "flush.quit_seconds", "consolidation.new_facts"),
    *("proposals.days", "reflection.max_chars", "daemon.log_bytes", "daemon.log_files", "daemon.workers"),
)
_GONE = dict.fromkeys(_FIXED, "") | {key: f" → {now}" for key, now in _REPLACED.items()}
_SECRETS = ("_KEY", "_TOKEN", "_PASSPHRASE")


class Settings(Group):
    """Every setting there is."""

    language: str = option(
        "auto", "The language Almario speaks to you; auto is your system's.", choices=("auto", *LANGUAGES)
    )
    timezone: str = option("auto", "The zone that decides which day it is; auto is the system's.")
    agent: str = option("", "The agent to use when you name none.", home_only=True)
    store: str = option(
        "", "Where your agents are kept: postgres://…; empty is folders in the home.", home_only=True
    )
    soul: SoulSettings = group(SoulSettings)
    versions: VersionSettings = group(VersionSettings)
    goals: GoalSettings = group(GoalSettings)
    prompt: PromptSettings = group(PromptSettings)
    locks: LockSettings = group(LockSettings)
    memory: MemorySettings = group(MemorySettings)
    redaction: RedactionSettings = group(RedactionSettings)
    search: SearchSettings = group(SearchSettings)
    embedder: EmbedderSettings = group(EmbedderSettings)
    auto_recall: AutoRecallSettings = group(AutoRecallSettings)
    llm: ModelSettings = group(ModelSettings)
    tools: ToolSettings = group(ToolSettings)
    sessions: SessionSettings = group(SessionSettings)
    hooks: HookSettings = group(HookSettings)
    flush: FlushSettings = group(FlushSettings)
    consolidation: ConsolidationSettings = group(ConsolidationSettings)
    proposals: ProposalSettings = group(ProposalSettings)
    reflection: ReflectionSettings = group(ReflectionSettings)
    daemon: DaemonSettings = group(DaemonSettings)
    backup: BackupSettings = group(BackupSettings)
    serve: ServeSettings = group(ServeSettings)
    watch: WatchSettings = group(WatchSettings)

    def of_plugin(self, name: str, kind: type[Section]) -> Section:
        """Return the section of a plug-in, by default if nothing in it is set."""
        return getattr(self, name, None) or kind()


class ShownSetting(NamedTuple):
    """A setting: its value in force, as it may be shown, and where that came from."""

    option: Option
    value: Any
    origin: str

    @property
    def key(self) -> str:
        return self.option.key

    @property
    def default(self) -> Any:
        return self.option.default

    @property
    def about(self) -> Sentence:
        return Sentence(self.option.limits.doc)

    @property
    def allowed(self) -> Sentence:
        return self.option.allowed

    @property
    def is_set(self) -> bool:
        """Whether a file has it, from which it can be taken out."""
        return self.origin in (SETTINGS_FILE, AGENT_FILE)

    @property
    def is_fixed(self) -> bool:
        """Whether something beats the files."""
        return not self.is_set and self.origin != DEFAULT


class Config(NamedTuple):
    """The settings in force, and where each value came from."""

    settings: Settings
    origins: Mapping[str, str]
    paths: Mapping[str, Path]
    # What the home says where an agent's own settings say something else.
    overruled: Mapping[str, Any] = {}

    def value(self, key: str) -> Any:
        """Return the value in force."""
        option = known(key, ARGUMENT)
        return _value_of(self.settings, option.key, option.default)

    def of_owner(self, key: str) -> Any:
        """Return a value as it is without the agent's own settings, which may have come from anywhere."""
        option = known(key, ARGUMENT)
        if self.origins[option.key] != AGENT_FILE:
            return self.value(key)
        return self.overruled.get(option.key, option.default)

    def shown(self) -> dict[str, ShownSetting]:
        """Return every setting by its dotted key."""
        values = {each: _value_of(self.settings, each.key, each.default) for each in options(plugins())}
        return {
            each.key: ShownSetting(each, fit_to_show(each.key, value), self.origins[each.key])
            for each, value in values.items()
        }

    def values(self) -> dict[str, Any]:
        """Return every value in force by its dotted key, as it may be shown."""
        return {key: each.value for key, each in self.shown().items()}


@cache
def options(of: Plugins = ()) -> tuple[Option, ...]:
    """Return every setting, in the order they are declared; those of plug-ins come last."""
    return tuple(_options(_settings(of), ""))


@cache
def _by_key(of: Plugins = ()) -> dict[str, Option]:
    return {option.key: option for option in options(of)}


@cache
def _by_variable(of: Plugins = ()) -> dict[str, Option]:
    return {option.variable: option for option in options(of)}


@cache
def _sections() -> frozenset[str]:
    return frozenset(key.partition(".")[0] for key in _by_key() if "." in key)


@cache
def _settings(of: Plugins) -> type[Settings]:
    if not of:
        return Settings
    found = {name: made for name, made in sections(of).items() if name not in Settings.declared}

    class Extended(Settings):
        """Every setting there is, and those of plug-ins."""

    Extended.declared = {**Settings.declared, **found}
    for name, made in found.items():
        setattr(Extended, name, made.default)
    return Extended


def _is_broken(section: str) -> bool:
    return is_section(section) and section not in _settings(plugins()).declared


def _options(cls: type[Group], prefix: str) -> Iterator[Option]:
    for name, made in cls.declared.items():
        if issubclass(made.kind, Group):
            yield from _options(made.kind, f"{prefix}{name}.")
        else:
            yield Option(prefix + name, made.kind, made.default, made.limits)


def home_path(argument: str | Path | None) -> Path:
    """Return the home's folder: the argument's, ALMARIO_HOME's, or ~/.almario."""
    if argument is not None and not str(argument).strip():
        raise ConfigError("the home folder is empty; name one, or leave it out to use the default")
    return expanded(argument or os.environ.get("ALMARIO_HOME") or "~/.almario")


def load(
    home: Path,
    own: OwnSettings | None = None,
    *,
    environment: Mapping[str, str] = os.environ,
    arguments: Mapping[str, Any] | None = None,
) -> Config:
    """Read the settings for a home, or for one agent in it with settings of its *own*."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = defaultdict(lambda: DEFAULT)
    overruled: dict[str, Any] = {}
    tables = read_toml(home / SETTINGS_FILE)
    paths = paths_in(tables.pop("agents", {}), home)
    layers = [(SETTINGS_FILE, _flat(tables, SETTINGS_FILE))]
    if own is not None:
        layers.append((AGENT_FILE, _flat(tables_in(own), AGENT_FILE)))
    layers += _from_environment(environment)
    layers.append((ARGUMENT, dict(arguments or {})))
    for origin, found in layers:
        if gone := tuple(key for key in found if key in _GONE):
            _warn_of_gone(origin, gone)
        for key, value in found.items():
            if key in _GONE:
                continue
            if key in _RENAMED:
                _warn_of_renamed(key, origin)
            if key not in _by_key() and _is_broken(key.partition(".")[0]):  # and that was told
                continue
            option = known(key, origin)
            if origin == AGENT_FILE and option.key in values:
                overruled[option.key] = values[option.key]
            values[option.key] = checked(option, value, origin)
            origins[option.key] = origin
    every = _settings(() if values.keys() <= _by_key().keys() else plugins())
    return Config(_build(every, values), origins, paths, overruled)


def store_address(
    home: Path, *, environment: Mapping[str, str] = os.environ, arguments: Mapping[str, Any] | None = None
) -> str:
    """Return the database that keeps a home's agents, even if other settings are wrong; empty: folders do."""
    variable = _by_key()[STORE].variable
    layers: list[tuple[str, Mapping[str, Any]]] = [(ARGUMENT, arguments or {})]
    layers.append((variable, {STORE: environment[variable]} if variable in environment else {}))
    for origin, found in (*layers, (SETTINGS_FILE, read_toml(home / SETTINGS_FILE))):
        if STORE in found:
            return str(checked(known(STORE, origin), found[STORE], origin))
    return ""


def usual() -> Config:
    """Return the settings of somebody who has changed none."""
    return Config(Settings(), defaultdict(lambda: DEFAULT), {})


def language(config: Config, environment: Mapping[str, str] = os.environ) -> str:
    """Return the language in force, asking the locale if the settings do not say."""
    return language_of(config.settings.language, environment)


def zone(config: Config, environment: Mapping[str, str] = os.environ) -> tzinfo:
    """Return the owner's time zone."""
    return zone_named(config.settings.timezone, environment)


def region(config: Config, environment: Mapping[str, str] = os.environ) -> str:
    """Return the country whose telephone numbers are meant: the zone's, or the language's."""
    from almario.config.regions import region_of  # noqa: PLC0415 - only for text with numbers in it

    return region_of(zone(config, environment), language(config, environment))


def _flat(tables: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Turn nested tables into dotted keys, as deep as settings go."""
    sections, gone = _sections(), {key.partition(".")[0] for key in _GONE} - OF_PACKAGES.keys()
    flat: dict[str, Any] = {}
    for name, value in tables.items():
        is_known = name in sections or name in gone or is_section(name)
        if isinstance(value, dict) and (value or is_known):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        elif name in sections:
            raise wrong(file, Sentence("{key} is a section; write [{key}] above its settings", key=name))
        else:
            flat[name] = value
    if file == AGENT_FILE and "agents" in flat:
        raise wrong(file, Sentence("{key} belongs in almario.toml", key="agents"))
    return flat


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in sorted(name for name in environment if name.startswith(_PREFIX)):
        if name in NO_SETTINGS or name.endswith(_SECRETS):
            continue
        if gone := tuple(key for key in _GONE if variable_of(key) == name):
            _warn_of_gone(name, gone)
        elif found := _by_variable().get(name) or _by_variable(plugins()).get(name):
            yield name, {found.key: found.parse(environment[name])}
        else:
            _warn_of(name)


@cache
def _warn_of_renamed(key: str, origin: str) -> None:
    Log(__name__).warning("%s: %s is now called %s", origin, key, _RENAMED[key])


@cache
def _warn_of_gone(origin: str, keys: tuple[str, ...]) -> None:
    now = ", ".join(f"{key}{_GONE[key]}" for key in keys)
    Log(__name__).warning("%s has what is no setting any more, and can be taken out: %s", origin, now)


@cache
def _warn_of(variable: str) -> None:
    """Say once that a variable in the environment is ignored: it may be another program's."""
    log = Log(__name__)
    names = (name.removeprefix(_PREFIX) for name in [*(each.variable for each in options()), *NO_SETTINGS])
    if close := nearest(variable.removeprefix(_PREFIX), names):
        meant = _PREFIX + close
        log.warning("the environment variable %s is not a setting; did you mean %s?", variable, meant)
    else:
        log.warning("the environment variable %s is not a setting, and is ignored", variable)


def parsed_argument(text: str) -> tuple[str, Any]:
    """Read a `key=value` argument."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError('"{text}" is not a setting; write key=value', text=text)
    option = known(key, ARGUMENT)
    return option.key, option.parse(value)


def known(key: str, origin: str) -> Option:
    """Return the setting with that key, or that was once called so, which may stand in *origin*."""
    own = _RENAMED.get(key, key)
    if found := _by_key().get(own) or _by_key(plugins()).get(own):
        if found.limits.home_only and origin == AGENT_FILE:
            raise wrong(origin, Sentence("{key} belongs in almario.toml", key=key))
        return found
    raise unknown_key(key, origin)


def is_retired(key: str) -> bool:
    """Return whether a key was a setting once, and does nothing any more."""
    return key in _GONE


def unknown_key(key: str, origin: str) -> ConfigError:
    """Return the error for a key that is no setting, with the nearest that is, or with what is so now."""
    return wrong(origin, _unknown(key))


def _unknown(key: str) -> Sentence:
    plain = _HUMP.sub("_", key).lower()
    meant = _ELSEWHERE.get(plain, plain)
    if meant in _WHY or meant in _NOWHERE:
        is_gone = meant in _WHY
        sentence = "{key} is no setting any more: {why}; see {now}" if is_gone else _NEVER
        why, now = (_WHY[meant], _REPLACED[meant]) if is_gone else _NOWHERE[meant]
        return Sentence(sentence, key=key, why=why, now=now)
    if key in _REPLACED:
        return Sentence("{key} is no setting any more; see {now}", key=key, now=_REPLACED[key])
    if key in _FIXED:
        return Sentence("{key} is no setting any more; it is the same for everybody", key=key)
    section = key.partition(".")[0]
    if package := OF_PACKAGES.get(section):
        sentence = "{key} needs the package {package}: {line}"
        return Sentence(sentence, key=section, package=package, line=to_install(package))
    if close := nearest(meant, _by_key(plugins())):
        return Sentence("{key} is not a setting; did you mean {close}?", key=key, close=close)
    return Sentence('{key} is not a setting; "almario config" lists them', key=key)


def _build(cls: type[Group], values: Mapping[str, Any]) -> Any:
    chosen: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = defaultdict(dict)
    for key, value in values.items():
        name, dot, rest = key.partition(".")
        if dot:
            inner[name][rest] = value
        else:
            chosen[name] = value
    return cls(**chosen, **{name: _build(cls.declared[name].kind, found) for name, found in inner.items()})


def _value_of(settings: Settings, key: str, default: Any) -> Any:
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name, default)
    return value
