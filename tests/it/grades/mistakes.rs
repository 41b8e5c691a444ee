//! Mistakes of known kinds, built from exact values: whether their grades have the right reasons, and whether a proven claim is
//! false. Nothing here knows how reasons are found.

use std::collections::BTreeMap;

use serde_json::json;
use tesuji_core::api::GradePart;
use tesuji_core::catalog::Catalog;
use tesuji_core::games::{Game, Variant};
use tesuji_core::grade::{Kind, Reason};
use tesuji_core::position::{Outcome, Position};

use super::check::{Grader, grades};
use crate::minimax::Exact;

/// The outcome of many comparisons.
#[derive(Debug, Default)]
pub struct Reasons {
    /// Of each kind, how often it was expected and how often found.
    pub kinds: BTreeMap<String, (usize, usize)>,
    /// Proven claims that were checked, and those that the oracle cannot judge.
    pub checked: usize,
    pub unchecked: usize,
    /// Claims that are estimates.
    pub estimates: usize,
    /// One sentence for each false claim.
    pub wrong: Vec<String>,
    /// Expected reasons that are missing.
    pub missed: Vec<String>,
}

/// The kind of mistake that a move is by the rules of one game, with its points, if it is one.
pub type Own<G> = fn(&G, &G) -> Option<(Kind, Option<u32>)>;

/// A move of a position with its exact values; scores are for the side to move.
struct Played<'a, G: Game> {
    position: &'a G,
    after: &'a G,
    mv: &'a str,
    before: Option<(i16, u32)>,
    own: Option<(i16, u32)>,
    /// The same of the other moves.
    others: &'a [Option<(i16, u32)>],
}

impl Reasons {
    /// Grades all moves of `count` positions. `value` is the exact value of a position, or `None` if unknown; `own`
    /// judges a move by its game's rules, from the positions before and after it.
    pub fn of<G: Game<Variant: Variant>>(
        grader: &Grader,
        count: usize,
        positions: impl Iterator<Item = G>,
        mut value: impl FnMut(&G) -> Option<Exact>,
        own: Own<G>,
    ) -> Self {
        let (catalog, mut tally) = (Catalog::standard(), Self::default());
        for position in positions.take(count) {
            let moves: Vec<_> = position.moves().collect();
            let texts: Vec<_> = moves.iter().map(|&mv| position.write_move(mv)).collect();
            let grades = grades(&catalog, grader, json!({ "position": position.to_string() }), &texts);
            let mut known =
                |at: &G| value(at).map(|Exact { score, distance }| (score * position.turn().sign(), distance));
            let before = known(&position);
            let after: Vec<G> = moves.iter().map(|&mv| played(&position, mv)).collect();
            let values: Vec<_> = after.iter().map(&mut known).collect();
            for (index, (mv, grade)) in texts.iter().zip(&grades).enumerate() {
                let others: Vec<_> =
                    values.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, value)| *value).collect();
                let (after, own_value) = (&after[index], values[index]);
                let played = Played { position: &position, after, mv, before, own: own_value, others: &others };
                tally.add(&played, grade, own, &mut known);
            }
        }
        tally
    }

    fn add<G: Game>(
        &mut self,
        played: &Played<'_, G>,
        grade: &GradePart,
        own: Own<G>,
        known: &mut dyn FnMut(&G) -> Option<(i16, u32)>,
    ) {
        let game_fact = own(played.position, played.after);
        for kind in played.expected(game_fact) {
            let (expected, found) = self.kinds.entry(format!("{kind:?}")).or_default();
            *expected += 1;
            if grade.reasons.iter().any(|reason| reason.kind == kind) {
                *found += 1;
            } else {
                self.missed
                    .push(format!("{kind:?}: {} {grade:?}, {:?} {:?}", played.position, played.before, played.own));
            }
        }
        for reason in &grade.reasons {
            match played.holds(reason, game_fact, known) {
                _ if !reason.proven => self.estimates += 1,
                None => self.unchecked += 1,
                Some(true) => self.checked += 1,
                Some(false) => self.wrong.push(format!("{} {}: {reason:?}", played.position, played.mv)),
            }
        }
    }

    /// Adds another outcome.
    pub fn join(&mut self, other: Self) {
        for (kind, (expected, found)) in other.kinds {
            let (all, right) = self.kinds.entry(kind).or_default();
            (*all, *right) = (*all + expected, *right + found);
        }
        self.checked += other.checked;
        self.unchecked += other.unchecked;
        self.estimates += other.estimates;
        self.wrong.extend(other.wrong);
        self.missed.extend(other.missed);
    }
}

fn played<G: Game>(position: &G, mv: G::Move) -> G {
    let mut after = position.clone();
    after.play(mv);
    after
}

fn winner<G: Game>(position: &G) -> Option<tesuji_core::position::Side> {
    position.outcome().and_then(|Outcome { winner, .. }| winner)
}

impl<G: Game> Played<'_, G> {
    /// The reasons that its grade must have.
    fn expected(&self, game_fact: Option<(Kind, Option<u32>)>) -> Vec<Kind> {
        if self.others.is_empty() {
            return vec![Kind::Forced];
        }
        let result = |value: Option<(i16, u32)>| value.map(|(score, _)| score.signum());
        let (before, own) = (result(self.before), result(self.own));
        let mut kinds = Vec::new();
        if before == Some(1) && own.is_some_and(|own| own < 1) {
            kinds.push(Kind::MissesWin);
        }
        if own == Some(-1) && before != Some(-1) {
            kinds.push(Kind::AllowsWin);
            if self.threat().is_some() {
                kinds.push(Kind::IgnoresThreat);
            }
        }
        if own.is_some_and(|own| own >= 0)
            && self.others.iter().all(|&other| result(other).is_some_and(|other| Some(other) < own))
        {
            kinds.push(Kind::OnlyMove);
        }
        if let (true, Some((before, _)), Some((own, _))) = (G::POINTS, self.before, self.own)
            && before > own
        {
            kinds.push(Kind::LosesPoints);
            kinds.extend(game_fact.map(|(kind, _)| kind));
        }
        kinds
    }

    /// A reply that wins at once after the move, and after most moves of the position.
    fn threat(&self) -> Option<G::Move> {
        let opponent = self.position.turn().other();
        let hits = |after: &G, reply: G::Move| {
            after.outcome().is_none()
                && after.turn() == opponent
                && after.moves().any(|legal| legal == reply)
                && winner(&played(after, reply)) == Some(opponent)
        };
        let is_common = |&reply: &G::Move| {
            let moves: Vec<_> = self.position.moves().collect();
            moves.iter().filter(|&&mv| hits(&played(self.position, mv), reply)).count() * 2 > moves.len()
        };
        let replies: Vec<_> = self.after.moves().filter(|&reply| hits(self.after, reply)).collect();
        replies.into_iter().filter(|_| !G::POINTS).find(is_common)
    }

    /// Whether a claim is true; `None` if the oracle does not know.
    fn holds(
        &self,
        reason: &Reason,
        game_fact: Option<(Kind, Option<u32>)>,
        known: &mut dyn FnMut(&G) -> Option<(i16, u32)>,
    ) -> Option<bool> {
        let Reason { kind, distance, points, line, .. } = reason;
        let Some(end) = self.end_of(line) else { return Some(false) };
        let begins = |mv: &str| line.first().is_none_or(|first| first == mv);
        let within = |plies: u32| G::POINTS || distance.is_some_and(|most| plies <= most);
        let result = |(score, _): (i16, u32)| score.signum();
        match kind {
            Kind::Forced => Some(self.others.is_empty()),
            Kind::MissesWin => {
                let first = line.first().and_then(|first| self.position.parse_move(first).ok());
                let first = first.map(|first| played(self.position, first));
                let wins = first.is_none_or(|first| known(&first).is_none_or(|value| result(value) == 1));
                let (score, plies) = self.before?;
                Some(wins && score > 0 && within(plies) && result(self.own?) < 1)
            }
            Kind::AllowsWin => {
                let (score, plies) = self.own?;
                Some(begins(self.mv) && score < 0 && within(plies))
            }
            Kind::IgnoresThreat => {
                Some(begins(self.mv) && winner(&end) == Some(self.position.turn().other()) && self.threat().is_some())
            }
            Kind::AnswersThreat => {
                let hit = self.after.parse_move(&line[1]).is_ok_and(|reply| {
                    self.after.moves().any(|legal| legal == reply)
                        && winner(&played(self.after, reply)) == Some(self.position.turn().other())
                });
                Some(!begins(self.mv) && !hit && winner(&end) == Some(self.position.turn().other()))
            }
            Kind::OnlyMove => {
                let (score, plies) = self.own?;
                let best = score.signum();
                let others: Option<Vec<i16>> = self.others.iter().map(|other| Some(result((*other)?))).collect();
                let soon = distance.is_none_or(|most| best == 1 && plies < most);
                Some(best >= 0 && soon && others?.iter().all(|&other| other < best))
            }
            Kind::LosesPoints => {
                let (before, own) = (self.before?.0, self.own?.0);
                Some(i64::from(before) - i64::from(own) == i64::from((*points)?))
            }
            Kind::GivesCorner | Kind::OpensChain => Some(begins(self.mv) && game_fact == Some((*kind, *points))),
        }
    }

    /// The position after a line, if its moves are legal.
    fn end_of(&self, line: &[String]) -> Option<G> {
        let mut position = self.position.clone();
        for mv in line {
            let mv = position.parse_move(mv).ok()?;
            position.play(mv);
        }
        Some(position)
    }
}

/// The exact value by wins and losses within this many plies, by full-width search.
pub fn within<P: Position>(position: &P, plies: u32) -> Option<Exact> {
    if let Some(outcome) = position.outcome() {
        return Some(Exact { score: outcome.score(), distance: 0 });
    }
    if plies == 0 {
        return None;
    }
    let sign = position.turn().sign();
    let values = position.moves().map(|mv| {
        let mut after = position.clone();
        after.play(mv);
        within(&after, plies - 1).map(|Exact { score, distance }| Exact { score, distance: distance + 1 })
    });
    let values: Vec<Option<Exact>> = values.collect();
    let wins = values.iter().flatten().filter(|exact| exact.score * sign > 0);
    let loses = |value: &Option<Exact>| value.filter(|exact| exact.score * sign < 0);
    let losses = || values.iter().map(loses).collect::<Option<Vec<_>>>();
    // The winner hurries, the loser resists.
    let win = wins.min_by_key(|exact| exact.distance).copied();
    win.or_else(|| losses()?.into_iter().max_by_key(|exact| exact.distance))
}
