//! `tesuji gomocup`: Gomoku over the protocol of the Gomocup tournaments, for managers, boards and match programs.
//!
//! A thread of its own reads the input, so that nothing said during a search is lost, and so that END stops the search at once.
//! What was asked before the input ended is still answered.

mod board;
mod command;
mod limits;

use std::io::{BufRead, Read, Write, stdin, stdout};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};
use tesuji::catalog::{AnySession, Catalog, Setup};
use tesuji::scheduler::{Canceller, Finished};
use tesuji::service::SearchRequest;

use self::board::Board;
use self::command::{Command, Owner, Point, Problem};
use self::limits::Limits;
use super::arguments::parse_parameters;
use super::searcher::Searcher;
use super::{Failed, words};

/// Options of `gomocup`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The engine: `NAME`, `NAME:OPTION=VALUE,…`, or JSON; without it the game's strongest.
    #[arg(long, value_parser = parse_parameters)]
    engine: Option<Value>,
}

const GAME: &str = "gomoku";
/// Bytes of table that one move may leave to the next.
const KEPT: u64 = 80 << 20;
/// Sizes of boards that the game is played on.
const SIZES: std::ops::RangeInclusive<u32> = 5..=22;
/// Lines that may wait for their answers; then the manager has to wait.
const UNANSWERED: usize = 1024;
/// The longest line in bytes; what is longer is cut, and then understood by nobody.
const LONGEST_LINE: u64 = 4096;

/// Plays until told to end.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let catalog = Catalog::standard();
    let searcher = Searcher::keeping(KEPT)?;
    let mut brain =
        Brain { catalog, searcher, engine: arguments.engine.clone(), limits: Limits::default(), board: None };
    // What is wrong with the arguments is told now, and not at the first move.
    let trial = catalog_start(&brain.catalog)?;
    brain.searcher.check(&*trial, &brain.request())?;
    let ending = Arc::new(Ending::default());
    let lines = listen(Arc::clone(&ending))?;
    let mut out = stdout().lock();
    while let Ok(line) = lines.recv() {
        if ending.has_come() {
            break;
        }
        if let Some(answer) = brain.hear(&line, &lines, &ending) {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
    Ok(())
}

fn catalog_start(catalog: &Catalog) -> Result<Box<dyn AnySession>, Failed> {
    let setup = Setup { variant: None, position: None, moves: &[] };
    Ok(catalog.open(GAME, setup).map_err(|refusal| words::refusal(&refusal))?)
}

/// Whether END was said, and the search that it has to stop.
#[derive(Default)]
struct Ending(Mutex<(bool, Option<Canceller>)>);

impl Ending {
    fn has_come(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    fn come(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = true;
        if let Some(search) = state.1.take() {
            search.cancel();
        }
    }

    /// A search begins.
    fn stops(&self, search: Canceller) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 {
            search.cancel();
        }
        state.1 = Some(search);
    }
}

/// Reads the input line by line.
fn listen(ending: Arc<Ending>) -> Result<Receiver<String>, Failed> {
    let (sender, lines) = sync_channel(UNANSWERED);
    let read = move || {
        let mut input = stdin().lock();
        let mut line = Vec::new();
        while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            if command::read(&text) == Ok(Command::End) {
                ending.come();
            }
            if sender.send(text).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(lines)
}

/// What the program knows of its game.
struct Brain {
    catalog: Catalog,
    searcher: Searcher,
    engine: Option<Value>,
    limits: Limits,
    /// None before the first START.
    board: Option<Board>,
}

impl Brain {
    /// Does what a line says, and gives the answer to it, if it has one.
    fn hear(&mut self, line: &str, more: &Receiver<String>, ending: &Ending) -> Option<String> {
        let command = match command::read(line) {
            Ok(command) => command,
            Err(Problem::Unknown(word)) => return Some(format!("UNKNOWN {word}")),
            Err(Problem::Wrong(what)) => return Some(format!("ERROR {what}")),
        };
        let answer = match command {
            Command::Nothing | Command::End => return None,
            Command::Info { key, value } => {
                self.limits.note(&key, &value);
                return None;
            }
            Command::About => Ok(format!(
                "name=\"Tesuji\", version=\"{}\", author=\"the authors of Tesuji\", www=\"https://crates.io/crates/tesuji\"",
                env!("CARGO_PKG_VERSION")
            )),
            Command::Start(size) => self.start(size),
            Command::Restart => self.started().map(|board| board.size).and_then(|size| self.start(size)),
            Command::Begin => self.started().map(|_| ()).and_then(|()| self.choose(ending)),
            Command::Turn(point) => self.place(point, Owner::Opponent).and_then(|()| self.choose(ending)),
            Command::Play(point) => self.place(point, Owner::Own).map(|()| point.to_string()),
            Command::TakeBack(point) => self.started().and_then(|board| board.take(point)).map(|()| "OK".to_owned()),
            Command::Board => self.set_up(more).and_then(|()| self.choose(ending)),
        };
        Some(answer.unwrap_or_else(|what| format!("ERROR {what}")))
    }

    fn started(&mut self) -> Result<&mut Board, String> {
        self.board.as_mut().ok_or_else(|| "no game: expected START first".to_owned())
    }

    fn start(&mut self, size: u32) -> Result<String, String> {
        if !SIZES.contains(&size) {
            return Err(format!("size {size}: expected {} to {}", SIZES.start(), SIZES.end()));
        }
        self.board = Some(Board::new(size));
        self.limits.restart();
        Ok("OK".to_owned())
    }

    fn place(&mut self, point: Point, owner: Owner) -> Result<(), String> {
        self.started()?.place(point, owner)
    }

    /// Reads stones to DONE. The board stays as it was when there is something wrong with them.
    fn set_up(&mut self, lines: &Receiver<String>) -> Result<(), String> {
        let mut read = self.started().map(|board| Board::new(board.size));
        // All lines are taken, also after one that is wrong: they are no commands.
        for line in lines {
            let line = line.trim();
            if line.eq_ignore_ascii_case("DONE") {
                break;
            }
            let add = |mut board: Board| match command::read_stone(line) {
                Ok((point, owner)) => board.place(point, owner).map(|()| board),
                Err(Problem::Wrong(what) | Problem::Unknown(what)) => Err(what),
            };
            read = read.and_then(add);
        }
        self.board = Some(read?);
        Ok(())
    }

    /// Chooses a move, and plays it.
    fn choose(&mut self, ending: &Ending) -> Result<String, String> {
        let board = self.started()?;
        let (size, position) = (board.size, board.position()?);
        let variant = json!({ "name": self.limits.rule()?, "size": size });
        let setup = Setup { variant: Some(&variant), position: Some(&position), moves: &[] };
        let session = self.catalog.open(GAME, setup).map_err(|refusal| words::refusal(&refusal))?;
        if session.outcome().is_some() {
            return Err("the game is over: expected a position to move in".to_owned());
        }
        let Finished { report, queued, searched } =
            self.search(&*session, ending).map_err(|failed| failed.to_string())?;
        self.limits.spend(queued + searched);
        let mv = report.children.first().map(|child| child.mv.as_str()).unwrap_or_default();
        let board = self.started()?;
        let point = board.point(mv).ok_or("the search found no move")?;
        board.place(point, Owner::Own)?;
        let value = report.root.outlook.map(|outlook| words::value_for(session.turn(), outlook.value()));
        let line = report.children.first().map(|child| child.pv.join(" ")).unwrap_or_default();
        Ok(format!(
            "MESSAGE depth {}, {} nodes, value {}, line {line}\n{point}",
            report.depth,
            words::count(report.nodes),
            value.unwrap_or_else(|| "unknown".to_owned()),
        ))
    }

    fn request(&self) -> SearchRequest {
        SearchRequest {
            game: GAME.to_owned(),
            engine: self.engine.clone(),
            budget: Some(self.limits.budget()),
            threads: self.limits.threads,
            ..SearchRequest::default()
        }
    }

    fn search(&self, session: &dyn AnySession, ending: &Ending) -> Result<Finished, Failed> {
        let ticket = self.searcher.submit(session, &self.request())?;
        ending.stops(ticket.canceller());
        Ok(ticket.wait()?)
    }
}
