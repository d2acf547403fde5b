"""Documents in PostgreSQL, the earlier contents of soul files among them."""

from collections.abc import Collection, Mapping

from almario.domain.documents.document import Document, digest
from almario.domain.messages import Sentence
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Damage, Version
from almario.domain.read_models import VERSIONS, Follower, versions_of
from almario.errors import AgentNotFound, Damaged, DocumentError, SoulError
from almario.ports import Holding, Mark, Versions
from almario_postgres import event_rows
from almario_postgres.agent_rows import AgentRows
from almario_postgres.database import GONE, Moment
from almario_postgres.turn_rows import PostgresTranscripts

_NOTE = ".md"
# Steers an agent: no note, but watched as one.
_SETTINGS = "agent.toml"
_VERSIONS = ".versions/"
# Under these names it is known when each was changed, and what short ones hold.
_CHANGES, _CONTENT = "documents' changes", "document"
_LONG = 100_000
# What has only numbers in it.
_WORDLESS = "costs/"
# A key of the database takes no longer name.
_LONGEST = 1000
# What is read with each prompt is read at once.
_TOGETHER = (*SOUL_FILES, CORE_MEMORY)


class PostgresVersions(Versions):
    """Contents of soul files by their hashes; their history is the journal's."""

    def __init__(self, rows: AgentRows, follower: Follower, *, enabled: bool) -> None:
        self._rows = rows
        self._follower = follower
        self.enabled = enabled

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        statement = (
            "INSERT INTO versions(agent, file, hash, content) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (agent, file, hash) DO UPDATE SET content = excluded.content"
        )
        self._rows.do(statement, file, digest(content), content)
        return digest(content)

    def has(self, file: str, name: str) -> bool:
        return name in self._kept(file)

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its bytes do not fit its hash."""
        query = "SELECT content FROM versions WHERE agent = %s AND file = %s AND hash = %s"
        found: list[tuple[bytes]] = self._rows.select(query, file, name)
        if not found:
            raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)
        if digest(found[0][0]) != name:
            raise Damaged("{path} is not what was stored there", path=f"{_VERSIONS}{file}/{name}")
        return found[0][0]

    def history(self, file: str) -> list[Version]:
        kept = self._kept(file)
        return versions_of(self._follower.rows(VERSIONS).values(), file, lambda _, name: name in kept)

    def check(self) -> list[Damage]:
        rows = self._rows.select("SELECT file, hash, content FROM versions WHERE agent = %s")
        problem = Sentence("is not what was stored there")
        damaged = [f"{_VERSIONS}{file}/{name}" for file, name, content in rows if digest(content) != name]
        return [Damage(place, None, problem) for place in damaged]

    def remove(self, file: str, name: str) -> None:
        """Keep a content no more."""
        self._rows.do("DELETE FROM versions WHERE agent = %s AND file = %s AND hash = %s", file, name)

    def _kept(self, file: str) -> set[str]:
        query = "SELECT hash FROM versions WHERE agent = %s AND file = %s"
        return {name for (name,) in self._rows.select(query, file)}


class PostgresDocuments:
    """Contents by name."""

    def __init__(self, rows: AgentRows, transcripts: PostgresTranscripts) -> None:
        self._rows = rows
        self._transcripts = transcripts

    def read(self, name: str, *, whole: bool = False) -> Document:
        """Read a document; nobody is ever in the middle of writing it."""
        check_name(name)
        if (lines := self._transcripts.lines(name)) is not None:
            return Document(name, b"".join(line + b"\n" for line in lines))
        if name == event_rows.NAME:
            query = "SELECT line FROM journal WHERE agent = %s ORDER BY seq"
            return Document(name, b"".join(line + b"\n" for (line,) in self._rows.select(query)))
        if name.startswith(_VERSIONS):
            query = "SELECT content FROM versions WHERE agent = %s AND file = %s AND hash = %s"
            _, file, *_, hash_ = name.split("/")
            found = self._rows.select(query, file, hash_)
            return Document(name, found[0][0] if found else None)
        return Document(name, self._note(name) if _is_known(name) else self._grown(name))

    def names(self, folder: str) -> list[str]:
        query = "SELECT name FROM documents WHERE agent = %s AND folder = %s"
        return sorted(name for (name,) in self._rows.select(query, folder))

    def marks(self, known: Collection[str] = ()) -> Mapping[str, Mark]:
        """Return what can be found by what it says, each with the number of the write that changed it."""
        found = self.changes()
        found.pop(_SETTINGS, None)
        return {name: Mark(str(changed)) for name, changed in found.items()}

    def changes(self) -> dict[str, int]:
        """Return what is watched, each with the number of the write that changed it."""
        with self._rows.moment() as moment:
            if _CHANGES not in moment:
                query = "SELECT name, changed FROM documents WHERE agent = %s AND (name LIKE %s OR name = %s)"
                moment[_CHANGES] = dict(self._rows.select(query, f"%{_NOTE}", _SETTINGS))
            found = {name: changed for name, changed in moment[_CHANGES].items() if _is_findable(name)}
            return found | self._transcripts.names()

    def holdings(self) -> list[Holding]:
        with self._rows.moment():
            names = self._rows.select("SELECT name FROM documents WHERE agent = %s")
            kept = self._rows.select("SELECT file, hash FROM versions WHERE agent = %s")
            transcripts = self._transcripts.names()
        own = sorted(name for (name,) in names if not name.startswith(_WORDLESS))
        return [
            *(Holding(name, "document") for name in own),
            *(Holding(name, "transcript") for name in transcripts),
            *(Holding(f"{_VERSIONS}{file}/{name}", "version") for file, name in sorted(kept)),
            Holding(event_rows.NAME, "journal"),
        ]

    def add_line(self, name: str, line: bytes) -> None:
        """Add a line to a document that only grows (no note, which is known by its last write)."""
        check_name(name)
        if _is_known(name):
            raise DocumentError("{path} is not a file name", path=repr(name))
        given = {"agent": self._rows.agent, "name": name, "folder": name.rpartition("/")[0], "line": line}
        with self._rows.beside() as connection:
            done = connection.execute(
                "WITH own AS (SELECT agent FROM standings"
                " WHERE agent = %(agent)s AND NOT is_gone FOR KEY SHARE),"  # who moves it away waits for this
                " there AS (INSERT INTO documents(agent, name, folder, content, changed)"
                " SELECT agent, %(name)s, %(folder)s, '', 0 FROM own ON CONFLICT (agent, name) DO NOTHING)"
                " INSERT INTO lines(agent, name, line) SELECT agent, %(name)s, %(line)s FROM own",
                given,
            )
            if not done.rowcount:
                raise AgentNotFound(GONE, place=self._rows.place, number=self._rows.agent)

    def put(self, name: str, content: bytes | None) -> None:
        """Give a name a content, or take it away, in the write that is open."""
        if not _is_known(name):
            self._rows.do("DELETE FROM lines WHERE agent = %s AND name = %s", name)
        if content is None:
            self._rows.do("DELETE FROM documents WHERE agent = %s AND name = %s", name)
        else:
            statement = (
                "INSERT INTO documents(agent, name, folder, content, changed) VALUES (%s, %s, %s, %s, %s)"
                " ON CONFLICT (agent, name) DO UPDATE"
                " SET content = excluded.content, changed = excluded.changed"
            )
            self._rows.do(statement, name, name.rpartition("/")[0], content, self._rows.wrote)
        self._rows.changed()
        with self._rows.moment() as moment:
            if _is_known(name):
                _hold(moment, name, content)
                if _CHANGES in moment:
                    others = {each: n for each, n in moment[_CHANGES].items() if each != name}
                    own = {} if content is None else {name: self._rows.wrote}
                    moment[_CHANGES] = others | own

    def _note(self, name: str) -> bytes | None:
        with self._rows.moment() as moment:
            if (_CONTENT, name) not in moment:
                wanted = _TOGETHER if name in _TOGETHER else (name,)
                query = "SELECT name, content FROM documents WHERE agent = %s AND name = ANY(%s)"
                found = dict(self._rows.select(query, list(wanted)))
                for each in wanted:
                    _hold(moment, each, found.get(each))
                return found.get(name)
            content: bytes | None = moment[_CONTENT, name]
            return content

    def _grown(self, name: str) -> bytes | None:
        query = (
            "SELECT content || coalesce((SELECT string_agg(line, '' ORDER BY at, id) FROM lines"
            " WHERE lines.agent = documents.agent AND lines.name = documents.name), '')"
            " FROM documents WHERE agent = %s AND name = %s"
        )
        found = self._rows.select(query, name)
        return found[0][0] if found else None


def _hold(moment: Moment, name: str, content: bytes | None) -> None:
    """Know a content from here on; a long one is asked for each time."""
    moment.pop((_CONTENT, name), None)
    if content is None or len(content) <= _LONG:
        moment[_CONTENT, name] = content


def check_name(name: str) -> None:
    """Raise DocumentError if a name can be no document's."""
    is_text = "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)
    if not is_text or len(name) > _LONGEST or any(part in ("", ".", "..") for part in name.split("/")):
        raise DocumentError("{path} is not a file name", path=repr(name))


def _is_known(name: str) -> bool:
    """Return whether a document changes by writes alone, so that what is known of it stays true."""
    return name.endswith(_NOTE) or name == _SETTINGS


def _is_findable(name: str) -> bool:
    return ".conflict-" not in name and not any(part.startswith(".") for part in name.split("/"))
