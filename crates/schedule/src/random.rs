//! Random choices that a seed repeats: SplitMix64 (Steele, Lea and Flood 2014).

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`; 0 if the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The high half of a product: the bias is at most limit / 2^64.
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// One of several values.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> Option<T> {
        let place = self.below(values.len() as u64);
        values.get(usize::try_from(place).ok()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_repeats_its_choices_and_all_values_come() {
        let (mut one, mut two) = (Random::new(7), Random::new(7));
        let picked: Vec<_> = (0..100).filter_map(|_| one.pick(&[0, 1, 2])).collect();
        assert_eq!(picked, (0..100).filter_map(|_| two.pick(&[0, 1, 2])).collect::<Vec<_>>());
        assert!((0..3).all(|value| picked.contains(&value)));
        assert_eq!(one.pick::<u8>(&[]), None);
    }
}
