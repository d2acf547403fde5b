"""Settings: the strongest source wins, and a mistake is named with its place and its mend."""

from functools import partial
from pathlib import Path

import pytest

from almario import config
from almario.errors import ConfigError
from almario.ports import OwnSettings
from almario.store.home import settings_content
from tests.tables import each_row


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    home, agent = tmp_path / "home", tmp_path / "home/agents/a"
    agent.mkdir(parents=True)
    return home, agent


def own(agent: Path) -> OwnSettings:
    file = agent / "agent.toml"
    return OwnSettings(str(file), settings_content(file))


def load(folders: tuple[Path, Path], **environment: str) -> config.Config:
    home, agent = folders
    return config.load(home, own(agent), environment=environment)


@each_row(
    "feature",
    ["soul", "search", "auto_recall", "flush", "versions", "watch", "consolidation", "reflection"],
)
def test_every_feature_has_its_switch(folders: tuple[Path, Path], feature: str) -> None:
    assert load(folders).values()[f"{feature}.enabled"] is True
    switched = load(folders, **{f"ALMARIO_{feature.upper()}_ENABLED": "off"})
    assert switched.values()[f"{feature}.enabled"] is False


def test_argument_beats_environment_beats_agent_beats_home_beats_default(folders: tuple[Path, Path]) -> None:
    home, agent = folders
    key = "prompt.recent_days"

    def now(environment: dict[str, str], arguments: dict[str, object]) -> tuple[object, str]:
        found = config.load(home, own(agent), environment=environment, arguments=arguments)
        return found.values()[key], found.origins[key]

    assert now({}, {}) == (2, "default")
    (home / "almario.toml").write_text("[prompt]\nrecent_days = 3\n")
    assert now({}, {}) == (3, "almario.toml")
    (agent / "agent.toml").write_text("[prompt]\nrecent_days = 4\n")
    assert now({}, {}) == (4, "agent.toml")
    assert now({"ALMARIO_PROMPT_RECENT_DAYS": "5"}, {}) == (5, "ALMARIO_PROMPT_RECENT_DAYS")
    assert now({"ALMARIO_PROMPT_RECENT_DAYS": "5"}, {key: 6}) == (6, "argument")


@each_row(
    ("text", "said"),
    [
        (
            "[prompt]\nrecnt_days = 3\n",
            "almario.toml: prompt.recnt_days is not a setting; did you mean prompt.recent_days?",
        ),
        ("zzz = 1\n", 'almario.toml: zzz is not a setting; "almario config" lists them'),
        (
            "[flush]\nthreshold = 'five'\n",
            "flush.threshold must be a whole number from 1 to 1000, not 'five'",
        ),
        ("[flush]\nthreshold = 0\n", "flush.threshold must be a whole number from 1 to 1000, not 0"),
        ("[flush]\nthreshold = true\n", "flush.threshold must be a whole number from 1 to 1000, not True"),
        ("[flush]\nenabled = 1\n", "flush.enabled must be true or false, not 1"),
        ("[search]\nmin_score = 1.5\n", "search.min_score must be a number from 0 to 1, not 1.5"),
        ("[search]\nmin_score = nan\n", "search.min_score must be a number from 0 to 1, not nan"),
        ('language = "fr"\n', "language must be one of auto, en, es, not 'fr'"),
        (
            'timezone = "Mars/Olympus"\n',
            "timezone must be a time zone such as Europe/Madrid, not 'Mars/Olympus'",
        ),
        ('timezone = "../../etc/passwd"\n', "timezone must be a time zone"),
        ("soul = true\n", "almario.toml: soul is a section; write [soul] above its settings"),
        ("[agents.x]\nfolder = 1\n", 'agents.x must have one key, path = "a folder"'),
        ('[agents.x]\npath = ""\n', 'agents.x must have one key, path = "a folder"'),
        (
            '[agents.x]\npath = "~nosuchuser/x"\n',
            "~nosuchuser/x names a home folder that is unknown on this machine",
        ),
        ('[agents."a b"]\npath = "/x"\n', "agents.a b is not a safe id, or one that is there already"),
        ('[agents.W]\npath = "/x"\n[agents.w]\npath = "/y"\n', "agents.w is not a safe id, or one that"),
        ("a = " + "[" * 3000, "is not valid TOML"),
        ("language = es\n", "is not valid TOML: Invalid value (at line 1, column 12)"),
    ],
)
def test_a_mistake_is_named_with_its_file_key_and_mend(
    folders: tuple[Path, Path], text: str, said: str
) -> None:
    (folders[0] / "almario.toml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        load(folders)

    assert said in str(caught.value)
    assert "almario.toml" in str(caught.value)


def test_what_belongs_in_the_homes_file_is_refused_in_the_agents(folders: tuple[Path, Path]) -> None:
    (folders[1] / "agent.toml").write_text('agent = "b"\n')

    with pytest.raises(ConfigError, match=r"agent\.toml: agent belongs in almario\.toml"):
        load(folders)


def test_a_variable_that_is_no_setting_is_told_once_with_the_nearest(
    folders: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        load(folders, ALMARIO_LANGUAJE="es")

    assert [record.getMessage() for record in caplog.records] == [
        "the environment variable ALMARIO_LANGUAJE is not a setting; did you mean ALMARIO_LANGUAGE?"
    ]


def test_where_things_lie_and_what_is_secret_is_no_setting(folders: tuple[Path, Path]) -> None:
    loaded = load(folders, ALMARIO_HOME="/h", ALMARIO_CACHE="/c", ALMARIO_EMBEDDER_API_KEY="secret")

    assert "secret" not in str(loaded)


def test_no_two_settings_share_a_variable() -> None:
    variables = [option.variable for option in config.options()]

    assert len(set(variables)) == len(variables)


def test_settings_of_older_files_are_read_and_told(
    folders: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    (folders[0] / "almario.toml").write_text(
        "[prompt]\ncore_tokens = 700\ncoming_tokens = 30\n[auto_recall]\nmax_chars = 900\n"
        '[search]\nfusion = "weighted"\n[memory]\ncues = "auto"\n'
    )

    assert load(folders).settings.prompt.memory_tokens == 700
    assert "prompt.core_tokens is now called prompt.memory_tokens" in caplog.text
    assert (
        "almario.toml has what is no setting any more, and can be taken out: prompt.coming_tokens → "
        "prompt.memory_tokens, auto_recall.max_chars → prompt.memory_tokens, search.fusion → "
        "search.meaning_weight, memory.cues → almario memory tidy" in caplog.text
    )


def test_what_is_no_setting_any_more_is_told_in_one_line_wherever_it_is_set(
    folders: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    (folders[0] / "almario.toml").write_text("[daemon]\nworkers = 9\nlog_files = 2\ndaily_tokens = 7\n")

    assert load(folders, ALMARIO_LLM_RETRIES="5").settings.daemon.daily_tokens == 7
    assert {record.getMessage() for record in caplog.records} == {
        "almario.toml has what is no setting any more, and can be taken out: daemon.workers, "
        "daemon.log_files",
        "ALMARIO_LLM_RETRIES has what is no setting any more, and can be taken out: llm.retries",
    }
    with pytest.raises(
        ConfigError, match=r"^config: memory\.many is no setting any more; it is the same for everybody$"
    ):
        config.known("memory.many", "config")
    with pytest.raises(ConfigError, match=r"redaction\.region is no setting any more; see timezone$"):
        config.parsed_argument("redaction.region=ES")


@each_row(
    ("key", "said"),
    [
        ("versioning.maxVersionsPerFile", "not a setting; did you mean versions.keep?"),
        ("autoRag.maxContentChars", "no setting any more: all that is told of memory has one budget; see "),
        ("search.vectorWeight", "not a setting; did you mean search.meaning_weight?"),
        ("search.keywordWeight", "no setting any more: scores are fitted chances, unless you set what"),
        ("autoRag.maxResults", "not a setting; did you mean auto_recall.limit?"),
        ("memoryFlush.threshold", "not a setting; did you mean flush.threshold?"),
        ("search.embeddingModel", "not a setting; did you mean embedder.model?"),
        ("sessionMemory.enabled", "not a setting; did you mean sessions.index?"),
        ("consolidation.threshold", "not a setting: no likeness decides whether two memories are the same; "),
        ("watch.inotify", "not a setting: files are looked at every two seconds, and before each command; "),
        ("soul.dir", "not a setting: each agent's folder is set when it is made; see almario init --path"),
        ("CONVERSATION_MAX_MESSAGES", "not a setting; did you mean sessions.window?"),
    ],
)
def test_a_setting_of_another_system_is_answered_with_what_does_the_same_or_why_it_is_gone(
    key: str, said: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        config.known(key, "config")

    assert str(refused.value).startswith(f"config: {key} is {said}")


def test_a_section_of_another_system_is_answered_by_its_settings(folders: tuple[Path, Path]) -> None:
    (folders[1] / "agent.toml").write_text("[autoRag]\nmaxResults = 3\n")

    with pytest.raises(
        ConfigError, match=r"^agent\.toml: autoRag\.maxResults is not a setting; did you mean"
    ):
        load(folders)


def test_a_settings_file_with_a_bom_is_read(folders: tuple[Path, Path]) -> None:
    (folders[0] / "almario.toml").write_bytes(b'\xef\xbb\xbflanguage = "es"\r\n')

    assert config.language(load(folders), {}) == "es"


def test_a_settings_file_that_is_not_utf8_is_refused(folders: tuple[Path, Path]) -> None:
    (folders[0] / "almario.toml").write_bytes(b'agent = "\xff"\n')

    with pytest.raises(ConfigError, match="is not UTF-8"):
        load(folders)


def test_the_zone_is_the_settings_or_the_systems(folders: tuple[Path, Path]) -> None:
    assert str(config.zone(load(folders), {"TZ": "Asia/Tokyo"})) == "Asia/Tokyo"
    assert str(config.zone(load(folders, ALMARIO_TIMEZONE="Europe/Madrid"), {})) == "Europe/Madrid"
    assert str(config.zone(load(folders), {"TZ": ":/usr/share/zoneinfo/Asia/Tokyo"})) == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("zone", "language", "region"),
    [
        ("Europe/Madrid", "en", "ES"),
        ("America/New_York", "es", "US"),
        ("US/Eastern", "en", "US"),
        ("UTC", "es", "ES"),
        ("UTC", "en", ""),
        ("JST-9", "en", ""),
    ],
)
def test_telephones_are_those_of_the_zone_or_else_of_the_language(
    folders: tuple[Path, Path], zone: str, language: str, region: str
) -> None:
    assert config.region(load(folders, ALMARIO_LANGUAGE=language), {"TZ": zone}) == region


def test_a_schedule_is_read_in_crons_words(folders: tuple[Path, Path]) -> None:
    found = load(folders, ALMARIO_REFLECTION_SCHEDULE="0 4 * * mon-fri")
    assert found.settings.reflection.schedule == "0 4 * * mon-fri"

    with pytest.raises(ConfigError, match=r"reflection\.schedule must be a time in cron's five fields"):
        load(folders, ALMARIO_REFLECTION_SCHEDULE="every night")


HIDDEN = [
    ("postgres://ana:s3cret@db/almario", "postgres://db/…"),
    ("postgres://ana:s3cret@[fe80::1]:5432,two.example:1?sslpassword=s3cret", "postgres://[fe80::1],two.example/…"),
    ("postgres://ana:s3/cr@et@db:5432/almario?sslmode=require", "…"),
    ("postgres://ana:5432/s3@cret@db/almario", "…"),
    ("postgres://ana:s3cret", "…"),
    ("postgres://ana:s3?cret@db/almario", "…"),
    ("postgresql:///almario?host=/run&password=s3cret&user=ana", "postgresql:///…"),
    ("postgres://db?password=s3@cret", "…"),
]  # fmt: skip


@each_row(("address", "shown"), HIDDEN)
def test_a_password_in_the_address_of_the_store_is_never_shown(
    folders: tuple[Path, Path], address: str, shown: str
) -> None:
    found = load(folders, ALMARIO_STORE=address)

    assert (found.values()["store"], found.settings.store) == (shown, address)


def test_an_address_that_is_none_is_refused_without_showing_a_password(folders: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigError) as refused:
        load(folders, ALMARIO_STORE="mysql://ana:s3cret@db/almario")

    assert "mysql://db/…" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_where_agents_are_kept_is_known_though_other_settings_are_wrong(folders: tuple[Path, Path]) -> None:
    home, _ = folders
    (home / "almario.toml").write_text('nonsense = 1\nstore = "postgres://file/db"\n')
    chosen = partial(config.store_address, home)

    assert chosen(environment={}) == "postgres://file/db"
    assert chosen(environment={"ALMARIO_STORE": "postgres://set/db"}) == "postgres://set/db"
    assert chosen(environment={"ALMARIO_STORE": "postgres://set/db"}, arguments={"store": ""}) == ""
