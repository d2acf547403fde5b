"""The settings of the folders in which agents are kept."""

from almario.domain.options import Group, option, switch


class VersionSettings(Group):
    enabled: bool = switch("Keep every content a soul file has had.")
    keep: int = option(
        0, "At night, let go of all but so many contents of each soul file; 0 keeps all.", low=0, high=100_000
    )
    days: int = option(
        0, "At night, let go of what was replaced more than so many days ago; 0 is never.", low=0, high=36500
    )


class LockSettings(Group):
    seconds: float = option(
        10.0, "How long a write waits for another process before it gives up.", low=0, high=3600
    )


class WatchSettings(Group):
    enabled: bool = switch("Notice edits as they are made, in long-running processes.")
    debounce: float = option(
        2.0, "For how many seconds nothing may change before edits are taken in.", low=0.1, high=3600
    )
