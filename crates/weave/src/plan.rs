//! What to weave into a class.

use std::ops::BitOr;

use crate::site::Element;

/// What to weave, and what is known of other classes.
pub struct Plan<'a> {
    /// Which passes run.
    pub passes: Passes,
    /// Which methods the hooks are.
    pub home: Home,
    /// The internal name of the class whose static methods are the hooks of [`Home::Shim`], such as
    /// `java/lang/AutodromeShim`.
    pub shim: &'a str,
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

    /// Does a method, by class, name and descriptor, pass messages between threads?
    fn channel(&self, _class: &[u8], _method: &[u8], _descriptor: &[u8]) -> Option<Channel> {
        None
    }
}

/// All is wanted, and no method passes messages.
pub struct Everything;

impl Choices for Everything {}

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

/// A set of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Passes(u32);

impl Passes {
    /// Shadow fields, and hooks after accesses to fields that can race.
    pub const FIELDS: Passes = Passes(1);
    /// Hooks after accesses to array elements.
    pub const ARRAYS: Passes = Passes(2);
    /// Hooks after `monitorenter` and before `monitorexit`.
    pub const MONITORS: Passes = Passes(4);
    /// Hooks where synchronized methods start and end.
    pub const SYNCHRONIZED: Passes = Passes(8);
    /// Hooks after volatile reads and before volatile writes.
    pub const VOLATILES: Passes = Passes(16);
    /// Hooks around the calls that [`hooks::CALLS`](crate::hooks::CALLS) lists.
    pub const CALLS: Passes = Passes(32);
    /// Calling-context values: loaded where a method starts, stored before each call, passed to each hook.
    pub const CONTEXTS: Passes = Passes(64);
    /// Hooks around accesses to fields of which the lookup knows nothing: they find out when they first run.
    pub const LATE: Passes = Passes(128);
    /// Hooks where static initializers return, and where methods start that run only after one.
    pub const INITIALIZERS: Passes = Passes(256);
    /// A hook where constructors return: for `java.lang.InterruptedException`.
    pub const INTERRUPTS: Passes = Passes(512);
    /// Brackets around accesses to fields and array elements, so that a recording has them in the order in which they
    /// took effect; and a field beside each that holds its name in the recording.
    pub const RECORD: Passes = Passes(1 << 15);

    /// Calls of Unsafe that synchronize are replaced: [`hooks::REPLACEMENTS`](crate::hooks::REPLACEMENTS).
    pub const UNSAFE: Passes = Passes(1024);
    /// So are its plain reads and writes: for VarHandles and reflection, through which the program itself accesses.
    pub const UNSAFE_PLAIN: Passes = Passes(2048);
    /// Hooks after calls that read or write ranges of arrays: [`hooks::RANGES`](crate::hooks::RANGES).
    pub const RANGES: Passes = Passes(4096);

    /// Hooks where the methods start and end that [`hooks::METHODS`](crate::hooks::METHODS) lists.
    pub const METHOD_RULES: Passes = Passes(8192);
    /// Elements of `Object[]` synchronize, also where Unsafe accesses them plainly: for classes of `java.util.concurrent` that
    /// publish through arrays. Overrides [`Passes::ARRAYS`] there.
    pub const SYNC_ELEMENTS: Passes = Passes(16384);

    /// Method handles of fields call the boot home's methods instead of Unsafe's: for `java.lang.invoke.DirectMethodHandle`.
    pub const HANDLES: Passes = Passes(1 << 16);
    /// A hook after `Object.clone`, which copies shadows too.
    pub const CLONES: Passes = Passes(1 << 17);

    /// Hooks where the methods of a hidden class start, with what they get, and where they end: BarrierPairs.
    pub const HIDDEN: Passes = Passes(1 << 18);
    /// Hooks where the methods of a visible class start and end, since hidden ones may call them back.
    pub const VISIBLE: Passes = Passes(1 << 19);
    /// Hooks before instructions whose effect depends on what the thread has read.
    pub const BRANCHES: Passes = Passes(1 << 20);
    /// Hooks before writes that keep the old value: fields of the class itself get late hooks then.
    pub const VALUES: Passes = Passes(1 << 21);

    /// Writes of a constructor to an object that nobody else can know yet only put their word in place. Of no
    /// effect with [`Passes::VALUES`]; for classes of the program.
    pub const FRESH: Passes = Passes(1 << 22);

    /// The first of a field's two words, that of reads, tells of both kinds of accesses: a read looks at no other, and with
    /// [`Passes::FRESH`] a write puts its word there. For a detector that keeps them so.
    pub const FIRST: Passes = Passes(1 << 25);

    /// Elements that a loop accesses one after another are told where it ends; with [`Passes::ARRAYS`]. For a detector that is
    /// indifferent to the order of a thread's accesses between two synchronizations.
    pub const LOOPS: Passes = Passes(1 << 23);

    /// The hook after a read of a volatile field gets the object too, through which a thread learns something. With
    /// [`Passes::VOLATILES`]; for classes of the JDK.
    pub const THROUGH: Passes = Passes(1 << 26);

    /// Elements of arrays that no other thread can ever know are not told; with [`Passes::ARRAYS`].
    pub const CONFINED: Passes = Passes(1 << 24);

    /// All that race detection needs of a program's classes, with the site of the earlier access only.
    pub const DETECTION: Passes = Passes(Passes::ALL.0 & !Passes::CONTEXTS.0);
    /// All that it needs with both stacks.
    pub const ALL: Passes =
        Passes(511 | Passes::RANGES.0 | Passes::CLONES.0 | Passes::FRESH.0 | Passes::LOOPS.0 | Passes::CONFINED.0);
    /// All that it may need of a class of the JDK.
    pub const JDK: Passes = Passes(
        (Passes::DETECTION.0 & !(Passes::FRESH.0 | Passes::LOOPS.0 | Passes::CONFINED.0))
            | Passes::UNSAFE.0
            | Passes::UNSAFE_PLAIN.0
            | Passes::METHOD_RULES.0
            | Passes::SYNC_ELEMENTS.0
            | Passes::HANDLES.0,
    );

    /// Both sets together; like `|`, for constants.
    #[must_use]
    pub const fn with(self, others: Passes) -> Passes {
        Passes(self.0 | others.0)
    }

    /// The set without `others`.
    #[must_use]
    pub const fn without(self, others: Passes) -> Passes {
        Passes(self.0 & !others.0)
    }

    /// Does the set have any of `others`?
    #[must_use]
    pub fn meets(self, others: Passes) -> bool {
        self.0 & others.0 != 0
    }

    /// Does the set have all of `others`?
    #[must_use]
    pub fn has(self, others: Passes) -> bool {
        self.0 & others.0 == others.0
    }
}

impl BitOr for Passes {
    type Output = Passes;

    fn bitor(self, other: Passes) -> Passes {
        Passes(self.0 | other.0)
    }
}
