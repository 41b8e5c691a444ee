//! What a search has found: the same shape for progress, partial and final results, for every engine.
//!
//! All values are absolute: from the first player's view. Whoever shows them turns them round.

use std::borrow::Cow;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evaluation;
use crate::position::{Position, Side, write_line};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The limit `time_ms` was reached.
    Time,
    /// The limit `cpu_ms` was reached.
    Cpu,
    /// The limit `simulations` was reached, or the tree's counters were full.
    Simulations,
    /// The limit `nodes` was reached.
    Nodes,
    /// The limit `depth` was reached.
    Depth,
    /// The memory holds the legal moves, but no replies (`mcts`; a larger tree is recycled when full, and the search
    /// continues).
    Memory,
    /// The result is exact, as `root.proven` states; more search cannot change it.
    Proven,
    /// There was only one legal move, so little was spent on its value.
    SingleMove,
    /// After at least half of the budget, the most visited move also had the highest value (`robust_max`).
    Settled,
    /// The game was over already.
    Terminal,
    /// The server's own time limit was reached.
    Deadline,
    /// Cancelled by a client.
    Cancelled,
    /// The server is shutting down.
    Shutdown,
}

impl StopReason {
    /// Its name in JSON and in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Cpu => "cpu",
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

/// The result of one root move.
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
    /// The value of the position after it; distances count the move itself.
    pub evaluation: Evaluation,
    /// How many plies below the root it was searched.
    pub depth: u32,
    /// Its principal variation, starting with the move itself; at most [`super::LONGEST_LINE`] long.
    pub pv: Vec<M>,
    /// The replies, if a tree was requested.
    pub below: Option<Below<M>>,
}

/// What playing each child gives up beside the best one, from the view of the side to move; `None` where that is not known. A
/// child that is known less well may seem better; it gives up nothing.
#[must_use]
pub fn losses<M>(children: &[Child<M>], best: usize, mover: Side) -> Vec<Option<f64>> {
    let most = children.get(best).and_then(|best| best.evaluation.least_value(mover));
    let loss = |(index, child): (usize, &Child<M>)| {
        let own = if index == best { most } else { child.evaluation.value(mover) };
        Some((most? - own?).max(0.0))
    };
    children.iter().enumerate().map(loss).collect()
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

    fn write_moves<P: Position<Move = M>, N>(self, position: &P, write: &impl Fn(&P, M) -> N) -> Child<N>
    where
        M: Copy,
    {
        let below = self.below.map(|below| {
            let mut after = Cow::Borrowed(position);
            if P::MOVES_ARE_RELATIVE {
                after.to_mut().play(self.mv);
            }
            let children = below.children.into_iter().map(|child| child.write_moves(&*after, write));
            Below { mover: below.mover, children: children.collect() }
        });
        Child {
            mv: write(position, self.mv),
            visits: self.visits,
            nodes: self.nodes,
            prior: self.prior,
            evaluation: self.evaluation,
            depth: self.depth,
            pv: write_line(position, self.pv, write),
            below,
        }
    }
}

/// The result of a search. Serialisation preserves it, so reports can travel between machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report<M> {
    /// The root's value.
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
    /// CPU time that the workers have had. Engines leave it at zero: whoever runs the workers measures it.
    #[serde(default)]
    pub cpu: Duration,
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
    /// The loss of the chosen move against it; none where one of their values is unknown.
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

    /// The same report with its moves written some other way, each in the position before it; `position` is the root's.
    pub fn write_moves<P: Position<Move = M>, N>(self, position: &P, write: impl Fn(&P, M) -> N) -> Report<N>
    where
        M: Copy,
    {
        let children = self.children.into_iter().map(|child| child.write_moves(position, &write));
        Report {
            root: self.root,
            children: children.collect(),
            visits: self.visits,
            nodes: self.nodes,
            depth: self.depth,
            bytes: self.bytes,
            cpu: self.cpu,
            reused: self.reused,
            stop: self.stop,
            choice: self.choice.map(|Chosen { level, variety, best, loss }| Chosen {
                level,
                variety,
                best: write(position, best),
                loss,
            }),
        }
    }
}
