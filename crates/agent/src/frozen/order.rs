//! Which of two steps came first, as far as their moments and stacks say.
//!
//! Two steps of one thread in the same epoch are compared by their stacks: in the method in which they part, the one whose
//! instruction stands first came first. If a loop there, or in one of the next few methods outwards, goes through both, the other
//! one may have come first in an earlier round: then nothing is known, and what would be reported is withheld.

use model::Epoch;
use runtime::Frame;

/// A step of a thread: when, and the stack, innermost frame first; without frames if it is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) at: Epoch,
    pub(crate) stack: Vec<Frame>,
}

/// How one step of a thread lies to another one of the same thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Before,
    After,
    /// This step stands after the other one in the code of a loop: it may be of an earlier round.
    AfterInLoop,
    /// The stacks do not say, or the steps are of different threads.
    Unknown,
}

/// How many methods outwards of the one in which two stacks part are searched for a loop. Loops further out, such as that of a
/// thread pool, seldom come round within one epoch.
const LOOPS_LOOKED_FOR: usize = 4;

/// Does a loop of a method go through all instructions from one to another one?
pub(crate) trait Loops: Fn(u32, u32, u32) -> bool {}

impl<F: Fn(u32, u32, u32) -> bool> Loops for F {}

impl Moment {
    /// Is this step before the other one, or after it?
    pub(crate) fn order(&self, other: &Moment, has_loop: impl Loops) -> Order {
        if self.at.slot != other.at.slot {
            return Order::Unknown;
        }
        match self.at.time.cmp(&other.at.time) {
            std::cmp::Ordering::Less => Order::Before,
            std::cmp::Ordering::Greater => Order::After,
            std::cmp::Ordering::Equal => by_stacks(&self.stack, &other.stack, has_loop),
        }
    }

    /// May this write come before a freeze? `has_seen` says whether the thread of one moment has seen another one by now.
    ///
    /// A write of another thread counts only if the thread that constructed has seen it, and the writer has not seen the end of the
    /// constructor: nobody remembers what the constructing thread had seen when the constructor ended. So a list that a worker
    /// filled is reported if the worker learns of the end later; to withhold that would hide whatever two threads do to an object
    /// after they were started.
    pub(crate) fn is_frozen_by(
        &self,
        freeze: &Moment,
        has_loop: impl Loops,
        has_seen: impl Fn(Epoch, Epoch) -> bool,
    ) -> bool {
        if self.at.slot == freeze.at.slot {
            matches!(self.order(freeze, has_loop), Order::Before | Order::AfterInLoop)
        } else {
            has_seen(freeze.at, self.at) && !has_seen(self.at, freeze.at)
        }
    }

    /// Did this write store a reference to the object before its constructor ended? In doubt it did, but in a loop.
    pub(crate) fn leaks_before(&self, freeze: &Moment, has_loop: impl Loops) -> bool {
        self.at.slot == freeze.at.slot && matches!(self.order(freeze, has_loop), Order::Before | Order::Unknown)
    }
}

fn by_stacks(one: &[Frame], two: &[Frame], has_loop: impl Loops) -> Order {
    let is_same = |one: &Frame, two: &Frame| one.method == two.method && one.bytecode == two.bytecode;
    let pairs: Vec<(&Frame, &Frame)> = one.iter().rev().zip(two.iter().rev()).collect();
    let Some(parting) = pairs.iter().position(|(one, two)| !is_same(one, two)) else { return Order::Unknown };
    let (one, two) = pairs[parting];
    if one.method != two.method {
        return Order::Unknown;
    }
    if one.bytecode < two.bytecode {
        return Order::Before;
    }
    let outwards = pairs[..parting].iter().rev().take(LOOPS_LOOKED_FOR);
    let comes_round = has_loop(one.method, two.bytecode, one.bytecode)
        || outwards.map(|(frame, _)| frame).any(|frame| has_loop(frame.method, frame.bytecode, frame.bytecode));
    if comes_round { Order::AfterInLoop } else { Order::After }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Slot;

    /// A step with a stack, outermost frame first: methods and instructions.
    fn step(slot: u32, time: u32, frames: &[(u32, u32)]) -> Moment {
        let stack = frames.iter().rev().map(|&(method, bytecode)| Frame { method, line: 0, bytecode }).collect();
        Moment { at: Epoch { slot: Slot(slot), time }, stack }
    }

    const MAIN: u32 = 1;
    const INIT: u32 = 2;
    const PUT: u32 = 3;

    fn straight(_: u32, _: u32, _: u32) -> bool {
        false
    }

    fn nobody(_: Epoch, _: Epoch) -> bool {
        false
    }

    #[test]
    fn a_write_in_the_constructor_or_before_its_call_is_frozen() {
        let freeze = step(0, 5, &[(MAIN, 20), (INIT, 40)]);
        for frames in [&[(MAIN, 20), (INIT, 5), (PUT, 1)][..], &[(MAIN, 20), (INIT, 5)], &[(MAIN, 10), (PUT, 90)]] {
            assert!(step(0, 5, frames).is_frozen_by(&freeze, straight, nobody), "{frames:?}");
            assert!(!step(0, 6, frames).is_frozen_by(&freeze, straight, nobody), "a later epoch decides alone");
        }
        assert!(step(0, 4, &[(MAIN, 90)]).is_frozen_by(&freeze, straight, nobody), "and so does an earlier one");
    }

    #[test]
    fn a_write_after_the_constructor_is_not() {
        let freeze = step(0, 5, &[(MAIN, 20), (INIT, 40)]);
        assert!(!step(0, 5, &[(MAIN, 30), (PUT, 1)]).is_frozen_by(&freeze, straight, nobody));
        // That of a subclass goes on where the one of its superclass has ended.
        let of_super = step(0, 5, &[(MAIN, 20), (INIT, 1), (9, 40)]);
        assert!(!step(0, 5, &[(MAIN, 20), (INIT, 10), (PUT, 1)]).is_frozen_by(&of_super, straight, nobody));
    }

    #[test]
    fn in_a_loop_a_write_behind_the_constructor_may_be_of_an_earlier_round() {
        let freeze = step(0, 5, &[(MAIN, 20), (INIT, 40)]);
        let write = step(0, 5, &[(MAIN, 30), (PUT, 1)]);
        let of_main = |first: u32, last: u32| move |method, from, to| method == MAIN && first <= from && to <= last;
        assert!(write.is_frozen_by(&freeze, of_main(10, 40), nobody));
        assert!(!write.leaks_before(&freeze, of_main(10, 40)));
        assert!(!write.is_frozen_by(&freeze, of_main(25, 40), nobody), "a loop that begins behind the constructor");
        let (freeze, write) = (step(0, 5, &[(MAIN, 9), (7, 20), (INIT, 40)]), step(0, 5, &[(MAIN, 9), (7, 30)]));
        assert!(write.is_frozen_by(&freeze, of_main(5, 10), nobody), "the loop of the caller");
    }

    #[test]
    fn stacks_that_do_not_say_prove_nothing() {
        let freeze = step(0, 5, &[(MAIN, 20), (INIT, 40)]);
        for frames in [&[][..], &[(MAIN, 20), (INIT, 40)], &[(7, 1)], &[(MAIN, 20)], &[(MAIN, 20), (7, 1)]] {
            let write = step(0, 5, frames);
            assert!(!write.is_frozen_by(&freeze, straight, nobody), "{frames:?}");
            assert!(write.leaks_before(&freeze, straight), "{frames:?}");
        }
    }

    #[test]
    fn another_threads_write_counts_if_only_the_constructing_thread_has_seen_the_other() {
        let (freeze, write) = (step(0, 5, &[]), step(1, 5, &[]));
        let seen =
            |pairs: &'static [(u32, u32)]| move |one: Epoch, other: Epoch| pairs.contains(&(one.slot.0, other.slot.0));
        assert!(write.is_frozen_by(&freeze, straight, seen(&[(0, 1)])));
        assert!(!write.is_frozen_by(&freeze, straight, seen(&[])));
        assert!(!write.is_frozen_by(&freeze, straight, seen(&[(1, 0)])));
        assert!(!write.is_frozen_by(&freeze, straight, seen(&[(0, 1), (1, 0)])), "it may have come after");
    }

    #[test]
    fn a_reference_stored_before_the_end_has_leaked() {
        let freeze = step(0, 5, &[(MAIN, 20), (INIT, 40)]);
        assert!(step(0, 5, &[(MAIN, 20), (INIT, 10)]).leaks_before(&freeze, straight));
        assert!(step(0, 4, &[(MAIN, 90)]).leaks_before(&freeze, straight));
        assert!(!step(0, 5, &[(MAIN, 23)]).leaks_before(&freeze, straight));
        assert!(!step(1, 1, &[]).leaks_before(&freeze, straight), "another thread has it from somewhere");
    }
}
