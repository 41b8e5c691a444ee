"""Results as tables of pandas (`pip install tesuji[pandas]`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tesuji.models import Batch, BatchItem, Child, Review, ReviewedMove, Root, SearchResponse

if TYPE_CHECKING:
    import pandas


#: Columns of a search before those of its root.
BEFORE = ("game", "position", "to_move", "status", "move")


def to_frame(result: SearchResponse | Batch | Review | Iterable[BatchItem | None]) -> pandas.DataFrame:
    """A table of the children of a search, the searches of a batch (or of its items), or the moves of a review."""
    import pandas  # optional

    if isinstance(result, SearchResponse):
        rows, columns = [row(child) for child in result.children], names(Child)
    elif isinstance(result, Review):
        rows, columns = [row(move) for move in result.moves], names(ReviewedMove)
    else:
        items = result.items if isinstance(result, Batch) else result
        rows = [item_row(item) for item in items if item is not None]
        columns = ["index", *BEFORE, *names(Root, "tree_bytes"), "time_ms", "problem"]
    table = pandas.DataFrame(rows)
    # Without a row that has them all, the columns would be missing.
    return table if set(columns) <= set(table.columns) else table.reindex(columns=columns)


def names(part: type[Child | Root | ReviewedMove], *left_out: str) -> list[str]:
    """The columns for a part of a response."""
    fields = {name: field.alias or name for name, field in part.model_fields.items()}
    return [alias for name, alias in fields.items() if name not in ("children", *left_out)]


def row(part: Child | Root | ReviewedMove, *left_out: str) -> dict[str, Any]:
    """The fields of a part of a response, lines and kinds of reasons as texts, scores as numbers."""
    fields = part.model_dump(by_alias=True, exclude={"children", *left_out})
    for name in ("pv", "line"):
        if name in fields:
            fields[name] = " ".join(fields[name])
    if "reasons" in fields:
        fields["reasons"] = " ".join(reason["kind"] for reason in fields["reasons"])
    if fields.get("score") is not None:
        fields["score"] = fields["score"]["value"]
    return fields


def item_row(item: BatchItem) -> dict[str, Any]:
    """A search of a batch: position, result and cost; or the code of the problem."""
    if item.search is None:
        return {"index": item.index, "problem": item.problem and item.problem.code}
    search = item.search
    return {
        "index": item.index,
        "game": search.game,
        "position": search.position.text,
        "to_move": search.position.to_move,
        "status": search.status,
        "move": search.move,
        **row(search.root, "tree_bytes"),
        "time_ms": search.timing.search_ms,
        "problem": None,
    }
