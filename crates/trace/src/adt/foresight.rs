//! What a block need not tell, since its reader can foresee it: operands of loops, and what locations hold.
//!
//! Writer and reader keep the same tables, so both foresee the same. Tables are of bounded size: what has no place in
//! them is told in full.

/// Sites whose numbers have these lowest bits in common share an entry.
const SITES: usize = 1 << 12;

/// Of how many locations the values are kept: 32 MiB at most.
const LOCATIONS: usize = 1 << 22;

/// How the operands of a site go on.
#[derive(Clone, Copy, Default)]
struct Step {
    last: u32,
    difference: i32,
}

/// The operands of sites, within one block: in a loop over an array each is as far from the one before as that was.
pub(super) struct Steps(Box<[Step; SITES]>);

impl Default for Steps {
    fn default() -> Self {
        Steps(Box::new([Step::default(); SITES]))
    }
}

impl Steps {
    /// Blocks are read each for itself.
    pub(super) fn forget(&mut self) {
        self.0.fill(Step::default());
    }

    /// Goes on to an operand; how far it is, if that was not foreseen.
    #[inline]
    pub(super) fn step_to(&mut self, site: u32, operand: u32) -> Option<i32> {
        let step = &mut self.0[site as usize % SITES];
        let difference = operand.wrapping_sub(step.last) as i32;
        let foreseen = difference == step.difference;
        *step = Step { last: operand, difference };
        (!foreseen).then_some(difference)
    }

    /// The operand that is so far from the last one, or as far as was foreseen.
    #[inline]
    pub(super) fn follow(&mut self, site: u32, difference: Option<i32>) -> u32 {
        let step = &mut self.0[site as usize % SITES];
        let difference = difference.unwrap_or(step.difference);
        *step = Step { last: step.last.wrapping_add_signed(difference), difference };
        step.last
    }
}

/// What locations hold, as far as events have told: 0 before any has, as in Java.
#[derive(Default)]
pub(super) struct Expected {
    values: Vec<u64>,
    /// Once events were missed: of which locations it is known since then.
    known: Option<Vec<bool>>,
}

impl Expected {
    /// Events were missed.
    pub(super) fn forget(&mut self) {
        self.known = Some(Vec::new());
    }

    #[inline]
    pub(super) fn get(&self, location: u32) -> Option<u64> {
        let place = location as usize;
        let is_known = self.known.as_ref().is_none_or(|known| known.get(place) == Some(&true));
        (is_known && place < LOCATIONS).then(|| self.values.get(place).copied().unwrap_or(0))
    }

    /// The location holds this now; what it was expected to hold.
    #[inline]
    pub(super) fn replace(&mut self, location: u32, value: u64) -> Option<u64> {
        let place = location as usize;
        if place >= self.values.len() || self.known.is_some() {
            return self.replace_slowly(location, value);
        }
        let held = self.values.get_mut(place)?;
        Some(std::mem::replace(held, value))
    }

    #[cold]
    fn replace_slowly(&mut self, location: u32, value: u64) -> Option<u64> {
        let (place, before) = (location as usize, self.get(location));
        if place >= LOCATIONS {
            return None;
        }
        let length = (place + 1).next_power_of_two();
        if place >= self.values.len() {
            self.values.resize(length, 0);
        }
        if let Some(known) = &mut self.known {
            if place >= known.len() {
                known.resize(length, false);
            }
            if let Some(known) = known.get_mut(place) {
                *known = true;
            }
        }
        if let Some(held) = self.values.get_mut(place) {
            *held = value;
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_and_writer_foresee_the_same() {
        let (mut writes, mut reads) = (Steps::default(), Steps::default());
        let operands = [0, 3, 6, 9, 2, 5, 8, u32::MAX, 0, 1, 2, 2, 2];
        let mut told = 0;
        for round in 0..2 {
            for (place, operand) in operands.into_iter().enumerate() {
                let site = (place % 2) as u32 * SITES as u32 + round;
                let difference = writes.step_to(site, operand);
                told += usize::from(difference.is_some());
                assert_eq!(reads.follow(site, difference), operand);
            }
        }
        assert!(told < 2 * operands.len(), "{told}");
        let difference = writes.step_to(7, 5);
        assert_eq!(difference, Some(5), "far from where every block begins");
        writes.forget();
        assert_eq!(writes.step_to(7, 5), Some(5));
    }

    #[test]
    fn a_location_is_expected_to_hold_what_was_told_last() {
        let mut expected = Expected::default();
        assert_eq!((expected.get(3), expected.replace(3, 7), expected.replace(3, 8)), (Some(0), Some(0), Some(7)));
        assert_eq!(expected.replace(LOCATIONS as u32, 1), None);
        assert_eq!(expected.get(LOCATIONS as u32), None, "it has no place");
        expected.forget();
        assert_eq!((expected.get(3), expected.get(900)), (None, None), "a lost event may have changed it");
        assert_eq!((expected.replace(3, 9), expected.get(3), expected.get(2)), (None, Some(9), None));
    }
}
