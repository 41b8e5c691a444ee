//! Search results: one format for progress, partial and final results of every engine.
//!
//! All values are absolute, from the first player's view; callers convert them for display.

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

    /// The stop reason of a search by several workers: an end from outside, in the order `cancelled`, `shutdown`, `deadline`,
    /// cuts the whole search short, even if some workers had reached their limits; otherwise the first worker's limit counts.
    /// `None` if all report `proven`: it does not count here, as a worker stopped by another's proof has proven nothing itself.
    pub(crate) fn of_workers(reasons: impl Iterator<Item = Self>) -> Option<Self> {
        reasons.filter(|&reason| reason != Self::Proven).min_by_key(|reason| match reason {
            Self::Cancelled => 0,
            Self::Shutdown => 1,
            Self::Deadline => 2,
            _ => 3,
        })
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
    /// Its prior probability in selection, if the rule has priors.
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

/// The loss of each child against the best one, from the view of the side to move; `None` if unknown. A child with a less
/// reliable value may seem better; its loss is 0.
#[must_use]
pub fn losses<M>(children: &[Child<M>], best: usize, mover: Side) -> Vec<Option<f64>> {
    let most = children.get(best).and_then(|best| best.evaluation.least_value(mover));
    let loss = |(index, child): (usize, &Child<M>)| {
        let own = if index == best { most } else { child.evaluation.value(mover) };
        Some((most? - own?).max(0.0))
    };
    children.iter().enumerate().map(loss).collect()
}

/// The replies to a child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Below<M> {
    /// The side to move there.
    pub mover: Side,
    /// Sufficiently visited replies: the solved ones first, then by visits. Distances count from the root; depths are the plies
    /// at which the lines end.
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
    /// Positions visited. In a new Monte-Carlo tree these are the positions in the tree, but a recycled position counts again
    /// when it is revisited.
    pub nodes: u64,
    /// Depth of the best child's search (alpha-beta), or the deepest ply reached (Monte-Carlo).
    pub depth: u32,
    /// Bytes of tree or table in use.
    pub bytes: u64,
    /// CPU time of all workers. Engines leave it at zero; the caller that runs the workers measures it.
    #[serde(default)]
    pub cpu: Duration,
    /// Visits (included in `visits`) or table entries taken over from an earlier search. Engines leave it at 0; the caller that
    /// resumes a search fills it in.
    pub reused: u64,
    /// Why the search ended; a placeholder in progress reports.
    pub stop: StopReason,
    /// How the first child was chosen, if it need not be the best one. Engines leave it `None`.
    pub choice: Option<Chosen<M>>,
}

/// A move that was chosen for a level of play or for variety.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen<M> {
    /// The level; `None` if only variety was requested.
    pub level: Option<u8>,
    /// The variety.
    pub variety: f64,
    /// The move that the search found best.
    pub best: M,
    /// The loss of the chosen move against it; `None` if either value is unknown.
    pub loss: Option<f64>,
}

impl<M> Report<M> {
    /// The report in its published form: see [`Evaluation::state_limits`].
    #[must_use]
    pub fn with_limits(mut self) -> Self {
        self.root.state_limits();
        self.children.iter_mut().for_each(Child::state_limits);
        self
    }

    /// The report with its moves converted by `write`, each in the position before it; `position` is the root's.
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

#[cfg(test)]
mod tests {
    use super::StopReason::{self, Cancelled, Deadline, Nodes, Proven, Shutdown, Simulations, Time};

    #[test]
    fn the_reasons_of_workers_have_an_order() {
        for (reasons, merged) in [
            (&[Time, Shutdown, Cancelled][..], Some(Cancelled)),
            (&[Simulations, Deadline, Shutdown], Some(Shutdown)),
            (&[Simulations, Time, Deadline], Some(Deadline)),
            (&[Proven, Simulations, Nodes], Some(Simulations)),
            (&[Nodes, Simulations, Proven], Some(Nodes)),
            (&[Proven, Proven], None),
        ] {
            assert_eq!(StopReason::of_workers(reasons.iter().copied()), merged, "{reasons:?}");
        }
    }
}
