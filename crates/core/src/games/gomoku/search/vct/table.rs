//! The transposition table of the search for threats.

/// Larger than any finite proof or disproof number.
pub const INFINITE: u32 = (1 << BITS) - 1;
const BITS: u32 = 26;
/// Entries probed for a position: a cache line of them.
const NEIGHBOURS: usize = 4;

/// The proof and disproof numbers of a position, for the attacker's win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub proof: u32,
    pub disproof: u32,
    /// Once it is proven: the most plies until the game is over.
    pub plies: u32,
}

impl Numbers {
    /// No threat wins.
    pub const LOST: Self = Self { proof: INFINITE, disproof: 0, plies: 0 };

    pub fn open(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, plies: 0 }
    }

    pub fn won(plies: u32) -> Self {
        Self { proof: 0, disproof: INFINITE, plies }
    }

    pub fn is_won(self) -> bool {
        self.proof == 0
    }

    pub fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn pack(self) -> u64 {
        u64::from(self.proof) | u64::from(self.disproof) << BITS | u64::from(self.plies) << (2 * BITS)
    }

    fn unpack(packed: u64) -> Self {
        let number = |from: u32| (packed >> from) as u32 & INFINITE;
        Self { proof: number(0), disproof: number(BITS), plies: (packed >> (2 * BITS)) as u32 }
    }
}

/// Four entries per place; the least searched one is replaced. It takes no memory before it is used.
#[derive(Debug)]
pub struct Table {
    /// Pairs of key and packed numbers, which are never 0.
    entries: Vec<[u64; 2]>,
}

impl Table {
    /// A table of at most `bytes` bytes, and at least one place.
    pub fn new(bytes: u64) -> Self {
        let count = (bytes / 16 + 1).next_power_of_two() / 2;
        Self { entries: vec![[0; 2]; (count as usize).max(NEIGHBOURS)] }
    }

    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.entries) as u64
    }

    #[inline]
    fn place(&self, key: u64) -> std::ops::Range<usize> {
        let first = key as usize & (self.entries.len() - 1) & !(NEIGHBOURS - 1);
        first..first + NEIGHBOURS
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Numbers> {
        let known = self.entries[self.place(key)].iter().find(|&&[found, packed]| found == key && packed != 0);
        known.map(|&[_, packed]| Numbers::unpack(packed))
    }

    /// Stores the numbers of a position in place of the least searched entry.
    pub fn put(&mut self, key: u64, numbers: Numbers) {
        let worth = |&[found, packed]: &[u64; 2]| match Numbers::unpack(packed) {
            _ if packed == 0 => 1,
            _ if found == key => 0,
            numbers if numbers.is_known() => INFINITE,
            numbers => 2 + numbers.proof.min(numbers.disproof),
        };
        let place = self.place(key);
        if let Some(entry) = self.entries[place].iter_mut().min_by_key(|entry| worth(entry)) {
            *entry = [key, numbers.pack()];
        }
    }
}
