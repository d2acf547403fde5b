"""The settings of what is taken out of texts."""

from almario.domain.options import Group, option, switch


class RedactionSettings(Group):
    enabled: bool = switch("Take secrets out of what is remembered, logged and sent for learning.")
    phones: bool = switch("Count telephone numbers as secrets.")
    region: str = option(
        "", "The country of telephone numbers without a prefix, such as ES; empty is that of your time zone."
    )
    transcripts: bool = option(False, "Take secrets out of transcripts too.")
