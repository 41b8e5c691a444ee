//! A slow solver that confirms or refutes claimed wins: "this colour makes five in at most N plies against any defence". It
//! knows the rules, and only certain facts of strategy:
//!
//! - Where the attacker threatens five, only a stone that stops it does not lose at once.
//! - Elsewhere the defender *passes* first. If the attacker wins all the same, the tree of that win shows which replies need
//!   a search of their own: those on its *zone*, the cells that it depends on. All others lose to the same tree.
//!
//! **Zones.** A tree holds with up to `extra` further stones of the defender on the board, none of them on its zone. The zone
//! has:
//!
//! - each stone that the attacker places, and each point where it threatens five (in caro the ends of such fives too);
//! - at each turn of the attacker, the empty cells of the windows (five points in line) without a stone of the attacker in
//!   which the defender has `4 - extra` stones or more. Thus further stones make no four and no five anywhere in the tree;
//! - where the defender is free to reply: the zone of the tree for a pass, with one further stone more, since replies outside
//!   it become further stones; and the zones of the trees for all replies on it.
//!
//! **Renju.** White's stones can make a point forbidden for Black that was not (a three is none while its four is forbidden).
//! So a black attacker's stone on a point that might become forbidden extends the zone to the whole board. A black defender's
//! forbidden replies are left out only where there are no further stones. At each of Black's turns, counting
//! (`Grid::has_leeway`) rules out that it has no legal reply at all, which would be a draw.
//!
//! **Advice.** A win may be shown to the solver move by move, by the program under test: where the attacker is to move, one
//! move is asked for and no other one is tried. Bad advice confirms nothing, since the replies are the solver's own.
//!
//! **Refutations.** A failure is final only if all moves were tried. In freestyle a stone more never harms the defender, so
//! what does not win after a pass does not win; under the other rules a real reply has to hold.

use std::collections::HashMap;

use super::grid::{BLACK, Cell, Grid, Rule, WHITE};
use super::zone::Zone;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    Confirmed,
    Refuted,
    /// Neither was proven within the budget.
    Unknown,
}

/// The maximum number of further stones that zones distinguish: with four, no window is safe.
const MOST_EXTRA: u8 = 4;
/// The maximum number of moves without a four in one line, in the searches that only confirm.
const MOST_QUIET: u32 = 5;

/// Proposes a move for the colour to move in the position with this text, if it wins within the given number of plies.
pub type Advisor<'a> = dyn FnMut(&str, u32) -> Option<String> + 'a;

/// Whether the attacker makes five in time.
enum Found {
    /// It does, by a tree with this zone.
    Win(Zone),
    /// It does not, with any move.
    Lost,
    /// Not all was tried.
    Open,
}

struct Solver<'a> {
    grid: Grid,
    attacker: usize,
    /// The plies of the whole claim.
    plies: u32,
    /// Proposes the attacker's moves, if they are not searched.
    advisor: Option<&'a mut Advisor<'a>>,
    /// Moves that are tried first.
    hints: Vec<Cell>,
    /// Whether all moves of the attacker are tried, so that a failure is final.
    full: bool,
    visits: u64,
    budget: u64,
    /// Wins by stones and `extra`: the plies that they take, and their zones.
    won: HashMap<(u128, u8), (u32, Zone)>,
    /// The largest number of plies known to be too few.
    lost: HashMap<u128, u32>,
    /// The largest numbers of plies and quiet moves that failed, by stones and `extra`.
    tried: HashMap<(u128, u8), (u32, u32)>,
    /// How often a reply held.
    holds: Vec<u32>,
}

/// Examines the claim that `winner` makes five within `plies` of the position with this text. `line` is the play expected;
/// its moves are tried first. `budget` limits the positions visited.
pub fn prove(rule: &str, text: &str, winner: usize, plies: u32, line: &[String], budget: u64) -> Proof {
    let (mut solver, attacks, plies) = Solver::new(rule, text, winner, plies);
    solver.hints = line.iter().map(|mv| solver.grid.cell(mv)).collect();
    solver.examine(attacks, plies, budget)
}

/// Examines the same claim by the moves of an advisor, asked at most `budget` times. A failure refutes nothing.
pub fn prove_by_advice<'a>(
    rule: &str,
    text: &str,
    winner: usize,
    plies: u32,
    advisor: &'a mut Advisor<'a>,
    budget: u64,
) -> Proof {
    let (mut solver, attacks, plies) = Solver::new(rule, text, winner, plies);
    (solver.advisor, solver.budget) = (Some(advisor), budget);
    match solver.search(attacks, plies, plies) {
        Found::Win(_) => Proof::Confirmed,
        Found::Lost | Found::Open => Proof::Unknown,
    }
}

impl<'a> Solver<'a> {
    /// A solver of a claim, whether the winner is to move, and the plies up to its last stone.
    fn new(rule: &str, text: &str, winner: usize, plies: u32) -> (Self, bool, u32) {
        let (grid, turn) = Grid::read(rule, text);
        let attacks = turn == winner;
        // The attacker's stone ends the game.
        let plies = if attacks == (plies % 2 == 1) { plies } else { plies.saturating_sub(1) };
        let solver = Self {
            grid,
            attacker: winner,
            plies,
            advisor: None,
            hints: Vec::new(),
            full: false,
            visits: 0,
            budget: 0,
            won: HashMap::new(),
            lost: HashMap::new(),
            tried: HashMap::new(),
            holds: vec![0; 512],
        };
        (solver, attacks, plies)
    }

    fn search(&mut self, attacks: bool, plies: u32, quiet: u32) -> Found {
        if attacks { self.attack(plies, quiet, 0) } else { self.defend(plies, quiet, 0) }
    }

    fn examine(mut self, attacks: bool, plies: u32, budget: u64) -> Proof {
        let lengths = || (u32::from(attacks)..=plies).step_by(2);
        let quiets = |plies: u32| {
            (1..=MOST_QUIET).take_while(move |quiet| 2 * quiet + 3 <= plies).map(move |quiet| (plies, quiet))
        };
        // Fours alone first: that takes little, however long the win. Then the length that is claimed, for which the line is
        // known, with a part of the budget; then shorter ones too.
        self.budget = budget / 4;
        for (length, quiet) in lengths().map(|plies| (plies, 0)).chain(quiets(plies)) {
            if let Found::Win(_) = self.search(attacks, length, quiet) {
                return Proof::Confirmed;
            }
        }
        self.budget = self.visits + budget / 2;
        for (length, quiet) in lengths().map(|plies| (plies, 0)).chain(lengths().flat_map(quiets)) {
            match self.search(attacks, length, quiet) {
                Found::Win(_) => return Proof::Confirmed,
                Found::Lost if length == plies => return Proof::Refuted,
                Found::Lost | Found::Open => {}
            }
        }
        (self.full, self.budget) = (true, self.visits + budget / 4);
        self.tried.clear();
        for length in lengths() {
            match self.search(attacks, length, length) {
                Found::Win(_) => return Proof::Confirmed,
                Found::Lost if length == plies => return Proof::Refuted,
                Found::Lost => {}
                Found::Open => break,
            }
        }
        Proof::Unknown
    }

    /// The attacker is to move, and may make `quiet` moves that are not fours.
    fn attack(&mut self, plies: u32, quiet: u32, extra: u8) -> Found {
        if plies == 0 {
            return Found::Lost;
        }
        let fives = self.grid.fives(self.attacker);
        if let Some(five) = fives.first() {
            return Found::Win(Zone::of(&self.grid.needed(&[*five], self.attacker)));
        }
        let key = self.grid.key;
        if plies < 3 || self.lost.get(&key).is_some_and(|&most| plies <= most) {
            return Found::Lost;
        }
        for more in extra..=MOST_EXTRA {
            if let Some(&(enough, zone)) = self.won.get(&(key, more))
                && enough <= plies
            {
                return Found::Win(zone);
            }
        }
        let is_tried = self.tried.get(&(key, extra)).is_some_and(|&most| plies <= most.0 && quiet <= most.1);
        if is_tried || self.visits >= self.budget {
            return Found::Open;
        }
        self.visits += 1;
        let found = if self.advisor.is_some() {
            self.follow_advice(plies, quiet, extra)
        } else {
            self.try_moves(plies, quiet, extra)
        };
        match found {
            Found::Win(zone) => {
                self.won.insert((key, extra), (plies, zone));
            }
            Found::Lost => {
                let most = self.lost.entry(key).or_default();
                *most = plies.max(*most);
            }
            Found::Open if self.visits < self.budget => {
                self.tried.insert((key, extra), (plies, quiet));
            }
            Found::Open => {}
        }
        found
    }

    /// Tries the move that the advisor proposes.
    fn follow_advice(&mut self, plies: u32, quiet: u32, extra: u8) -> Found {
        let text = self.text();
        let advice = self.advisor.as_mut().and_then(|advisor| advisor(&text, plies));
        let Some(cell) = advice.map(|mv| self.grid.cell(&mv)) else { return Found::Open };
        if !self.grid.is_empty(cell) {
            return Found::Open;
        }
        for is_four in [true, false] {
            if let Found::Win(zone) = self.try_move(cell, is_four, plies, quiet, extra) {
                return Found::Win(zone);
            }
        }
        Found::Open
    }

    /// The position as a text, with stones far from all others where the defender passed.
    fn text(&mut self) -> String {
        let defender = 1 - self.attacker;
        let mut passed = Vec::new();
        while self.grid.missing(self.attacker) > 0
            && let Some(cell) = self.grid.quietest()
        {
            self.grid.put(cell, defender);
            passed.push(cell);
        }
        let text = self.grid.board().text();
        passed.into_iter().for_each(|cell| self.grid.remove(cell));
        text
    }

    fn try_moves(&mut self, plies: u32, quiet: u32, extra: u8) -> Found {
        let (own, other) = (self.attacker, 1 - self.attacker);
        let threats = self.grid.fives(other);
        let forced = if threats.is_empty() { None } else { Some(self.grid.stops(&threats, other)) };
        let may_help = |cell: &Cell| forced.as_ref().is_none_or(|forced| forced.contains(cell));
        let mut fours: Vec<Cell> =
            self.grid.clear_windows(own, 3).flat_map(|(_, cells)| cells).filter(may_help).collect();
        fours.sort_unstable();
        fours.dedup();
        fours.sort_by_key(|cell| !self.hints.contains(cell));
        let mut open = false;
        for cell in fours {
            match self.try_move(cell, true, plies, quiet, extra) {
                Found::Win(zone) => return Found::Win(zone),
                Found::Lost => {}
                Found::Open => open = true,
            }
        }
        if plies >= 5 {
            let others = match &forced {
                Some(forced) => forced.clone(),
                None => self.quiet_moves(plies, &mut open),
            };
            if quiet == 0 {
                open |= !others.is_empty();
                return if open { Found::Open } else { Found::Lost };
            }
            for cell in others {
                match self.try_move(cell, false, plies, quiet - 1, extra) {
                    Found::Win(zone) => return Found::Win(zone),
                    Found::Lost => {}
                    Found::Open => open = true,
                }
            }
        }
        if open { Found::Open } else { Found::Lost }
    }

    /// Moves that may help without threatening a five, the likeliest first. Sets `open` if there may be others.
    fn quiet_moves(&self, plies: u32, open: &mut bool) -> Vec<Cell> {
        let (own, other) = (self.attacker, 1 - self.attacker);
        let mut weights: HashMap<Cell, u32> = self.hints.iter().map(|&cell| (cell, 1000)).collect();
        for (count, cells) in self.grid.clear_windows(own, 2) {
            cells.for_each(|cell| *weights.entry(cell).or_default() += 10 * u32::from(count));
        }
        // What makes two fives possible on the next move belongs to one of them, unless they were possible before, by fours.
        let is_complete = plies == 5 && matches!(self.grid.rule, Rule::Freestyle | Rule::Standard);
        if !is_complete {
            for (_, cells) in self.grid.clear_windows(other, 3) {
                cells.for_each(|cell| *weights.entry(cell).or_default() += 1);
            }
            if self.full {
                self.grid.empty_cells().for_each(|cell| *weights.entry(cell).or_default() += 0);
            } else {
                *open = true;
            }
        }
        let mut cells: Vec<_> = weights.into_iter().filter(|&(cell, _)| self.grid.is_empty(cell)).collect();
        cells.sort_unstable_by_key(|&(cell, weight)| (std::cmp::Reverse(weight), cell));
        cells.into_iter().map(|(cell, _)| cell).collect()
    }

    /// Tries a move of the attacker that threatens a five, or one that does not; one of the other kind, or a forbidden one,
    /// fails.
    fn try_move(&mut self, cell: Cell, is_four: bool, plies: u32, quiet: u32, extra: u8) -> Found {
        let own = self.attacker;
        if !self.grid.is_legal(cell, own) {
            return Found::Lost;
        }
        let may_become_forbidden = own == BLACK && self.grid.rule == Rule::Renju && !self.grid.is_always_legal(cell);
        self.grid.put(cell, own);
        let found =
            if self.grid.fives(own).is_empty() == is_four { Found::Lost } else { self.defend(plies - 1, quiet, extra) };
        self.grid.remove(cell);
        let Found::Win(mut zone) = found else { return found };
        zone.insert(cell);
        if extra > 0 {
            for (_, cells) in self.grid.clear_windows(1 - own, MOST_EXTRA - extra) {
                cells.for_each(|cell| zone.insert(cell));
            }
            if may_become_forbidden {
                zone = Zone::ALL;
            }
        }
        Found::Win(zone)
    }

    /// The defender is to move.
    fn defend(&mut self, plies: u32, quiet: u32, extra: u8) -> Found {
        let (own, other) = (self.attacker, 1 - self.attacker);
        if plies == 0 || !self.grid.fives(other).is_empty() {
            return Found::Lost;
        } else if self.may_have_no_reply(extra) {
            return Found::Open;
        }
        let fives = self.grid.fives(own);
        if fives.is_empty() {
            if plies < 4 {
                return Found::Lost;
            }
            return match self.attack(plies - 1, quiet, (extra + 1).min(MOST_EXTRA)) {
                Found::Win(zone) => {
                    let mut replies: Vec<Cell> = self.grid.empty_cells().filter(|&cell| zone.contains(cell)).collect();
                    replies.sort_by_key(|&cell| std::cmp::Reverse(self.holds[usize::from(cell)]));
                    self.try_replies(&replies, zone, plies, quiet, extra)
                }
                Found::Lost if self.grid.rule == Rule::Freestyle => Found::Lost,
                Found::Lost | Found::Open => self.hold(plies, quiet, extra),
            };
        }
        let zone = Zone::of(&self.grid.needed(&fives, own));
        let stops = self.grid.stops(&fives, own);
        self.try_replies(&stops, zone, plies, quiet, extra)
    }

    /// Whether Black, to move, might have no legal reply, with its further stones anywhere: a stone takes its own cell and is
    /// beside 32 others at most. Zones count no more further stones than `MOST_EXTRA`.
    fn may_have_no_reply(&self, extra: u8) -> bool {
        let further = if extra < MOST_EXTRA { u32::from(extra) } else { self.plies / 2 };
        self.grid.rule == Rule::Renju && self.attacker == WHITE && !self.grid.has_leeway(36 * further as usize)
    }

    /// Tries all replies that are not known to lose already; `zone` is that of the trees that beat the others.
    fn try_replies(&mut self, replies: &[Cell], mut zone: Zone, plies: u32, quiet: u32, extra: u8) -> Found {
        let other = 1 - self.attacker;
        let mut open = false;
        for &cell in replies {
            let is_legal = self.grid.is_legal(cell, other);
            if !is_legal && extra == 0 {
                continue;
            }
            self.grid.put(cell, other);
            let found = self.attack(plies - 1, quiet, extra);
            self.grid.remove(cell);
            match found {
                Found::Win(more) => zone.extend(more),
                Found::Lost if is_legal => {
                    self.holds[usize::from(cell)] += 1;
                    return Found::Lost;
                }
                Found::Lost | Found::Open => {
                    self.holds[usize::from(cell)] += 1;
                    open = true;
                    if !self.full {
                        break;
                    }
                }
            }
        }
        if open { Found::Open } else { Found::Win(zone) }
    }

    /// Whether a reply that changes as little as a pass holds, for refutations under rules where a stone may harm its owner.
    fn hold(&mut self, plies: u32, quiet: u32, extra: u8) -> Found {
        let other = 1 - self.attacker;
        if self.grid.rule == Rule::Freestyle || !self.full {
            return Found::Open;
        }
        let Some(cell) = self.grid.quietest() else { return Found::Lost };
        if !self.grid.is_legal(cell, other) {
            return Found::Open;
        }
        self.grid.put(cell, other);
        let found = self.attack(plies - 1, quiet, extra);
        self.grid.remove(cell);
        if matches!(found, Found::Lost) { Found::Lost } else { Found::Open }
    }
}
