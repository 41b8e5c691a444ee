//! Reads JSON: descriptions and parameters of variants.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    /// Reads a text of exactly one value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, rest: text };
        let value = reader.value()?;
        if reader.skip().is_empty() { Ok(value) } else { Err(reader.expected("the end")) }
    }

    /// The value of a field of an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The elements of an array; empty for other values.
    pub fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn expected(&self, what: &str) -> String {
        format!("expected {what} at byte {}", self.text.len() - self.rest.len())
    }

    fn take(&mut self, word: &str) -> bool {
        let rest = self.skip().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self) -> Result<Json, String> {
        let words = [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        if let Some((_, value)) = words.into_iter().find(|(word, _)| self.take(word)) {
            Ok(value)
        } else if self.take("[") {
            self.list("]", Self::value).map(Json::Array)
        } else if self.take("{") {
            self.list("}", Self::field).map(Json::Object)
        } else if self.skip().starts_with('"') {
            self.string().map(Json::Text)
        } else {
            let end = self.rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(self.rest.len());
            let number = self.rest[..end].parse().map_err(|_| self.expected("a value"))?;
            self.rest = &self.rest[end..];
            Ok(Json::Number(number))
        }
    }

    fn list<T>(&mut self, end: &str, item: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        if self.take(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(end) {
                return Ok(items);
            }
            if !self.take(",") {
                return Err(self.expected("a comma"));
            }
        }
    }

    fn field(&mut self) -> Result<(String, Json), String> {
        let name = self.string()?;
        if self.take(":") { Ok((name, self.value()?)) } else { Err(self.expected("a colon")) }
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.take("\"") {
            return Err(self.expected("a string"));
        }
        let mut text = String::new();
        loop {
            let mut chars = self.rest.chars();
            let c = chars.next();
            self.rest = chars.as_str();
            match c {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
                None => return Err(self.expected("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        match c {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('u') => {
                let code = self.rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let c = code.and_then(char::from_u32).ok_or_else(|| self.expected("a character's code"))?;
                self.rest = &self.rest[4..];
                Ok(c)
            }
            Some(c) if "\"\\/".contains(c) => Ok(c),
            _ => Err(self.expected("an escape")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_read() {
        let json = Json::parse(r#" {"a": [1, -2.5e1, true, null], "b": {"c": "x\"\u00e9\n"}, "d": []} "#).unwrap();
        let items = [Json::Number(1.0), Json::Number(-25.0), Json::Bool(true), Json::Null];
        assert_eq!(json.get("a").unwrap().items(), items);
        assert_eq!(json.get("b").unwrap().get("c"), Some(&Json::Text("x\"é\n".to_owned())));
        assert_eq!(json.get("d"), Some(&Json::Array(Vec::new())));
    }

    #[test]
    fn refusals_name_the_byte() {
        assert_eq!(Json::parse("[1 2]"), Err("expected a comma at byte 3".to_owned()));
        assert_eq!(Json::parse("{\"a\" 1}"), Err("expected a colon at byte 5".to_owned()));
        assert_eq!(Json::parse("[1,]"), Err("expected a value at byte 3".to_owned()));
        assert!(Json::parse("\"abc").is_err());
    }
}
