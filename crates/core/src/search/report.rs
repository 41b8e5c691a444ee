//! What a search has found: the same shape for progress, partial and final results, for every engine.
//!
//! All values are absolute: from the first player's view. Whoever shows them turns them round.

use serde::{Deserialize, Serialize};

use crate::position::Side;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The time budget was spent.
    Time,
    /// The simulation budget was spent, or the tree's counters were full.
    Simulations,
    /// The node budget was spent.
    Nodes,
    /// The depth budget was reached.
    Depth,
    /// The memory budget was spent: a Monte-Carlo tree had no room for more than the root's children. Where it has, a full tree
    /// is recycled and the search goes on.
    Memory,
    /// The result is exact: more search cannot change it.
    Proven,
    /// There was only one move to choose, so only a glance was spent on its value.
    SingleMove,
    /// From half of the budget on, the most visited move was also the one of the highest value (`robust_max`).
    Settled,
    /// The game was over already.
    Terminal,
    /// The server's own time limit was reached.
    Deadline,
    /// The search was cancelled.
    Cancelled,
    /// The server ends.
    Shutdown,
}

impl StopReason {
    /// Its name in JSON and in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Simulations => "simulations",
            Self::Nodes => "nodes",
            Self::Depth => "depth",
            Self::Memory => "memory",
            Self::Proven => "proven",
            Self::SingleMove => "single_move",
            Self::Settled => "settled",
            Self::Terminal => "terminal",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Shutdown => "shutdown",
        }
    }
}

impl Serialize for StopReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Chances of the three results, from the first player's view; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    /// The first player wins.
    pub win: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The second player wins.
    pub loss: f64,
}

impl Outlook {
    /// The outlook of a game whose exact score is known.
    #[must_use]
    pub const fn of_score(score: i16) -> Self {
        match score {
            0 => Self { win: 0.0, draw: 1.0, loss: 0.0 },
            1.. => Self { win: 1.0, draw: 0.0, loss: 0.0 },
            _ => Self { win: 0.0, draw: 0.0, loss: 1.0 },
        }
    }

    /// The outlook of a heuristic value: a logistic of width `spread`, with a draw where the value lies within `even` of zero.
    #[must_use]
    pub fn logistic(value: i32, even: i32, spread: f64) -> Self {
        let above = |line: i32| 1.0 / (1.0 + (f64::from(line - value) / spread).exp());
        let (win, not_loss) = (above(even), above(-even));
        Self { win, draw: not_loss - win, loss: 1.0 - not_loss }
    }

    /// The same chances where only scores within `bounds` are possible: what is proven impossible becomes the nearest possible
    /// result.
    #[must_use]
    pub fn within(self, bounds: Bounds) -> Self {
        let Self { mut win, mut draw, mut loss } = self;
        if bounds.lo >= 0 {
            draw += std::mem::take(&mut loss);
        }
        if bounds.hi <= 0 {
            draw += std::mem::take(&mut win);
        }
        if bounds.lo > 0 {
            win += std::mem::take(&mut draw);
        }
        if bounds.hi < 0 {
            loss += std::mem::take(&mut draw);
        }
        Self { win, draw, loss }
    }

    /// Win minus loss, in [-1, 1].
    #[must_use]
    pub fn value(&self) -> f64 {
        self.win - self.loss
    }
}

/// What has been proven of a score (see [`crate::position::Outcome::score`]): it lies in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Proven: not less than this.
    pub lo: i16,
    /// Proven: not more than this.
    pub hi: i16,
}

impl Bounds {
    /// The bounds when nothing is known.
    #[must_use]
    pub const fn unknown(limit: i16) -> Self {
        Self { lo: -limit, hi: limit }
    }

    /// The bounds of a known score.
    #[must_use]
    pub const fn exactly(score: i16) -> Self {
        Self { lo: score, hi: score }
    }

    /// The score, when only one is left.
    #[must_use]
    pub const fn exact(&self) -> Option<i16> {
        if self.lo == self.hi { Some(self.lo) } else { None }
    }

    /// The nearest score that is not proven impossible.
    #[must_use]
    pub fn clamp(&self, score: f64) -> f64 {
        score.clamp(self.lo.into(), self.hi.into())
    }

    /// What is known when both are.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Who is proven to win, if that is settled. In games played for points it may be settled before the margin is.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        if self.lo > 0 {
            Some(Verdict::Wins(Side::First))
        } else if self.hi < 0 {
            Some(Verdict::Wins(Side::Second))
        } else if self.lo == 0 && self.hi == 0 {
            Some(Verdict::Draw)
        } else {
            None
        }
    }
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This side wins with best play.
    Wins(Side),
    /// Neither side can win against best play.
    Draw,
}

/// Whether the numbers of an evaluation are the value itself, or only a limit of it. The order that limits speak of is the
/// game's: a win is worth more the sooner it comes, and more points are worth more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value itself (an estimate, where nothing is proven).
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// What a proof says by itself that `side` wins: the value is at least that good for it. The win may come sooner, or be
    /// higher.
    #[must_use]
    pub const fn of_win(side: Side) -> Self {
        match side {
            Side::First => Self::Lower,
            Side::Second => Self::Upper,
        }
    }

    /// The same bound seen from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Chances of the results; `None` when nothing is known.
    pub outlook: Option<Outlook>,
    /// Expected margin, in games played for points; `None` in others and when nothing is known.
    pub score: Option<f64>,
    /// Standard error of the outlook's value; `None` when it is not a sample's mean.
    pub stderr: Option<f64>,
    /// Whether outlook, score and distance are values or limits.
    pub bound: Bound,
    /// What is proven of the score.
    pub bounds: Bounds,
    /// When a win or loss is proven in a game without points: how many plies until the game is over; where `bound` is not
    /// exact, at most so many.
    pub distance: Option<u32>,
}

impl Evaluation {
    /// Nothing is known but that scores have a limit.
    #[must_use]
    pub const fn unknown(limit: i16) -> Self {
        Self {
            outlook: None,
            score: None,
            stderr: None,
            bound: Bound::Exact,
            bounds: Bounds::unknown(limit),
            distance: None,
        }
    }

    /// Takes in what is proven of the score besides.
    pub fn narrow(&mut self, bounds: Bounds) {
        self.bounds = self.bounds.meet(bounds);
        self.outlook = self.outlook.map(|outlook| outlook.within(self.bounds));
        self.score = self.score.map(|score| self.bounds.clamp(score));
    }

    /// Gives the proven limit of the score where it is proven who wins, but not by how much: a mean beside the proof would pass
    /// for the margin. Whatever is solved gets the value that its bounds name.
    pub fn state_limits(&mut self) {
        let has_points = self.score.is_some();
        let (score, bound) = match (self.bounds.exact(), self.bounds.verdict()) {
            // How soon it ends is the engine's to say.
            (Some(score), _) => (score, self.bound),
            (None, Some(Verdict::Wins(side))) => {
                let nearest = if side == Side::First { self.bounds.lo } else { self.bounds.hi };
                (nearest, Bound::of_win(side))
            }
            (None, _) => return,
        };
        self.outlook = Some(Outlook::of_score(score));
        self.score = has_points.then_some(score.into());
        (self.stderr, self.bound) = (None, bound);
    }
}

/// What is known of one root move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// Simulations that began with it; `None` for engines that do not simulate.
    pub visits: Option<u64>,
    /// Positions visited below it; `None` for engines that do not count them by move.
    pub nodes: Option<u64>,
    /// The probability that selection gave it before any simulation, where it gives one.
    pub prior: Option<f64>,
    /// What the position after it is worth; distances count the move itself.
    pub evaluation: Evaluation,
    /// How many plies below the root it was searched.
    pub depth: u32,
    /// The line expected after it, the move itself first; at most [`super::LONGEST_LINE`] long.
    pub pv: Vec<M>,
    /// What is known of the replies, where a tree was asked for and has any.
    pub below: Option<Below<M>>,
}

/// The children of a node below the root's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Below<M> {
    /// Who is to move there.
    pub mover: Side,
    /// Those that have been visited often enough: the solved ones first, then by visits. Distances count from the root, depths
    /// are those of the lines.
    pub children: Vec<Child<M>>,
}

impl<M> Child<M> {
    fn state_limits(&mut self) {
        self.evaluation.state_limits();
        self.below.iter_mut().flat_map(|below| &mut below.children).for_each(Self::state_limits);
    }

    fn map_moves<N>(self, write: &impl Fn(M) -> N) -> Child<N> {
        Child {
            mv: write(self.mv),
            visits: self.visits,
            nodes: self.nodes,
            prior: self.prior,
            evaluation: self.evaluation,
            depth: self.depth,
            pv: self.pv.into_iter().map(write).collect(),
            below: self.below.map(|below| Below {
                mover: below.mover,
                children: below.children.into_iter().map(|child| child.map_moves(write)).collect(),
            }),
        }
    }
}

/// What a search has found. Written and read back, it is the same, so that reports can travel between machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report<M> {
    /// What the root is worth.
    pub root: Evaluation,
    /// One entry per root move considered, best first: the first is the move chosen.
    pub children: Vec<Child<M>>,
    /// Simulations made: the sum of the children's visits; `None` for engines that do not simulate.
    pub visits: Option<u64>,
    /// Positions visited. In a Monte-Carlo tree that has not been recycled, those in the tree; one that was recycled and is
    /// visited again counts again.
    pub nodes: u64,
    /// How deep the best child was searched (alpha-beta), or the deepest ply looked at (Monte-Carlo).
    pub depth: u32,
    /// Bytes of tree or table in use.
    pub bytes: u64,
    /// Visits, or entries of a table, that an earlier search had left; the visits are among those above. Engines say 0: who
    /// hands the tree over knows it.
    pub reused: u64,
    /// Why the search ended. In progress reports: why it would have, had it ended there.
    pub stop: StopReason,
    /// How the first child came to be chosen, where it need not be the best one. Engines leave it open.
    pub choice: Option<Chosen<M>>,
}

/// A move that was chosen for a level of play or for variety.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen<M> {
    /// The level; none where only variety was asked for.
    pub level: Option<u8>,
    /// The variety.
    pub variety: f64,
    /// The move that the search found best.
    pub best: M,
    /// What the chosen one gives up against it; none where one of their values is not known.
    pub loss: Option<f64>,
}

impl<M> Report<M> {
    /// The same report as it is reported: see [`Evaluation::state_limits`].
    #[must_use]
    pub fn with_limits(mut self) -> Self {
        self.root.state_limits();
        self.children.iter_mut().for_each(Child::state_limits);
        self
    }

    /// The same report with its moves written some other way.
    pub fn map_moves<N>(self, write: impl Fn(M) -> N) -> Report<N> {
        let children = self.children.into_iter().map(|child| child.map_moves(&write));
        Report {
            root: self.root,
            children: children.collect(),
            visits: self.visits,
            nodes: self.nodes,
            depth: self.depth,
            bytes: self.bytes,
            reused: self.reused,
            stop: self.stop,
            choice: self.choice.map(|Chosen { level, variety, best, loss }| Chosen {
                level,
                variety,
                best: write(best),
                loss,
            }),
        }
    }
}
