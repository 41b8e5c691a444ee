//! The file format of evaluation weights.
//!
//! A file begins with two lines of text: `tesuji weights 1` (the format and its version), and the [`Header`] as JSON.
//! Then come the weights as 16-bit integers, first the lower bytes of all, then the upper ones (which are nearly all alike, and
//! so compress well), compressed by deflate; and a CRC-32 of everything before it, little-endian.

use std::sync::OnceLock;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MAGIC: &str = "tesuji weights 1\n";

/// The metadata of a file of weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// Name and version of the features.
    pub features: String,
    /// The number of features.
    pub count: usize,
    /// The value of a weight of 1.
    pub unit: String,
    /// How the weights were made: command, date, positions, errors.
    pub made: Value,
}

/// The features that weights belong to.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Name and version, e.g. `patterns-1`: weights of other features are refused.
    pub name: &'static str,
    /// The number of features.
    pub count: usize,
    /// The value of a weight of 1, in words.
    pub unit: &'static str,
}

/// The bytes of a file of weights; weights that need more than 16 bits are clamped.
#[must_use]
pub fn write(header: &Header, weights: &[i32]) -> Vec<u8> {
    let bytes = |at: usize| weights.iter().map(move |&weight| clamped(weight).to_le_bytes()[at]);
    let planes: Vec<u8> = bytes(0).chain(bytes(1)).collect();
    let json = serde_json::to_string(header).unwrap_or_default();
    let mut file = format!("{MAGIC}{json}\n").into_bytes();
    file.extend(compress_to_vec(&planes, 9));
    let check = crc32fast::hash(&file).to_le_bytes();
    file.extend(check);
    file
}

fn clamped(weight: i32) -> i16 {
    weight.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Reads the header of a file of weights, and returns it with the compressed weights.
///
/// # Errors
/// If this is not a file of weights, or if it is damaged.
pub fn header(file: &[u8]) -> Result<(Header, &[u8]), String> {
    let not_one = || format!("not a file of weights: expected it to begin with `{}`", MAGIC.trim_end());
    file.strip_prefix(MAGIC.as_bytes()).ok_or_else(not_one)?;
    let (all, check) = file.split_last_chunk().ok_or_else(not_one)?;
    if crc32fast::hash(all).to_le_bytes() != *check {
        return Err("the file of weights is damaged: expected a matching checksum".to_owned());
    }
    let rest = &all[MAGIC.len()..];
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or("expected a line of JSON in the file of weights")?;
    let header = serde_json::from_slice(&rest[..end]).map_err(|error| format!("the header of the weights: {error}"))?;
    Ok((header, &rest[end + 1..]))
}

/// Reads weights.
///
/// # Errors
/// If this is not a file of weights, is damaged, or has weights for another game, other features or another number of them.
pub fn read(file: &[u8], game: &str, features: &Features) -> Result<Vec<i32>, String> {
    let (header, rest) = header(file)?;
    let Features { name, count, .. } = *features;
    if header.game != game {
        return Err(format!("the weights are for {}: expected weights for {game}", header.game));
    }
    if header.features != name {
        return Err(format!("the weights are for the features {}: expected {name}", header.features));
    }
    if header.count != count {
        return Err(format!("the file has {} weights: expected {count}", header.count));
    }
    let planes = decompress_to_vec_with_limit(rest, 2 * count).ok().filter(|planes| planes.len() == 2 * count);
    let planes = planes.ok_or_else(|| format!("the weights cannot be decompressed: expected {} bytes", 2 * count))?;
    let (low, high) = planes.split_at(count);
    Ok(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high]).into()).collect())
}

/// Weights that replace those in the program.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The game.
    pub game: String,
    /// Its weights; `None`: all zero.
    pub weights: Option<Vec<i32>>,
}

static REPLACED: OnceLock<Vec<Replacement>> = OnceLock::new();

/// Replaces the weights of games in this process. Call it once, before any game is set up.
///
/// # Errors
/// If it was called before.
pub fn replace(weights: Vec<Replacement>) -> Result<(), String> {
    REPLACED.set(weights).map_err(|_| "weights have been replaced already".to_owned())
}

/// The weights that a game plays with: the replacement, if there is one, otherwise the embedded weights. If `embedded` is
/// empty, the weights have not been fitted yet: all are zero.
///
/// # Panics
/// If the embedded file is not for this game, these features and this number of weights, which a test of the game must rule
/// out; or if the replacement has another number of weights, which [`crate::catalog::Catalog::replace_weights`] rules out.
#[must_use]
pub fn current(game: &str, features: &Features, embedded: &[u8]) -> Vec<i32> {
    let replaced = REPLACED.get().and_then(|all| all.iter().rev().find(|one| one.game == game));
    match replaced {
        Some(Replacement { weights: Some(weights), .. }) => {
            assert_eq!(weights.len(), features.count, "weights of {game}");
            weights.clone()
        }
        None if !embedded.is_empty() => {
            read(embedded, game, features).unwrap_or_else(|problem| panic!("the embedded weights: {problem}"))
        }
        _ => vec![0; features.count],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn features(name: &'static str, count: usize) -> Features {
        Features { name, count, unit: "a hundredth of a pawn" }
    }

    const PIECES: Features = features("pieces-1", 1000);

    fn file() -> (Vec<i32>, Vec<u8>) {
        let weights: Vec<i32> = (0..1000).map(|index| (index * 37 % 701 - 350) * 90).collect();
        let header = Header {
            game: "chess".to_owned(),
            features: "pieces-1".to_owned(),
            count: weights.len(),
            unit: "a hundredth of a pawn".to_owned(),
            made: serde_json::json!({ "positions": 3 }),
        };
        let file = write(&header, &weights);
        (weights, file)
    }

    #[test]
    fn weights_survive_writing() {
        let (weights, file) = file();
        assert_eq!(read(&file, "chess", &PIECES), Ok(weights));
    }

    #[test]
    fn weights_of_something_else_are_refused() {
        let (_, file) = file();
        for (game, name, count, expected) in [
            ("shogi", "pieces-1", 1000, "expected weights for shogi"),
            ("chess", "pieces-2", 1000, "expected pieces-2"),
            ("chess", "pieces-1", 999, "expected 999"),
        ] {
            let problem = read(&file, game, &features(name, count)).expect_err("it is something else");
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn no_damage_is_overlooked() {
        let (_, file) = file();
        for end in 0..file.len() {
            let problem = read(&file[..end], "chess", &PIECES).expect_err("it is cut off");
            assert!(problem.contains("expected"), "{problem}");
            let mut damaged = file.clone();
            damaged[end] ^= 4;
            let problem = read(&damaged, "chess", &PIECES).expect_err("a bit is wrong");
            assert!(problem.contains("expected"), "{problem}");
        }
    }

    #[test]
    fn weights_are_replaced_by_game() {
        let (weights, file) = file();
        let other = vec![7; weights.len()];
        let replacements = [("chess", Some(other.clone())), ("draughts", None)];
        let replacements = replacements.map(|(game, weights)| Replacement { game: game.to_owned(), weights });
        replace(replacements.into()).expect("nothing was replaced before");
        assert!(replace(Vec::new()).is_err());
        assert_eq!(current("chess", &PIECES, &file), other);
        assert_eq!(current("draughts", &features("men-1", 2), &file), [0, 0]);
        assert_eq!(current("go", &features("stones-1", 2), &[]), [0, 0]);
    }
}
