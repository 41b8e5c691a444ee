//! Playing the moves of a record, and comparing its result with that of the last position.

use crate::catalog::AnySession;
use crate::position::{IllegalMove, Side};
use crate::record::{EarlyEnd, Record, RecordedMove, RecordedResult};

/// Plays a recorded move, or several in one text; annotations belong to the last.
pub fn play(session: &mut dyn AnySession, recorded: RecordedMove) -> Result<Vec<RecordedMove>, IllegalMove> {
    let mut line = Vec::new();
    let turn = session.turn();
    session.play_described(&recorded.mv, &mut line).map_err(|illegal| match recorded.side {
        Some(side) if side != turn => wrong_side(&recorded.mv, turn),
        _ => illegal,
    })?;
    if let (Some(side), Some(last)) = (recorded.side, line.last())
        && side != last.side
    {
        return Err(wrong_side(&recorded.mv, last.side));
    }
    let mut moves: Vec<RecordedMove> = line
        .into_iter()
        .map(|played| RecordedMove { side: Some(played.side), ..RecordedMove::new(played.mv) })
        .collect();
    if let Some(last) = moves.last_mut() {
        let (mv, side) = (std::mem::take(&mut last.mv), last.side);
        *last = RecordedMove { mv, side, ..recorded };
    }
    Ok(moves)
}

fn wrong_side(mv: &str, turn: Side) -> IllegalMove {
    IllegalMove::new(mv, format!("the {turn} player is to move, but the move is recorded as the other player's"))
}

/// Whether the last word of a list of moves is a resignation by the player to move.
pub fn resigns(word: &str) -> bool {
    ["resign", "resigns", "resigned"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Records a resignation, unless the record states another result.
pub fn resign(session: &dyn AnySession, record: &mut Record, resignation: &RecordedMove, warnings: &mut Vec<String>) {
    let RecordedMove { mv, side, .. } = resignation;
    if session.outcome().is_some() {
        warnings.push(format!("`{mv}` was left out: the game is over"));
    } else {
        let winner = Some(side.unwrap_or(session.turn()).other());
        record.result.get_or_insert(RecordedResult { winner, margin: None, early: Some(EarlyEnd::Resigned) });
    }
}

/// Completes and compares the result of a game that ended by the rules. A draw has the margin 0 in games played for
/// points, and no margin in others.
pub fn check_result(session: &dyn AnySession, record: &mut Record, warnings: &mut Vec<String>) {
    let has_points = session.view().unit.is_some();
    if let Some(result) = &mut record.result {
        if has_points && result.winner.is_none() && result.early.is_none() {
            result.margin.get_or_insert(0.0);
        }
        if let Some(margin) = result.margin.filter(|_| !has_points) {
            result.margin = None;
            warnings.push(format!("the recorded margin, {margin}, was left out: the game has no points"));
        }
    }
    let Some(ended) = session.outcome() else { return };
    let known = RecordedResult { winner: ended.result.winner, margin: ended.result.margin.map(f64::from), early: None };
    let Some(stated) = record.result else {
        record.result = Some(known);
        return;
    };
    if stated.winner != known.winner {
        warnings.push("the recorded result is not that of the last position".to_owned());
    } else if let (Some(stated), Some(known)) = (stated.margin, known.margin)
        && stated != known
    {
        warnings.push(format!("the recorded margin, {stated}, is not that of the last position, {known}"));
    }
}
