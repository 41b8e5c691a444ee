//! The rules in detail and the notation of the built-in games, in Chinese. A game's description has its names and how to play
//! in both languages, but these texts in English only.

/// Texts for one game.
pub struct Chinese {
    game: &'static str,
    /// Rules in detail.
    pub rules: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub position: &'static str,
}

/// The texts for a game; `None` for a game that is not built in.
pub fn of(game: &str) -> Option<&'static Chinese> {
    GAMES.iter().find(|texts| texts.game == game)
}

const GAMES: &[Chinese] = &[
    Chinese {
        game: "tic-tac-toe",
        rules: "横、竖或斜连成 `k` 子或更多即获胜；棋盘放满而无人连成为和棋。",
        moves: "纵线字母加行号，行号从下往上数，如 `b2`。",
        position: "从最上一行起逐行书写，行间用 `/`：`x` 为先手，`o` 为后手，数字为连续的空格数；空一格后写轮到哪一方。",
    },
    Chinese {
        game: "connect-four",
        rules: "棋子落到该列最低的空格；横、竖或斜连成 `connect` 子或更多即获胜；棋盘放满而无人连成为和棋。封闭格不属于任何一方，会断开连线；落到该格的棋子停在其上方。",
        moves: "列号，从左边的 1 数起；第 10 到 12 列为 `a`、`b`、`c`。",
        position: "从开局起依次走的列号，如 `4453`；或从最上一行起逐行书写，行间用 `/`：`x` 为先手，`o` 为后手，`#` 为封闭格，数字为连续的空格数，空一格后写轮到哪一方。",
    },
    Chinese {
        game: "reversi",
        rules: "无子可翻的一方必须停一手；双方都无棋可下时终局。胜负差按棋子数计算，剩余空格归胜方。",
        moves: "纵线字母加行号，行号从上往下数，如 `f5`；停一手写 `pass`。可以连写多步，并省略停一手。",
        position: "从 a1 开始逐行逐格写（8x8 为 a1、b1……h1、a2……h8）：`X` 为黑（先手），`O` 为白，`-` 为空；空一格后写轮到哪一方。",
    },
    Chinese {
        game: "dots-and-boxes",
        rules: "画上某格最后一条边的一方占得该格，并且必须再走一步；所有边画完后终局。胜负差按格数计算。",
        moves: "`h`（横边）或 `v`（竖边），然后是行号、逗号、列号，都从左上角的 0 数起，如 `h0,1`。",
        position: "每条边一个数字，`1` 为已画，`0` 为未画：先从上往下逐行写横边，再写竖边；空一格后写双方得分，再空一格写轮到哪一方。",
    },
    Chinese {
        game: "gomoku",
        rules: "黑方先走；棋盘放满为和棋。`freestyle`（无禁手）：五子或更多连线获胜。`standard`（标准）：必须恰好五子。`caro`（两头堵不算）：五子或更多，且两端没有都被对方棋子封住。`renju`（连珠）：白方五子或更多获胜，黑方必须恰好五子；黑方未成五而走出长连、四四或三三，即判负；黑方只剩禁手点可走时为和棋。",
        moves: "纵线字母加行号，行号从下往上数，如 `h8`；采用 swap2 开局时还有 `black`、`white`（选择执黑或执白）和 `place`（再放两子）。可以连写多步。",
        position: "从最上一行起逐行书写，行间用 `/`：`x` 为黑，`o` 为白，数字为连续的空点数；空一格后写轮到哪种颜色。采用 swap2 时再空一格写一个词：`opening`、`choose`、`place`，或执黑的一方 `first`、`second`。连珠犯禁之后再空一格写那一子。",
    },
    Chinese {
        game: "xiangqi",
        rules: "两将不能直接对面；无棋可走的一方判负。同一局面第三次出现时，长将的一方判负，其次长捉的一方判负，否则为和棋。连续未吃子达到规定步数（默认 120 步，每方的将军最多计 10 步）为和棋，双方都没有进攻子力也为和棋。以上三种为裁定，之后仍可继续走。",
        moves: "起点和终点，纵线为 a 到 i，横线从红方一侧的 0 数到 9（ICCS），如 `h2e2`；也能读中文记谱（炮二平五）、WXF（C2.5）和带坐标的字母（Che2）。",
        position: "FEN：从黑方一侧起十行，大写为红（先手），字母 k a b n r c p 依次为帅、仕、相、马、车、炮、兵（也能读 e 和 h）；轮到哪一方写 `w`（红）或 `b`（黑）；`- -`；未吃子的步数；回合数。",
    },
    Chinese {
        game: "hex",
        rules: "连通己方两边的一方获胜：红方连上下，蓝方连左右；没有和棋。启用交换规则时，后手的第一步可以走 `swap`（交换）：先手的第一子变为蓝子，并沿长对角线翻转（a2 变为 b1），然后轮到红方。",
        moves: "纵线字母加行号，行号从上往下数，如 `f6`；或 `swap`。",
        position: "从最上一行起逐行书写，行间用 `/`：`r` 为红（先手，连上下），`b` 为蓝（连左右），数字为连续的空格数；空一格后写轮到哪一方。",
    },
];
