//! The calls that searches make, each on an engine of the calling thread.

use std::cell::RefCell;
use std::sync::Arc;

use rquickjs::Value;
use sha2::{Digest as _, Sha256};
use tesuji_core::custom::{Bytes, Fault, Limits, MoveCells, Rules, State, Status};
use tesuji_core::position::{Outcome, Side};

use super::engine::{Call, Engine, Failed, Plays, TEXT};
use super::json::{Writer, length};
use crate::rules::REASON;

/// Engines kept per thread, for games searched in turn.
const KEPT: usize = 4;

thread_local! {
    /// Engines of this thread, each with its script's id, the most recently used first.
    static ENGINES: RefCell<Vec<(u64, Engine)>> = const { RefCell::new(Vec::new()) };
}

/// The rules of a script.
#[derive(Debug)]
pub(crate) struct ScriptRules {
    /// Distinguishes engines of different scripts.
    pub id: u64,
    pub source: Arc<str>,
    /// The name of its file in messages.
    pub file: String,
    pub name: String,
    pub identity: String,
    pub score_limit: i16,
    pub reads_positions: bool,
    pub limits: Limits,
}

/// The player with this number in scripts.
fn player(value: &Value<'_>) -> Option<Side> {
    match value.as_number()? {
        1.0 => Some(Side::First),
        2.0 | -1.0 => Some(Side::Second),
        _ => None,
    }
}

/// A value as shown in messages.
fn shown(value: &Value<'_>) -> String {
    match value.as_number() {
        Some(number) => number.to_string(),
        None => Writer::new(40).write(value).unwrap_or_else(|_| value.type_of().as_str().to_owned()),
    }
}

impl ScriptRules {
    /// Calls functions on this thread's engine, which is discarded if a call fails.
    fn run<T>(
        &self,
        work: impl for<'js> FnOnce(&Engine, &Call<'_, 'js>) -> Result<T, Failed>,
    ) -> Result<Result<T, Failed>, Fault> {
        ENGINES.with_borrow_mut(|engines| {
            match engines.iter().position(|(id, _)| *id == self.id) {
                Some(0) => {}
                Some(index) => engines[..=index].rotate_right(1),
                None => {
                    engines.truncate(KEPT - 1);
                    let engine = Engine::new(&self.source, &self.file, self.limits);
                    engines.insert(0, (self.id, engine.map_err(|failed| self.fault(failed))?));
                }
            }
            let engine = &engines[0].1;
            let result = engine.run(&self.file, |call| work(engine, call));
            if result.is_err() {
                engines.remove(0);
            }
            Ok(result)
        })
    }

    fn call<T>(&self, work: impl for<'js> FnOnce(&Engine, &Call<'_, 'js>) -> Result<T, Failed>) -> Result<T, Fault> {
        self.run(work)?.map_err(|failed| self.fault(failed))
    }

    fn fault(&self, failed: Failed) -> Fault {
        Fault { game: self.name.clone(), function: failed.function, reason: failed.reason }
    }

    /// Converts a state returned by a function to a position.
    fn state<'js>(
        &self,
        engine: &Engine,
        call: &Call<'_, 'js>,
        function: &'static str,
        state: &Value<'js>,
    ) -> Result<State, Failed> {
        let bytes = Bytes::from_slice(call.json(function, state, self.limits.position)?.as_bytes());
        // `winner` and `turn` get the position as later calls do, read from its text.
        let outcome = self.outcome(call, &call.parse(function, &bytes)?)?;
        let turn = match engine.has("turn") {
            true => call.call("turn", (call.parse("turn", &bytes)?,))?,
            false => call.member(function, state, "player")?,
        };
        let turn = match (player(&turn), outcome) {
            (Some(side), _) => side,
            // Nobody moves at the end.
            (None, Some(_)) => Side::First,
            (None, None) if engine.has("turn") => {
                let reason = format!("it returned {}; expected 1 or 2 (or -1)", shown(&turn));
                return Err(Failed::new("turn", reason));
            }
            (None, None) => {
                let reason =
                    format!("`state.player` is {}; expected 1 or 2 (or -1), or a function `turn(state)`", shown(&turn));
                return Err(Failed::new(function, reason));
            }
        };
        Ok(State { bytes, status: Status { turn, outcome } })
    }

    fn outcome<'js>(&self, call: &Call<'_, 'js>, state: &Value<'js>) -> Result<Option<Outcome>, Failed> {
        let winner = call.call("winner", (state.clone(),))?;
        if winner.is_null() || winner.is_undefined() {
            return Ok(None);
        }
        let outcome = self.ended("winner", &winner)?;
        if self.score_limit == 1 {
            return Ok(Some(outcome));
        }
        let points = call.call("points", (state.clone(),))?;
        let margin = self.margin("points", &points)?;
        if margin.score().signum() != outcome.score().signum() {
            let reason = format!("it returned {} where `winner` returned {}", shown(&points), shown(&winner));
            return Err(Failed::new("points", reason));
        }
        Ok(Some(margin))
    }

    /// Reads the winner.
    fn ended(&self, function: &'static str, winner: &Value<'_>) -> Result<Outcome, Failed> {
        match player(winner) {
            Some(side) => Ok(Outcome::win(side, REASON)),
            None if winner.as_number() == Some(0.0) => Ok(Outcome::draw(REASON)),
            None => {
                let expected = "expected null while the game goes on, 1 or 2 (or -1) for the winner, 0 for a draw";
                Err(Failed::new(function, format!("it returned {}; {expected}", shown(winner))))
            }
        }
    }

    /// Reads a margin.
    fn margin(&self, function: &'static str, points: &Value<'_>) -> Result<Outcome, Failed> {
        let limit = self.score_limit;
        let number = points.as_number().filter(|number| number.fract() == 0.0 && number.abs() <= f64::from(limit));
        let number = number.ok_or_else(|| {
            let reason = format!("it returned {}; expected a whole number from -{limit} to {limit}", shown(points));
            Failed::new(function, reason)
        })?;
        Ok(Outcome::points(number as i16, REASON))
    }

    /// The legal plays of a position.
    fn plays(&self, engine: &Engine, call: &Call<'_, '_>, position: &[u8]) -> Result<Plays, Failed> {
        const NAME: &str = "legalPlays";
        if let Some(plays) = engine.cache.borrow().plays(position) {
            return Ok(plays);
        }
        let result = call.call(NAME, (call.parse(NAME, position)?,))?;
        let array = result
            .as_array()
            .ok_or_else(|| Failed::new(NAME, format!("it returned {}; expected an array", shown(&result))))?;
        let most = self.limits.moves;
        let count = call.result(NAME, length(array))?;
        if count > most {
            return Err(Failed::new(NAME, format!("{count} moves; expected at most {most}")));
        }
        let mut writer = Writer::new(TEXT);
        let plays = (0..count).map(|index| writer.write(&array.get::<Value<'_>>(index)?));
        let plays: Result<Vec<String>, _> = plays.collect();
        let plays = Plays::from(call.written(NAME, plays, TEXT)?);
        engine.cache.borrow_mut().add_plays(position, &plays);
        Ok(plays)
    }

    /// Calls a function of a position and one of its plays.
    fn of_play<'js>(
        &self,
        engine: &Engine,
        call: &Call<'_, 'js>,
        function: &'static str,
        (position, mv): (&[u8], u32),
    ) -> Result<Value<'js>, Failed> {
        let plays = self.plays(engine, call, position)?;
        let play = of_number(&plays, mv, function)?;
        call.call(function, (call.parse(function, position)?, call.parse(function, play.as_bytes())?))
    }
}

/// A play by its number.
fn of_number<'a>(plays: &'a [String], mv: u32, function: &'static str) -> Result<&'a String, Failed> {
    plays
        .get(mv as usize)
        .ok_or_else(|| Failed::new(function, format!("the position has {} plays, not one of number {mv}", plays.len())))
}

/// A text that a function has returned.
fn text(function: &'static str, value: &Value<'_>) -> Result<String, Failed> {
    let text = value.as_string().and_then(|text| text.to_string().ok()).filter(|text| text.len() <= TEXT);
    text.ok_or_else(|| Failed::new(function, format!("it returned {}; expected a string", shown(value))))
}

/// A rounded number that a function has returned.
fn number(function: &'static str, value: &Value<'_>) -> Result<i32, Failed> {
    let number = value.as_number().map(f64::round);
    let number = number.filter(|number| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(number));
    let failed = || Failed::new(function, format!("it returned {}; expected a 32-bit number", shown(value)));
    number.map(|number| number as i32).ok_or_else(failed)
}

impl Rules for ScriptRules {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn score_limit(&self) -> i16 {
        self.score_limit
    }

    fn reads_positions(&self) -> bool {
        self.reads_positions
    }

    fn start(&self, variant: &serde_json::Value) -> Result<State, Fault> {
        let variant = variant.to_string();
        self.call(|engine, call| {
            let state = call.call("start", (call.parse("start", variant.as_bytes())?,))?;
            self.state(engine, call, "start", &state)
        })
    }

    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault> {
        self.call(|engine, call| {
            moves.extend(0..self.plays(engine, call, position)?.len() as u32);
            Ok(())
        })
    }

    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault> {
        self.call(|engine, call| {
            if let Some(state) = engine.cache.borrow().after(position, mv) {
                return Ok(state);
            }
            let state = self.of_play(engine, call, "nextState", (position, mv))?;
            let state = self.state(engine, call, "nextState", &state)?;
            engine.cache.borrow_mut().add_state(position, mv, &state);
            Ok(state)
        })
    }

    fn write_move(&self, position: &[u8], mv: u32) -> Result<String, Fault> {
        self.call(|engine, call| {
            if engine.has("playText") {
                return text("playText", &self.of_play(engine, call, "playText", (position, mv))?);
            }
            let plays = self.plays(engine, call, position)?;
            let play = of_number(&plays, mv, "legalPlays")?;
            // A text is written as it is, another value as JSON.
            Ok(serde_json::from_str(play).unwrap_or_else(|_| play.clone()))
        })
    }

    fn write_position(&self, position: &[u8]) -> Result<String, Fault> {
        const NAME: &str = "positionText";
        self.call(|engine, call| {
            if !engine.has(NAME) {
                return Ok(String::from_utf8_lossy(position).into_owned());
            }
            text(NAME, &call.call(NAME, (call.parse(NAME, position)?,))?)
        })
    }

    fn read_position(&self, variant: &serde_json::Value, text: &str) -> Result<Result<State, String>, Fault> {
        const NAME: &str = "parsePosition";
        let variant = variant.to_string();
        let read = self.run(|engine, call| {
            if !engine.has(NAME) {
                return Ok(Err("the game reads no positions; expected moves from the start".to_owned()));
            }
            let state = call.call(NAME, (text, call.parse(NAME, variant.as_bytes())?))?;
            self.state(engine, call, NAME, &state).map(Ok)
        })?;
        // An exception thrown by the script refuses the text.
        read.or_else(|failed| match failed.thrown && failed.function == NAME {
            true => Ok(Err(failed.reason)),
            false => Err(self.fault(failed)),
        })
    }

    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault> {
        self.call(|engine, call| {
            if !engine.has("cells") {
                return Ok(Vec::new());
            }
            let cells = call.call("cells", (call.parse("cells", position)?,))?;
            let cells: Result<Vec<Option<String>>, _> = serde_json::from_str(&call.json("cells", &cells, TEXT)?);
            let cells =
                cells.map_err(|error| Failed::new("cells", format!("expected an array of strings: {error}")))?;
            Ok(cells.into_iter().map(Option::unwrap_or_default).collect())
        })
    }

    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault> {
        const NAME: &str = "moveCells";
        self.call(|engine, call| {
            if !engine.has(NAME) {
                return Ok(MoveCells::default());
            }
            let cells = self.of_play(engine, call, NAME, (position, mv))?;
            let cells = serde_json::from_str(&call.json(NAME, &cells, TEXT)?);
            cells.map_err(|error| Failed::new(NAME, format!("expected an object of cells: {error}")))
        })
    }

    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault> {
        const NAME: &str = "playout";
        self.call(|_, call| {
            let result = call.call(NAME, (call.parse(NAME, position)?, call.random(seed)?))?;
            let is_for_points = self.score_limit > 1;
            let outcome = if is_for_points { self.margin(NAME, &result) } else { self.ended(NAME, &result) };
            outcome.map(Some)
        })
    }

    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault> {
        const NAME: &str = "symmetry";
        self.call(|engine, call| {
            if !engine.has(NAME) {
                return Ok(None);
            }
            let key = call.call(NAME, (call.parse(NAME, position)?,))?;
            let digest = Sha256::digest(call.json(NAME, &key, TEXT)?.as_bytes());
            Ok(digest.first_chunk().map(|first| u64::from_le_bytes(*first)))
        })
    }

    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault> {
        const NAME: &str = "evaluate";
        self.call(|engine, call| {
            if !engine.has(NAME) {
                return Ok(0);
            }
            number(NAME, &call.call(NAME, (call.parse(NAME, position)?,))?)
        })
    }

    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault> {
        const NAME: &str = "priority";
        self.call(|engine, call| {
            if !engine.has(NAME) {
                return Ok(None);
            }
            number(NAME, &self.of_play(engine, call, NAME, (position, mv))?).map(Some)
        })
    }
}
