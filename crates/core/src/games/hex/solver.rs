//! The solver: finds the winning moves by depth-first proof-number search (df-pn: Nagai 2002), helped by static `knowledge`.
//!
//! - `search`: the search of one position. `table`: its transposition table.
//! - One table serves all proofs: first the root is searched, then each root move left open, in rounds of growing effort.
//!   Where only the best moves are reported, the search ends when that many are known to win.

mod search;
mod table;

use std::time::Duration;

use super::knowledge::{Grid, Stones};
use super::{Hex, Move};
use crate::bits::{Bits, Wide};
use crate::parameters;
use crate::parameters::{Invalid, Parameter, Parameters};
use crate::position::{Position, Side};
use crate::search::{
    Bound, Bounds, Child, Control, Engine, Evaluation, LONGEST_LINE, Limits, Outlook, Report, StopReason, Task,
};
use search::{Search, State};

parameters! {
    /// Exact solution: who wins after each move.
    pub struct Solver {}
}

const DEFAULT_MEMORY: u64 = 128 << 20;
/// Positions per root move in the first round; each round has twice as many as the one before.
const FIRST_ROUND: u64 = 64;

/// A root move and what is known of it.
struct RootMove {
    mv: Move,
    /// Who wins after it.
    winner: Option<Side>,
    /// The most plies left in the game after it.
    left: u32,
    nodes: u64,
    pv: Vec<Move>,
}

impl<B: Bits> Hex<B> {
    /// The stones, by [`Grid`]'s numbers of cells.
    pub(super) fn packed<S: Bits>(&self) -> Stones<S> {
        Stones(self.stones.map(|stones| {
            stones.iter().fold(S::EMPTY, |set, index| {
                let cell = self.cell(index);
                set | S::single(u32::from(cell.row) * u32::from(self.size) + u32::from(cell.column))
            })
        }))
    }

    /// The move on a cell of a [`Grid`].
    pub(super) fn unpacked(&self, cell: u32) -> Move {
        let size = u32::from(self.size);
        Move::Stone(super::Cell { column: (cell % size) as u8, row: (cell / size) as u8 })
    }

    /// Who wins by the swap rule alone: the second player, who chooses the colour of the first stone.
    pub(super) fn won_by_swap(&self) -> Option<Side> {
        let is_start = self.swap && self.turn == Side::First && self.stones == [B::EMPTY; 2];
        (is_start || self.can_swap()).then_some(Side::Second)
    }
}

impl Solver {
    fn solve<S: Bits, B: Bits>(task: &Task<'_, Hex<B>>, control: &Control<'_, Move>) -> Report<Move> {
        let position = task.position;
        let memory = task.budget.memory.unwrap_or(DEFAULT_MEMORY);
        let mut search = Search::<S, _>::new(position.size.into(), memory, control, task.budget.nodes);
        let after = |mv| {
            let mut after = position.clone();
            after.play(mv);
            after
        };
        let mut moves: Vec<(RootMove, Option<State<S>>)> = Vec::new();
        for &mv in task.moves {
            let after = after(mv);
            let over = after.outcome().and_then(|outcome| outcome.winner);
            let known = over.or_else(|| after.won_by_swap());
            let state = known.is_none().then(|| search.state(after.packed(), after.turn));
            // A swap is a ply that fills no cell.
            let left = if over.is_some() { 0 } else { after.empty().count() + u32::from(after.can_swap()) };
            moves.push((RootMove { mv, winner: known, left, nodes: 0, pv: vec![mv] }, state));
        }
        let is_whole = task.moves.len() as u64 == position.count_moves();
        let mut effort = FIRST_ROUND;
        // An immediate win needs no search.
        let is_open = !moves.iter().any(|(root, _)| root.winner == Some(position.turn));
        if is_whole && is_open && !position.can_swap() {
            let root = search.state(position.packed(), position.turn);
            search.prove(root, u64::MAX, &mut |nodes| Self::report(position, &moves, nodes, StopReason::Time));
            for (root, state) in &mut moves {
                root.winner = root.winner.or_else(|| search.known((*state)?));
            }
        }
        let is_settled = |moves: &[(RootMove, Option<State<S>>)]| {
            let wins = moves.iter().filter(|(root, _)| root.winner == Some(position.turn)).count();
            let is_decided = wins >= task.branches.multipv.max(1) as usize;
            is_decided && !task.branches.all || moves.iter().all(|(root, _)| root.winner.is_some())
        };
        while search.stop.is_none() && !is_settled(&moves) {
            for index in 0..moves.len() {
                let (RootMove { winner: None, nodes, .. }, Some(state)) = (&moves[index].0, moves[index].1) else {
                    continue;
                };
                let before = search.nodes - nodes;
                let found =
                    search.prove(state, effort, &mut |nodes| Self::report(position, &moves, nodes, StopReason::Time));
                let root = &mut moves[index].0;
                (root.winner, root.nodes) = (found, search.nodes - before);
            }
            effort *= 2;
        }
        for (root, state) in &mut moves {
            if let Some(state) = state {
                let line = search.line(*state, LONGEST_LINE - 1);
                root.winner = root.winner.or_else(|| search.known(*state));
                root.pv.extend(line.into_iter().map(|cell| position.unpacked(cell)));
            }
        }
        let stop = search.stop.unwrap_or(StopReason::Proven);
        Report { bytes: search.bytes(), ..Self::report(position, &moves, search.nodes, stop) }
    }

    fn report<S, B: Bits>(
        position: &Hex<B>,
        moves: &[(RootMove, Option<State<S>>)],
        nodes: u64,
        stop: StopReason,
    ) -> Report<Move> {
        let turn = position.turn;
        let rank = |winner: Option<Side>| match winner {
            Some(side) if side == turn => 0,
            None => 1,
            Some(_) => 2,
        };
        let mut ranked: Vec<&RootMove> = moves.iter().map(|(root, _)| root).collect();
        // Immediate wins, then wins with least effort; other moves with most effort first.
        ranked.sort_by_key(|root| {
            let effort = if root.winner == Some(turn) { root.nodes } else { u64::MAX - root.nodes };
            (rank(root.winner), root.left > 0, effort)
        });
        let children: Vec<Child<Move>> = ranked
            .into_iter()
            .map(|root| Child {
                mv: root.mv,
                visits: None,
                nodes: Some(root.nodes),
                prior: None,
                evaluation: evaluation(root.winner, turn.other(), root.left, 1),
                depth: root.pv.len() as u32,
                pv: root.pv.clone(),
                below: None,
            })
            .collect();
        // One winning move, which comes first, decides the root, and so do losing ones if no move is open.
        let is_known = |child: &Child<Move>| child.evaluation.bounds.exact().is_some();
        let evaluation = match children.first().map(|child| child.evaluation) {
            Some(best) if best.value(turn) == Some(1.0) || children.iter().all(is_known) => best,
            _ => Evaluation::unknown(1),
        };
        Report {
            root: evaluation,
            depth: children.first().map_or(0, |child| child.depth),
            children,
            visits: None,
            nodes,
            bytes: 0,
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop,
        }
    }
}

/// The evaluation of a position `before` plies below the root, with `mover` to move and at most `left` plies to go; unknown if
/// no winner is known.
fn evaluation(winner: Option<Side>, mover: Side, left: u32, before: u32) -> Evaluation {
    let Some(winner) = winner else { return Evaluation::unknown(1) };
    let score = winner.sign();
    // The last stone is the winner's.
    let is_last_his = (left % 2 == 1) == (winner == mover);
    let latest = if left == 0 || is_last_his { left } else { left - 1 };
    Evaluation {
        outlook: Some(Outlook::of_score(score)),
        score: None,
        stderr: None,
        bound: if left == 0 { Bound::Exact } else { Bound::of_win(winner) },
        bounds: Bounds::exactly(score),
        distance: Some(latest + before),
    }
}

impl<B: Bits> Engine<Hex<B>> for Solver {
    const NAME: &'static str = "solver";
    const LIMITS: Limits = Limits {
        simulations: false,
        nodes: true,
        depth: false,
        threads: false,
        default_memory: DEFAULT_MEMORY,
        bytes_per_node: 64,
    };
    fn parameters() -> Vec<Parameter> {
        <Self as Parameters>::parameters()
    }

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()
    }

    type Shared = ();

    fn share(&self, _: &Task<'_, Hex<B>>, _: u32) {}

    fn search(&self, task: &Task<'_, Hex<B>>, control: &Control<'_, Move>, (): &()) -> Report<Move> {
        let size = u32::from(task.position.size);
        // The engine for web pages has fewer board types, since each adds much code.
        let all = cfg!(not(target_family = "wasm"));
        if all && Grid::<u64>::fits(size) {
            Self::solve::<u64, B>(task, control)
        } else if Grid::<u128>::fits(size) {
            Self::solve::<u128, B>(task, control)
        } else if all && Grid::<Wide<3>>::fits(size) {
            Self::solve::<Wide<3>, B>(task, control)
        } else {
            Self::solve::<Wide<6>, B>(task, control)
        }
    }

    fn merge(&self, _: &Hex<B>, mut reports: Vec<Report<Move>>, (): &()) -> Report<Move> {
        reports.swap_remove(0)
    }
}
