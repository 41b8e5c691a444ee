//! `tesuji play`: a game against an engine, line by line, at a terminal or from a script.

use std::io::{BufRead, IsTerminal, Write, stdin, stdout};

use tesuji_core::api::{ReportRequest, SearchRequest, SearchResponse};
use tesuji_core::catalog::{AnySession, Catalog, View};
use tesuji_core::position::Side;

use super::arguments::{GameStart, PlayArguments, RecordedGame, parse_position};
use super::searcher::{Interrupt, Searcher};
use super::{CommandError, words};

/// Options of `play`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// The position in the game's notation (default: the start position).
    #[arg(long, allow_hyphen_values = true, value_parser = parse_position)]
    position: Option<String>,
    /// The side you play; first moves first from the start position.
    #[arg(long, value_enum, default_value_t = Seat::First)]
    side: Seat,
    #[command(flatten)]
    search: PlayArguments,
}

/// A side, as an argument.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Seat {
    First,
    Second,
}

/// Plays one game.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let mut game = InteractiveGame::new(arguments)?;
    let mut out = stdout().lock();
    writeln!(out, "You play {}, the engine {}. {HELP}", game.human, game.human.other())?;
    game.play(&mut stdin().lock(), &mut out)
}

/// Maximum size of the tree kept from one move to the next, in bytes.
const TREE_CACHE_BYTES: u64 = 1 << 30;
const HELP: &str = "Type a move, or: moves, hint, undo, quit.";

/// The notation of a forced pass in this project's games.
const PASS: &str = "pass";

/// The human's input.
enum HumanCommand<'a> {
    Nothing,
    Quit,
    Help,
    Moves,
    Hint,
    Undo,
    Move(&'a str),
}

impl<'a> HumanCommand<'a> {
    fn read(line: &'a str) -> Self {
        match line.trim() {
            "" => Self::Nothing,
            "quit" | "exit" => Self::Quit,
            "help" => Self::Help,
            "?" | "moves" => Self::Moves,
            "hint" => Self::Hint,
            "undo" => Self::Undo,
            text => Self::Move(text),
        }
    }
}

/// A move of this game, and the side that chose it (none for a forced pass).
struct Played {
    mv: String,
    chosen_by: Option<Side>,
}

/// One game between a human and an engine.
struct InteractiveGame<'a> {
    arguments: &'a Arguments,
    catalog: Catalog,
    searcher: Searcher,
    request: SearchRequest,
    human: Side,
    game_start: GameStart,
    played: Vec<Played>,
    session: Box<dyn AnySession>,
}

/// Whether the game continues.
#[derive(PartialEq)]
enum Flow {
    Continue,
    Quit,
}

impl<'a> InteractiveGame<'a> {
    fn new(arguments: &'a Arguments) -> Result<Self, CommandError> {
        let catalog = arguments.game.catalog()?;
        let game_start = arguments.game.read_start(&catalog, arguments.position.as_deref())?;
        let session = game_start.open(&catalog, &game_start.all_moves())?;
        let request = SearchRequest {
            report: Some(ReportRequest::BEST),
            ..arguments.search.request(arguments.game.name(&catalog))
        };
        let searcher = Searcher::with_tree_cache(TREE_CACHE_BYTES)?;
        // Refused now rather than in the middle of a game.
        searcher.prepare(&*session, &request.spec(None))?;
        Ok(Self {
            session,
            game_start,
            played: Vec::new(),
            human: match arguments.side {
                Seat::First => Side::First,
                Seat::Second => Side::Second,
            },
            request,
            searcher,
            catalog,
            arguments,
        })
    }

    /// Plays to the end of the game or of the input. A side can move twice in a row.
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), CommandError> {
        loop {
            writeln!(out, "\n{}\n", self.session.draw())?;
            let view = self.session.view();
            if let Some(ended) = &view.outcome {
                let result = match ended.result.winner {
                    None => "A draw",
                    Some(side) if side == self.human => "You win",
                    Some(_) => "You lose",
                };
                writeln!(out, "{result} ({}).", words::manner(ended, view.unit))?;
                return Ok(());
            }
            if view.to_move != self.human {
                self.engine_moves(out)?;
            } else if view.legal_moves == [PASS] {
                writeln!(out, "You have no legal move and pass.")?;
                self.play_move(PASS.to_owned(), None)?;
            } else if self.human_moves(&view, input, out)? == Flow::Quit {
                return Ok(());
            }
        }
    }

    fn engine_moves(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        let answer = self.search_position()?;
        let mv = answer.mv.ok_or_else(|| CommandError::failed("the engine found no move"))?;
        writeln!(out, "The engine plays {mv}   its evaluation: {}", words::chances(&answer.root.knowledge))?;
        self.play_move(mv, Some(self.human.other()))
    }

    /// Reads the human's commands until the board changes or the human leaves.
    fn human_moves(
        &mut self,
        view: &View,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Flow, CommandError> {
        loop {
            write!(out, "your move> ")?;
            out.flush()?;
            let mut bytes = Vec::new();
            let length = input.read_until(b'\n', &mut bytes)?;
            // Input other than UTF-8 is an invalid move, not the end of the game.
            let line = String::from_utf8_lossy(&bytes);
            if !stdin().is_terminal() {
                // A script's input is echoed, so that its transcript reads like a terminal's.
                writeln!(out, "{}", line.trim_end())?;
            }
            if length == 0 {
                return Ok(Flow::Quit);
            }
            match HumanCommand::read(&line) {
                HumanCommand::Nothing => {}
                HumanCommand::Quit => return Ok(Flow::Quit),
                HumanCommand::Help => writeln!(out, "{HELP}")?,
                HumanCommand::Moves => writeln!(out, "{}", view.legal_moves.join(" "))?,
                HumanCommand::Hint => self.hint(out)?,
                HumanCommand::Undo => {
                    if self.undo()? {
                        return Ok(Flow::Continue);
                    }
                    writeln!(out, "You have no move to take back.")?;
                }
                HumanCommand::Move(text) => match self.session.read_move(text) {
                    Ok(mv) => {
                        self.play_move(mv, Some(self.human))?;
                        return Ok(Flow::Continue);
                    }
                    Err(illegal) => writeln!(out, "{illegal}")?,
                },
            }
        }
    }

    /// Prints the best moves at full strength: a level can choose a bad one.
    fn hint(&self, out: &mut impl Write) -> Result<(), CommandError> {
        const HINTS: u64 = 3;
        let report = ReportRequest { multipv: Some(HINTS), ..ReportRequest::BEST };
        let Arguments { search, game, .. } = self.arguments;
        let request = SearchRequest {
            level: None,
            variety: None,
            report: Some(report),
            ..search.request(game.name(&self.catalog))
        };
        let answer = self.searcher.answer(&*self.session, &request, Interrupt::EndsProgram)?;
        for child in answer.children.iter().take(HINTS as usize) {
            writeln!(out, "{:>6}   {}", child.mv, words::chances(&child.knowledge))?;
        }
        Ok(())
    }

    /// Takes back everything since the human's last choice; `false` if there is none.
    fn undo(&mut self) -> Result<bool, CommandError> {
        let Some(last) = self.played.iter().rposition(|played| played.chosen_by == Some(self.human)) else {
            return Ok(false);
        };
        self.played.truncate(last);
        let mut moves = self.game_start.all_moves();
        moves.extend(self.played.iter().map(|played| played.mv.clone()));
        self.session = self.game_start.open(&self.catalog, &moves)?;
        Ok(true)
    }

    fn search_position(&self) -> Result<SearchResponse, CommandError> {
        self.searcher.answer(&*self.session, &self.request, Interrupt::EndsProgram)
    }

    fn play_move(&mut self, mv: String, chosen_by: Option<Side>) -> Result<(), CommandError> {
        self.session.play(&mv)?;
        self.played.push(Played { mv, chosen_by });
        Ok(())
    }
}
