//! What a stone changes, so that it can be taken back.

/// A point's codes as they were, and the kinds of threat that changed.
#[derive(Clone, Copy, Debug)]
pub struct Was {
    pub(super) cell: u16,
    pub(super) flipped: [u8; 2],
    pub(super) here: Here,
}

impl Was {
    pub(super) fn cell(&self) -> usize {
        self.cell.into()
    }

    /// The codes it had, Black's and White's.
    pub(super) fn codes(&self) -> [u16; 2] {
        self.here.codes
    }
}

/// An empty point, for both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Here {
    /// Its four classes, four bits each.
    pub(super) classes: [u16; 2],
    pub(super) codes: [u16; 2],
}

/// Where what a stone changes is noted down.
pub trait Log {
    /// Notes what a point was.
    fn note(&mut self, was: Was);
}

impl Log for Vec<Was> {
    #[inline]
    fn note(&mut self, was: Was) {
        self.push(was);
    }
}

/// Forgets.
impl Log for () {
    #[inline]
    fn note(&mut self, _: Was) {}
}
