"""A page as a browser reads it: its elements, and the rules that every page of ours keeps."""

from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, NamedTuple

from almario.apps.dashboard.rendering import environment

# The pages in the menu: where each is below the agent's address, by its name.
_NAVIGATION: Any = environment("en").get_template("navigation.html").module
MENU: dict[str, str] = {each["name"]: each["path"] for each in _NAVIGATION.menu}
# Elements that have no end.
_VOID = {"meta", "link", "input", "br", "hr", "img"}


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str]


class Page(HTMLParser):
    """The elements of a page, its text, and what stands in each `pre`."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.text = ""
        self.blocks: list[str] = []
        self.unclosed: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.unclosed.append(tag)
        if tag == "pre":
            self.blocks.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed, f"</{tag}> closes nothing"
        assert self.unclosed[-1] == tag, f"</{tag}> closes <{self.unclosed[-1]}>"
        self.unclosed.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        if "pre" in self.unclosed:
            self.blocks[-1] += data

    def all(self, tag: str) -> list[Element]:
        return [each for each in self.elements if each.tag == tag]

    def values(self, attribute: str) -> list[str]:
        return [each.attributes[attribute] for each in self.elements if attribute in each.attributes]


def inline(page: Page) -> list[str]:
    """Return the attributes that would be a script or a style of their own."""
    every = [(each.tag, name) for each in page.elements for name in each.attributes]
    return [f"{name} in <{tag}>" for tag, name in every if name == "style" or name.startswith("on")]


def broken_rules(page: Page) -> list[str]:
    """Return what a page of ours must not have, or lacks."""
    found = [f"<{tag}> is not closed" for tag in page.unclosed]
    found += inline(page)
    for tag, attributes in page.elements:
        if tag in ("style", "iframe", "object", "embed", "img"):
            found.append(f"<{tag}>")
        if tag == "script" and not attributes.get("src", "").startswith("/assets/"):
            found.append("a script of its own")
        address = attributes.get("href", attributes.get("src", attributes.get("action", "/")))
        is_marked = tag == "a" and "nofollow" in attributes.get("rel", "")
        if not address.startswith(("/", "#")) and not is_marked:
            found.append(f"<{tag}> leads to {address}")
    return [*found, *_hard_to_read(page)]


def _hard_to_read(page: Page) -> list[str]:
    """Return what somebody who hears a page, or only has keys, would stumble over."""
    levels = [int(each.tag[1]) for each in page.elements if each.tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    found = [f"h{new} after h{old}" for old, new in pairwise(levels) if new > old + 1]
    if levels.count(1) != 1:
        found.append(f"{levels.count(1)} h1")
    ids = page.values("id")
    found += [f"the id {each} twice" for each in set(ids) if ids.count(each) > 1]
    labelled = set(page.values("for"))
    for tag, attributes in page.elements:
        is_field = tag in ("input", "select", "textarea") and attributes.get("type") != "checkbox"
        if is_field and attributes.get("id") not in labelled and "aria-label" not in attributes:
            found.append(f"<{tag} name={attributes.get('name')}> has no label")
        if tag == "svg" and "aria-hidden" not in attributes and not attributes.get("aria-label"):
            found.append("a picture that nobody describes")
    found += [f"{each} is not there" for each in page.values("aria-labelledby") if each not in ids]
    return found
