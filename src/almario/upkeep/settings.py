"""The settings of the watch, the daemon and backups."""

from almario.domain.options import Group, option, switch


class DaemonSettings(Group):
    log_bytes: int = option(
        1_000_000, "The daemon begins a new log past this size.", low=1000, high=1_000_000_000, home_only=True
    )
    log_files: int = option(5, "How many of its older logs are kept.", low=0, high=1000, home_only=True)


class BackupSettings(Group):
    enabled: bool = option(True, "Let the daemon make a backup each night.", home_only=True)
    folder: str = option("", "Where backups lie; empty is backups/ in the home.", home_only=True)
    keep: int = option(7, "How many of the newest backups are kept.", low=1, high=10_000, home_only=True)


class WatchSettings(Group):
    enabled: bool = switch("Notice edits as they are made, in long-running processes.")
    debounce: float = option(
        2.0, "For how many seconds nothing may change before edits are taken in.", low=0.1, high=3600
    )
    patience: float = option(
        10.0, "After how many seconds they are, though a program keeps writing.", low=0.1, high=86_400
    )
    rescan: float = option(
        60.0, "Every how many seconds to look for edits that the system did not report.", low=1, high=86_400
    )
