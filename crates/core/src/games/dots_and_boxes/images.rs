//! Keys shared by positions of equal value to the side to move.
//!
//! The value does not depend on the boxes won, on the order in which edges were drawn, or on rotations and reflections of the
//! board (Barker and Korf, 2012). Of a chain only its length matters, and the joints at its ends, boxes that lack three or four
//! edges: so a key is a sum with one number for each link between joints. A safe edge is a link of no boxes. The rim is not a
//! joint, so the two rim edges of a corner box are equal.

use super::edges::{Edge, Edges, stride};
use super::parts::Chain;
use crate::bits::Bits;
use crate::rng::mix;

/// A square board has eight images; on other boards each of the four occurs twice.
const IMAGES: usize = 8;

/// A sum of links in each image.
pub(super) type Sums = [u64; IMAGES];

/// The images of a board.
#[derive(Debug)]
pub(super) struct Images {
    /// By box: its number as a joint.
    joints: Box<[Sums; 128]>,
    /// By edge: its number as a link.
    edges: Box<[Sums; 256]>,
    /// By image and edge: the image of the edge.
    there: Box<[[u8; 256]; IMAGES]>,
    /// The reverse.
    back: Box<[[u8; 256]; IMAGES]>,
}

impl Images {
    pub fn new<B: Bits>(board: B, columns: u8, rows: u8) -> Self {
        let [there, back] = [0; 2].map(|zero| Box::new([[zero; 256]; IMAGES]));
        let mut images =
            Self { joints: Box::new([[0; IMAGES]; 128]), edges: Box::new([[0; IMAGES]; 256]), there, back };
        for number in board.iter() {
            let (row, column) = ((number / stride::<B>()) as u8, (number % stride::<B>()) as u8);
            let place = |image| place((row, column), image, (rows - 1, columns - 1));
            images.joints[number as usize] = std::array::from_fn(|image| {
                let (row, column) = place(image);
                mix(1 + u64::from(row) * 256 + u64::from(column))
            });
        }
        for edge in Edges::around(board).iter() {
            let code = edge.code::<B>();
            for image in 0..IMAGES {
                let to = edge_in(edge, image, columns, rows).code::<B>();
                images.there[image][usize::from(code)] = to;
                images.back[image][usize::from(to)] = code;
            }
            let sides = edge.sides::<B>() & board;
            images.edges[usize::from(code)] = images.link(0, sides, 1);
        }
        images
    }

    /// The number of a chain or a loop.
    #[inline]
    pub fn chain<B: Bits>(&self, chain: &Chain<B>) -> Sums {
        if chain.is_loop() {
            return [scramble(!u64::from(chain.length).wrapping_mul(LENGTH)); IMAGES];
        }
        // One joint may be at both ends.
        let times = if chain.rims == 0 && chain.joints.count() == 1 { 2 } else { 1 };
        self.link(chain.length, chain.joints, times)
    }

    #[inline]
    fn link<B: Bits>(&self, length: u32, joints: B, times: u64) -> Sums {
        let mut ends = [u64::from(length).wrapping_mul(LENGTH); IMAGES];
        for joint in joints.iter() {
            let number = &self.joints[joint as usize];
            ends.iter_mut().zip(number).for_each(|(end, number)| *end = end.wrapping_add(number.wrapping_mul(times)));
        }
        ends.map(scramble)
    }

    /// The sums of safe edges.
    #[inline]
    pub fn sums<B: Bits>(&self, safe: Edges<B>) -> Sums {
        let numbers = safe.iter().map(|edge| &self.edges[usize::from(edge.code::<B>())]);
        numbers.fold([0; IMAGES], |mut sums, number| {
            add(&mut sums, number);
            sums
        })
    }

    /// The key of all links together, and the image that has this key.
    #[inline]
    pub fn key(sums: &Sums) -> (u64, usize) {
        let (image, sum) = sums.iter().enumerate().min_by_key(|&(_, sum)| sum).unwrap_or((0, &0));
        (mix(*sum), image)
    }

    /// The code of an edge as stored in the table.
    #[inline]
    pub fn map_to_canonical(&self, image: usize, code: u8) -> u8 {
        self.there[image][usize::from(code)]
    }

    /// The reverse of [`Images::map_to_canonical`].
    #[inline]
    pub fn map_from_canonical(&self, image: usize, code: u8) -> u8 {
        self.back[image][usize::from(code)]
    }
}

/// Adds a link.
#[inline]
pub(super) fn add(sums: &mut Sums, number: &Sums) {
    sums.iter_mut().zip(number).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
}

/// Removes links.
#[inline]
pub(super) fn subtract(sums: &Sums, gone: &Sums) -> Sums {
    std::array::from_fn(|image| sums[image].wrapping_sub(gone[image]))
}

/// Distinguishes chains of different lengths.
const LENGTH: u64 = 0x9e37_79b9_7f4a_7c15;

/// A shorter `mix`, since the sum is mixed again.
#[inline]
fn scramble(ends: u64) -> u64 {
    (ends ^ ends >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A row and column in an image of a board, given the board's last row and column.
fn place((row, column): (u8, u8), image: usize, (last_row, last_column): (u8, u8)) -> (u8, u8) {
    let row = if image & 1 == 0 { row } else { last_row - row };
    let column = if image & 2 == 0 { column } else { last_column - column };
    if image & 4 == 0 || last_row != last_column { (row, column) } else { (column, row) }
}

/// An edge in an image of the board.
fn edge_in(edge: Edge, image: usize, columns: u8, rows: u8) -> Edge {
    let Edge { vertical, row, column } = edge;
    let last = if vertical { (rows - 1, columns) } else { (rows, columns - 1) };
    let (row, column) = place((row, column), image & 3, last);
    if image & 4 == 0 || columns != rows {
        Edge { vertical, row, column }
    } else {
        Edge { vertical: !vertical, row: column, column: row }
    }
}
