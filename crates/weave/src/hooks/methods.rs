//! Methods of the JDK with hooks where they start or end, known by class, name and descriptor.
//!
//! There are four kinds. Quiet methods synchronize for the JDK's own sake, in ways that no program can rely on to hand
//! data over; seen, they would order threads that have nothing to do with each other, and hide races. Linking may run a
//! bootstrap method of the program's, quietly too as far as the JDK goes: a hand-over in there is missed. Locks with owners
//! tell what a thread holds; their happens-before comes from the primitives inside them. Threads and garbage collection
//! have edges that the JVM makes, not Java code.
//!
//! A method whose body the JVM replaces can have no hook; where a class inherits it the class gets one of its own ([`OVERRIDES`]).
//!
//! Rules name methods of JDK 17 and 25, and of those between; a class without such a method has no hook.

use super::Hook;
use crate::Channel;

/// A method of the JDK with hooks.
#[derive(Clone, Copy, Debug)]
pub struct MethodRule {
    /// The internal name of the class that declares it.
    pub class: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// The method's descriptor; empty: all methods of that name.
    pub descriptor: &'static str,
    /// The hook where the method starts.
    pub entry: Option<Hook>,
    /// The hook where the method returns. What it takes after the subject: the result; or the first argument, then
    /// the result.
    pub normal: Option<Hook>,
    /// The hook where the method ends in any way, also by an exception. It takes nothing.
    pub exit: Option<Hook>,
    /// What hooks that take an object get first.
    pub subject: Subject,
    /// Why the rule is there.
    pub why: &'static str,
}

/// What a method's hooks get as their object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The receiver; of a static method the first argument, which is an object.
    Receiver,
    /// What a field of the receiver holds, by name and descriptor; its class declares it.
    Field(&'static str, &'static str),
}

impl MethodRule {
    /// Is it a rule for this method of its class?
    pub(crate) fn is_for(&self, name: &[u8], descriptor: &[u8]) -> bool {
        self.name.as_bytes() == name && (self.descriptor.is_empty() || self.descriptor.as_bytes() == descriptor)
    }

    /// Is synchronization not seen inside the method?
    pub(crate) fn is_quiet(&self) -> bool {
        self.entry == Some(Hook::EnterQuiet)
    }
}

const fn quiet(class: &'static str, name: &'static str, why: &'static str) -> MethodRule {
    MethodRule {
        class,
        name,
        descriptor: "",
        entry: Some(Hook::EnterQuiet),
        normal: None,
        exit: Some(Hook::ExitQuiet),
        subject: Subject::Receiver,
        why,
    }
}

const fn at_entry(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    why: &'static str,
) -> MethodRule {
    let subject = Subject::Receiver;
    MethodRule { class, name, descriptor, entry: Some(hook), normal: None, exit: None, subject, why }
}

const fn at_return(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    why: &'static str,
) -> MethodRule {
    let subject = Subject::Receiver;
    MethodRule { class, name, descriptor, entry: None, normal: Some(hook), exit: None, subject, why }
}

const SENDS: MethodRule = at_entry("", "", "", Hook::SendMessage, "the plan says so");
const RECEIVES: MethodRule = at_return("", "", "", Hook::ReceiveMessage, "the plan says so");
const SENDS_STATIC: MethodRule = at_entry("", "", "", Hook::SendStatic, "the plan says so");
const RECEIVES_STATIC: MethodRule = MethodRule { entry: None, exit: Some(Hook::ReceiveStatic), ..SENDS_STATIC };

/// The rule for a method that passes messages.
pub(crate) fn channel_rule(channel: Channel, is_static: bool) -> &'static MethodRule {
    match (channel, is_static) {
        (Channel::Sends, false) => &SENDS,
        (Channel::Sends, true) => &SENDS_STATIC,
        (Channel::Receives, false) => &RECEIVES,
        (Channel::Receives, true) => &RECEIVES_STATIC,
    }
}

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";
const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";

/// Both views of a read-write lock have this in common, and no other lock has it.
const SYNC: Subject = Subject::Field("sync", "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;");

const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock";
const READ: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
const WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock";
const STAMPED: &str = "java/util/concurrent/locks/StampedLock";

const TAKEN: &str = "the lock is taken at a normal return, and only then";
const TRIED: &str = "the lock is taken if the result is true";
const GIVEN: &str = "the lock is given back; another thread's lock throws instead";

const fn lock(class: &'static str, name: &'static str, descriptor: &'static str, hook: Hook) -> MethodRule {
    let why = match hook {
        Hook::AfterUnlock | Hook::AfterReadUnlock => GIVEN,
        Hook::AfterTryLock | Hook::AfterReadTryLock => TRIED,
        _ => TAKEN,
    };
    at_return(class, name, descriptor, hook, why)
}

const fn view(class: &'static str, name: &'static str, descriptor: &'static str, hook: Hook) -> MethodRule {
    MethodRule { subject: SYNC, ..lock(class, name, descriptor, hook) }
}

const fn stamp(name: &'static str, descriptor: &'static str, hook: Hook, why: &'static str) -> MethodRule {
    at_return(STAMPED, name, descriptor, hook, why)
}

const fn convert(name: &'static str) -> MethodRule {
    MethodRule { entry: Some(Hook::BeforeConvert), ..stamp(name, "(J)J", Hook::AfterConvert, CONVERTED) }
}

const STAMP_TAKEN: &str = "a stamp other than 0 is a lock taken";
const STAMP_GIVEN: &str = "unlock(long) and the views of the lock end here too";
const STAMP_TRIED: &str = "a lock is given back if the result is true; whose it was is not known";
const CONVERTED: &str =
    "a result other than 0 replaces the argument's mode by its own; an optimistic one was validated";

const WEAK: &str = "java/lang/ref/WeakReference";
const REFERENT: &str = "()Ljava/lang/Object;";
const CLEARED: &str = "a reference that was cleared tells that all use of its object came before a collection";

/// A method that a class inherits and gets a method of its own for, which only calls the inherited one: so that it can have hooks.
#[derive(Clone, Copy, Debug)]
pub struct Override {
    /// The internal name of the class.
    pub class: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// The method's descriptor. It takes nothing and gives an object.
    pub descriptor: &'static str,
    /// Why the inherited one can have no hooks.
    pub why: &'static str,
}

/// The methods that are overridden.
pub const OVERRIDES: &[Override] = &[Override {
    class: WEAK,
    name: "get",
    descriptor: REFERENT,
    why: "Reference.get is never run: interpreter and compilers have code of their own for it, as the collector needs it",
}];

/// The methods with hooks.
pub const METHODS: &[MethodRule] = &[
    // Quiet: numbers and seeds that every thread takes.
    quiet("java/lang/Thread", "nextThreadNum", "17: numbers the names of threads"),
    quiet("java/lang/Thread", "nextThreadID", "17: numbers threads"),
    quiet("java/lang/Thread$ThreadNumbering", "next", "25: numbers the names of threads"),
    quiet("java/lang/Thread$ThreadIdentifiers", "next", "25: numbers threads"),
    quiet("java/lang/ThreadGroup", "addUnstarted", "17: a group counts its threads where one is made"),
    quiet("java/lang/ThreadGroup", "add", "17: a group notes a thread that starts"),
    quiet("java/lang/ThreadGroup", "threadTerminated", "17: a group forgets a thread that ends, which orders all ends"),
    quiet("java/lang/ThreadLocal", "nextHashCode", "numbers thread locals"),
    quiet("java/util/Random", "seedUniquifier", "numbers generators"),
    quiet("java/util/Random", "next", "a draw hands nothing over, and none is said to come before another"),
    quiet("java/util/Random", "setSeed", "the same seed, for the same purpose"),
    quiet("java/util/concurrent/ThreadLocalRandom", "localInit", "seeds the generator of each thread"),
    quiet("java/lang/Math", "random", "one generator for the whole program, which passes on nothing but chance"),
    quiet("java/util/concurrent/ForkJoinPool", "getAndAddPoolIds", "numbers pools"),
    // Quiet: registers of all objects of a kind.
    quiet("jdk/internal/ref/PhantomCleanable", "insert", "17: a list of all that one cleaner cleans"),
    quiet("jdk/internal/ref/PhantomCleanable", "remove", "17: a list of all that one cleaner cleans"),
    quiet("jdk/internal/ref/CleanerImpl$CleanableList", "insert", "25: a list of all that one cleaner cleans"),
    quiet("jdk/internal/ref/CleanerImpl$CleanableList", "remove", "25: a list of all that one cleaner cleans"),
    quiet("jdk/internal/ref/Cleaner", "add", "a list of all direct buffers"),
    quiet("jdk/internal/ref/Cleaner", "remove", "a list of all direct buffers"),
    quiet("java/nio/Bits", "reserveMemory", "counts the memory of all direct buffers"),
    quiet("java/nio/Bits", "unreserveMemory", "counts the memory of all direct buffers"),
    quiet("jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer", "onStart", "25: all virtual threads"),
    quiet("jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer", "onExit", "25: all virtual threads"),
    quiet("jdk/internal/vm/ThreadContainers$RootContainer$CountingRootContainer", "onStart", "25: all virtual threads"),
    quiet("jdk/internal/vm/ThreadContainers$RootContainer$CountingRootContainer", "onExit", "25: all virtual threads"),
    // Quiet: loading and linking, which happen when an instruction first runs, not when the program says so.
    quiet(
        "jdk/internal/loader/BuiltinClassLoader",
        "loadClassOrNull",
        "the JVM loads a class; none of the program's code",
    ),
    quiet("java/lang/ClassLoader", "getClassLoadingLock", "a table of locks by class name"),
    quiet("java/net/URLClassLoader", "findClass", "finds and defines a class; none of the program's code"),
    quiet("java/lang/invoke/MethodHandleNatives", "linkCallSite", "the JVM links an invokedynamic"),
    quiet("java/lang/invoke/MethodHandleNatives", "linkDynamicConstant", "the JVM links a dynamic constant"),
    quiet("java/lang/invoke/MethodHandleNatives", "linkMethod", "the JVM links a call of a method handle"),
    quiet("java/lang/invoke/MethodHandleNatives", "linkMethodHandleConstant", "the JVM links a method handle"),
    quiet("java/lang/invoke/MethodHandleNatives", "findMethodHandleType", "the JVM links a method type"),
    quiet(
        "java/lang/invoke/MethodType",
        "makeImpl",
        "a table of all method types, asked when a VarHandle is first used",
    ),
    quiet(
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        "newFieldAccessor",
        "25: makes the code of a field's accessor when it is first used",
    ),
    quiet(
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        "newMethodAccessor",
        "25: makes the code of a method's accessor when it is first used",
    ),
    quiet(
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        "newConstructorAccessor",
        "25: makes the code of a constructor's accessor when it is first used",
    ),
    // Quiet: the lock of a stream, which guards the stream and nothing of the program's.
    quiet("jdk/internal/misc/InternalLock", "lock", "19 to 23: the lock of PrintStream and others; 17, 25: a monitor"),
    quiet("jdk/internal/misc/InternalLock", "tryLock", "19 to 23: the lock of PrintStream and others"),
    quiet("jdk/internal/misc/InternalLock", "unlock", "19 to 23: the lock of PrintStream and others"),
    // Locks.
    lock(REENTRANT, "lock", "()V", Hook::AfterLock),
    lock(REENTRANT, "lockInterruptibly", "()V", Hook::AfterLock),
    lock(REENTRANT, "tryLock", "()Z", Hook::AfterTryLock),
    lock(REENTRANT, "tryLock", TIMED, Hook::AfterTryLock),
    lock(REENTRANT, "unlock", "()V", Hook::AfterUnlock),
    view(WRITE, "lock", "()V", Hook::AfterLock),
    view(WRITE, "lockInterruptibly", "()V", Hook::AfterLock),
    view(WRITE, "tryLock", "()Z", Hook::AfterTryLock),
    view(WRITE, "tryLock", TIMED, Hook::AfterTryLock),
    view(WRITE, "unlock", "()V", Hook::AfterUnlock),
    view(READ, "lock", "()V", Hook::AfterReadLock),
    view(READ, "lockInterruptibly", "()V", Hook::AfterReadLock),
    view(READ, "tryLock", "()Z", Hook::AfterReadTryLock),
    view(READ, "tryLock", TIMED, Hook::AfterReadTryLock),
    view(READ, "unlock", "()V", Hook::AfterReadUnlock),
    stamp("writeLock", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("writeLockInterruptibly", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("tryWriteLock", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("tryWriteLock", TIMED_STAMP, Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("readLock", "()J", Hook::AfterReadStamp, STAMP_TAKEN),
    stamp("readLockInterruptibly", "()J", Hook::AfterReadStamp, STAMP_TAKEN),
    stamp("tryReadLock", "()J", Hook::AfterReadStamp, STAMP_TAKEN),
    stamp("tryReadLock", TIMED_STAMP, Hook::AfterReadStamp, STAMP_TAKEN),
    stamp("unlockWrite", "(J)V", Hook::AfterStampUnlockWrite, STAMP_GIVEN),
    stamp("unstampedUnlockWrite", "()V", Hook::AfterStampUnlockWrite, STAMP_GIVEN),
    stamp("unlockRead", "(J)V", Hook::AfterStampUnlockRead, STAMP_GIVEN),
    stamp("unstampedUnlockRead", "()V", Hook::AfterStampUnlockRead, STAMP_GIVEN),
    stamp("tryUnlockWrite", "()Z", Hook::AfterStampTryUnlockWrite, STAMP_TRIED),
    stamp("tryUnlockRead", "()Z", Hook::AfterStampTryUnlockRead, STAMP_TRIED),
    convert("tryConvertToWriteLock"),
    convert("tryConvertToReadLock"),
    convert("tryConvertToOptimisticRead"),
    stamp(
        "tryOptimisticRead",
        "()J",
        Hook::BeginOptimistic,
        "what is read from here on counts only once it is validated",
    ),
    stamp("validate", "(J)Z", Hook::EndOptimistic, "what was read is used only if the result is true"),
    // Threads. Those of the platform are started by `start0`, a call with a rule, and end in the JVM.
    at_entry(
        "java/lang/VirtualThread",
        "start",
        "(Ljdk/internal/vm/ThreadContainer;)V",
        Hook::BeforeStart,
        "25: every way to start a virtual thread comes here, and none has a native start0",
    ),
    at_entry(
        "java/lang/VirtualThread",
        "afterDone",
        "(Z)V",
        Hook::EndThread,
        "25: the carrier ends the thread, before it wakes whoever waits for that",
    ),
    at_entry("java/lang/Thread", "exit", "()V", Hook::EndThread, "the last code that a thread of the platform runs"),
    at_return(
        "java/lang/VirtualThread",
        "joinNanos",
        "(J)Z",
        Hook::AfterTimedJoin,
        "25: Thread.join of a virtual thread waits here",
    ),
    at_return(
        "java/lang/Thread",
        "getState",
        "()Ljava/lang/Thread$State;",
        Hook::AfterGetState,
        "TERMINATED tells that the thread has ended, as isAlive does",
    ),
    // Garbage collection: what becomes unreachable is so for every thread.
    at_entry(
        "java/lang/ref/Reference",
        "reachabilityFence",
        "(Ljava/lang/Object;)V",
        Hook::BeforeReachabilityFence,
        "what comes before it comes before a reference to the object is enqueued",
    ),
    at_entry(
        "java/lang/ref/Reference",
        "enqueueFromPending",
        "()V",
        Hook::AfterEnqueue,
        "the collector found the object unreachable",
    ),
    at_return(WEAK, "get", REFERENT, Hook::AfterGet, CLEARED),
    at_return("java/lang/ref/SoftReference", "get", REFERENT, Hook::AfterGet, CLEARED),
    at_return("java/lang/ref/Reference", "refersTo", "(Ljava/lang/Object;)Z", Hook::AfterRefersTo, CLEARED),
    at_return("java/lang/ref/ReferenceQueue", "poll", "", Hook::AfterPoll, CLEARED),
    at_return("java/lang/ref/ReferenceQueue", "remove", "", Hook::AfterPoll, CLEARED),
    at_entry(
        "java/lang/ref/Finalizer",
        "runFinalizer",
        "(Ljdk/internal/access/JavaLangAccess;)V",
        Hook::BeforeFinalizer,
        "the end of a constructor comes before the object's finalizer (JLS 17.4.5)",
    ),
];
