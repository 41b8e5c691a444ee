//! `tesuji bench`: speed and node counts of fixed positions under fixed budgets.
//!
//! The signature, the sum of all nodes, changes only if a search, an evaluator or a game's rules change: equal signatures
//! before and after a change prove that only the speed changed.

use std::fmt::{self, Display};
use std::io::{Write, stdout};

use serde::Serialize;
use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{BudgetRequest, Catalog, EngineAbout, Setup, parse_parameters};
use tesuji_core::search::Branches;

use super::arguments::OwnGames;
use super::searcher::Searcher;
use super::{CommandError, words};

/// Options of `bench`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Share of the usual budget, in thousandths; for tests of the bench.
    #[arg(long, hide = true, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1000))]
    thousandths: u64,
    #[command(flatten)]
    own: OwnGames,
    /// Print a line of JSON per engine, and one with the signature.
    #[arg(long)]
    json: bool,
}

/// A line per position: game, variant, moves.
const POSITIONS: &str = include_str!("bench/positions.txt");
/// Per position, for engines that count simulations.
const SIMULATIONS: u64 = 100_000;
/// Per position, for the others.
const NODES: u64 = 1_000_000;
/// The same for the Hex solver, which visits a few thousand nodes per second.
const HEX_SOLVER_NODES: u64 = 2000;
/// An arbitrary fixed number.
const SEED: u64 = 1;

/// The positions of a game: variant, unless it is the default, and moves. A game that is not built in has only its start.
fn positions(game: &str) -> Vec<(Option<&'static str>, &'static str)> {
    let fields = POSITIONS.lines().filter_map(|line| {
        let mut fields = line.split(" | ");
        Some((fields.next()?, fields.next()?, fields.next()?))
    });
    let given = |field: &'static str| Some(field).filter(|&field| field != "-");
    let own = fields.filter(move |(name, ..)| *name == game);
    let own: Vec<_> = own.map(|(_, variant, moves)| (given(variant), given(moves).unwrap_or_default())).collect();
    if own.is_empty() { vec![(None, "")] } else { own }
}

/// The result of one engine in one game.
#[derive(Default, Serialize)]
struct Tally {
    game: String,
    engine: &'static str,
    positions: u32,
    nodes: u64,
    simulations: Option<u64>,
    seconds: f64,
}

/// The sum of all nodes.
#[derive(Serialize)]
struct Signature {
    signature: u64,
}

/// Runs all searches and prints.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.own.catalog()?;
    let searcher = Searcher::new()?;
    let mut out = stdout().lock();
    if !arguments.json {
        writeln!(out, "{HEADINGS}")?;
    }
    let mut signature = 0;
    for about in catalog.names().filter_map(|name| catalog.about(name)) {
        for engine in &about.engines {
            let tally = measure(&catalog, &searcher, &about.name, engine, arguments.thousandths)?;
            let line = if arguments.json { serde_json::to_string(&tally)? } else { tally.to_string() };
            writeln!(out, "{line}")?;
            signature += tally.nodes;
        }
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&Signature { signature })?)?;
    } else {
        writeln!(out, "signature: {signature}")?;
    }
    Ok(())
}

const HEADINGS: &str = "game             engine     positions          nodes  simulations   seconds  speed";

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, engine, positions, nodes, simulations, seconds } = self;
        let speed = match simulations {
            Some(simulations) => format!("{} simulations/s", words::rate(*simulations, *seconds)),
            None => format!("{} nodes/s", words::rate(*nodes, *seconds)),
        };
        let simulations = simulations.map(words::count).unwrap_or_default();
        let nodes = words::count(*nodes);
        write!(f, "{game:<16} {engine:<10} {positions:>9} {nodes:>14} {simulations:>12} {seconds:>9.3}  {speed}")
    }
}

/// Searches all positions of a game with one engine, each from scratch.
fn measure(
    catalog: &Catalog,
    searcher: &Searcher,
    game: &str,
    engine: &EngineAbout,
    thousandths: u64,
) -> Result<Tally, CommandError> {
    let mut tally = Tally { game: game.to_owned(), engine: engine.name, ..Tally::default() };
    for (variant, moves) in positions(game) {
        let variant = variant.map(parse_parameters).transpose().map_err(CommandError::failed)?;
        let moves = moves.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let session = catalog.open(game, Setup { variant: variant.as_ref(), position: None, moves: &moves })?;
        if !session.engines().contains(&engine.name) {
            continue;
        }
        let part = |total: u64| Some((total * thousandths / 1000).max(1));
        let budget = if engine.budget.contains(&"simulations") {
            BudgetRequest { simulations: part(SIMULATIONS), ..BudgetRequest::default() }
        } else {
            let nodes = if (game, engine.name) == ("hex", "solver") { HEX_SOLVER_NODES } else { NODES };
            BudgetRequest { nodes: part(nodes), ..BudgetRequest::default() }
        };
        let request = SearchRequest {
            game: game.to_owned(),
            engine: Some(engine.name.into()),
            budget: Some(budget),
            seed: Some(SEED),
            ..SearchRequest::default()
        };
        let finished = searcher.result(&*session, &request, Branches::default())?;
        tally.positions += 1;
        tally.nodes += finished.report.nodes;
        tally.simulations = finished.report.visits.map(|visits| visits + tally.simulations.unwrap_or(0));
        tally.seconds += finished.searched.as_secs_f64();
    }
    Ok(tally)
}
