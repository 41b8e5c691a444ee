//! The changes made by a stone, so that it can be taken back.

/// The earlier state of a point, by its cell.
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
    /// Its kinds of threat, as bits; none where there is a stone.
    pub(super) kinds: [u8; 2],
}

/// Records the changes made by a stone.
pub trait Log {
    /// Records the earlier state of a point.
    fn note(&mut self, was: Was);
}

impl Log for Vec<Was> {
    #[inline]
    fn note(&mut self, was: Was) {
        self.push(was);
    }
}

/// Records nothing.
impl Log for () {
    #[inline]
    fn note(&mut self, _: Was) {}
}
