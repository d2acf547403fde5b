"""What a person does with a page: with a pointer, or with the keyboard alone; and what pages say to them."""

from typing import Any, Literal, Protocol

from almario.domain.messages import say

# So often one presses Tab before one gives up.
_MOST_TABS = 150
# Where something is, seen from what has the focus: there, before it or after it.
_WAY = """wanted => {
  const here = document.activeElement;
  if (here === wanted) return "there";
  return here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING ? "before" : "after";
}"""


class Hand(Protocol):
    """What presses, writes and ticks."""

    def press(self, wanted: Any) -> None: ...
    def write(self, wanted: Any, text: str) -> None: ...
    def tick(self, wanted: Any) -> None: ...


def is_ready(wanted: Any) -> None:
    """Wait until something is there, and the script of its page has begun."""
    wanted.page.locator("html.js").wait_for(state="attached")
    wanted.wait_for()


class Pointer:
    """A mouse or a finger."""

    def press(self, wanted: Any) -> None:
        is_ready(wanted)
        wanted.click()

    def write(self, wanted: Any, text: str) -> None:
        wanted.fill(text)

    def tick(self, wanted: Any) -> None:
        wanted.check()


class Keys:
    """A keyboard and nothing else: Tab leads to things, and one sees where one is."""

    def press(self, wanted: Any) -> None:
        self._reach(wanted).press("Enter")

    def write(self, wanted: Any, text: str) -> None:
        keyboard = self._reach(wanted)
        keyboard.press("ControlOrMeta+a")
        keyboard.insert_text(text)

    def tick(self, wanted: Any) -> None:
        self._reach(wanted).press("Space")

    def _reach(self, wanted: Any) -> Any:
        """Walk there; whatever has the focus must show that it has."""
        is_ready(wanted)
        keyboard = wanted.page.keyboard
        for _ in range(_MOST_TABS):
            way: Literal["there", "before", "after"] = wanted.evaluate(_WAY)
            if way == "there":
                assert wanted.evaluate("each => each.matches(':focus-visible')")
                return keyboard
            keyboard.press("Tab" if way == "after" else "Shift+Tab")
        raise AssertionError(f"no key leads to {wanted}")


def word(page: Any, sentence: str, **facts: object) -> str:
    """Return a sentence in the language that the page has."""
    return say(page.locator("html").get_attribute("lang") or "en", sentence, **facts)


def button(page: Any, sentence: str, within: str = "main") -> Any:
    """Return the first button that says so."""
    return page.locator(within).get_by_role("button", name=word(page, sentence), exact=True).first


def link(page: Any, sentence: str, **facts: object) -> Any:
    """Return the first link of a page that says so."""
    return page.locator("main").get_by_role("link", name=word(page, sentence, **facts), exact=True).first


def toast(page: Any, sentence: str, **facts: object) -> Any:
    """Wait for a toast that says so."""
    shown = page.locator("#toasts .toast").filter(has_text=word(page, sentence, **facts)).last
    shown.wait_for()
    return shown


def undo(page: Any, hand: Hand, sentence: str, **facts: object) -> None:
    """Take back what a toast tells of."""
    shown = toast(page, sentence, **facts).get_by_role("button", name=word(page, "Undo"))
    hand.press(shown)
    toast(page, "Undone.")
