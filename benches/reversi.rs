//! How long exact endgames take: `cargo bench --bench reversi -- [THREADS]`. The public FFO positions #20 to #44, beside the
//! checkout in `../shared/data/reversi/`.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_core::games::Game;
use tesuji_core::games::reversi::{Reversi, ReversiSearcher};
use tesuji_core::position::{Position, Side};
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Budget, Control, Engine, Report, Signals, Task};

fn main() {
    let threads = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(1);
    let mut number = 20;
    for (file, count) in [("fforum-20-39.obf", 20), ("fforum-40-59.obf", 5)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/reversi").join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: the public test data {file} is not beside this checkout");
            return;
        };
        let (mut nodes, mut seconds, first) = (0, 0.0, number);
        for line in text.lines().take(count) {
            let (position, moves) = line.split_once(';').expect("a position and its moves");
            let position = <Reversi>::parse(&Default::default(), position.trim()).expect("a position");
            let scores = moves.split(';').filter_map(|entry| entry.split_once(':')?.1.parse::<i16>().ok());
            let (report, time) = solve(&position, threads);
            let sign = if position.turn() == Side::First { 1 } else { -1 };
            let score = report.root.bounds.exact().map(|score| score * sign);
            let verdict = if score == scores.max() { "exact" } else { "WRONG" };
            let (empty, best) = (60 - position.ply(), report.children[0].mv);
            let score = score.map_or_else(|| "?".to_owned(), |score| format!("{score:+}"));
            println!("#{number}  {empty} empty  {best} {score} {verdict}  {:>12} nodes  {time:>8.3} s", report.nodes);
            nodes += report.nodes;
            seconds += time;
            number += 1;
        }
        let speed = nodes as f64 / seconds / 1e6;
        println!(
            "#{first} to #{}: {:.1} M nodes, {seconds:.2} s, {speed:.1} M nodes/s",
            number - 1,
            nodes as f64 / 1e6
        );
    }
}

fn solve(position: &Reversi, threads: u32) -> (Report<<Reversi as Position>::Move>, f64) {
    let engine = AlphaBeta::<ReversiSearcher>::default();
    let moves: Vec<_> = position.moves().collect();
    let budget = Budget { memory: Some(256 << 20), ..Budget::default() };
    let task = Task::new(position, &moves, budget);
    let signals = Signals::default();
    let start = Instant::now();
    let shared = engine.share(&task, threads);
    let reports = thread::scope(|scope| {
        let run = |worker| {
            let (engine, task, shared, signals) = (&engine, &task, &shared, &signals);
            scope.spawn(move || {
                let task = Task { worker, ..*task };
                // A long limit of time, so that whoever is done first ends the search for all.
                let long = Duration::from_secs(3600);
                engine.search(&task, &Control::new(signals, Some(long), long), shared)
            })
        };
        let workers: Vec<_> = (0..threads).map(run).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    let report = engine.merge(position, reports, &shared);
    (report, start.elapsed().as_secs_f64())
}
