//! Patterns: what a stone makes of the lines through its point, known without search.
//!
//! - `classes`: the class of a point in one line for one colour ([`Class`]: five, open four, four, open three, …), from a table
//!   indexed by the line around the point.
//! - `codes`: the four classes of a point together (its *code*), and what follows from them: its kind of threat ([`Kind`]), the
//!   weights of the evaluation and of the move ordering.
//! - `board`: a board that keeps the classes of all empty points up to date, stone by stone, for both colours.
//! - `caro`: what that rule needs beyond the codes.
//! - `log`: the changes made by a stone. `sums`: sums over all points, of weights and, by region, of the network's vectors.
//! - `network`: a small network that corrects the sum of weights. `regions`: its regions of the board.
//! - `near`: the points that a side may play on; `points`: sets of them.
//! - `ordering`: move ordering, also from codes.
//! - `evaluation`: static evaluation from codes and threats, with learned weights (docs/learning.md).

mod board;
mod caro;
mod classes;
mod codes;
mod evaluation;
mod log;
mod near;
mod network;
mod ordering;
mod points;
mod regions;
mod sums;

pub(super) use board::{Board, Undo};
pub(super) use classes::Class;
pub(super) use codes::Kind;
pub(super) use evaluation::{FEATURES, VALUES, all_weights, each_term, is_quiet};
pub(super) use log::SavedPoint;
pub(super) use network::{Network, SHAPE, input as network_input};
pub(super) use ordering::each_ordered_move;
pub(super) use points::Points;
pub(super) use sums::Sums;
