"""Every exception that Almario raises on purpose.

    AlmarioError
    ├── ConfigError              a setting is unknown or has a bad value
    ├── SoulError                something about an agent or its files
    │   ├── NotFound             nothing has that id, or that name
    │   │   └── AgentNotFound
    │   ├── DocumentError        a file that cannot be read as it is (path, line)
    │   └── EditConflict         the file changed since it was read
    ├── StoreError               the folder or the database could not be read or written
    │   ├── StoreBusy            another process holds the lock
    │   ├── StoreUnavailable     the database cannot be reached now
    │   │   └── AgentMoved       the agent is kept somewhere else now
    │   ├── Damaged              stored bytes are not what was written
    │   └── SchemaTooNew         written by a newer Almario
    ├── LLMError                 a language model did not do what was asked
    │   ├── LLMUnavailable       there is none, or it cannot be reached now
    │   └── BadReply             it answered what cannot be used
    ├── ToolError                a tool could not do what the model asked
    ├── EmbedderUnavailable      texts cannot be turned into vectors now
    ├── PluginError              what another package brings is broken
    ├── AccessDenied             a token does not allow it
    ├── ServerUnavailable        a server cannot be reached, or its answer was lost
    └── MissingExtra             a package is not installed; the message has the line to run

A message is one English sentence with named places for facts, so that the
apps can say the same sentence in the owner's language.
"""

from typing import Any


class AlmarioError(Exception):
    """The root of all errors; *facts* fill the named places of *message*."""

    def __init__(self, message: str, **facts: Any) -> None:
        self.message = message
        self.facts = facts
        super().__init__(message.format(**facts) if facts else message)


class ConfigError(AlmarioError):
    """A setting is unknown or has a value that is not allowed."""


class SoulError(AlmarioError):
    """Something about an agent or its files is not as it must be."""


class NotFound(SoulError):
    """Nothing has that id, or that name."""


class AgentNotFound(NotFound):
    """No agent has that id."""


class DocumentError(SoulError):
    """A file of the vault cannot be used as it is; *path* and *line* say where."""

    def __init__(self, message: str, *, path: str, line: int | None = None, **facts: Any) -> None:
        self.path = path
        self.line = line
        super().__init__(message, path=path, line=line, **facts)


class EditConflict(SoulError):
    """The file changed since it was read, so it was not written."""


class StoreError(AlmarioError):
    """The folder could not be read or written; nothing was half done."""


class StoreBusy(StoreError):
    """Another process held the lock until the deadline."""


class StoreUnavailable(StoreError):
    """The database that keeps the agents cannot be reached now; what was not acknowledged may be missing."""


class AgentMoved(StoreUnavailable):
    """The agent was moved to another place, where the settings do not lead."""


class Damaged(StoreError):
    """Stored bytes are not what was written."""


class SchemaTooNew(StoreError):
    """The journal was written by a newer Almario; it can be read, not written."""


class LLMError(AlmarioError):
    """A language model did not do what was asked."""


class LLMUnavailable(LLMError):
    """There is no model, or it cannot be reached now; *passes* says whether trying later may help."""

    def __init__(self, message: str, *, passes: bool = True, **facts: Any) -> None:
        self.passes = passes
        super().__init__(message, **facts)


class BadReply(LLMError):
    """A model answered, and its answer cannot be used, also not when it was asked again."""


class ToolError(AlmarioError):
    """A tool could not do what the model asked; the model is told, and may try otherwise."""


class EmbedderUnavailable(AlmarioError):
    """Texts cannot be turned into vectors now; searching by words goes on."""


class PluginError(AlmarioError):
    """What another package brings is broken; everything else goes on."""


class AccessDenied(AlmarioError):
    """Whoever asks over the network may not do this."""


class ServerUnavailable(AlmarioError):
    """A server of Almario's cannot be reached, or its answer did not come or cannot be read."""


class MissingExtra(AlmarioError):
    """An optional package is not installed; the message has the line to run."""
