//! The random numbers of searches: fast, seeded, and the same on every machine.

/// A seeded generator (wyrand, from the `fastrand` crate). Equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Rng(fastrand::Rng);

impl Rng {
    /// A generator for worker number `stream` of a search seeded with `seed`; streams are independent of each other.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(fastrand::Rng::with_seed(mix(seed ^ mix(stream))))
    }

    /// A seed from the operating system's entropy. Below 2^53, so that it survives a JavaScript client.
    #[must_use]
    pub fn fresh_seed() -> u64 {
        fastrand::u64(..) >> 11
    }

    /// A number in `0..n`, each with the same chance up to a bias of n / 2^32, which no playout can notice.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.u32(..)) * u64::from(n)) >> 32) as u32
    }
}

/// Spreads the bits of `x` over all 64 (the finalizer of SplitMix64: Steele, Lea and Flood 2014). A bijection.
#[inline]
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
