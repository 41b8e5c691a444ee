//! The optional parts of a report.

/// The optional parts of a report: the tree below the root's children, and the values of all root moves. Nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// Levels below the root's children.
    pub depth: u32,
    /// Minimum visits of a reported node; raised if more than [`Branches::MAX_NODES`] nodes have as many.
    pub min_visits: u64,
    /// How many of the best root moves alpha-beta searches to the full depth (MultiPV); 0 counts as 1.
    pub multipv: u32,
    /// Whether alpha-beta spends a share of its budget on values of the other moves, each exact from some depth.
    pub all: bool,
}

impl Branches {
    /// Maximum nodes below the root's children in a report.
    pub const MAX_NODES: usize = 5000;
}
