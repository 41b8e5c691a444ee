//! The changes made by a stone, so that it can be taken back.

/// The earlier state of a point, by its cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub struct SavedPoint {
    pub(super) cell: u16,
    pub(super) kinds: [u8; 2],
    pub(super) classes: [u16; 2],
}

impl SavedPoint {
    #[inline]
    pub(super) fn new(cell: usize, PointState { classes, kinds }: PointState) -> Self {
        Self { cell: cell as u16, kinds, classes }
    }

    #[inline]
    pub(super) fn cell(&self) -> usize {
        self.cell.into()
    }

    #[inline]
    pub(super) fn state(&self) -> PointState {
        PointState { classes: self.classes, kinds: self.kinds }
    }
}

/// An empty point, for both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(8))]
pub(super) struct PointState {
    /// Its four classes, four bits each.
    pub(super) classes: [u16; 2],
    /// Its kinds of threat, as bits; none where there is a stone.
    pub(super) kinds: [u8; 2],
}

/// Records the changes made by a stone.
pub trait Log {
    /// Records the earlier state of a point.
    fn record(&mut self, saved: SavedPoint);
}

impl Log for Vec<SavedPoint> {
    #[inline]
    fn record(&mut self, saved: SavedPoint) {
        self.push(saved);
    }
}

/// Records nothing.
impl Log for () {
    #[inline]
    fn record(&mut self, _: SavedPoint) {}
}
