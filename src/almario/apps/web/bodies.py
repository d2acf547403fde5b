"""What programs send: the bodies of requests, checked before anything is done with them."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from almario.apps.connecting.clients import HOOKED
from almario.apps.hooks.entry import ENVIRONMENT
from almario.domain.memories import AnyKind, Kind, Origin, State
from almario.domain.turns import Role

Language = Literal["en", "es"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Where coding agents are told something.
_PLACE = "A project, work for every project, or home if empty."


class Remembering(_Body):
    """Something to remember: a key and a value, "key: value", or plain text."""

    text: str = Field(min_length=1, max_length=20_000, examples=["job: designs bridges"])
    value: str | None = Field(None, max_length=20_000, description="The value, if the text is only a key.")
    kind: AnyKind = ""
    replaces: str = Field("", max_length=100, description="The id of the memory it replaces.")
    place: str | None = Field(
        None,
        max_length=100,
        examples=["work"],
        description="A project, work for every project, or home if empty.",
    )


class Updating(_Body):
    """Changes to a memory; fields left out stay as they are."""

    text: str = Field("", max_length=20_000, examples=["teaches physics"])
    when: str = Field("", max_length=40, examples=["2026-12-03"])
    ended: str = Field("", max_length=40, description="The last day on which it was true.")
    shared: bool | None = Field(None, description="Whether others may see it.")
    place: str | None = Field(
        None,
        max_length=100,
        examples=["work"],
        description="A project, work for every project, or home if empty.",
    )


class Purging(_Body):
    """What to erase for good: by ids, keys or words, or everything expired that many days ago."""

    targets: list[str] = Field([], max_length=10_000, examples=[["3f9a2c1b"]])
    expired_for: int | None = Field(None, ge=0, le=100_000)
    dry_run: bool = Field(True, description="Only report what would be erased.")


class Hooking(_Body):
    """A coding agent's hook call: its own JSON as text, and the environment variables that matter."""

    event: Literal["session-start", "user-prompt", "stop", "pre-compact", "post-compact", "session-end"] = (
        Field(examples=["user-prompt"])
    )
    told: str = Field(
        max_length=10_000_000,
        examples=['{"session_id": "8f14", "cwd": "/src/boat", "prompt": "Which varnish?"}'],
    )
    agent: str = Field("", max_length=100, description="The agent's id; empty for the one in the settings.")
    client: Literal["", *HOOKED] = Field(  # type: ignore[valid-type]
        "", description="Empty to detect it from the payload."
    )
    environment: dict[str, str] = Field({}, description=f"{' and '.join(ENVIRONMENT)}, if set.")
    session: str = Field(
        "", max_length=150, description="Its session here; empty to derive it from the payload."
    )
    ref: str = Field(
        "", max_length=100, description="Your own id; a message sent twice with it is stored once."
    )


class ListingBody(_Body):
    """Which memories are listed; what is left out does not matter."""

    key: list[str] = Field([], max_length=100)
    kind: list[Kind] = Field([], max_length=5)
    state: list[State] = Field([], max_length=5)
    origin: list[Origin] = Field([], max_length=4)
    text: str = Field("", max_length=2000, description="Only memories that contain this text.")
    since: datetime | None = Field(None, description="Learned at or after this instant.")
    until: datetime | None = Field(None, description="Learned before this instant.")
    as_of: datetime | None = Field(None, description="What was true at this instant, as known now.")
    turn: list[str] = Field([], max_length=100, description="Only memories based on one of these messages.")
    unused: bool = Field(False, description="Only memories not confirmed or used since.")
    order: Literal["oldest", "newest"] = "oldest"
    limit: int = Field(50, ge=1, le=1000, description="The most to return.")
    offset: int = Field(0, ge=0, le=10**9, description="How many to skip: `next` of the page before.")


class NewText(_Body):
    """The whole new text of a soul file."""

    text: str = Field(max_length=200_000, examples=["# Soul\n\nI am patient.\n"])
    reason: str = Field("", max_length=500)


class Restoring(_Body):
    """The version to restore, by its number or the start of its hash."""

    version: str = Field(min_length=1, max_length=64, examples=["1"])


class Rejecting(_Body):
    why: str = Field("", max_length=2000, examples=["not you"])


class Appending(_Body):
    """A turn of a session; by default a user is the owner, and a tool is untrusted."""

    session: str = Field("", max_length=150, examples=["app:ana"])
    role: Role = "user"
    text: str = Field(max_length=1_000_000, examples=["I moved to Lisbon last week."])
    origin: Literal["", "owner", "agent", "untrusted"] = ""
    speaker: str = Field("", max_length=200)
    ref: str = Field(
        "", max_length=500, description="Your own id; a message sent twice with it is stored once."
    )


class WorkBody(_Body):
    """A background job, and the session or day it is about."""

    work: Literal["flush", "consolidate", "portray", "reflect", "reindex", "verify"] = Field(
        examples=["flush"]
    )
    session: str = Field("", max_length=150, description="For flush: only this session.")
    since: date | None = Field(None, description="For reflect: start again from this day.")


class Archive(_Body):
    name: str = Field("", max_length=100, description="The name of a backup; empty for the newest.")


class NewToken(_Body):
    """A token for a program; valid for all agents unless some are listed."""

    name: str = Field(min_length=1, max_length=64, examples=["editor"])
    agents: list[str] = Field([], max_length=100)
    scope: Literal["read", "write", "admin"] = "read"


class NewAgent(_Body):
    """A new agent with a starter soul; anything left out gets a default."""

    id: str = Field(min_length=1, max_length=64, examples=["work"])
    name: str = Field("", max_length=60, examples=["Finny"])
    emoji: str = Field("", max_length=12)
    vibe: str = Field("", max_length=120)
    owner: str = Field("", max_length=60)
    language: Language | None = None


class Described(_Body):
    """Who the soul should be: a description for the model, or an archetype, which needs no model.

    With an earlier draft, `refinement` says what to change in it.
    """

    description: str = Field(
        "",
        max_length=4000,
        examples=["dry, exact, kind"],
        validation_alias=AliasChoices("description", "personalityDescription"),
    )
    refinement: str = Field("", max_length=4000, examples=["drier, no emojis"])
    draft: dict[str, Any] | None = None
    name: str = Field("", max_length=60, examples=["Clio"])
    role: str = Field("", max_length=120)
    language: str = Field("", max_length=60, description="Any for a model; of archetypes en, es.")
    emoji: str = Field("", max_length=12)
    owner: str = Field("", max_length=60)
    archetype: str = Field("", max_length=60, examples=["archivist"])


class Drafted(_Body):
    """A draft as it was returned; `owner` is the name of the agent's owner."""

    draft: dict[str, Any]
    owner: str = Field("", max_length=60)


class Changing(_Body):
    """A new value for a setting; null removes it, so the default applies again."""

    value: bool | int | float | str | None = Field(None, examples=["Europe/Madrid"])
    agent: str = Field("", max_length=100, description="Only for this agent; empty for all.")


class ChoosingModel(_Body):
    """A model: `provider` is one of `docs/models.md`, "auto", "none", or "address" with a `url`."""

    provider: str = Field(min_length=1, max_length=60, examples=["anthropic"])
    model: str = Field("", max_length=200, examples=["claude-sonnet-5-5"])
    url: str = Field("", max_length=500)
    key: str = Field("", max_length=1000, description="Stored, and never returned.")


class AgentNamed(_Body):
    """The agent; empty for none."""

    agent: str = Field("", max_length=100)
