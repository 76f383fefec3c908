//! The shadow of one array: where the words of its elements lie. Java reads and writes it too (AutodromeArrays.java).
//!
//! A short array has two words for each element. A longer one has two bytes for each, and a pool of words
//! ([`runtime::Pool`]), which is larger for a long one; elements whose words do not fit there have two words in a second block,
//! made when it is first needed. The pool lies before the shadow's origin, all else from there on.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64};
use std::sync::{Mutex, MutexGuard};

use model::ThreadId;
use runtime::{Alike, ContextId, Elements, Place, Pool, Pooled, Runtime, State, Variable, Word};

use crate::ffi::{Memory, PART};

/// The longest array whose elements all have words of their own.
const SHORT: usize = 64;

/// The shortest array with a large pool: so that the pool is not the larger part.
const LONG: usize = 2048;

/// From the origin on: a word of the table's; then the words of elements, or the address of the second block, how many words
/// the pool has, and the indices.
const HEADER: usize = 16;
const SECOND: usize = 8;
const COUNT: usize = 16;
const INDICES: usize = 24;

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
        } else if length < LONG {
            Form::Pool
        } else {
            Form::LargePool
        }
    }

    /// How many parts lie before the origin: the pool.
    pub(crate) fn parts(self) -> usize {
        match self {
            Form::Words => 0,
            Form::Pool => 1,
            Form::LargePool => 4,
        }
    }

    pub(crate) fn of_parts(parts: usize) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.parts() == parts)
    }

    /// The lowest bit of its entry in the table tells the shim if there is a pool.
    pub(crate) fn bits(self) -> u64 {
        (self != Form::Words).into()
    }

    /// How many bytes a shadow takes, without a second block.
    pub(crate) fn bytes(self, length: usize) -> Option<usize> {
        match self {
            Form::Words => length.checked_mul(ELEMENT)?.checked_add(HEADER),
            Form::Pool | Form::LargePool => length.checked_mul(2)?.checked_add(self.origin() + INDICES),
        }
    }

    fn origin(self) -> usize {
        self.parts() * PART
    }
}

/// The second block of a shadow, if it has one or wants one.
pub(crate) trait Second {
    /// A block of so many bytes.
    fn get(&self, bytes: usize) -> Option<Memory>;

    /// The second block, if there is one.
    fn known(&self) -> Option<Memory>;

    /// Held while this element gets its words there.
    fn moving(&self, index: usize) -> &Mutex<()>;

    /// Held while elements of the array get clocks of reads.
    fn sharing(&self) -> &Mutex<()>;
}

/// The shadow of one array.
#[derive(Clone, Copy)]
pub(crate) struct Shadow<S> {
    pub(crate) memory: Memory,
    pub(crate) form: Form,
    pub(crate) second: S,
}

/// Where a word lies.
enum Spot<'a, S> {
    Word(&'a AtomicU64),
    Pooled(Pooled<'a, &'a Shadow<S>>),
}

impl<S: Second> Place for Spot<'_, S> {
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

impl<S: Second> Shadow<S> {
    /// The words of an element.
    pub(crate) fn element(&self, index: usize) -> Option<Variable<impl Place>> {
        Some(Variable { reads: self.spot(index, 0)?, write: self.spot(index, 1)? })
    }

    fn spot(&self, index: usize, of: usize) -> Option<Spot<'_, S>> {
        Some(match self.form {
            Form::Words => Spot::Word(self.memory.word(index.checked_mul(ELEMENT)?.checked_add(HEADER + of * WRITE)?)?),
            Form::Pool | Form::LargePool => Spot::Pooled(Pooled::new(self, index, of)?),
        })
    }

    /// A thread has read elements in even steps.
    pub(crate) fn read_alike(
        &self,
        runtime: &Runtime,
        me: ThreadId,
        (range, step): (Range<usize>, usize),
        context: ContextId,
    ) -> Alike {
        runtime::read_alike(self, runtime, me, (range, step), context)
    }

    /// These elements get words of their own, as far as there is memory: their pool is full.
    pub(crate) fn leave(&self, indices: impl Iterator<Item = usize>) {
        if self.form != Form::Words {
            let mut words = indices.flat_map(|index| [(index, 0), (index, 1)]);
            // Who finds no memory here finds none at the next access either, and leaves it unrecorded there.
            let _ = words.all(|(index, of)| Pooled::new(self, index, of).is_some_and(|word| word.leave()));
        }
    }

    /// The second block, made if there is none.
    fn second(&self) -> Option<Memory> {
        let link = self.form.origin() + SECOND;
        let length = self.memory.bytes().checked_sub(self.form.origin() + INDICES)? / 2;
        if let Some(known) = self.memory.linked(link, length * ELEMENT) {
            return Some(known);
        }
        let second = self.second.get(length * ELEMENT)?;
        // For the shim too, before it learns that an element has words there.
        self.memory.link(link, second)?;
        Some(second)
    }

    /// The words that name clocks of reads.
    pub(crate) fn clocks(&self) -> Vec<Word> {
        let words = match self.form {
            Form::Words => self.memory.from(HEADER),
            Form::Pool | Form::LargePool => self.second.known(),
        };
        let pool = self.memory.words(0, self.form.origin() / 8);
        let reads =
            words.into_iter().flat_map(|words| (0..words.bytes()).step_by(ELEMENT).map(move |at| words.word(at)));
        let words = reads.flatten().chain(pool.into_iter().flatten()).map(Place::word);
        words.filter(|word| matches!(word.state(), State::Shared(_))).collect()
    }
}

impl<'a, S: Second> Elements<'a> for &'a Shadow<S> {
    fn pool(&self) -> Option<Pool<'a>> {
        let origin = self.form.origin();
        Some(Pool::new(self.memory.words(0, origin / 8)?, self.memory.word(origin + COUNT)?))
    }

    fn indices(&self) -> &'a [[AtomicU8; 2]] {
        self.memory.pairs(self.form.origin() + INDICES).unwrap_or_default()
    }

    fn own(&self, element: usize, of: usize) -> Option<&'a AtomicU64> {
        self.second()?.word(element * ELEMENT + of * WRITE)
    }

    fn moving(&self, element: usize) -> &Mutex<()> {
        self.second.moving(element)
    }

    fn sharing(&self) -> &'a Mutex<()> {
        self.second.sharing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ThreadId;
    use runtime::{ContextId, StackId};
    use std::sync::OnceLock;

    #[derive(Default)]
    struct OneArray {
        block: OnceLock<Memory>,
        moving: Mutex<()>,
        sharing: Mutex<()>,
    }

    impl Second for &OneArray {
        fn get(&self, bytes: usize) -> Option<Memory> {
            Some(*self.block.get_or_init(|| Memory::map(bytes).unwrap()))
        }

        fn known(&self) -> Option<Memory> {
            self.block.get().copied()
        }

        fn moving(&self, _index: usize) -> &Mutex<()> {
            &self.moving
        }

        fn sharing(&self) -> &Mutex<()> {
            &self.sharing
        }
    }

    fn races(shadow: &Shadow<&OneArray>, index: usize, runtime: &Runtime, me: ThreadId, context: u32) -> usize {
        shadow.element(index).unwrap().write(runtime, me, || ContextId(context)).len()
    }

    #[test]
    fn every_element_has_its_own_state_and_nothing_lies_beyond() {
        for length in [1, 3, SHORT, SHORT + 1, 1000, LONG] {
            let (array, runtime) = (OneArray::default(), Runtime::default());
            let form = Form::of_length(length);
            let (memory, _) =
                Memory::map(1 << 20).unwrap().split(form.bytes(length).unwrap().next_multiple_of(8)).unwrap();
            let shadow = Shadow { memory, form, second: &array };
            let main = runtime.attach();
            let (one, two) = (runtime.fork(main, StackId::NONE), runtime.fork(main, StackId::NONE));
            for index in 0..length {
                let me = if index % 2 == 0 { one } else { two };
                // Many contexts, so that the pool overflows.
                assert_eq!(races(&shadow, index, &runtime, me, 1 + index as u32 / 4), 0, "{index} of {length}");
            }
            for index in 0..length {
                let expected = usize::from(index % 2 == 1);
                assert_eq!(races(&shadow, index, &runtime, one, 5000), expected, "{index} of {length}");
            }
            assert!(shadow.element(length + 8).is_none());
            assert_eq!(Form::of_parts(form.parts()), Some(form));
            assert!(shadow.element(usize::MAX / 2).is_none());
        }
    }

    #[test]
    fn clocks_of_reads_are_found_again() {
        for length in [10, 200, LONG] {
            let (array, runtime) = (OneArray::default(), Runtime::default());
            let form = Form::of_length(length);
            let shadow = Shadow { memory: Memory::map(form.bytes(length).unwrap()).unwrap(), form, second: &array };
            let main = runtime.attach();
            let other = runtime.fork(main, StackId::NONE);
            for index in 0..length {
                shadow.element(index).unwrap().read(&runtime, main, || ContextId(1));
            }
            assert!(shadow.clocks().is_empty());
            for index in [1, 7, length - 1] {
                shadow.element(index).unwrap().read(&runtime, other, || ContextId(2));
            }
            let one_for_all = form != Form::Words;
            assert_eq!(shadow.clocks().len(), if one_for_all { 1 } else { 3 });
            assert_eq!(races(&shadow, 7, &runtime, main, 3), 1);
            assert_eq!(shadow.clocks().len(), if one_for_all { 1 } else { 2 });
        }
    }
}
