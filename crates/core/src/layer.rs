//! An integer layer of a network. Its weights are laid out for one instruction (`vpmaddwd`, where available), which multiplies
//! two inputs by their weights for eight outputs at once, and adds the two products.

use bytemuck::Pod;
use wide::{i16x16, i32x8};

/// A layer of twice `PAIRS` inputs and eight times `GROUPS` outputs.
#[derive(Debug)]
pub struct Layer<const PAIRS: usize, const GROUPS: usize>(Box<[[i16x16; GROUPS]; PAIRS]>);

impl<const PAIRS: usize, const GROUPS: usize> Layer<PAIRS, GROUPS> {
    /// A layer with these weights, by output and input.
    pub fn new(weight: impl Fn(usize, usize) -> i16) -> Self {
        let eight = |pair: usize, group: usize| {
            i16x16::new(std::array::from_fn(|index| weight(8 * group + index / 2, 2 * pair + index % 2)))
        };
        Self(Box::new(std::array::from_fn(|pair| std::array::from_fn(|group| eight(pair, group)))))
    }

    /// The outputs, of 32 bits: `begin` plus the weighted sums of the inputs, of 16 bits.
    #[inline(always)]
    pub fn apply<I: Pod, O: Pod>(&self, input: I, begin: O) -> O {
        let input: [i32; PAIRS] = bytemuck::cast(input);
        let mut sums: [i32x8; GROUPS] = bytemuck::cast(begin);
        for (pair, weights) in input.into_iter().zip(&*self.0) {
            let pair: i16x16 = bytemuck::cast(i32x8::splat(pair));
            sums.iter_mut().zip(weights).for_each(|(sum, weights)| *sum += weights.dot(pair));
        }
        bytemuck::cast(sums)
    }

    /// The weights of an output.
    #[cfg(test)]
    pub fn weights_to(&self, to: usize) -> Vec<i16> {
        let pair = |weights: &[i16x16; GROUPS]| {
            let eight = weights[to / 8].to_array();
            [eight[2 * (to % 8)], eight[2 * (to % 8) + 1]]
        };
        self.0.iter().flat_map(pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_adds_up_products() {
        let weight = |to: usize, from: usize| (37 * to + 101 * from) as i16 - 700;
        let layer = Layer::<3, 2>::new(weight);
        let input: [i16; 6] = [1, -2, 300, 4000, 0, 127];
        let begin: [i32; 16] = std::array::from_fn(|to| to as i32 * 1000);
        let expected: [i32; 16] = std::array::from_fn(|to| {
            let products = (0..6).map(|from| i32::from(weight(to, from)) * i32::from(input[from]));
            begin[to] + products.sum::<i32>()
        });
        assert_eq!(layer.apply(input, begin), expected);
        assert_eq!(layer.weights_to(11), (0..6).map(|from| weight(11, from)).collect::<Vec<_>>());
    }
}
