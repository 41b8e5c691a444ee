//! What a report is asked to tell.

/// How much a report tells besides the best move's value: of the tree below the root's children, and of the values of these.
/// Nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// Levels below the root's children.
    pub depth: u32,
    /// The fewest visits of a node that is told of; more where there are more than [`Branches::MOST`] such nodes.
    pub min_visits: u64,
    /// How many of the best root moves alpha-beta searches to the full depth (MultiPV); 0 counts as 1.
    pub multipv: u32,
    /// Whether alpha-beta spends a share of its budget on values of the other moves, each exact from some depth.
    pub all: bool,
    /// A move that alpha-beta searches as deep as the best one, so that the two can be compared: its place among the root's.
    pub watched: Option<usize>,
}

impl Branches {
    /// No report tells of more nodes below the root's children.
    pub const MOST: usize = 5000;
}
