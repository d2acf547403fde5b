"""`python -m rules.house` draws house.svg: the rooms and what each is built on, from imports.

A room stands above all that it imports. An arrow is left out where others lead there.
"""

from collections.abc import Iterator, Mapping
from html import escape

from rules.test_architecture import PROJECT, ROOMS, imports, modules, room_of

PICTURE = PROJECT / "house.svg"
_WIDTH, _HIGH, _STEP, _LETTER, _GAP, _ASIDE = 860, 30, 62, 8, 18, 90
# A colour that can be read on a light page and on a dark one.
_INK = "#7a7f87"


def drawing() -> str:
    """Return the picture, the same for the same imports."""
    below = _below()
    floors: dict[str, int] = {}
    for room in ROOMS:
        floors[room] = 1 + max((floors[each] for each in below[room]), default=-1)
    places = dict(_places(floors))
    height = (max(floors.values()) + 1) * _STEP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="14" fill="none" stroke="{_INK}">',
        "<title>The rooms of the core, each above what it imports</title>",
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 8 4 0 8z" fill="{_INK}" stroke="none"/></marker></defs>',
    ]
    for room in ROOMS:
        for other in _nearest(room, below):
            (x, y, _), (to, at, _) = places[room], places[other]
            # What passes other floors goes round them.
            aside = (floors[room] - floors[other] - 1) * _ASIDE * (1 if x + to >= _WIDTH else -1)
            bend = f"{(x + to) // 2 + aside} {height - (y + at + _HIGH) // 2}"
            lines.append(
                f'<path d="M{x} {height - y}Q{bend} {to} {height - at - _HIGH}" opacity=".6" '
                'marker-end="url(#end)"/>'
            )
    for room, (x, y, wide) in places.items():
        top = height - y - _HIGH
        lines += [
            f'<rect x="{x - wide // 2}" y="{top}" width="{wide}" height="{_HIGH}" rx="4"/>',
            f'<text x="{x}" y="{top + 20}" text-anchor="middle" fill="{_INK}" stroke="none">'
            f"{escape(room)}</text>",
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _below() -> Mapping[str, set[str]]:
    """Return which rooms each one imports."""
    found: dict[str, set[str]] = {room: set() for room in ROOMS}
    for module, path in modules():
        if (room := room_of(module)) in found:
            found[room] |= {room_of(each) for each in imports(path)} & found.keys() - {room}
    return found


def _nearest(room: str, below: Mapping[str, set[str]]) -> list[str]:
    """Return what a room imports that none of its other imports leads to."""

    def all_below(one: str) -> set[str]:
        return below[one].union(*map(all_below, below[one]))

    return sorted(below[room].difference(*map(all_below, below[room])))


def _places(floors: Mapping[str, int]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield the middle, the bottom and the width of each room's box."""
    for floor in range(max(floors.values()) + 1):
        here = [room for room in ROOMS if floors[room] == floor]
        widths = [len(room) * _LETTER + 24 for room in here]
        x = (_WIDTH - sum(widths) - _GAP * (len(here) - 1)) // 2
        for room, wide in zip(here, widths, strict=True):
            yield room, (x + wide // 2, floor * _STEP + 8, wide)
            x += wide + _GAP


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
