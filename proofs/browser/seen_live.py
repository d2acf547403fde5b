"""Two windows, a chat and a hand editor on one agent: all show the same soon, and nothing is overwritten."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from playwright.sync_api import expect

import almario
from almario.apps.repl.chat import Chat
from almario.apps.repl.screens import Typed
from almario.domain.talk import Ask, Reply
from almario.ports import Hear
from almario.testing import ScriptedLLM
from proofs.browser.chromium import Visitor
from proofs.browser.conftest import DESK, HomeOf, visiting
from tests.apps.test_chat import Stage

SECONDS, TRIES = 2.0, 6


def show_soon(what: str, act: Callable[[str], object], *places: Any) -> None:
    """Do something until it is to be seen everywhere in time; a busy machine may need some tries."""
    tries: list[float] = []
    for number in range(1, TRIES + 1):
        text = f"{what}, number {number}"
        begun = time.monotonic()
        act(text)
        for place in places:
            place.get_by_text(text).first.wait_for()
        tries.append(time.monotonic() - begun)
        if tries[-1] <= SECONDS:
            break
    print(f"\n{what}, in {len(places)} windows: {' '.join(f'{each:.2f}' for each in tries)} s", end="")
    assert min(tries) <= SECONDS, what


def test_what_any_of_them_does_shows_in_both_windows(clio: Visitor) -> None:
    one, two = clio.window("/memory"), clio.window("/memory")
    file = clio.site.folder / "MEMORY.md"
    with at_the_terminal(clio) as type_in:
        acts = {
            "a window": lambda text: remember(one, text),
            "a hand editor": lambda text: file.write_text(f"{file.read_text()}\n- {text}\n"),
            "a chat in a terminal": lambda text: type_in(f"/remember {text}"),
        }
        for who, act in acts.items():
            show_soon(
                f"remembered by {who}", act, *(page.locator("[data-live=results]") for page in (one, two))
            )


def remember(page: Any, text: str) -> None:
    page.locator("aside textarea").fill(text)
    page.locator("aside button.main").click()


def test_what_is_said_in_a_window_or_a_terminal_shows_in_every_window(clio: Visitor) -> None:
    mine, theirs = clio.window("/talk/cli:main"), clio.window("/talk/cli:main")
    places = [window.locator("#said") for window in (mine, theirs)]
    show_soon("said in a window", lambda text: say(mine, text), *places)
    with at_the_terminal(clio) as type_in:
        show_soon("said in a terminal", type_in, *places)

    texts = [turn.text for turn in clio.site.soul.sessions.turns("cli:main") if turn.role == "user"]
    assert [text.partition(",")[0] for text in texts if "number 1" in text] == [
        "said in a window",
        "said in a terminal",
    ]


def say(page: Any, text: str) -> None:
    page.locator("html.js").wait_for()
    page.locator("#message").fill(text)
    page.locator("#say button.main").click()


def test_a_soul_edited_by_hand_shows_in_both_windows(clio: Visitor) -> None:
    windows, file = [clio.window("/soul/USER"), clio.window("/soul/USER")], clio.site.folder / "USER.md"

    def edit(text: str) -> None:
        file.write_text(f"{file.read_text()}\n- {text}\n")

    show_soon("written into USER.md by hand", edit, *(window.locator("main") for window in windows))


def test_where_somebody_is_writing_nothing_is_replaced(clio: Visitor) -> None:
    soul = clio.site.soul
    page = clio.window(f"/soul/SOUL?edit={soul.read('SOUL.md').hash}")
    page.locator("#text").fill("# Soul\n\nHalf a thou")
    (clio.site.folder / "SOUL.md").write_text("# Soul\n\nTheirs.\n")
    page.locator("[data-live=newer] .conflict").wait_for()

    assert page.locator("#text").input_value() == "# Soul\n\nHalf a thou"
    assert soul.read("SOUL.md").text == "# Soul\n\nTheirs.\n"


def test_of_two_windows_that_edit_a_soul_file_neither_overwrites_the_other_unseen(clio: Visitor) -> None:
    clio.refusals.add(412)
    soul = clio.site.soul
    one, two = (clio.window(f"/soul/SOUL?edit={soul.read('SOUL.md').hash}") for _ in range(2))
    for page, text in ((one, "# Soul\n\nOf one.\n"), (two, "# Soul\n\nOf two.\n")):
        page.locator("html.js").wait_for()
        page.locator("#text").fill(text)
    save(one)
    one.wait_for_url("**/soul/SOUL")
    save(two)
    expect(two.locator("[data-conflict] pre")).to_contain_text("Of one.")
    assert soul.read("SOUL.md").text == "# Soul\n\nOf one.\n"
    assert two.locator("#text").input_value() == "# Soul\n\nOf two.\n"

    save(two)  # who has seen it may take its place, and it is kept in the history
    two.wait_for_url("**/soul/SOUL")
    assert soul.read("SOUL.md").text == "# Soul\n\nOf two.\n"
    assert "Of one." in soul.read("SOUL.md", str(len(soul.history("SOUL.md")) - 1)).text


def test_of_two_windows_that_change_a_memory_neither_overwrites_the_other_unseen(clio: Visitor) -> None:
    clio.refusals |= {400, 409}
    soul = clio.site.soul
    memory = next(each for each in soul.memory.list() if each.evidence)
    one, two, three = (clio.window(f"/memory/{memory.id}") for _ in range(3))
    for page, when in ((one, "2025-03-04"), (two, "2025-05-06")):
        page.locator("html.js").wait_for()
        page.locator("#edit summary").click()
        page.locator("#when").fill(when)
    three.locator("#edit summary").click()
    three.locator("#edit textarea").fill("Of three.")

    save(one, "#edit")
    one.locator("#toasts .toast").first.wait_for()
    save(two, "#edit")
    expect(two.locator("#edit [data-conflict]")).to_contain_text("2025-03-04")
    assert soul.memory.get(memory.id).dated == "2025-03-04"
    save(two, "#edit")
    two.locator("#toasts .toast:not(.problem)").first.wait_for()
    assert soul.memory.get(memory.id).dated == "2025-05-06"

    soul.memory.change(memory.id, "Of four.")
    save(three, "#edit")
    three.locator("#toasts .toast.problem").wait_for()
    assert three.locator("#edit textarea").input_value() == "Of three."
    assert [each.value for each in soul.memory.list() if each.key == memory.key] == ["Of four."]


def save(page: Any, within: str = "form.editing") -> None:
    page.locator(f"{within} button.main").click()


class PieceByPiece(ScriptedLLM):
    """A model that says the next piece of its answer when it is told to; None is the end of it."""

    def __init__(self) -> None:
        super().__init__("")
        self.pieces: SimpleQueue[str | None] = SimpleQueue()

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        if hear is None:  # what works in the background waits for nobody
            return super().reply(ask)
        said = ""
        for piece in iter(self.pieces.get, None):
            said += piece
            hear(piece)
        return Reply(said, model=self.model)


def test_an_answer_is_seen_piece_by_piece_as_it_is_written(browser: Any, copied_to: HomeOf) -> None:
    llm = PieceByPiece()
    with visiting(browser, copied_to("en"), "en", llm, **DESK) as visitor:
        page = visitor.window("/talk/web:pieces")
        say(page, "Tell me.")
        writing, told = page.locator("#now li.assistant .markdown"), ""
        for piece in ("Once ", "there was ", "**a clock**", " that"):
            llm.pieces.put(piece)
            told += piece
            expect(writing).to_have_text(told.replace("**", "").strip())
            expect(page.locator("#now")).to_have_attribute("aria-busy", "true")
        llm.pieces.put(None)

        expect(page.locator("#said li.assistant strong").filter(has_text="a clock")).to_be_visible()
        expect(page.locator("#now li")).to_have_count(0)


def test_an_answer_that_is_stopped_is_kept_as_far_as_it_went(browser: Any, copied_to: HomeOf) -> None:
    llm = PieceByPiece()
    with visiting(browser, copied_to("en"), "en", llm, **DESK) as visitor:
        page = visitor.window("/talk/web:pieces")
        say(page, "Tell me all.")
        llm.pieces.put("It begins ")
        expect(page.locator("#now li.assistant .markdown")).to_have_text("It begins")
        page.locator("#stop").click()
        expect(page.locator("#stop")).to_be_hidden()
        for piece in ("on its way", "not heard", None):
            llm.pieces.put(piece)

        expect(page.locator("#said li.assistant")).to_contain_text("It begins")
        expect(page.locator("#said li.assistant .badge")).to_have_text("stopped")
        expect(page.locator("#said")).not_to_contain_text("not heard")


class Terminal(Stage):
    """A screen at which somebody types a line now and then; None is Ctrl+D."""

    def __init__(self) -> None:
        super().__init__(can_ask=False)
        self.lines: SimpleQueue[Typed | None] = SimpleQueue()

    def read(self) -> Typed | None:
        return self.lines.get()


@contextmanager
def at_the_terminal(visitor: Visitor) -> Iterator[Callable[[str], None]]:
    """Chat with the same agent in a terminal, as another program does."""
    souls, screen = visitor.site.souls, Terminal()
    with almario.open(souls.root, clock=souls.clock, llm=ScriptedLLM("Good evening.")) as soul:
        thread = threading.Thread(target=Chat(soul, screen).run)
        thread.start()
        try:
            yield lambda line: screen.lines.put(Typed(line))
        finally:
            screen.lines.put(None)
            thread.join()
