//! Positions that mirror each other.

use tesuji_game::Symmetry;

use super::{BOTTOM, ConnectFour, HEIGHT};

impl Symmetry for ConnectFour {
    fn symmetry(&self) -> u64 {
        let mirror = |set: u64| (0..7).fold(0, |image, column| image << HEIGHT | set >> (column * HEIGHT) & 0x7f);
        // Own and filled cells in one number: every column's own stones, and a bit above its highest stone.
        let key = |own: u64, all: u64| own + all + BOTTOM;
        key(self.own, self.all).min(key(mirror(self.own), mirror(self.all)))
    }
}
