//! Sites at which nothing more will happen: asked at every access, so without a lock.

use std::array;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use model::SiteId;

/// Words of a chunk, made when the first of its sites comes.
const WORDS: usize = 1 << 10;
const BITS: usize = u64::BITS as usize;
/// Sites beyond the last chunk are never settled, which costs time and nothing else.
const CHUNKS: usize = 1 << 6;

pub(super) struct Settled([OnceLock<Box<[AtomicU64]>>; CHUNKS]);

impl Default for Settled {
    fn default() -> Settled {
        Settled(array::from_fn(|_| OnceLock::new()))
    }
}

impl Settled {
    pub(super) fn has(&self, site: SiteId) -> bool {
        let (chunk, word, bit) = place(site);
        let word = self.0.get(chunk).and_then(OnceLock::get).and_then(|words| words.get(word));
        word.is_some_and(|word| word.load(Ordering::Relaxed) & bit != 0)
    }

    pub(super) fn add(&self, site: SiteId) {
        let (chunk, word, bit) = place(site);
        let Some(chunk) = self.0.get(chunk) else { return };
        let words = chunk.get_or_init(|| (0..WORDS).map(|_| AtomicU64::new(0)).collect());
        if let Some(word) = words.get(word) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }
}

fn place(site: SiteId) -> (usize, usize, u64) {
    let number = site.0 as usize;
    (number / (WORDS * BITS), number / BITS % WORDS, 1 << (number % BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_there_and_nothing_else() {
        let settled = Settled::default();
        let sites = [0, 63, 64, 65_535, 65_536, 4_194_303];
        for site in sites {
            assert!(!settled.has(SiteId(site)));
            settled.add(SiteId(site));
        }
        let found = (0..4_194_304_u32).filter(|&site| settled.has(SiteId(site)));
        assert!(found.eq(sites));
        settled.add(SiteId(u32::MAX));
        assert!(!settled.has(SiteId(u32::MAX)), "too far out");
    }
}
