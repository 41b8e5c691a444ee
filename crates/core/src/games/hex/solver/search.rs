//! Depth-first proof-number search: follows the move with the fewest positions left to prove, and returns when another has
//! fewer.
//!
//! Positions are filled in before they are looked up, so that many become one. Positions that connections decide are not
//! searched, and in the others only moves that can win are; at first, only the best of these by [`flow`] (dynamic widening).

use super::super::knowledge::{Judge, Judgement, Stones, flow};
use super::table::{Entry, INFINITE, Numbers, Table};
use crate::bits::Bits;
use crate::position::Side;
use crate::rng::mix;
use crate::search::{Control, Pace, Report, StopReason, Tick};

/// A filled position.
#[derive(Clone, Copy, Debug)]
pub struct State<S> {
    stones: Stones<S>,
    mover: Side,
    key: u64,
}

/// A move of a position under search, and where it leads.
#[derive(Clone, Copy, Debug)]
struct Step<S> {
    cell: u32,
    after: State<S>,
    /// The numbers of `after` when it was last visited, in case the table loses them: two steps whose entries replace each
    /// other would be searched for ever.
    numbers: Numbers,
}

/// The proof and disproof numbers at which a search below a position ends.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

const NONE: Thresholds = Thresholds { proof: INFINITE, disproof: INFINITE };

/// A search of positions of one board.
pub struct Search<'a, S, M> {
    judge: Judge<S>,
    table: Table<S>,
    /// The moves of all positions on the current path.
    steps: Vec<Step<S>>,
    pace: Pace,
    control: &'a Control<'a, M>,
    /// Positions judged.
    pub nodes: u64,
    most: u64,
    /// Node count at which this part of the search ends.
    last: u64,
    /// Why the search has ended, if it has.
    pub stop: Option<StopReason>,
    /// Whether progress is due.
    is_due: bool,
}

impl<'a, S: Bits, M> Search<'a, S, M> {
    pub fn new(size: u32, memory: u64, control: &'a Control<'a, M>, most: Option<u64>) -> Self {
        let judge = Judge::new(size);
        Self {
            table: Table::new(memory.saturating_sub(Judge::<S>::bytes(size))),
            judge,
            steps: Vec::new(),
            pace: Pace::default(),
            control,
            nodes: 0,
            most: most.unwrap_or(u64::MAX),
            last: u64::MAX,
            stop: None,
            is_due: false,
        }
    }

    pub fn bytes(&self) -> u64 {
        Judge::<S>::bytes(self.judge.grid.size) + self.table.bytes()
    }

    /// The state of a position, filled in.
    pub fn state(&self, stones: Stones<S>, mover: Side) -> State<S> {
        let stones = self.judge.filled(stones);
        let [first, second] = stones.0.map(Bits::hash);
        State { stones, mover, key: mix(first.rotate_left(1) ^ second ^ mover as u64) }
    }

    /// The winner, if known.
    pub fn known(&self, state: State<S>) -> Option<Side> {
        self.table.get(state.key)?.numbers.winner(state.mover)
    }

    /// Searches about `effort` more positions to find the winner, and reports progress in between.
    pub fn prove(&mut self, state: State<S>, effort: u64, report: &mut dyn FnMut(u64) -> Report<M>) -> Option<Side> {
        self.last = self.nodes.saturating_add(effort);
        loop {
            let numbers = self.visit(state, NONE);
            if !std::mem::take(&mut self.is_due) {
                return numbers.winner(state.mover);
            }
            self.control.report(&report(self.nodes));
        }
    }

    /// Whether the search must return to its root.
    fn is_interrupted(&self) -> bool {
        self.stop.is_some() || self.is_due || self.nodes >= self.last
    }

    /// A state's entry; the state is judged first if the table has none.
    fn entry(&mut self, state: State<S>) -> Entry<S> {
        if let Some(entry) = self.table.get(state.key) {
            return *entry;
        }
        self.nodes += 1;
        let (numbers, moves) = match self.judge.judge(state.stones, state.mover) {
            Judgement::Won(side) => (if side == state.mover { Numbers::WON } else { Numbers::LOST }, S::EMPTY),
            Judgement::Open { moves, .. } => (Numbers::UNKNOWN, moves),
        };
        let entry = Entry { key: state.key, numbers, work: 1, moves };
        self.table.put(entry);
        match self.pace.tick(self.control) {
            Tick::Continue => {}
            Tick::Report => self.is_due = true,
            Tick::Stop(reason) => self.stop = Some(reason),
        }
        if self.nodes >= self.most {
            self.stop = self.stop.or(Some(StopReason::Nodes));
        }
        entry
    }

    /// Searches below a state until one of its numbers reaches its threshold, and returns the numbers.
    fn visit(&mut self, state: State<S>, thresholds: Thresholds) -> Numbers {
        let entry = self.entry(state);
        if entry.numbers.is_solved() {
            return entry.numbers;
        }
        let begin = self.steps.len();
        let since = self.nodes;
        self.add_steps(state, entry.moves);
        let numbers = loop {
            let (numbers, best) = self.combine(begin);
            let work = entry.work.saturating_add((self.nodes - since) as u32);
            self.table.put(Entry { numbers, work, ..entry });
            let is_over = numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof;
            let Some(Best { step, second, disproof }) = best.filter(|_| !is_over && !self.is_interrupted()) else {
                break numbers;
            };
            let Step { after, .. } = self.steps[step];
            // A quarter more than the second best, so that the search does not keep alternating between two moves.
            let more = second.saturating_add((second / 4).max(1));
            let below = Thresholds {
                proof: thresholds.disproof.saturating_sub(numbers.disproof).saturating_add(disproof),
                disproof: thresholds.proof.min(more),
            };
            self.steps[step].numbers = self.visit(after, below);
        };
        self.steps.truncate(begin);
        numbers
    }

    /// The moves of a state, the most promising first.
    fn add_steps(&mut self, state: State<S>, moves: S) {
        let begin = self.steps.len();
        for cell in moves.iter() {
            let after = self.state(state.stones.with(state.mover, cell), state.mover.other());
            self.steps.push(Step { cell, after, numbers: Numbers::UNKNOWN });
        }
        if self.steps.len() > begin + 1 {
            let shares = flow(&self.judge.grid, state.stones);
            let share = |step: &Step<S>| shares[step.cell as usize];
            self.steps[begin..].sort_unstable_by(|one, other| share(other).total_cmp(&share(one)));
        }
    }

    /// The numbers of the state whose steps start at `begin`, and the step to search next.
    fn combine(&self, begin: usize) -> (Numbers, Option<Best>) {
        let numbers = |step: &Step<S>| self.table.get(step.after.key).map_or(step.numbers, |entry| entry.numbers);
        let steps = &self.steps[begin..];
        let open = steps.iter().filter(|step| numbers(step).proof != 0).count();
        let mut all = Numbers { proof: INFINITE, disproof: 0 };
        let mut best: Option<Best> = None;
        for (index, after) in
            steps.iter().map(numbers).enumerate().filter(|(_, after)| after.proof != 0).take(widened(open))
        {
            if after.disproof == 0 {
                return (Numbers::WON, None);
            }
            all.disproof = all.disproof.saturating_add(after.proof).min(INFINITE - 1);
            match &mut best {
                Some(best) if after.disproof >= all.proof => best.second = best.second.min(after.disproof),
                _ => {
                    best = Some(Best { step: begin + index, second: all.proof, disproof: after.proof });
                    all.proof = after.disproof;
                }
            }
        }
        (if best.is_none() { Numbers::LOST } else { all }, best)
    }

    /// The principal variation found in the table: winning moves, and the replies that took the most work to refute.
    pub fn line(&self, from: State<S>, longest: usize) -> Vec<u32> {
        let mut line = Vec::new();
        let mut state = from;
        while let Some(entry) = self.table.get(state.key).filter(|_| line.len() < longest) {
            let is_won = entry.numbers.proof == 0;
            let next = entry.moves.iter().filter_map(|cell| {
                let after = self.state(state.stones.with(state.mover, cell), state.mover.other());
                let found = self.table.get(after.key)?;
                (!is_won || found.numbers.disproof == 0).then_some((found.work, cell, after))
            });
            let next = if is_won { next.min_by_key(|&(work, ..)| work) } else { next.max_by_key(|&(work, ..)| work) };
            let Some((_, cell, after)) = next else { break };
            line.push(cell);
            state = after;
        }
        line
    }
}

/// The step to search next.
#[derive(Clone, Copy, Debug)]
struct Best {
    /// Its index in the steps.
    step: usize,
    /// The least proof number of the other steps.
    second: u32,
    /// Its share of the disproof number.
    disproof: u32,
}

/// The number of open moves that count.
fn widened(open: usize) -> usize {
    1 + open.div_ceil(4)
}
