"""The base classes of all models, and the conversion of results to tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler

if TYPE_CHECKING:
    import pandas

    from tesuji.models import Batch, Review, SearchResponse


class Model(BaseModel):
    """A part of a response. Fields that a newer service adds are kept, in `model_extra`."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())


class Tabular(Model):
    """A result that can be converted to a table."""

    def to_frame(self) -> pandas.DataFrame:
        """The children of a search, the searches of a batch, or the moves of a review (`pip install tesuji[pandas]`)."""
        from tesuji.frames import to_frame  # imports the models, which derive from this class

        return to_frame(cast("SearchResponse | Batch | Review", self))


def or_other_game(answer: Any, built_in: ValidatorFunctionWrapHandler) -> Any:
    """Validates a position; for a game that is not built in, with the fields common to all games."""
    try:
        return built_in(answer)
    except ValidationError as error:
        if all(one["type"] != "union_tag_invalid" for one in error.errors()):
            raise
    from tesuji.models import PositionFacts  # the models derive from this module's classes

    return PositionFacts.model_validate(answer)
