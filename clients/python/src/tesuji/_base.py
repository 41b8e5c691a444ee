"""What all models share, and what makes positions draw themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from tesuji.models import PositionFacts


class Model(BaseModel):
    """A part of an answer. Fields that a newer service adds are kept, in `model_extra`."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())


class Drawable(Model):
    """A position that a notebook shows as a board."""

    def _repr_svg_(self) -> str:
        from tesuji.board import svg  # the drawing needs the models, which are made from this class

        return svg(cast("PositionFacts", self))
