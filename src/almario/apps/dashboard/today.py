"""Today: what waits for an answer, what it learned since you were last here, how it is doing."""

from datetime import datetime, timedelta
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from almario.apps.dashboard.comparing import compared
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.domain.messages import Sentence
from almario.domain.withheld import each_once

router = APIRouter(prefix="/a/{agent}", include_in_schema=False)
# So much is shown of each; the rest is on pages of its own.
_MOST_LEARNED, _MOST_PLANS = 12, 6
# A backup that is older than this is worth a word.
_OLD_BACKUP = timedelta(days=8)


class LastBackup(NamedTuple):
    """When there was one; *nothing* says why there is none. There is time for the first one, too."""

    at: datetime | None
    nothing: Sentence
    is_fresh: bool


@router.get("/today")
def today(visit: Visits) -> Response:
    """Show what is new."""
    return visit.shown(
        "today.html",
        vibe=visit.soul.identity("vibe"),
        news=lambda: visit.soul.news(limit=_MOST_LEARNED),
        proposals=visit.soul.proposals.list,
        left_out=lambda: each_once(visit.soul.memory.withheld()),
        conflicts=lambda: _conflicts(visit),
        compare=lambda each: compared(each.before, each.after),
        done=lambda: visit.soul.days.get().done,
        plans=lambda: list(visit.soul.memory.plans())[:_MOST_PLANS],
        last_backup=lambda: last_backup(visit),
    )


def _conflicts(visit: PageVisit) -> list[str]:
    """Return the files that hold what two wrote at once; a database has none."""
    folder = visit.soul.path
    return sorted(path.name for path in folder.glob("*.conflict-*.md")) if folder else []


def last_backup(visit: PageVisit) -> LastBackup:
    """Return when all was last backed up."""
    here = visit.souls.backups()
    kept = here.all()
    since = [each.at for each in kept or visit.soul.history("IDENTITY.md")]
    is_fresh = bool(here.database) or not since or visit.now - since[0] < _OLD_BACKUP
    return LastBackup(kept[0].at if kept else None, here.nothing, is_fresh)
