"""Games in progress, of the asynchronous client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

from typing_extensions import Unpack

from tesuji.models import Outcome, PositionFacts, SearchResponse, Side
from tesuji.pictures import Png, Svg
from tesuji.requests import Picture, SearchOptions

if TYPE_CHECKING:
    from tesuji._async import AsyncClient

P = TypeVar("P", bound=PositionFacts)


class AsyncGame(Generic[P]):
    """A game in progress, from `AsyncClient.play`. `push` plays a move, `pop` takes it back; the rules are the service's."""

    def __init__(self, client: AsyncClient, game: str, position: P) -> None:
        self._client = client
        self._game = game
        self._before: list[P] = []
        #: The position on the board.
        self.position = position

    @property
    def moves(self) -> list[str]:
        """The moves played, including passes without a choice."""
        return [played.move for played in self.position.line]

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves of the position."""
        return self.position.legal_moves

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self.position.to_move

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""
        return self.position.outcome

    async def push(self, move: str | int) -> P:
        """Plays a move; `Refused` if it is illegal."""
        after = await self._after([*self.moves, str(move)])
        self._before.append(self.position)
        self.position = after
        return after

    async def pop(self) -> str:
        """Takes the last move back, and returns it."""
        if not self.moves:
            raise IndexError("no move has been played")
        *earlier, last = self.moves
        before = self._before.pop() if self._before else None
        if before is None or len(before.line) != len(earlier):
            before = await self._after(earlier)
        self.position = before
        return last

    async def search(self, **options: Unpack[SearchOptions]) -> SearchResponse:
        """Searches the position. Interrupting or cancelling this call stops the search."""
        return await self._client.search(**self._request(self.moves), **options)

    @overload
    async def picture(self, *, format: Literal["svg"] = "svg", **options: Unpack[Picture]) -> Svg: ...
    @overload
    async def picture(self, *, format: Literal["png"], **options: Unpack[Picture]) -> Png: ...
    async def picture(self, *, format: Literal["svg", "png"] = "svg", **options: Any) -> Svg | Png:
        """A picture of the position, which notebooks display."""
        request: dict[str, Any] = {"picture": options, **self._request(self.moves)}
        if format == "png":
            return await self._client.picture(format=format, **request)
        return await self._client.picture(format=format, **request)

    async def _after(self, moves: list[str]) -> P:
        return cast(P, await self._client.position(**self._request(moves)))

    def _request(self, moves: list[str]) -> dict[str, Any]:
        # Each game's position has `variant`, in a model of that game.
        variant = self.position.model_dump(by_alias=True).get("variant")
        return {"game": self._game, "variant": variant, "position": self.position.start, "moves": moves}
