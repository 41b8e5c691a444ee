//! Tesuji as an engine for boards.
//!
//! One thread reads commands and answers at once; searches run on the search threads, and a separate thread writes their
//! results (`running`). A command that changes the position or starts another search ends the current one: a requested move is
//! then written at once, before the command's answer.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;

use tesuji_core::api::SearchRequest;

use super::command::{self, Command};
use super::game::CurrentGame;
use super::running;
use super::searcher::{SearchParameters, Searcher};
use crate::protocols::lines::each_line;
use crate::protocols::search_thread::{SearchThread, Stop};
use crate::protocols::{BoxError, Output};

/// The supported versions.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=2;

/// Executes the commands of `input` until `quit` or its end, and writes the answers to `output`. Commands before the end of the
/// input are answered first. `request` has the engine, the level and the limits of each search.
///
/// # Errors
/// When the catalog refuses `request` (a `Refusal`), `input` cannot be read, `output` cannot be written, or a thread cannot be
/// started.
pub fn serve(input: impl BufRead, output: Output, request: SearchRequest) -> Result<(), BoxError> {
    let mut engine = Engine::new(output, request)?;
    let flow = each_line(input, |line| {
        match command::read(line, engine.version) {
            Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
            Ok(command) => engine.execute(command)?,
            Err(problem) => {
                engine.known &= !command::is_move_played(line);
                engine.say(&format!("status {problem}"))?;
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    engine.finish(flow.is_break());
    Ok(())
}

/// The state that commands change.
struct Engine {
    output: Output,
    searcher: Arc<Searcher>,
    version: u32,
    game: CurrentGame,
    /// Whether `game` is the board's: false from a refused game or move until another game is set.
    known: bool,
    /// The board's depth limit, in plies.
    depth: Option<u64>,
    running: Option<SearchThread>,
}

impl Engine {
    fn new(output: Output, request: SearchRequest) -> Result<Self, BoxError> {
        let searcher = Arc::new(Searcher::new(request)?);
        let game = CurrentGame::new(&searcher.searches.catalog)?;
        Ok(Self { output, searcher, version: *VERSIONS.end(), game, known: true, depth: None, running: None })
    }

    /// Finishes the current search: at once (`now`), or at its end.
    fn finish(&mut self, now: bool) {
        if let Some(running) = self.running.take() {
            running.finish(now);
        }
    }

    fn say(&self, line: &str) -> Result<(), BoxError> {
        Ok(self.output.line(line)?)
    }

    /// Executes a command. A failure is reported on the status line.
    fn execute(&mut self, command: Command) -> Result<(), BoxError> {
        let (name, done) = match command {
            Command::Unknown | Command::Quit => return Ok(()),
            Command::Version(version) if VERSIONS.contains(&version) => {
                self.version = version;
                return self.say("set myname Tesuji");
            }
            Command::Version(version) => {
                let [first, last] = [VERSIONS.start(), VERSIONS.end()];
                return self.say(&format!("status nboard: expected version {first} or {last}, not {version}"));
            }
            Command::Contempt(0.0) => return Ok(()),
            Command::Contempt(_) => {
                let reason = "no effect: there is no opening book, and draws are worth 0";
                return self.say(&format!("status set contempt: {reason}"));
            }
            Command::Learn => {
                // Boards clear the status line when they read `learned`.
                self.say("learned")?;
                return self.say("status learn: nothing was stored, since there is no opening book");
            }
            Command::Ping(number) => {
                self.finish(true);
                return self.say(&format!("pong {number}"));
            }
            Command::Depth(depth) => ("set depth", self.set_depth(depth)),
            Command::Game(text) => {
                self.finish(true);
                let read = CurrentGame::read(&self.searcher.searches.catalog, &text).map(|game| self.game = game);
                self.known = read.is_ok();
                ("set game", read)
            }
            Command::Move(played) => {
                self.finish(true);
                let done = self.is_known().and_then(|()| self.game.play(&played));
                self.known &= done.is_ok();
                ("move", done)
            }
            Command::Go => ("go", self.go()),
            Command::Hint(count) => ("hint", self.hint(count)),
            Command::Analyze => ("analyze", self.analyze()),
        };
        done.or_else(|problem| self.say(&format!("status {name}: {problem}")))
    }

    /// Sets the depth of later searches, at most the deepest possible, which exceeds the length of any game.
    fn set_depth(&mut self, depth: u64) -> Result<(), BoxError> {
        let depth = depth.min(self.searcher.deepest());
        self.searcher.check(Some(depth))?;
        self.depth = Some(depth);
        self.say(&format!("set myname Tesuji{depth}"))
    }

    fn parameters(&self) -> SearchParameters {
        SearchParameters { depth: self.depth, ..SearchParameters::default() }
    }

    fn go(&mut self) -> Result<(), BoxError> {
        self.finish(true);
        let time = self.game.clock().time(self.game.is_black(), false);
        let parameters = SearchParameters { soft_ms: time.soft_ms, most_ms: time.most_ms, ..self.parameters() };
        let (searcher, session) = (Arc::clone(&self.searcher), self.position()?);
        self.begin("go", move |output, stop| running::choose(&searcher, &*session, parameters, output, stop))
    }

    fn hint(&mut self, count: u32) -> Result<(), BoxError> {
        self.finish(true);
        let parameters = SearchParameters { values: Some(count), ..self.parameters() };
        let (searcher, session) = (Arc::clone(&self.searcher), self.position()?);
        self.begin("hint", move |output, stop| running::hint(&searcher, &*session, parameters, output, stop))
    }

    fn analyze(&mut self) -> Result<(), BoxError> {
        self.finish(true);
        self.is_known()?;
        let parameters = SearchParameters { values: Some(1), ..self.parameters() };
        let (searcher, begin, moves) = (Arc::clone(&self.searcher), self.game.begin.clone(), self.game.moves.clone());
        self.begin("analyze", move |output, stop| {
            running::analyze(&searcher, begin.as_deref(), &moves, parameters, output, stop)
        })
    }

    /// Fails unless `game` is the board's.
    fn is_known(&self) -> Result<(), BoxError> {
        let refusal = "no position, since the last game or move was refused: expected `set game`";
        self.known.then_some(()).ok_or_else(|| refusal.into())
    }

    /// A separate session of the position: the game can continue during the search.
    fn position(&self) -> Result<Box<dyn tesuji_core::catalog::AnySession>, BoxError> {
        self.is_known()?;
        Ok(self.searcher.searches.open(None, self.game.begin.as_deref(), &self.game.moves)?)
    }

    /// Searches on a separate thread for a command. A failure is reported on the status line.
    fn begin(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&Output, &Stop) -> Result<(), BoxError> + Send + 'static,
    ) -> Result<(), BoxError> {
        let output = self.output.clone();
        self.running = Some(SearchThread::begin(move |stop| {
            // A write error is ignored: the board no longer reads.
            if let Err(failed) = work(&output, stop) {
                drop(output.line(&format!("status {name}: {failed}")));
            }
        })?);
        Ok(())
    }
}
