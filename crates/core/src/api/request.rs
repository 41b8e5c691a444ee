//! The request for a search.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::strict;
use crate::catalog::{BudgetRequest, Filter, LARGEST_SEED, Move, Moves, Policy, SearchSpec, Strength, moves, typed};
use crate::parameters::Invalid;
use crate::schema;
use crate::search::{Branches, LONGEST_LINE};

/// How much of a result is returned.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Children, the best first.
    pub children: usize,
    /// Plies of each line.
    pub line: usize,
}

impl Extent {
    /// Everything.
    pub const ALL: Self = Self { children: usize::MAX, line: usize::MAX };
}

/// A position, a budget and options.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/requested"}}))]
pub struct SearchRequest {
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    pub game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedVariant")]
    pub variant: Option<Value>,
    /// The position in the game's notation; by default the start.
    #[serde(default)]
    #[schemars(with = "schema::RequestedPosition")]
    pub position: Option<String>,
    /// Moves played from that position.
    #[serde(default)]
    #[schemars(with = "schema::RequestedMoves")]
    pub moves: Option<Moves>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "strict::object")]
    pub budget: Option<BudgetRequest>,
    /// The engine: a name, or an object with options.
    #[serde(default, deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedEngine")]
    pub engine: Option<Value>,
    /// Threads, 1 by default; at most `most.threads` of `/v1/games`. Under a time limit, at most as many are granted as the
    /// server has idle cores at the moment. Without one, all are granted, since the result depends on their number, but at
    /// most one per simulation or node of the budget. A single-threaded engine is granted one. If fewer are granted than
    /// requested, a warning reports it.
    #[serde(default, deserialize_with = "typed::capped")]
    #[schemars(range(min = 1, max = Policy::default().most.threads))]
    pub threads: Option<u32>,
    /// Seed of the random numbers, random by default and returned in the response. Equal requests with a `seed` and a
    /// `simulations`, `nodes` or `depth` budget (no time limit) have equal results, except ids and times. Several threads that
    /// share a table or tree (`negamax`, `solver`, `mcts` with `parallel: tree`) are not repeatable.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 0, LARGEST_SEED>")]
    #[schemars(range(min = 0, max = LARGEST_SEED))]
    pub seed: Option<u64>,
    /// Whether the search may continue from the cached tree of an earlier one with the same game, variant, engine and
    /// options, at the same position or one or two moves before it (in Xiangqi only if `position` and `moves` continue those
    /// of the earlier search, since the past counts there). A tree too large to be advanced within the time is ignored. The
    /// budget counts new work only; `reuse` in the response reports the rest. True by default. A search with a `seed` reuses
    /// nothing, to be repeatable, nor does one of at most 16 `simulations`, which ends before a tree is found.
    #[serde(default)]
    pub reuse: Option<bool>,
    /// `interactive` by default.
    #[serde(default, deserialize_with = "typed::word")]
    pub priority: Option<Priority>,
    /// Root moves to consider.
    #[serde(default, deserialize_with = "strict::object")]
    #[schemars(with = "Option<schema::MovesFilter>")]
    pub moves_filter: Option<Filter>,
    /// Legal moves to grade against the best one: `grades` in the response has an entry for each. `best` stands for the
    /// search's choice, whose grade has reasons too. Each is searched as deep as the best move, and further within `budget`
    /// once that one is proven. `mcts` gives each up to a third of the best move's simulations, and all of them at most half of
    /// the search's. Not together with a `level` below 10, `variety` or `moves_filter`.
    #[serde(default, deserialize_with = "moves::some")]
    #[schemars(with = "Option<Vec<Move>>", length(min = 1, max = moves::MAX_MOVES))]
    pub grade: Option<Vec<String>>,
    /// The strength of an opponent for people: from 1, a beginner, to 10, full strength (the default). A lower level chooses
    /// the engine (`engine` must be absent), limits its work but not its time, and picks at random among the children by their
    /// values, with a spread; from level 2 on it takes a win in one move and prevents one. `budget` limits it further. The
    /// statistics are those of that search; with `report.children: all`, those of a second search at full strength within
    /// `budget`.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 1, { Strength::FULL as u64 }>")]
    #[schemars(range(min = 1, max = Strength::FULL))]
    pub level: Option<u8>,
    /// How much the choice varies among moves of almost equal value: 0 (the default) always plays the best, 1 picks at random
    /// among moves that lose up to 0.15 in value, better ones more often. `seed` makes the choice repeatable.
    #[serde(default, deserialize_with = "typed::share")]
    #[schemars(range(min = 0, max = 1))]
    pub variety: Option<f64>,
    /// `side_to_move` by default.
    #[serde(default, deserialize_with = "typed::word")]
    pub perspective: Option<Perspective>,
    /// How much of the result is returned.
    #[serde(default, deserialize_with = "strict::object")]
    pub report: Option<ReportRequest>,
}

impl SearchRequest {
    /// The parameters of the search itself. Searches of the same `scope` can continue with each other's trees.
    #[must_use]
    pub fn spec<'a>(&'a self, scope: Option<&'a str>) -> SearchSpec<'a> {
        let grade = self.grade.as_deref().unwrap_or_default();
        let branches = self.report.unwrap_or_default().branches();
        SearchSpec {
            engine: self.engine.as_ref(),
            budget: self.budget.unwrap_or_default(),
            threads: self.threads,
            seed: self.seed,
            filter: self.moves_filter.as_ref(),
            // Ranks need the values of all legal moves.
            branches: Branches { all: branches.all || !grade.is_empty(), ..branches },
            grade,
            reuse: scope.filter(|_| self.reuse.unwrap_or(true)),
            // A client can play several games at a time.
            one_game: false,
            strength: Strength {
                level: self.level,
                variety: self.variety.unwrap_or(0.0),
                statistics: self.report.is_some_and(|report| report.children == Some(ChildrenRequest::All)),
            },
        }
    }
}

/// The priority of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A person waits for the result.
    #[default]
    Interactive,
    /// Runs when no interactive search wants the core, except for one turn in eight.
    Batch,
}

/// From whose view `value`, `win`, `draw`, `loss`, `score`, `bound` and `proven` are reported, everywhere in the response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Perspective {
    /// The side to move in the request's position.
    #[default]
    SideToMove,
    /// The player who moves first from the start.
    FirstPlayer,
}

/// How much of the result is returned.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RequestedReport")]
pub struct ReportRequest {
    /// In a stream, the minimum number of milliseconds between messages.
    #[serde(deserialize_with = "typed::whole::<_, _, SHORTEST_MS, LONGEST_MS>")]
    #[schemars(range(min = SHORTEST_MS, max = LONGEST_MS), extend("default" = INTERVAL_MS))]
    pub interval_ms: Option<u64>,
    /// Which children are returned.
    #[serde(deserialize_with = "typed::word")]
    #[schemars(extend("default" = "all"))]
    pub children: Option<ChildrenRequest>,
    /// How many of the best moves are searched to the full depth (`negamax`).
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_CHILDREN>")]
    #[schemars(range(min = 1, max = MOST_CHILDREN), extend("default" = 1))]
    pub multipv: Option<u64>,
    /// Maximum number of children returned, the best ones. Omitted children still count in the root's visits.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_CHILDREN>")]
    #[schemars(range(min = 1, max = MOST_CHILDREN), extend("default" = MOST_CHILDREN))]
    pub max_children: Option<u64>,
    /// Maximum number of plies of each `pv`.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, { LONGEST_LINE as u64 }>")]
    #[schemars(range(min = 1, max = LONGEST_LINE), extend("default" = LONGEST_LINE))]
    pub pv_length: Option<u64>,
    /// By default, or if null, no tree is returned.
    #[serde(deserialize_with = "strict::object")]
    pub tree: Option<TreeRequest>,
}

/// Which children are returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RequestedChildren")]
pub enum ChildrenRequest {
    /// Every legal move with its own value; `negamax` spends a sixteenth of its budget on the moves besides the best, and
    /// searches them some plies less deep (`depth`).
    #[default]
    All,
    /// The chosen move only, or `multipv` moves, without work on the others.
    Best,
}

/// Maximum number of levels below the root's children.
const DEEPEST: u64 = 8;

/// Maximum of `min_visits`.
const MOST_VISITS: u64 = u32::MAX as u64;

/// Minimum, maximum and default of the milliseconds between two messages.
const SHORTEST_MS: u64 = 10;
const LONGEST_MS: u64 = 60_000;
const INTERVAL_MS: u64 = 200;

/// More than the legal moves of any position that play can reach.
const MOST_CHILDREN: u64 = 1000;

/// Returns the tree below the root's children too (`mcts`): each child then has `children`, solved ones first, then by visits.
/// At most 5,000 nodes are returned, those with the most visits.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RequestedTree")]
pub struct TreeRequest {
    /// Levels below the root's children.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, DEEPEST>")]
    #[schemars(range(min = 1, max = DEEPEST), extend("default" = 1))]
    pub depth: Option<u64>,
    /// Minimum visits of a returned node.
    #[serde(deserialize_with = "typed::whole::<_, _, 1, MOST_VISITS>")]
    #[schemars(range(min = 1, max = MOST_VISITS), extend("default" = 1))]
    pub min_visits: Option<u64>,
}

impl ReportRequest {
    /// Requests the chosen move only.
    pub const BEST: Self = Self {
        interval_ms: None,
        children: Some(ChildrenRequest::Best),
        multipv: None,
        max_children: None,
        pv_length: None,
        tree: None,
    };

    /// The requested part of the tree, and the children with values; checked by [`ReportRequest::check`].
    fn branches(self) -> Branches {
        let multipv = self.multipv.unwrap_or(1).min(MOST_CHILDREN) as u32;
        let all = self.children.unwrap_or_default() == ChildrenRequest::All;
        let values = Branches { multipv, all, ..Branches::default() };
        let Some(tree) = self.tree else { return values };
        let depth = tree.depth.unwrap_or(1).min(DEEPEST) as u32;
        Branches { depth, min_visits: tree.min_visits.unwrap_or(1), ..values }
    }

    /// The requested part of the result, and the minimum interval between messages.
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
        Ok((
            extent,
            Duration::from_millis(check("interval_ms", self.interval_ms, SHORTEST_MS, LONGEST_MS, INTERVAL_MS)?),
        ))
    }
}
