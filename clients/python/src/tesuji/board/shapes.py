"""SVG elements as text."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr


class Markup(str):
    """Text that is markup already."""


def element(name: str, *content: str, **attributes: str | float) -> Markup:
    """An element. Content that is no markup is escaped; underscores in names of attributes become hyphens."""
    shown = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    texts = (f"{value:g}" if isinstance(value, (int, float)) else value for value in shown.values())
    given = "".join(f" {key}={quoteattr(text)}" for key, text in zip(shown, texts, strict=True))
    inside = "".join(part if isinstance(part, Markup) else escape(part) for part in content)
    return Markup(f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>")


def circle(x: float, y: float, radius: float, fill: str, **more: str | float) -> Markup:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def rectangle(x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> Markup:
    """A rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 2, **more: str | float) -> Markup:
    """A line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, **more)


def path(d: str, fill: str = "none", stroke: str = "none", width: float = 2, **more: str | float) -> Markup:
    """A path."""
    return element("path", d=d, fill=fill, stroke=stroke, stroke_width=width, **more)


def text(x: float, y: float, words: str, size: float, fill: str, **more: str | float) -> Markup:
    """A text, centred."""
    return element("text", words, x=x, y=y, font_size=size, fill=fill, **more)
