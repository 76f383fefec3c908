//! The shadow of one array: where the words of its elements lie. Java reads and writes it too (AutodromeArrays.java).
//!
//! A short array has two words for each element. A longer one has two bytes for each, and a pool of words
//! ([`runtime::Pool`]), which is larger for a long one; elements whose words do not fit there have two words in a second block,
//! made when it is first needed. The pool lies before the shadow's origin, all else from there on.
//!
//! A very long array has a shadow for each segment of its elements, one behind another: threads that have parts of it for
//! themselves need room in the pools of these parts only.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64};
use std::sync::{Mutex, MutexGuard};

use model::{AccessKind, ThreadId};
use runtime::layout::{
    LARGE_POOL, LONG_ARRAY, SEGMENT, SEGMENT_STRIDE, SHADOW_COUNT, SHADOW_INDICES, SHADOW_SECOND, SHADOW_WORDS,
    SMALL_POOL,
};
use runtime::{Alike, ContextId, Elements, Place, Pool, Pooled, Runtime, State, Variable, Word};

use crate::ffi::{Memory, PART};

/// The longest array whose elements all have words of their own.
const SHORT: usize = 64;

/// The words of an element: of its reads, and of its write.
const ELEMENT: usize = 16;
const WRITE: usize = 8;

/// What a shadow is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Words for each element.
    Words,
    /// A pool of 64 words.
    Pool,
    /// A pool of as many as it can have.
    LargePool,
}

impl Form {
    pub(crate) const ALL: [Form; 3] = [Form::Words, Form::Pool, Form::LargePool];

    pub(crate) fn of_length(length: usize) -> Form {
        if length <= SHORT {
            Form::Words
        } else if length < LONG_ARRAY {
            Form::Pool
        } else {
            Form::LargePool
        }
    }

    /// How many parts lie before the origin: the pool.
    pub(crate) fn parts(self) -> usize {
        match self {
            Form::Words => 0,
            Form::Pool => SMALL_POOL * 8 / PART,
            Form::LargePool => LARGE_POOL * 8 / PART,
        }
    }

    pub(crate) fn of_parts(parts: usize) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.parts() == parts)
    }

    /// The lowest bit of its entry in the table is set if there is a pool.
    pub(crate) fn bits(self) -> u64 {
        (self != Form::Words).into()
    }

    /// How many bytes a shadow takes, without a second block.
    pub(crate) fn bytes(self, length: usize) -> Option<usize> {
        match self {
            Form::Words => length.checked_mul(ELEMENT)?.checked_add(SHADOW_WORDS),
            Form::Pool | Form::LargePool => {
                let others = length.div_ceil(SEGMENT).max(1) * (self.origin() + SHADOW_INDICES);
                length.checked_mul(2)?.checked_add(others)
            }
        }
    }

    fn origin(self) -> usize {
        self.parts() * PART
    }
}

/// The second block of a shadow, if it has one or wants one.
pub(crate) trait Second<'a>: Copy {
    /// That of another segment of the same array.
    fn of_segment(self, segment: usize) -> Self;

    /// A block of so many bytes.
    fn get(self, bytes: usize) -> Option<Memory>;

    /// The second block, if there is one.
    fn known(self) -> Option<Memory>;

    /// Held while this element gets its words there.
    fn moving(self, index: usize) -> &'a Mutex<()>;

    /// Held while elements get clocks of reads.
    fn sharing(self) -> &'a Mutex<()>;
}

/// The shadow of one array, or of one of its segments.
#[derive(Clone, Copy)]
pub(crate) struct Shadow<S> {
    pub(crate) memory: Memory,
    pub(crate) form: Form,
    pub(crate) second: S,
}

/// Where a word lies.
enum Spot<'a, S> {
    Word(&'a AtomicU64),
    Pooled(Pooled<'a, Shadow<S>>),
}

impl<'a, S: Second<'a>> Place for Spot<'a, S> {
    fn word(&self) -> Word {
        match self {
            Spot::Word(word) => word.word(),
            Spot::Pooled(pooled) => pooled.word(),
        }
    }

    fn exchange(&self, old: Word, new: Word, runtime: &Runtime) -> bool {
        match self {
            Spot::Word(word) => word.exchange(old, new, runtime),
            Spot::Pooled(pooled) => pooled.exchange(old, new, runtime),
        }
    }

    fn sharing(&self) -> Option<MutexGuard<'_, ()>> {
        match self {
            Spot::Word(word) => word.sharing(),
            Spot::Pooled(pooled) => pooled.sharing(),
        }
    }

    fn common(&self, new: Word, runtime: &Runtime) -> Word {
        match self {
            Spot::Word(word) => word.common(new, runtime),
            Spot::Pooled(pooled) => pooled.common(new, runtime),
        }
    }
}

impl<'a, S: Second<'a>> Shadow<S> {
    /// The words of an element.
    pub(crate) fn element(self, index: usize) -> Option<Variable<impl Place>> {
        Some(Variable { reads: self.spot(index, 0)?, write: self.spot(index, 1)? })
    }

    fn spot(self, index: usize, of: usize) -> Option<Spot<'a, S>> {
        Some(match self.form {
            Form::Words => {
                Spot::Word(self.memory.word(index.checked_mul(ELEMENT)?.checked_add(SHADOW_WORDS + of * WRITE)?)?)
            }
            Form::Pool | Form::LargePool => {
                Spot::Pooled(Pooled::new(self.segment(index / SEGMENT)?, index % SEGMENT, of)?)
            }
        })
    }

    /// The shadow of a segment, if there is a pool and such a segment.
    fn segment(self, segment: usize) -> Option<Shadow<S>> {
        if self.form == Form::Words {
            return None;
        }
        let rest = self.memory.from(segment.checked_mul(SEGMENT_STRIDE)?)?;
        rest.bytes().checked_sub(self.form.origin() + SHADOW_INDICES)?;
        let memory = rest.split(SEGMENT_STRIDE).map_or(rest, |(first, _)| first);
        Some(Shadow { memory, second: self.second.of_segment(segment), ..self })
    }

    /// A thread has accessed elements of one segment, with a constant stride.
    pub(crate) fn alike(
        self,
        runtime: &Runtime,
        (me, kind): (ThreadId, AccessKind),
        (range, step): (Range<usize>, usize),
        context: ContextId,
    ) -> Option<Alike> {
        let segment = range.start / SEGMENT;
        let from = segment * SEGMENT;
        let range = range.start - from..range.end.checked_sub(from)?;
        let shadow = self.segment(segment)?;
        Some(match kind {
            AccessKind::Read => runtime::read_range(shadow, runtime, me, (range, step), context),
            AccessKind::Write => runtime::write_range(shadow, runtime, me, (range, step), context),
        })
    }

    /// These elements get words of their own, as far as there is memory: their pool is full.
    pub(crate) fn leave(self, indices: impl Iterator<Item = usize>) {
        let mut words = indices.flat_map(|index| [(index, 0), (index, 1)]);
        // Who finds no memory here finds none at the next access either, and leaves it unrecorded there.
        let _ = words.all(|(index, of)| match self.spot(index, of) {
            Some(Spot::Pooled(word)) => word.leave(),
            _ => false,
        });
    }

    /// The second block, made if there is none.
    fn second(self) -> Option<Memory> {
        let link = self.form.origin() + SHADOW_SECOND;
        let length = self.memory.bytes().checked_sub(self.form.origin() + SHADOW_INDICES)? / 2;
        if let Some(known) = self.memory.linked(link, length * ELEMENT) {
            return Some(known);
        }
        let second = self.second.get(length * ELEMENT)?;
        // For the shim too, before it learns that an element has words there.
        self.memory.link(link, second)?;
        Some(second)
    }

    /// The words that name clocks of reads.
    pub(crate) fn clocks(self) -> Vec<Word> {
        let is_clock = |word: &Word| matches!(word.state(), State::Shared(_));
        if self.form == Form::Words {
            return own_reads(self.memory.from(SHADOW_WORDS)).filter(is_clock).collect();
        }
        let segments = (0..).map_while(|segment| self.segment(segment));
        let words = segments.flat_map(|segment| {
            let pool = segment.memory.words(0, segment.form.origin() / 8);
            own_reads(segment.second.known()).chain(pool.into_iter().flatten().map(Place::word))
        });
        words.filter(is_clock).collect()
    }
}

/// The words of the reads of elements that have their own.
fn own_reads(words: Option<Memory>) -> impl Iterator<Item = Word> {
    let reads = words.into_iter().flat_map(|words| (0..words.bytes()).step_by(ELEMENT).map(move |at| words.word(at)));
    reads.flatten().map(Place::word)
}

impl<'a, S: Second<'a>> Elements<'a> for Shadow<S> {
    fn pool(&self) -> Option<Pool<'a>> {
        let origin = self.form.origin();
        Some(Pool::new(self.memory.words(0, origin / 8)?, self.memory.word(origin + SHADOW_COUNT)?))
    }

    fn indices(&self) -> &'a [[AtomicU8; 2]] {
        self.memory.pairs(self.form.origin() + SHADOW_INDICES).unwrap_or_default()
    }

    fn own(&self, element: usize, of: usize) -> Option<&'a AtomicU64> {
        self.second()?.word(element * ELEMENT + of * WRITE)
    }

    fn moving(&self, element: usize) -> &'a Mutex<()> {
        self.second.moving(element)
    }

    fn sharing(&self) -> &'a Mutex<()> {
        self.second.sharing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::{ContextId, StackId};
    use std::sync::OnceLock;

    #[derive(Default)]
    struct OneArray {
        blocks: [OnceLock<Memory>; 3],
        moving: Mutex<()>,
        sharing: Mutex<()>,
    }

    #[derive(Clone, Copy)]
    struct OneSegment<'a> {
        array: &'a OneArray,
        segment: usize,
    }

    impl<'a> Second<'a> for OneSegment<'a> {
        fn of_segment(self, segment: usize) -> Self {
            OneSegment { segment, ..self }
        }

        fn get(self, bytes: usize) -> Option<Memory> {
            Some(*self.array.blocks[self.segment].get_or_init(|| Memory::map(bytes).unwrap()))
        }

        fn known(self) -> Option<Memory> {
            self.array.blocks[self.segment].get().copied()
        }

        fn moving(self, _index: usize) -> &'a Mutex<()> {
            &self.array.moving
        }

        fn sharing(self) -> &'a Mutex<()> {
            &self.array.sharing
        }
    }

    fn races(shadow: Shadow<OneSegment<'_>>, index: usize, runtime: &Runtime, me: ThreadId, context: u32) -> usize {
        shadow.element(index).unwrap().write(runtime, me, || ContextId(context)).len()
    }

    #[test]
    fn every_element_has_its_own_state_and_nothing_lies_beyond() {
        for length in [1, 3, SHORT, SHORT + 1, 1000, LONG_ARRAY, SEGMENT, 2 * SEGMENT + 8] {
            let (array, runtime) = (OneArray::default(), Runtime::default());
            let form = Form::of_length(length);
            let (memory, _) =
                Memory::map(1 << 20).unwrap().split(form.bytes(length).unwrap().next_multiple_of(8)).unwrap();
            let shadow = Shadow { memory, form, second: OneSegment { array: &array, segment: 0 } };
            let main = runtime.attach();
            let (one, two) = (runtime.fork(main, StackId::NONE), runtime.fork(main, StackId::NONE));
            for index in 0..length {
                let me = if index % 2 == 0 { one } else { two };
                // Many contexts, so that the pool overflows.
                assert_eq!(races(shadow, index, &runtime, me, 1 + index as u32 / 4), 0, "{index} of {length}");
            }
            for index in 0..length {
                let expected = usize::from(index % 2 == 1);
                assert_eq!(races(shadow, index, &runtime, one, 5000), expected, "{index} of {length}");
            }
            assert!(shadow.element(length + 8).is_none());
            assert_eq!(Form::of_parts(form.parts()), Some(form));
            assert!(shadow.element(usize::MAX / 2).is_none());
        }
    }

    #[test]
    fn clocks_of_reads_are_found_again() {
        for length in [10, 200, LONG_ARRAY, SEGMENT + 1] {
            let (array, runtime) = (OneArray::default(), Runtime::default());
            let form = Form::of_length(length);
            let memory = Memory::map(form.bytes(length).unwrap()).unwrap();
            let shadow = Shadow { memory, form, second: OneSegment { array: &array, segment: 0 } };
            let main = runtime.attach();
            let other = runtime.fork(main, StackId::NONE);
            for index in 0..length {
                shadow.element(index).unwrap().read(&runtime, main, || ContextId(1));
            }
            assert!(shadow.clocks().is_empty());
            for index in [1, 7, length - 1] {
                shadow.element(index).unwrap().read(&runtime, other, || ContextId(2));
            }
            // One for all of a segment, or one for each element.
            let segments = length.div_ceil(SEGMENT);
            assert_eq!(shadow.clocks().len(), if form == Form::Words { 3 } else { segments });
            assert_eq!(races(shadow, 7, &runtime, main, 3), 1);
            assert_eq!(shadow.clocks().len(), if form == Form::Words { 2 } else { segments });
        }
    }
}
