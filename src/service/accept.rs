//! Content negotiation: the format of a response.

use axum::http::{HeaderMap, header};

use super::problem::{Code, Problem};

/// A format of responses.
pub trait Negotiable: Copy {
    /// Its media type and subtype, without parameters.
    fn media_type(self) -> (&'static str, &'static str);

    /// As [`choose`].
    ///
    /// # Errors
    /// When the client accepts none of them.
    fn choose(headers: &HeaderMap, formats: &[Self]) -> Result<Self, Problem> {
        choose(headers, formats).ok_or_else(|| {
            let names = formats.iter().map(|format| format!("{}/{}", format.media_type().0, format.media_type().1));
            let names: Vec<_> = names.collect();
            Problem::new(Code::NotAcceptable, format!("this route returns {}", names.join(", ")))
        })
    }
}

/// The formats of a search's response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    /// One JSON document, after the search.
    Json,
    /// Messages as they come, in server-sent events.
    Events,
    /// Messages as they come, in one JSON document per line.
    Lines,
}

impl ResponseFormat {
    /// All formats, the default first.
    pub const ALL: &[Self] = &[Self::Json, Self::Events, Self::Lines];
}

impl Negotiable for ResponseFormat {
    fn media_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Events => ("text", "event-stream"),
            Self::Lines => ("application", "x-ndjson"),
        }
    }
}

/// Chooses one of a route's formats by the `Accept` header (RFC 9110, 12.5.1): the most specific range that matches a format
/// gives its weight; of equal weights the more specific range wins, then the earlier format. `None` if the client accepts none.
pub fn choose<F: Negotiable>(headers: &HeaderMap, formats: &[F]) -> Option<F> {
    if headers.get(header::ACCEPT).is_none() {
        return formats.first().copied();
    }
    let values = headers.get_all(header::ACCEPT).iter();
    let ranges = values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).filter_map(Range::read);
    let ranges: Vec<Range> = ranges.collect();
    let mut best: Option<((u32, u32), F)> = None;
    for &format in formats {
        let fitting = ranges.iter().filter_map(|range| Some((range.precision(format.media_type())?, range.weight)));
        // Of two equally specific ranges, the one with more weight: scrapers list a type once per version.
        let Some((precision, weight)) = fitting.max() else { continue };
        if weight > 0 && best.is_none_or(|(rank, _)| (weight, precision) > rank) {
            best = Some(((weight, precision), format));
        }
    }
    best.map(|(_, format)| format)
}

/// One media range of an `Accept` header.
struct Range {
    kind: String,
    subtype: String,
    /// The quality in thousandths.
    weight: u32,
}

impl Range {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let essence = parts.next()?.to_ascii_lowercase();
        let (kind, subtype) = essence.split_once('/')?;
        let quality = parts.find_map(|parameter| parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q=")));
        // An invalid number counts as 1, like a missing one.
        let weight = quality.and_then(|text| text.parse::<f64>().ok()).map_or(1000.0, |q| q.clamp(0.0, 1.0) * 1000.0);
        Some(Self { kind: kind.to_owned(), subtype: subtype.to_owned(), weight: weight.round() as u32 })
    }

    /// How specifically the range matches a format; `None` if it does not.
    fn precision(&self, (kind, subtype): (&str, &str)) -> Option<u32> {
        match (self.kind.as_str(), self.subtype.as_str()) {
            ("*", "*") => Some(0),
            (range, "*") => (range == kind).then_some(1),
            (range, name) if range == kind && name == subtype => Some(3),
            // Formats based on JSON, which some clients list.
            ("application", name) if (kind, subtype) == ("application", "json") && name.ends_with("+json") => Some(2),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(accept: &str) -> Option<ResponseFormat> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, accept.parse().expect("it is a header"));
        ResponseFormat::choose(&headers, ResponseFormat::ALL).ok()
    }

    #[test]
    fn forms_are_chosen_by_weight_then_precision() {
        for (accept, format) in [
            ("*/*", Some(ResponseFormat::Json)),
            ("text/event-stream", Some(ResponseFormat::Events)),
            ("application/x-ndjson", Some(ResponseFormat::Lines)),
            ("application/x-ndjson, */*", Some(ResponseFormat::Lines)),
            ("text/event-stream;q=0.5, application/json", Some(ResponseFormat::Json)),
            ("application/json;q=0.5, text/event-stream;q=0.6", Some(ResponseFormat::Events)),
            ("application/json, text/event-stream", Some(ResponseFormat::Json)),
            ("application/json;q=0, */*", Some(ResponseFormat::Events)),
            ("text/*", Some(ResponseFormat::Events)),
            ("application/*", Some(ResponseFormat::Json)),
            ("application/problem+json", Some(ResponseFormat::Json)),
            ("text/html", None),
            ("", None),
            ("*/*;q=0", None),
        ] {
            assert_eq!(choose(accept), format, "{accept}");
        }
        assert_eq!(ResponseFormat::choose(&HeaderMap::new(), ResponseFormat::ALL).ok(), Some(ResponseFormat::Json));
    }
}
