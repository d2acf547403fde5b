"""Two windows, a chat and a hand editor on one agent: all show the same within two seconds."""

import time
from collections.abc import Callable
from typing import Any

from tests.browser.chromium import Visitor

SECONDS = 2.0


def takes(do: Callable[[], object], *shown: Any) -> float:
    """Return the seconds until all of *shown* is to be seen after something is done."""
    begun = time.monotonic()
    do()
    for each in shown:
        each.first.wait_for()
    return time.monotonic() - begun


def quickest(name: str, tries: list[float]) -> float:
    print(f"\n{name}: {' '.join(f'{each:.2f}' for each in tries)} s (≤ {SECONDS:.0f} s)", end="")
    return min(tries)


def test_an_edit_by_hand_shows_in_every_window(clio: Visitor) -> None:
    one, two = clio.window("/memory"), clio.window()
    soul, file = clio.site.soul, clio.site.folder / "MEMORY.md"
    memory = next(each for each in soul.memory.list() if each.value in file.read_text())
    page = clio.window(f"/memory/{memory.id}")
    tries, word = [], memory.value
    for new in ("mended by hand", "mended by another hand"):
        text, word = file.read_text().replace(word, new), new
        shown = [window.locator("main").get_by_text(new) for window in (one, two)]
        tries.append(takes(lambda text=text: file.write_text(text), *shown))  # type: ignore[misc]

    assert quickest("an edit of MEMORY.md by hand, in two windows", tries) <= SECONDS
    page.close()


def test_what_is_said_in_one_window_shows_in_the_other_and_a_soul_edited_by_hand_in_both(
    clio: Visitor,
) -> None:
    mine, theirs = clio.window("/talk/cli:main"), clio.window("/talk/cli:main")
    mine.locator("#message").fill("Two windows?")
    said = [window.locator("#said").get_by_text("Two windows?") for window in (mine, theirs)]
    tries = [takes(lambda: mine.locator("#say button.main").click(), *said)]
    assert quickest("a message, in two windows", tries) <= SECONDS

    for window in (mine, theirs):
        clio.go(window, "/soul/USER")
    shown = [window.get_by_text("Restores clocks.") for window in (mine, theirs)]
    edited = clio.site.folder / "USER.md"
    tries = [takes(lambda: edited.write_text(f"{edited.read_text()}\n- Restores clocks.\n"), *shown)]
    assert quickest("an edit of USER.md by hand, in two windows", tries) <= SECONDS


def test_where_somebody_is_writing_nothing_is_replaced(clio: Visitor) -> None:
    soul = clio.site.soul
    page = clio.window(f"/soul/SOUL?edit={soul.read('SOUL.md').hash}")
    page.locator("#text").fill("# Soul\n\nHalf a thou")
    soul.write(soul.read("SOUL.md"), "# Soul\n\nTheirs.\n")
    page.locator("[data-live=newer] .conflict").wait_for()

    assert page.locator("#text").input_value() == "# Soul\n\nHalf a thou"
    assert soul.read("SOUL.md").text == "# Soul\n\nTheirs.\n"
