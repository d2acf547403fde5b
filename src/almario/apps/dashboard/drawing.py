"""Charts as SVG, made on the server.

Each has a title and a description for those who cannot see it. Colours are classes, which style.css gives
for light and dark; there are no style attributes, which the pages forbid.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

# A chart is drawn in these units, whatever its size on the page.
_WIDTH, _HEIGHT = 600, 160
_LEFT, _BOTTOM, _TOP = 4, 22, 14
# From so much on, an axis has whole numbers.
_WHOLE = 2
# So much room a label has.
_ROOM = 80


class ChartBar(NamedTuple):
    """One bar: its label, how much of each part (one class of colour for each), and its words."""

    label: str
    parts: tuple[float, ...]
    words: str = ""


class ChartPoint(NamedTuple):
    """One point of a line; *mark* is what happened there, if anything."""

    label: str
    value: float
    mark: str = ""


def bars(
    title: str, description: str, given: Sequence[ChartBar], *, width: int = _WIDTH, unit: str = ""
) -> Markup:
    """Return bars side by side, their parts on each other, the first below; *unit* is what is counted."""
    most = max((sum(bar.parts) for bar in given), default=0) or 1
    step = (width - 2 * _LEFT) / max(len(given), 1)
    space, wide = _HEIGHT - _BOTTOM - _TOP, min(step * 0.72, 48)
    every = -(-len(given) // max(width // _ROOM, 1)) or 1
    drawn = []
    for place, bar in enumerate(given):
        x, floor = _LEFT + place * step + (step - wide) / 2, float(_HEIGHT - _BOTTOM)
        pieces = []
        for nth, value in enumerate(bar.parts):
            high = space * value / most
            floor -= high
            if high > 0:
                pieces.append(
                    f'<rect class="part-{nth}" x="{x:.1f}" y="{floor:.1f}" width="{wide:.1f}" '
                    f'height="{max(high, 1):.1f}" rx="1.5"/>'
                )
        words = escape(bar.words or bar.label)
        drawn.append(f"<g><title>{words}</title>{''.join(pieces)}</g>")
        if place % every == 0:
            drawn.append(_label(x + wide / 2, bar.label, width))
    return _chart("bars", title, description, _scale(most, unit, width) + "".join(drawn), width)


def line(
    title: str, description: str, given: Sequence[ChartPoint], *, most: float = 0, limit: float = 0
) -> Markup:
    """Return a line over time from 0 up to *most*, or the highest point; past *limit* is too far."""
    top = most or max((point.value for point in given), default=0) or 1
    places = _places([point.value for point in given], top, (_WIDTH, _HEIGHT - _BOTTOM), _TOP)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = [f'<polyline class="line" points="{path}"/>'] if len(given) > 1 else []
    if limit:
        [(_, height)] = _places([limit], top, (_WIDTH, _HEIGHT - _BOTTOM), _TOP)
        drawn.append(f'<line class="limit" x1="0" x2="{_WIDTH}" y1="{height:.1f}" y2="{height:.1f}"/>')
    every = -(-len(given) // (_WIDTH // _ROOM)) or 1
    for nth, ((x, y), point) in enumerate(zip(places, given, strict=True)):
        words = escape(f"{point.label}: {point.mark}" if point.mark else point.label)
        kind = "mark" if point.mark else "dot"
        drawn.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{words}</title></circle>'
        )
        if nth % every == 0:
            drawn.append(_label(x, point.label))
    return _chart("curve", title, description, _scale(top, "", _WIDTH) + "".join(drawn))


def sparkline(title: str, values: Sequence[float]) -> Markup:
    """Return a small line that stands in a line of text."""
    places = _places(values, max(values, default=0) or 1, (96, 22), 2)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = f'<title>{escape(title)}</title><polyline class="line" points="{path}"/>'
    return _svg(f'class="spark" viewBox="0 0 96 24" role="img" aria-label="{escape(title)}"', drawn)


def token_bar(title: str, used: float, most: float) -> Markup:
    """Return a bar of how much of something is used; what is over it has a colour of its own."""
    share = min(used / most, 1) if most else 0
    kind = "part-0" if used <= most else "over"
    drawn = (
        f'<title>{escape(title)}</title><rect class="ground" width="100" height="6" rx="3"/>'
        f'<rect class="{kind}" width="{share * 100:.1f}" height="6" rx="3"/>'
    )
    shape = 'class="tokens" viewBox="0 0 100 6" preserveAspectRatio="none" role="img"'
    return _svg(f'{shape} aria-label="{escape(title)}"', drawn)


def _places(
    values: Sequence[float], most: float, size: tuple[float, float], top: float
) -> list[tuple[float, float]]:
    wide, high = size
    step = (wide - 4 * _LEFT) / max(len(values) - 1, 1)
    return [
        (2 * _LEFT + nth * step, high - (high - top) * min(value / most, 1))
        for nth, value in enumerate(values)
    ]


def _label(x: float, words: str, width: int = _WIDTH) -> str:
    edge = _ROOM / 4
    x, anchor = (0, "start") if x < edge else (width, "end") if x > width - edge else (x, "middle")
    return f'<text x="{x:.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{escape(words)}</text>'


def _scale(most: float, unit: str, width: int) -> str:
    """Return the axis at the left: a line for half and for the most, each with its figure and unit."""
    drawn = []
    for share in (0.5, 1.0):
        y = _TOP + (_HEIGHT - _BOTTOM - _TOP) * (1 - share)
        value = most * share
        if most >= _WHOLE and value != round(value):
            continue
        said = f"{value:,.0f}".replace(",", "\u202f") if most >= _WHOLE else f"{value:.2f}"
        words = escape(f"{said} {unit}".strip())
        drawn.append(f'<line class="axis" x1="0" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="0" y="{y - 3:.1f}">{words}</text>')
    return "".join(drawn)


def _chart(kind: str, title: str, description: str, drawn: str, width: int = _WIDTH) -> Markup:
    floor = _HEIGHT - _BOTTOM
    ground = f'<line class="axis" x1="0" x2="{width}" y1="{floor}" y2="{floor}"/>'
    told = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    shape = f'class="chart {kind}" viewBox="0 0 {width} {_HEIGHT}" role="img"'
    return _svg(f'{shape} aria-label="{escape(f"{title}. {description}")}"', told + ground + drawn)


def _svg(attributes: str, drawn: str) -> Markup:
    return Markup(f"<svg {attributes}>{drawn}</svg>")  # noqa: S704 - what is filled in is escaped
