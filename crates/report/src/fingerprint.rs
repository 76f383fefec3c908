//! The name of a race that stays the same from run to run: `R-xxxxxxxx`.
//!
//! It is made of the variable (class and field, or the element type of an array) and the two methods, in either order.
//! Lines, objects and threads take no part, so an unrelated edit keeps the name.

use std::fmt;

/// A race's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u32);

impl Fingerprint {
    /// The name of the race on `variable` between two methods, each with its class.
    #[must_use]
    pub fn of(variable: &str, one: &str, two: &str) -> Self {
        let (first, second) = if one <= two { (one, two) } else { (two, one) };
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for part in [variable, first, second] {
            // 64-bit FNV-1a; a zero byte ends each part, so that no two lists of parts read the same.
            for byte in part.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Fingerprint((hash >> 32) as u32 ^ hash as u32)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "R-{:08x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_methods_does_not_matter_and_all_else_does() {
        let name = Fingerprint::of("a.B.f", "a.B.get()I", "a.B.set(I)V");
        assert_eq!(name, Fingerprint::of("a.B.f", "a.B.set(I)V", "a.B.get()I"));
        assert_ne!(name, Fingerprint::of("a.B.g", "a.B.get()I", "a.B.set(I)V"));
        assert_ne!(name, Fingerprint::of("a.B.f", "a.B.get()I", "a.B.get()I"));
        assert_ne!(Fingerprint::of("ab", "c", "d"), Fingerprint::of("a", "bc", "d"));
        assert_eq!(name.to_string().len(), 10);
        assert_eq!(name.to_string(), "R-34616435", "names must not change: baselines hold them");
    }
}
