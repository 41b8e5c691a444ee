//! Tesuji as an engine for tournament managers and boards.
//!
//! A dedicated thread reads the input, so that no line sent during a search is lost and END stops the search at once. Commands
//! read before the end of the input are still answered.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use tesuji_core::catalog::{AnySession, SearchSpec, Strength};
use tesuji_core::search::Outlook;

use super::RULES;
use super::board::Board;
use super::command::{self, Command, Owner, Point, Problem};
use super::limits::{Limits, MOST_MEMORY_MB};
use crate::protocols::lines;
use crate::protocols::search_thread::Stop;
use crate::protocols::searches::{SCOPE, Searches};
use crate::protocols::{BoxError, Output};
use crate::scheduler::Finished;

const GAME: &str = "gomoku";
/// The supported board sizes.
const SIZES: std::ops::RangeInclusive<u32> = 5..=22;
/// The maximum number of lines that wait for answers; then the manager has to wait.
const QUEUE_LENGTH: usize = 1024;

/// Executes the commands of `input` until END or its end, and writes the answers to `output`. `options` is the engine in JSON:
/// its name, or an object with name and options; by default the game's strongest.
///
/// # Errors
/// When the catalog refuses `options` (a `Refusal`), `output` cannot be written, or a thread cannot be started.
pub fn serve(input: impl BufRead + Send + 'static, output: &Output, options: Option<Value>) -> Result<(), BoxError> {
    let mut engine = Engine::new(options)?;
    let stop = Arc::<Stop>::default();
    let lines = listen(input, Arc::clone(&stop))?;
    while let Ok(line) = lines.recv() {
        if stop.is_set() {
            break;
        }
        if let Some(answer) = engine.execute(&line, &lines, &stop) {
            output.line(&answer)?;
        }
    }
    Ok(())
}

/// Reads the input line by line.
fn listen(input: impl BufRead + Send + 'static, stop: Arc<Stop>) -> Result<Receiver<String>, BoxError> {
    let (sender, received) = sync_channel(QUEUE_LENGTH);
    let read = move || {
        let read = lines::each_line(input, |line| {
            if command::read(line) == Ok(Command::End) {
                stop.set();
            }
            Ok(match sender.send(line.to_owned()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            })
        });
        // A read error ends the input.
        drop(read);
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(received)
}

/// The result of a search, from the program's view.
pub struct BoardSearch {
    /// The best move.
    pub point: Point,
    /// The value for the program, in [-1, 1].
    pub value: f64,
    /// The line that describes the search.
    pub message: String,
}

/// Adds the lines up to DONE to a value. Lines after an invalid one are read too, since they are not commands.
pub fn each_line<T>(
    lines: &Receiver<String>,
    mut read: Result<T, String>,
    mut add: impl FnMut(&mut T, &str) -> Result<(), String>,
) -> Result<T, String> {
    for line in lines {
        if line.eq_ignore_ascii_case("DONE") {
            break;
        }
        read = read.and_then(|mut so_far| add(&mut so_far, &line).map(|()| so_far));
    }
    read
}

/// The state of the engine.
pub struct Engine {
    searches: Searches,
    options: Option<Value>,
    /// The limits of its moves.
    pub limits: Limits,
    /// `None` before the first START.
    pub board: Option<Board>,
    /// Whether the last board was refused; an older one is not used in its place.
    refused: bool,
}

impl Engine {
    /// Starts the search threads. Invalid options are refused now rather than at the first move, and each rule's tables are
    /// computed now, which would take a fifth of a first move of 100 ms.
    fn new(options: Option<Value>) -> Result<Self, BoxError> {
        let searches = Searches::new(GAME, MOST_MEMORY_MB)?;
        let engine = Self { searches, options, limits: Limits::default(), board: None, refused: false };
        for (rule, _) in RULES {
            let variant = json!({ "name": rule });
            let start = engine.searches.open(Some(&variant), None, &[])?;
            start.search(&engine.spec(1), &engine.searches.policy)?;
        }
        Ok(engine)
    }

    /// Executes a line, and returns its answer, if any.
    fn execute(&mut self, line: &str, more: &Receiver<String>, stop: &Stop) -> Option<String> {
        let begin = Instant::now();
        let command = match command::read(line) {
            Ok(command) => command,
            Err(Problem::Unknown(word)) => return Some(format!("UNKNOWN {word}")),
            Err(Problem::Wrong(what)) => return Some(format!("ERROR {what}")),
        };
        let moves = matches!(command, Command::Begin | Command::Turn(_) | Command::Board | Command::Swap2Board);
        let answer = match command {
            Command::Nothing | Command::End => return None,
            Command::Info { key, value } => {
                self.limits.apply_info(&key, &value);
                return None;
            }
            Command::About => Ok(format!(
                "name=\"Tesuji\", version=\"{}\", author=\"the authors of Tesuji\", www=\"https://crates.io/crates/tesuji\"",
                env!("CARGO_PKG_VERSION")
            )),
            Command::Start(size) => self.start(size),
            Command::Restart => self.size().and_then(|size| self.start(size)),
            Command::Begin => self.started().map(|_| ()).and_then(|()| self.choose(stop)),
            Command::Turn(point) => self.place(point, Owner::Opponent).and_then(|()| self.choose(stop)),
            Command::Play(point) => self.place(point, Owner::Own).map(|()| point.to_string()),
            Command::TakeBack(point) => self.take_back(point).map(|()| "OK".to_owned()),
            Command::Swap2Board => {
                let answer = self.open(more, stop);
                self.refused = answer.is_err();
                answer
            }
            Command::Board => {
                let set_up = self.set_up(more);
                self.refused = set_up.is_err();
                set_up.and_then(|()| self.choose(stop))
            }
        };
        if moves {
            self.limits.spend(begin.elapsed());
        }
        Some(answer.unwrap_or_else(|what| format!("ERROR {what}")))
    }

    /// The board of the current game.
    fn started(&mut self) -> Result<&mut Board, String> {
        if self.refused {
            return Err("no board, since the last one was refused: expected BOARD, START or RESTART".to_owned());
        }
        self.board.as_mut().ok_or_else(no_game)
    }

    /// The size of the game's board.
    pub fn size(&self) -> Result<u32, String> {
        self.board.as_ref().map(|board| board.size).ok_or_else(no_game)
    }

    fn start(&mut self, size: u32) -> Result<String, String> {
        if !SIZES.contains(&size) {
            return Err(format!("size {size}: expected {} to {}", SIZES.start(), SIZES.end()));
        }
        // The next game may have another size or rule, and needs the memory of this one's table.
        self.searches.clear_tables(MOST_MEMORY_MB).map_err(|failed| failed.to_string())?;
        (self.board, self.refused) = (Some(Board::new(size)), false);
        self.limits.restart();
        Ok("OK".to_owned())
    }

    fn place(&mut self, point: Point, owner: Owner) -> Result<(), String> {
        self.started()?.place(point, owner)
    }

    fn take_back(&mut self, point: Point) -> Result<(), String> {
        self.board.as_mut().ok_or_else(no_game)?.take(point)
    }

    /// Reads stones up to DONE.
    fn set_up(&mut self, lines: &Receiver<String>) -> Result<(), String> {
        let board = each_line(lines, self.size().map(Board::new), |board, line| {
            let (point, owner) = command::read_stone(line).map_err(Problem::text)?;
            board.place(point, owner)
        })?;
        let playable = board.position().map(drop);
        self.board = Some(board);
        playable
    }

    /// Chooses a move, and plays it.
    fn choose(&mut self, stop: &Stop) -> Result<String, String> {
        let board = self.started()?.clone();
        let BoardSearch { point, message, .. } = self.search_board(&board, 1, stop)?;
        self.place(point, Owner::Own)?;
        Ok(format!("{message}\n{point}"))
    }

    /// Searches a board with one of `parts` equal shares of a move's budget.
    pub fn search_board(&mut self, board: &Board, parts: u64, stop: &Stop) -> Result<BoardSearch, String> {
        let position = board.position()?;
        let variant = json!({ "name": self.limits.rule()?, "size": board.size });
        let session =
            self.searches.open(Some(&variant), Some(&position), &[]).map_err(|refusal| refusal.to_string())?;
        if session.outcome().is_some() {
            return Err("the game is over: expected a position to move in".to_owned());
        }
        let report = self.search(&*session, parts, stop).map_err(|failed| failed.to_string())?.report;
        let best = report.children.first();
        let point = best.and_then(|best| board.point(&best.mv)).ok_or("the search found no move")?;
        let mover = session.turn();
        let value = report.root.outlook.as_ref().map(Outlook::value);
        let message = format!(
            "MESSAGE depth {}, {} nodes, {} known before, value {}, line {}",
            report.depth,
            report.nodes,
            report.reused,
            value.map_or_else(|| "unknown".to_owned(), |value| format!("{:+.3}", value * f64::from(mover.sign()))),
            best.map(|best| best.pv.join(" ")).unwrap_or_default(),
        );
        Ok(BoardSearch { point, value: value.unwrap_or(0.0) * f64::from(mover.sign()), message })
    }

    /// The specification of a search.
    fn spec(&self, parts: u64) -> SearchSpec<'_> {
        let strength = Strength { level: self.limits.level, ..Strength::default() };
        SearchSpec {
            // A level determines its engine.
            engine: self.options.as_ref().filter(|_| strength.limited().is_none()),
            // Excessive limits are clamped rather than refused.
            budget: self.searches.policy.clamp(self.limits.part(parts)).0,
            threads: self.limits.threads.map(|threads| threads.min(self.searches.policy.most.threads)),
            strength,
            reuse: Some(SCOPE),
            one_game: true,
            ..SearchSpec::default()
        }
    }

    fn search(&self, session: &dyn AnySession, parts: u64, stop: &Stop) -> Result<Finished, BoxError> {
        let ticket = self.searches.begin(session, &self.spec(parts), None, false)?;
        stop.register(ticket.canceller());
        Ok(ticket.wait()?)
    }
}

fn no_game() -> String {
    "no game: expected START first".to_owned()
}
