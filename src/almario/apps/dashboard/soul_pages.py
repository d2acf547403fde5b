"""Who an agent is: its files, their versions, what it proposes to change, and genesis."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from almario.apps.dashboard.comparing import compared
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.becoming.rules.locking import parts_of
from almario.domain.documents.document import Document
from almario.domain.documents.lines import without_comments
from almario.domain.messages import LANGUAGES
from almario.domain.model import SOUL_FILES, Version, soul_file
from almario.domain.proposal import Proposal
from almario.domain.soul_events import FILES
from almario.errors import AlmarioError, NotFound, SoulError
from almario.wiring.birth import archetypes

router = APIRouter(prefix="/a/{agent}/soul", include_in_schema=False)
# So many versions of a file are listed; those before follow one another.
_MOST_VERSIONS = 30
# So many answered proposals are listed at a time.
_MOST_ANSWERED = 20
# The states of a proposal that wait for the owner.
WAITING = ("open", "stale")
# What stands for "as it is now", where a version is meant.
_NOW = "now"


@router.get("")
def soul(visit: Visits, offset: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """Show the soul files, what is proposed and what was answered."""
    return visit.shown(
        "soul.html",
        vibe=visit.soul.identity("vibe"),
        shelves=lambda: [_shelf(visit, name) for name in SOUL_FILES],
        proposals=lambda: _proposals(visit),
        compare=lambda each: compared(each.before, each.after),
        offset=offset,
        limit=_MOST_ANSWERED,
    )


def _proposals(visit: PageVisit) -> tuple[list[Proposal], list[Proposal]]:
    """Return what waits for an answer, and what was answered, newest first."""
    every = visit.soul.proposals.list(every=True)[::-1]
    waiting = [each for each in every if each.state in WAITING]
    return waiting, [each for each in every if each.state not in WAITING]


def _shelf(visit: PageVisit, name: str) -> tuple[Document, Version | None, int]:
    """Return a soul file, its latest version, if any, and how many of its sections are locked."""
    document = visit.soul.read(name)
    locked = sum(part.is_locked for part in parts_of(document.text)) if name in FILES else 0
    return document, next(reversed(_history(visit, name)), None), locked


def _history(visit: PageVisit, file: str) -> list[Version]:
    """Return a file's versions, oldest first; none, if the settings keep none."""
    try:
        return visit.soul.history(file)
    except SoulError:
        return []


@router.get("/genesis")
def genesis(visit: Visits) -> Response:
    """Show where a soul is described, drafted, refined and applied."""
    visit.grant.need("admin")
    return visit.shown(
        "genesis.html",
        agent=visit.agent,
        replaces=visit.name,
        has_model=visit.has_model,
        language=visit.language,
        languages=LANGUAGES,
        archetypes=archetypes(visit.language),
    )


@router.get("/proposals/{proposal}")
def proposal_page(visit: Visits, proposal: str) -> Response:
    """Show one: what would change, why, what it rests on, how far it would go; and answer it."""
    found = visit.soul.proposals.get(proposal)
    return visit.shown(
        "proposal.html",
        proposal=found,
        rows=compared(found.before, found.after),
        text_of=visit.soul.memory.text_of,
    )


@router.get("/{file}")
def soul_page(
    visit: Visits, file: str, edit: Annotated[str | None, Query(max_length=100)] = None, part: str = ""
) -> Response:
    """Show a soul file, or edit it; whoever edits names in the address what they began with."""
    document = visit.soul.read(soul_file(file))
    known = document.hash or "none"
    if edit is not None:
        visit.grant.need("admin")
        if edit != known and not part:
            return RedirectResponse(visit.link(f"/soul/{file}", edit=known), 303)
    parts = parts_of(document.text)
    return visit.shown(
        "soul_file.html",
        document=document,
        short=document.name.removesuffix(".md"),
        etag=f'"{known}"',
        known=known,
        editing=edit,
        without_comments=without_comments,
        parts=[each for each in parts if each.heading or any(piece.text.strip() for piece in each.pieces)],
        below=1 if document.text.lstrip().startswith("# ") else 0,
        lockable=document.name in FILES,
        history=lambda: _history(visit, document.name)[: -_MOST_VERSIONS - 1 : -1],
        theirs=lambda: _since(visit, document, edit or ""),
    )


def _since(visit: PageVisit, document: Document, known: str) -> list[Any]:
    """Return what somebody else changed in a file since it was begun to be edited."""
    try:
        return compared(visit.soul.read(document.name, known).text, document.text)
    except AlmarioError:  # what they began with is not kept
        return compared("", document.text)


@router.get("/{file}/versions/{wanted}")
def version(
    visit: Visits, file: str, wanted: str, against: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Show what a version changed, or what has changed since; and the version itself."""
    name = soul_file(file)
    versions = visit.soul.history(name)
    meant = _version(name, versions, wanted)
    before = versions[meant.number - 2] if meant.number > 1 else None
    now = visit.soul.read(name)

    def text_of(version: Version | None) -> str | None:
        try:
            return visit.soul.read(name, str(version.number)).text if version and version.hash else ""
        except AlmarioError:  # a purge or a hand took it away
            return None

    text = text_of(meant)
    pair = (text, now.text) if against == _NOW else (text_of(before), text)
    return visit.shown(
        "soul_version.html",
        file=name,
        short=name.removesuffix(".md"),
        version=meant,
        last=len(versions),
        text=text,
        since=against == _NOW,
        is_now=meant.hash == now.hash,
        rows=None if pair[0] is None or pair[1] is None else compared(pair[0], pair[1]),
    )


def _version(name: str, versions: list[Version], wanted: str) -> Version:
    found = [each for each in versions if wanted in (str(each.number), each.hash)]
    if not found and len(wanted) >= 8:
        found = [each for each in versions if (each.hash or "").startswith(wanted)]
    if not found:
        raise NotFound("{file} has no version {version}", file=name, version=wanted)
    return found[-1]
