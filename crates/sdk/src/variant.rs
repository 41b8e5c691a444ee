//! The variant that a game starts with.

use crate::json::Json;

/// A variant: its name and the values of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant(Json);

impl Variant {
    /// Reads the JSON object of a variant.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn parse(text: &str) -> Result<Self, String> {
        Json::parse(text).map(Self)
    }

    /// The name of the variant.
    #[must_use]
    pub fn name(&self) -> &str {
        if let Some(Json::Text(name)) = self.0.get("name") { name } else { "" }
    }

    /// A parameter that is a number.
    ///
    /// # Panics
    /// When the description has no such parameter.
    #[must_use]
    pub fn number(&self, name: &str) -> i64 {
        let Some(Json::Number(value)) = self.0.get(name) else { panic!("the variant has no number `{name}`") };
        *value as i64
    }

    /// The variants of a description, the default first, with the defaults of omitted parameters.
    pub(crate) fn all(description: &Json) -> Vec<Self> {
        let list = |name| description.get(name).map_or(&[][..], Json::items);
        let default = |parameter: &Json| match (parameter.get("name"), parameter.get("default")) {
            (Some(Json::Text(name)), Some(default)) => (name.clone(), default.clone()),
            _ => panic!("a parameter of the description without `name` or `default`"),
        };
        let defaults = Self(Json::Object(list("parameters").iter().map(default).collect()));
        match list("variants") {
            [] => vec![defaults.with(&Json::Object(vec![("name".to_owned(), Json::Text("standard".to_owned()))]))],
            variants => variants.iter().map(|variant| defaults.with(variant)).collect(),
        }
    }

    /// The variant with some values replaced.
    pub(crate) fn with(&self, values: &Json) -> Self {
        let (Json::Object(fields), Json::Object(values)) = (&self.0, values) else { panic!("expected a JSON object") };
        let kept = fields.iter().filter(|(name, _)| !values.iter().any(|(other, _)| other == name));
        Self(Json::Object(kept.chain(values).cloned().collect()))
    }
}
