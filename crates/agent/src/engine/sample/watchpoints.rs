//! What notices second accesses: the processor, or woven code.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use control::WatchedBy;
use runtime::{Reservation, Watch, Watchpoints};

use super::places::{Places, Software};
use crate::agent::lock;
use crate::ffi::{Hardware, Object, Refusal, Spot, flag};

/// A hit is reported within so many later watches, or never.
const REMEMBERED: usize = 64;

/// Collectors that move objects while the program runs, by the JVM's flag.
const CONCURRENT: [(&std::ffi::CStr, &str); 2] = [(c"UseZGC", "ZGC"), (c"UseShenandoahGC", "Shenandoah")];

/// What a watchpoint must know of a location.
pub(super) struct Target<'a> {
    /// The key of the location.
    pub(super) key: u64,
    /// The object, or the class if the field is static, and where in it the location is. `None` if that is not known.
    pub(super) at: Option<(Object<'a>, Spot)>,
}

pub(super) enum Watchpoint {
    /// With why it is not the processor, if that was asked for.
    Woven(Software, Option<String>),
    Processor(Box<Processor>),
}

/// The processor's watchpoints, and what they watch.
pub(super) struct Processor {
    hardware: Hardware,
    /// The last watches: a hit may be looked at when its watch is over.
    recent: Mutex<VecDeque<(Reservation, Watch)>>,
    /// Whether the program handles the signal itself now, and whether that was said.
    lost: AtomicU8,
}

const LOST: u8 = 1;
const SAID: u8 = 2;

/// Why the processor's watchpoints cannot be used.
fn obstacle() -> Option<String> {
    for (name, collector) in CONCURRENT {
        match flag(name) {
            Some(false) => {}
            Some(true) => return Some(format!("{collector} moves objects while the program runs")),
            // Shenandoah is no part of some JVMs.
            None if flag(c"UseG1GC").is_some() => {}
            None => return Some("the JVM does not say which collector it has".to_owned()),
        }
    }
    None
}

impl Watchpoint {
    pub(super) fn new(asked: WatchedBy, places: Places) -> io::Result<Watchpoint> {
        if asked == WatchedBy::Software {
            return Ok(Watchpoint::Woven(Software(places), None));
        }
        match obstacle().map_or_else(Hardware::open, Err) {
            Ok(hardware) => {
                let processor = Processor { hardware, recent: Mutex::default(), lost: AtomicU8::new(0) };
                Ok(Watchpoint::Processor(Box::new(processor)))
            }
            Err(why) if asked == WatchedBy::Hardware => Err(io::Error::other(format!("watchpoints=hardware: {why}"))),
            Err(why) => Ok(Watchpoint::Woven(Software(places), Some(why))),
        }
    }

    pub(super) fn hardware(&self) -> Option<&Hardware> {
        match self {
            Watchpoint::Processor(processor) => Some(&processor.hardware),
            Watchpoint::Woven(..) => None,
        }
    }

    /// As reports name it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Watchpoint::Processor(_) => "the processor",
            Watchpoint::Woven(..) => "woven code",
        }
    }

    /// Why woven code is used although the processor was asked for.
    pub(super) fn refusal(&self) -> Option<&str> {
        match self {
            Watchpoint::Woven(_, why) => why.as_deref(),
            Watchpoint::Processor(_) => None,
        }
    }

    /// Has the program begun to handle the signal itself? Said once.
    pub(super) fn is_newly_lost(&self) -> bool {
        match self {
            Watchpoint::Processor(processor) if processor.lost.load(Ordering::Relaxed) == LOST => {
                processor.lost.store(LOST | SAID, Ordering::Relaxed);
                true
            }
            _ => false,
        }
    }

    /// The watch with this turn, if it is not too long ago.
    pub(super) fn watch(&self, turn: u64) -> Option<(Reservation, Watch)> {
        let Watchpoint::Processor(processor) = self else { return None };
        lock(&processor.recent).iter().find(|(reservation, _)| reservation.turn == turn).copied()
    }
}

impl Watchpoints for Watchpoint {
    type Target<'t> = Target<'t>;

    fn arm(&self, reservation: Reservation, watch: &Watch, target: &Target<'_>) -> bool {
        match self {
            Watchpoint::Woven(software, _) => software.arm(reservation.slot, target.key),
            Watchpoint::Processor(processor) => processor.arm(reservation, watch, target).is_ok(),
        }
    }

    fn disarm(&self, slot: usize) {
        match self {
            Watchpoint::Woven(software, _) => software.disarm(slot),
            Watchpoint::Processor(processor) => processor.hardware.disarm(slot),
        }
    }
}

impl Processor {
    fn arm(&self, reservation: Reservation, watch: &Watch, target: &Target<'_>) -> Result<(), Refusal> {
        let (object, spot) = target.at.ok_or(Refusal::Denied)?;
        {
            let mut recent = lock(&self.recent);
            recent.truncate(REMEMBERED - 1);
            recent.push_front((reservation, *watch));
        }
        let Reservation { slot, turn } = reservation;
        let armed = self.hardware.arm((slot, turn), (watch.clock, watch.first.clock), object, spot);
        if armed == Err(Refusal::Handled) {
            // Said by the timer: a lock is held here for which a collection waits.
            self.lost.fetch_or(LOST, Ordering::Relaxed);
        }
        armed
    }
}
