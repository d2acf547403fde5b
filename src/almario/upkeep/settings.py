"""The settings of the daemon, of backups and of the server."""

from almario.domain.options import Group, option


class DaemonSettings(Group):
    daily_tokens: int = option(
        0,
        "Tokens a day after which it asks no model for any agent; 0 is no limit.",
        low=0,
        high=10**12,
        home_only=True,
    )
    daily_cost: float = option(
        0.0, "The same in dollars, as far as prices are known.", low=0, high=1e9, home_only=True
    )


class BackupSettings(Group):
    enabled: bool = option(True, "Make a backup each night.", home_only=True)
    folder: str = option("", "Where backups are kept; if empty, in backups/ in the home.", home_only=True)
    keep: int = option(7, "How many of the newest backups are kept.", low=1, high=10_000, home_only=True)


class ServeSettings(Group):
    port: int = option(
        8420, "The port of almario serve; 0 is any that is free.", low=0, high=65_535, home_only=True
    )
    max_body: int = option(
        20_000_000, "The longest request, in bytes.", low=1000, high=2_000_000_000, home_only=True
    )
    per_second: float = option(
        200.0,
        "How many requests a second each token may make; 0 is any number.",
        low=0,
        high=1e6,
        home_only=True,
    )
