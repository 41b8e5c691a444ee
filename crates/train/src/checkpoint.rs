//! Checkpoints of fits: the finished epochs, and each weight with its optimiser state.
//!
//! A line of text, `tesuji checkpoint 1`; a line of JSON; 16 bytes for each weight (the weight, the means of its gradient and
//! of the gradient's square as 32-bit floats, its clock), little-endian; and a CRC-32 of everything before it.

use serde::{Deserialize, Serialize};

use crate::adam::{Cell, Cells};
use crate::plan::{Epoch, Fit};

const MAGIC: &str = "tesuji checkpoint 1\n";

/// What a checkpoint and the fit that continues it must agree on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    pub features: String,
    pub plan: Fit,
    pub positions: u64,
    pub held_out: u64,
}

#[derive(Serialize, Deserialize)]
struct Head {
    signature: Signature,
    epochs: Vec<Epoch>,
}

/// The bytes of a checkpoint.
pub fn save(signature: &Signature, epochs: &[Epoch], cells: &[(f32, Cell)]) -> Vec<u8> {
    let head = Head { signature: signature.clone(), epochs: epochs.to_vec() };
    let json = serde_json::to_string(&head).unwrap_or_default();
    let mut bytes = format!("{MAGIC}{json}\n").into_bytes();
    for &(weight, Cell { mean, square, touched, .. }) in cells {
        let words = [weight.to_bits(), mean.to_bits(), square.to_bits(), touched];
        bytes.extend(words.map(u32::to_le_bytes).as_flattened());
    }
    let check = crc32fast::hash(&bytes).to_le_bytes();
    bytes.extend(check);
    bytes
}

/// Reads a checkpoint of `count` weights. Returns the finished epochs and the weights.
///
/// # Errors
/// When it is not a checkpoint, is damaged, or belongs to another fit; the message states the difference.
pub fn read(bytes: &[u8], signature: &Signature, count: usize) -> Result<(Vec<Epoch>, Cells), String> {
    let rest = bytes
        .strip_prefix(MAGIC.as_bytes())
        .ok_or_else(|| format!("not a checkpoint: expected it to begin with `{}`", MAGIC.trim_end()))?;
    let whole = bytes.split_last_chunk().is_some_and(|(all, check)| crc32fast::hash(all).to_le_bytes() == *check);
    let end = rest.iter().position(|&byte| byte == b'\n').filter(|_| whole).ok_or("the checkpoint is damaged")?;
    let head: Head = serde_json::from_slice(&rest[..end]).map_err(|error| format!("the checkpoint: {error}"))?;
    if let Some((field, theirs, ours)) = difference(&head.signature, signature) {
        return Err(format!("the checkpoint is of another fit: its {field} is {theirs}, not {ours}"));
    }
    let cells = &rest[end + 1..rest.len() - 4];
    if cells.len() != 16 * count {
        return Err(format!("the checkpoint has {} weights, not {count}", cells.len() / 16));
    }
    let cell = |words: &[u8; 16]| {
        let word = |at: usize| u32::from_le_bytes([words[at], words[at + 1], words[at + 2], words[at + 3]]);
        let float = |at: usize| f32::from_bits(word(at));
        (float(0), Cell { mean: float(4), square: float(8), touched: word(12), ..Cell::default() })
    };
    Ok((head.epochs, cells.as_chunks().0.iter().map(cell).collect()))
}

/// The first field in which two fits differ, with both values.
fn difference(theirs: &Signature, ours: &Signature) -> Option<(String, String, String)> {
    let fields = |signature: &Signature| {
        let mut all = serde_json::json!(signature);
        let plan = all["plan"].take();
        let parts = [all, plan].map(|part| part.as_object().cloned().unwrap_or_default());
        parts.into_iter().flatten().filter(|(name, _)| name != "plan").collect::<Vec<_>>()
    };
    let pairs = fields(theirs).into_iter().zip(fields(ours));
    let (theirs, ours) = pairs.into_iter().find(|(theirs, ours)| theirs != ours)?;
    Some((theirs.0, theirs.1.to_string(), ours.1.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Start;

    #[test]
    fn a_field_that_one_fit_alone_has_is_named() {
        let plan = Fit {
            epochs: 1,
            rate: 1.0,
            expected: 0.5,
            lambda: 0.0,
            validation: 0.1,
            held: 0.0,
            shared: 0.0,
            decay: 0.0,
            scale: None,
            start: Start::Zero,
            moves: false,
            network: true,
            seed: 1,
        };
        let ours = Signature { features: "some".to_owned(), plan, positions: 3, held_out: 1 };
        assert_eq!(difference(&ours, &ours.clone()), None);
        let scaled = Fit { scale: Some(300.0), ..plan };
        let found = difference(&Signature { plan: scaled, ..ours.clone() }, &ours);
        assert_eq!(found, Some(("scale".to_owned(), "300.0".to_owned(), "null".to_owned())));
    }
}
