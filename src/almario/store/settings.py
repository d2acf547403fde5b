"""The settings of the folders in which agents are kept."""

from almario.domain.options import Group, option, switch


class VersionSettings(Group):
    enabled: bool = switch("Keep every content a soul file has had.")


class LockSettings(Group):
    seconds: float = option(
        10.0, "How long a write waits for another process before it gives up.", low=0, high=3600
    )


class WatchSettings(Group):
    enabled: bool = switch("Notice edits as they are made, in long-running processes.")
    debounce: float = option(
        2.0, "For how many seconds nothing may change before edits are taken in.", low=0.1, high=3600
    )
