//! What a stone changes, so that it can be taken back.

/// A point as it was, by its cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub struct Was {
    pub(super) cell: u16,
    pub(super) kinds: [u8; 2],
    pub(super) classes: [u16; 2],
}

impl Was {
    #[inline]
    pub(super) fn new(cell: usize, Here { classes, kinds }: Here) -> Self {
        Self { cell: cell as u16, kinds, classes }
    }

    #[inline]
    pub(super) fn cell(&self) -> usize {
        self.cell.into()
    }

    #[inline]
    pub(super) fn here(&self) -> Here {
        Here { classes: self.classes, kinds: self.kinds }
    }
}

/// An empty point, for both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(8))]
pub(super) struct Here {
    /// Its four classes, four bits each.
    pub(super) classes: [u16; 2],
    /// The kinds of threat that it is, as bits; none where there is a stone.
    pub(super) kinds: [u8; 2],
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
