//! `tesuji play`: a game against an engine, line by line, at a terminal or from a script.

use std::io::{BufRead, IsTerminal, Write, stdin, stdout};

use tesuji_core::api::{ReportRequest, SearchRequest, SearchResponse};
use tesuji_core::catalog::{AnySession, Catalog, View};
use tesuji_core::position::Side;

use super::arguments::{Beginning, PlayArguments, RecordedGame, parse_position};
use super::searcher::{Interrupt, Searcher};
use super::{Failed, words};

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
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let mut table = GameTable::set(arguments)?;
    let mut out = stdout().lock();
    writeln!(out, "You play {}, the engine {}. {HELP}", table.human, table.human.other())?;
    table.play(&mut stdin().lock(), &mut out)
}

/// Maximum size of the tree kept from one move to the next, in bytes.
const KEPT: u64 = 1 << 30;
const HELP: &str = "Type a move, or: moves, hint, undo, quit.";

/// The notation of a forced pass in this project's games.
const PASS: &str = "pass";

/// The human's input.
enum Said<'a> {
    Nothing,
    Quit,
    Help,
    Moves,
    Hint,
    Undo,
    Move(&'a str),
}

impl<'a> Said<'a> {
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
struct GameTable<'a> {
    arguments: &'a Arguments,
    catalog: Catalog,
    searcher: Searcher,
    request: SearchRequest,
    human: Side,
    beginning: Beginning,
    played: Vec<Played>,
    session: Box<dyn AnySession>,
}

/// Whether the game continues.
#[derive(PartialEq)]
enum Next {
    GoesOn,
    Quits,
}

impl<'a> GameTable<'a> {
    fn set(arguments: &'a Arguments) -> Result<Self, Failed> {
        let catalog = arguments.game.catalog()?;
        let beginning = arguments.game.begin(&catalog, arguments.position.as_deref())?;
        let session = beginning.open(&catalog, &beginning.all_moves())?;
        let request = SearchRequest {
            report: Some(ReportRequest::BEST),
            ..arguments.search.request(arguments.game.name(&catalog))
        };
        let searcher = Searcher::keeping(KEPT)?;
        // Refused now rather than in the middle of a game.
        searcher.prepare(&*session, &request.spec(None))?;
        Ok(Self {
            session,
            beginning,
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
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failed> {
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
                self.make(PASS.to_owned(), None)?;
            } else if self.human_moves(&view, input, out)? == Next::Quits {
                return Ok(());
            }
        }
    }

    fn engine_moves(&mut self, out: &mut impl Write) -> Result<(), Failed> {
        let answer = self.ask()?;
        let mv = answer.mv.ok_or_else(|| Failed::broken("the engine found no move"))?;
        writeln!(out, "The engine plays {mv}   its evaluation: {}", words::chances(&answer.root.knowledge))?;
        self.make(mv, Some(self.human.other()))
    }

    /// Reads the human's commands until the board changes or the human leaves.
    fn human_moves(&mut self, view: &View, input: &mut impl BufRead, out: &mut impl Write) -> Result<Next, Failed> {
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
                return Ok(Next::Quits);
            }
            match Said::read(&line) {
                Said::Nothing => {}
                Said::Quit => return Ok(Next::Quits),
                Said::Help => writeln!(out, "{HELP}")?,
                Said::Moves => writeln!(out, "{}", view.legal_moves.join(" "))?,
                Said::Hint => self.hint(out)?,
                Said::Undo => {
                    if self.undo()? {
                        return Ok(Next::GoesOn);
                    }
                    writeln!(out, "You have no move to take back.")?;
                }
                Said::Move(text) => match self.session.read_move(text) {
                    Ok(mv) => {
                        self.make(mv, Some(self.human))?;
                        return Ok(Next::GoesOn);
                    }
                    Err(illegal) => writeln!(out, "{illegal}")?,
                },
            }
        }
    }

    /// Prints the best moves at full strength: a level can choose a bad one.
    fn hint(&self, out: &mut impl Write) -> Result<(), Failed> {
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
    fn undo(&mut self) -> Result<bool, Failed> {
        let Some(last) = self.played.iter().rposition(|played| played.chosen_by == Some(self.human)) else {
            return Ok(false);
        };
        self.played.truncate(last);
        let mut moves = self.beginning.all_moves();
        moves.extend(self.played.iter().map(|played| played.mv.clone()));
        self.session = self.beginning.open(&self.catalog, &moves)?;
        Ok(true)
    }

    fn ask(&self) -> Result<SearchResponse, Failed> {
        self.searcher.answer(&*self.session, &self.request, Interrupt::EndsProgram)
    }

    fn make(&mut self, mv: String, chosen_by: Option<Side>) -> Result<(), Failed> {
        self.session.play(&mv)?;
        self.played.push(Played { mv, chosen_by });
        Ok(())
    }
}
