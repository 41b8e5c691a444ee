//! The options that another program offers in answer to the first command of UCI or UCCI.

use crate::protocols::Fault;
use crate::protocols::process::{Deadline, Process};

/// The names of a program's options.
pub struct ProgramOptions(Vec<String>);

impl ProgramOptions {
    /// Greets a program, and reads its options until `{greeting}ok`. `begin` is the text before the name in an option's line.
    pub fn read(process: &mut Process, greeting: &str, begin: &str, deadline: Deadline) -> Result<Self, Fault> {
        process.send(greeting)?;
        let (mut names, end) = (Vec::new(), format!("{greeting}ok"));
        process.receive_until(deadline, |line| {
            names.extend(option_name(line, begin).map(str::to_owned));
            (line == end).then_some(Ok(()))
        })?;
        Ok(Self(names))
    }

    /// Whether the program has this option, ignoring case.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|offered| offered.eq_ignore_ascii_case(name))
    }

    /// Refuses an option that the program does not offer.
    pub fn require(&self, name: &str) -> Result<(), Fault> {
        let offered = || self.0.join(", ");
        let problem = || Fault::Protocol(format!("the program has no option `{name}`: it offers {}", offered()));
        self.has(name).then_some(()).ok_or_else(problem)
    }
}

/// The name of the option in a line.
fn option_name<'a>(line: &'a str, begin: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(begin)?;
    Some(rest.split_once(" type ").map_or(rest, |(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_both_protocols() {
        let uci = "option name Skill Level type spin default 20";
        assert_eq!(option_name(uci, "option name "), Some("Skill Level"));
        let ucci = "option hashsize type spin min 16 max 1024 default 16";
        assert_eq!(option_name(ucci, "option "), Some("hashsize"));
        assert_eq!(option_name("id name Some Engine", "option name "), None);
    }
}
