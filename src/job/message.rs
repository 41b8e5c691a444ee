//! The messages of a job.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A message of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its number, from 0.
    pub seq: u64,
    /// Whether it is the last one.
    pub is_final: bool,
    /// Whether the job failed.
    pub failed: bool,
    /// Whether the text is final because the result is proven: clients can cache it.
    pub lasts: bool,
    /// The text for clients, in JSON.
    #[serde(with = "json")]
    pub text: Arc<str>,
    /// The parts that have ended, if the job has parts.
    #[serde(with = "shared")]
    pub parts: Option<Arc<Parts>>,
}

/// The parts of a job, which end one by one. Each is a separate message, which later ones do not replace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// The number of all parts.
    pub total: usize,
    /// The parts that have ended, in the order of their ends; the first is message 1.
    pub ended: Vec<Part>,
}

/// A part that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its place among all parts, from 0.
    pub place: usize,
    /// The text for clients, in JSON.
    #[serde(with = "json")]
    pub text: Arc<str>,
}

/// What a list of jobs shows of a message.
#[derive(Clone, Debug, Deserialize)]
pub struct Brief {
    /// The job's state, as clients read it.
    pub status: String,
    /// Its game, if the message names one.
    #[serde(default)]
    pub game: Option<String>,
}

impl Message {
    /// What a list shows of it; `None` if its text has no state.
    #[must_use]
    pub fn brief(&self) -> Option<Brief> {
        serde_json::from_str(&self.text).ok()
    }

    /// The next message for a follower whose last one had the number `sent`; `None` if there is none yet.
    #[must_use]
    pub fn next_after(&self, sent: Option<u64>) -> Option<Self> {
        let Some(parts) = &self.parts else {
            let is_new = self.is_final || sent.is_none_or(|sent| self.seq > sent);
            return is_new.then(|| self.clone());
        };
        let sent = sent.unwrap_or(0);
        match usize::try_from(sent).ok().and_then(|sent| parts.ended.get(sent)) {
            Some(part) => Some(Self {
                seq: sent + 1,
                is_final: false,
                failed: false,
                lasts: false,
                text: Arc::clone(&part.text),
                parts: None,
            }),
            None => self.is_final.then(|| self.clone()),
        }
    }

    /// Its approximate size in bytes: its texts and its parts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let parts = self.parts.iter().flat_map(|parts| &parts.ended);
        self.text.len() + parts.map(|part| part.text.len() + size_of::<Part>()).sum::<usize>()
    }
}

/// JSON texts, embedded unquoted in the surrounding JSON.
mod json {
    use std::sync::Arc;

    use serde::ser::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use serde_json::value::RawValue;

    pub fn serialize<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        Ok(Box::<RawValue>::deserialize(deserializer)?.get().into())
    }
}

/// Shared values, serialized as plain ones.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer, T: Serialize>(value: &Option<Arc<T>>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_deref().serialize(serializer)
    }

    pub fn deserialize<'de, D, T>(deserializer: D) -> Result<Option<Arc<T>>, D::Error>
    where
        D: Deserializer<'de>,
        T: Deserialize<'de>,
    {
        Ok(Option::deserialize(deserializer)?.map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(ended: usize, is_final: bool) -> Message {
        let part = |place: usize| Part { place, text: format!("part {place}").into() };
        let parts = Parts { total: 2, ended: (0..ended).map(part).collect() };
        let seq = ended as u64 + u64::from(is_final);
        Message { seq, is_final, failed: false, lasts: false, text: "whole".into(), parts: Some(Arc::new(parts)) }
    }

    #[test]
    fn followers_get_every_part_and_then_the_final_message() {
        let next = |message: &Message, sent| message.next_after(sent).map(|next| (next.seq, next.text.to_string()));
        assert_eq!(next(&whole(0, false), None), None);
        assert_eq!(next(&whole(1, false), None), Some((1, "part 0".to_owned())));
        assert_eq!(next(&whole(1, false), Some(1)), None);
        assert_eq!(next(&whole(2, true), Some(1)), Some((2, "part 1".to_owned())));
        assert_eq!(next(&whole(2, true), Some(2)), Some((3, "whole".to_owned())));
        assert_eq!(next(&whole(1, false), Some(u64::MAX)), None);
        assert_eq!(next(&whole(2, true), Some(u64::MAX)), Some((3, "whole".to_owned())));
    }

    #[test]
    fn without_parts_the_newest_message_replaces_those_before() {
        let message = Message { parts: None, ..whole(2, false) };
        assert_eq!(message.next_after(None), Some(message.clone()));
        assert_eq!(message.next_after(Some(2)), None);
        let last = Message { is_final: true, ..message };
        assert_eq!(last.next_after(Some(2)), Some(last.clone()), "the final message always comes");
    }
}
