//! Weights of evaluations as they are stored.

/// The weights in a file's text, lines that begin with `#` left out. Read when the program is compiled, since a sum of weights
/// known beforehand is faster.
///
/// # Panics
/// When there are not exactly `N`.
pub const fn numbers<const N: usize>(text: &str) -> [i32; N] {
    let bytes = text.as_bytes();
    let mut numbers = [0; N];
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'#' {
            while bytes[at] != b'\n' {
                at += 1;
            }
        } else if byte.is_ascii_digit() {
            let sign = if at > 0 && bytes[at - 1] == b'-' { -1 } else { 1 };
            let mut number = 0;
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                number = 10 * number + (bytes[at] - b'0') as i32;
                at += 1;
            }
            numbers[count] = sign * number;
            count += 1;
            continue;
        }
        at += 1;
    }
    assert!(count == N, "there is a weight for each term");
    numbers
}
