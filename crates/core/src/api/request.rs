//! A search, as a client asks for it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::strict;
use crate::catalog::{BudgetRequest, Filter, LARGEST_SEED, Moves, SearchSpec, Strength, typed};
use crate::parameters::Invalid;
use crate::search::{Branches, LONGEST_LINE};

/// How much of a result is given.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Children, the best first.
    pub children: usize,
    /// Plies of each line.
    pub line: usize,
}

impl Extent {
    /// All there is.
    pub const ALL: Self = Self { children: usize::MAX, line: usize::MAX };
}

/// A search, as a client asks for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The game's name.
    pub game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    pub variant: Option<Value>,
    /// The position in the game's notation; the start when absent.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves played from there.
    #[serde(default)]
    pub moves: Option<Moves>,
    /// What the search may spend.
    #[serde(default, deserialize_with = "strict::object")]
    pub budget: Option<BudgetRequest>,
    /// The engine: a name, or an object with options.
    #[serde(default, deserialize_with = "strict::named")]
    pub engine: Option<Value>,
    /// Threads asked for.
    #[serde(default, deserialize_with = "typed::capped")]
    pub threads: Option<u32>,
    /// Seed, for a reproducible search.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 0, LARGEST_SEED>")]
    pub seed: Option<u64>,
    /// Whether it may go on with the tree of an earlier search; not with a seed in any case.
    #[serde(default)]
    pub reuse: Option<bool>,
    /// Whether somebody waits for the answer.
    #[serde(default, deserialize_with = "typed::word")]
    pub priority: Option<Priority>,
    /// Root moves to consider.
    #[serde(default, deserialize_with = "strict::object")]
    pub moves_filter: Option<Filter>,
    /// How strong the opponent is, from 1 to 10: full strength.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 1, { Strength::FULL as u64 }>")]
    pub level: Option<u8>,
    /// How much the choice varies among moves of almost equal worth, from 0 to 1.
    #[serde(default, deserialize_with = "typed::share")]
    pub variety: Option<f64>,
    /// The view from which values are given.
    #[serde(default, deserialize_with = "typed::word")]
    pub perspective: Option<Perspective>,
    /// How much of the result is given.
    #[serde(default, deserialize_with = "strict::object")]
    pub report: Option<ReportRequest>,
}

impl SearchRequest {
    /// What it asks of the search itself. Searches of the same `scope` go on with each other's trees, those of none do not.
    #[must_use]
    pub fn spec<'a>(&'a self, scope: Option<&'a str>) -> SearchSpec<'a> {
        SearchSpec {
            engine: self.engine.as_ref(),
            budget: self.budget.unwrap_or_default(),
            threads: self.threads,
            seed: self.seed,
            filter: self.moves_filter.as_ref(),
            branches: self.report.unwrap_or_default().branches(),
            reuse: scope.filter(|_| self.reuse.unwrap_or(true)),
            // A client may play several games at a time.
            one_game: false,
            strength: Strength {
                level: self.level,
                variety: self.variety.unwrap_or(0.0),
                statistics: self.report.is_some_and(|report| report.children == Some(ChildrenRequest::All)),
            },
        }
    }
}

/// What must happen soon, and what may take its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Somebody waits for the answer.
    #[default]
    Interactive,
    /// It is searched when no interactive search wants the core.
    Batch,
}

/// From whose view values are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Perspective {
    /// The side to move in the request's position.
    #[default]
    SideToMove,
    /// The player who moves first from the start position.
    FirstPlayer,
}

/// How much of the result is given.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportRequest {
    /// Milliseconds between two messages.
    #[serde(deserialize_with = "typed::whole::<_, _, SHORTEST_MS, LONGEST_MS>")]
    pub interval_ms: Option<u64>,
    /// Which children are given, with values of their own.
    #[serde(deserialize_with = "typed::word")]
    pub children: Option<ChildrenRequest>,
    /// How many of the best moves alpha-beta searches to the full depth (MultiPV).
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_CHILDREN>")]
    pub multipv: Option<u64>,
    /// Children, the best first.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_CHILDREN>")]
    pub max_children: Option<u64>,
    /// Plies of each line.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, { LONGEST_LINE as u64 }>")]
    pub pv_length: Option<u64>,
    /// Levels below the root's children.
    #[serde(deserialize_with = "strict::object")]
    pub tree: Option<TreeRequest>,
}

/// Which children are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildrenRequest {
    /// Every legal move, each with a value of its own.
    #[default]
    All,
    /// The chosen move only, or as many as `multipv` says; nothing is spent on the others.
    Best,
}

/// Levels that may be asked for below the root's children.
const DEEPEST: u64 = 8;

/// Visits that may be asked of a node.
const MOST_VISITS: u64 = u32::MAX as u64;

/// Milliseconds that may be asked for between two messages.
const SHORTEST_MS: u64 = 10;
const LONGEST_MS: u64 = 60_000;

/// No game here has more moves in a position that is reached by play.
const MOST_CHILDREN: u64 = 1000;

/// How much of the tree is given below the root's children.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TreeRequest {
    /// How many levels.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, DEEPEST>")]
    pub depth: Option<u64>,
    /// Only nodes with so many visits.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_VISITS>")]
    pub min_visits: Option<u64>,
}

impl ReportRequest {
    /// Only the chosen move is wanted.
    pub const BEST: Self = Self {
        interval_ms: None,
        children: Some(ChildrenRequest::Best),
        multipv: None,
        max_children: None,
        pv_length: None,
        tree: None,
    };

    /// How much of the tree, and of which children values are asked for; checked by [`ReportRequest::check`].
    fn branches(self) -> Branches {
        let multipv = self.multipv.unwrap_or(1).min(MOST_CHILDREN) as u32;
        let all = self.children.unwrap_or_default() == ChildrenRequest::All;
        let values = Branches { multipv, all, ..Branches::default() };
        let Some(tree) = self.tree else { return values };
        let depth = tree.depth.unwrap_or(1).min(DEEPEST) as u32;
        Branches { depth, min_visits: tree.min_visits.unwrap_or(1), ..values }
    }

    /// How much of the result is given, and how often at most.
    ///
    /// # Errors
    /// When a value is out of range; the field's name is a path below `/report`.
    pub fn check(self) -> Result<(Extent, Duration), Invalid> {
        let check = |field: &'static str, value: Option<u64>, least: u64, most: u64, default: u64| match value {
            None => Ok(default),
            Some(value) if (least..=most).contains(&value) => Ok(value),
            Some(value) => Err(Invalid { field, problem: format!("expected {least} to {most}, not {value}") }),
        };
        let longest = LONGEST_LINE as u64;
        if let Some(tree) = self.tree {
            check("tree/depth", tree.depth, 1, DEEPEST, 1)?;
            check("tree/min_visits", tree.min_visits, 1, MOST_VISITS, 1)?;
        }
        let multipv = check("multipv", self.multipv, 1, MOST_CHILDREN, 1)?;
        let given = match self.children.unwrap_or_default() {
            ChildrenRequest::All => MOST_CHILDREN,
            ChildrenRequest::Best => multipv,
        };
        let extent = Extent {
            children: check("max_children", self.max_children, 1, MOST_CHILDREN, MOST_CHILDREN)?.min(given) as usize,
            line: check("pv_length", self.pv_length, 1, longest, longest)? as usize,
        };
        Ok((extent, Duration::from_millis(check("interval_ms", self.interval_ms, SHORTEST_MS, LONGEST_MS, 200)?)))
    }
}
