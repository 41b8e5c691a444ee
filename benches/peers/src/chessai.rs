//! The crate `chessai` (MIT) as a program that speaks UCI, to be an opponent of `tesuji match`:
//!
//!     tesuji match xiangqi 'uci[time_ms=100]:tesuji uci' 'uci[time_ms=100]:benches/peers/target/release/chessai'
//!
//! One thread, 64 MiB of table, no book; the table serves the whole game.

use std::error::Error;
use std::io::{self, BufRead};
use std::time::Duration;

use chessai::{Engine, Limits, Move};

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::builder().hash_size(64).use_book(false).threads(1).build();
    let mut played: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!("id name chessai\nuciok"),
            ["isready"] => println!("readyok"),
            ["position", "startpos", ref rest @ ..] => {
                let moves: Vec<String> = rest.iter().skip(1).map(|&word| word.to_owned()).collect();
                if !moves.starts_with(&played) {
                    engine.reset_to_startpos();
                    played.clear();
                }
                for text in &moves[played.len()..] {
                    if !engine.make_move(Move::from_iccs(text)?) {
                        return Err(format!("it does not know the move {text}").into());
                    }
                }
                played = moves;
            }
            ["position", ..] => return Err("only games from the start position can be told".into()),
            ["go", "movetime", milliseconds] => {
                let time = Duration::from_millis(milliseconds.parse()?);
                let best = engine.search(Limits::new().time(time)).best_move;
                println!("bestmove {}", best.map_or_else(|| "(none)".to_owned(), |mv| mv.to_iccs().replace('-', "")));
            }
            ["go", ..] => return Err("only `go movetime` can be told".into()),
            ["quit"] => break,
            _ => {}
        }
    }
    Ok(())
}
