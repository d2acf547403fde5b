"""Pictures of the pages in both themes, for the docs; `make browser` makes them anew."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proofs.browser.chromium import Visitor
from proofs.browser.conftest import DESK
from proofs.browser.pages import pages_of

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"
SHOWN = (
    "today",
    "memory",
    "a-memory",
    "soul",
    "a-proposal",
    "a-talk",
    "days",
    "care",
)
LARGEST = 120_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_page_has_its_picture(browser: Any, clio: Visitor, theme: str) -> None:
    clio.site.soul.talk("What did I tell the museum about the tower clock?")
    viewer = Visitor(browser, clio.site, language="en", **{**DESK, "color_scheme": theme})
    page = viewer.log_in()
    FOLDER.mkdir(exist_ok=True)
    paths = pages_of(clio.site)
    for name in SHOWN:
        viewer.go(page, paths[name])
        page.evaluate("document.fonts.ready.then(() => true)")
        picture = FOLDER / f"{name}-{theme}.png"
        taken = page.screenshot(animations="disabled", caret="hide")
        Image.open(io.BytesIO(taken)).convert("RGB").quantize(128).save(picture, optimize=True)
        assert picture.stat().st_size < LARGEST, name
    viewer.context.close()

    assert viewer.told == []
