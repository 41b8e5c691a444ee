//! A static function: maps each key of a fixed set to its value, in little more space than the values need.
//!
//! A value is the exclusive or of three cells of an array, chosen by the key's hash. Keys outside the set get an arbitrary
//! value: membership cannot be tested. The cells lie near each other in overlapping segments (binary fuse filters: Graf and
//! Lemire 2022), so 1.13 cells per key suffice.

use crate::rng::mix;

/// Words of a function's header: seed, bits of the mask within a segment, segments, bytes of cells.
const HEADER: usize = 4;
/// Bytes after the cells, so that reading the two bytes around a cell never runs past the end.
const PADDING: usize = 8;

/// How a function finds its cells.
#[derive(Clone, Copy, Debug)]
struct Layout {
    seed: u64,
    /// Log2 of the cells in a segment.
    segment: u32,
    /// Segments that the first cell of a key can lie in; two more follow.
    segments: u64,
}

impl Layout {
    fn for_keys(count: usize) -> Self {
        let count = count.max(2) as f64;
        let segment = (count.ln() / 3.33f64.ln() + 2.25).floor().clamp(2.0, 18.0) as u32;
        let factor = (0.875 + 0.25 * 1e6f64.ln() / count.ln()).max(1.125);
        let segments = (count * factor / f64::from(1u32 << segment)).ceil().max(3.0) as u64 - 2;
        Self { seed: 0, segment, segments }
    }

    fn cells(&self) -> usize {
        ((self.segments + 2) << self.segment) as usize
    }

    #[inline]
    fn cells_of(&self, key: u64) -> [usize; 3] {
        let hash = mix(key ^ self.seed);
        let mask = (1 << self.segment) - 1;
        let first = ((u128::from(hash) * u128::from(self.segments << self.segment)) >> 64) as u64;
        let second = (first + (1 << self.segment)) ^ (hash >> 18 & mask);
        let third = (first + (2 << self.segment)) ^ (hash & mask);
        [first as usize, second as usize, third as usize]
    }
}

/// A function read in place.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    layout: Layout,
    bits: u32,
    cells: &'a [u8],
}

impl<'a> Function<'a> {
    /// Reads a function with values of `bits` bits (at most 8) from the front of `bytes`, and returns the bytes after it, too.
    pub fn read(bytes: &'a [u8], bits: u32) -> Option<(Self, &'a [u8])> {
        let word = |index: usize| Some(u64::from_le_bytes(*bytes.get(8 * index..)?.first_chunk()?));
        let layout = Layout { seed: word(0)?, segment: word(1)? as u32, segments: word(2)? };
        let rest = &bytes[8 * HEADER..];
        let length = usize::try_from(word(3)?).ok()?;
        if layout.segment > 18 || layout.segments > 1 << 32 || length != room(&layout, bits) {
            return None;
        }
        let cells = rest.get(..length)?;
        Some((Self { layout, bits, cells }, &rest[length..]))
    }

    /// The value of a key of the set.
    #[inline]
    pub fn get(&self, key: u64) -> u8 {
        let found = self.layout.cells_of(key).into_iter().fold(0, |value, cell| value ^ self.cell(cell));
        found & ((1 << self.bits) - 1) as u8
    }

    #[inline]
    fn cell(&self, index: usize) -> u8 {
        let bit = index * self.bits as usize;
        let (low, high) = (self.cells[bit / 8], self.cells[bit / 8 + 1]);
        (u16::from_le_bytes([low, high]) >> (bit % 8)) as u8
    }
}

fn room(layout: &Layout, bits: u32) -> usize {
    (layout.cells() * bits as usize).div_ceil(8) + PADDING
}

/// Writes the function with these entries: distinct keys, each with a value of `bits` bits.
pub fn write(entries: &[(u64, u8)], bits: u32, out: &mut Vec<u8>) {
    let mut layout = Layout::for_keys(entries.len());
    let order = loop {
        if let Some(order) = peel(entries, &layout) {
            break order;
        }
        layout.seed += 1;
    };
    let mut cells = vec![0u8; layout.cells()];
    // In reverse order, no key processed earlier uses this key's own cell, so setting the cell changes none of their values.
    for &(entry, own) in order.iter().rev() {
        let (key, value) = entries[entry as usize];
        let others = layout.cells_of(key).into_iter().filter(|&cell| cell != own as usize);
        cells[own as usize] = others.fold(value, |value, cell| value ^ cells[cell]);
    }
    let mut packed = vec![0u8; room(&layout, bits)];
    for (index, value) in cells.into_iter().enumerate() {
        let bit = index * bits as usize;
        let [low, high] = (u16::from(value) << (bit % 8)).to_le_bytes();
        packed[bit / 8] |= low;
        packed[bit / 8 + 1] |= high;
    }
    for word in [layout.seed, layout.segment.into(), layout.segments, packed.len() as u64] {
        out.extend(word.to_le_bytes());
    }
    out.append(&mut packed);
}

/// Repeatedly removes a key that is alone in one of its cells: (index of the key, that cell). `None` when some keys remain.
fn peel(entries: &[(u64, u8)], layout: &Layout) -> Option<Vec<(u32, u32)>> {
    // By cell: the number of keys that use it, and the exclusive or of their indices.
    let mut users = vec![(0u32, 0u32); layout.cells()];
    for (index, &(key, _)) in entries.iter().enumerate() {
        for cell in layout.cells_of(key) {
            users[cell].0 += 1;
            users[cell].1 ^= index as u32;
        }
    }
    let mut alone: Vec<u32> = (0..users.len() as u32).filter(|&cell| users[cell as usize].0 == 1).collect();
    let mut order = Vec::with_capacity(entries.len());
    while let Some(own) = alone.pop() {
        let (count, index) = users[own as usize];
        if count != 1 {
            continue;
        }
        order.push((index, own));
        for cell in layout.cells_of(entries[index as usize].0) {
            users[cell].0 -= 1;
            users[cell].1 ^= index;
            if users[cell].0 == 1 {
                alone.push(cell as u32);
            }
        }
    }
    (order.len() == entries.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_finds_its_value() {
        for count in [0, 1, 2, 3, 10, 1000, 50_000] {
            for bits in [1, 5, 6, 8] {
                let entries: Vec<_> = (0..count).map(|n| (mix(n), (mix(n ^ 77) & ((1 << bits) - 1)) as u8)).collect();
                let mut bytes = Vec::new();
                write(&entries, bits, &mut bytes);
                bytes.extend(b"rest");
                let (function, rest) = Function::read(&bytes, bits).expect("what was written can be read");
                assert_eq!(rest, b"rest");
                assert!(entries.iter().all(|&(key, value)| function.get(key) == value), "{count} keys, {bits} bits");
                assert!(Function::read(&bytes[..bytes.len() - 5], bits).is_none());
            }
        }
    }
}
