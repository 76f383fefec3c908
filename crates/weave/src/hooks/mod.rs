//! The hooks: what each is called and what it takes. The shim class has a static method for each of them.
//!
//! Every hook but [`Hook::Context`], [`Hook::BeforeCall`] and [`Hook::Confine`] ends with the id of its site, an `int`. With
//! [`Passes::CONTEXTS`](crate::Passes::CONTEXTS), a hook in a method that makes calls takes the method's calling-context
//! value after it, one more `int`; a method without calls has no value of its own and calls the hook without it, and
//! the shim finds the value where the caller stored it. So the shim has each hook twice, but those around recorded accesses.
//!
//! No hook may throw. A receiver can be null in a hook that stands before its instruction: volatile and late writes,
//! writes of elements that synchronize, `monitorexit` and calls. Of `Object.wait` the hook afterwards runs at a normal return only; a shim that wants the
//! interrupted wait too marks the thread in [`Hook::BeforeWait`] so that its next hook of any kind acquires.

mod calls;
mod methods;
mod ranges;
mod replacements;

pub use calls::{CALLS, CallRule, QUIET_CALLEES};
pub(crate) use methods::channel_rule;
pub use methods::{METHODS, MethodRule, OVERRIDES, Override, Subject};
pub(crate) use ranges::range_rule;
pub use ranges::{Owner, RANGES, RangeRule, Value};
pub(crate) use replacements::replacement;
pub use replacements::{REPLACEMENTS, Replacement, UNSAFE_SHIM};

use std::sync::LazyLock;

use crate::classfile::descriptor;
use crate::site::Element;

/// By first letter, the lengths of the names of methods whose calls have a rule, of [`CALLS`] or [`RANGES`].
static RULED_NAMES: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < CALLS.len() + RANGES.len() {
        let name = if at < CALLS.len() { CALLS[at].name } else { RANGES[at - CALLS.len()].name }.as_bytes();
        lengths[name[0] as usize] |= 1 << (name.len() % 32);
        at += 1;
    }
    lengths
};

/// May calls of a method of this name have a rule? Most have none, and are spared the search.
pub(crate) fn may_be_ruled(name: &[u8]) -> bool {
    name.first().is_some_and(|&first| RULED_NAMES[usize::from(first)] & 1 << (name.len() % 32) != 0)
}

/// The end of a shadow field's name before the tag of the original's type; see [`shadow_name`].
pub const SHADOW_MARK: &str = "$autodrome$";

/// The descriptor of a shadow field that is a word for the detector.
pub const SHADOW_DESCRIPTOR: &str = "J";

/// The descriptor of a cell.
pub const CELL_DESCRIPTOR: &str = "Ljava/lang/Object;";

/// What a shadow field keeps of its original. Reads and writes have a word each, so that one swap replaces the epoch and
/// the context of an access together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// The last reads of a field that can race.
    Reads,
    /// The last write of such a field.
    Write,
    /// The past that a reader of a volatile field acquires: its cell.
    Cell,
    /// None: the name of the field of this object in a recording, an `int`.
    Name,
}

impl Shadow {
    /// The two of a field that can race.
    pub const WORDS: [Shadow; 2] = [Shadow::Reads, Shadow::Write];

    /// The descriptor of such a shadow.
    #[must_use]
    pub const fn descriptor(self) -> &'static str {
        match self {
            Shadow::Reads | Shadow::Write => SHADOW_DESCRIPTOR,
            Shadow::Cell => CELL_DESCRIPTOR,
            Shadow::Name => "I",
        }
    }

    fn letter(self) -> u8 {
        match self {
            Shadow::Reads => b'r',
            Shadow::Write => b'w',
            Shadow::Cell => b'v',
            Shadow::Name => b'n',
        }
    }
}

/// The name of a shadow of a field.
///
/// Two fields of a class may share a name if their types differ (obfuscators do it), so the type takes part: a
/// primitive's letter, or a hash of the descriptor.
#[must_use]
pub fn shadow_name(name: &[u8], descriptor: &[u8], of: Shadow) -> Vec<u8> {
    let mut shadow = Vec::with_capacity(name.len() + SHADOW_MARK.len() + 9);
    shadow.extend_from_slice(name);
    shadow.extend_from_slice(SHADOW_MARK.as_bytes());
    shadow.push(of.letter());
    match descriptor {
        &[primitive] => shadow.push(primitive),
        reference => {
            // 32-bit FNV-1a.
            let hash = reference
                .iter()
                .fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            shadow.extend((0..8).rev().map(|digit| b"0123456789abcdef"[(hash >> (4 * digit)) as usize & 15]));
        }
    }
    shadow
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $hook:ident = $name:literal $takes:literal;)*) => {
        /// A hook.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Hook { $($(#[$doc])* $hook,)* }

        impl Hook {
            /// All hooks.
            pub const ALL: &[Hook] = &[$(Hook::$hook),*];

            /// The name of the shim's method.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Hook::$hook => $name,)* }
            }

            /// The descriptors of what the hook takes before the site's id.
            #[must_use]
            pub const fn takes(self) -> &'static str {
                match self { $(Hook::$hook => $takes,)* }
            }
        }
    };
}

hooks! {
    /// A field was read: its object and the shadows of its reads and of its writes.
    ReadField = "readField" "Ljava/lang/Object;JJ";
    /// A field was read: its object and the shadow of its reads, which tells of its writes too.
    ReadFirst = "readField" "Ljava/lang/Object;J";
    /// A field was written: its object and the shadow of its writes.
    WriteField = "writeField" "Ljava/lang/Object;J";
    /// A field was written of an object that nobody else can know yet: gives the shadow of its write.
    FreshWrite = "freshWrite" "";
    /// A static field was read: the shadows of its reads and of its writes.
    ReadStatic = "readStatic" "JJ";
    /// A static field was read: the shadow of its reads, which tells of its writes too.
    ReadFirstStatic = "readStatic" "J";
    /// A static field was written: the shadow of its writes.
    WriteStatic = "writeStatic" "J";
    /// A volatile field was read: what its cell holds, read after it.
    ReadVolatile = "readVolatile" "Ljava/lang/Object;";
    /// The same, with its object: [`crate::Passes::THROUGH`].
    ReadVolatileOf = "readVolatileOf" "Ljava/lang/Object;Ljava/lang/Object;";
    /// A volatile field will be written: its object, whose cell the shim finds by the site.
    WriteVolatile = "writeVolatile" "Ljava/lang/Object;";
    /// A static volatile field was read: what its cell holds, read after it.
    ReadVolatileStatic = "readVolatileStatic" "Ljava/lang/Object;";
    /// A static volatile field will be written: what its cell holds.
    WriteVolatileStatic = "writeVolatileStatic" "Ljava/lang/Object;";
    /// A field was read of which nothing was known when the class was woven: its object.
    ReadLate = "readLate" "Ljava/lang/Object;";
    /// Such a field will be written; it may be volatile.
    BeforeWriteLate = "beforeWriteLate" "Ljava/lang/Object;";
    /// Such a field was written.
    AfterWriteLate = "afterWriteLate" "Ljava/lang/Object;";
    /// A static field was read of which nothing was known when the class was woven; its class may have an initializer.
    ReadLateStatic = "readLateStatic" "";
    /// Such a static field will be written; it may be volatile.
    BeforeWriteLateStatic = "beforeWriteLateStatic" "";
    /// Such a static field was written.
    AfterWriteLateStatic = "afterWriteLateStatic" "";
    /// The static initializer of a class returns: the class.
    ExitInitializer = "exitInitializer" "Ljava/lang/Object;";
    /// A static method or a constructor of a class with a static initializer starts: the class.
    UseClass = "useClass" "Ljava/lang/Object;";
    /// An element was read: the array and the index.
    ReadInt = "readElement" "[II";
    /// An element was read.
    ReadLong = "readElement" "[JI";
    /// An element was read.
    ReadFloat = "readElement" "[FI";
    /// An element was read.
    ReadDouble = "readElement" "[DI";
    /// An element was read.
    ReadReference = "readElement" "[Ljava/lang/Object;I";
    /// An element of a `byte[]` or a `boolean[]` was read.
    ReadByte = "readByteOrBoolean" "Ljava/lang/Object;I";
    /// An element was read.
    ReadChar = "readElement" "[CI";
    /// An element was read.
    ReadShort = "readElement" "[SI";
    /// An element was written: the array and the index.
    WriteInt = "writeElement" "[II";
    /// An element was written.
    WriteLong = "writeElement" "[JI";
    /// An element was written.
    WriteFloat = "writeElement" "[FI";
    /// An element was written.
    WriteDouble = "writeElement" "[DI";
    /// An element was written.
    WriteReference = "writeElement" "[Ljava/lang/Object;I";
    /// An element of a `byte[]` or a `boolean[]` was written.
    WriteByte = "writeByteOrBoolean" "Ljava/lang/Object;I";
    /// An element was written.
    WriteChar = "writeElement" "[CI";
    /// An element was written.
    WriteShort = "writeElement" "[SI";
    /// A loop begins that tells its accesses at its end: gives the thread's epoch.
    BeginLoop = "beginLoop" "";
    /// A loop ends that read elements: the array, the first index, the one that would be next, by how much they differ, and the
    /// epoch in which it began. If all rounds read one element, they differ by 0, and what would be next is another index if there
    /// was a round.
    ReadLoop = "readLoop" "Ljava/lang/Object;IIII";
    /// A loop ends that wrote elements.
    WriteLoop = "writeLoop" "Ljava/lang/Object;IIII";
    /// A range of an array was copied to another, which is null if it is new: both with their first indices, the length.
    AfterCopy = "afterCopy" "Ljava/lang/Object;ILjava/lang/Object;II";
    /// `Object.clone` returned: the copy, which has the shadows of the original.
    AfterClone = "afterClone" "Ljava/lang/Object;";
    /// A range of an array was read: the array, the first index, and the one after the last, perhaps beyond its end.
    ReadRange = "readRange" "Ljava/lang/Object;II";
    /// A range of an array was written.
    WriteRange = "writeRange" "Ljava/lang/Object;II";
    /// A range of an array was written, if the receiver is a stream of the JDK: the receiver, the array, the first index, how
    /// many elements (none if negative, all if there are fewer).
    AfterInput = "afterInput" "Ljava/lang/Object;Ljava/lang/Object;II";
    /// A range of an array was read, if the receiver is a stream of the JDK.
    AfterOutput = "afterOutput" "Ljava/lang/Object;Ljava/lang/Object;II";
    /// Two arrays were compared: both, the result, and the result that says that all elements were read and are equal.
    AfterComparison = "afterComparison" "Ljava/lang/Object;Ljava/lang/Object;II";
    /// A monitor will be taken, or was taken by a synchronized method that starts: the place to run out of stack, since
    /// the hook that gives it back cannot (see `monitors`).
    BeforeMonitor = "beforeMonitor" "";
    /// `monitorenter` took the monitor.
    EnterMonitor = "enterMonitor" "Ljava/lang/Object;";
    /// `monitorexit` will give the monitor back.
    ExitMonitor = "exitMonitor" "Ljava/lang/Object;";
    /// A synchronized method starts: its monitor.
    EnterMethod = "enterMethod" "Ljava/lang/Object;";
    /// A synchronized method ends, by a return or an exception: its monitor.
    ExitMethod = "exitMethod" "Ljava/lang/Object;";
    /// A thread will be started, if it is a `Thread`.
    BeforeStart = "beforeStart" "Ljava/lang/Object;";
    /// `join` returned, perhaps of a `Thread`.
    AfterJoin = "afterJoin" "Ljava/lang/Object;";
    /// `join` with a limit returned, perhaps of a `Thread`, and says whether it has ended.
    AfterTimedJoin = "afterTimedJoin" "Ljava/lang/Object;Z";
    /// `isAlive()` returned, perhaps of a `Thread`: what it said.
    AfterIsAlive = "afterIsAlive" "Ljava/lang/Object;Z";
    /// `interrupt()` will be called, perhaps of a `Thread`.
    BeforeInterrupt = "beforeInterrupt" "Ljava/lang/Object;";
    /// `isInterrupted()` returned, perhaps of a `Thread`: what it said.
    AfterIsInterrupted = "afterIsInterrupted" "Ljava/lang/Object;Z";
    /// The static `interrupted()` returned, perhaps that of `Thread`: what it said.
    AfterInterrupted = "afterInterrupted" "Z";
    /// An `InterruptedException` was made.
    ThrowInterrupt = "throwInterrupt" "";
    /// `Object.wait` will be called.
    BeforeWait = "beforeWait" "Ljava/lang/Object;";
    /// `Object.wait` returned.
    AfterWait = "afterWait" "Ljava/lang/Object;";
    /// `Object.notify` or `notifyAll` will be called.
    BeforeNotify = "beforeNotify" "Ljava/lang/Object;";
    /// A method that sends messages starts: its receiver.
    SendMessage = "sendMessage" "Ljava/lang/Object;";
    /// A static method that sends messages starts.
    SendStatic = "sendStatic" "";
    /// A method that receives messages returns: its receiver.
    ReceiveMessage = "receiveMessage" "Ljava/lang/Object;";
    /// A static method that receives messages ends.
    ReceiveStatic = "receiveStatic" "";
    /// A quiet method starts: until it ends, the thread's synchronization inside the JDK is not seen. Quiet methods nest.
    EnterQuiet = "enterQuiet" "";
    /// A quiet method ends, by a return or an exception.
    ExitQuiet = "exitQuiet" "";
    /// A lock, or the write lock of a pair, was taken: the lock, of a pair what both have in common.
    AfterLock = "afterLock" "Ljava/lang/Object;";
    /// Such a lock was taken if the result is true.
    AfterTryLock = "afterTryLock" "Ljava/lang/Object;Z";
    /// Such a lock was given back.
    AfterUnlock = "afterUnlock" "Ljava/lang/Object;";
    /// The read lock of a pair was taken: what both locks have in common.
    AfterReadLock = "afterReadLock" "Ljava/lang/Object;";
    /// The read lock of a pair was taken if the result is true.
    AfterReadTryLock = "afterReadTryLock" "Ljava/lang/Object;Z";
    /// The read lock of a pair was given back.
    AfterReadUnlock = "afterReadUnlock" "Ljava/lang/Object;";
    /// A `StampedLock` was taken for writing, unless the stamp is 0.
    AfterWriteStamp = "afterWriteStamp" "Ljava/lang/Object;J";
    /// A `StampedLock` was taken for reading, unless the stamp is 0.
    AfterReadStamp = "afterReadStamp" "Ljava/lang/Object;J";
    /// A `StampedLock` that was taken for reading, perhaps by another thread, was given back.
    AfterStampUnlockRead = "afterStampUnlockRead" "Ljava/lang/Object;";
    /// A `StampedLock` that was taken for writing, perhaps by another thread, was given back.
    AfterStampUnlockWrite = "afterStampUnlockWrite" "Ljava/lang/Object;";
    /// The same as [`Hook::AfterStampUnlockRead`] if the result is true.
    AfterStampTryUnlockRead = "afterStampTryUnlockRead" "Ljava/lang/Object;Z";
    /// The same as [`Hook::AfterStampUnlockWrite`] if the result is true.
    AfterStampTryUnlockWrite = "afterStampTryUnlockWrite" "Ljava/lang/Object;Z";
    /// A stamp will be converted: what the thread has read with it, if it is optimistic, counts by what comes of that.
    BeforeConvert = "beforeConvert" "Ljava/lang/Object;";
    /// The mode of a `StampedLock` was changed: the stamp before, and the one after, which is 0 if it was not.
    AfterConvert = "afterConvert" "Ljava/lang/Object;JJ";
    /// An optimistic read of a `StampedLock` begins, unless the stamp is 0.
    BeginOptimistic = "beginOptimistic" "Ljava/lang/Object;J";
    /// An optimistic read was validated: the stamp, and whether nobody wrote since.
    EndOptimistic = "endOptimistic" "Ljava/lang/Object;JZ";
    /// A virtual thread has ended; its carrier says so, and then wakes those who wait for it.
    EndThread = "endThread" "Ljava/lang/Object;";
    /// `Thread.getState` returned: the thread and its state.
    AfterGetState = "afterGetState" "Ljava/lang/Object;Ljava/lang/Object;";
    /// `Reference.reachabilityFence` was called: its argument.
    BeforeReachabilityFence = "beforeReachabilityFence" "Ljava/lang/Object;";
    /// The collector found an object unreachable: the reference that will be enqueued.
    AfterEnqueue = "afterEnqueue" "Ljava/lang/Object;";
    /// `get` of a weak or a soft reference returned: the reference and what it gave.
    AfterGet = "afterGet" "Ljava/lang/Object;Ljava/lang/Object;";
    /// `Reference.refersTo` returned: the reference, what was asked for, and the answer.
    AfterRefersTo = "afterRefersTo" "Ljava/lang/Object;Ljava/lang/Object;Z";
    /// A queue of references gave one, or null: the queue and what it gave.
    AfterPoll = "afterPoll" "Ljava/lang/Object;Ljava/lang/Object;";
    /// A finalizer will run: the `java.lang.ref.Finalizer`.
    BeforeFinalizer = "beforeFinalizer" "Ljava/lang/Object;";
    /// An element through which the JDK synchronizes was read: the array and the index.
    ReadSyncElement = "readSyncElement" "[Ljava/lang/Object;I";
    /// Such an element will be written: the array, which may be null, and the index, which may be out of bounds.
    WriteSyncElement = "writeSyncElement" "[Ljava/lang/Object;I";
    /// A method with calls starts: gives the calling-context value that its caller stored.
    Context = "context" "";
    /// A call will be made: the method's own calling-context value; stores that of the callee, 3 * value + site.
    BeforeCall = "beforeCall" "I";
    /// An array was made that nobody else can ever know, but methods that get it have hooks.
    Confine = "confine" "Ljava/lang/Object;";
    /// A hidden method starts, and this is its receiver or one of its arguments.
    Reach = "reach" "Ljava/lang/Object;";
    /// A hidden method starts, after its arguments were told: gives 1 if it was called from visible code.
    EnterHidden = "enterHidden" "";
    /// A hidden method ends, by a return or an exception: what [`Hook::EnterHidden`] gave.
    ExitHidden = "exitHidden" "I";
    /// A visible method starts, perhaps called back from a hidden one: gives what to restore where it ends.
    EnterVisible = "enterVisible" "";
    /// A visible method ends, by a return or an exception: what [`Hook::EnterVisible`] gave.
    ExitVisible = "exitVisible" "I";
    /// A visible method has caught an exception, perhaps out of a hidden one.
    Caught = "caught" "";
    /// What the thread does next depends on what it has read.
    Branch = "branch" "";
    /// Which object it accesses next depends on references that it has read.
    Dereference = "dereference" "";
    /// A field will be read and the read recorded: its object.
    BeginRead = "beginRead" "Ljava/lang/Object;";
    /// A field will be written and the write recorded: its object.
    BeginWrite = "beginWrite" "Ljava/lang/Object;";
    /// A static field will be read and the read recorded; its class is initialized.
    BeginReadStatic = "beginReadStatic" "";
    /// A static field will be written and the write recorded; its class is initialized.
    BeginWriteStatic = "beginWriteStatic" "";
    /// An element will be read and the read recorded: the array and the index.
    BeginReadElement = "beginReadElement" "Ljava/lang/Object;I";
    /// An element of a primitive type will be written and the write recorded: the array and the index.
    BeginWriteElement = "beginWriteElement" "Ljava/lang/Object;I";
    /// An element of an array of references will be written and the write recorded: the array, the index, the value.
    BeginWriteReference = "beginWriteReference" "Ljava/lang/Object;ILjava/lang/Object;";
    /// An element will be written, and its value compared: the array, which may be null, and the index.
    BeforeWriteElement = "beforeWriteElement" "Ljava/lang/Object;I";
    /// The access that began last was made: the value.
    AccessedInt = "accessed" "I";
    /// The access that began last was made.
    AccessedLong = "accessed" "J";
    /// The access that began last was made.
    AccessedFloat = "accessed" "F";
    /// The access that began last was made.
    AccessedDouble = "accessed" "D";
    /// The access that began last was made.
    AccessedReference = "accessed" "Ljava/lang/Object;";
}

impl Hook {
    /// The descriptor of the shim's method, for a caller that has a calling-context value of its own or has none.
    #[must_use]
    pub fn descriptor(self, caller: Caller) -> String {
        let (takes, gives) = (self.takes(), self.gives());
        match caller {
            _ if !self.has_site() => format!("({takes}){gives}"),
            Caller::WithContext if self.takes_context() => format!("({takes}II){gives}"),
            _ => format!("({takes}I){gives}"),
        }
    }

    /// The same descriptor, made once, and how many words the method takes from the stack.
    pub(crate) fn called(self, caller: Caller) -> (&'static str, u16) {
        let (descriptor, words) = &CALLED[self as usize][caller as usize];
        (descriptor, *words)
    }

    /// Does it take the id of its site?
    fn has_site(self) -> bool {
        !matches!(self, Hook::Context | Hook::Confine)
    }

    /// Does a caller that has a calling-context value pass it? What only recordings see is known by its site alone.
    #[must_use]
    pub fn takes_context(self) -> bool {
        (self as usize) < Hook::Context as usize
    }

    /// The descriptor of what the hook gives: a number, or nothing.
    #[must_use]
    pub const fn gives(self) -> &'static str {
        match self {
            Hook::FreshWrite => "J",
            Hook::BeginLoop | Hook::Context | Hook::EnterHidden | Hook::EnterVisible => "I",
            _ => "V",
        }
    }

    /// Does the hook stand around an access that is recorded?
    #[must_use]
    pub fn is_bracket(self) -> bool {
        self as usize >= Hook::BeginRead as usize && self != Hook::BeforeWriteElement
    }

    /// The hook after a recorded access of a value with this descriptor.
    #[must_use]
    pub(crate) fn accessed(descriptor: u8) -> Hook {
        match descriptor {
            b'J' => Hook::AccessedLong,
            b'F' => Hook::AccessedFloat,
            b'D' => Hook::AccessedDouble,
            b'L' | b'[' => Hook::AccessedReference,
            _ => Hook::AccessedInt,
        }
    }

    /// Do classes of the JDK use it? They have no calling contexts, and are neither hidden nor called back.
    #[must_use]
    pub fn is_in_boot(self) -> bool {
        let of_program = matches!(self, Hook::FreshWrite | Hook::BeginLoop | Hook::ReadLoop | Hook::WriteLoop);
        self.takes_context() && !of_program
            || self.is_bracket()
            || matches!(self, Hook::BeforeWriteElement | Hook::Branch | Hook::Dereference)
    }

    /// The declaration of the shim's method in Java, without a body, so that the shim's source can be made or checked
    /// from this table.
    #[must_use]
    pub fn declaration(self, caller: Caller) -> String {
        let mut parameters: Vec<String> = Vec::new();
        let mut rest = self.takes();
        while let Some(first) = rest.chars().next() {
            let (java, length, name) = match first {
                'L' if parameters.is_empty() => ("Object", "Ljava/lang/Object;".len(), "object"),
                'L' => ("Object", "Ljava/lang/Object;".len(), "value"),
                '[' if rest.starts_with("[L") => ("Object[]", "[Ljava/lang/Object;".len(), "array"),
                '[' => (primitive_array(rest.as_bytes()[1]), 2, "array"),
                'J' if parameters.is_empty() || self.is_access() => ("long", 1, "shadow"),
                'J' => ("long", 1, "stamp"),
                'F' => ("float", 1, "value"),
                'D' => ("double", 1, "value"),
                'Z' => ("boolean", 1, "result"),
                _ if matches!(self, Hook::BeforeCall | Hook::ExitHidden | Hook::ExitVisible) => ("int", 1, "own"),
                _ => ("int", 1, "index"),
            };
            let known = parameters.iter().any(|other| other.ends_with(name));
            let number = if known { parameters.len().to_string() } else { String::new() };
            parameters.push(format!("{java} {name}{number}"));
            rest = &rest[length..];
        }
        if self.has_site() {
            parameters.push("int site".to_string());
        }
        if caller == Caller::WithContext && self.takes_context() {
            parameters.push("int context".to_string());
        }
        let gives = match self.gives() {
            "J" => "long",
            "I" => "int",
            _ => "void",
        };
        format!("public static {gives} {}({})", self.name(), parameters.join(", "))
    }

    const fn is_access(self) -> bool {
        matches!(self, Hook::ReadField | Hook::WriteField | Hook::ReadStatic | Hook::WriteStatic)
    }

    /// The hook after a read of an element.
    #[must_use]
    pub(crate) const fn read_of(element: Element) -> Hook {
        match element {
            Element::Int => Hook::ReadInt,
            Element::Long => Hook::ReadLong,
            Element::Float => Hook::ReadFloat,
            Element::Double => Hook::ReadDouble,
            Element::Reference => Hook::ReadReference,
            Element::Byte => Hook::ReadByte,
            Element::Char => Hook::ReadChar,
            Element::Short => Hook::ReadShort,
        }
    }

    /// The hook after a write of an element.
    #[must_use]
    pub(crate) const fn write_of(element: Element) -> Hook {
        match element {
            Element::Int => Hook::WriteInt,
            Element::Long => Hook::WriteLong,
            Element::Float => Hook::WriteFloat,
            Element::Double => Hook::WriteDouble,
            Element::Reference => Hook::WriteReference,
            Element::Byte => Hook::WriteByte,
            Element::Char => Hook::WriteChar,
            Element::Short => Hook::WriteShort,
        }
    }
}

const fn primitive_array(element: u8) -> &'static str {
    match element {
        b'J' => "long[]",
        b'F' => "float[]",
        b'D' => "double[]",
        b'C' => "char[]",
        b'S' => "short[]",
        _ => "int[]",
    }
}

/// By hook and caller, the descriptor of the shim's method and how many words it takes from the stack.
static CALLED: LazyLock<Vec<[(String, u16); 2]>> = LazyLock::new(|| {
    let called = |hook: Hook, caller: Caller| {
        let descriptor = hook.descriptor(caller);
        let words = descriptor::words(descriptor.as_bytes()).unwrap_or_default();
        (descriptor, words)
    };
    Hook::ALL
        .iter()
        .map(|&hook| [Caller::WithoutContext, Caller::WithContext].map(|caller| called(hook, caller)))
        .collect()
});

/// Whether the method that calls a hook has a calling-context value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// It passes none.
    WithoutContext,
    /// It passes its value.
    WithContext,
}
