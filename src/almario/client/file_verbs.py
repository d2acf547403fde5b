"""The verbs of `Soul` for its files, their versions, its log and its journal, asked of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from almario.client.calls import Call, Steps, done, named, one, pages
from almario.client.from_json import read
from almario.client.verbs import Face, Part, fact, verb
from almario.domain.messages import Sentence
from almario.domain.model import Version, soul_file

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from datetime import date, datetime, tzinfo

    from almario.domain.documents.daily import LogEntry
    from almario.domain.documents.document import Document
    from almario.domain.events import Event


def _file(name: str, verb: str = "") -> str:
    return f"/files/{soul_file(name)}{verb}"


class RemoteFiles(Part[Face]):
    """An agent's soul files, their versions, its daily log and its journal, elsewhere."""

    @fact
    def name(self) -> Steps[str]:
        """The agent's name, or its id if it has none."""
        return one(str, Call("GET", ""), at="name")

    @fact
    def zone(self) -> Steps[tzinfo]:
        """The owner's time zone."""
        said = yield Call("GET", "")
        return ZoneInfo(said["zone"])

    @fact
    def since(self) -> Steps[datetime | None]:
        """When its journal begins."""
        from datetime import datetime

        said = yield Call("GET", "")
        return datetime.fromisoformat(said["since"]) if said["since"] else None

    @fact
    def position(self) -> Steps[int]:
        """The last line of its journal: `events` tells what comes after."""
        return one(int, Call("GET", ""), at="position")

    @verb
    def events(self, *, after: int = 0) -> Steps[list[Event]]:
        """Return what has happened since line *after* of the journal, in order."""
        from almario.domain.events import Event

        told = yield Call("GET", "/events", query={"after": after, "follow": False})
        return [read(Event, value) for _, value in told]

    @verb
    def identity(self, field: str) -> Steps[str]:
        """Return one field of IDENTITY.md, or nothing."""
        from almario.domain.documents.identity import identity_value

        said = yield Call("GET", _file("IDENTITY"))
        return identity_value(said["text"], field)

    @verb
    def files(self) -> Steps[list[Document]]:
        """Return the soul files that exist."""
        from almario.domain.documents.document import Document

        return one(list[Document], Call("GET", "/files"))

    @verb
    def read(self, file: str) -> Steps[Document]:
        """Read a soul file."""
        from almario.domain.documents.document import Document

        return one(Document, Call("GET", _file(file)))

    @verb
    def write(self, document: Document, text: str, *, reason: str = "") -> Steps[None]:
        """Put *text* in the place of a soul file as it was read; EditConflict if it changed since."""
        seen = {"If-Match": f'"{document.hash or "none"}"'}
        return done(Call("PUT", _file(document.name), {"text": text, "reason": reason}, headers=seen))

    @verb
    def history(self, file: str) -> Steps[list[Version]]:
        """Return every version a soul file has had, oldest first, the owner's own edits included."""
        return (yield from pages(Version, _file(file, "/versions")))[::-1]

    @verb
    def version(self, file: str, wanted: str) -> Steps[str]:
        """Return the text of one version, by its number or the beginning of its hash."""
        return one(str, Call("GET", _file(file, f"/versions/{named(wanted)}")), at="text")

    @verb
    def diff(self, file: str, old: str = "", new: str = "") -> Steps[str]:
        """Return a unified diff of two versions; the last two, or *old* and the latest."""
        return one(str, Call("GET", _file(file, "/diff"), query={"old": old, "new": new}), at="diff")

    @verb
    def restore(self, file: str, version: str) -> Steps[Version]:
        """Put an earlier version back; what stood there stays in the history."""
        return one(Version, Call("POST", _file(file, "/restore"), {"version": version}))

    @verb
    def lock(self, file: str, section: str, *, locked: bool = True) -> Steps[None]:
        """Lock a section, so that no proposal can touch it; or unlock it."""
        return done(Call("POST", _file(file, "/lock"), {"section": section, "locked": locked}))

    @verb
    def log(self, text: str) -> Steps[list[Sentence]]:
        """Add a line to today's daily log, without its secrets; return what is worth telling."""
        return one(list[Sentence], Call("POST", "/log", {"text": text}), at="told")

    @verb
    def log_of(self, day: date | None = None) -> Steps[list[LogEntry]]:
        """Return the entries of a day's log; today's by default."""
        from almario.domain.documents.daily import LogEntry

        return one(list[LogEntry], Call("GET", "/log", query={"day": day and day.isoformat()}))
