//! The arrays that woven code has accessed: each has a number and a shadow outside the heap.
//!
//! An array's number is in unused bits of its header, where the shim finds it, and is its JVMTI tag, by which the JVM reports when
//! the array is gone. The tag alone serves where the header cannot: the layout is unknown, the array is locked, or the
//! number is too large. Tags are those of an environment of our own, because an array that is a lock has another tag too.
//!
//! A number is used again when its array is gone. The shadow goes back first, so no two arrays share one.
//! Locks: `registering` is held while the JVM sets a tag; the others never while the JVM is asked for anything, since it
//! reports dead arrays when it likes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use runtime::Runtime;
use runtime::layout::FIRST_NUMBER;

use crate::agent::lock;
use crate::blocks::Blocks;
use crate::engine::record;
use crate::ffi::{Jni, Jvmti, Memory, Object, Referrer, Table};
use crate::shadow::{Form, Second, Shadow};

/// Numbers end here: no header has room for more, and beyond it an array is not watched.
const NUMBERS: u32 = 1 << 26;

/// All arrays.
pub(crate) struct Arrays {
    jvmti: Jvmti,
    shadows: Shadows,
    /// By number, where the shadow lies. Java reads it.
    table: Table,
    /// By form of shadow: a block has the same form for ever.
    blocks: [Blocks; Form::ALL.len()],
    /// By number and segment, the second blocks.
    seconds: RwLock<BTreeMap<(u32, usize), Memory>>,
    /// By index of element: threads that are at different ones do not wait for each other.
    moving: [Mutex<()>; 64],
    /// By number of array and segment.
    sharing: [Mutex<()>; 64],
    numbers: Mutex<Numbers>,
    registering: Mutex<()>,
    watched: AtomicU64,
    /// Accesses to arrays that are not watched for want of memory.
    unwatched: AtomicU64,
}

/// What a shadow has words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shadows {
    /// Each element; those of long arrays share them.
    Elements,
    /// Each element has its own.
    OwnElements,
    /// The array as a whole.
    Whole,
}

/// What gets a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberedKind {
    Array,
    /// Any other object: its shadow is empty.
    Object,
}

struct Numbers {
    next: u32,
    free: Vec<u32>,
}

/// A segment of an array by number, for its second block.
#[derive(Clone, Copy)]
pub(crate) struct Numbered<'a> {
    arrays: &'a Arrays,
    number: u32,
    segment: usize,
}

impl<'a> Second<'a> for Numbered<'a> {
    fn of_segment(self, segment: usize) -> Self {
        Numbered { segment, ..self }
    }

    fn get(self, bytes: usize) -> Option<Memory> {
        if let Some(known) = self.known() {
            return Some(known);
        }
        let mut seconds = self.arrays.seconds.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = seconds.get(&(self.number, self.segment)) {
            return Some(known);
        }
        let block = self.arrays.blocks(Form::Words).take(bytes)?;
        seconds.insert((self.number, self.segment), block);
        Some(block)
    }

    fn known(self) -> Option<Memory> {
        let seconds = self.arrays.seconds.read().unwrap_or_else(PoisonError::into_inner);
        seconds.get(&(self.number, self.segment)).copied()
    }

    fn moving(self, index: usize) -> &'a Mutex<()> {
        &self.arrays.moving[index % self.arrays.moving.len()]
    }

    fn sharing(self) -> &'a Mutex<()> {
        &self.arrays.sharing[(self.number as usize + self.segment) % self.arrays.sharing.len()]
    }
}

impl Arrays {
    /// `None` if the system has no memory for the table.
    pub(crate) fn new(jvmti: Jvmti, shadows: Shadows) -> Option<Arrays> {
        Some(Arrays {
            jvmti,
            shadows,
            table: Table::new(NUMBERS as usize)?,
            blocks: Default::default(),
            seconds: RwLock::default(),
            moving: std::array::from_fn(|_| Mutex::default()),
            sharing: std::array::from_fn(|_| Mutex::default()),
            numbers: Mutex::new(Numbers { next: FIRST_NUMBER, free: Vec::new() }),
            registering: Mutex::default(),
            watched: AtomicU64::new(0),
            unwatched: AtomicU64::new(0),
        })
    }

    /// Where the table lies.
    pub(crate) fn table(&self) -> usize {
        self.table.address()
    }

    /// The number and the shadow of an array; `number` is what its header says, if it says something.
    pub(crate) fn find(
        &self,
        jni: Jni<'_>,
        array: Object<'_>,
        number: Option<u32>,
    ) -> Option<(u32, Shadow<Numbered<'_>>)> {
        let number = match number {
            Some(number) => number,
            None => self.tagged(array).or_else(|| self.register(jni, array, NumberedKind::Array))?,
        };
        Some((number, self.shadow(number)?))
    }

    /// Distinguishes the objects that have one number in turn.
    pub(crate) fn stamp(&self, number: u32) -> u32 {
        self.table.stamp(number).map_or(0, |stamp| stamp as u32)
    }

    /// The number of an object, if it has one.
    pub(crate) fn known(&self, object: Object<'_>) -> Option<u32> {
        self.tagged(object)
    }

    /// The number of an object that need not be an array: it has cells, found by its number.
    pub(crate) fn number(&self, jni: Jni<'_>, object: Object<'_>, kind: NumberedKind) -> Option<u32> {
        self.tagged(object).or_else(|| self.register(jni, object, kind))
    }

    /// Something that refers to an object, which gets a number if it has none.
    pub(crate) fn referrer<'a>(&self, jni: Jni<'a>, object: Object<'a>, kind: NumberedKind) -> Option<Referrer<'a>> {
        self.jvmti.referrer(self.number(jni, object, kind)?.into())
    }

    /// From now on what objects of this class refer to is not theirs; not if the class itself has a number, by which it is known.
    pub(crate) fn ignore_referrers(&self, class: Object<'_>) -> Option<()> {
        if self.tagged(class).is_some() { None } else { self.jvmti.is_no_referrer(class) }
    }

    fn tagged(&self, array: Object<'_>) -> Option<u32> {
        u32::try_from(self.jvmti.tag(array)?).ok().filter(|&number| number >= FIRST_NUMBER)
    }

    fn register(&self, jni: Jni<'_>, array: Object<'_>, kind: NumberedKind) -> Option<u32> {
        let length = match kind {
            NumberedKind::Array => usize::try_from(jni.length(array)).unwrap_or(0),
            NumberedKind::Object => 0,
        };
        let _one_at_a_time = lock(&self.registering);
        if let Some(known) = self.tagged(array) {
            return Some(known);
        }
        let number = self.take(length);
        let count = if number.is_some() { &self.watched } else { &self.unwatched };
        count.fetch_add(1, Ordering::Relaxed);
        let number = number?;
        // Recorded first: whoever finds the number at the array may log an access at once.
        record::array_made(jni, array, number, length);
        if self.jvmti.set_tag(array, u64::from(number)).is_none() {
            record::array_freed(number);
            self.give_back(number);
            return None;
        }
        Some(number)
    }

    /// A number with an empty shadow.
    fn take(&self, length: usize) -> Option<u32> {
        let (form, length) = match self.shadows {
            Shadows::Elements => (Form::of_length(length), length),
            Shadows::OwnElements => (Form::Words, length),
            Shadows::Whole => (Form::Words, length.min(1)),
        };
        let block = self.blocks(form).take(form.bytes(length)?)?;
        let number = {
            let mut numbers = lock(&self.numbers);
            let free = numbers.free.iter().rposition(|&number| !record::is_accessed(number));
            free.map(|place| numbers.free.swap_remove(place)).or_else(|| {
                let next = numbers.next;
                (next < NUMBERS).then(|| {
                    numbers.next += 1;
                    next
                })
            })
        };
        let Some(number) = number else {
            self.blocks(form).give_back(block);
            return None;
        };
        self.table.put(number, block, form.parts(), form.bits())?;
        Some(number)
    }

    fn blocks(&self, form: Form) -> &Blocks {
        &self.blocks[form as usize]
    }

    fn shadow(&self, number: u32) -> Option<Shadow<Numbered<'_>>> {
        let (memory, parts) = self.table.get(number)?;
        Some(Shadow { memory, form: Form::of_parts(parts)?, second: Numbered { arrays: self, number, segment: 0 } })
    }

    /// The array is gone: its clocks of reads, its shadow and its number can be used again.
    pub(crate) fn free(&self, tag: u64, runtime: &Runtime) {
        let Some(number) = u32::try_from(tag).ok().filter(|&number| number >= FIRST_NUMBER) else { return };
        if let Some(shadow) = self.shadow(number) {
            shadow.clocks().into_iter().for_each(|word| runtime.forget(word));
        }
        record::array_freed(number);
        self.give_back(number);
    }

    fn give_back(&self, number: u32) {
        self.take_seconds(number).into_iter().for_each(|block| self.blocks(Form::Words).give_back(block));
        if let Some((block, form)) =
            self.table.remove(number).and_then(|(block, parts)| Some((block, Form::of_parts(parts)?)))
        {
            self.blocks(form).give_back(block);
        }
        lock(&self.numbers).free.push(number);
    }

    /// The second blocks of an array, which has them no more.
    fn take_seconds(&self, number: u32) -> Vec<Memory> {
        let mut seconds = self.seconds.write().unwrap_or_else(PoisonError::into_inner);
        let segments: Vec<(u32, usize)> =
            seconds.range((number, 0)..=(number, usize::MAX)).map(|(&key, _)| key).collect();
        segments.iter().filter_map(|key| seconds.remove(key)).collect()
    }

    /// The JVM ends: it need not report the deaths of arrays any more.
    pub(crate) fn stop_listening(&self) {
        // If it refuses, it goes on to report them, and nobody hears.
        let _ = self.jvmti.disable_deaths();
    }

    pub(crate) fn counts(&self) -> report::Arrays {
        report::Arrays {
            watched: self.watched.load(Ordering::Relaxed),
            unwatched: self.unwatched.load(Ordering::Relaxed),
            shadow_bytes: self.blocks.iter().map(|blocks| blocks.in_use() as u64).sum(),
        }
    }
}
