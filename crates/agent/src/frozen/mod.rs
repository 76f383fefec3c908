//! Final fields (JLS 17.5.1): is the earlier write of a race ordered by the end of a constructor? Asked once a race is about to be
//! reported.
//!
//! An object with final fields may be published by a race: what its final fields reach is seen as it was when the constructor
//! ended. No hook stands at reads of final fields. Instead each object has a freeze word (`weave`, `freeze.rs`), and before a race
//! is reported the heap is searched upwards from the variable's object (`search.rs`). If every way to it leads through final fields
//! that were frozen after the write (`order.rs`), the race is withheld and counted.
//!
//! Strict: in doubt the race is reported. That is the case if the search is cut off, by its depth, by the number of references,
//! or since all searches together took [`MOST`] or one level [`SLOW`]; if any way is open; and if the class has
//! no freeze word.
//!
//! What it may miss: a way that was there when the thread read, and is gone when the race is reported; what `order.rs`
//! says of loops and of other threads; and a race of an object that is reached in another way than one written in the
//! same context before ([`Answer::Closed`]). What it may wrongly report: what is published by objects of classes
//! without freeze words, lambdas among them, and what lies deeper than [`ways::DEEPEST`] references behind the final
//! field.
//!
//! Only for FastTrack: the lockset modes have no moments of writes.

mod order;
mod search;
mod ways;

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::Duration;

use model::AccessKind;
use runtime::{ContextId, Earlier, Frame, Pair, StackId};

use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Jvmti, Object};
use crate::objects::Holder;
use crate::work::Begun;
use order::Moment;
use search::Reachability;
pub(crate) use search::{Edge, EdgeKind, Tag};
use ways::Ways;

/// What all searches together may take.
const MOST: Duration = Duration::from_secs(30);

/// A search that took so long at one level is the last: the heap is too large for this.
const SLOW: Duration = Duration::from_secs(3);

/// So many stacks of ends of constructors are kept: a recursion can have any number.
const MOST_STACKS: usize = 1 << 16;

/// The variable's object, and the JNI of the call.
pub(crate) type Whose<'a> = Option<Holder<'a>>;

/// How much is known of a race when it is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Nothing has been done about it: it is asked whether an earlier search has the answer.
    First,
    /// It would be reported now: the heap is searched.
    Last,
}

/// What was found for objects of a class that were written in a context.
#[derive(Clone, Copy)]
enum Answer {
    /// Asked so often since. Another object of theirs may be reached in another way: so the search is made anew the 2nd, 4th,
    /// 8th and so on time.
    Closed(u64),
    /// There was another way. That race was reported, so others like it may be.
    Open,
}

/// What is known of constructors that ended.
pub(crate) struct Frozen {
    /// An environment of its own: its tags are those of the search alone.
    jvmti: Jvmti,
    /// By the key in a freeze word, the stack (AutodromeFreezes.java).
    stacks: Mutex<HashMap<u32, StackId>>,
    answers: Mutex<HashMap<(ContextId, String), Answer>>,
    /// How long the searches took. One search at a time has it.
    searched: Mutex<Duration>,
    /// The races that were withheld.
    withheld: Mutex<HashSet<Pair>>,
}

impl Frozen {
    pub(crate) fn new(jvmti: Jvmti) -> Frozen {
        Frozen {
            jvmti,
            stacks: Mutex::default(),
            answers: Mutex::default(),
            searched: Mutex::default(),
            withheld: Mutex::default(),
        }
    }

    /// How many pairs of places raced as far as anybody but the final fields would know.
    pub(crate) fn withheld(&self) -> u64 {
        lock(&self.withheld).len() as u64
    }

    /// What is known without a search, if that is enough.
    fn known(&self, key: &(ContextId, String)) -> Option<bool> {
        match lock(&self.answers).get_mut(key)? {
            Answer::Open => Some(false),
            Answer::Closed(count) => {
                *count += 1;
                (!count.is_power_of_two()).then_some(true)
            }
        }
    }

    fn is_open(&self, key: &(ContextId, String)) -> bool {
        matches!(lock(&self.answers).get(key), Some(Answer::Open))
    }

    fn keep(&self, key: (ContextId, String), is_closed: bool) {
        let mut answers = lock(&self.answers);
        if is_closed {
            answers.entry(key).or_insert(Answer::Closed(1));
        } else {
            answers.insert(key, Answer::Open);
        }
    }
}

impl Agent {
    /// A constructor that wrote final fields ends, for the first time where it does now.
    pub(crate) fn freeze_at(&self, key: u32) {
        if lock(&self.frozen.stacks).len() < MOST_STACKS {
            let stack = self.current_stack();
            lock(&self.frozen.stacks).insert(key, stack);
        }
    }

    /// Is the race one that final fields prevent? It is counted then.
    pub(crate) fn is_withheld(&self, whose: Whose<'_>, earlier: &Earlier, pair: Pair, when: When) -> bool {
        let is_asked = self.is_fasttrack() && earlier.kind == AccessKind::Write;
        let (true, Some(Holder { jni, object })) = (is_asked, whose) else { return false };
        let Some(class) = jni.class_of(object).and_then(|class| self.jvmti.class_name(class)) else { return false };
        // What has a static field is its class.
        if class == "java/lang/Class" {
            return false;
        }
        let key = (earlier.context, class);
        let found = match when {
            When::First => self.frozen.known(&key) == Some(true),
            When::Last if self.frozen.is_open(&key) => false,
            When::Last => {
                let found = jni.in_frame(|jni| self.is_closed(jni, object, earlier)).unwrap_or(false);
                self.frozen.keep(key, found);
                found
            }
        };
        if found {
            lock(&self.frozen.withheld).insert(pair);
        }
        found
    }

    /// Does every way to the object lead through final fields that were frozen after the write?
    fn is_closed<'a>(&self, jni: Jni<'a>, object: Object<'a>, earlier: &Earlier) -> bool {
        let mut searched = lock(&self.frozen.searched);
        if *searched >= MOST {
            return false;
        }
        let begun = Begun::now();
        let written = Moment { at: earlier.at, stack: self.frames_of(earlier.context) };
        let mut ways = Ways::new(self, jni, written);
        let left = MOST.saturating_sub(*searched);
        let (verdict, slowest) = ways.search(object, left);
        *searched = if slowest >= SLOW { MOST } else { *searched + begun.elapsed() };
        verdict == Some(Reachability::Closed)
    }

    /// The frames of a context, innermost first; none if it has no stack.
    fn frames_of(&self, context: ContextId) -> Vec<Frame> {
        self.depot.get(context).map_or_else(Vec::new, |context| self.depot.frames(context.stack))
    }
}
