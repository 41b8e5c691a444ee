//! The board as a manager describes it: the program's and the opponent's stones, regardless of who is Black.

use tesuji_core::notation::write_board;

use super::command::{Owner, Point};

/// A board and its stones.
#[derive(Clone, Debug)]
pub struct Board {
    pub size: u32,
    stones: Vec<Option<Owner>>,
}

impl Board {
    /// An empty board.
    pub fn new(size: u32) -> Self {
        Self { size, stones: vec![None; (size * size) as usize] }
    }

    fn index(&self, point: Point) -> Result<usize, String> {
        let Point { column, row } = point;
        if column < self.size && row < self.size {
            Ok((row * self.size + column) as usize)
        } else {
            Err(format!("{point}: expected a point of the board, from 0,0 to {0},{0}", self.size - 1))
        }
    }

    /// Places a stone on an empty point.
    pub fn place(&mut self, point: Point, owner: Owner) -> Result<(), String> {
        let index = self.index(point)?;
        if self.stones[index].is_some() {
            return Err(format!("{point}: expected an empty point"));
        }
        self.stones[index] = Some(owner);
        Ok(())
    }

    /// Removes a stone.
    pub fn take(&mut self, point: Point) -> Result<(), String> {
        let index = self.index(point)?;
        self.stones[index].take().map(drop).ok_or_else(|| format!("{point}: expected a point with a stone"))
    }

    /// Swaps the owners of all stones.
    pub fn swap(&mut self) {
        let swapped = |owner| if owner == Owner::Own { Owner::Opponent } else { Owner::Own };
        self.stones.iter_mut().for_each(|stone| *stone = stone.map(swapped));
    }

    fn count(&self, owner: Owner) -> usize {
        self.stones.iter().filter(|&&stone| stone == Some(owner)).count()
    }

    /// The position in the game's notation, with the program to move. With equally many stones of both, the program is Black.
    pub fn position(&self) -> Result<String, String> {
        let (own, opponent) = (self.count(Owner::Own), self.count(Owner::Opponent));
        let black = match opponent.checked_sub(own) {
            Some(0) => Owner::Own,
            Some(1) => Owner::Opponent,
            _ => {
                return Err(format!(
                    "{own} stones of 1 and {opponent} of 2: expected equal numbers, or one more of 2, since 1 is to move"
                ));
            }
        };
        // Managers count columns and rows from the top left, as the notation does.
        let stone = |column: u32, row: u32| self.stones[(row * self.size + column) as usize];
        let letter = |owner| if owner == black { 'x' } else { 'o' };
        let mut text = String::new();
        write_board(&mut text, self.size, self.size, |column, row| stone(column, row).map(letter))
            .expect("a text can be written to");
        text.extend([' ', letter(Owner::Own)]);
        Ok(text)
    }

    /// Converts a move from the game's notation.
    pub fn point(&self, mv: &str) -> Option<Point> {
        let column = u32::from(mv.bytes().next()?.checked_sub(b'a')?);
        let row = self.size.checked_sub(mv.get(1..)?.parse().ok()?)?;
        Some(Point { column, row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_with_fewer_stones_is_to_move() {
        let mut board = Board::new(5);
        assert_eq!(board.position().as_deref(), Ok("5/5/5/5/5 x"));
        let corner = Point { column: 4, row: 0 };
        board.place(corner, Owner::Opponent).expect("the point is empty");
        assert_eq!(board.position().as_deref(), Ok("4x/5/5/5/5 o"));
        assert!(board.place(corner, Owner::Own).is_err());
        board.place(Point { column: 0, row: 4 }, Owner::Own).expect("the point is empty");
        assert_eq!(board.position().as_deref(), Ok("4o/5/5/5/x4 x"));
        board.take(corner).expect("a stone is there");
        assert!(board.take(corner).is_err() && board.position().is_err());
        assert!(board.place(Point { column: 5, row: 0 }, Owner::Own).is_err());
        assert_eq!(board.point("a1"), Some(Point { column: 0, row: 4 }));
        assert_eq!(board.point("e5"), Some(corner));
    }
}
