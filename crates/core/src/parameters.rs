//! Typed parameters of variants and engines: each declared once, with its type, default, range and description.
//!
//! [`parameters!`](crate::parameters!) turns one declaration into the struct that serde reads and writes, its defaults, its
//! range checks, and the descriptions that clients see; [`choices!`](crate::choices!) does the same for a type whose values
//! have names. A field's doc comment is its description in the API.
//!
//! Schemas by `schemars` and validation by `garde` cannot replace it: ranges, choices and defaults of a search depend on the
//! game (`Mcts<F>` offers what `F` supports), which their attributes cannot express, and refusals must name the range in the
//! API's words.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

/// A parameter value that was refused: which one, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {problem}")]
pub struct Invalid {
    /// The parameter's name.
    pub field: &'static str,
    /// What was expected, and the value received.
    pub problem: String,
}

impl Invalid {
    /// Refuses a parameter's value because of `problem`.
    #[must_use]
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}

/// A parameter of a variant, or an option of an engine.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Parameter {
    /// Its field name in JSON.
    pub name: Cow<'static, str>,
    /// What it does, in a sentence.
    pub description: Cow<'static, str>,
    /// What values it takes.
    #[serde(flatten)]
    pub values: Values,
}

/// The values that a parameter takes.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Values {
    /// A whole number between limits.
    Integer {
        /// The smallest allowed.
        minimum: i64,
        /// The largest allowed.
        maximum: i64,
        /// The value if the parameter is absent.
        default: i64,
        /// The step between allowed values, counted from `minimum`; 1 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "i64")]
        step: Option<i64>,
    },
    /// A number between limits.
    Number {
        /// The smallest allowed.
        minimum: f64,
        /// The largest allowed.
        maximum: f64,
        /// The value if the parameter is absent.
        default: f64,
    },
    /// One of several words.
    Choice {
        /// The words.
        #[schemars(length(min = 1))]
        choices: Vec<&'static str>,
        /// The value if the parameter is absent.
        default: &'static str,
    },
    /// Yes or no.
    Boolean {
        /// The value if the parameter is absent.
        default: bool,
    },
    /// A cell of the board, like `c4`; none when the parameter is absent.
    Cell,
}

impl Parameter {
    /// The field `name` of a variant with these names.
    #[must_use]
    pub fn names<C: Choice>() -> Self {
        Self { name: "name".into(), description: "The variant's name.".into(), values: C::values(&C::ALL[0], C::ALL) }
    }
}

impl Values {
    /// The expected values, in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Integer { minimum, maximum, step: Some(step), .. } => {
                format!("a whole number from {minimum} to {maximum} in steps of {step}")
            }
            Self::Integer { minimum, maximum, .. } => format!("a whole number from {minimum} to {maximum}"),
            Self::Number { minimum, maximum, .. } => format!("a number from {minimum} to {maximum}"),
            Self::Choice { choices, .. } if choices.len() == 1 => choices[0].to_owned(),
            Self::Choice { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::Boolean { .. } => "true or false".to_owned(),
            Self::Cell => "a cell, like `c4`".to_owned(),
        }
    }
}

/// A set of parameters that [`parameters!`](crate::parameters!) has declared.
pub trait Parameters: Default {
    /// Every parameter, in the order of its declaration.
    fn parameters() -> Vec<Parameter>;

    /// Checks each parameter against its own range.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    fn check_ranges(&self) -> Result<(), Invalid>;
}

/// A type that a parameter can have.
pub trait ParameterType: Sized {
    /// What narrows the type: a range, or the available choices.
    type Range;
    /// The whole type.
    const WHOLE: Self::Range;

    /// The description for clients of a parameter of this type.
    fn values(default: &Self, range: Self::Range) -> Values;

    /// Checks a value against the range.
    ///
    /// # Errors
    /// States what was expected, and the value received.
    fn check(&self, range: Self::Range) -> Result<(), String>;
}

impl ParameterType for u32 {
    type Range = RangeInclusive<Self>;
    const WHOLE: Self::Range = 0..=Self::MAX;

    fn values(default: &Self, range: Self::Range) -> Values {
        let (minimum, maximum) = (i64::from(*range.start()), i64::from(*range.end()));
        Values::Integer { minimum, maximum, default: i64::from(*default), step: None }
    }

    fn check(&self, range: Self::Range) -> Result<(), String> {
        let problem = || format!("expected {}, not {self}", Self::values(self, range.clone()).expected());
        if range.contains(self) { Ok(()) } else { Err(problem()) }
    }
}

impl ParameterType for f64 {
    type Range = RangeInclusive<Self>;
    const WHOLE: Self::Range = Self::MIN..=Self::MAX;

    fn values(default: &Self, range: Self::Range) -> Values {
        Values::Number { minimum: *range.start(), maximum: *range.end(), default: *default }
    }

    fn check(&self, range: Self::Range) -> Result<(), String> {
        let problem = || format!("expected {}, not {self}", Self::values(self, range.clone()).expected());
        if range.contains(self) { Ok(()) } else { Err(problem()) }
    }
}

impl ParameterType for bool {
    type Range = ();
    const WHOLE: () = ();

    fn values(default: &Self, (): ()) -> Values {
        Values::Boolean { default: *default }
    }

    fn check(&self, (): ()) -> Result<(), String> {
        Ok(())
    }
}

/// A type whose values have names; [`choices!`](crate::choices!) declares it.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every value, in the order of its declaration.
    const ALL: &'static [Self];

    /// The value's name in the API.
    fn name(self) -> &'static str;
}

impl<C: Choice> ParameterType for C {
    type Range = &'static [Self];
    const WHOLE: Self::Range = Self::ALL;

    fn values(default: &Self, range: Self::Range) -> Values {
        Values::Choice { choices: range.iter().map(|choice| choice.name()).collect(), default: default.name() }
    }

    fn check(&self, range: Self::Range) -> Result<(), String> {
        if range.contains(self) {
            return Ok(());
        }
        Err(format!("expected {}, not {}", Self::values(self, range).expected(), self.name()))
    }
}

/// Declares a type whose values have names in the API: `Five = "five"`. The first is its default.
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Type:ident {
            $($(#[doc = $doc:literal])* $Value:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $visibility enum $Type {
            $($(#[doc = $doc])* #[serde(rename = $name)] $Value,)+
        }

        impl Default for $Type {
            fn default() -> Self {
                <Self as $crate::parameters::Choice>::ALL[0]
            }
        }

        impl $crate::parameters::Choice for $Type {
            const ALL: &'static [Self] = &[$(Self::$Value),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$Value => $name,)+
                }
            }
        }
    };
}

/// Declares a struct of parameters, each as `field: type = default, range;`, where the range is optional. A variant's names are
/// declared first: `names VariantNames;`.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Type:ident $(<$Generic:ident: $Bound:ident $(= $Usual:ty)?>)? {
            $($name_visibility:vis names $Names:ty;)?
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)+)])?
                $field_visibility:vis $field:ident: $Field:ty = $default:expr $(, $range:expr)?;
            )*
        }
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        $(#[$meta])*
        $visibility struct $Type $(<$Generic: $Bound $(= $Usual)?>)? {
            $($name_visibility name: $Names,)?
            $($(#[doc = $doc])+ $(#[serde($($serde)+)])? $field_visibility $field: $Field,)*
            $(#[serde(skip)] generic: std::marker::PhantomData<$Generic>,)?
        }

        impl $(<$Generic: $Bound>)? Default for $Type $(<$Generic>)? {
            fn default() -> Self {
                Self {
                    $(name: <$Names as $crate::parameters::Choice>::ALL[0],)?
                    $($field: $default,)*
                    $(generic: std::marker::PhantomData::<$Generic>,)?
                }
            }
        }

        impl $(<$Generic: $Bound>)? $crate::parameters::Parameters for $Type $(<$Generic>)? {
            fn parameters() -> Vec<$crate::parameters::Parameter> {
                vec![$(
                    $crate::parameters::Parameter {
                        name: stringify!($field).into(),
                        description: const { concat!($($doc),+).trim_ascii() }.into(),
                        values: <$Field as $crate::parameters::ParameterType>::values(
                            &$default,
                            $crate::parameters!(@range $Field $(, $range)?),
                        ),
                    },
                )*]
            }

            fn check_ranges(&self) -> Result<(), $crate::parameters::Invalid> {
                $(
                    <$Field as $crate::parameters::ParameterType>::check(
                        &self.$field,
                        $crate::parameters!(@range $Field $(, $range)?),
                    )
                    .map_err(|problem| $crate::parameters::Invalid::new(stringify!($field), problem))?;
                )*
                Ok(())
            }
        }
    };
    (@range $Field:ty) => { <$Field as $crate::parameters::ParameterType>::WHOLE };
    (@range $Field:ty, $range:expr) => { $range };
}

choices! {
    /// The name of the only variant of a game.
    pub enum OnlyVariant {
        /// The only variant.
        Standard = "standard",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        enum Colour {
            Red = "red",
            Green = "green",
        }
    }

    parameters! {
        struct Sample {
            names OnlyVariant;
            /// How wide,
            /// in cells.
            width: u32 = 3, 1..=9;
            /// A share.
            share: f64 = 0.5, 0.0..=1.0;
            /// What it looks like.
            colour: Colour = Colour::Green, &[Colour::Green];
            /// Whether it is on.
            on: bool = true;
        }
    }

    #[test]
    fn one_declaration_describes_reads_and_checks() {
        let described = serde_json::to_value(Sample::parameters()).expect("it is JSON");
        assert_eq!(
            described,
            serde_json::json!([
                { "name": "width", "description": "How wide, in cells.", "type": "integer", "minimum": 1, "maximum": 9, "default": 3 },
                { "name": "share", "description": "A share.", "type": "number", "minimum": 0.0, "maximum": 1.0, "default": 0.5 },
                { "name": "colour", "description": "What it looks like.", "type": "choice", "choices": ["green"], "default": "green" },
                { "name": "on", "description": "Whether it is on.", "type": "boolean", "default": true },
            ])
        );
        let read: Sample = serde_json::from_str(r#"{"width": 4, "colour": "red"}"#).expect("it can be read");
        assert_eq!(read, Sample { width: 4, colour: Colour::Red, ..Sample::default() });
        assert_eq!(read.check_ranges(), Err(Invalid::new("colour", "expected green, not red")));
        let refused = |sample: Sample| sample.check_ranges().expect_err("it is outside").to_string();
        assert_eq!(
            refused(Sample { width: 10, ..Sample::default() }),
            "`width`: expected a whole number from 1 to 9, not 10"
        );
        assert_eq!(
            refused(Sample { share: f64::NAN, ..Sample::default() }),
            "`share`: expected a number from 0 to 1, not NaN"
        );
        assert!(serde_json::from_str::<Sample>(r#"{"widht": 4}"#).is_err(), "unknown fields are refused");
    }
}
