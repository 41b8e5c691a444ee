//! Reading PGN.
//!
//! Programs and people write greetings, headings and lines of `=====` around their games. A game begins with its tags, or with
//! the line of its first move; it ends with its result, with a separator line, or where the tags of the next one begin. Lines
//! outside games are ignored, and counted.

use super::Game;
use crate::notation::without_number;
use crate::record::RecordedMove;
use crate::records::{Misread, place};

/// The words for results.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Whether a text looks like PGN: a line begins with a tag, and the text does not begin with the bracket of another format.
#[must_use]
pub fn recognises(text: &str) -> bool {
    !text.trim_start().starts_with('(') && text.lines().any(|line| begins_tag(line.trim_start()))
}

/// A word without its move number, after which programs write points, or a Chinese comma.
#[must_use]
pub fn unnumbered(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = after.trim_start_matches(['．', '、', '…']);
    if after.len() < word.len() && rest.len() < after.len() { rest } else { without_number(word) }
}

/// Whether a line begins with a tag whose value stands in quotes.
fn begins_tag(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    let name = tag.trim_start().trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    name.len() < tag.trim_start().len() && name.trim_start().starts_with('"')
}

/// Whether a line is a separator: the same sign, at least three times.
fn is_rule(line: &str) -> bool {
    let sign = line.chars().next().filter(|c| "=-_*#~+".contains(*c));
    sign.is_some_and(|sign| line.len() >= 3 && line.chars().all(|c| c == sign))
}

/// A text, and the place reached in it.
pub(super) struct Reader<'a, F> {
    text: &'a str,
    at: usize,
    /// Whether a word has the form of a move.
    is_move: F,
}

impl<'a, F: Fn(&str) -> bool> Reader<'a, F> {
    pub fn new(text: &'a str, is_move: F) -> Self {
        Self { text, at: 0, is_move }
    }

    /// All games, each with its place.
    pub fn games(&mut self) -> Result<Vec<(usize, Game<'a>)>, Misread> {
        let mut games = Vec::new();
        while self.skip_blanks().is_some() {
            let begin = self.at;
            let game = self.game()?;
            if game.is_empty() && self.skip_blanks().is_none() {
                // Only a text without any game reaches its end like this.
                return self.refuse(begin, "a tag like `[Red \"name\"]`, or a move");
            }
            games.push((begin, game));
        }
        Ok(games)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn refuse<T>(&self, at: usize, expected: &str) -> Result<T, Misread> {
        Err(Misread::unexpected(at, self.text, expected))
    }

    fn game(&mut self) -> Result<Game<'a>, Misread> {
        let mut game = Game::default();
        self.header(&mut game)?;
        if self.moves(&mut game)? {
            self.trailer(&mut game)?;
        }
        Ok(game)
    }

    /// The tags, with comments and other lines before and between, up to the first line of moves.
    fn header(&mut self, game: &mut Game<'a>) -> Result<(), Misread> {
        while let Some(next) = self.skip_blanks() {
            match next {
                '[' if begins_tag(self.rest()) || !game.tags.is_empty() => game.tags.push(self.tag()?),
                '{' | ';' | '%' => self.remark(next, game)?,
                _ if self.begins_moves(game) => break,
                _ => self.leave_out_line(game),
            }
        }
        Ok(())
    }

    /// Whether a line of moves begins here. After tags, every line with a number, a result or a move counts, so that a wrong
    /// move is refused; without tags, only a line that begins with a move.
    fn begins_moves(&self, game: &Game<'a>) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let mut words = words(line).map(unnumbered).filter(|word| !word.is_empty() && !is_number(word));
        let is_move = |word: &str| (self.is_move)(word.trim_end_matches(['!', '?']));
        if game.tags.is_empty() {
            return words.next().is_some_and(is_move);
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        unnumbered(first).len() < first.len()
            || is_number(first)
            || RESULTS.contains(&first)
            || line.starts_with(['(', ')', ']', '}'])
            || words.any(is_move)
    }

    /// The moves. Returns whether a result or a separator line ends them.
    fn moves(&mut self, game: &mut Game<'a>) -> Result<bool, Misread> {
        while let Some(next) = self.skip_blanks() {
            match next {
                '[' if begins_tag(self.rest()) => return Ok(false),
                '{' | ';' | '%' => self.remark(next, game)?,
                '(' => {
                    self.variation()?;
                    game.variations += 1;
                }
                '[' | '}' | ')' | ']' => return self.refuse(self.at, "a move, a comment in `{}`, or a result"),
                _ if self.is_at_rule() => return Ok(true),
                _ => {
                    self.word(game);
                    if game.result.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn is_at_rule(&self) -> bool {
        let before = self.text[..self.at].rsplit('\n').next().unwrap_or_default();
        before.trim().is_empty() && is_rule(self.rest().lines().next().unwrap_or_default().trim())
    }

    /// The text after the result: comments and other lines, up to the next game. A game without tags begins with its move
    /// number 1; other moves are refused.
    fn trailer(&mut self, game: &mut Game<'a>) -> Result<(), Misread> {
        while let Some(next) = self.skip_blanks() {
            let line = self.rest().lines().next().unwrap_or_default();
            let first = line.split_whitespace().next().unwrap_or_default();
            let mut moves = words(line).map(unnumbered).filter(|word| !word.is_empty());
            match next {
                '[' if begins_tag(self.rest()) => break,
                '{' | ';' | '%' => self.remark(next, game)?,
                _ if moves.next().is_some_and(|word| (self.is_move)(word)) => {
                    let is_first = first.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '．', '、']));
                    if is_first && self.text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n') {
                        break;
                    }
                    return self.refuse(self.at, "another game after the result, which begins with a tag or with `1.`");
                }
                _ => self.leave_out_line(game),
            }
        }
        Ok(())
    }

    fn leave_out_line(&mut self, game: &mut Game<'a>) {
        let at = self.at;
        let line = self.line().trim_end();
        game.left_out.push((at, line));
    }

    /// A comment, or an escaped line (`%`), which is ignored.
    fn remark(&mut self, begin: char, game: &mut Game<'a>) -> Result<(), Misread> {
        match begin {
            '{' => {
                let content = self.comment()?;
                add_comment(game, content);
            }
            ';' => {
                let content = self.line();
                add_comment(game, content[1..].trim());
            }
            _ => drop(self.line()),
        }
        Ok(())
    }

    /// The rest of the line.
    fn line(&mut self) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    /// `[Name "value"]`. A quote that is not followed by a bracket belongs to the value: many programs do not escape it. Others
    /// write `[Name value]`, or curly quotes.
    fn tag(&mut self) -> Result<(&'a str, (usize, String)), Misread> {
        let (start, line) = (self.at, self.line());
        let expected = "a tag like `[Red \"name\"]`";
        let Some((name, quoted)) = line[1..].split_once('"') else {
            let unquoted = line[1..].trim_end().strip_suffix(']').and_then(|tag| tag.split_once(' '));
            let Some((name, value)) = unquoted else { return self.refuse(start, expected) };
            let value = value.trim().trim_matches(['“', '”', '\'']);
            return Ok((name, (place(self.text, value), value.to_owned())));
        };
        let begin = start + 1 + name.len() + 1;
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((offset, c)) = chars.next() {
            let after = &quoted[offset + c.len_utf8()..];
            match c {
                '\\' if after.starts_with(['"', '\\']) => value.extend(chars.next().map(|(_, c)| c)),
                '"' if after.trim_start().starts_with(']') => {
                    self.at = begin + offset + 1 + (after.len() - after.trim_start().len()) + 1;
                    return Ok((name.trim(), (begin, value)));
                }
                c => value.push(c),
            }
        }
        self.refuse(start, expected)
    }

    /// A comment in braces, which has no escapes.
    fn comment(&mut self) -> Result<&'a str, Misread> {
        let Some(end) = self.rest().find('}') else { return self.refuse(self.at, "`}` after the comment") };
        let content = &self.rest()[1..end];
        self.at += end + 1;
        Ok(content)
    }

    /// Skips a variation, including nested ones.
    fn variation(&mut self) -> Result<(), Misread> {
        let start = self.at;
        let mut depth = 0;
        while let Some(next) = self.skip_blanks() {
            match next {
                '{' => drop(self.comment()?),
                ';' => drop(self.line()),
                _ => {
                    self.at += next.len_utf8();
                    match next {
                        '(' => depth += 1,
                        ')' if depth == 1 => return Ok(()),
                        ')' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
        self.refuse(start, "`)` after the variation")
    }

    /// A move, a number, a result, or an annotation.
    fn word(&mut self, game: &mut Game<'a>) {
        let word = words(self.rest()).next().unwrap_or_default();
        self.at += word.len();
        if RESULTS.contains(&word) {
            game.result = Some(word);
            return;
        }
        let mv = unnumbered(word).trim_end_matches(['!', '?']);
        if !mv.is_empty() && !is_number(mv) && !mv.starts_with('$') {
            let mv = mv.trim_start_matches(['.', '…']);
            game.moves.push((place(self.text, mv), RecordedMove::new(mv)));
        }
    }
}

/// The words of a text, separated by blanks, brackets and semicolons.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "{}()[];".contains(c))
}

/// Whether a word is the number of a move.
fn is_number(word: &str) -> bool {
    word.trim_end_matches(['.', '…', '．', '、']).chars().all(|c| c.is_ascii_digit())
}

fn add_comment(game: &mut Game<'_>, content: &str) {
    let content = content.replace('\r', "");
    let content: String = content.chars().map(|c| if c != '\n' && c.is_control() { ' ' } else { c }).collect();
    let content = content.trim().to_owned();
    let comment = game.moves.last_mut().map_or(&mut game.comment, |(_, mv)| &mut mv.comment);
    if !content.is_empty() {
        *comment = Some(comment.take().map_or(content.clone(), |before| format!("{before}\n{content}")));
    }
}
