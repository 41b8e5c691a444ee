"""What the service is asked. Generated from openapi.yaml by `generate`."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict
from typing_extensions import NotRequired
from collections.abc import Sequence


GameName: TypeAlias = Literal[
    "tic-tac-toe",
    "connect-four",
    "reversi",
    "dots-and-boxes",
    "gomoku",
    "xiangqi",
    "hex",
]
"""
The game.
"""


VariantName: TypeAlias = Literal["standard", "freestyle", "renju", "caro"]
"""
The name of a variant. All but Gomoku have only `standard`.
"""


class TicTacToeVariant(TypedDict):
    """
    The m,n,k family; `k` or more stones in a row win.
    """

    name: NotRequired[Literal["standard"]]
    columns: NotRequired[int]
    """
    Width of the board.
    """
    rows: NotRequired[int]
    """
    Height of the board.
    """
    k: NotRequired[int]
    """
    Stones in a row that win; not more than the longer side of the board.
    """


class ConnectFourVariant(TypedDict):
    """
    The board, the length of a winning line, and a cell that no stone can take.
    """

    name: NotRequired[Literal["standard"]]
    columns: NotRequired[int]
    """
    Width of the board.
    """
    rows: NotRequired[int]
    """
    Height of the board.
    """
    connect: NotRequired[int]
    """
    Stones in a row that win; not more than the longer side of the board.
    """
    blocked: NotRequired[str | None]
    """
    A cell that no stone can take and that breaks lines: column letter and row number from the bottom. A stone that
    would land on it lands above. Absent in answers when there is none.

    """


class ReversiVariant(TypedDict):
    """
    There is one variant, without parameters.
    """

    name: NotRequired[Literal["standard"]]


class DotsAndBoxesVariant(TypedDict):
    """
    The board's size in boxes.
    """

    name: NotRequired[Literal["standard"]]
    columns: NotRequired[int]
    """
    Boxes in a row.
    """
    rows: NotRequired[int]
    """
    Rows of boxes.
    """


class GomokuVariant(TypedDict):
    """
    What wins, the board, and how the game begins.
    """

    name: NotRequired[Literal["freestyle", "standard", "renju", "caro"]]
    """
    `freestyle`: five or more in a row win. `standard`: exactly five. `renju`: exactly five for Black, who may not make
    an overline, a double four or a double three; five or more for White. `caro`: five or more, unless the opponent's
    stones close both ends.

    """
    size: NotRequired[int]
    """
    Points on each side of the board.
    """
    opening: NotRequired[Literal["free", "swap2"]]
    """
    How the game begins: `free`, the first player being Black, or `swap2` (not in renju), where the first player places
    three stones and the second takes a colour, or places two more stones and leaves the choice to the first.

    """


class XiangqiVariant(TypedDict):
    """
    When a game without captures is drawn, and how moves are read.
    """

    name: NotRequired[Literal["standard"]]
    no_capture_plies: NotRequired[int]
    """
    Plies without a capture after which the game is drawn. Of each side's checks since the last capture, those beyond the
    tenth, and the replies to them, do not count.

    """
    ranks: NotRequired[Literal["from_zero", "from_one"]]
    """
    How moves by coordinates are read and written: `from_zero` (h2e2, ranks 0 to 9, as in ICCS) or `from_one` (h3e3,
    ranks 1 to 10, as some UCI programs do).

    """


class HexVariant(TypedDict):
    """
    Board size and swap rule.
    """

    name: NotRequired[Literal["standard"]]
    size: NotRequired[int]
    """
    Cells on each side of the rhombus.
    """
    swap: NotRequired[bool]
    """
    Whether the second player's first move can be `swap`: the first stone becomes blue, mirrored at the long diagonal (a2
    becomes b1), and Red is to move.

    """


PastedText: TypeAlias = str | None
"""
A game as people paste it, in place of `position` and `moves`: a position, or moves in any of the game's notations, or a
position, the word `moves`, and moves. Between moves there may be commas and numbers (`12.`), capital letters may be small
ones and small ones capitals, and passes may be left out. A record in any format that the game has is read too (see
`/v1/records`). An empty text is the game's start.

"""


RecordFormat: TypeAlias = Literal[
    "moves", "sgf", "psq", "ggf", "pgn-chinese", "pgn-iccs", "pgn-wxf", "ucci", "uci"
]
"""
A format of records. Every game has `moves`, a list of moves, after the position where that is not the start: `h8 i9`,
`f5d6c3`, `4433`. Gomoku (with renju) has `sgf` and `psq`, Hex `sgf`, Reversi `ggf` and `sgf`, Xiangqi PGN in three
notations and the position lines of `ucci` (ranks from 0) and `uci` (ranks from 1).

"""


RecordFormatName: TypeAlias = RecordFormat | Literal["pgn"]
"""
A format of records, or `pgn` for any of its notations.
"""


class GivenClock(TypedDict):
    """
    What a player has for the moves of a game, in seconds.
    """

    main_s: NotRequired[float]
    """
    For all moves.
    """
    increment_s: NotRequired[float]
    """
    Added after each move.
    """
    grace_s: NotRequired[float]
    """
    Once the rest is used up (GGF): the game is lost, but not by the highest margin.
    """


EarlyEnd: TypeAlias = Literal["resignation", "timeout", "agreement", "forfeit"] | None
"""
How the game ended, where it was not by its rules.
"""


RequestedPosition: TypeAlias = str | None
"""
A position in the game's notation (`notation` of `/v1/games/{game}`); the start when absent or null.
"""


RequestedMoves: TypeAlias = str | Sequence[str | int] | None
"""
Moves in the game's notation, played from the position in order: a list, of which one text may hold several moves; or one
text with spaces, commas and numbers (`12.`) between the moves, or nothing where the notation needs nothing (`4433`,
`h8h9`). In a list, a column of Connect Four may be a number (from 10 on, columns are letters). The game may end with the
last move, not before.

"""


Side: TypeAlias = Literal["first", "second"]
"""
`first` is the player who moves first from the start position. In a finished game, `to_move` is the side that would be.

"""


Priority: TypeAlias = Literal["interactive", "batch"]
"""
`interactive`, or `batch`: searched when no interactive search wants the core, save for one turn in eight.

"""


Perspective: TypeAlias = Literal["side_to_move", "first_player"]
"""
From whose view `value`, `win`, `draw`, `loss`, `score`, `bound` and `proven` are reported, everywhere in the answer: the side to
move in the request's position, or the player who moves first from the start.

"""


class RequestedBudget(TypedDict):
    """
    What the search may spend; the first limit reached stops it. Each limit has a cap, listed by `/v1/games`: more is refused
    with `invalid_budget`. Without `time_ms`, `simulations`, `nodes` and `depth`, the server's default time is given; without
    `memory_mb`, what can be filled in the time or with the simulations, at most the engine's default. Limits that the engine does not know are refused. Where there is just one legal move,
    about 1000 simulations or nodes are spent on its value, whatever the budget.

    """

    time_ms: NotRequired[int | None]
    """
    Milliseconds from the start of the search; waiting for a free core is not counted.
    """
    simulations: NotRequired[int | None]
    """
    Monte-Carlo simulations, of all threads together. `mcts` only.
    """
    nodes: NotRequired[int | None]
    """
    Positions visited, as `nodes` in the report, of all threads together.
    """
    depth: NotRequired[int | None]
    """
    Plies of iterative deepening. `negamax` only.
    """
    memory_mb: NotRequired[int | None]
    """
    Mebibytes. A tree (`mcts`) that has grown so large is recycled: what is least visited goes, what is proven stays known, and the search goes on. A table (`negamax`, `solver`) grows up to it as it fills: a short search takes no longer for much memory.
    """


EngineChoice: TypeAlias = Literal["auto", "mcts", "negamax", "solver"]
"""
An engine by its name, its options at their defaults.
"""


class AutoWithOptions(TypedDict):
    """
    The strongest engine; it takes no options.
    """

    name: Literal["auto"]


Selection: TypeAlias = Literal["ucb1", "puct", "rave"]
"""
By which bound children are compared, n being the child's visits and N its parent's: `ucb1` mean + c * sqrt(2 ln N / n),
`puct` mean + 2c * P * sqrt(N) / (1 + n) with priors P by the game's order, `rave` UCB1 over means that begin as those of
all simulations in which the move was played later. Each game lists those that suit it; the first is its default.

"""


Widening: TypeAlias = float
"""
Of a node with N visits the first w * sqrt(N) children in the game's order may be visited, at least two; 0: all. More
than 0 only where `order` is `judge`.

"""


Parallel: TypeAlias = Literal["root", "tree"]
"""
How several threads search: each a tree or graph of its own, merged in the end (`root`: equal seeds give equal answers), or
all one (`tree`: answers depend on which thread was quicker, whatever the seed).

"""


VirtualLoss: TypeAlias = bool
"""
Whether a simulation under way counts as lost where it has passed, so that the others part from it; in a tree or graph that
all threads grow.

"""


Transpositions: TypeAlias = Literal["auto", "separate", "shared"]
"""
Whether equal positions reached by different lines have nodes of their own (`separate`) or share one (`shared`). Each game
lists its default: `auto` in Dots and Boxes, which is `shared` on boards with at most 17 edges (3x2 boxes), since any order
of the same moves leads to one position; else `separate`. An answer names the one in force. Where the past decides too, as
in Xiangqi, only `separate`. In a `report.tree` the replies to a shared position have the
visits of all lines that lead to it.

"""


Technique: TypeAlias = bool
"""
Whether a technique of `negamax` is in force, where the game's evaluator has what it needs: `/v1/games` lists those that a game
has, and the others are refused. `aspiration`: each iteration begins with a narrow window round the value of the one
before. `quiescence`: captures and the like are played out before a position is evaluated. `null_move`: a position so good
that even passing would do is left at that. `reductions`: moves late in the order are searched less deep at first.
`internal_reduction`: positions of which no good move is known are searched a ply less deep. `pruning`: moves and positions
near the horizon that lie far outside the window are left out. `extensions`: replies to a check or a like threat, and
moves that alone are good, are searched a ply deeper. `history`: moves are ordered by what they were worth elsewhere in the
search. `probcut`: branches are cut that a shallow search shows to be far outside the window. What is reported as proven
is proven with any of them.

"""


UseOfBook: TypeAlias = Literal["embedded", "none"]
"""
On the standard board, positions with at most twelve stones are looked up (`embedded`), or searched as all others are
(`none`).

"""


Exploration: TypeAlias = float
"""
The constant c of the bound that `selection` names, where means lie in [0, 1].
"""


FinalMove: TypeAlias = Literal["robust", "max", "secure", "robust_max"]
"""
How unsolved children are compared: `robust` by visits, `max` by value, `secure` by the lower confidence bound of the
value, `robust_max` by visits, and from half of the budget on the search ends as soon as the child of most visits is the
one of the highest value. Solved ones are always compared by value.

"""


Playout: TypeAlias = Literal["uniform", "decisive", "patterns", "cut"]
"""
How simulations are finished: `uniform` by random moves to the end of the game, `decisive` the same, but a win at hand is
played and a loss at hand stopped, `patterns` by random moves and the replies that local patterns call for, `cut` at once,
by the evaluator's view of the position. Each game lists those that it has; the first is its default.

"""


MoveOrder: TypeAlias = Literal["judge", "random"]
"""
In which order a node's children are first visited: `random`, or by the game's `judge`. Each game lists those that it
has, and its default.

"""


class AllowedMoves(TypedDict):
    """
    Only these.
    """

    allow: Sequence[str]


class AvoidedMoves(TypedDict):
    """
    All but these.
    """

    avoid: Sequence[str]


RequestedChildren: TypeAlias = Literal["all", "best"]
"""
Every legal move, or the best only.
"""


class RequestedTree(TypedDict):
    """
    Tell of the tree below the root's children as well (`mcts`): each child then has `children` of its own, the solved ones
    first, then by visits. At most 5,000 nodes are returned, those with the most visits.

    """

    depth: NotRequired[int | None]
    """
    Levels below the root's children.
    """
    min_visits: NotRequired[int | None]
    """
    The fewest visits of a node that is returned.
    """


RequestedVariant: TypeAlias = (
    VariantName
    | TicTacToeVariant
    | ConnectFourVariant
    | ReversiVariant
    | DotsAndBoxesVariant
    | GomokuVariant
    | XiangqiVariant
    | HexVariant
    | None
)
"""
A variant of the game: its name, its parameters then being at their defaults, or an object with its parameters. The default
variant when absent or null. Each game takes its own only.

"""


class PositionRequest(TypedDict):
    """
    Where a game stands.
    """

    game: GameName
    variant: NotRequired[RequestedVariant]
    position: NotRequired[RequestedPosition]
    moves: NotRequired[RequestedMoves]
    text: NotRequired[PastedText]


class GivenMove(TypedDict):
    """
    A move and what is recorded of it.
    """

    ply: NotRequired[int | None]
    """
    Its number, if it is given: its place in the list, from 1.
    """
    side: NotRequired[Side | None]
    """
    Who plays it, if that is given: the side to move.
    """
    move: str | int
    """
    The move; a column of Connect Four may be a number.
    """
    comment: NotRequired[str | None]
    """
    What is said of it.
    """
    seconds: NotRequired[float | None]
    """
    Seconds that it took.
    """
    seconds_left: NotRequired[float | None]
    """
    Seconds that its player had left after it.
    """
    margin: NotRequired[float | None]
    """
    The margin that its player expected, from the player's own view.
    """


class GivenPlayer(TypedDict):
    """
    A player.
    """

    name: NotRequired[str | None]
    """
    The player's name.
    """
    rating: NotRequired[str | None]
    """
    Rating or rank, in the record's own words.
    """
    clock: NotRequired[GivenClock | None]


class GivenResult(TypedDict):
    """
    How a game ended.
    """

    winner: Side | None
    """
    Who won; null for a draw.
    """
    margin: NotRequired[float | None]
    """
    The first player's points minus the second's, in games played for points: above 0 where the first player won, 0 in a draw.
    """
    early: NotRequired[EarlyEnd]


class NegamaxWithOptions(TypedDict):
    """
    Alpha-beta search, with techniques switched on or off.
    """

    name: Literal["negamax"]
    aspiration: NotRequired[Technique]
    quiescence: NotRequired[Technique]
    null_move: NotRequired[Technique]
    reductions: NotRequired[Technique]
    internal_reduction: NotRequired[Technique]
    pruning: NotRequired[Technique]
    extensions: NotRequired[Technique]
    history: NotRequired[Technique]
    probcut: NotRequired[Technique]


class MctsWithOptions(TypedDict):
    """
    Monte-Carlo tree search, with its options.
    """

    name: Literal["mcts"]
    selection: NotRequired[Selection]
    exploration: NotRequired[Exploration]
    final_move: NotRequired[FinalMove]
    playout: NotRequired[Playout]
    order: NotRequired[MoveOrder]
    widening: NotRequired[Widening]
    parallel: NotRequired[Parallel]
    virtual_loss: NotRequired[VirtualLoss]
    transpositions: NotRequired[Transpositions]


class SolverWithOptions(TypedDict):
    """
    The solver, with its option.
    """

    name: Literal["solver"]
    book: NotRequired[UseOfBook]


MovesFilter: TypeAlias = AllowedMoves | AvoidedMoves
"""
Which root moves to consider; at least one must be left.
"""


class RequestedReport(TypedDict):
    """
    How much of the result is returned.
    """

    interval_ms: NotRequired[int | None]
    """
    In a stream: a message every so many milliseconds at most.
    """
    max_children: NotRequired[int | None]
    """
    At most so many children, the best. Those left out still count in the root's visits.
    """
    children: NotRequired[RequestedChildren | None]
    """
    Which children are returned. `all`: every legal move, each with a value of its own; `negamax` spends a sixteenth of its
    budget on those of the other moves, which are searched some plies less deep than the best (`depth` of each says how
    deep). `best`: the chosen move only, or as many as `multipv` says; nothing is spent on the others.

    """
    multipv: NotRequired[int | None]
    """
    So many of the best moves are searched to the full depth (`negamax`); from the number of legal moves on, all.
    """
    pv_length: NotRequired[int | None]
    """
    At most so many plies of each `pv`.
    """
    tree: NotRequired[RequestedTree | None]
    """
    Null, or absent: nothing.
    """


class GivenPlayers(TypedDict):
    """
    The players.
    """

    first: NotRequired[GivenPlayer | None]
    second: NotRequired[GivenPlayer | None]


EngineWithOptions: TypeAlias = (
    AutoWithOptions | NegamaxWithOptions | MctsWithOptions | SolverWithOptions
)
"""
An engine with options; those left out are at their defaults.
"""


class RecordRequest(TypedDict):
    """
    A record: `text`, or what it says (`game` and the fields from `variant` to `result`); one of `text` and `game` is needed.
    What a response says can be sent back without its `format`, `warnings` and `written`.

    """

    text: NotRequired[str | None]
    """
    A record in any format.
    """
    format: NotRequired[RecordFormatName | None]
    """
    The format of `text`; recognised when absent or null.
    """
    number: NotRequired[int | None]
    """
    Which of several games in `text` is wanted, from 1. A text of several is refused without it.
    """
    game: NotRequired[GameName | None]
    """
    The game. A text tells it where its format is one game's; lists of moves may be several games'.
    """
    variant: NotRequired[RequestedVariant]
    position: NotRequired[RequestedPosition]
    moves: NotRequired[str | Sequence[str | int | GivenMove] | None]
    """
    The moves: a list, each as a text (which may hold several), as a column of Connect Four from 1 to 9, or with what is
    recorded of it; or one text, as elsewhere (`4433`).

    """
    players: NotRequired[GivenPlayers | None]
    event: NotRequired[str | None]
    """
    The tournament or match.
    """
    round: NotRequired[str | None]
    """
    Which round of it.
    """
    place: NotRequired[str | None]
    """
    Where it was played: a town, a server, a program.
    """
    date: NotRequired[str | None]
    """
    When, in the record's own words.
    """
    comment: NotRequired[str | None]
    """
    What is said before the first move.
    """
    result: NotRequired[GivenResult | None]
    write: NotRequired[RecordFormat | None]
    """
    The format in which the game is to be written; the game must have it.
    """


RequestedEngine: TypeAlias = EngineChoice | EngineWithOptions | None
"""
The engine: its name, or an object with its name and options. `auto`, the default, is the strongest engine of the game
that understands the budget; it takes no options.

"""


class BatchSearch(TypedDict):
    """
    The fields of a search, as in `SearchRequest`, without `priority`: a batch is always `batch` work. A field of the search
    replaces that of `defaults` as a whole; null takes the default away. `game` must be in one of the two.

    """

    game: NotRequired[GameName]
    variant: NotRequired[RequestedVariant]
    position: NotRequired[RequestedPosition]
    moves: NotRequired[RequestedMoves]
    budget: NotRequired[RequestedBudget | None]
    engine: NotRequired[RequestedEngine]
    threads: NotRequired[int | None]
    """
    Threads of the search.
    """
    seed: NotRequired[int | None]
    """
    Seed of the search.
    """
    reuse: NotRequired[bool | None]
    """
    Whether the search may go on with the tree of an earlier one.
    """
    level: NotRequired[int | None]
    """
    The strength of an opponent for people.
    """
    variety: NotRequired[float | None]
    """
    How much the choice varies.
    """
    moves_filter: NotRequired[MovesFilter | None]
    perspective: NotRequired[Perspective | None]
    """
    `side_to_move` when absent.
    """
    report: NotRequired[RequestedReport | None]


class ReviewRequest(TypedDict):
    """
    A game to review, move by move.
    """

    game: GameName
    variant: NotRequired[RequestedVariant]
    position: NotRequired[RequestedPosition]
    moves: str | Sequence[str | int]
    """
    The moves played, as in a search; 1000 at most.
    """
    budget: NotRequired[RequestedBudget | None]
    engine: NotRequired[RequestedEngine]
    threads: NotRequired[int | None]
    """
    Threads of each search.
    """
    seed: NotRequired[int | None]
    """
    Seed of each search.
    """


class SearchRequest(TypedDict):
    """
    A game state and a budget.
    """

    game: GameName
    variant: NotRequired[RequestedVariant]
    position: NotRequired[RequestedPosition]
    moves: NotRequired[RequestedMoves]
    budget: NotRequired[RequestedBudget | None]
    engine: NotRequired[RequestedEngine]
    threads: NotRequired[int | None]
    """
    Threads wanted, 1 when absent; at most `most.threads` of `/v1/games`. Under a time limit, no more are granted than
    the server has idle cores at the moment. Without one, all are granted, since the result depends on their number; but never more than
    there are simulations or nodes to share. An engine that runs on one thread is granted one. Fewer than asked for come with a warning.

    """
    seed: NotRequired[int | None]
    """
    Seed of the random numbers; a fresh one when absent, returned in the answer. Equal requests with equal `seed`, `threads`
    and a `simulations`, `nodes` or `depth` budget (no time limit) give equal answers, ids and times aside; several threads
    that share a table or a tree (`negamax`, `solver`, `mcts` as its options say) do not.

    """
    reuse: NotRequired[bool | None]
    """
    Whether the search may go on with the tree that an earlier one of the same game, variant, engine and options has left:
    of the same position, or of one that lies one or two moves back (in Xiangqi only where `position` and `moves` are the
    same ones continued, since there the past counts), unless that tree is too large to be gone through in the time. The budget
    is for what is new; `reuse` in the answer reports what was there already. True when absent. Never with a `seed`, since the
    answer would not be repeatable, nor by a search of 16 `simulations` or fewer, which is over sooner than it would be found.

    """
    level: NotRequired[int | None]
    """
    The strength of an opponent for people: 1 is a beginner, 10 (and absent) full strength. A lower level chooses the engine
    (so `engine` must be absent), limits how far it sees by work, never by the clock, and chooses among the children by
    their values, with a spread; from level 2 on it takes a win in one move and stops one. `budget` limits it further. The
    statistics are those of that search; with `report.children: all`, those of a search at full strength beside it, within
    `budget`.

    """
    variety: NotRequired[float | None]
    """
    How much the choice varies among moves of almost equal worth: 0 (and absent) is always the best, 1 draws among moves
    that lose up to 0.15 of the value, the better ones more often. `seed` makes the choice repeatable.

    """
    priority: NotRequired[Priority | None]
    """
    `interactive` when absent.
    """
    moves_filter: NotRequired[MovesFilter | None]
    perspective: NotRequired[Perspective | None]
    """
    `side_to_move` when absent.
    """
    report: NotRequired[RequestedReport | None]


class BatchRequest(TypedDict):
    """
    Searches that share defaults.
    """

    defaults: NotRequired[BatchSearch | None]
    """
    Fields of every search that does not have them itself.
    """
    searches: Sequence[BatchSearch]
    """
    The searches.
    """
