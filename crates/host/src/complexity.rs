//! The cost of compiling a module, bounded before it is compiled: a compilation cannot be interrupted.
//!
//! The compiler finds the value of each local variable at each join of control flow, in time and memory of their product.
//! Without the bound, a module of a mebibyte takes over 12 GB or a minute; the rest of its work is linear in the code.

use wasmparser::{BinaryReaderError, FunctionBody, Operator, Parser, Payload};

/// Functions: each costs the compiler about 0.1 ms, however small.
const FUNCTIONS: u32 = 10_000;
/// Bytes of a function: its memory while it is compiled is up to a thousand times as much.
const FUNCTION: usize = 128 << 10;
/// Parameters of a function, which are local variables too.
const PARAMETERS: usize = 100;
/// The joins that a loop counts as: its values are known only after its end.
const LOOP: u64 = 64;
/// Local variables of a function times its joins, of all functions together.
const PRODUCT: u64 = 4_000_000;

/// Checks that a module compiles in a bounded time.
///
/// # Errors
/// What is too much, or what is wrong with the module.
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
