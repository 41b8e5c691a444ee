"""Pictures of positions, which notebooks display."""

from __future__ import annotations


class Svg(str):
    """An SVG document."""

    def _repr_svg_(self) -> str:
        return self


class Png(bytes):
    """A PNG file."""

    def _repr_png_(self) -> bytes:
        return self
