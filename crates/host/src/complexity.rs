//! Bounds the cost of compiling a module in advance, because a compilation cannot be interrupted.
//!
//! The compiler determines the value of each local variable at each join of control flow, which takes time and memory in
//! proportion to their product. Without the bound, a module of a mebibyte takes over 12 GB or a minute; the rest of the
//! compiler's work is linear in the code.

use wasmparser::{BinaryReaderError, FunctionBody, Operator, Parser, Payload};

/// Maximum number of functions; each costs the compiler about 0.1 ms, however small it is.
const FUNCTIONS: u32 = 10_000;
/// Maximum bytes of a function; compiling it takes up to a thousand times as much memory.
const FUNCTION: usize = 128 << 10;
/// Maximum number of parameters of a function; they are local variables too.
const PARAMETERS: usize = 100;
/// Number of joins that a loop counts as, because its values are known only at its end.
const LOOP: u64 = 64;
/// Maximum of local variables times joins, summed over all functions.
const PRODUCT: u64 = 4_000_000;

/// Checks that a module compiles in a bounded time.
///
/// # Errors
/// When the module exceeds a limit or is invalid.
pub(crate) fn check(module: &[u8]) -> Result<(), String> {
    let (mut functions, mut product) = (0, 0);
    for payload in Parser::new(0).parse_all(module) {
        let body = match payload.map_err(|error| error.to_string())? {
            Payload::CodeSectionEntry(body) => body,
            Payload::TypeSection(types) => {
                for function in types.into_iter_err_on_gc_types() {
                    if function.map_err(|error| error.to_string())?.params().len() > PARAMETERS {
                        return Err(format!("a function of more than {PARAMETERS} parameters"));
                    }
                }
                continue;
            }
            _ => continue,
        };
        functions += 1;
        if functions > FUNCTIONS {
            return Err(format!("more than {FUNCTIONS} functions"));
        }
        let size = body.range().len();
        if size > FUNCTION {
            return Err(format!("a function of {size} bytes; expected at most {FUNCTION}"));
        }
        product += locals_times_joins(&body).map_err(|error| error.to_string())?;
        if product > PRODUCT {
            return Err("functions with too many local variables and branches".to_owned());
        }
    }
    Ok(())
}

fn locals_times_joins(body: &FunctionBody<'_>) -> Result<u64, BinaryReaderError> {
    let mut locals = PARAMETERS as u64;
    for local in body.get_locals_reader()? {
        locals += u64::from(local?.0);
    }
    let mut joins = 0;
    for operator in body.get_operators_reader()? {
        joins += match operator? {
            Operator::Block { .. } | Operator::If { .. } => 1,
            Operator::Loop { .. } => LOOP,
            Operator::Br { .. } | Operator::BrIf { .. } => 1,
            Operator::BrTable { targets } => u64::from(targets.len()),
            _ => 0,
        };
    }
    Ok(locals * joins)
}
