//! The native test harness: random games that verify the rules of [`Game`], and counts of lines of play.

use std::collections::HashSet;

use crate::json::Json;
use crate::{Field, Game, Random, Variant};

/// Maximum moves of a random game; a longer one counts as endless.
const LONGEST: usize = 10_000;

/// The variants of a game's description, the default first.
///
/// # Panics
/// When the description is not JSON.
#[must_use]
pub fn variants<G: Game>() -> Vec<Variant> {
    match Json::parse(G::DESCRIPTION) {
        Ok(description) => Variant::all(&description),
        Err(problem) => panic!("DESCRIPTION: {problem}"),
    }
}

/// The start position of the default variant, with the parameters of a JSON object in place of the defaults.
///
/// # Panics
/// When `parameters` is not a JSON object.
#[must_use]
pub fn start<G: Game>(parameters: &str) -> G {
    match Json::parse(parameters) {
        Ok(parameters) => G::start(&variants::<G>()[0].with(&parameters)),
        Err(problem) => panic!("{parameters}: {problem}"),
    }
}

/// The number of lines of play of exactly `depth` moves.
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| perft(&after(position, mv), depth - 1)).sum()
}

fn after<G: Game>(position: &G, mv: u32) -> G {
    let mut next = *position;
    next.play(mv);
    next
}

/// Plays random games from the start of every variant, at least `plies` moves for each, and verifies each position: its bytes
/// and its text read back as the same position, there are moves exactly while the game goes on, moves and their texts are
/// unique and always the same, and the number of cells never changes.
///
/// # Panics
/// At the first violation, with the moves that lead there.
pub fn check<G: Game>(plies: u32) {
    let mut random = Random::new(1);
    for variant in variants::<G>() {
        let start = G::start(&variant);
        let mut played = 0;
        while played < plies as usize {
            let (mut line, mut positions) = (Vec::new(), vec![start]);
            let fail = |problem, line: &[String]| -> ! {
                panic!("{problem}; {variant:?}, after the moves: {}", line.join(" "))
            };
            let mut position = start;
            loop {
                match check_position(&start, &position, &mut random) {
                    Ok(None) => break,
                    Ok(Some(mv)) => {
                        line.push(position.move_text(mv));
                        position.play(mv);
                        positions.push(position);
                    }
                    Err(problem) => fail(problem, &line),
                }
                assert!(line.len() < LONGEST, "a game has not ended after {LONGEST} moves; {variant:?}");
            }
            // Only now, since a playout of a game without an end would not end either.
            for (ply, position) in positions.iter().enumerate() {
                check_playout(position, random.bits()).unwrap_or_else(|problem| fail(problem, &line[..ply]));
            }
            played += line.len().max(1);
        }
    }
}

/// Verifies one position, and chooses a move unless the game is over.
fn check_position<G: Game>(start: &G, position: &G, random: &mut Random) -> Result<Option<u32>, String> {
    let copy = read_back(position);
    require(copy == *position, "the bytes of a position read back as another one")?;
    require((copy.turn(), copy.outcome()) == (position.turn(), position.outcome()), "its side or outcome changes")?;
    let (mut moves, mut again) = (Vec::new(), Vec::new());
    position.moves(&mut moves);
    copy.moves(&mut again);
    require(moves == again, "`moves` gives other moves, or another order, the second time")?;
    require(position.outcome().is_none() != moves.is_empty(), "expected moves exactly while there is no outcome")?;
    require(moves.iter().collect::<HashSet<_>>().len() == moves.len(), "`moves` gives a move twice")?;
    let texts: HashSet<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    require(texts.len() == moves.len(), "two moves have the same text")?;
    let is_word = |text: &String| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    require(texts.iter().all(is_word), "the text of a move is empty or has blanks")?;
    require(position.cells().len() == start.cells().len(), "the number of `cells` differs from that of the start")?;
    // A game that refuses the text of its start reads no positions.
    if G::parse_position(start, &start.position_text()).is_ok() {
        let text = position.position_text();
        let read =
            G::parse_position(start, &text).map_err(|problem| format!("the text `{text}` is refused: {problem}"))?;
        require(read == *position, &format!("the text `{text}` reads back as another position"))?;
    }
    if moves.is_empty() {
        return Ok(None);
    }
    let mv = moves[random.below(moves.len() as u32) as usize];
    require(after(position, mv) == after(&copy, mv), "`play` gives two positions for one move")?;
    Ok(Some(mv))
}

fn check_playout<G: Game>(position: &G, seed: u64) -> Result<(), String> {
    let playout = || position.playout(&mut Random::new(seed));
    let end = playout();
    require(end == playout(), "`playout` ends in two ways with one seed")?;
    require(position.outcome().is_none_or(|outcome| outcome == end), "`playout` from the end has another outcome")
}

fn require(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

fn read_back<G: Field>(position: &G) -> G {
    let mut bytes = vec![0; G::SIZE];
    position.write(&mut bytes);
    G::read(&bytes)
}

#[cfg(test)]
mod tests;
