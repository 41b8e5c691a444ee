//! Analyses a position by name and text, as a program does that offers all games: `cargo run -p tesuji-core --example analyse`.

use serde_json::json;
use tesuji_core::catalog::{BudgetRequest, Catalog, Policy, SearchSpec, Setup, WorkerContext};
use tesuji_core::search::Signals;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = Catalog::standard();
    println!("games: {}", catalog.names().collect::<Vec<_>>().join(", "));

    // Four of X in a column of a 7,7,5 board, X to move: variant, position and moves are text and JSON, read and checked here.
    let variant = json!({"columns": 7, "rows": 7, "k": 5});
    let moves = ["d1", "a1", "d2", "a2", "d3", "a3", "d4", "b7"].map(str::to_owned);
    let session = catalog.open("tic-tac-toe", Setup { variant: Some(&variant), position: None, moves: &moves })?;
    println!("{}", session.draw());

    let budget = BudgetRequest { simulations: Some(20_000), ..BudgetRequest::default() };
    let spec = SearchSpec { engine: Some(&json!("mcts")), budget, seed: Some(1), ..SearchSpec::default() };
    let search = session.search(&spec, &Policy::default())?;
    // One worker, on this thread. A search of several workers runs each on a thread of its own.
    search.run(0, WorkerContext::new(&Signals::default()));
    let report = search.finish().ok_or("no worker ran")?;

    println!("{:?} after {} simulations", report.stop, report.visits.unwrap_or_default());
    for child in report.children.iter().take(3) {
        // Values are those of the first player.
        let value = child.evaluation.outlook.map(|outlook| outlook.value());
        let (visits, distance) = (child.visits.unwrap_or_default(), child.evaluation.distance);
        println!("{:4} value {value:?}, {visits} visits, distance {distance:?}, line {}", child.mv, child.pv.join(" "));
    }
    Ok(())
}
