//! The flags that woven code reads, outside the Java heap, and watchpoints that are nothing but such flags.

use std::sync::atomic::{AtomicU64, Ordering};

use model::{AccessKind, SiteId};
use runtime::Gates;
use runtime::layout::{
    SAMPLE_HAS_ROOM, SAMPLE_KEYS, SAMPLE_PLACE_BITS, SAMPLE_PLACE_KEY, SAMPLE_PLACE_KIND, SAMPLE_PLACE_RESTS,
    SAMPLE_PLACES, SAMPLE_SLOTS, SAMPLE_WATCHED,
};
use weave::{Action, Site, SiteSink};

use crate::ffi::Memory;

const READ: u64 = 1;
const WRITE: u64 = 2;

/// What the flags and the places are, for all threads. Nothing of it is ever given back.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    flags: Memory,
    places: Memory,
}

impl Places {
    pub(super) fn new() -> Option<Places> {
        let flags = Memory::map(SAMPLE_KEYS + 8 * SAMPLE_SLOTS)?;
        Some(Places { flags, places: Memory::map(SAMPLE_PLACES << SAMPLE_PLACE_BITS)? })
    }

    pub(crate) fn flags(self) -> usize {
        self.flags.address()
    }

    pub(crate) fn places(self) -> usize {
        self.places.address()
    }

    fn flag(self, offset: usize) -> Option<&'static AtomicU64> {
        self.flags.word(offset)
    }

    fn word(self, site: SiteId, offset: usize) -> Option<&'static AtomicU64> {
        let place = site.index().checked_shl(SAMPLE_PLACE_BITS)?;
        self.places.word(place.checked_add(offset)?)
    }

    /// What a place accesses: the same for all that may access the same location; and whether it reads or writes. `None` for
    /// what is no access, or beyond the places.
    pub(super) fn of(self, site: SiteId) -> Option<(u64, AccessKind)> {
        let key = self.word(site, SAMPLE_PLACE_KEY)?.load(Ordering::Relaxed);
        match self.word(site, SAMPLE_PLACE_KIND)?.load(Ordering::Relaxed) {
            READ => Some((key, AccessKind::Read)),
            WRITE => Some((key, AccessKind::Write)),
            _ => None,
        }
    }

    /// A class gets this site.
    fn note(self, site: SiteId, action: &Action<'_>) {
        let Some((key, kind)) = accessed(action) else { return };
        let words = (self.word(site, SAMPLE_PLACE_KEY), self.word(site, SAMPLE_PLACE_KIND));
        if let (Some(key_word), Some(kind_word)) = words {
            key_word.store(key, Ordering::Relaxed);
            kind_word.store(kind, Ordering::Relaxed);
        }
    }
}

/// What an instruction accesses, and how, as a place has it.
fn accessed(action: &Action<'_>) -> Option<(u64, u64)> {
    Some(match action {
        Action::ReadField(field) => (key(b'.', field.name), READ),
        Action::WriteField(field) => (key(b'.', field.name), WRITE),
        Action::ReadElement(element) => (key(b'[', format!("{element:?}").as_bytes()), READ),
        Action::WriteElement(element) => (key(b'[', format!("{element:?}").as_bytes()), WRITE),
        _ => return None,
    })
}

/// Is it what this instruction writes?
pub(super) fn is_written(key: u64, action: &Action<'_>) -> bool {
    accessed(action) == Some((key, WRITE))
}

/// FNV-1a; never 0.
fn key(what: u8, name: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    [what].iter().chain(name).fold(0xcbf2_9ce4_8422_2325, step) | 1
}

impl Gates for Places {
    fn set_place(&self, site: SiteId, is_open: bool) {
        if let Some(word) = self.word(site, SAMPLE_PLACE_RESTS) {
            word.store(u64::from(!is_open), Ordering::Relaxed);
        }
    }

    fn set_slots(&self, has_room: bool) {
        if let Some(flag) = self.flag(SAMPLE_HAS_ROOM) {
            flag.store(u64::from(has_room), Ordering::Relaxed);
        }
    }
}

/// Watchpoints of woven code, which looks at the flags at each access.
pub(super) struct Software(pub(super) Places);

impl Software {
    /// Watches what has this key.
    pub(super) fn arm(&self, slot: usize, key: u64) -> bool {
        let (Some(place), Some(watched)) = (self.0.flag(SAMPLE_KEYS + 8 * slot), self.0.flag(SAMPLE_WATCHED)) else {
            return false;
        };
        place.store(key, Ordering::Release);
        watched.fetch_add(1, Ordering::AcqRel);
        true
    }

    pub(super) fn disarm(&self, slot: usize) {
        if let (Some(place), Some(watched)) = (self.0.flag(SAMPLE_KEYS + 8 * slot), self.0.flag(SAMPLE_WATCHED)) {
            watched.fetch_sub(1, Ordering::AcqRel);
            place.store(0, Ordering::Release);
        }
    }
}

/// Notes what the sites of a class access.
pub(crate) struct Noting<'a> {
    pub(super) places: Places,
    pub(super) sites: &'a mut dyn SiteSink,
}

impl SiteSink for Noting<'_> {
    fn add(&mut self, site: &Site<'_>) -> SiteId {
        let id = self.sites.add(site);
        self.places.note(id, &site.action);
        id
    }
}
