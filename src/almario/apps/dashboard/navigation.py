"""The pages of an agent, in the order in which they are shown."""

from typing import NamedTuple

from almario.domain.messages import Sentence


class Entry(NamedTuple):
    """A page in the navigation: where it is below the agent's address, its title, and its key after `g`."""

    name: str
    path: str
    title: Sentence
    key: str


TODAY = Entry("today", "", Sentence("Today"), "t")
MEMORY = Entry("memory", "/memory", Sentence("Memory"), "m")
SOUL = Entry("soul", "/soul", Sentence("Soul"), "s")
TALK = Entry("talk", "/talk", Sentence("Talk"), "k")
FLIGHTS = Entry("flights", "/flights", Sentence("Recorder"), "f")
DAYS = Entry("days", "/days", Sentence("Days"), "d")
CARE = Entry("care", "/care", Sentence("Care"), "c")

ENTRIES = (TODAY, MEMORY, SOUL, TALK, FLIGHTS, DAYS, CARE)
