//! Static exchange evaluation: what a capture wins once both sides have recaptured as long as it pays.

use super::attacks::{ADVISOR, GENERAL, Occupancy, PAWN_TO};
use super::board::Board;
use super::piece::{Kind, Square, Step};
use crate::bits::Bits;
use crate::position::Side;

/// Piece values in an exchange, in the order of the kinds.
pub const WORTH: [i32; 7] = [2000, 200, 200, 400, 900, 450, 120];

/// The order in which a side captures.
const CHEAPEST_FIRST: [Kind; 7] =
    [Kind::Pawn, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::General];

/// The pieces left in an exchange on one square.
struct Exchange<'a> {
    board: &'a Board,
    square: Square,
    occupancy: Occupancy,
}

/// What the side to move wins by a move, ignoring pins and what else it gives up.
pub fn balance(board: &Board, step: Step) -> i32 {
    let Some(mover) = board.man(step.from) else { return 0 };
    let won = board.man(step.to).map_or(0, |victim| WORTH[victim.kind() as usize]);
    let occupancy = board.occupancy().moved(step.from, step.to);
    let exchange = Exchange { board, square: step.to, occupancy };
    won - exchange.best(board.turn().other(), WORTH[mover.kind() as usize])
}

/// Whether a move wins at least `least`: as [`balance`], but no further than needed.
pub fn wins_at_least(board: &Board, step: Step, least: i32) -> bool {
    let Some(mover) = board.man(step.from) else { return least <= 0 };
    let won = board.man(step.to).map_or(0, |victim| WORTH[victim.kind() as usize]);
    // The most that the side that captured last may lose without changing the result.
    let mut swing = won - least;
    if swing < 0 {
        return false;
    }
    swing = WORTH[mover.kind() as usize] - swing;
    if swing <= 0 {
        return true;
    }
    let occupancy = board.occupancy().moved(step.from, step.to);
    let mut exchange = Exchange { board, square: step.to, occupancy };
    let mut side = board.turn();
    let mut wins = true;
    loop {
        side = side.other();
        let Some((from, kind)) = exchange.cheapest(side) else { return wins };
        wins = !wins;
        swing = WORTH[kind as usize] - swing;
        if swing < i32::from(wins) {
            return wins;
        }
        exchange.occupancy.toggle(from);
    }
}

impl Exchange<'_> {
    /// What `side` wins by taking the piece on the square, or by leaving it there.
    fn best(mut self, side: Side, worth: i32) -> i32 {
        let Some((from, kind)) = self.cheapest(side) else { return 0 };
        self.occupancy.toggle(from);
        (worth - self.best(side.other(), WORTH[kind as usize])).max(0)
    }

    /// The cheapest piece with which `side` can capture.
    fn cheapest(&self, side: Side) -> Option<(Square, Kind)> {
        CHEAPEST_FIRST.into_iter().find_map(|kind| {
            let set = self.board.set(side, kind) & self.occupancy.all & !self.square.bit();
            if set == 0 {
                return None;
            }
            let index = self.square.index();
            let reach = match kind {
                Kind::Pawn => PAWN_TO[side.index()][index],
                Kind::Advisor => ADVISOR[index],
                Kind::Elephant => self.occupancy.elephant(self.square),
                Kind::Horse => self.occupancy.horse_to(self.square),
                Kind::Cannon => self.occupancy.cannon(self.square),
                Kind::Rook => self.occupancy.rook(self.square),
                Kind::General => GENERAL[index],
            };
            let first = (set & reach).iter().next()?;
            Some((Square::from_index(first), kind))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::xiangqi::Xiangqi;
    use crate::position::Position;
    use crate::rng::Rng;

    /// Each capture, and what it wins.
    #[test]
    fn exchanges_are_counted_out() {
        for (fen, mv, won) in [
            // A rook takes a pawn that nothing protects, and one that a horse protects.
            ("4k4/9/9/9/4p4/9/9/4R4/9/3K5 w - - 0 1", "e2e5", 120),
            ("4k4/9/3n5/9/4p4/9/9/4R4/9/3K5 w - - 0 1", "e2e5", 120 - 900),
            // Two rooks on the file: the horse is lost for the first, if it recaptures.
            ("4k4/9/3n5/9/4p4/9/9/4R4/4R4/3K5 w - - 0 1", "e2e5", 120 - 900 + 400),
            // A cannon over the screen that is left once its own rook has captured.
            ("4k4/9/3n5/9/4c4/9/4R4/4P4/4C4/3K5 w - - 0 1", "e3e5", 450 - 900 + 400),
        ] {
            let position = Xiangqi::parse(&Default::default(), fen).expect("a position");
            let step = position.parse_move(mv).expect("a move");
            assert_eq!(balance(&position.board, step), won, "{fen} {mv}");
        }
    }

    /// Both ways of counting agree on every move of random games.
    #[test]
    fn limits_of_exchanges_agree_with_their_balance() {
        let mut rng = Rng::new(4, 0);
        let mut position = Xiangqi::start(&Default::default());
        for _ in 0..600 {
            if position.outcome().is_some() {
                position = Xiangqi::start(&Default::default());
            }
            for mv in position.moves() {
                let balance = balance(&position.board, mv);
                for least in [-900, -450, -120, 0, 1, 120, 450] {
                    let wins = wins_at_least(&position.board, mv, least);
                    assert_eq!(wins, balance >= least, "{position} {mv} {balance} {least}");
                }
            }
            position.play(position.random_move(&mut rng));
        }
    }
}
