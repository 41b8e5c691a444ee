"""What all models share, and what makes positions draw themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler

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


def or_other_game(answer: Any, built_in: ValidatorFunctionWrapHandler) -> Any:
    """A position; of a game that is not built in, with the fields that every game has."""
    try:
        return built_in(answer)
    except ValidationError as error:
        if all(one["type"] != "union_tag_invalid" for one in error.errors()):
            raise
    from tesuji.models import PositionFacts  # the models are made from this module's classes

    return PositionFacts.model_validate(answer)
