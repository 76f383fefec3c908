//! Static sampling (crsampler.txt §4.2): which places are sampled is decided once, when their class is loaded.
//!
//! The decision is a hash of the seed and of the place's name, so it does not depend on the order in which classes are loaded: the
//! same seed samples the same places in every run.

use std::fmt;

/// Which part of all places is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// In millionths.
    millionths: u32,
}

impl Rate {
    /// No place.
    pub const NONE: Rate = Rate { millionths: 0 };

    /// All places.
    pub const ALL: Rate = Rate { millionths: MILLION };

    /// So many millionths of all places, at most all.
    #[must_use]
    pub fn millionths(millionths: u32) -> Rate {
        Rate { millionths: millionths.min(MILLION) }
    }
}

const MILLION: u32 = 1_000_000;

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}%", f64::from(self.millionths) / 10_000.0)
    }
}

/// A place: an instruction of a method.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its class.
    pub class: &'a [u8],
    /// Its method.
    pub method: &'a [u8],
    /// The method's descriptor.
    pub descriptor: &'a [u8],
    /// Where in the method.
    pub bytecode: usize,
}

/// Is this place sampled?
#[must_use]
pub fn is_chosen(seed: u64, rate: Rate, place: &Place<'_>) -> bool {
    let parts = [place.class, place.method, place.descriptor];
    let start = mix(seed);
    let named = parts.iter().fold(start, |hash, part| mix(part.iter().fold(hash, |hash, &byte| step(hash, byte))));
    let hash = mix(named ^ place.bytecode as u64);
    // The upper half of the product is even over all millionths.
    let draw = (u128::from(hash) * u128::from(MILLION)) >> 64;
    draw < u128::from(rate.millionths)
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// SplitMix64's finalizer.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(seed: u64, rate: u32) -> usize {
        let place = |bytecode| Place { class: b"a/B", method: b"c", descriptor: b"()V", bytecode };
        (0..100_000).filter(|&at| is_chosen(seed, Rate::millionths(rate), &place(at))).count()
    }

    #[test]
    fn the_rate_is_kept_and_the_seed_changes_what_is_chosen() {
        assert_eq!((chosen(1, 0), chosen(1, MILLION)), (0, 100_000));
        for seed in 0..5 {
            let found = chosen(seed, 10_000);
            assert!((800..1200).contains(&found), "{found} of 100000 at 1 %");
        }
        let which = |seed| {
            let place = |bytecode| Place { class: b"a/B", method: b"c", descriptor: b"()V", bytecode };
            (0..1000).filter(|&at| is_chosen(seed, Rate::millionths(100_000), &place(at))).collect::<Vec<_>>()
        };
        assert_eq!(which(7), which(7));
        assert_ne!(which(7), which(8));
    }

    #[test]
    fn all_of_a_place_counts() {
        let all = [
            Place { class: b"a", method: b"b", descriptor: b"()V", bytecode: 1 },
            Place { class: b"ab", method: b"", descriptor: b"()V", bytecode: 1 },
            Place { class: b"a", method: b"b", descriptor: b"()I", bytecode: 1 },
            Place { class: b"a", method: b"b", descriptor: b"()V", bytecode: 2 },
        ];
        let drawn = all.map(|place| (0..64).map(|seed| is_chosen(seed, Rate::millionths(500_000), &place)).collect());
        let drawn: Vec<Vec<bool>> = drawn.into();
        for (at, one) in drawn.iter().enumerate() {
            assert!(drawn[at + 1..].iter().all(|other| other != one));
        }
    }
}
