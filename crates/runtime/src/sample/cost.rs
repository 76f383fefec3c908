//! What sampling may cost: a share of the processor time that the process takes.

use std::time::Duration;

/// What may be spent before the program has done anything.
const ADVANCE: Duration = Duration::from_millis(20);

/// One whole, in millionths.
const MILLION: u128 = 1_000_000;

/// A share of the processor time of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostLimit {
    /// In millionths.
    millionths: u32,
}

impl CostLimit {
    /// So many millionths.
    #[must_use]
    pub const fn millionths(millionths: u32) -> CostLimit {
        CostLimit { millionths }
    }

    /// Has more been spent than a process may that has used so much, of which what was spent is a part?
    #[must_use]
    pub fn is_exceeded(self, spent: Duration, used: Duration) -> bool {
        let allowed = used.as_nanos() * u128::from(self.millionths) / MILLION;
        spent.as_nanos() > allowed + ADVANCE.as_nanos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_and_a_little_in_advance_may_be_spent() {
        let (limit, second) = (CostLimit::millionths(10_000), Duration::from_secs(1));
        assert!(!limit.is_exceeded(Duration::from_millis(30), second));
        assert!(limit.is_exceeded(Duration::from_micros(30_001), second));
        assert!(!limit.is_exceeded(ADVANCE, Duration::ZERO) && limit.is_exceeded(2 * ADVANCE, Duration::ZERO));
        assert!(!CostLimit::millionths(1_000_000).is_exceeded(second, second));
        assert!(!limit.is_exceeded(Duration::ZERO, Duration::MAX));
    }
}
