//! The random numbers of searches: fast, seeded, and the same on every machine. If no seed is chosen, the operating system
//! supplies one.

/// A seeded generator (wyrand, from the `fastrand` crate). Equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Rng(fastrand::Rng);

impl Rng {
    /// A generator for worker number `stream` of a search seeded with `seed`; streams are independent of each other.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(fastrand::Rng::with_seed(mix(seed ^ mix(stream))))
    }

    /// A seed from the operating system's random numbers (`getrandom`), which cannot be predicted from the clock or from
    /// earlier seeds. Below 2^53, so that JavaScript clients keep it exactly. Every seed that is not chosen comes from here.
    ///
    /// # Panics
    /// If the operating system has no random numbers; then std's hash maps do not work either.
    #[must_use]
    pub fn fresh_seed() -> u64 {
        entropy() >> 11
    }

    /// A number in `0..n`, each with the same chance up to a bias of n / 2^32, which is negligible for playouts.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.u32(..)) * u64::from(n)) >> 32) as u32
    }

    /// A number from 0 to less than 1, in steps of 2^-30.
    pub fn unit_interval(&mut self) -> f64 {
        f64::from(self.below(1 << 30)) / f64::from(1 << 30)
    }

    /// Puts items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }

    /// A random index, with chances in proportion to the weights; the first if all are 0, and `None` without weights.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let mut rest = self.unit_interval() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        // Rounding can leave a remainder after the last weight.
        let last = || weights.iter().rposition(|&weight| weight > 0.0);
        drawn.or_else(last).or_else(|| (!weights.is_empty()).then_some(0))
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn entropy() -> u64 {
    getrandom::u64().expect("the operating system has random numbers")
}

/// Without an operating system, the host's random numbers; without a source every fresh seed is the same.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn entropy() -> u64 {
    SOURCE.get().map_or(1 << 11, |source| source())
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
static SOURCE: std::sync::OnceLock<fn() -> u64> = std::sync::OnceLock::new();

/// Sets the function that returns 64 random bits, for instance from `crypto.getRandomValues()`; only the first call counts.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn set_source(source: fn() -> u64) {
    let _ = SOURCE.set(source);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_chances() {
        let mut rng = Rng::new(1, 0);
        let mut drawn = [0; 4];
        (0..8000).for_each(|_| drawn[rng.weighted(&[1.0, 0.0, 5.0, 2.0]).unwrap()] += 1);
        // A thousand to a weight of 1; the standard deviation is below 45.
        for (number, expected) in drawn.into_iter().zip([1000_i32, 0, 5000, 2000]) {
            assert!((number - expected).abs() < 200, "{drawn:?}");
        }
        assert_eq!(drawn[1], 0);
        assert_eq!((rng.weighted(&[]), rng.weighted(&[0.0, 0.0])), (None, Some(0)));
    }

    #[test]
    fn fresh_seeds_come_from_the_system() {
        let drawn = |state| {
            // The thread's own generator must not influence it.
            fastrand::seed(state);
            (0..100).map(|_| Rng::fresh_seed()).collect::<Vec<_>>()
        };
        let mut all = [drawn(7), drawn(7)].concat();
        assert!(all.iter().all(|seed| *seed < 1 << 53), "{all:?}");
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200, "equal seeds were drawn");
        // Two hundred draws of 53 fair bits: each bit is on about half of them.
        for bit in 0..53 {
            let on = all.iter().filter(|seed| *seed >> bit & 1 == 1).count();
            assert!((50..=150).contains(&on), "bit {bit} is on in {on} of 200");
        }
    }
}
