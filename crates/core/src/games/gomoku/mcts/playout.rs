//! How Monte-Carlo tree search uses codes: leaf values, proofs, move ordering, and the moves that do not lose at once.

use super::super::decisive::play_out;
use super::super::lines::Point;
use super::super::search::{Fives, Vcf};
use super::super::shapes::{Board, Kind};
use super::super::variant::Rule;
use super::super::{CodedPosition, Move};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::Outlook;
use crate::search::mcts::{Leaf, MoveOrder, Playout, Policies, Policy, Selection, draw_result};

/// Evaluates leaves by their codes; or plays games that miss no five, or random ones.
#[derive(Debug)]
pub struct CodePlayout {
    vcf: Vcf,
}

/// Bytes of the table of the search for fours: it fits the L2 cache, so a tree's memory need not count it.
const BYTES: u64 = 1 << 16;
/// Positions that the search for fours may visit at a leaf. 80 are no better than 40; without the search, play is 215 ± 107 Elo
/// weaker at 50 ms a move (docs/measurements/gomoku-mcts.jsonl, as for all other choices here).
const FOURS: u64 = 40;

impl Default for CodePlayout {
    fn default() -> Self {
        Self { vcf: Vcf::new(BYTES) }
    }
}

impl Clone for CodePlayout {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Policies for CodePlayout {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Decisive, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
    const EXPLORATION: f64 = 1.0;
    const WIDENING: f64 = 2.0;
}

impl<const LINES: usize> Playout<CodedPosition<LINES>> for CodePlayout {
    fn priority(&self, position: &CodedPosition<LINES>, mv: Move) -> i32 {
        position.priority(mv)
    }

    fn decisive(&self, position: &CodedPosition<LINES>) -> Option<Move> {
        if !position.is_settled() {
            return None;
        }
        let board = &position.board;
        let own = board.winning_five();
        own.or_else(|| {
            let mut stop = None;
            stops(board, |at| stop = stop.or(Some(at)));
            stop
        })
        .map(stone)
    }

    fn leaf(&mut self, policy: Policy, position: &mut CodedPosition<LINES>) -> Leaf {
        if policy != Policy::Cut {
            return Leaf::Unknown;
        }
        if position.is_settled()
            && let Some((wins, plies, is_exact)) = self.known(&mut position.board)
        {
            let sign = position.turn().sign();
            return Leaf::Proven { score: if wins { sign } else { -sign }, plies, is_exact };
        }
        Leaf::Expected(outlook(position))
    }

    fn candidates(&self, position: &CodedPosition<LINES>, moves: &mut Vec<Move>) {
        if position.is_settled() {
            answers(&position.board, moves);
        }
        if moves.is_empty() {
            moves.extend(position.moves());
        }
    }

    fn finish(&self, policy: Policy, position: CodedPosition<LINES>, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Cut => draw_result(outlook(&position), rng),
            _ => play_out(policy, position.game, rng),
        }
    }
}

impl CodePlayout {
    /// Whether the side to move wins or loses, within how many plies, and whether that is exact, if known.
    fn known<const LINES: usize>(&mut self, board: &mut Board<LINES>) -> Option<(bool, u16, bool)> {
        if board.winning_five().is_some() {
            return Some((true, 1, true));
        }
        match board.fives() {
            Fives::Lost => return Some((false, 2, true)),
            Fives::None if board.winning_four().is_some() => return Some((true, 3, true)),
            _ => {}
        }
        if board.double_three().is_some() {
            return Some((true, 5, !board.may_forbid()));
        }
        // In caro a four can be stopped from a distance, which the search for fours does not see.
        if board.rule == Rule::Caro || board.count(board.turn, Kind::Four) == 0 {
            return None;
        }
        self.vcf.probe(board, FOURS).map(|(plies, _)| (true, plies as u16, false))
    }
}

/// A position's chances by its static evaluation, which no search has exaggerated.
fn outlook<const LINES: usize>(position: &CodedPosition<LINES>) -> Outlook {
    Outlook::logistic(position.value(), 0, 148.0)
}

/// Lists the moves that answer a five, or a four that could not be stopped. All others lose at least as soon as any of these
/// could: in two plies, or in four. Lists nothing if there is nothing to answer, or no answer.
fn answers<const LINES: usize>(board: &Board<LINES>, moves: &mut Vec<Move>) {
    if board.winning_five().is_some() {
        return;
    }
    let (own, other) = (board.turn, board.turn.other());
    let no_five = stops(board, |at| moves.push(stone(at)));
    if no_five && board.rule != Rule::Caro && board.count(other, Kind::WinningFour) > 0 {
        let fours = board.points(other, Kind::Four).or(board.points(other, Kind::WinningFour));
        let all = fours.or(board.points(own, Kind::Four));
        moves.extend(all.iter().filter(|&at| board.allows(at)).map(stone));
    }
}

/// Calls `found` with the points where the side to move stops the opponent's fives. Returns whether there are no fives.
fn stops<const LINES: usize>(board: &Board<LINES>, mut found: impl FnMut(Point)) -> bool {
    match board.fives() {
        Fives::None => return true,
        Fives::One(at) => found(at),
        Fives::Open if board.rule == Rule::Caro => drop(board.stops(found)),
        Fives::Open | Fives::Lost => {}
    }
    false
}

/// A legal move, fouls excluded.
fn stone(at: Point) -> Move {
    Move::Stone { at, foul: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::gomoku::variant::Opening;
    use crate::games::gomoku::{Gomoku, GomokuVariant};

    type Position15 = Gomoku<88>;

    const RULES: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

    /// Positions of random games whose stones lie near each other, under each rule.
    fn each_position(size: u32, games: u64, mut found: impl FnMut(&Position15)) {
        for (name, game) in RULES.into_iter().flat_map(|rule| (0..games).map(move |game| (rule, game))) {
            let mut rng = Rng::new(game, 4);
            let mut position = Position15::start(&GomokuVariant { name, size, opening: Opening::Free });
            while position.outcome().is_none() {
                found(&position);
                position.play(position.random_near_move(&mut rng));
            }
        }
    }

    /// The positions after the moves that satisfy `suits`.
    fn after(position: &Position15, suits: impl Fn(Move) -> bool) -> Vec<Position15> {
        let play = |mv| {
            let mut next = position.clone();
            next.play(mv);
            next
        };
        position.moves().filter(|&mv| suits(mv)).map(play).collect()
    }

    /// Whether the side to move wins within `plies` plies, by trying all moves.
    fn wins(position: &Position15, plies: u16) -> bool {
        let side = position.turn();
        let all = after(position, |_| true);
        let won = |next: &Position15| next.outcome().is_some_and(|outcome| outcome.winner == Some(side));
        all.iter().any(won) || plies >= 3 && all.iter().any(|next| next.outcome().is_none() && loses(next, plies - 1))
    }

    /// Whether every move loses within `plies` plies.
    fn loses(position: &Position15, plies: u16) -> bool {
        after(position, |_| true).iter().all(|next| next.outcome().is_none() && wins(next, plies - 1))
    }

    fn leaf(position: &Position15) -> Option<(i16, u16, bool)> {
        match CodePlayout::default().leaf(Policy::Cut, &mut CodedPosition::new(position)) {
            Leaf::Proven { score, plies, is_exact } => Some((score * position.turn().sign(), plies, is_exact)),
            Leaf::Expected(_) | Leaf::Unknown => None,
        }
    }

    #[test]
    fn what_codes_prove_is_so() {
        let mut seen = [0; 6];
        each_position(6, 8, |position| {
            let Some((score, plies, true)) = leaf(position) else { return };
            seen[usize::from(plies)] += 1;
            match plies {
                1 => assert!(score == 1 && wins(position, 1), "{position}"),
                2 => assert!(score == -1 && !wins(position, 1) && loses(position, 2), "{position}"),
                3 => assert!(score == 1 && !wins(position, 1) && wins(position, 3), "{position}"),
                5 => assert!(score == 1 && !wins(position, 3) && wins(position, 5), "{position}"),
                _ => panic!("{position}: {plies} plies are no certain distance"),
            }
        });
        assert!(seen[1] > 20 && seen[2] > 2 && seen[3] > 2 && seen[5] > 0, "{seen:?}");
    }

    /// Moves without a child lose within four plies, and no leaf denies it.
    #[test]
    fn moves_that_are_left_out_lose() {
        let (mut left_out, mut listed) = (0, Vec::new());
        each_position(9, 12, |position| {
            listed.clear();
            CodePlayout::default().candidates(&CodedPosition::new(position), &mut listed);
            assert!(!listed.is_empty() && listed.iter().all(|&mv| position.moves().any(|legal| legal == mv)));
            for next in after(position, |mv| !listed.contains(&mv)) {
                left_out += 1;
                assert!(matches!(leaf(&next), Some((1, 1 | 3, true))), "{next}");
            }
        });
        assert!(left_out > 1000, "{left_out}");
    }
}
