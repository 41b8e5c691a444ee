//! Public threat problems, as the tests and the bench read them.

use serde::Deserialize;

/// A position in which the side to move wins by threats.
#[derive(Deserialize)]
pub struct Problem {
    /// Which collection, and which of its problems.
    pub id: String,
    side: String,
    rows: String,
    /// Plies of the shortest win by fours, if known.
    pub freestyle_vcf_plies: Option<usize>,
}

impl Problem {
    /// Reads a line of a file.
    pub fn read(line: &str) -> Self {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// The position in the project's notation. If by the number of stones the other colour is to move, colours are exchanged:
    /// in freestyle that changes nothing.
    pub fn text(&self) -> String {
        let count = |letter| self.rows.chars().filter(|&c| c == letter).count();
        let black = count('x') == count('o');
        let exchanged = black != (self.side == "b");
        let rows: Vec<String> = self.rows.split('/').map(|row| runs(row, exchanged)).collect();
        format!("{} {}", rows.join("/"), if black { 'x' } else { 'o' })
    }
}

/// A row with numbers for runs of empty points.
fn runs(row: &str, exchanged: bool) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars().chain([' ']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        match letter {
            'x' | 'o' => text.push(if exchanged == (letter == 'x') { 'o' } else { 'x' }),
            _ => {}
        }
    }
    text
}
