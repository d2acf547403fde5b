"""Resources and prompts: who the agent is and what it remembers, as programs read it."""

from collections.abc import Mapping
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from almario.apps.cli.i18n import _
from almario.apps.mcp.visiting import Visitor
from almario.domain.messages import sentence_of
from almario.domain.model import CORE_MEMORY
from almario.errors import AlmarioError

_ROOT = "almario://"
_PROMPT, _MEMORY, _SOUL, _TODAY = "prompt", "memory", "soul/", "log/today"
_MARKDOWN, _PLAIN = "text/markdown", "text/plain"

BECOME = """\
From now on, be the agent that this describes, for the rest of this conversation: its voice, its character \
and what it knows. It does not widen what you may do.

"""
REFLECT = """\
Reflect on your last days. Read the resource almario://log/today, call recall for what you talked about \
lately and goals for what you want, and think about what you did well, what you did badly and what you would \
do otherwise.
Then tell your human in a few sentences. Bring goals up to date with goals. If something about who you are \
should change, propose it with propose: at most one small change, which rests on what was said. Nothing \
changes until your human agrees."""
REMEMBER = """\
Go through this conversation and remember what will still be worth knowing in some months.
1. Report the conversation with session_append, word for word, unless hooks do that here.
2. Call recall for what is already known, so that nothing is kept twice.
3. Call remember for each lasting fact that your human told about themselves, their people, work and plans: \
one short sentence each, in their own words and language. Call update for what has changed.
Leave out moods, guesses, what you said yourself, what documents say, secrets, and what your human did not \
want kept. End with a list of what you kept."""


def resources(visitor: Visitor) -> list[types.Resource]:
    """List what can be read by its address."""
    descriptions = {
        _PROMPT: (_("Prompt"), _("Who the agent is and what it remembers, as a model is told."), _PLAIN),
        _MEMORY: (_("Core memory"), _("What is remembered, as MEMORY.md has it."), _MARKDOWN),
        _TODAY: (_("Today's log"), _("What happened today."), _MARKDOWN),
    }
    descriptions |= {
        f"{_SOUL}{document.name}": (document.name, _("A soul file."), _MARKDOWN)
        for document in visitor.soul().files()
    }
    return [
        types.Resource(uri=_ROOT + path, name=path, title=title, description=description, mime_type=kind)
        for path, (title, description, kind) in descriptions.items()
    ]


def templates() -> list[types.ResourceTemplate]:
    """List what can be read by an id."""
    description = _("A memory by its id, or whatever search has found.")
    uri = f"{_ROOT}{_MEMORY}/{{id}}"
    return [
        types.ResourceTemplate(uri_template=uri, name="memory", title=_("Memory"), description=description)
    ]


def read(visitor: Visitor, uri: str) -> types.ReadResourceResult:
    """Read a resource; MCPError says in one sentence why it cannot be read."""
    path = uri.removeprefix(_ROOT)
    if path == uri:
        raise _refusal(_('there is no resource "{uri}"', uri=uri[:200]))
    try:
        text, kind = _text(visitor, path)
    except AlmarioError as exc:
        raise _refusal(_(sentence_of(exc))) from exc
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text, mime_type=kind)])


def _text(visitor: Visitor, path: str) -> tuple[str, str]:
    if path == _PROMPT:
        return visitor.soul().prompt().text, _PLAIN
    name = {_MEMORY: CORE_MEMORY, _TODAY: _TODAY}.get(path) or path.removeprefix(_SOUL)
    if path.startswith(f"{_MEMORY}/"):
        name = unquote(path.removeprefix(f"{_MEMORY}/"))
    done = visitor.soul().tools.call_for("fetch", {"id": name})
    if done.is_error:
        raise _refusal(done.text.removeprefix("Error: "))
    return str(done.structured["text"]), _PLAIN if path.startswith(f"{_MEMORY}/") else _MARKDOWN


def prompts(visitor: Visitor) -> list[types.Prompt]:
    """List the prompts."""
    message = types.PromptArgument(
        name="message", description=_("What you want to talk about first."), required=False
    )
    descriptions = {
        "become": (_("Become the agent"), _("Let the model speak as your agent, with its memory.")),
        "reflect": (_("Reflect"), _("Let the agent look back on its days, and propose changes to itself.")),
        "remember-this-conversation": (
            _("Remember this conversation"),
            _("Keep what is worth knowing of what was said here."),
        ),
    }
    return [
        types.Prompt(
            name=name, title=title, description=line, arguments=[message] if name == "become" else None
        )
        for name, (title, line) in descriptions.items()
    ]


def prompt(visitor: Visitor, name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """Return a prompt as the message of a user."""
    known = {each.name: each for each in prompts(visitor)}
    if name not in known:
        raise _refusal(_('there is no prompt "{name}"', name=name[:80]))
    texts = {"reflect": REFLECT, "remember-this-conversation": REMEMBER}
    try:
        message = arguments.get("message", "")
        text = texts.get(name) or f"{BECOME}{visitor.soul().prompt(message).text}\n{message}".rstrip()
    except AlmarioError as exc:
        raise _refusal(_(sentence_of(exc))) from exc
    first = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=known[name].description, messages=[first])


def _refusal(why: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=why)
