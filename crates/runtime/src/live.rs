//! A thread's clock where the thread itself gets at it without a lock: the shim hands on and learns there.
//!
//! Only the thread itself writes to it while it runs, from Java or through the runtime; others read. Times only grow. So
//! whoever looks at the thread takes over what is new there ([`Live::epochs`]), and whoever changes the thread's clock, which
//! is the thread itself or the one that will start it, writes it back ([`Live::write`]).

use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use model::{Epoch, Slot, VectorClock};

use crate::layout::{CLOCK_IS_TAKEN, CLOCK_LENGTH, CLOCK_ROOM, CLOCK_TIMES};

/// Where the times are, how many, and for how many there is room; and whether others have the thread's present time without its
/// doing. The shim knows this layout.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Live {
    times: AtomicUsize,
    length: AtomicU32,
    room: AtomicU32,
    is_taken: AtomicU32,
}

const _: () = {
    assert!(offset_of!(Live, times) == CLOCK_TIMES && offset_of!(Live, length) == CLOCK_LENGTH);
    assert!(offset_of!(Live, room) == CLOCK_ROOM && offset_of!(Live, is_taken) == CLOCK_IS_TAKEN);
};

/// The memory of the times, by slot; it belongs to the thread.
pub(crate) type Times = Box<[AtomicU32]>;

impl Live {
    /// Where the shim finds all this. It never moves, the times may.
    pub(crate) fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
    }

    /// The moments that the thread has seen.
    pub(crate) fn epochs<'a>(&self, times: &'a Times) -> impl Iterator<Item = Epoch> + 'a {
        let length = self.length.load(Ordering::Relaxed) as usize;
        let slots = times.iter().take(length).zip(0..);
        slots.map(|(time, slot)| Epoch { slot: Slot(slot), time: time.load(Ordering::Relaxed) })
    }

    /// The time that the thread has seen of a slot.
    pub(crate) fn time(&self, times: &Times, slot: Slot) -> u32 {
        let seen = times.get(slot.index()).filter(|_| slot.0 < self.length.load(Ordering::Relaxed));
        seen.map_or(0, |time| time.load(Ordering::Relaxed))
    }

    /// Others are about to take the thread's present time.
    pub(crate) fn take(&self) {
        self.is_taken.store(1, Ordering::SeqCst);
    }

    /// The thread has no use for its clock for now: whoever asks finds no time there, and no room.
    pub(crate) fn clear(&self, times: &mut Times) {
        self.length.store(0, Ordering::Relaxed);
        self.room.store(0, Ordering::Relaxed);
        self.times.store(0, Ordering::Relaxed);
        *times = Times::default();
    }

    /// The thread's clock is this one.
    pub(crate) fn write(&self, times: &mut Times, clock: &VectorClock) {
        let all = clock.times();
        if all.len() > times.len() {
            *times = (0..all.len().max(4) * 3 / 2).map(|_| AtomicU32::new(0)).collect();
            self.times.store(times.as_ptr().expose_provenance(), Ordering::Relaxed);
            self.room.store(times.len() as u32, Ordering::Relaxed);
        }
        for (live, &time) in times.iter().zip(all) {
            live.store(time, Ordering::Relaxed);
        }
        self.length.store(all.len() as u32, Ordering::Relaxed);
    }
}
