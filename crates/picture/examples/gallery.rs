//! Writes a picture of every built-in game in every theme to a folder, and prints times and sizes: `cargo run --release -p
//! tesuji-picture --example gallery -- FOLDER`.

use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs, io};

use serde_json::{Value, json};
use tesuji_core::catalog::{Catalog, Setup};
use tesuji_picture::{Candidate, Options, Subject, Theme, draw};

/// Name, game, variant, moves, and moves ahead; without moves ahead, some legal moves are candidates.
type Shown = (&'static str, &'static str, Value, &'static str, &'static str);
/// The labels of candidates.
const LABELS: [&str; 3] = ["+0.62", "W7", "−3"];

fn games() -> Vec<Shown> {
    vec![
        ("tic-tac-toe", "tic-tac-toe", json!({}), "b2 a1 c3 a3", ""),
        ("tic-tac-toe-won", "tic-tac-toe", json!({"columns": 7, "rows": 6, "k": 4}), "d3 c3 d4 c4 d5 b5 d2", ""),
        ("connect-four", "connect-four", json!({}), "44534536", ""),
        ("connect-four-won", "connect-four", json!({"blocked": "c1"}), "41424", "47"),
        ("reversi", "reversi", json!({}), "f5d6c3d3c4f4f6", ""),
        ("dots-and-boxes", "dots-and-boxes", json!({}), "h0,0 v0,0 v0,1 h1,0 h2,2 h1,1 v1,2 h0,2", ""),
        ("gomoku", "gomoku", json!({}), "h8 i9 h9 h10 i8 g8 j8 k8 i10", ""),
        ("gomoku-line", "gomoku", json!({"size": 19}), "k10 l11 k11", "k12 k9 m12 l12 j10 k13 p4 d4 q16 c17"),
        ("renju-won", "gomoku", json!({"name": "renju"}), "h8 a1 h9 a2 h10 a3 h7 b15 h6", ""),
        ("renju-forbidden", "gomoku", json!({"name": "renju"}), "h8 a1 i8 o1 j10 a15 j11 o15", ""),
        ("hex", "hex", json!({"swap": false}), "f6 e7 g5 d8 c9", ""),
        ("hex-won", "hex", json!({"size": 4, "swap": false}), "b1 a1 b2 a2 b3 a3 b4", ""),
        ("xiangqi", "xiangqi", json!({}), "h2e2 h9g7 h0g2 i9h9", ""),
        ("xiangqi-line", "xiangqi", json!({"ranks": "from_one"}), "h3e3 h10g8", "h1g3 i10h10 i1h1"),
    ]
}

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "pictures".to_owned()));
    fs::create_dir_all(&folder)?;
    let catalog = Catalog::standard();
    println!("{:<18} {:>8} {:>8} {:>8} {:>8}", "480 px", "SVG ms", "SVG kB", "PNG ms", "PNG kB");
    for (name, game, variant, moves, ahead) in games() {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let setup = Setup { variant: Some(&variant), position: None, moves: &moves };
        let mut line = catalog.follow(game, setup).map_err(io::Error::other)?;
        let (view, legal) = (line.session.view(), line.session.legal());
        let mut next = Vec::new();
        for mv in ahead.split_whitespace() {
            line.session.play_described(mv, &mut next).map_err(io::Error::other)?;
        }
        let about = catalog.about(game).expect("the game is built in");
        let subject = Subject { about: &about, view: &view, legal: &legal, line: &line.moves, ahead: &next };
        let shown = if ahead.is_empty() { LABELS.len().min(legal.len()) } else { 0 };
        let candidate = |rank: usize| {
            let mv = legal[(rank * 2 + 1) * legal.len() / (2 * shown)].mv.clone();
            Candidate { mv, label: LABELS[rank].to_owned() }
        };
        let candidates = (0..shown).map(candidate);
        let mut options = Options { candidates: candidates.collect(), ..Options::default() };
        for (theme, end) in [(Theme::Dark, "-dark"), (Theme::Light, "")] {
            options.theme = theme;
            let picture = draw(&subject, &options).map_err(io::Error::other)?;
            fs::write(folder.join(format!("{name}{end}.svg")), picture.svg())?;
            fs::write(folder.join(format!("{name}{end}.png")), picture.png())?;
        }
        let drawn = || draw(&subject, &options).expect("it was drawn before");
        let (svg, svg_bytes) = timed(|| drawn().svg().len());
        let (png, png_bytes) = timed(|| drawn().png().len());
        let kilobytes = |bytes: usize| bytes as f64 / 1000.0;
        println!("{name:<18} {svg:>8.2} {:>8.1} {png:>8.2} {:>8.1}", kilobytes(svg_bytes), kilobytes(png_bytes));
    }
    Ok(())
}

/// The median time of a call in milliseconds, and its result.
fn timed<T>(work: impl Fn() -> T) -> (f64, T) {
    let mut times: Vec<f64> = (0..31)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], work())
}
