//! What to weave into a class.

use bitflags::bitflags;

use crate::site::{Element, Site};

/// What to weave, and what is known of other classes.
pub struct Plan<'a> {
    /// Which passes run.
    pub passes: Passes,
    /// Which methods the hooks are.
    pub home: Home,
    /// The internal name of the one class that has all hooks; `None`: each is in the class that its row of the table names.
    pub shim: Option<&'a str>,
    /// What is known of the fields of other classes.
    pub fields: &'a FieldLookup<'a>,
    /// Which fields of the class itself, by class and name, count as volatile though they are not declared so: those
    /// that a VarHandle or Unsafe synchronizes on. What it says of another class's is for `fields` to know.
    pub relaxed: &'a RelaxedFields<'a>,
    /// What of the class itself is wanted.
    pub choices: &'a dyn Choices,
    /// What becomes of the default serialVersionUID, which shadow fields would change.
    pub serial_uid: SerialUid,
}

/// Which methods the hooks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Those of the shim.
    Shim,
    /// Those that [`boot`](crate::boot) adds to `java.lang.Thread`, for classes of the JDK. They know no calling contexts, so
    /// [`Passes::CONTEXTS`] does nothing.
    Boot,
}

/// Says what is known of a field of another class, by owner, name and descriptor as an instruction names them, all in
/// modified UTF-8. The owner may inherit the field. `None`: nothing is known; the access gets a late hook if the plan has
/// [`Passes::LATE`], else it is not hooked but counted.
pub type FieldLookup<'a> = dyn Fn(&[u8], &[u8], &[u8]) -> Option<Field> + 'a;

/// Says whether a field, by class and name, counts as volatile without being declared so.
pub type RelaxedFields<'a> = dyn Fn(&[u8], &[u8]) -> bool + 'a;

/// What of a class is wanted.
pub trait Choices {
    /// Is a plain field, by class and name, watched? One that is not gets neither shadows nor hooks.
    fn watches(&self, _class: &[u8], _field: &[u8]) -> bool {
        true
    }

    /// Are arrays of such elements watched? Instructions for others get no hooks.
    fn watches_elements(&self, _element: Element) -> bool {
        true
    }

    /// With [`Passes::SAMPLE`]: what a plain access gets.
    fn sampled(&self, _access: &AccessAt<'_>) -> Sampled {
        Sampled::Nothing
    }

    /// Which accesses of a method, by class, name and descriptor, get hooks?
    fn hooked(&self, _class: &[u8], _method: &[u8], _descriptor: &[u8]) -> Hooked {
        Hooked::All
    }

    /// May a thread be held back before an access? With [`Passes::POINTS`].
    fn stops_before(&self, _access: &Site<'_>) -> bool {
        false
    }

    /// Does a method, by class, name and descriptor, pass messages between threads?
    fn channel(&self, _class: &[u8], _method: &[u8], _descriptor: &[u8]) -> Option<Channel> {
        None
    }
}

/// All is wanted, and no method passes messages.
pub struct Everything;

impl Choices for Everything {}

/// Which accesses of a method to fields and elements get hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hooked {
    /// All that the plan asks for.
    All,
    /// Writes only: each comes with a read of the same field, which would say nothing more.
    Writes,
    /// None: another access says the same.
    Nothing,
}

/// An access of the program, by where it stands. Names are modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessAt<'a> {
    /// The internal name of its class.
    pub class: &'a [u8],
    /// The name of its method.
    pub method: &'a [u8],
    /// The descriptor of its method.
    pub descriptor: &'a [u8],
    /// Where it stands in the original code.
    pub bytecode: usize,
    /// Its line, if the class knows.
    pub line: Option<u16>,
}

/// What a plain access gets with [`Passes::SAMPLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampled {
    /// No hook.
    Nothing,
    /// A hook that looks whether another thread has sampled the same location: where no hardware does.
    Looks,
    /// A hook that samples the access; it looks too.
    Samples,
}

/// What a method does that passes messages between threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// It sends one where it starts.
    Sends,
    /// It receives one where it returns.
    Receives,
}

/// What is known of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Neither final nor volatile, and its class gets (or got) a shadow field for it.
    Shadowed,
    /// Neither final nor volatile, in a class that is not woven: there is no shadow to read.
    Unshadowed,
    /// An access synchronizes, and the field's class gets (or got) a cell for it: it is volatile, or counts as such.
    Celled,
    /// An access synchronizes, but the field's class has no cell, or it is not known whether it has one. The access gets
    /// late hooks.
    Volatile,
    /// Written only by its class's initializers: it cannot race.
    Final,
}

/// What becomes of the default serialVersionUID of a class that gets shadow fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SerialUid {
    /// A class that may be serializable and declares none gets the one that the original class has by default.
    Keep,
    /// Nothing is added.
    Leave,
}

bitflags! {
    /// A set of passes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Passes: u64 {
        /// Shadow fields, and hooks after accesses to fields that can race.
        const FIELDS = 1 << 0;
        /// Hooks after accesses to array elements.
        const ARRAYS = 1 << 1;
        /// Hooks after `monitorenter` and before `monitorexit`.
        const MONITORS = 1 << 2;
        /// Hooks where synchronized methods start and end.
        const SYNCHRONIZED = 1 << 3;
        /// Hooks after volatile reads and before volatile writes.
        const VOLATILES = 1 << 4;
        /// Hooks around the calls that [`hooks::CALLS`](crate::hooks::CALLS) lists.
        const CALLS = 1 << 5;
        /// Calling-context values: loaded where a method starts, stored before each call, passed to each hook.
        const CONTEXTS = 1 << 6;
        /// Hooks around accesses to fields of which the lookup knows nothing: they find out when they first run.
        const LATE = 1 << 7;
        /// Hooks where static initializers return, and where methods start that run only after one.
        const INITIALIZERS = 1 << 8;
        /// A hook where constructors return: for `java.lang.InterruptedException`.
        const INTERRUPTS = 1 << 9;
        /// Calls of Unsafe that synchronize are replaced: [`hooks::REPLACEMENTS`](crate::hooks::REPLACEMENTS).
        const UNSAFE = 1 << 10;
        /// So are its plain reads and writes: for VarHandles and reflection, through which the program itself accesses.
        const UNSAFE_PLAIN = 1 << 11;
        /// Hooks after calls that read or write ranges of arrays: [`hooks::RANGES`](crate::hooks::RANGES).
        const RANGES = 1 << 12;
        /// Hooks where the methods start and end that [`hooks::METHODS`](crate::hooks::METHODS) lists.
        const METHOD_RULES = 1 << 13;
        /// Elements of `Object[]` synchronize, also where Unsafe accesses them plainly: for classes of `java.util.concurrent` that
        /// publish through arrays. Overrides [`Passes::ARRAYS`] there.
        const SYNC_ELEMENTS = 1 << 14;
        /// Brackets around accesses to fields and array elements, so that a recording has them in the order in which they
        /// took effect; and a field beside each that holds its name in the recording.
        const RECORD = 1 << 15;
        /// Method handles of fields call the boot home's methods instead of Unsafe's: for `java.lang.invoke.DirectMethodHandle`.
        const HANDLES = 1 << 16;
        /// A hook after `Object.clone`, which copies shadows too.
        const CLONES = 1 << 17;
        /// Hooks where the methods of a hidden class start, with what they get, and where they end: BarrierPairs.
        const HIDDEN = 1 << 18;
        /// Hooks where the methods of a visible class start and end, since hidden ones may call them back.
        const VISIBLE = 1 << 19;
        /// Hooks before instructions whose effect depends on what the thread has read.
        const BRANCHES = 1 << 20;
        /// Hooks before writes that keep the old value: fields of the class itself get late hooks then.
        const VALUES = 1 << 21;
        /// Writes of a constructor to an object that nobody else can know yet only put their word in place. Of no
        /// effect with [`Passes::VALUES`]; for classes of the program.
        const FRESH = 1 << 22;
        /// Elements that a loop accesses one after another are reported where it ends; with [`Passes::ARRAYS`]. For a detector
        /// that is indifferent to the order of a thread's accesses between two synchronizations.
        const LOOPS = 1 << 23;
        /// Elements of arrays that no other thread can ever know have no hooks; with [`Passes::ARRAYS`].
        const CONFINED = 1 << 24;
        /// The first of a field's two words, that of reads, covers both kinds of accesses: a read looks at no other, and with
        /// [`Passes::FRESH`] a write puts its word there. For a detector that keeps them so.
        const FIRST = 1 << 25;
        /// The hook after a read of a volatile field gets the object too, through which a thread learns something. With
        /// [`Passes::VOLATILES`]; for classes of the JDK.
        const THROUGH = 1 << 26;
        /// A freeze word for objects with final fields, written where their constructors return (JLS 17.5.1).
        const FREEZE = 1 << 27;
        /// Additions to static counters are quiet: for classes of the JDK.
        const COUNTERS = 1 << 28;
        /// Hooks where a thread may be held back: before monitors and locks are taken, and before the accesses that
        /// [`Choices::stops_before`] names. With [`Passes::SYNCHRONIZED`] a synchronized method takes its monitor itself, so that a
        /// hook can stand before.
        const POINTS = 1 << 29;
        /// Hooks before calls that may run code whose data is not recorded; with [`Passes::RECORD`].
        const OPAQUE = 1 << 30;
        /// Sampling (CRSampler): of all hooks that synchronize only those are left that hand something on, and each of them is one
        /// call that advances the clock of its thread. Plain accesses get what [`Choices::sampled`] says. No class gets a field.
        const SAMPLE = 1 << 31;
        /// A controlled run: calls that wait for other threads or for time are replaced
        /// ([`hooks::CONTROLLED`](crate::hooks::CONTROLLED)), and hooks stand before calls of objects that threads
        /// share and before `join`.
        const CONTROL = 1 << 32;
    }
}

impl Passes {
    /// All that race detection needs of a program's classes, with the site of the earlier access only.
    pub const DETECTION: Passes = Passes::ALL.difference(Passes::CONTEXTS);

    /// All that it needs with both stacks.
    pub const ALL: Passes = Passes::FIELDS
        .union(Passes::ARRAYS)
        .union(Passes::MONITORS)
        .union(Passes::SYNCHRONIZED)
        .union(Passes::VOLATILES)
        .union(Passes::CALLS)
        .union(Passes::CONTEXTS)
        .union(Passes::LATE)
        .union(Passes::INITIALIZERS)
        .union(Passes::RANGES)
        .union(Passes::CLONES)
        .union(Passes::FRESH)
        .union(Passes::LOOPS)
        .union(Passes::CONFINED)
        .union(Passes::FREEZE);

    /// All that it may need of a class of the JDK.
    pub const JDK: Passes = Passes::DETECTION
        .difference(Passes::FRESH.union(Passes::LOOPS).union(Passes::CONFINED))
        .union(Passes::UNSAFE)
        .union(Passes::UNSAFE_PLAIN)
        .union(Passes::METHOD_RULES)
        .union(Passes::SYNC_ELEMENTS)
        .union(Passes::HANDLES)
        .union(Passes::COUNTERS);
}
