"""What the service answers. Generated from openapi.yaml by `generate`."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from tesuji._base import Drawable, Model
from typing_extensions import TypeAliasType
from pydantic import Field


GameName = TypeAliasType(
    "GameName",
    Literal[
        "tic-tac-toe",
        "connect-four",
        "reversi",
        "dots-and-boxes",
        "gomoku",
        "xiangqi",
        "hex",
    ],
)
"""
The game.
"""


VariantName = TypeAliasType(
    "VariantName", Literal["standard", "freestyle", "renju", "caro"]
)
"""
The name of a variant. All but Gomoku have only `standard`.
"""


EndReason = TypeAliasType(
    "EndReason",
    Literal[
        "line",
        "board_full",
        "no_moves",
        "checkmate",
        "stalemate",
        "perpetual_check",
        "perpetual_chase",
        "repetition",
        "no_capture",
        "insufficient_material",
        "five",
        "overline_forbidden",
        "double_four_forbidden",
        "double_three_forbidden",
        "no_legal_move",
        "connection",
    ],
)
"""
Why the game ended. `line`: enough stones in a row. `board_full`: nothing can be played any more. `no_moves`: neither
side can move.
`checkmate`, `stalemate`: no legal move, which loses. `perpetual_check`, `perpetual_chase`: the loser repeated what it
may not (see `offence`). `repetition`: any other third occurrence of a position, a draw. `no_capture`: too many plies
without one, a draw. `insufficient_material`: no piece is left that can attack, a draw.
`five`: five in a row. `overline_forbidden`, `double_four_forbidden`, `double_three_forbidden`: Black took a point that is
forbidden in renju, and lost (see `offence`). `no_legal_move`: all empty points are forbidden to Black, a draw.
`connection`: a side has connected its two edges.

"""


Unit = TypeAliasType("Unit", Literal["discs", "boxes"])
"""
What margins count.
"""


Cells = TypeAliasType("Cells", list[str])
"""
The board as a terminal shows it, one text per row from the top; `…Position` of each game has its signs.
"""


class TicTacToeVariant(Model):
    """
    The m,n,k family; `k` or more stones in a row win.
    """

    name: Literal["standard"] | None = None
    columns: int | None = 3
    """
    Width of the board.
    """
    rows: int | None = 3
    """
    Height of the board.
    """
    k: int | None = 3
    """
    Stones in a row that win; not more than the longer side of the board.
    """


class TicTacToeVariantInForce(TicTacToeVariant):
    """
    The variant of Tic-tac-toe in force.
    """

    name: Literal["standard"]
    columns: int
    """
    Width of the board.
    """
    rows: int
    """
    Height of the board.
    """
    k: int
    """
    Stones in a row that win; not more than the longer side of the board.
    """


class ConnectFourVariant(Model):
    """
    The board, the length of a winning line, and a cell that no stone can take.
    """

    name: Literal["standard"] | None = None
    columns: int | None = 7
    """
    Width of the board.
    """
    rows: int | None = 6
    """
    Height of the board.
    """
    connect: int | None = 4
    """
    Stones in a row that win; not more than the longer side of the board.
    """
    blocked: str | None = None
    """
    A cell that no stone can take and that breaks lines: column letter and row number from the bottom. A stone that
    would land on it lands above. Absent in answers when there is none.

    """


class ConnectFourVariantInForce(ConnectFourVariant):
    """
    The variant of Connect Four in force.
    """

    name: Literal["standard"]
    columns: int
    """
    Width of the board.
    """
    rows: int
    """
    Height of the board.
    """
    connect: int
    """
    Stones in a row that win; not more than the longer side of the board.
    """


class ReversiVariant(Model):
    """
    There is one variant, without parameters.
    """

    name: Literal["standard"] | None = None


class ReversiVariantInForce(ReversiVariant):
    """
    The variant of Reversi in force.
    """

    name: Literal["standard"]


class DiscCount(Model):
    """
    Discs on the board; empty squares are counted for nobody here.
    """

    first: int
    second: int


class DotsAndBoxesVariant(Model):
    """
    The board's size in boxes.
    """

    name: Literal["standard"] | None = None
    columns: int | None = 3
    """
    Boxes in a row.
    """
    rows: int | None = 3
    """
    Rows of boxes.
    """


class DotsAndBoxesVariantInForce(DotsAndBoxesVariant):
    """
    The variant of Dots and Boxes in force.
    """

    name: Literal["standard"]
    columns: int
    """
    Boxes in a row.
    """
    rows: int
    """
    Rows of boxes.
    """


class BoxCount(Model):
    """
    Boxes that each side owns.
    """

    first: int
    second: int


class GomokuVariant(Model):
    """
    What wins, the board, and how the game begins.
    """

    name: Literal["freestyle", "standard", "renju", "caro"] | None = "freestyle"
    """
    `freestyle`: five or more in a row win. `standard`: exactly five. `renju`: exactly five for Black, who may not make
    an overline, a double four or a double three; five or more for White. `caro`: five or more, unless the opponent's
    stones close both ends.

    """
    size: int | None = 15
    """
    Points on each side of the board.
    """
    opening: Literal["free", "swap2"] | None = "free"
    """
    How the game begins: `free`, the first player being Black, or `swap2` (not in renju), where the first player places
    three stones and the second takes a colour, or places two more stones and leaves the choice to the first.

    """


class GomokuVariantInForce(GomokuVariant):
    """
    The variant of Gomoku in force.
    """

    name: Literal["freestyle", "standard", "renju", "caro"]
    """
    `freestyle`: five or more in a row win. `standard`: exactly five. `renju`: exactly five for Black, who may not make
    an overline, a double four or a double three; five or more for White. `caro`: five or more, unless the opponent's
    stones close both ends.

    """
    size: int
    """
    Points on each side of the board.
    """
    opening: Literal["free", "swap2"]
    """
    How the game begins: `free`, the first player being Black, or `swap2` (not in renju), where the first player places
    three stones and the second takes a colour, or places two more stones and leaves the choice to the first.

    """


class ForbiddenPoint(Model):
    """
    A point that Black may not take.
    """

    point: str
    """
    As in `legal_moves`.
    """
    kind: Literal["overline", "double_four", "double_three"]
    """
    What Black would make there.
    """


Five = TypeAliasType("Five", list[str] | None)
"""
The stones in a row that won; null when nobody won so.
"""


class Swap2Choice(Model):
    """
    What can be chosen in swap2.
    """

    move: Literal["black", "white", "place"]
    """
    As in `legal_moves`.
    """
    meaning: str
    """
    The same in words.
    """


class XiangqiVariant(Model):
    """
    When a game without captures is drawn, and how moves are read.
    """

    name: Literal["standard"] | None = None
    no_capture_plies: int | None = 120
    """
    Plies without a capture after which the game is drawn. Of each side's checks since the last capture, those beyond the
    tenth, and the replies to them, do not count.

    """
    ranks: Literal["from_zero", "from_one"] | None = "from_zero"
    """
    How moves by coordinates are read and written: `from_zero` (h2e2, ranks 0 to 9, as in ICCS) or `from_one` (h3e3,
    ranks 1 to 10, as some UCI programs do).

    """


class XiangqiVariantInForce(XiangqiVariant):
    """
    The variant of Xiangqi in force.
    """

    name: Literal["standard"]
    no_capture_plies: int
    """
    Plies without a capture after which the game is drawn. Of each side's checks since the last capture, those beyond the
    tenth, and the replies to them, do not count.

    """
    ranks: Literal["from_zero", "from_one"]
    """
    How moves by coordinates are read and written: `from_zero` (h2e2, ranks 0 to 9, as in ICCS) or `from_one` (h3e3,
    ranks 1 to 10, as some UCI programs do).

    """


class HexVariant(Model):
    """
    Board size and swap rule.
    """

    name: Literal["standard"] | None = None
    size: int | None = 11
    """
    Cells on each side of the rhombus.
    """
    swap: bool | None = True
    """
    Whether the second player's first move can be `swap`: the first stone becomes blue, mirrored at the long diagonal (a2
    becomes b1), and Red is to move.

    """


class HexVariantInForce(HexVariant):
    """
    The variant of Hex in force.
    """

    name: Literal["standard"]
    size: int
    """
    Cells on each side of the rhombus.
    """
    swap: bool
    """
    Whether the second player's first move can be `swap`: the first stone becomes blue, mirrored at the long diagonal (a2
    becomes b1), and Red is to move.

    """


HexConnection = TypeAliasType("HexConnection", list[str])
"""
Of a finished game, the stones that are connected with both of the winner's edges; else empty.
"""


InCheck = TypeAliasType("InCheck", bool)
"""
Whether the side to move is in check.
"""


class Repetition(Model):
    """
    What the moves since the last one that cannot be taken back mean for repetitions.
    """

    times: int
    """
    How often this position has occurred, this time included; `moves` are its past.
    """
    losing_moves: list[str]
    """
    Legal moves that would lose the game at once, by perpetual check or chase.
    """


class NoCapture(Model):
    """
    The way to the draw without captures. How many checks each side has given is known from `moves` only.
    """

    plies: int
    """
    Plies that count so far.
    """
    limit: int
    """
    How many make a draw.
    """


class MoveNotations(Model):
    """
    A move in other notations.
    """

    move: str
    """
    As in `legal_moves`.
    """
    chinese: str
    """
    Chinese notation, like 炮二平五.
    """
    wxf: str
    """
    The World Xiangqi Federation's, like `C2.5`.
    """


class GameTitles(Model):
    """
    What people call a game.
    """

    en: str
    """
    English.
    """
    zh: str
    """
    Chinese.
    """


class Notation(Model):
    """
    How positions and moves are written.
    """

    position: str
    """
    The position text.
    """
    position_example: str
    """
    A position of the default variant.
    """
    moves: str
    """
    The move text.
    """
    moves_example: list[str]
    """
    Moves from the start, in order.
    """


ParameterName = TypeAliasType("ParameterName", str)
"""
Its field name in JSON.
"""


ParameterDescription = TypeAliasType("ParameterDescription", str)
"""
What it does, in a sentence.
"""


class IntegerParameter(Model):
    """
    A whole number between limits.
    """

    name: ParameterName
    description: ParameterDescription
    type: Literal["integer"]
    minimum: int
    maximum: int
    default: int
    """
    Taken when the parameter is absent.
    """


class NumberParameter(Model):
    """
    A number between limits.
    """

    name: ParameterName
    description: ParameterDescription
    type: Literal["number"]
    minimum: float
    maximum: float
    default: float
    """
    Taken when the parameter is absent.
    """


class ChoiceParameter(Model):
    """
    One of some words.
    """

    name: ParameterName
    description: ParameterDescription
    type: Literal["choice"]
    choices: list[str]
    default: str
    """
    Taken when the parameter is absent.
    """


class BooleanParameter(Model):
    """
    Yes or no.
    """

    name: ParameterName
    description: ParameterDescription
    type: Literal["boolean"]
    default: bool
    """
    Taken when the parameter is absent.
    """


class CellParameter(Model):
    """
    A cell of the board, like `c4`; none when the parameter is absent.
    """

    name: ParameterName
    description: ParameterDescription
    type: Literal["cell"]


LimitName = TypeAliasType(
    "LimitName", Literal["time_ms", "simulations", "nodes", "depth", "memory_mb"]
)
"""
A limit of a budget.
"""


class Caps(Model):
    """
    No budget may ask for more: that is refused, never cut in silence. A search without a time limit is stopped after
    `time_ms` too, with `stop_reason` `deadline`.

    """

    time_ms: int
    simulations: int
    nodes: int
    depth: int
    memory_mb: int
    threads: int


RecordFormat = TypeAliasType(
    "RecordFormat",
    Literal[
        "moves",
        "sgf",
        "psq",
        "ggf",
        "pgn-chinese",
        "pgn-iccs",
        "pgn-wxf",
        "ucci",
        "uci",
    ],
)
"""
A format of records. Every game has `moves`, a list of moves, after the position where that is not the start: `h8 i9`,
`f5d6c3`, `4433`. Gomoku (with renju) has `sgf` and `psq`, Hex `sgf`, Reversi `ggf` and `sgf`, Xiangqi PGN in three
notations and the position lines of `ucci` (ranks from 0) and `uci` (ranks from 1).

"""


EarlyEnd = TypeAliasType(
    "EarlyEnd", Literal["resignation", "timeout", "agreement", "forfeit"] | None
)
"""
How the game ended, where it was not by its rules.
"""


class RecordedClock(Model):
    """
    What a player has for the moves of a game, in seconds.
    """

    main_s: float
    """
    For all moves.
    """
    increment_s: float
    """
    Added after each move.
    """
    grace_s: float
    """
    Once the rest is used up (GGF): the game is lost, but not by the highest margin.
    """


class WrittenRecord(Model):
    """
    A record as a text.
    """

    format: RecordFormat
    text: str
    """
    The record, in UTF-8 where it is stored.
    """


PositionText = TypeAliasType("PositionText", str)
"""
The position in canonical notation; sent as `position`, it gives this position again. Connect Four writes the moves
from the start where the request came that way, and a board where it brought a board.

"""


Side = TypeAliasType("Side", Literal["first", "second"])
"""
`first` is the player who moves first from the start position. In a finished game, `to_move` is the side that would be.

"""


Ply = TypeAliasType("Ply", int)
"""
Moves played, as far as the position itself shows (passes, for one, leave no trace on a board).
"""


PositionKey = TypeAliasType("PositionKey", str)
"""
A hash of the position, in hexadecimal; to be compared within one game and variant only.
"""


LegalMoves = TypeAliasType("LegalMoves", list[str])
"""
All legal moves, in the game's own order; empty when the game is over, and only then.
"""


class NotationTexts(Model):
    """
    A move in each notation that the game has; all of them are read as moves too. `coordinates` is the canonical text, in every
    game. Xiangqi has `chinese` (炮二平五) and `wxf` (the World Xiangqi Federation's, `C2.5`).

    """

    coordinates: str
    chinese: str | None = None
    wxf: str | None = None


class OffendingPiece(Model):
    """
    A piece that an offence was about.
    """

    piece: str
    """
    What it is, in English.
    """
    square: str
    """
    Where it stands, in the game's notation.
    """


Perspective = TypeAliasType("Perspective", Literal["side_to_move", "first_player"])
"""
From whose view `value`, `win`, `draw`, `loss`, `score`, `bound` and `proven` are reported, everywhere in the answer: the side to
move in the request's position, or the player who moves first from the start.

"""


EngineName = TypeAliasType("EngineName", Literal["mcts", "negamax", "solver"])
"""
`mcts`: Monte-Carlo tree search that proves what it can. `negamax`: alpha-beta search with iterative deepening and a
transposition table. `solver`: the exact value of every move, with its distance (`connect-four`, boards with
`columns` * (`rows` + 1) <= 64); cut short by its budget, it says how far each value is known.

"""


Selection = TypeAliasType("Selection", Literal["ucb1", "puct", "rave"])
"""
By which bound children are compared, n being the child's visits and N its parent's: `ucb1` mean + c * sqrt(2 ln N / n),
`puct` mean + 2c * P * sqrt(N) / (1 + n) with priors P by the game's order, `rave` UCB1 over means that begin as those of
all simulations in which the move was played later. Each game lists those that suit it; the first is its default.

"""


Widening = TypeAliasType("Widening", float)
"""
Of a node with N visits the first w * sqrt(N) children in the game's order may be visited, at least two; 0: all. More
than 0 only where `order` is `judge`.

"""


Parallel = TypeAliasType("Parallel", Literal["root", "tree"])
"""
How several threads search: each a tree or graph of its own, merged in the end (`root`: equal seeds give equal answers), or
all one (`tree`: answers depend on which thread was quicker, whatever the seed).

"""


VirtualLoss = TypeAliasType("VirtualLoss", bool)
"""
Whether a simulation under way counts as lost where it has passed, so that the others part from it; in a tree or graph that
all threads grow.

"""


Transpositions = TypeAliasType("Transpositions", Literal["auto", "separate", "shared"])
"""
Whether equal positions reached by different lines have nodes of their own (`separate`) or share one (`shared`). Each game
lists its default: `auto` in Dots and Boxes, which is `shared` on boards with at most 17 edges (3x2 boxes), since any order
of the same moves leads to one position; else `separate`. An answer names the one in force. Where the past decides too, as
in Xiangqi, only `separate`. In a `report.tree` the replies to a shared position have the
visits of all lines that lead to it.

"""


Technique = TypeAliasType("Technique", bool)
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


UseOfBook = TypeAliasType("UseOfBook", Literal["embedded", "none"])
"""
On the standard board, positions with at most twelve stones are looked up (`embedded`), or searched as all others are
(`none`).

"""


Exploration = TypeAliasType("Exploration", float)
"""
The constant c of the bound that `selection` names, where means lie in [0, 1].
"""


FinalMove = TypeAliasType("FinalMove", Literal["robust", "max", "secure", "robust_max"])
"""
How unsolved children are compared: `robust` by visits, `max` by value, `secure` by the lower confidence bound of the
value, `robust_max` by visits, and from half of the budget on the search ends as soon as the child of most visits is the
one of the highest value. Solved ones are always compared by value.

"""


Playout = TypeAliasType("Playout", Literal["uniform", "decisive", "patterns", "cut"])
"""
How simulations are finished: `uniform` by random moves to the end of the game, `decisive` the same, but a win at hand is
played and a loss at hand stopped, `patterns` by random moves and the replies that local patterns call for, `cut` at once,
by the evaluator's view of the position. Each game lists those that it has; the first is its default.

"""


MoveOrder = TypeAliasType("MoveOrder", Literal["judge", "random"])
"""
In which order a node's children are first visited: `random`, or by the game's `judge`. Each game lists those that it
has, and its default.

"""


BatchName = TypeAliasType("BatchName", str)
"""
The batch's id (a ULID).
"""


BatchStatus = TypeAliasType(
    "BatchStatus", Literal["queued", "running", "done", "cancelled"]
)
"""
`queued`: no search has ended. `running`: some have. `done`: all have. `cancelled`: all have, some of them early, because
the batch was cancelled or the server ended.

"""


BatchDone = TypeAliasType("BatchDone", int)
"""
Searches that have ended, those that were refused among them.
"""


BatchTotal = TypeAliasType("BatchTotal", int)
"""
All searches of the batch.
"""


class ReviewProgress(Model):
    """
    How far a review is.
    """

    total: int
    """
    Moves of the game.
    """
    reviewed: int
    """
    Moves reviewed so far.
    """


class ReviewEngine(Model):
    """
    Who searched. `seed` is the one asked for; without one, each search has its own.
    """

    name: EngineName
    version: str
    options: dict[str, Any]
    """
    All options, as in a search's answer.
    """
    seed: int | None


MoveClass = TypeAliasType(
    "MoveClass", Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]
)
"""
`forced`: there was no other move. `best`: nothing given away. `good`: less than 0.1. `inaccuracy`: 0.1 or more.
`mistake`: 0.2 or more. `blunder`: 0.3 or more.

"""


class ReviewedSide(Model):
    """
    How well a side played.
    """

    moves: int
    """
    Moves reviewed, forced ones included.
    """
    accuracy: float | None
    """
    The mean of its moves', forced ones left out.
    """
    mean_loss: float | None
    """
    The mean of its moves', forced ones left out.
    """
    inaccuracies: int
    mistakes: int
    blunders: int


Status = TypeAliasType(
    "Status", Literal["queued", "running", "done", "cancelled", "failed"]
)
"""
`queued`: accepted, and waiting for a core. `running`: the message reports what was found so far; of several threads,
what the first has found. `done`: the result. `cancelled`: stopped from outside; the message holds the best found
until then, nothing if the search had not begun. `failed`: there is no result.

"""


class NodeThreads(Model):
    """
    Threads of a search on one node of a cluster.
    """

    id: str
    """
    The node's id, new at each start of the program.
    """
    name: str
    """
    Its name, for people.
    """
    threads: int
    """
    How many.
    """


class ClusterTasks(Model):
    """
    Asynchronous work that waits or runs anywhere in the cluster, by priority; counted about once a second.
    """

    interactive: int
    """
    Searches with the priority `interactive`.
    """
    batch: int
    """
    Searches with the priority `batch`, batches and reviews.
    """


class Node(Model):
    """
    One of the nodes that search together.
    """

    id: str
    """
    Its id, new at each start of the program; `self` where there is no cluster.
    """
    name: str
    """
    Its name, for people.
    """
    version: str
    """
    The version of its program.
    """
    role: Literal["server", "worker"]
    """
    `server` serves HTTP too; `worker` only searches for other nodes.
    """
    cores: int
    """
    How many search threads really run at once.
    """
    idle: int
    """
    Those of them that no search uses.
    """
    searches: int
    """
    Searches running or waiting.
    """
    shards: int
    """
    Those of them that it runs for other nodes.
    """
    draining: bool
    """
    Whether it takes no new searches.
    """
    self: bool
    """
    Whether it is the node that answers.
    """
    heard_ms: int
    """
    Milliseconds since it was last heard of.
    """


class Timing(Model):
    """
    How long a search waited, and took.
    """

    queued_ms: float
    """
    Milliseconds from admission to the search's start.
    """
    search_ms: float
    """
    Milliseconds from there to its end.
    """


class Reuse(Model):
    """
    What an earlier search had left to this one. The visits are among those of the root and its children, not of the budget
    used.

    """

    visits: int
    """
    Visits of a tree.
    """
    entries: int
    """
    Entries of a transposition table.
    """


StopReason = TypeAliasType(
    "StopReason",
    Literal[
        "time",
        "simulations",
        "nodes",
        "depth",
        "memory",
        "proven",
        "single_move",
        "settled",
        "terminal",
        "deadline",
        "cancelled",
        "shutdown",
    ],
)
"""
Why the search ended. `time`, `simulations`, `nodes`, `depth`: that limit was reached. `memory`: there is room for the
legal moves, but none for the replies to any (`mcts`; a full tree that is larger is recycled, and the search goes on).
`proven`: the result is exact, more search cannot change it. `single_move`: there was only one legal move. `settled`: from
half of the budget on, the most visited move was also the one of the highest value (`robust_max`). `terminal`: the game
was over already. `deadline`: the server's own time limit. `cancelled`: stopped from outside.
`shutdown`: the server is about to end, and took the best found until then.

"""


class Score(Model):
    """
    Expected margin for the perspective's side.
    """

    value: float
    unit: Unit


Bound = TypeAliasType("Bound", Literal["exact", "lower", "upper"])
"""
Whether `value`, `win`, `draw`, `loss` and `score` are the estimate itself (`exact`), or the true ones are at least (`lower`)
or at most (`upper`) these, as alpha-beta search leaves them for moves that it could discard.

"""


ProvenResult = TypeAliasType("ProvenResult", Literal["win", "draw", "loss"])
"""
The result with best play by both sides, for the perspective's side.
"""


class Choice(Model):
    """
    How a move was chosen that need not be the best one.
    """

    level: int | None
    """
    The level; null where only variety was asked for.
    """
    variety: float
    best: str
    """
    The move that the search found best.
    """
    loss: float | None
    """
    What the chosen move gives up against it; null where one of their values is not known.
    """


class Spent(Model):
    """
    What a search has spent.
    """

    time_ms: float
    """
    Milliseconds.
    """
    simulations: int | None
    """
    Those that this search made; null for engines that do not simulate.
    """
    nodes: int
    depth: int
    memory_mb: float
    """
    Mebibytes of tree or table.
    """


class Limits(Model):
    """
    Limits of a budget; those that were not set are absent.
    """

    time_ms: int | None = None
    simulations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    memory_mb: int | None = None


EngineVersion = TypeAliasType("EngineVersion", str)
"""
The program's version.
"""


Seed = TypeAliasType("Seed", int)
"""
The seed in force; sent again it repeats the search, unless that went on with an earlier tree.
"""


class MctsOptions(Model):
    """
    The options of `mcts`.
    """

    selection: Selection
    exploration: Exploration
    final_move: FinalMove
    playout: Playout
    order: MoveOrder
    widening: Widening
    parallel: Parallel
    virtual_loss: VirtualLoss
    transpositions: Transpositions


class NegamaxOptions(Model):
    """
    The techniques of `negamax`; each game has those that its evaluator knows something for.
    """

    aspiration: Technique | None = True
    quiescence: Technique | None = True
    null_move: Technique | None = True
    reductions: Technique | None = True
    internal_reduction: Technique | None = True
    pruning: Technique | None = True
    extensions: Technique | None = True
    history: Technique | None = True
    probcut: Technique | None = True


class SolverOptions(Model):
    """
    The option of `solver`.
    """

    book: UseOfBook


ProblemCode = TypeAliasType(
    "ProblemCode",
    Literal[
        "malformed_json",
        "not_found",
        "method_not_allowed",
        "not_acceptable",
        "invalid_header",
        "conflict",
        "too_large",
        "unsupported_media_type",
        "invalid_request",
        "unknown_game",
        "invalid_variant",
        "invalid_position",
        "illegal_move",
        "invalid_engine",
        "invalid_budget",
        "invalid_filter",
        "invalid_record",
        "unauthorized",
        "request_timeout",
        "quota_exceeded",
        "overloaded",
        "storage_unavailable",
        "shutting_down",
        "internal",
    ],
)
"""
The kind of error, stable for ever.
"""


class ProblemPart(Model):
    """
    A part of the request that was refused.
    """

    pointer: str
    """
    Where it stands in the request's body (JSON Pointer, RFC 6901); for a missing field, the object that lacks it.
    """
    detail: str
    """
    What is wrong with it, and what was expected.
    """


class ProblemKind(Model):
    """
    A kind of error.
    """

    code: ProblemCode
    title: str
    status: int
    description: str


class StorageState(Model):
    """
    Whether asynchronous searches can be stored.
    """

    state: Literal["memory", "ok", "unavailable"]
    """
    `memory`: this server keeps them in memory, and loses them when it ends. `ok`: in a file, or on the cluster's broker.
    `unavailable`: the file or the broker takes nothing at present; they are refused with `storage_unavailable`.

    """
    reason: str | None
    """
    Why it is unavailable.
    """


class ProgramVersion(Model):
    """
    The program and its version.
    """

    name: Literal["tesuji"]
    version: str
    """
    Semantic version.
    """


Variant = TypeAliasType(
    "Variant",
    TicTacToeVariantInForce
    | ConnectFourVariantInForce
    | GomokuVariantInForce
    | XiangqiVariantInForce
    | HexVariantInForce
    | DotsAndBoxesVariantInForce
    | ReversiVariantInForce,
)
"""
The variant in force, with all its parameters.
"""


ForbiddenPoints = TypeAliasType("ForbiddenPoints", list[ForbiddenPoint] | None)
"""
In renju, the points that Black may not take, whoever is to move; none once the game is over. Null in the other
variants.

"""


class Swap2(Model):
    """
    How far swap2 is; null where it is not played.
    """

    phase: Literal["opening", "choose", "place", "play"]
    """
    `opening`: the first player places three stones. `choose`: `side` chooses. `place`: the second player places two
    more stones. `play`: the colours are settled.

    """
    side: Side
    """
    Who is to place or to choose.
    """
    black: Side | None
    """
    Who plays Black; null until that is settled.
    """
    choices: list[Swap2Choice]
    """
    What can be chosen.
    """


Notations = TypeAliasType("Notations", list[MoveNotations])
"""
The legal moves in other notations, in the order of `legal_moves`. All of them are read as moves too.
"""


Parameter = TypeAliasType(
    "Parameter",
    Annotated[
        IntegerParameter
        | NumberParameter
        | ChoiceParameter
        | BooleanParameter
        | CellParameter,
        Field(..., discriminator="type"),
    ],
)
"""
A parameter of a variant, or an option of an engine.
"""


class Engine(Model):
    """
    An engine on offer.
    """

    name: EngineName
    parameters: list[Parameter]
    """
    Its options.
    """
    budget: list[LimitName]
    """
    The budget fields it understands.
    """
    threads: bool
    """
    Whether it can use more than one thread.
    """
    default_memory_mb: int
    """
    Mebibytes that it takes at most when the budget does not say.
    """


class Policy(Model):
    """
    What a search may spend on this server.
    """

    default_time_ms: int
    """
    Given to a search whose budget has none of `time_ms`, `simulations`, `nodes` and `depth`.
    """
    most: Caps
    cores: int
    """
    How many search threads really run at once.
    """


class RecordedMove(Model):
    """
    A move of the main line.
    """

    ply: int
    """
    Its number, from 1.
    """
    side: Side
    move: str
    """
    The move in canonical notation.
    """
    comment: str | None
    """
    What is said of it.
    """
    seconds: float | None
    """
    Seconds that it took.
    """
    seconds_left: float | None
    """
    Seconds that its player had left after it.
    """
    margin: float | None
    """
    The margin that its player expected, from the player's own view.
    """


class RecordedPlayer(Model):
    """
    A player.
    """

    name: str | None
    """
    The player's name.
    """
    rating: str | None
    """
    Rating or rank, in the record's own words.
    """
    clock: RecordedClock | None


class RecordedResult(Model):
    """
    How a game ended.
    """

    winner: Side | None
    """
    Who won; null for a draw.
    """
    margin: float | None
    """
    The first player's points minus the second's, in games played for points.
    """
    early: EarlyEnd


class MoveFacts(Model):
    """
    What a move does to the board. Cells have the names that the game's notation gives them.
    """

    move: str
    """
    Its canonical text, as in `legal_moves`.
    """
    from_: str | None = Field(..., alias="from")
    """
    Where the piece that moves stood; null where something is put on the board.
    """
    to: str | None
    """
    Where the piece or stone comes to lie, or the edge that is drawn. In Connect Four, where a move is a column, the cell
    in which the stone lands. Null for passes and choices.

    """
    captured: list[str]
    """
    The squares of the pieces that it captures, or turns to its side.
    """
    claimed: list[str]
    """
    The boxes that it completes, and so claims for its side. Named `row,column`, both counted from 0 at the top left.

    """
    colour: Side | None
    """
    Whose colour the piece at `to` has; `first` is the colour that begins the game. It is the mover's, but in swap2 one
    player puts down stones of both. Null for passes and choices.

    """
    notations: NotationTexts


class Offence(Model):
    """
    The broken rule that decided the game (a foul, a forbidden repetition).
    """

    side: Side
    pieces: list[OffendingPiece]
    """
    The pieces that it was about. Those chased, or the stone placed.
    """


class BatchTotals(Model):
    """
    How a batch ended.
    """

    id: BatchName
    status: BatchStatus
    final: Literal[True]
    """
    Nothing follows this message.
    """
    seq: int
    """
    The message's number; the first search that ended has number 1.
    """
    done: BatchDone
    total: BatchTotal


class ReviewedSides(Model):
    """
    How well each side played.
    """

    first: ReviewedSide
    second: ReviewedSide


class ReviewBudget(Model):
    """
    What the search of each position may spend; what was asked for, and what is in force, defaults included.
    """

    requested: Limits
    granted: Limits


class ReviewedMove(Model):
    """
    One move, classified. Values are from the view of whoever played it.
    """

    ply: int
    """
    Its number, from the first reviewed move.
    """
    side: Side
    move: str
    best: str
    """
    What the search would have played.
    """
    line: list[str]
    """
    The line that the search expected, its own move first.
    """
    value_before: float | None
    """
    The value of the position before the move.
    """
    value_after: float | None
    """
    The value of the position after it.
    """
    loss: float | None
    """
    What the move gave away, never negative; 0 where it is the search's own choice.
    """
    accuracy: float | None
    """
    100 where nothing was given away, falling with what was: 103.1668 exp(-0.04354 d) - 3.1669, d = 50 `loss` being the
    drop of the chance to win in per cent (the formula of lichess.org/page/accuracy, fitted to chess; a convention in
    other games).

    """
    class_: MoveClass | None = Field(..., alias="class")


class Threads(Model):
    """
    The threads of a search.
    """

    requested: int | None
    """
    As asked; null when it was not.
    """
    granted: int
    """
    Threads that searched.
    """
    nodes: list[NodeThreads] | None = None
    """
    Where the threads are, this node first, if the search is spread over a cluster's nodes; else absent. In the result
    they are those whose results came.

    """


class Cluster(Model):
    """
    The nodes that search together.
    """

    connection: Literal["none", "connected", "disconnected"]
    """
    This node's connection to the broker: `none` where it is in no cluster; `disconnected` where the broker is away, so
    that each node searches alone.

    """
    nodes: list[Node]
    tasks: ClusterTasks


class Knowledge(Model):
    """
    What is known of a position, from the perspective's view.
    """

    value: float | None
    """
    Win minus loss. Null, with the next three, when nothing is known.
    """
    win: float | None
    """
    Chance that the perspective's side wins; `win`, `draw` and `loss` add up to 1.
    """
    draw: float | None
    """
    Chance of a draw.
    """
    loss: float | None
    """
    Chance that the perspective's side loses.
    """
    stderr: float | None
    """
    Standard error of `value`; null where `value` is not the mean of a sample.
    """
    score: Score | None
    """
    Null in games without points, and when nothing is known.
    """
    bound: Bound | None
    """
    Whether `value`, `score` and `distance` are the numbers themselves (`exact`), or the truth is at least (`lower`) or at
    most (`upper`) as good for the perspective's side. Where nothing is proven, `exact` numbers are estimates, and limits
    are what alpha-beta search leaves of moves that it could discard. Where `proven` is not null, `exact` numbers are
    proven too: those of best play by both sides, in which the winner hurries and the loser resists. A win whose margin or
    length is not known exactly is `lower`: it is won by at least `score`, or in at most `distance` plies. A loss is
    `upper`: it is lost by at least so much, or in at most `distance` plies. Null when nothing is known.

    """
    proven: ProvenResult | None
    """
    Null when it is not proven.
    """
    distance: int | None
    """
    Where a win or loss is proven: plies from the request's position to the end of the game, for a child the child's own
    move included; where `bound` is not `exact`, at most so many. Null in draws, in games with points, and when nothing is
    proven. In Gomoku a win by continuous fours counts by the fewest fours; as one by threes may be shorter, it is `lower`
    if it takes more than 5 plies.

    """


class Root(Knowledge):
    """
    What is known of the searched position.
    """

    visits: int | None
    """
    Simulations, those that an earlier search had left included; null for engines that do not simulate.
    """
    depth: int
    """
    How deep the first child was searched (`negamax`), or the deepest ply looked at (`mcts`).
    """
    nodes: int
    """
    Positions visited; in a tree (`mcts`) those visited for the first time, or again since they were recycled.
    """
    tree_bytes: int
    """
    Bytes of tree or table in use.
    """


class Child(Knowledge):
    """
    What is known of one root move, or of a move further down the tree.
    """

    move: str
    """
    The move.
    """
    order: int
    """
    Its rank; 0 is the chosen move.
    """
    visits: int | None
    """
    Simulations that began with it; null for engines that do not simulate.
    """
    nodes: int | None
    """
    Positions visited below it (`negamax`); null for engines that do not count them by move.
    """
    loss_vs_best: float | None
    """
    What playing it gives up: the `value` of the first child minus its own, from the view of the side to move whatever
    the perspective; 0 for the first child and for moves that seem better, but are known less well (`depth`, `visits`).
    Null when the value is not known, or only a bound that proves no result. Where the first child's own value is such
    a bound (`lower`: the search ended before it found how much better than expected the move is), at least so much.

    """
    prior: float | None
    """
    The probability that `puct` gave it before any simulation; null where selection gives none.
    """
    depth: int
    """
    How many plies deep it was searched, its own included; 0 when it was not.
    """
    pv: list[str]
    """
    The line expected, the move itself first.
    """
    children: list[Child] | None = None
    """
    What is known of the replies; only where `report.tree` asked for it, and there is any. Here `order` is the place in this
    list, `depth` counts to the end of `pv`, and `loss_vs_best` is what the side to move there gives up.

    """


class Budget(Model):
    """
    The limits asked for, those in force (the same, and defaults), and what was spent.
    """

    requested: Limits
    granted: Limits
    used: Spent


class MctsInForce(Model):
    """
    Monte-Carlo tree search, with all options, defaults included.
    """

    name: Literal["mcts"]
    version: EngineVersion
    options: MctsOptions
    seed: Seed


class NegamaxInForce(Model):
    """
    Alpha-beta search, with all options, defaults included.
    """

    name: Literal["negamax"]
    version: EngineVersion
    options: NegamaxOptions
    seed: Seed


class SolverInForce(Model):
    """
    The solver, with all options, defaults included.
    """

    name: Literal["solver"]
    version: EngineVersion
    options: SolverOptions
    seed: Seed


class Problem(Model):
    """
    An error (RFC 9457).
    """

    type: str
    """
    Where the kind of error is described.
    """
    title: str
    """
    The kind of error, in words.
    """
    status: int
    """
    The HTTP status.
    """
    detail: str
    """
    What happened this time.
    """
    code: ProblemCode
    errors: list[ProblemPart]
    """
    What was refused, part by part.
    """
    request_id: str | None
    """
    The request's id, as in `X-Request-Id`; null when the client's own is not plain ASCII.
    """


class Readiness(Model):
    """
    That the server takes searches, and whether it can store asynchronous ones.
    """

    status: Literal["ok"]
    storage: StorageState
    cluster: Literal["none", "connected", "disconnected"]
    """
    This node's connection to a cluster's broker; `none` where it is in no cluster.
    """


class OfferedVariant(Model):
    """
    A variant on offer.
    """

    name: VariantName
    parameters: list[Parameter]
    """
    What can be chosen.
    """
    default: Variant
    """
    The variant with all parameters at their defaults, ready to send.
    """


class RecordedPlayers(Model):
    """
    The players.
    """

    first: RecordedPlayer
    second: RecordedPlayer


class LegalMove(MoveFacts):
    """
    A legal move, and what it does.
    """


class PlayedMove(MoveFacts):
    """
    A move of the line, and what it did.
    """

    ply: int
    """
    The number of the move in the line, counted from 1.
    """
    side: Side
    position: PositionText


class Outcome(Model):
    """
    How the game ended; null while it goes on.
    """

    winner: Side | None
    """
    Who won; null is a draw.
    """
    reason: EndReason
    margin: int | None
    """
    The first player's points minus the second's; null in games without points.
    """
    offence: Offence | None
    """
    Null where there was none.
    """


class SearchedPosition(Model):
    """
    The position searched.
    """

    text: PositionText
    to_move: Side
    ply: Ply
    key: PositionKey
    outcome: Outcome | None


EngineInForce = TypeAliasType(
    "EngineInForce",
    Annotated[
        MctsInForce | NegamaxInForce | SolverInForce, Field(..., discriminator="name")
    ],
)
"""
The engine that searched.
"""


class Record(Model):
    """
    A game on record.
    """

    format: RecordFormat | None
    """
    The format that was read; null where the request was no text.
    """
    game: GameName
    variant: Variant
    position: str | None
    """
    The position before the moves, in the game's notation; null at the start.
    """
    moves: list[RecordedMove]
    """
    The moves of the main line, those included that were left out because there was no other (passes).
    """
    players: RecordedPlayers
    event: str | None
    """
    The tournament or match.
    """
    round: str | None
    """
    Which round of it.
    """
    place: str | None
    """
    Where it was played: a town, a server, a program.
    """
    date: str | None
    """
    When, in the record's own words.
    """
    comment: str | None
    """
    What is said before the first move.
    """
    result: RecordedResult | None
    """
    How it ended, by the record or else by the rules; null where neither says.
    """
    warnings: list[str]
    """
    What was left out, such as variations, and what was taken for granted.
    """
    written: WrittenRecord | None
    """
    The game in the format that was asked for.
    """


DescribedLegalMoves = TypeAliasType("DescribedLegalMoves", list[LegalMove])
"""
All legal moves with what each does, in the order of `legal_moves`.
"""


class Review(Model):
    """
    A game reviewed move by move, as far as it is.
    """

    id: str
    """
    The review's id (a ULID).
    """
    status: Status
    """
    `cancelled`: ended from outside, or by the server's end; the moves reviewed until then stand.
    """
    final: bool
    """
    Whether nothing follows this message.
    """
    seq: int
    """
    The message's number, from 0.
    """
    game: GameName
    variant: Variant
    position: SearchedPosition
    plies: ReviewProgress
    moves: list[ReviewedMove]
    """
    The moves reviewed so far, in order.
    """
    sides: ReviewedSides
    budget: ReviewBudget
    threads: int
    """
    Threads of each search.
    """
    engine: ReviewEngine
    warnings: list[str]


class SearchResponse(Model):
    """
    What a search found.
    """

    id: str
    """
    The search's id (a ULID).
    """
    status: Status
    final: bool
    """
    Whether nothing follows this message.
    """
    seq: int
    """
    The message's number, from 0; an answer that is not a stream is number 0.
    """
    game: GameName
    variant: Variant
    position: SearchedPosition
    perspective: Perspective
    move: str | None
    """
    The chosen move, so far the best; null when the game is over, and while nothing is known.
    """
    choice: Choice | None
    """
    How the move was chosen, where `level` or `variety` let it be another than the best; else null.
    """
    root: Root
    children: list[Child]
    """
    One entry per root move considered, best first; the first is `move`. Their visits add up to the root's, unless
    `report.max_children` left some out.

    """
    stop_reason: StopReason | None
    """
    Null while the search runs, and when it failed.
    """
    budget: Budget
    threads: Threads
    timing: Timing
    engine: EngineInForce
    reuse: Reuse
    warnings: list[str]
    """
    What the client should know, in sentences.
    """


class PositionFacts(Drawable):
    """
    The fields that every position has.
    """

    position: PositionText
    to_move: Side
    ply: Ply
    key: PositionKey
    outcome: Outcome | None
    legal_moves: LegalMoves
    legal: DescribedLegalMoves
    start: PositionText | None
    """
    The text of the position from which `line` was played; null at the game's start.
    """
    line: list[PlayedMove]
    """
    The moves that were played from there, those included that were left out because there was no other (passes).
    """


class TicTacToePosition(PositionFacts):
    """
    A position of Tic-tac-toe. In `cells`: `x`, `o`, or `.` for an empty cell.
    """

    game: Literal["tic-tac-toe"]
    variant: TicTacToeVariantInForce
    cells: Cells


class ConnectFourPosition(PositionFacts):
    """
    A position of Connect Four. In `cells`: `x`, `o`, `#` for the blocked cell, or `.` for an empty one.
    """

    game: Literal["connect-four"]
    variant: ConnectFourVariantInForce
    cells: Cells


class ReversiPosition(PositionFacts):
    """
    A position of Reversi. In `cells`: `X` (black, first), `O` (white, second), or `-` for an empty square; row 1 is the top.
    """

    game: Literal["reversi"]
    variant: ReversiVariantInForce
    cells: Cells
    discs: DiscCount


class DotsAndBoxesPosition(PositionFacts):
    """
    A position of Dots and Boxes. In `cells`: dots (`+`), drawn edges, and `#` in completed boxes.
    """

    game: Literal["dots-and-boxes"]
    variant: DotsAndBoxesVariantInForce
    cells: Cells
    boxes: BoxCount


class GomokuPosition(PositionFacts):
    """
    A position of Gomoku. In `cells`: `x` (Black), `o` (White), or `.` for an empty point.
    """

    game: Literal["gomoku"]
    variant: GomokuVariantInForce
    cells: Cells
    forbidden: ForbiddenPoints
    five: Five
    opening: Swap2 | None


class XiangqiPosition(PositionFacts):
    """
    A position of Xiangqi. In `cells`: rows from Black's side; upper case for Red (first), lower case for Black, letters `k a b n r c p`; `.` for an empty crossing.
    """

    game: Literal["xiangqi"]
    variant: XiangqiVariantInForce
    cells: Cells
    in_check: InCheck
    repetition: Repetition
    no_capture: NoCapture
    notations: Notations


class HexPosition(PositionFacts):
    """
    A position of Hex. In `cells`: `r` (red, first, top to bottom), `b` (blue, second, left to right), or `.` for an empty cell; row 1 is the top, and each row lies half a cell to the right of the one above.
    """

    game: Literal["hex"]
    variant: HexVariantInForce
    cells: Cells
    connection: HexConnection


class StartPosition(Model):
    """
    The start position of the default variant; which fields come after `cells` depends on the game.
    """

    variant: Variant
    text: PositionText
    to_move: Side
    ply: Ply
    key: PositionKey
    outcome: Outcome | None
    legal_moves: LegalMoves
    legal: DescribedLegalMoves
    cells: Cells
    discs: DiscCount | None = None
    boxes: BoxCount | None = None
    forbidden: ForbiddenPoints | None = None
    five: Five | None = None
    opening: Swap2 | None = None
    in_check: InCheck | None = None
    repetition: Repetition | None = None
    no_capture: NoCapture | None = None
    notations: Notations | None = None
    connection: HexConnection | None = None


class BatchItem(Model):
    """
    A search of a batch that has ended; either `search` or `problem` is null.
    """

    index: int
    """
    Its place in the request, from 0.
    """
    search: SearchResponse | None
    """
    What it found, as `POST /v1/searches` returns it; `failed` where the server failed.
    """
    problem: Problem | None
    """
    Why it was refused. Pointers lead from the search; `request_id` is that of the request for the batch.
    """


PositionResponse = TypeAliasType(
    "PositionResponse",
    Annotated[
        TicTacToePosition
        | ConnectFourPosition
        | ReversiPosition
        | DotsAndBoxesPosition
        | GomokuPosition
        | XiangqiPosition
        | HexPosition,
        Field(..., discriminator="game"),
    ],
)
"""
A position, described by the rules; `game` determines which fields it has besides the common ones.
"""


class Game(Model):
    """
    A game on offer.
    """

    name: GameName
    names: GameTitles
    notation: Notation
    geometry: Literal["cells", "hexagons", "intersections", "edges"]
    """
    How the board is drawn; pieces stand in cells, hexagons or on crossings, or moves are the edges between dots.
    """
    rules: str
    """
    What differs from place to place, and what applies here.
    """
    unit: Unit | None
    """
    What margins count; null where the game is not played for points.
    """
    variants: list[OfferedVariant]
    engines: list[Engine]
    """
    The engines that play it, the strongest first.
    """
    start: StartPosition


class Batch(Model):
    """
    A batch, as far as it is.
    """

    id: BatchName
    status: BatchStatus
    final: bool
    """
    Whether all searches have ended.
    """
    seq: int
    """
    The message's number, from 0.
    """
    done: BatchDone
    total: BatchTotal
    items: list[BatchItem | None]
    """
    The searches in the order of the request; null where one has not ended.
    """


BatchMessage = TypeAliasType("BatchMessage", BatchItem | BatchTotals)
"""
A message of a batch's stream; the totals are the last one.
"""


class GameList(Model):
    """
    The games on offer, and what a search may spend.
    """

    games: list[Game]
    """
    Every game on offer.
    """
    budget: Policy


Child.model_rebuild()
