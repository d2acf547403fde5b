"""Tools: as programs are told of them, and called."""

import json
from collections.abc import Collection
from time import monotonic

import anyio.to_thread
import mcp_types as types

from almario.apps.mcp import consent
from almario.apps.mcp.visiting import Context, Visitor
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError
from almario.served import Contact, note_contact
from almario.wiring import utc_now
from almario.wiring.offering import Done, Question, Tool

Called = types.CallToolResult | types.InputRequiredResult


async def call(ctx: Context, params: types.CallToolRequestParams, visitor: Visitor) -> Called:
    """Use a tool; what needs the owner's consent is asked for, if the program can ask."""
    since = monotonic()
    called = await _called(ctx, params, visitor)
    who = ctx.session.client_params
    if visitor.home and who:
        milliseconds = round(1000 * (monotonic() - since))
        found = getattr(called, "structured_content", None) or {}
        count = len(found.get("found", ()))
        at = utc_now().isoformat(timespec="seconds")
        note_contact(visitor.home, Contact(who.client_info.name, params.name, at, milliseconds, count))
    return called


async def _called(ctx: Context, params: types.CallToolRequestParams, visitor: Visitor) -> Called:
    tool = visitor.tools(every=True).get(params.name)
    done = Done("", name=params.name, arguments=params.arguments or {})
    if tool is None and not visitor.may_write:
        why = Sentence("this token may only read")
        return _result(None, done._replace(text=f"Error: {why}", is_error=True))
    answer = consent.answered(params) if visitor.may_decide else None
    if answer:
        choices = {name: Sentence.own(name) for name in answer.asked}
        done = done._replace(question=Question((), choices, answer.proposes))
        return _result(tool, await anyio.to_thread.run_sync(_done, visitor, done, answer.agreed))
    done = await anyio.to_thread.run_sync(_done, visitor, done)
    question = done.question if visitor.may_decide and consent.can_ask(ctx) else None
    form = consent.form_of(question) if question else None
    if form and question and consent.is_modern(ctx):
        return consent.pending(form, proposes=question.proposes)
    if form:
        agreed = await consent.ask(ctx, form)
        done = await anyio.to_thread.run_sync(_done, visitor, done, agreed)
    return _result(tool, done)


def _done(visitor: Visitor, done: Done, agreed: Collection[str] | None = None) -> Done:
    try:
        tools = visitor.soul().tools
        if agreed is None:
            return tools.call_for(done.name, done.arguments)
        return tools.decide(done, sorted(agreed))
    except (AlmarioError, OSError) as exc:  # the agent cannot be opened
        return done._replace(text=f"Error: {sentence_of(exc)}", is_error=True, question=None)


def _result(tool: Tool | None, done: Done) -> types.CallToolResult:
    structured = None if done.is_error else dict(done.structured) or {"text": done.text}
    is_json = structured is not None and tool is not None and tool.offer is not None and tool.offer.in_json
    text = json.dumps(structured, ensure_ascii=False) if is_json else done.text
    content: list[types.ContentBlock] = [types.TextContent(text=text)]
    return types.CallToolResult(content=content, structured_content=structured, is_error=done.is_error)
