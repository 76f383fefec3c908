//! Methods of the JDK with hooks where they start or end, known by class, name and descriptor.
//!
//! Quiet methods and look-ups have tables of their own ([`QUIET`], [`LOOK_UPS`]). Of the others there are four kinds. Locks with
//! owners say what a thread holds; their happens-before comes from the primitives inside them. Threads and garbage
//! collection have edges that the JVM makes, not Java code. Linking may run a bootstrap method of the program's, which is heard
//! (`passes/linking.rs`). I/O orders what the operating system passes on, if that is wanted.
//!
//! A method whose body the JVM replaces can have no hook; where a class inherits it the class gets one of its own ([`OVERRIDES`]).
//!
//! Rules name methods of JDK 17 and 25, and of those between; a class without such a method has no hook.

use super::{Hook, LOOK_UPS, QUIET};
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
    /// Under the monitors that the method takes, it only looks something up: it learns, and has nothing to hand on.
    pub only_reads: bool,
    /// Why the rule is there.
    pub why: &'static str,
}

/// What a method's hooks get as their object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The receiver; of a static method the first argument, which is an object.
    Receiver,
    /// What a field of the receiver holds, by name and descriptor; its class declares or inherits it.
    Field(&'static str, &'static str),
    /// An argument, by the local that holds it. Its type is the first that the hook takes.
    Argument(u8),
}

impl Subject {
    /// The local from which it is loaded.
    pub(crate) const fn local(self) -> u8 {
        match self {
            Subject::Receiver | Subject::Field(..) => 0,
            Subject::Argument(local) => local,
        }
    }
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

const fn at_entry(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    why: &'static str,
) -> MethodRule {
    let subject = Subject::Receiver;
    MethodRule { class, name, descriptor, entry: Some(hook), normal: None, exit: None, subject, only_reads: false, why }
}

const fn at_return(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    why: &'static str,
) -> MethodRule {
    MethodRule { entry: None, normal: Some(hook), ..at_entry(class, name, descriptor, hook, why) }
}

/// What a quiet method does.
const QUIETS: MethodRule = MethodRule {
    exit: Some(Hook::ExitQuiet),
    ..at_entry("", "", "", Hook::EnterQuiet, "hooks/quiet.rs has the reason")
};
/// What a method does that only looks something up.
const LOOKS_UP: MethodRule = MethodRule { entry: None, exit: None, only_reads: true, ..QUIETS };

/// Are there rules for methods of a class, by internal name?
#[must_use]
pub fn has_rules(class: &[u8]) -> bool {
    METHODS.iter().any(|rule| rule.class.as_bytes() == class) || QUIET.is_for(class) || LOOK_UPS.is_for(class)
}

/// The rule for a method.
pub(crate) fn method_rule(class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static MethodRule> {
    let mut rules = METHODS.iter().filter(|rule| rule.class.as_bytes() == class);
    rules.find(|rule| rule.is_for(name, descriptor)).or_else(|| {
        let is_look_up = || LOOK_UPS.has(class, name).then_some(&LOOKS_UP);
        QUIET.has(class, name).then_some(&QUIETS).or_else(is_look_up)
    })
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

const BOOTSTRAP: MethodRule = MethodRule {
    entry: Some(Hook::EnterBootstrap),
    exit: Some(Hook::ExitBootstrap),
    why: "the JDK may call it to link something, which is quiet",
    ..QUIETS
};

/// The rule for a method of the program that may be a bootstrap method.
pub(crate) fn bootstrap_rule() -> &'static MethodRule {
    const { &BOOTSTRAP }
}

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";
const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";

/// Both views of a read-write lock have this in common, and no other lock has it.
pub(super) const SYNC: Subject = Subject::Field("sync", "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;");

pub(super) const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock";
pub(super) const READ: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
pub(super) const WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock";
const READ_WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock";
const READ_WRITE_SYNC: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$Sync";
pub(super) const STAMPED: &str = "java/util/concurrent/locks/StampedLock";

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

/// The rule for a method by which a thread takes or gives back a lock for reading: what is inside orders it with other readers,
/// which the lock does not promise, so it is quiet, and its hooks say what is promised.
const fn reader(rule: MethodRule) -> MethodRule {
    MethodRule { entry: Some(Hook::BeforeRead), exit: Some(Hook::ExitQuiet), ..rule }
}

const fn convert_to_read(name: &'static str) -> MethodRule {
    let (entry, normal) = (Some(Hook::BeforeReadConvert), Some(Hook::AfterReadConvert));
    MethodRule { entry, normal, ..reader(convert(name)) }
}

const fn sees_readers(class: &'static str, name: &'static str, descriptor: &'static str) -> MethodRule {
    at_return(class, name, descriptor, Hook::SeeReaders, READERS_SEEN)
}

const fn sees_queue(name: &'static str) -> MethodRule {
    MethodRule { subject: SYNC, ..sees_readers(READ_WRITE, name, "") }
}

const fn links(name: &'static str, why: &'static str) -> MethodRule {
    MethodRule { class: "java/lang/invoke/MethodHandleNatives", name, normal: Some(Hook::AfterLink), why, ..QUIETS }
}

const STAMP_TAKEN: &str = "a stamp other than 0 is a lock taken";
const STAMP_GIVEN: &str = "unlock(long) and the views of the lock end here too";
const STAMP_TRIED: &str = "a lock is given back if the result is true; whose it was is not known";
const READERS_SEEN: &str = "whoever gets the lock for writing, or asks about its readers, comes after what they did";
const CONVERTED: &str =
    "a result other than 0 replaces the argument's mode by its own; an optimistic one was validated";

const CLASS: &str = "java/lang/Class";
const NAMED_CLASS: &str = "no instruction of the program need name the class";
const CONSTANTS: &str =
    "enum constants without an instruction that names their class; they are kept by a volatile field, unseen";
const NO_CONSTRUCTOR: &str = "an object whose constructor, which would have a hook, does not run";

const WEAK: &str = "java/lang/ref/WeakReference";
const REFERENT: &str = "()Ljava/lang/Object;";
const CLEARED: &str = "a reference that was cleared means that all use of its object came before a collection";

/// The descriptor of a stream, a channel or a socket, in the class itself or in one that it extends.
const DESCRIPTOR: Subject = Subject::Field("fd", "Ljava/io/FileDescriptor;");

/// What a native dispatcher's methods take first.
const FIRST: Subject = Subject::Argument(1);

const WRITTEN: &str = "what is written, or the end of it, comes before the other end sees it";
const READ_FROM: &str = "the other end wrote it, or closed";
const CLOSED: &str = "the other end sees it, and the descriptor may mean another file from here on";
const CONNECTED: &str = "a connection is made after its start, and after the other end began to listen";

const fn io(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    subject: Subject,
) -> MethodRule {
    let rule = match hook {
        Hook::IoWrite => at_entry(class, name, descriptor, hook, WRITTEN),
        Hook::IoRead | Hook::IoReadLong => at_return(class, name, descriptor, hook, READ_FROM),
        Hook::IoClose => at_entry(class, name, descriptor, hook, CLOSED),
        Hook::IoConnected | Hook::IoBound => at_return(class, name, descriptor, hook, CONNECTED),
        _ => at_entry(class, name, descriptor, hook, CONNECTED),
    };
    MethodRule { subject, ..rule }
}

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
    // Linking is quiet, but what a bootstrap method of the program's did comes before every use of its result.
    links("linkCallSite", "the JVM links an invokedynamic"),
    links("linkDynamicConstant", "the JVM links a dynamic constant"),
    at_entry(
        "java/lang/invoke/VolatileCallSite",
        "setTarget",
        "",
        Hook::BeforeSetTarget,
        "whoever calls the new target comes after it; JVM and JDK write it natively",
    ),
    at_return("java/lang/invoke/VolatileCallSite", "getTarget", "", Hook::AfterGetTarget, "every call asks for it"),
    // An initializer that fails: nobody uses its class, but whoever tries to comes after it.
    at_entry(
        "java/lang/ExceptionInInitializerError",
        "<init>",
        "",
        Hook::InitializerFails,
        "the JVM makes one before others see that the class cannot be used, whatever the initializer threw",
    ),
    at_entry(
        "java/lang/NoClassDefFoundError",
        "<init>",
        "",
        Hook::SeeFailure,
        "whoever needs a class whose initializer failed gets it; of which class only its text says",
    ),
    // Classes that are initialized by a call, not by an instruction that names them. The call comes after the initializer.
    at_return(CLASS, "forName", "", Hook::SeeInitializedResult, NAMED_CLASS),
    at_return(CLASS, "getEnumConstantsShared", "", Hook::SeeInitialized, CONSTANTS),
    at_return(CLASS, "enumConstantDirectory", "", Hook::SeeInitialized, CONSTANTS),
    at_return(
        "java/lang/invoke/MethodHandles$Lookup",
        "ensureInitialized",
        "",
        Hook::SeeInitializedResult,
        NAMED_CLASS,
    ),
    at_return("java/io/ObjectStreamClass", "newInstance", "", Hook::SeeInitializedOf, NO_CONSTRUCTOR),
    MethodRule {
        subject: Subject::Argument(1),
        ..at_return("sun/misc/Unsafe", "ensureClassInitialized", "", Hook::SeeInitialized, NAMED_CLASS)
    },
    MethodRule {
        subject: Subject::Argument(1),
        ..at_return("sun/misc/Unsafe", "allocateInstance", "", Hook::SeeInitialized, NO_CONSTRUCTOR)
    },
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
    reader(view(READ, "lock", "()V", Hook::AfterReadLock)),
    reader(view(READ, "lockInterruptibly", "()V", Hook::AfterReadLock)),
    reader(view(READ, "tryLock", "()Z", Hook::AfterReadTryLock)),
    reader(view(READ, "tryLock", TIMED, Hook::AfterReadTryLock)),
    reader(view(READ, "unlock", "()V", Hook::AfterReadUnlock)),
    stamp("writeLock", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("writeLockInterruptibly", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("tryWriteLock", "()J", Hook::AfterWriteStamp, STAMP_TAKEN),
    stamp("tryWriteLock", TIMED_STAMP, Hook::AfterWriteStamp, STAMP_TAKEN),
    reader(stamp("readLock", "()J", Hook::AfterReadStamp, STAMP_TAKEN)),
    reader(stamp("readLockInterruptibly", "()J", Hook::AfterReadStamp, STAMP_TAKEN)),
    reader(stamp("tryReadLock", "()J", Hook::AfterReadStamp, STAMP_TAKEN)),
    reader(stamp("tryReadLock", TIMED_STAMP, Hook::AfterReadStamp, STAMP_TAKEN)),
    stamp("unlockWrite", "(J)V", Hook::AfterStampUnlockWrite, STAMP_GIVEN),
    stamp("unstampedUnlockWrite", "()V", Hook::AfterStampUnlockWrite, STAMP_GIVEN),
    reader(stamp("unlockRead", "(J)V", Hook::AfterStampUnlockRead, STAMP_GIVEN)),
    reader(stamp("unstampedUnlockRead", "()V", Hook::AfterStampUnlockRead, STAMP_GIVEN)),
    stamp("tryUnlockWrite", "()Z", Hook::AfterStampTryUnlockWrite, STAMP_TRIED),
    reader(stamp("tryUnlockRead", "()Z", Hook::AfterStampTryUnlockRead, STAMP_TRIED)),
    convert("tryConvertToWriteLock"),
    convert_to_read("tryConvertToReadLock"),
    convert_to_read("tryConvertToOptimisticRead"),
    stamp(
        "tryOptimisticRead",
        "()J",
        Hook::BeginOptimistic,
        "what is read from here on counts only once it is validated",
    ),
    MethodRule {
        entry: Some(Hook::BeforeConvert),
        ..stamp("validate", "(J)Z", Hook::EndOptimistic, "what was read is used only if the result is true")
    },
    // Who sees readers. A writer gets the lock by `tryAcquire`, also where a condition's `await` takes it again.
    sees_readers(READ_WRITE_SYNC, "tryAcquire", ""),
    sees_readers(READ_WRITE_SYNC, "tryWriteLock", "()Z"),
    sees_readers(READ_WRITE_SYNC, "getReadLockCount", ""),
    sees_readers(READ_WRITE_SYNC, "getCount", ""),
    sees_queue("hasQueuedThreads"),
    sees_queue("hasQueuedThread"),
    sees_queue("getQueueLength"),
    sees_queue("getQueuedThreads"),
    sees_queue("getQueuedReaderThreads"),
    sees_readers(STAMPED, "isReadLocked", "()Z"),
    sees_readers(STAMPED, "getReadLockCount", "()I"),
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
        "afterYield",
        "()V",
        Hook::SuspendThread,
        "25: the carrier makes it known that the thread has left it, and another may go on with it: until then nobody runs it",
    ),
    MethodRule {
        exit: Some(Hook::AfterEnd),
        ..at_entry(
            "java/lang/VirtualThread",
            "afterDone",
            "(Z)V",
            Hook::EndThread,
            "25: the carrier ends the thread, then wakes whoever waits for that: what it hands on here is the thread's past",
        )
    },
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
        "TERMINATED means that the thread has ended, as isAlive does",
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
    // I/O: what one end of a connection, a pipe or a file writes comes before what the other end reads. Sockets of all kinds, and
    // pipes in 25.
    io("sun/nio/ch/SocketDispatcher", "write", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/SocketDispatcher", "writev", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/SocketDispatcher", "read", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/SocketDispatcher", "readv", "", Hook::IoReadLong, FIRST),
    io("sun/nio/ch/SocketDispatcher", "preClose", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/SocketDispatcher", "close", "", Hook::IoClose, FIRST),
    io("sun/nio/ch/UnixDispatcher", "implPreClose", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/UnixDispatcher", "close", "", Hook::IoClose, FIRST),
    io("sun/nio/ch/NioSocketImpl", "connect", "(Ljava/net/SocketAddress;I)V", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/NioSocketImpl", "accept", "", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/NioSocketImpl", "shutdownOutput", "", Hook::IoWrite, DESCRIPTOR),
    io("sun/nio/ch/NioSocketImpl", "close", "", Hook::IoWrite, DESCRIPTOR),
    io("sun/nio/ch/SocketChannelImpl", "connect", "", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/SocketChannelImpl", "finishConnect", "", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/SocketChannelImpl", "blockingConnect", "", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/SocketChannelImpl", "shutdownOutput", "", Hook::IoWrite, DESCRIPTOR),
    io("sun/nio/ch/SocketChannelImpl", "implCloseSelectableChannel", "", Hook::IoWrite, DESCRIPTOR),
    io(
        "sun/nio/ch/ServerSocketChannelImpl",
        "implAccept",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;[Ljava/net/SocketAddress;)I",
        Hook::IoRead,
        FIRST,
    ),
    io("sun/nio/ch/UnixAsynchronousSocketChannelImpl", "setConnected", "", Hook::IoConnected, DESCRIPTOR),
    io("sun/nio/ch/UnixAsynchronousSocketChannelImpl", "implClose", "", Hook::IoWrite, DESCRIPTOR),
    io("sun/nio/ch/AsynchronousSocketChannelImpl", "shutdownOutput", "", Hook::IoWrite, DESCRIPTOR),
    MethodRule {
        entry: Some(Hook::IoConnected),
        normal: None,
        ..io("sun/nio/ch/UnixAsynchronousServerSocketChannelImpl", "finishAccept", "", Hook::IoConnected, DESCRIPTOR)
    },
    io(
        "sun/nio/ch/Net",
        "connect",
        "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)I",
        Hook::IoConnect,
        Subject::Argument(3),
    ),
    io(
        "sun/nio/ch/Net",
        "bind",
        "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)V",
        Hook::IoBound,
        FIRST,
    ),
    io(
        "sun/nio/ch/UnixDomainSockets",
        "connect",
        "(Ljava/io/FileDescriptor;Ljava/nio/file/Path;)I",
        Hook::IoConnectPath,
        FIRST,
    ),
    io("sun/nio/ch/UnixDomainSockets", "bind", "", Hook::IoBound, Subject::Argument(0)),
    // I/O: datagrams.
    io("sun/nio/ch/DatagramDispatcher", "write", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/DatagramDispatcher", "writev", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/DatagramDispatcher", "read", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/DatagramDispatcher", "readv", "", Hook::IoReadLong, FIRST),
    io("sun/nio/ch/DatagramDispatcher", "close", "", Hook::IoClose, FIRST),
    io("sun/nio/ch/DatagramChannelImpl", "sendFromNativeBuffer", "", Hook::IoSend, Subject::Argument(3)),
    io("sun/nio/ch/DatagramChannelImpl", "receiveIntoNativeBuffer", "", Hook::IoRead, DESCRIPTOR),
    // I/O: files; pipes in 17.
    io("sun/nio/ch/FileDispatcherImpl", "write", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "pwrite", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "writev", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "read", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "pread", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "readv", "", Hook::IoReadLong, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "preClose", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "close", "", Hook::IoClose, FIRST),
    io("sun/nio/ch/FileDispatcherImpl", "transferTo", "", Hook::IoWrite, Subject::Argument(6)),
    io("sun/nio/ch/FileChannelImpl", "transferToDirectlyInternal", "", Hook::IoWrite, Subject::Argument(5)),
    io("sun/nio/ch/UnixFileDispatcherImpl", "write", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/UnixFileDispatcherImpl", "pwrite", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/UnixFileDispatcherImpl", "writev", "", Hook::IoWrite, FIRST),
    io("sun/nio/ch/UnixFileDispatcherImpl", "read", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/UnixFileDispatcherImpl", "pread", "", Hook::IoRead, FIRST),
    io("sun/nio/ch/UnixFileDispatcherImpl", "readv", "", Hook::IoReadLong, FIRST),
    io("java/io/FileOutputStream", "write", "", Hook::IoWrite, DESCRIPTOR),
    io("java/io/FileInputStream", "read", "", Hook::IoRead, DESCRIPTOR),
    io("java/io/RandomAccessFile", "write", "", Hook::IoWrite, DESCRIPTOR),
    io("java/io/RandomAccessFile", "read", "", Hook::IoRead, DESCRIPTOR),
    io("java/io/FileDescriptor", "close", "", Hook::IoClose, Subject::Receiver),
    // I/O: selectors.
    at_entry("sun/nio/ch/EPollSelectorImpl", "wakeup", "", Hook::IoWakeUp, "a selection that it ends comes after it"),
    at_entry("sun/nio/ch/EPollSelectorImpl", "processEvents", "", Hook::IoSelected, "the selection has waited"),
];
