//! The result of a match, accumulated game by game, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use tesuji::matches::{Accepted, Elo, Match, Name, Opening, Record, Spent, Sprt, Tally};

use super::Arguments;
use crate::cli::{CommandError, words};

/// The results of a match so far.
pub struct Summary {
    sprt: Option<Sprt>,
    tally: Tally,
    /// Games won by the first player, and by the second.
    by_side: [u64; 2],
    /// The number of games by the reason of their end and the contestant at fault, if any.
    endings: BTreeMap<(&'static str, Option<Name>), u64>,
    /// The first game decided by a fault: its number, the loser, and the fault.
    fault: Option<(u64, Name, String)>,
    /// The time and work of A and of B.
    spent: [Spent; 2],
}

impl Summary {
    pub fn new(sprt: Option<Sprt>) -> Self {
        let (tally, by_side, spent) = Default::default();
        Self { sprt, tally, by_side, endings: BTreeMap::new(), fault: None, spent }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        self.tally.add(record.half_points());
        if let Some(winner) = record.winner {
            self.by_side[usize::from(winner != record.first)] += 1;
        }
        let culprit = record.fault.as_ref().and(record.winner).map(Name::other);
        if let (None, Some(culprit), Some(fault)) = (&self.fault, culprit, &record.fault) {
            self.fault = Some((record.game, culprit, fault.clone()));
        }
        *self.endings.entry((record.reason, culprit)).or_default() += 1;
        self.spent[0].join(&record.a);
        self.spent[1].join(&record.b);
    }

    /// Whether the test has accepted a hypothesis, so that no more games are needed.
    pub fn is_decided(&self) -> bool {
        self.tally.is_even() && self.accepted().is_some()
    }

    fn accepted(&self) -> Option<Accepted> {
        self.sprt.and_then(|sprt| sprt.accepted(&self.tally))
    }

    /// The summary beside the progress bar.
    pub fn in_short(&self) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        let mut text = format!("A +{wins} ={draws} -{losses}");
        if let Some(elo) = self.tally.elo() {
            text.push_str(&format!("  Elo {}", difference(&elo)));
        }
        if let Some(sprt) = self.sprt {
            text.push_str(&format!("  LLR {}", words::signed(sprt.log_likelihood_ratio(&self.tally), 2)));
        }
        text
    }

    /// The whole result as text.
    pub fn text(&self, played: &Match<'_>, arguments: &Arguments) -> Result<String, CommandError> {
        let mut out = String::new();
        let tally = &self.tally;
        let view = played.rules.open(&Opening::default())?.view();
        let game = format!("{} {}", played.rules.game, words::variant(&view.variant));
        writeln!(out, "{}: {}, seed {}", game.trim_end(), played.openings.describe(), played.seed)?;
        for name in [Name::A, Name::B] {
            writeln!(out, "{name:?}: {}", arguments.contestant_argument(name).text)?;
        }
        let Some(score) = tally.score() else {
            writeln!(out, "\nno game was finished")?;
            return Ok(out);
        };
        let Tally { wins, draws, losses, .. } = tally;
        let games = tally.games();
        let share = words::percent(score);
        writeln!(out, "\nA against B: {wins} won, {draws} drawn, {losses} lost of {games} games: {share} %")?;
        if let (Some(elo), Some(superiority)) = (tally.elo(), tally.superiority()) {
            let superiority = words::percent(superiority);
            writeln!(out, "Elo {}; A is stronger with probability {superiority} %", with_limits(&elo))?;
        }
        if let Some(sprt) = self.sprt {
            writeln!(out, "{}", self.test(sprt))?;
        }
        let [none, half, one, more, both] = tally.pairs;
        writeln!(out, "pairs by A's points: 0: {none}, 0.5: {half}, 1: {one}, 1.5: {more}, 2: {both}")?;
        let [first, second] = self.by_side;
        writeln!(out, "by side: the first player won {first}, the second {second}")?;
        writeln!(out, "a move: A {}; B {}", per_move(&self.spent[0]), per_move(&self.spent[1]))?;
        let endings = self.endings.iter().map(|((reason, culprit), count)| {
            let culprit = culprit.map(|name| format!(" of {name:?}")).unwrap_or_default();
            format!("{}{culprit} {}", reason.replace('_', " "), words::count(*count))
        });
        writeln!(out, "ended by: {}", endings.collect::<Vec<_>>().join(", "))?;
        if let Some((game, culprit, fault)) = &self.fault {
            writeln!(out, "fault of {culprit:?} in game {game}: {fault}")?;
        }
        if games < arguments.games() && self.accepted().is_none() {
            writeln!(out, "note: the match was stopped before all {} games were played", arguments.games())?;
        }
        if let Some(count) = played.openings.count().filter(|&count| (count as u64) < games / 2) {
            writeln!(out, "note: {count} openings for {} pairs: some were played again", games / 2)?;
        }
        Ok(out)
    }

    /// The test's verdict and log-likelihood ratio.
    fn test(&self, sprt: Sprt) -> String {
        let (elo0, elo1) = sprt.hypotheses();
        let ratio = words::signed(sprt.log_likelihood_ratio(&self.tally), 2);
        let limit = Sprt::limit();
        let verdict = match self.accepted() {
            Some(Accepted::Higher) => format!("{elo1:+} is accepted"),
            Some(Accepted::Lower) => format!("{elo0:+} is accepted"),
            None => "undecided".to_owned(),
        };
        format!("SPRT {elo0:+} or {elo1:+} Elo: {verdict}, LLR {ratio} (-{limit:.2} to +{limit:.2})")
    }

    /// The whole result as JSON.
    pub fn json(&self, played: &Match<'_>, arguments: &Arguments) -> Result<Value, CommandError> {
        let tally = &self.tally;
        let elo = tally.elo();
        let view = played.rules.open(&Opening::default())?.view();
        let sprt = self.sprt.map(|sprt| {
            let (elo0, elo1) = sprt.hypotheses();
            let accepted = self.accepted().map(|accepted| match accepted {
                Accepted::Higher => elo1,
                Accepted::Lower => elo0,
            });
            let llr = sprt.log_likelihood_ratio(tally);
            json!({ "elo0": elo0, "elo1": elo1, "llr": llr, "limit": Sprt::limit(), "accepted": accepted })
        });
        let endings = self
            .endings
            .iter()
            .map(|((reason, culprit), count)| json!({ "reason": reason, "fault_of": culprit, "games": count }));
        Ok(json!({
            "game": played.rules.game,
            "variant": view.variant,
            "engines": { "a": arguments.engine_a.text, "b": arguments.engine_b.text },
            "seed": played.seed,
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "score": tally.score(),
            "elo": elo.map(|elo| json!({ "value": elo.value, "low": elo.low, "high": elo.high })),
            "superiority": tally.superiority(),
            "sprt": sprt,
            "won_by_side": { "first": self.by_side[0], "second": self.by_side[1] },
            "endings": endings.collect::<Vec<_>>(),
            "a": self.spent[0],
            "b": self.spent[1],
        }))
    }
}

/// A difference with its error, like `+35.2 ± 20.1`, or only its limit.
fn difference(elo: &Elo) -> String {
    match (elo.value, elo.error(), elo.low, elo.high) {
        (Some(value), Some(error), ..) => format!("{} ± {error:.1}", words::signed(value, 1)),
        (_, _, Some(low), _) => format!("at least {}", words::signed(low, 1)),
        (_, _, _, Some(high)) => format!("at most {}", words::signed(high, 1)),
        _ => "unknown".to_owned(),
    }
}

/// The same with both limits.
fn with_limits(elo: &Elo) -> String {
    let difference = difference(elo);
    match (elo.low, elo.high) {
        (Some(low), Some(high)) => {
            format!("{difference} (95 %: {} to {})", words::signed(low, 1), words::signed(high, 1))
        }
        _ => format!("{difference} (95 %)"),
    }
}

/// The average time and nodes of a move.
fn per_move(spent: &Spent) -> String {
    if spent.moves == 0 {
        return "none".to_owned();
    }
    let time = words::duration(spent.time_ms / spent.moves as f64);
    let slowest = words::duration(spent.slowest_ms);
    let nodes = match spent.nodes / spent.moves {
        0 => String::new(),
        nodes => format!(", {} nodes", words::count(nodes)),
    };
    format!("{time} (slowest {slowest}){nodes}")
}
