"""The owner's consent, asked for through the program that the owner sits at.

In 2025-11-25 the server asks in the middle of a call; since 2026-07-28 a call ends with the question, and is
made once more with the answer. Whatever is not a plain yes leaves things as they are.
"""

import json
from collections.abc import Collection
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from almario.apps.cli.i18n import _
from almario.apps.mcp.visiting import Context
from almario.domain.plain_text import visible
from almario.named_tuples import NamedTuple
from almario.wiring.offering import Question

# The name of the question among what a call needs.
_KEY = "consent"
# What is longer cannot be read in a dialog, and nobody agrees to what they have not read.
_MOST = 8000
_JOINER = "\u200d"


class ConsentForm(NamedTuple):
    """A question as it is shown, and the names of what each of its boxes says yes to."""

    message: str
    fields: dict[str, str]
    labels: dict[str, str]

    @property
    def schema(self) -> dict[str, Any]:
        boxes = {field: {"type": "boolean", "title": self.labels[field]} for field in self.fields}
        return {"type": "object", "properties": boxes, "required": list(boxes)}

    def agreed(self, answer: object) -> set[str]:
        """Return the names of what an answer says yes to: only if it was given, and the box was ticked."""
        if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
            return set()
        given = answer.content or {}
        return {name for field, name in self.fields.items() if given.get(field) is True}


def form_of(question: Question) -> ConsentForm | None:
    """Return a question as it is shown, in the owner's language; None if it is too long to be read."""
    message = "\n".join(shown(_(sentence)) for sentence in question.text)
    fields = {f"yes_{number}": name for number, name in enumerate(question.choices, 1)}
    labels = {field: shown(_(question.choices[name])) for field, name in fields.items()}
    return (
        ConsentForm(message, fields, labels)
        if len(message) + sum(map(len, labels.values())) <= _MOST
        else None
    )


def shown(text: str) -> str:
    """Return a text with nothing in it that cannot be seen: such a sign is told by its number."""
    return "\n".join(visible(line).replace(_JOINER, f"<U+{ord(_JOINER):04X}>") for line in text.split("\n"))


def can_ask(ctx: Context) -> bool:
    """Return whether the program can put a form before its user."""
    found = ctx.session.client_capabilities
    elicits = found.elicitation if found else None
    has_forms = elicits is not None and (elicits.form is not None or elicits.url is None)
    return has_forms and (is_modern(ctx) or ctx.session.can_send_request)


def is_modern(ctx: Context) -> bool:
    """Return whether a question ends the call."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


async def ask(ctx: Context, form: ConsentForm) -> Collection[str]:
    """Ask now, and return the names of what was said yes to."""
    try:
        answer = await ctx.session.elicit_form(form.message, form.schema, related_request_id=ctx.request_id)
    except MCPError:  # it could not ask after all
        return ()
    return form.agreed(answer)


def pending(form: ConsentForm, *, proposes: bool) -> types.InputRequiredResult:
    """Return the question as the end of a call; what it is about comes back with the answer."""
    params = types.ElicitRequestFormParams(message=form.message, requested_schema=form.schema)
    state = json.dumps({"fields": form.fields, "proposes": proposes})
    requests: dict[str, types.InputRequest] = {_KEY: types.ElicitRequest(params=params)}
    return types.InputRequiredResult(input_requests=requests, request_state=state)


class Answered(NamedTuple):
    """An answer that came with a call: what was asked, and what was said yes to."""

    asked: list[str]
    proposes: bool
    agreed: set[str]


def answered(params: types.CallToolRequestParams) -> Answered | None:
    """Return the answer that comes with a call, or None; the state it refers to is sealed by us."""
    if params.request_state is None:
        return None
    state = json.loads(params.request_state)
    form = ConsentForm("", state["fields"], {})
    agreed = form.agreed((params.input_responses or {}).get(_KEY))
    return Answered(list(form.fields.values()), state["proposes"], agreed)
