//! Parses the contestants of a match: an engine with options and limits, or another program with its command line.

use std::time::Duration;

use serde_json::{Map, Value};
use tesuji::matches::{CatalogEngine, Contestant};
use tesuji::protocols::{Program, Protocol};
use tesuji_core::catalog::{BudgetField, BudgetRequest, parse_parameters};

/// The section of `--help` on contestants.
pub const CONTESTANTS: &str = "\
Engines of this program:
  NAME, or NAME:KEY=VALUE,…  The keys are the engine's options (c is short for exploration), the limits of a move
  (time_ms, cpu_ms, simulations, nodes, depth, memory_mb; default: 1000 ms), clock_ms and increment_ms (a clock for the
  whole game, which the engine divides among its moves), threads, seed, level, variety, and children (best; or all, which
  spends part of the budget on the values of all children, as searches over HTTP do).
      mcts:simulations=2000,c=0.7      negamax:depth=6      auto:time_ms=50      auto:level=3

Other programs:
  uci:COMMAND, uci[KEY=VALUE,…]:COMMAND          Xiangqi over UCI
  ucci:COMMAND, ucci[KEY=VALUE,…]:COMMAND        Xiangqi over UCCI 3.0
  gomocup:COMMAND, gomocup[KEY=VALUE,…]:COMMAND  Gomoku over the Gomocup protocol
  nboard[depth=N,KEY=VALUE,…]:COMMAND            Reversi over the NBoard protocol, version 2
  COMMAND is a program and its arguments; quotes and backslashes keep blanks. The keys:
      time_ms        milliseconds per move (default: 1000 if there is no limit; not NBoard)
      nodes, depth   other limits of a move (Gomocup: sent as INFO max_node and INFO max_depth, which not all programs
                     support; UCCI: instead of time_ms, since the protocol takes one limit; NBoard: depth only, required)
      clock_ms       milliseconds for the whole game (Gomocup only: INFO timeout_match and time_left); a program that
                     exceeds it by more than a second loses the game
      lost_after_ms  a longer move loses the game (default: time_ms, or else clock_ms, plus 1000; 60000 without either)
      delay_ms       minimum pause between the program's move and the next command sent to it (default: 0; at most 10000)
      memory_mb      sent as the option Hash (UCCI: hashsize), or as INFO max_memory (not NBoard)
      threads        sent as the option Threads, or as INFO thread_num (not UCCI, not NBoard)
      contempt       value of draws in the program's book, in discs from Black's view (NBoard only)
      ranks          from_zero or from_one: the program's numbering of the ranks (UCI only)
  Any other key is sent as an option of that name (UCI, UCCI), or as INFO KEY VALUE (Gomocup). Over NBoard, both clocks
  show 24 hours, and the program is not asked for passes.
      'uci[time_ms=100,UCI_Variant=xiangqi,ranks=from_one]:fairy-stockfish'
      'ucci[time_ms=100,usebook=false]:./eleeye'
      'gomocup[nodes=5000,delay_ms=120]:./pbrain-rapfi'
      'nboard[depth=8]:./ntest x'
  Each game starts the program anew. A program that exits, is too slow or plays an illegal move loses the game.";

/// A contestant and its argument.
#[derive(Clone, Debug)]
pub struct ContestantArgument {
    /// The argument's text.
    pub text: String,
    /// The contestant.
    pub contestant: Contestant,
}

/// Reads a contestant.
pub fn read_contestant(text: &str) -> Result<ContestantArgument, String> {
    let protocols = [
        ("uci", Protocol::Uci),
        ("ucci", Protocol::Ucci),
        ("gomocup", Protocol::Gomocup),
        ("nboard", Protocol::NBoard),
    ];
    let program = protocols.into_iter().find_map(|(name, protocol)| {
        let rest = text.strip_prefix(name)?;
        rest.starts_with([':', '[']).then(|| read_program(protocol, rest))
    });
    let contestant = match program {
        Some(program) => Contestant::Program(program?),
        None => Contestant::Engine(read_own(parse_parameters(text)?)?),
    };
    Ok(ContestantArgument { text: text.to_owned(), contestant })
}

/// Reads a whole number.
fn number(key: &str, value: &Value) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| format!("{key}: expected a whole number, not {value}"))
}

fn threads(value: &Value) -> Result<u32, String> {
    u32::try_from(number("threads", value)?).map_err(|_| "threads: expected a smaller number".to_owned())
}

/// The limit that a key names.
fn limit<'a>(budget: &'a mut BudgetRequest, key: &str) -> Option<&'a mut Option<u64>> {
    BudgetField::named(key).map(|field| (field.of)(budget))
}

/// Separates limits, threads and seed from the engine's own options.
fn read_own(engine: Value) -> Result<CatalogEngine, String> {
    let Value::Object(fields) = engine else {
        return Ok(CatalogEngine { engine: Some(engine), ..CatalogEngine::default() });
    };
    let mut own = CatalogEngine::default();
    let mut options = Map::new();
    for (key, value) in fields {
        if let Some(limit) = limit(&mut own.budget, &key) {
            *limit = Some(number(&key, &value)?);
            continue;
        }
        match key.as_str() {
            "threads" => own.threads = Some(threads(&value)?),
            "children" => {
                own.branches.all = match value.as_str() {
                    Some("all") => true,
                    Some("best") => false,
                    _ => return Err(format!("children: expected all or best, not {value}")),
                }
            }
            "clock_ms" => {
                own.clock.get_or_insert_default().main = Duration::from_millis(number(&key, &value)?);
            }
            "increment_ms" => {
                own.clock.get_or_insert_default().increment = Duration::from_millis(number(&key, &value)?);
            }
            "seed" => own.seed = Some(number(&key, &value)?),
            "level" => {
                let level = u8::try_from(number(&key, &value)?).map_err(|_| "level: expected 1 to 10".to_owned())?;
                own.strength.level = Some(level);
            }
            "variety" => {
                let problem = || format!("variety: expected a number from 0 to 1, not {value}");
                own.strength.variety = value.as_f64().ok_or_else(problem)?;
            }
            "c" => {
                options.insert("exploration".to_owned(), value);
            }
            _ => {
                options.insert(key, value);
            }
        }
    }
    own.engine = Some(Value::Object(options));
    Ok(own)
}

/// Without a time limit, a program loses the game by a move longer than this.
const DEFAULT_LOST_AFTER_MS: u64 = 60_000;
/// The longest delay before a program's next command.
const MOST_DELAY_MS: u64 = 10_000;
/// How far a move may exceed its time: the machine may be busy.
const MARGIN_MS: u64 = 1000;
/// The time per move of a program without any limit, as for this program's engines.
const DEFAULT_TIME_MS: u64 = 1000;

/// Reads what follows the protocol's name: `:COMMAND` or `[KEY=VALUE,…]:COMMAND`.
fn read_program(protocol: Protocol, rest: &str) -> Result<Program, String> {
    let (keys, command) = match rest.strip_prefix('[') {
        None => ("", rest.trim_start_matches(':')),
        Some(rest) => rest.split_once("]:").ok_or("expected `]:` and the command after the keys")?,
    };
    let mut program = Program {
        protocol,
        command: split_command(command)?,
        budget: BudgetRequest::default(),
        threads: None,
        lost_after: Duration::ZERO,
        clock: None,
        delay: Duration::ZERO,
        notation: Vec::new(),
        options: Vec::new(),
    };
    let mut lost_after_ms = None;
    for pair in keys.split(',').filter(|pair| !pair.is_empty()) {
        let Some((key, text)) = pair.split_once('=') else { return Err(format!("`{pair}`: expected KEY=VALUE")) };
        let value = text.parse().map_or_else(|_| text.into(), Value::Number);
        let counts = match protocol {
            Protocol::Uci | Protocol::Ucci | Protocol::Gomocup => {
                matches!(key, "time_ms" | "nodes" | "depth" | "memory_mb")
            }
            Protocol::NBoard => key == "depth",
        };
        match (limit(&mut program.budget, key), key) {
            (Some(limit), _) if counts => match number(key, &value)? {
                0 => return Err(format!("{key}: expected at least 1")),
                value => *limit = Some(value),
            },
            (Some(_), _) => return Err(format!("{key}: this protocol has no such limit")),
            (None, "threads") if matches!(protocol, Protocol::Ucci | Protocol::NBoard) => {
                return Err("threads: this protocol cannot set them; pass them to the program in COMMAND".to_owned());
            }
            (None, "threads") => program.threads = Some(threads(&value)?),
            (None, "lost_after_ms") => lost_after_ms = Some(number(key, &value)?),
            (None, "clock_ms") if protocol == Protocol::Gomocup => match number(key, &value)? {
                0 => return Err("clock_ms: expected at least 1".to_owned()),
                clock => program.clock = Some(Duration::from_millis(clock)),
            },
            (None, "delay_ms") => match number(key, &value)? {
                delay @ 0..=MOST_DELAY_MS => program.delay = Duration::from_millis(delay),
                _ => return Err(format!("delay_ms: expected at most {MOST_DELAY_MS}")),
            },
            (None, "ranks") if protocol == Protocol::Uci => program.notation.push((key.to_owned(), value)),
            (None, _) if protocol == Protocol::NBoard && key != "contempt" => {
                return Err(format!("`{key}`: expected depth, contempt, lost_after_ms or delay_ms"));
            }
            (None, _) => program.options.push((key.to_owned(), text.to_owned())),
        }
    }
    let budget = &mut program.budget;
    let limits = [budget.time_ms, budget.nodes, budget.depth].iter().flatten().count();
    if protocol == Protocol::Ucci && limits > 1 {
        return Err("expected one of time_ms, nodes and depth: this protocol takes one limit".to_owned());
    }
    if protocol == Protocol::NBoard {
        budget.depth.ok_or("depth: expected a number of plies; a move has no other limit over this protocol")?;
    } else if program.clock.is_none() && limits == 0 {
        budget.time_ms = Some(DEFAULT_TIME_MS);
    }
    let clock = program.clock.map(|clock| clock.as_millis() as u64);
    let default_lost_after_ms =
        budget.time_ms.or(clock).map_or(DEFAULT_LOST_AFTER_MS, |time| time.saturating_add(MARGIN_MS));
    program.lost_after = Duration::from_millis(lost_after_ms.unwrap_or(default_lost_after_ms));
    Ok(program)
}

/// Splits a command line as a shell does: quotes and backslashes keep blanks.
fn split_command(text: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(text).ok_or("the command has a quote that is not closed, or ends in a backslash")?;
    if words.is_empty() { Err("expected the command that starts the program".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn own(text: &str) -> CatalogEngine {
        match read_contestant(text).expect("it is an engine").contestant {
            Contestant::Engine(own) => own,
            Contestant::Program(program) => panic!("{program:?}"),
        }
    }

    fn program(text: &str) -> Program {
        match read_contestant(text).expect("it is a program").contestant {
            Contestant::Program(program) => program,
            Contestant::Engine(own) => panic!("{own:?}"),
        }
    }

    #[test]
    fn engines_are_separated_from_their_limits() {
        let read = own("mcts:simulations=2000,c=0.7,final_move=max,threads=2,seed=5");
        assert_eq!(read.engine, Some(json!({ "name": "mcts", "exploration": 0.7, "final_move": "max" })));
        assert_eq!(read.budget, BudgetRequest { simulations: Some(2000), ..BudgetRequest::default() });
        assert_eq!((read.threads, read.seed), (Some(2), Some(5)));
        assert!(own("negamax:children=all").branches.all);
        assert_eq!(own("negamax").engine, Some(json!("negamax")));
        assert_eq!(own(r#"{"name":"mcts","time_ms":5}"#).budget.time_ms, Some(5));
    }

    #[test]
    fn programs_have_a_command_and_keys() {
        let read = program("uci[time_ms=100,UCI_Variant=xiangqi,ranks=from_one,threads=2]:'a b' --x \"y  z\"");
        assert_eq!(read.command, ["a b", "--x", "y  z"]);
        assert_eq!(read.budget, BudgetRequest { time_ms: Some(100), ..BudgetRequest::default() });
        assert_eq!(read.lost_after, Duration::from_millis(1100));
        assert_eq!(read.notation, [("ranks".to_owned(), json!("from_one"))]);
        assert_eq!(read.options, [("UCI_Variant".to_owned(), "xiangqi".to_owned())]);
        assert_eq!(read.threads, Some(2));
        let read = program("gomocup:brain");
        assert_eq!((read.command.as_slice(), read.budget.time_ms), (&["brain".to_owned()][..], Some(1000)));
        let read = program("ucci[nodes=9,usebook=false]:eleeye");
        assert_eq!((read.protocol, read.budget.nodes, read.budget.time_ms), (Protocol::Ucci, Some(9), None));
        assert_eq!(read.options, [("usebook".to_owned(), "false".to_owned())]);
        let read = program("nboard[depth=6,contempt=-2]:ntest x");
        assert_eq!((read.budget.depth, read.budget.time_ms), (Some(6), None));
        assert_eq!(read.options, [("contempt".to_owned(), "-2".to_owned())]);
        let read = program("gomocup[nodes=5000,depth=9,delay_ms=120]:brain");
        assert_eq!(read.budget, BudgetRequest { nodes: Some(5000), depth: Some(9), ..BudgetRequest::default() });
        assert_eq!((read.delay, read.lost_after), (Duration::from_millis(120), Duration::from_secs(60)));
        let read = program("gomocup[clock_ms=30000]:brain");
        assert_eq!((read.clock, read.budget.time_ms), (Some(Duration::from_secs(30)), None));
        assert_eq!(read.lost_after, Duration::from_secs(31));
        assert_eq!(program("uci[depth=3]:x").lost_after, Duration::from_secs(60));
        assert_eq!(program("uci[depth=3,lost_after_ms=70]:x").lost_after, Duration::from_millis(70));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let cases = [
            ("mcts:simulations=many", "simulations: expected a whole number, not \"many\""),
            ("mcts:simulations", "`simulations`: expected KEY=VALUE"),
            ("negamax:children=some", "children: expected all or best"),
            ("uci:", "expected the command"),
            ("uci[depth=3:x", "expected `]:`"),
            ("uci[depth]:x", "`depth`: expected KEY=VALUE"),
            ("uci[depth=0]:x", "depth: expected at least 1"),
            ("uci[simulations=3]:x", "simulations: this protocol has no such limit"),
            ("ucci[nodes=3,depth=2]:x", "expected one of time_ms, nodes and depth"),
            ("ucci[threads=2]:x", "threads: this protocol cannot set them"),
            ("gomocup[simulations=3]:x", "simulations: this protocol has no such limit"),
            ("gomocup[nodes=0]:x", "nodes: expected at least 1"),
            ("gomocup[clock_ms=0]:x", "clock_ms: expected at least 1"),
            ("gomocup[delay_ms=soon]:x", "delay_ms: expected a whole number, not \"soon\""),
            ("gomocup[delay_ms=-1]:x", "delay_ms: expected a whole number, not -1"),
            ("uci[delay_ms=10001]:x", "delay_ms: expected at most 10000"),
            ("nboard:x", "depth: expected a number of plies"),
            ("nboard[depth=3,time_ms=9]:x", "time_ms: this protocol has no such limit"),
            ("nboard[depth=3,memory_mb=9]:x", "memory_mb: this protocol has no such limit"),
            ("nboard[depth=3,threads=2]:x", "threads: this protocol cannot set them"),
            ("nboard[depth=3,level=2]:x", "`level`: expected depth, contempt, lost_after_ms or delay_ms"),
            ("uci:'x", "the command has a quote that is not closed"),
        ];
        for (text, expected) in cases {
            let refusal = read_contestant(text).expect_err("it is refused");
            assert!(refusal.starts_with(expected), "{text}: {refusal}");
        }
    }
}
