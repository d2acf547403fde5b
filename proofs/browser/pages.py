"""The pages that there are: one of each kind, by a name for its picture."""

from proofs.browser.chromium import Site
from tests.apps.dashboard.reading import MENU


def pages_of(site: Site) -> dict[str, str]:
    """Return the paths of the agent's pages by name; first those of the navigation."""
    soul = site.soul
    memory = next(each for each in soul.memory.list() if each.evidence)
    [proposal, *_] = soul.proposals.list()
    return MENU | {
        "a-memory": f"/memory/{memory.id}",
        "search": "/memory?q=clock",
        "erase": f"/memory/{memory.id}/erase",
        "soul-file": "/soul/SOUL",
        "editing": f"/soul/SOUL?edit={soul.read('SOUL.md').hash}",
        "version": "/soul/SOUL/versions/1?against=now",
        "a-proposal": f"/soul/proposals/{proposal.id}",
        "genesis": "/soul/genesis",
        "a-talk": "/talk/cli:main",
        "a-day": "/days/2026-11-16",
        "care-figures": "/care/figures",
        "care-doctor": "/care?doctor=1",
        "home": "/care/home",
        "settings": "/care/settings",
    }
