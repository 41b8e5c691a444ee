//! The syntax of SGF: game trees of nodes, of which the main line is kept.
//!
//! `(;NODE;NODE(;FIRST…)(;SECOND…))`: where a game tree branches, its first branch continues the main line. The main line
//! therefore ends with the first `)`; everything opened after it is a variation, which is parsed only to find its end.
//!
//! FF\[4\] lets a file hold other text around its games: a greeting, mail headers, the end-of-file mark of DOS.

use super::super::Misread;
use crate::position::shorten;

/// A property of a node: its name without lower-case letters (FF[3] allowed `Black` for `B`), or in upper case if it has no
/// others, and its values as written.
#[derive(Debug)]
pub struct Property<'a> {
    pub name: String,
    /// Each value with its place in the text.
    pub values: Vec<(usize, &'a str)>,
}

/// A game: the nodes of its main line, and the number of variations ignored.
#[derive(Debug)]
pub struct Tree<'a> {
    pub nodes: Vec<Vec<Property<'a>>>,
    pub variations: usize,
}

/// A file: each game with its place, and warnings of text ignored around them.
#[derive(Debug)]
pub struct Collection<'a> {
    pub games: Vec<(usize, Tree<'a>)>,
    pub warnings: Vec<String>,
}

/// Reads a collection.
pub fn read(text: &str) -> Result<Collection<'_>, Misread> {
    let mut reader = Reader { text, at: 0 };
    let mut collection = Collection { games: Vec::new(), warnings: Vec::new() };
    while reader.skip_blanks().is_some() {
        let rest = &text[reader.at..];
        let is_node = !collection.games.is_empty() && rest.starts_with(';');
        let begin = if is_node { 0 } else { begin(rest).unwrap_or(rest.len()) };
        if begin > 0 {
            let line = rest[..begin].lines().next().unwrap_or_default();
            let side = if collection.games.is_empty() { "before" } else { "after" };
            collection.warnings.push(format!("text {side} a game was left out: `{}`", shorten(line.trim_end())));
            reader.at += begin;
        } else {
            collection.games.push((reader.at, reader.game()?));
        }
    }
    if collection.games.is_empty() {
        return Reader { text, at: 0 }.refuse("a game that begins with `(;`");
    }
    Ok(collection)
}

/// The place where the first game of a text begins. Inside other text, `(;` begins a game only if a property follows.
pub fn begin(text: &str) -> Option<usize> {
    let blank_before = text.len() - without_blanks(text).len();
    text.match_indices('(').map(|(at, _)| at).find(|&at| {
        let Some(node) = without_blanks(&text[at + 1..]).strip_prefix(';') else { return false };
        let name = without_blanks(node);
        let value = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        at == blank_before || value.len() < name.len() && without_blanks(value).starts_with('[')
    })
}

/// Control characters are blanks too: files end with `^Z` or NUL.
fn without_blanks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control())
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next character that is not a blank.
    fn skip_blanks(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - without_blanks(rest).len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn refuse<T>(&self, expected: &str) -> Result<T, Misread> {
        Err(Misread::unexpected(self.at, self.text, expected))
    }

    fn game(&mut self) -> Result<Tree<'a>, Misread> {
        let mut tree = Tree { nodes: Vec::new(), variations: 0 };
        let (mut depth, mut is_main) = (0, true);
        loop {
            match self.skip_blanks() {
                Some(b'(') => {
                    depth += 1;
                    self.at += 1;
                    tree.variations += usize::from(!is_main);
                    if self.skip_blanks() != Some(b';') {
                        return self.refuse("`;` and a node after `(`");
                    }
                }
                Some(b';') if depth > 0 => {
                    self.at += 1;
                    let node = self.node()?;
                    if is_main {
                        tree.nodes.push(node);
                    }
                }
                Some(b')') if depth > 0 => {
                    self.at += 1;
                    is_main = false;
                    depth -= 1;
                    if depth == 0 {
                        return Ok(tree);
                    }
                }
                _ if depth == 0 => return self.refuse("a game that begins with `(;`"),
                _ => return self.refuse("a property like `B[hh]`, `;`, `(` or `)`"),
            }
        }
    }

    fn node(&mut self) -> Result<Vec<Property<'a>>, Misread> {
        let mut properties = Vec::new();
        while self.skip_blanks().is_some_and(|c| c.is_ascii_alphabetic()) {
            let rest = &self.text[self.at..];
            let after = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let name = &rest[..rest.len() - after.len()];
            let start = self.at;
            self.at += name.len();
            let mut values = Vec::new();
            while self.skip_blanks() == Some(b'[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                self.at = start;
                return self.refuse("a property with a value in brackets, like `B[hh]`");
            }
            let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
            let name = if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals };
            properties.push(Property { name, values });
        }
        Ok(properties)
    }

    /// A value up to its `]`; a backslash escapes the next character. Nothing in SGF begins with `]`, so of two in a row the
    /// first belongs to the value: Little Golem omits the backslash in names like `[a]`.
    fn value(&mut self) -> Result<(usize, &'a str), Misread> {
        let begin = self.at + 1;
        let mut is_escaped = false;
        let bytes = &self.text.as_bytes()[begin..];
        for (offset, byte) in bytes.iter().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b']' if bytes.get(offset + 1) == Some(&b']') => {}
                b']' => {
                    self.at = begin + offset + 1;
                    return Ok((begin, &self.text[begin..begin + offset]));
                }
                _ => {}
            }
        }
        self.refuse("`]` after the value")
    }
}

/// A value's text: `\x` becomes `x`, and an escaped line break disappears. In a simple text every other line break becomes a
/// space.
pub fn unescape(value: &str, is_simple: bool) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let (c, is_escaped) = match c {
            '\\' => (chars.next().unwrap_or_default(), true),
            c => (c, false),
        };
        if matches!(c, '\n' | '\r') {
            // Two characters make one line break: CR LF, or LF CR.
            chars.next_if(|next| matches!(next, '\n' | '\r') && *next != c);
            match (is_escaped, is_simple) {
                (true, _) => {}
                (false, true) => text.push(' '),
                (false, false) => text.push('\n'),
            }
        } else {
            text.push(if c.is_control() { ' ' } else { c });
        }
    }
    text
}

/// A text as a value that [`unescape`] reads back. Control characters become spaces, in simple texts line breaks, too.
pub fn escape(text: &str, is_simple: bool) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' if !is_simple => value.push('\n'),
            c if c.is_control() => value.push(' '),
            ']' | '\\' => value.extend(['\\', c]),
            c => value.push(c),
        }
    }
    value
}
