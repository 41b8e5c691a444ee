//! Writes JavaScript values as JSON: equal values have equal texts, and values that JSON would silently change are refused.

use rquickjs::{Array, Object, Value};

/// Maximum depth of nested arrays and objects.
const DEEPEST: usize = 64;

/// Why a value cannot be written.
pub(crate) enum Refused {
    /// A part of it has no JSON text: its path and its kind.
    Part(String, String),
    /// It is larger than allowed.
    TooLarge,
    /// The script failed, in a getter for example.
    Script(rquickjs::Error),
}

impl From<rquickjs::Error> for Refused {
    fn from(error: rquickjs::Error) -> Self {
        Self::Script(error)
    }
}

impl Refused {
    fn root(what: impl Into<String>) -> Self {
        Self::Part(String::new(), what.into())
    }

    fn below(self, step: &str) -> Self {
        match self {
            Self::Part(path, what) => Self::Part(format!("{step}{path}"), what),
            other => other,
        }
    }
}

/// The length of an array, which can exceed the range of `Array::len`.
pub(crate) fn length(array: &Array<'_>) -> rquickjs::Result<usize> {
    array.as_object().get::<_, f64>("length").map(|length| length as usize)
}

/// Writes values of at most `most` bytes in total.
pub(crate) struct Writer {
    text: String,
    /// Bytes and members left to write: members that write nothing cost time too.
    left: usize,
}

impl Writer {
    pub fn new(most: usize) -> Self {
        Self { text: String::new(), left: most }
    }

    /// The compact JSON text of a value, with the keys of objects sorted.
    pub fn write(&mut self, value: &Value<'_>) -> Result<String, Refused> {
        self.value(value, 0)?;
        Ok(std::mem::take(&mut self.text))
    }

    fn spend(&mut self, cost: usize) -> Result<(), Refused> {
        self.left = self.left.checked_sub(cost).ok_or(Refused::TooLarge)?;
        Ok(())
    }

    fn push(&mut self, text: &str) -> Result<(), Refused> {
        self.spend(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    fn value(&mut self, value: &Value<'_>, depth: usize) -> Result<(), Refused> {
        if depth > DEEPEST {
            return Err(Refused::root(format!("deeper than {DEEPEST} levels")));
        }
        if value.is_null() {
            self.push("null")
        } else if let Some(flag) = value.as_bool() {
            self.push(if flag { "true" } else { "false" })
        } else if let Some(number) = value.as_number() {
            self.number(number)
        } else if let Some(text) = value.as_string() {
            let text = text.to_string().map_err(|_| Refused::root("a text with half of a surrogate pair"))?;
            self.quoted(&text)
        } else if value.is_function() {
            Err(Refused::root("a function"))
        } else if let Some(array) = value.as_array() {
            self.array(array, depth)
        } else if let Some(object) = value.as_object() {
            self.object(object, depth)
        } else {
            Err(Refused::root(value.type_of().as_str()))
        }
    }

    fn number(&mut self, number: f64) -> Result<(), Refused> {
        const EXACT: f64 = (1_u64 << 53) as f64;
        if !number.is_finite() {
            return Err(Refused::root(if number.is_nan() { "NaN" } else { "infinite" }));
        }
        let text = match number.fract() == 0.0 && number.abs() < EXACT {
            true => (number as i64).to_string(),
            false => serde_json::Value::from(number).to_string(),
        };
        self.push(&text)
    }

    fn quoted(&mut self, text: &str) -> Result<(), Refused> {
        // The length is checked before the copy.
        if text.len() > self.left {
            return Err(Refused::TooLarge);
        }
        self.push(&serde_json::Value::from(text).to_string())
    }

    fn array(&mut self, array: &Array<'_>, depth: usize) -> Result<(), Refused> {
        self.push("[")?;
        for index in 0..length(array)? {
            if index > 0 {
                self.push(",")?;
            }
            let element: Value<'_> = array.get(index)?;
            self.value(&element, depth + 1).map_err(|refused| refused.below(&format!("[{index}]")))?;
        }
        self.push("]")
    }

    fn object(&mut self, object: &Object<'_>, depth: usize) -> Result<(), Refused> {
        // Only plain objects have a prototype without a prototype. Others would be read back without their methods and
        // contents.
        if object.get_prototype().is_some_and(|prototype| prototype.get_prototype().is_some()) {
            let class = object.get::<_, Object<'_>>("constructor").and_then(|class| class.get::<_, String>("name"));
            return Err(Refused::root(
                class.map_or_else(|_| "an object of a class".to_owned(), |name| format!("a {name}")),
            ));
        }
        let mut keys = object.keys::<String>().collect::<Result<Vec<_>, _>>()?;
        self.spend(keys.len())?;
        keys.sort_unstable();
        self.push("{")?;
        let mut first = true;
        for key in keys {
            let member: Value<'_> = object.get(&*key)?;
            // A missing member is read as undefined too.
            if member.is_undefined() {
                continue;
            }
            if !std::mem::take(&mut first) {
                self.push(",")?;
            }
            self.quoted(&key)?;
            self.push(":")?;
            self.value(&member, depth + 1).map_err(|refused| refused.below(&format!(".{key}")))?;
        }
        self.push("}")
    }
}
