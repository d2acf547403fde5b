"""The settings of what is taken out of texts."""

from almario.domain.options import Group, option, switch


class RedactionSettings(Group):
    enabled: bool = switch("Take secrets out of what is remembered, logged and sent for learning.")
    transcripts: bool = option(False, "Take secrets out of transcripts too.")
