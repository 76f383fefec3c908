//! The hooks, a row each: a column that a row leaves out is that of [`DEFAULTS`].

use super::{DEFAULTS, Row};
use crate::Passes;

macro_rules! hooks {
    ($($(#[$doc:meta])* $hook:ident = { $($column:ident: $value:expr),* $(,)? };)*) => {
        /// A hook.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Hook { $($(#[$doc])* $hook,)* }

        impl Hook {
            /// All hooks.
            pub const ALL: &[Hook] = &[$(Hook::$hook),*];

            /// Its row of the table.
            #[must_use]
            pub const fn row(self) -> &'static Row {
                match self { $(Hook::$hook => const { &Row { $($column: $value,)* ..DEFAULTS } },)* }
            }
        }
    };
}

hooks! {
    /// A field was read: its object and the shadows of its reads and of its writes.
    ReadField = {
        class: "Fields", name: "readField", takes: "Object object, long reads, long write", takes_context: true,
        passes: Passes::FIELDS,
    };
    /// A field was read: its object and the shadow of its reads, which covers its writes too.
    ReadFirst = {
        class: "Fields", name: "readField", takes: "Object object, long first", takes_context: true,
        passes: Passes::FIRST,
    };
    /// A field was written: its object and the shadow of its writes.
    WriteField = {
        class: "Fields", name: "writeField", takes: "Object object, long write", takes_context: true,
        passes: Passes::FIELDS,
    };
    /// A field was written of an object that nobody else can know yet: gives the shadow of its write.
    FreshWrite = {
        class: "Fields", name: "freshWrite", gives: "long", takes_context: true, in_boot: false, passes: Passes::FRESH,
    };
    /// A constructor that wrote final fields returns: gives the freeze word, [`super::FREEZE_WORD`].
    Freeze = { class: "Freezes", name: "freeze", gives: "long", takes_context: true, passes: Passes::FREEZE };
    /// A static field was read: the shadows of its reads and of its writes.
    ReadStatic = {
        class: "Fields", name: "readStatic", takes: "long reads, long write", takes_context: true,
        passes: Passes::FIELDS,
    };
    /// A static field was read: the shadow of its reads, which covers its writes too.
    ReadFirstStatic = {
        class: "Fields", name: "readStatic", takes: "long first", takes_context: true, passes: Passes::FIRST,
    };
    /// A static field was written: the shadow of its writes.
    WriteStatic = {
        class: "Fields", name: "writeStatic", takes: "long write", takes_context: true, passes: Passes::FIELDS,
    };
    /// A volatile field was read: what its cell holds, read after it.
    ReadVolatile = { class: "Volatiles", name: "readVolatile", takes: "Object cell", passes: Passes::VOLATILES };
    /// The same, with its object: [`crate::Passes::THROUGH`].
    ReadVolatileOf = {
        class: "Volatiles", name: "readVolatileOf", takes: "Object object, Object cell", passes: Passes::THROUGH,
    };
    /// A volatile field will be written: its object, whose cell the shim finds by the site.
    WriteVolatile = { class: "Volatiles", name: "writeVolatile", takes: "Object object", passes: Passes::VOLATILES };
    /// A static volatile field was read: what its cell holds, read after it.
    ReadVolatileStatic = {
        class: "Volatiles", name: "readVolatileStatic", takes: "Object cell", passes: Passes::VOLATILES,
    };
    /// A static volatile field will be written: what its cell holds.
    WriteVolatileStatic = {
        class: "Volatiles", name: "writeVolatileStatic", takes: "Object cell", passes: Passes::VOLATILES,
    };
    /// A field was read of which nothing was known when the class was woven: its object.
    ReadLate = {
        class: "Late", name: "readLate", takes: "Object object", takes_context: true,
        passes: Passes::LATE.union(Passes::VALUES),
    };
    /// Such a field will be written; it may be volatile.
    BeforeWriteLate = {
        class: "Late", name: "beforeWriteLate", takes: "Object object", passes: Passes::LATE.union(Passes::VALUES),
    };
    /// Such a field was written.
    AfterWriteLate = {
        class: "Late", name: "afterWriteLate", takes: "Object object", takes_context: true,
        passes: Passes::LATE.union(Passes::VALUES),
    };
    /// A static field was read of which nothing was known when the class was woven; its class may have an initializer.
    ReadLateStatic = {
        class: "Late", name: "readLateStatic", takes_context: true, passes: Passes::LATE.union(Passes::VALUES),
    };
    /// Such a static field will be written; it may be volatile.
    BeforeWriteLateStatic = { class: "Late", name: "beforeWriteLateStatic", passes: Passes::LATE.union(Passes::VALUES) };
    /// Such a static field was written.
    AfterWriteLateStatic = {
        class: "Late", name: "afterWriteLateStatic", takes_context: true, passes: Passes::LATE.union(Passes::VALUES),
    };
    /// The static initializer starts of a class that extends or implements others, which are initialized: the class.
    EnterInitializer = {
        class: "Initializers", name: "enterInitializer", takes: "Object type", passes: Passes::INITIALIZERS,
    };
    /// The static initializer of a class returns: the class.
    ExitInitializer = {
        class: "Initializers", name: "exitInitializer", takes: "Object type", passes: Passes::INITIALIZERS,
    };
    /// The JVM has caught what a static initializer threw, and makes the error that stands for it.
    InitializerFails = { class: "Initializers", name: "initializerFails", passes: Passes::METHOD_RULES };
    /// The JVM makes the error that a class cannot be used.
    SeeFailure = { class: "Initializers", name: "seeFailure", passes: Passes::METHOD_RULES };
    /// The JDK has made sure that a class is initialized, or needs that it is: the class.
    SeeInitialized = {
        class: "Initializers", name: "seeInitialized", takes: "Object type", passes: Passes::METHOD_RULES,
    };
    /// The JDK gave a class, which may be initialized: whatever it was asked by, and the class.
    SeeInitializedResult = {
        class: "Initializers", name: "seeInitializedResult", takes: "Object asked, Object type",
        passes: Passes::METHOD_RULES,
    };
    /// The JDK has made an object without a constructor of its class: whatever it was asked by, and the object.
    SeeInitializedOf = {
        class: "Initializers", name: "seeInitializedOf", takes: "Object asked, Object made",
        passes: Passes::METHOD_RULES,
    };
    /// A static method or a constructor starts of a class that has a static initializer, or may inherit one: the class.
    UseClass = { class: "Initializers", name: "useClass", takes: "Object type", passes: Passes::INITIALIZERS };
    /// An element was read: the array and the index.
    ReadInt = {
        class: "Elements", name: "readElement", takes: "int[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadLong = {
        class: "Elements", name: "readElement", takes: "long[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadFloat = {
        class: "Elements", name: "readElement", takes: "float[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadDouble = {
        class: "Elements", name: "readElement", takes: "double[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadReference = {
        class: "Elements", name: "readElement", takes: "Object[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element of a `byte[]` or a `boolean[]` was read.
    ReadByte = {
        class: "Elements", name: "readByteOrBoolean", takes: "Object array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadChar = {
        class: "Elements", name: "readElement", takes: "char[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was read.
    ReadShort = {
        class: "Elements", name: "readElement", takes: "short[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written: the array and the index.
    WriteInt = {
        class: "Elements", name: "writeElement", takes: "int[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteLong = {
        class: "Elements", name: "writeElement", takes: "long[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteFloat = {
        class: "Elements", name: "writeElement", takes: "float[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteDouble = {
        class: "Elements", name: "writeElement", takes: "double[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteReference = {
        class: "Elements", name: "writeElement", takes: "Object[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element of a `byte[]` or a `boolean[]` was written.
    WriteByte = {
        class: "Elements", name: "writeByteOrBoolean", takes: "Object array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteChar = {
        class: "Elements", name: "writeElement", takes: "char[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// An element was written.
    WriteShort = {
        class: "Elements", name: "writeElement", takes: "short[] array, int index", takes_context: true,
        passes: Passes::ARRAYS,
    };
    /// A loop begins that reports its accesses at its end: gives the thread's epoch.
    BeginLoop = { class: "Elements", name: "beginLoop", gives: "int", in_boot: false, passes: Passes::LOOPS };
    /// A loop ends that read elements: the array, the first index, the one that would be next, by how much they differ, and the
    /// epoch in which it began. If all rounds read one element, they differ by 0, and what would be next is another index if there
    /// was a round.
    ReadLoop = {
        class: "Elements", name: "readLoop", takes: "Object array, int from, int next, int step, int epoch",
        takes_context: true, in_boot: false, passes: Passes::LOOPS,
    };
    /// A loop ends that wrote elements.
    WriteLoop = {
        class: "Elements", name: "writeLoop", takes: "Object array, int from, int next, int step, int epoch",
        takes_context: true, in_boot: false, passes: Passes::LOOPS,
    };
    /// A range of an array will be copied to another: both with their first indices, the length. If an element does not fit the
    /// other's type, those before it are copied, and no hook comes after the call.
    BeforeCopy = {
        class: "Ranges", name: "beforeCopy", takes: "Object from, int fromIndex, Object to, int toIndex, int length",
        takes_context: true, passes: Passes::RANGES,
    };
    /// A range of an array was copied to another, which is null if it is new: both with their first indices, the length.
    AfterCopy = {
        class: "Ranges", name: "afterCopy", takes: "Object from, int fromIndex, Object to, int toIndex, int length",
        takes_context: true, passes: Passes::RANGES,
    };
    /// `Object.clone` returned: the copy, which has the shadows of the original.
    AfterClone = { class: "Ranges", name: "afterClone", takes: "Object copy", passes: Passes::CLONES };
    /// A range of an array was read: the array, the first index, and the one after the last, perhaps beyond its end.
    ReadRange = {
        class: "Ranges", name: "readRange", takes: "Object array, int from, int to", takes_context: true,
        passes: Passes::RANGES,
    };
    /// A range of an array was written.
    WriteRange = {
        class: "Ranges", name: "writeRange", takes: "Object array, int from, int to", takes_context: true,
        passes: Passes::RANGES,
    };
    /// A range of an array was written, if the receiver is a stream of the JDK: the receiver, the array, the first index, how
    /// many elements (none if negative, all if there are fewer).
    AfterInput = {
        class: "Ranges", name: "afterInput", takes: "Object stream, Object array, int from, int count",
        takes_context: true, passes: Passes::RANGES,
    };
    /// A range of an array was read, if the receiver is a stream of the JDK.
    AfterOutput = {
        class: "Ranges", name: "afterOutput", takes: "Object stream, Object array, int from, int count",
        takes_context: true, passes: Passes::RANGES,
    };
    /// Two arrays were compared: both, the result, and the result that says that all elements were read and are equal.
    AfterComparison = {
        class: "Ranges", name: "afterComparison", takes: "Object one, Object other, int result, int equal",
        takes_context: true, passes: Passes::RANGES,
    };
    /// A monitor will be taken, or was taken by a synchronized method that starts: the place to run out of stack, since
    /// the hook that gives it back cannot (see `monitors`).
    BeforeMonitor = {
        class: "Monitors", name: "beforeMonitor",
        passes: Passes::MONITORS.union(Passes::SYNCHRONIZED).union(Passes::COUNTERS),
    };
    /// `monitorenter` will take a monitor, also in place of the JVM where a synchronized method starts: the monitor, which may be
    /// null.
    RequestMonitor = {
        class: "Hunt", name: "requestMonitor", takes: "Object monitor", takes_context: true, in_boot: false,
        passes: Passes::POINTS,
    };
    /// A method starts that takes a lock and waits for it: the lock.
    RequestLock = { class: "Hunt", name: "requestLock", takes: "Object lock", passes: Passes::POINTS };
    /// A method starts that tries to take a lock, or stops to wait if it is interrupted: the lock.
    TryLock = { class: "Hunt", name: "tryLock", takes: "Object lock", passes: Passes::POINTS };
    /// A field will be accessed, of this object or static.
    BeforeAccess = {
        class: "Hunt", name: "beforeAccess", takes: "Object object", in_boot: false, passes: Passes::POINTS,
    };
    /// An element will be accessed: the array, which may be null, and the index.
    BeforeElement = {
        class: "Hunt", name: "beforeElement", takes: "Object array, int index", in_boot: false, passes: Passes::POINTS,
    };
    /// A call will be made of an object that threads share, such as one of `java.util.concurrent`.
    SharedCall = { class: "Control", name: "sharedCall", in_boot: false, passes: Passes::CONTROL };
    /// A call will be made that a controlled run makes itself: where it stands.
    ControlledCall = { class: "Control", name: "controlledCall", in_boot: false, passes: Passes::CONTROL };
    /// A static initializer starts: other threads may wait for it, so there are no points until it ends.
    BeginInitializer = { class: "Control", name: "beginInitializer", in_boot: false, passes: Passes::CONTROL };
    /// It ends, by a return or an exception.
    EndInitializer = { class: "Control", name: "endInitializer", in_boot: false, passes: Passes::CONTROL };
    /// `join` will be called, perhaps of a `Thread`.
    BeforeJoin = { class: "Control", name: "beforeJoin", takes: "Object thread", passes: Passes::CONTROL };
    /// `join` with a limit will be called, perhaps of a `Thread`.
    BeforeTimedJoin = { class: "Control", name: "beforeTimedJoin", takes: "Object thread", passes: Passes::CONTROL };
    /// `monitorenter` took the monitor.
    EnterMonitor = { class: "Monitors", name: "enterMonitor", takes: "Object monitor", passes: Passes::MONITORS };
    /// `monitorexit` will give the monitor back.
    ExitMonitor = { class: "Monitors", name: "exitMonitor", takes: "Object monitor", passes: Passes::MONITORS };
    /// A synchronized method starts: its monitor.
    EnterMethod = { class: "Monitors", name: "enterMethod", takes: "Object monitor", passes: Passes::SYNCHRONIZED };
    /// A synchronized method ends, by a return or an exception: its monitor.
    ExitMethod = { class: "Monitors", name: "exitMethod", takes: "Object monitor", passes: Passes::SYNCHRONIZED };
    /// `loadClass(String)` starts. The JVM calls it of most loaders with their monitor held, which no instruction took: the loader.
    EnterLoader = { class: "Monitors", name: "enterLoader", takes: "Object loader", passes: Passes::SYNCHRONIZED };
    /// `loadClass(String)` ends, by a return or an exception: the loader.
    ExitLoader = { class: "Monitors", name: "exitLoader", takes: "Object loader", passes: Passes::SYNCHRONIZED };
    /// A thread will be started, if it is a `Thread`.
    BeforeStart = {
        class: "Calls", name: "beforeStart", takes: "Object thread", passes: Passes::CALLS.union(Passes::METHOD_RULES),
    };
    /// `join` returned, perhaps of a `Thread`.
    AfterJoin = { class: "Calls", name: "afterJoin", takes: "Object thread", passes: Passes::CALLS };
    /// `join` with a limit returned, perhaps of a `Thread`, and says whether it has ended.
    AfterTimedJoin = {
        class: "Calls", name: "afterTimedJoin", takes: "Object thread, boolean ended",
        passes: Passes::CALLS.union(Passes::METHOD_RULES),
    };
    /// `isAlive()` returned, perhaps of a `Thread`: what it said.
    AfterIsAlive = {
        class: "Calls", name: "afterIsAlive", takes: "Object thread, boolean alive", passes: Passes::CALLS,
    };
    /// `interrupt()` will be called, perhaps of a `Thread`.
    BeforeInterrupt = { class: "Calls", name: "beforeInterrupt", takes: "Object thread", passes: Passes::CALLS };
    /// `isInterrupted()` returned, perhaps of a `Thread`: what it said.
    AfterIsInterrupted = {
        class: "Calls", name: "afterIsInterrupted", takes: "Object thread, boolean interrupted", passes: Passes::CALLS,
    };
    /// The static `interrupted()` returned, perhaps that of `Thread`: what it said.
    AfterInterrupted = {
        class: "Calls", name: "afterInterrupted", takes: "boolean interrupted", passes: Passes::CALLS,
    };
    /// An `InterruptedException` was made.
    ThrowInterrupt = { class: "Calls", name: "throwInterrupt", passes: Passes::INTERRUPTS };
    /// `Object.wait` will be called.
    BeforeWait = { class: "Monitors", name: "beforeWait", takes: "Object monitor", passes: Passes::CALLS };
    /// `Object.wait` returned.
    AfterWait = { class: "Monitors", name: "afterWait", takes: "Object monitor", passes: Passes::CALLS };
    /// `Object.notify` or `notifyAll` will be called.
    BeforeNotify = { class: "Monitors", name: "beforeNotify", takes: "Object monitor", passes: Passes::CALLS };
    /// A method that sends messages starts: its receiver.
    SendMessage = { class: "Calls", name: "sendMessage", takes: "Object channel", passes: Passes::all() };
    /// A static method that sends messages starts.
    SendStatic = { class: "Calls", name: "sendStatic", passes: Passes::all() };
    /// A method that receives messages returns: its receiver.
    ReceiveMessage = { class: "Calls", name: "receiveMessage", takes: "Object channel", passes: Passes::all() };
    /// A static method that receives messages ends.
    ReceiveStatic = { class: "Calls", name: "receiveStatic", passes: Passes::all() };
    /// A class of the JDK took a monitor, by `monitorenter` or by a synchronized method that starts.
    EnterJdkMonitor = {
        class: "Monitors", name: "enterJdkMonitor", takes: "Object monitor",
        passes: Passes::MONITORS.union(Passes::SYNCHRONIZED),
    };
    /// A class of the JDK will give a monitor back under which it only looked something up.
    ExitReading = {
        class: "Monitors", name: "exitReading", takes: "Object monitor",
        passes: Passes::MONITORS.union(Passes::SYNCHRONIZED),
    };
    /// A call will be made that only looks something up: until it returns, the thread learns and hands nothing on.
    BeginLookUp = { class: "Quiet", name: "beginLookUp", passes: Passes::COUNTERS };
    /// Such a call returned.
    EndLookUp = { class: "Quiet", name: "endLookUp", passes: Passes::COUNTERS };
    /// A quiet method starts: until it ends, the thread's synchronization inside the JDK is not seen. Quiet methods nest.
    EnterQuiet = { class: "Quiet", name: "enterQuiet", passes: Passes::COUNTERS.union(Passes::METHOD_RULES) };
    /// A quiet method ends, by a return or an exception.
    ExitQuiet = { class: "Quiet", name: "exitQuiet", passes: Passes::COUNTERS.union(Passes::METHOD_RULES) };
    /// A lock, or the write lock of a pair, was taken: the lock, of a pair what both have in common.
    AfterLock = { class: "Locks", name: "afterLock", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// Such a lock was taken if the result is true.
    AfterTryLock = {
        class: "Locks", name: "afterTryLock", takes: "Object lock, boolean taken", passes: Passes::METHOD_RULES,
    };
    /// Such a lock was given back.
    AfterUnlock = { class: "Locks", name: "afterUnlock", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// The read lock of a pair was taken: what both locks have in common.
    AfterReadLock = { class: "Locks", name: "afterReadLock", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// The read lock of a pair was taken if the result is true.
    AfterReadTryLock = {
        class: "Locks", name: "afterReadTryLock", takes: "Object lock, boolean taken", passes: Passes::METHOD_RULES,
    };
    /// The read lock of a pair was given back.
    AfterReadUnlock = { class: "Locks", name: "afterReadUnlock", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// A `StampedLock` was taken for writing, unless the stamp is 0.
    AfterWriteStamp = {
        class: "Locks", name: "afterWriteStamp", takes: "Object lock, long stamp", passes: Passes::METHOD_RULES,
    };
    /// A `StampedLock` was taken for reading, unless the stamp is 0.
    AfterReadStamp = {
        class: "Locks", name: "afterReadStamp", takes: "Object lock, long stamp", passes: Passes::METHOD_RULES,
    };
    /// A `StampedLock` that was taken for reading, perhaps by another thread, was given back.
    AfterStampUnlockRead = {
        class: "Locks", name: "afterStampUnlockRead", takes: "Object lock", passes: Passes::METHOD_RULES,
    };
    /// A `StampedLock` that was taken for writing, perhaps by another thread, was given back.
    AfterStampUnlockWrite = {
        class: "Locks", name: "afterStampUnlockWrite", takes: "Object lock", passes: Passes::METHOD_RULES,
    };
    /// The same as [`Hook::AfterStampUnlockRead`] if the result is true.
    AfterStampTryUnlockRead = {
        class: "Locks", name: "afterStampTryUnlockRead", takes: "Object lock, boolean given",
        passes: Passes::METHOD_RULES,
    };
    /// The same as [`Hook::AfterStampUnlockWrite`] if the result is true.
    AfterStampTryUnlockWrite = {
        class: "Locks", name: "afterStampTryUnlockWrite", takes: "Object lock, boolean given",
        passes: Passes::METHOD_RULES,
    };
    /// A stamp will be converted or validated: what the thread has read with it, if it is optimistic, counts by what comes of that.
    BeforeConvert = { class: "Locks", name: "beforeConvert", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// The mode of a `StampedLock` was changed: the stamp before, and the one after, which is 0 if it was not.
    AfterConvert = {
        class: "Locks", name: "afterConvert", takes: "Object lock, long stamp, long result",
        passes: Passes::METHOD_RULES,
    };
    /// An optimistic read of a `StampedLock` begins, unless the stamp is 0.
    BeginOptimistic = {
        class: "Locks", name: "beginOptimistic", takes: "Object lock, long stamp", passes: Passes::METHOD_RULES,
    };
    /// An optimistic read was validated: the stamp, and whether nobody wrote since.
    EndOptimistic = {
        class: "Locks", name: "endOptimistic", takes: "Object lock, long stamp, boolean isValid",
        passes: Passes::METHOD_RULES,
    };
    /// A virtual thread has ended; its carrier says so, and then wakes those who wait for it.
    EndThread = { class: "Jdk", name: "endThread", takes: "Object thread", passes: Passes::METHOD_RULES };
    /// A virtual thread has left its carrier, which says so; it goes on later.
    SuspendThread = { class: "Jdk", name: "suspendThread", takes: "Object thread", passes: Passes::METHOD_RULES };
    /// The carrier has woken those who wait for the end of a virtual thread.
    AfterEnd = { class: "Jdk", name: "afterEnd", passes: Passes::METHOD_RULES };
    /// `Thread.getState` returned: the thread and its state.
    AfterGetState = {
        class: "Jdk", name: "afterGetState", takes: "Object thread, Object state", passes: Passes::METHOD_RULES,
    };
    /// `Reference.reachabilityFence` was called: its argument.
    BeforeReachabilityFence = {
        class: "Jdk", name: "beforeReachabilityFence", takes: "Object object", passes: Passes::METHOD_RULES,
    };
    /// The collector found an object unreachable: the reference that will be enqueued.
    AfterEnqueue = { class: "Jdk", name: "afterEnqueue", takes: "Object reference", passes: Passes::METHOD_RULES };
    /// `get` of a weak or a soft reference returned: the reference and what it gave.
    AfterGet = {
        class: "Jdk", name: "afterGet", takes: "Object reference, Object referent", passes: Passes::METHOD_RULES,
    };
    /// `Reference.refersTo` returned: the reference, what was asked for, and the answer.
    AfterRefersTo = {
        class: "Jdk", name: "afterRefersTo", takes: "Object reference, Object asked, boolean does",
        passes: Passes::METHOD_RULES,
    };
    /// A queue of references gave one, or null: the queue and what it gave.
    AfterPoll = {
        class: "Jdk", name: "afterPoll", takes: "Object queue, Object reference", passes: Passes::METHOD_RULES,
    };
    /// A finalizer will run: the `java.lang.ref.Finalizer`.
    BeforeFinalizer = {
        class: "Jdk", name: "beforeFinalizer", takes: "Object finalizer", passes: Passes::METHOD_RULES,
    };
    /// An element through which the JDK synchronizes was read: the array and the index.
    ReadSyncElement = {
        class: "Elements", name: "readSyncElement", takes: "Object[] array, int index", passes: Passes::SYNC_ELEMENTS,
    };
    /// Such an element will be written: the array, which may be null, and the index, which may be out of bounds.
    WriteSyncElement = {
        class: "Elements", name: "writeSyncElement", takes: "Object[] array, int index", passes: Passes::SYNC_ELEMENTS,
    };
    /// A thread that takes or gives back a lock for reading starts to: the lock, of a pair what both have in common. Until the
    /// method ends it is quiet.
    BeforeRead = { class: "Locks", name: "beforeRead", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// The same, if a stamp is converted to a read or optimistic one: the stamp.
    BeforeReadConvert = {
        class: "Locks", name: "beforeReadConvert", takes: "Object lock, long stamp", passes: Passes::METHOD_RULES,
    };
    /// The same as [`Hook::AfterConvert`], where [`Hook::BeforeReadConvert`] stood before.
    AfterReadConvert = {
        class: "Locks", name: "afterReadConvert", takes: "Object lock, long stamp, long result",
        passes: Passes::METHOD_RULES,
    };
    /// A thread has seen how many hold a lock for reading, or has it for writing: the lock, of a pair what both have in common.
    SeeReaders = { class: "Locks", name: "seeReaders", takes: "Object lock", passes: Passes::METHOD_RULES };
    /// The program calls a fence that keeps reads before it: the object whose fields it read, or null if any may be meant.
    AcquireFence = {
        class: "Fences", name: "acquireFence", takes: "Object object", in_boot: false, passes: Passes::CALLS,
    };
    /// The program calls a fence that keeps writes after it: the object whose fields it writes, or null if any may be meant.
    ReleaseFence = {
        class: "Fences", name: "releaseFence", takes: "Object object", in_boot: false, passes: Passes::CALLS,
    };
    /// The program calls a fence that does both.
    FullFence = { class: "Fences", name: "fullFence", takes: "Object object", in_boot: false, passes: Passes::CALLS };
    /// The JVM has linked an `invokedynamic` or a dynamic constant: the class that has it.
    AfterLink = { class: "Linking", name: "afterLink", takes: "Object type", passes: Passes::METHOD_RULES };
    /// A `VolatileCallSite` will get another target.
    BeforeSetTarget = {
        class: "Linking", name: "beforeSetTarget", takes: "Object callSite", passes: Passes::METHOD_RULES,
    };
    /// The target of a `VolatileCallSite` was read.
    AfterGetTarget = {
        class: "Linking", name: "afterGetTarget", takes: "Object callSite", passes: Passes::METHOD_RULES,
    };
    /// Data will be written to a descriptor, or its output will end: the `FileDescriptor`, or null.
    IoWrite = { class: "Io", name: "ioWrite", takes: "Object descriptor", passes: Passes::METHOD_RULES };
    /// A descriptor was read from, or accepted a connection: the `FileDescriptor`, and the count, `-1` at the end, less if nothing
    /// was there.
    IoRead = { class: "Io", name: "ioRead", takes: "Object descriptor, int count", passes: Passes::METHOD_RULES };
    /// The same, for a method that gives a `long`.
    IoReadLong = { class: "Io", name: "ioRead", takes: "Object descriptor, long count", passes: Passes::METHOD_RULES };
    /// A descriptor will be closed: the `FileDescriptor`.
    IoClose = { class: "Io", name: "ioClose", takes: "Object descriptor", passes: Passes::METHOD_RULES };
    /// A socket will be connected: the port.
    IoConnect = { class: "Io", name: "ioConnect", takes: "int port", passes: Passes::METHOD_RULES };
    /// A socket of a Unix domain will be connected: the path.
    IoConnectPath = { class: "Io", name: "ioConnectPath", takes: "Object path", passes: Passes::METHOD_RULES };
    /// A socket was connected, or one that listens accepted a connection: the `FileDescriptor`.
    IoConnected = { class: "Io", name: "ioConnected", takes: "Object descriptor", passes: Passes::METHOD_RULES };
    /// A socket was bound and will listen: the `FileDescriptor`.
    IoBound = { class: "Io", name: "ioBound", takes: "Object descriptor", passes: Passes::METHOD_RULES };
    /// A datagram will be sent: the `InetSocketAddress`, or null.
    IoSend = { class: "Io", name: "ioSend", takes: "Object to", passes: Passes::METHOD_RULES };
    /// A selector will be woken up.
    IoWakeUp = { class: "Io", name: "ioWakeUp", takes: "Object selector", passes: Passes::METHOD_RULES };
    /// A selector has waited, and looks at what it found.
    IoSelected = { class: "Io", name: "ioSelected", takes: "Object selector", passes: Passes::METHOD_RULES };
    /// A method with calls starts: gives the calling-context value that its caller stored.
    Context = {
        class: "Calls", name: "context", gives: "int", has_site: false, in_boot: false, passes: Passes::CONTEXTS,
    };
    /// A call will be made: the method's own calling-context value; stores that of the callee, 3 * value + site.
    BeforeCall = { class: "Calls", name: "beforeCall", takes: "int context", in_boot: false, passes: Passes::CONTEXTS };
    /// An array was made that nobody else can ever know, but methods that get it have hooks.
    Confine = {
        class: "Elements", name: "confine", takes: "Object array", has_site: false, in_boot: false,
        passes: Passes::CONFINED,
    };
    /// A hidden method starts, and this is its receiver or one of its arguments.
    Reach = {
        class: "Hidden", name: "reach", takes: "Object object", in_boot: false,
        passes: Passes::HIDDEN.union(Passes::VISIBLE),
    };
    /// A hidden method starts, after its arguments were passed on: gives 1 if it was called from visible code.
    EnterHidden = {
        class: "Hidden", name: "enterHidden", gives: "int", in_boot: false,
        passes: Passes::HIDDEN.union(Passes::VISIBLE),
    };
    /// A hidden method ends, by a return or an exception: what [`Hook::EnterHidden`] gave.
    ExitHidden = {
        class: "Hidden", name: "exitHidden", takes: "int began", in_boot: false,
        passes: Passes::HIDDEN.union(Passes::VISIBLE),
    };
    /// A visible method starts, perhaps called back from a hidden one: gives what to restore where it ends.
    EnterVisible = { class: "Hidden", name: "enterVisible", gives: "int", in_boot: false, passes: Passes::VISIBLE };
    /// A visible method ends, by a return or an exception: what [`Hook::EnterVisible`] gave.
    ExitVisible = {
        class: "Hidden", name: "exitVisible", takes: "int hidden", in_boot: false, passes: Passes::VISIBLE,
    };
    /// A visible method has caught an exception, perhaps out of a hidden one.
    Caught = { class: "Hidden", name: "caught", in_boot: false, passes: Passes::VISIBLE };
    /// A call site will be used that a bootstrap method makes, or has made: the class that has it.
    UseCallSite = { class: "Linking", name: "useCallSite", takes: "Object type", in_boot: false, passes: Passes::CALLS };
    /// It was used: so it is linked.
    UsedCallSite = { class: "Linking", name: "usedCallSite", in_boot: false, passes: Passes::CALLS };
    /// A dynamic constant was used that a bootstrap method made: the class that has it.
    UseLinked = { class: "Linking", name: "useLinked", takes: "Object type", in_boot: false, passes: Passes::CALLS };
    /// A method starts that may be a bootstrap method: its synchronization is seen, also in a quiet method.
    EnterBootstrap = { class: "Linking", name: "enterBootstrap", in_boot: false, passes: Passes::CALLS };
    /// It ends, by a return or an exception.
    ExitBootstrap = { class: "Linking", name: "exitBootstrap", in_boot: false, passes: Passes::CALLS };
    /// What the thread does next depends on what it has read.
    Branch = { class: "Record", name: "branch", passes: Passes::BRANCHES };
    /// Which object it accesses next depends on references that it has read.
    Dereference = { class: "Record", name: "dereference", passes: Passes::BRANCHES };
    /// A call will be made that runs code whose data may not be recorded: the receiver, whose class decides, with all that it
    /// extends and implements.
    CallObject = { class: "Opaque", name: "callObject", takes: "Object receiver", passes: Passes::OPAQUE };
    /// The same, of a method that the calling class declares: what the receiver's class extends does not matter.
    CallOwn = { class: "Opaque", name: "callOwn", takes: "Object receiver", passes: Passes::OPAQUE };
    /// The same, of a method that is found by its class: that class, with all that it extends and implements, decides.
    CallClass = { class: "Opaque", name: "callClass", takes: "Object type", in_boot: false, passes: Passes::OPAQUE };
    /// A constructor will be called of this class, which alone decides.
    CallConstructor = {
        class: "Opaque", name: "callConstructor", takes: "Object type", in_boot: false, passes: Passes::OPAQUE,
    };
    /// Something simple will be printed: the stream.
    CallStream = { class: "Opaque", name: "callStream", takes: "Object stream", in_boot: false, passes: Passes::OPAQUE };
    /// A call will be made that runs code whose data is not recorded.
    CallUnrecorded = { class: "Opaque", name: "callUnrecorded", passes: Passes::OPAQUE };
    /// An object was made whose method is one of the class itself: the object, and the class of its interface.
    MakeLambda = { class: "Opaque", name: "makeLambda", takes: "Object lambda, Object type", passes: Passes::OPAQUE };
    /// A field will be read and the read recorded: its object.
    BeginRead = { class: "Record", name: "beginRead", takes: "Object object", passes: Passes::RECORD };
    /// A field will be written and the write recorded: its object.
    BeginWrite = { class: "Record", name: "beginWrite", takes: "Object object", passes: Passes::RECORD };
    /// A static field will be read and the read recorded; its class is initialized.
    BeginReadStatic = { class: "Record", name: "beginReadStatic", passes: Passes::RECORD };
    /// A static field will be written and the write recorded; its class is initialized.
    BeginWriteStatic = { class: "Record", name: "beginWriteStatic", passes: Passes::RECORD };
    /// An element will be read and the read recorded: the array and the index.
    BeginReadElement = {
        class: "Record", name: "beginReadElement", takes: "Object array, int index", passes: Passes::RECORD,
    };
    /// An element of a primitive type will be written and the write recorded: the array and the index.
    BeginWriteElement = {
        class: "Record", name: "beginWriteElement", takes: "Object array, int index", passes: Passes::RECORD,
    };
    /// An element of an array of references will be written and the write recorded: the array, the index, the value.
    BeginWriteReference = {
        class: "Record", name: "beginWriteReference", takes: "Object array, int index, Object value",
        passes: Passes::RECORD,
    };
    /// An element will be written, and its value compared: the array, which may be null, and the index.
    BeforeWriteElement = {
        class: "Elements", name: "beforeWriteElement", takes: "Object array, int index", passes: Passes::VALUES,
    };
    /// The thread will hand something on to others, by whatever means: its clock is advanced. Sampling has this in place of the
    /// hooks that say what is handed on and through what.
    Tick = { class: "Sample", name: "tick", has_site: false, passes: Passes::SAMPLE };
    /// The same, of this thread, which may be another than the current one.
    TickOf = { class: "Sample", name: "tickOf", takes: "Object thread", has_site: false, passes: Passes::SAMPLE };
    /// A field will be written of which it is not known whether it is volatile: its object, or null if it is static.
    TickLate = { class: "Sample", name: "tickLate", takes: "Object object", passes: Passes::SAMPLE };
    /// The same, of a static field.
    TickLateStatic = { class: "Sample", name: "tickLateStatic", passes: Passes::SAMPLE };
    /// A field was accessed at a sampled place: its object, or null if it is static.
    SampleField = {
        class: "Sample", name: "sampleField", takes: "Object object", in_boot: false, passes: Passes::SAMPLE,
    };
    /// An element was accessed at a sampled place: the array and the index.
    SampleElement = {
        class: "Sample", name: "sampleElement", takes: "Object array, int index", in_boot: false, passes: Passes::SAMPLE,
    };
    /// A field was accessed that may be sampled elsewhere: its object, or null if it is static.
    LookAtField = {
        class: "Sample", name: "lookAtField", takes: "Object object", in_boot: false, passes: Passes::SAMPLE,
    };
    /// An element was accessed that may be sampled elsewhere: the array and the index.
    LookAtElement = {
        class: "Sample", name: "lookAtElement", takes: "Object array, int index", in_boot: false, passes: Passes::SAMPLE,
    };
    /// The access that began last was made: the value.
    AccessedInt = { class: "Record", name: "accessed", takes: "int value", passes: Passes::RECORD };
    /// The access that began last was made.
    AccessedLong = { class: "Record", name: "accessed", takes: "long value", passes: Passes::RECORD };
    /// The access that began last was made.
    AccessedFloat = { class: "Record", name: "accessed", takes: "float value", passes: Passes::RECORD };
    /// The access that began last was made.
    AccessedDouble = { class: "Record", name: "accessed", takes: "double value", passes: Passes::RECORD };
    /// The access that began last was made.
    AccessedReference = { class: "Record", name: "accessed", takes: "Object value", passes: Passes::RECORD };
}
