"""What programs send: the bodies of requests, checked before anything is done with them."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from almario.domain.memories import AnyKind, Kind, Origin, State
from almario.domain.model import Hit, Mode
from almario.domain.turns import Role

Priority = Literal["high", "medium", "low"]
Language = Literal["en", "es"]
_Source = Literal["memory", "session", "soul"]
_Included = Literal["expired", "superseded", "retired", "untrusted"]
_Ranking = Literal["", "best", "words", "tfidf"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Remembering(_Body):
    """Something to remember: a key and a value, "key: value", or plain text."""

    text: str = Field(min_length=1, max_length=20_000, examples=["job: designs bridges"])
    value: str | None = Field(None, max_length=20_000, description="Its value, if the text is only a key.")
    kind: AnyKind = ""
    replaces: str = Field("", max_length=100, description="The id of the memory whose place it takes.")


class Updating(_Body):
    """What is to be otherwise about a memory; what is left out stays as it is."""

    text: str = Field("", max_length=20_000, examples=["teaches physics"])
    when: str = Field("", max_length=40, examples=["2026-12-03"])
    ended: str = Field("", max_length=40, description="The last day on which it was true.")
    shared: bool | None = Field(None, description="Whether others may be told.")


class Purging(_Body):
    """What to erase for good: by ids, keys or words, or all that expired so many days ago."""

    targets: list[str] = Field([], max_length=10_000, examples=[["3f9a2c1b"]])
    expired_for: int | None = Field(None, ge=0, le=100_000)
    dry_run: bool = Field(True, description="Only say what would be erased.")


class Hooking(_Body):
    """What a coding agent tells a hook: its own JSON as a text, and what of its environment matters."""

    event: Literal["session-start", "user-prompt", "stop", "pre-compact", "post-compact", "session-end"] = (
        Field(examples=["user-prompt"])
    )
    told: str = Field(
        max_length=10_000_000,
        examples=['{"session_id": "8f14", "cwd": "/src/boat", "prompt": "Which varnish?"}'],
    )
    agent: str = Field("", max_length=100, description="The agent's id; empty is the one of the settings.")
    client: Literal["", "claude-code", "codex", "cursor"] = Field("", description="Empty: by what it tells.")
    environment: dict[str, str] = Field({}, description="CLAUDE_PROJECT_DIR and CURSOR_VERSION, if set.")
    session: str = Field("", max_length=150, description="Its session here; empty: by what it tells.")
    ref: str = Field(
        "", max_length=100, description="An id of yours; what you send twice with it is kept once."
    )


class Recalling(_Body):
    """A question, and where its answer is looked for."""

    question: str = Field(min_length=1, max_length=4000, examples=["what does Ana do for a living?"])
    limit: int = Field(5, ge=1, le=1000)
    min_score: float | None = Field(None, ge=0, le=1)
    kinds: list[str] = Field([], max_length=20)
    sources: list[_Source] = Field([], max_length=3)
    keys: list[str] = Field([], max_length=100)
    since: date | None = None
    until: date | None = None
    include: list[_Included] = Field([], max_length=4)
    project: str = Field("", max_length=200, description="A project, or `all`; empty is the session's own.")
    mode: _Ranking = ""
    neighbours: int = Field(0, ge=0, le=100)
    explain: bool = False
    session: str = Field(
        "",
        max_length=500,
        description="Leave out what this session already shows, and what its listeners may not hear.",
    )


class ListingBody(_Body):
    """Which memories are listed; what is left out does not matter."""

    key: list[str] = Field([], max_length=100)
    kind: list[Kind] = Field([], max_length=5)
    state: list[State] = Field([], max_length=5)
    origin: list[Origin] = Field([], max_length=4)
    text: str = Field("", max_length=2000, description="Only those that have this in them.")
    since: datetime | None = Field(None, description="Learned at or after this instant.")
    until: datetime | None = Field(None, description="Learned before this instant.")
    as_of: datetime | None = Field(None, description="What was true at this instant, as it is known now.")
    turn: list[str] = Field([], max_length=100, description="Only those that rest on one of these messages.")
    unused: bool = Field(False, description="Only those that nothing has confirmed or drawn on since.")
    order: Literal["oldest", "newest"] = "oldest"
    limit: int = Field(50, ge=1, le=1000, description="The most to return.")
    offset: int = Field(0, ge=0, le=10**9, description="How many to skip: `next` of the page before.")


class NewText(_Body):
    """The whole new text of a soul file."""

    text: str = Field(max_length=200_000, examples=["# Soul\n\nI am patient.\n"])
    reason: str = Field("", max_length=500)


class Restoring(_Body):
    """The version to put back, by its number or the beginning of its hash."""

    version: str = Field(min_length=1, max_length=64, examples=["1"])


class Rejecting(_Body):
    why: str = Field("", max_length=2000, examples=["not you"])


class Appending(_Body):
    """What was said in a session; without an origin, a user is the owner and a tool is not trusted."""

    session: str = Field("", max_length=150, examples=["app:ana"])
    role: Role = "user"
    text: str = Field(max_length=1_000_000, examples=["I moved to Lisbon last week."])
    origin: Literal["", "owner", "agent", "untrusted"] = ""
    speaker: str = Field("", max_length=200)
    ref: str = Field(
        "", max_length=500, description="An id of yours; what you send twice with it is kept once."
    )


class Saying(_Body):
    """A message to be answered; `pasted` are documents that came with it, and are nobody's word."""

    message: str = Field(min_length=1, max_length=200_000, examples=["Good evening!"])
    session: str = Field("", max_length=150, examples=["app:ana"])
    mode: Mode = ""
    pasted: list[str] = Field([], max_length=20)
    origin: Literal["owner", "untrusted"] = "owner"
    speaker: str = Field("", max_length=200)
    ref: str = Field(
        "", max_length=500, description="An id of yours; what you send twice with it is answered once."
    )


class Prompting(_Body):
    """What a prompt is wanted for."""

    message: str = Field("", max_length=200_000, examples=["What can I cook for Ana?"])
    session: str = Field("", max_length=150)
    mode: Mode = ""
    recalled: list[Hit] | None = Field(
        None, max_length=100, description="Shown as relevant instead of what the memory finds."
    )
    blocks: list[str] = Field([], max_length=100, description="Added as they are to the rules of behaviour.")
    tools: list[str] | None = Field(None, max_length=200, description="Their names; by default, all of them.")
    explain: bool = Field(False, description="Also count what those present may not hear.")


class SessionBody(_Body):
    session: str = Field("", max_length=150, examples=["app:ana"])


class WorkBody(_Body):
    """Work in the background, and the session or day that it is about."""

    work: Literal["flush", "consolidate", "condense", "reflect", "reindex", "verify", "exam"] = Field(
        examples=["flush"]
    )
    session: str = Field("", max_length=150, description="Of flush: only this one.")
    since: date | None = Field(None, description="Of reflect: look again from this day on.")


class Archive(_Body):
    name: str = Field("", max_length=100, description="One of the backups; empty is the newest.")


class NewToken(_Body):
    """A token for a program or a person; for all agents, unless some are named."""

    name: str = Field(min_length=1, max_length=64, examples=["editor"])
    agents: list[str] = Field([], max_length=100)
    scope: Literal["read", "write", "admin"] = "read"
    is_owner: bool = Field(True, description="False: whoever holds it hears what others hear.")


class NewAgent(_Body):
    """A new agent with a starter soul; what is left out gets a default."""

    id: str = Field(min_length=1, max_length=64, examples=["work"])
    name: str = Field("", max_length=60, examples=["Finny"])
    emoji: str = Field("", max_length=12)
    vibe: str = Field("", max_length=120)
    owner: str = Field("", max_length=60)
    language: Language | None = None


class Described(_Body):
    """Who a soul should be: a description for a model, or an archetype, which needs none.

    With a draft that was given before, `refinement` says what should change in it.
    """

    description: str = Field("", max_length=4000, examples=["dry, exact, kind"])
    refinement: str = Field("", max_length=4000, examples=["drier, no emojis"])
    draft: dict[str, Any] | None = None
    name: str = Field("", max_length=60, examples=["Clio"])
    role: str = Field("", max_length=120)
    language: Language | None = None
    emoji: str = Field("", max_length=12)
    owner: str = Field("", max_length=60)
    archetype: str = Field("", max_length=60, examples=["archivist"])


class Drafted(_Body):
    """A draft as it was given; `owner` is the name of the agent's human."""

    draft: dict[str, Any]
    owner: str = Field("", max_length=60)


class Changing(_Body):
    """Another value for a setting; none takes it out, so that the default holds again."""

    value: bool | int | float | str | None = Field(None, examples=["Europe/Madrid"])
    agent: str = Field("", max_length=100, description="Only for this agent; empty is for all.")


class ChoosingModel(_Body):
    """A model: `provider` is one of `docs/models.md`, "auto", "none", or "address" with a `url`."""

    provider: str = Field(min_length=1, max_length=60, examples=["anthropic"])
    model: str = Field("", max_length=200, examples=["claude-sonnet-5-5"])
    url: str = Field("", max_length=500)
    key: str = Field("", max_length=1000, description="Kept, and never given again.")


class AgentNamed(_Body):
    """The agent that is meant; empty is none."""

    agent: str = Field("", max_length=100)
