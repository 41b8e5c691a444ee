//! Lines of moves as text. Moves contain commas, and may also be separated by them.

use crate::notation::without_number;

/// Splits a text of edges; they need no separators.
pub fn split_line(text: &str) -> Option<Vec<&str>> {
    Some(text.split_whitespace().flat_map(split_edges).collect())
}

/// Splits a pasted line.
pub fn split_pasted(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '，' | '；'));
    words.map(without_number).flat_map(split_edges).collect()
}

/// Splits edges that are joined, or separated by commas. A word that is not made of edges stays whole.
fn split_edges(word: &str) -> Vec<&str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut edges = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let letter = usize::from(rest.starts_with(['h', 'v', 'H', 'V']));
        let row = digits(&rest[letter..]);
        let comma = usize::from(rest[letter + row..].starts_with(','));
        let column = digits(&rest[letter + row + comma..]);
        if letter * row * comma * column == 0 {
            return vec![word];
        }
        let (edge, after) = rest.split_at(letter + row + comma + column);
        edges.push(edge);
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    edges
}
