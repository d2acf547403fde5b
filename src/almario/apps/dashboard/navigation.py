"""The pages of an agent, in the order in which they are shown."""

from typing import NamedTuple

from almario.domain.messages import Sentence


class MenuEntry(NamedTuple):
    """A page in the navigation: where it is below the agent's address, its title, and its key after `g`."""

    name: str
    path: str
    title: Sentence
    key: str


PORTRAIT = MenuEntry("portrait", "", Sentence("You"), "y")
TODAY = MenuEntry("today", "/today", Sentence("Today"), "t")
MEMORY = MenuEntry("memory", "/memory", Sentence("Memory"), "m")
SOUL = MenuEntry("soul", "/soul", Sentence("Soul"), "s")
TALK = MenuEntry("talk", "/talk", Sentence("Talk"), "k")
DAYS = MenuEntry("days", "/days", Sentence("Days"), "d")
CARE = MenuEntry("care", "/care", Sentence("Care"), "c")

ENTRIES = (PORTRAIT, TODAY, MEMORY, SOUL, TALK, DAYS, CARE)
