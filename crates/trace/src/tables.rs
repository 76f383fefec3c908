//! What the ids of a trace stand for.

use std::sync::Arc;

use model::{LockId, MessageId, MethodId, ObjectId, SiteId, ThreadId, VarId};

/// The names behind the ids of a trace. An id that has no entry (its table block was damaged) still has a name:
/// `var#7`. Entries are only ever added: an id keeps its meaning to the end of the trace. Many locations share one name
/// (a field of each of a thousand objects), so names are shared too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// By [`ThreadId`].
    pub threads: Vec<ThreadInfo>,
    /// By [`VarId`].
    pub vars: Vec<VarInfo>,
    /// By [`LockId`].
    pub locks: Vec<LockInfo>,
    /// By [`MessageId`].
    pub messages: Vec<MessageInfo>,
    /// By [`SiteId`].
    pub sites: Vec<SiteInfo>,
    /// By [`MethodId`].
    pub methods: Vec<MethodInfo>,
    /// Names that the ids of races have instead of those of classes and methods; they have no ids.
    pub stable_names: Vec<StableName>,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Its name in the trace: `T0`.
    pub name: Arc<str>,
    /// The Java thread's own name, where it has one: `main`. An empty one is none.
    pub title: Option<Arc<str>>,
    /// The thread object; 0 if unknown.
    pub object: ObjectId,
}

/// A location that can race.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VarInfo {
    /// Its name in the trace: `V1`, `pkg.Account.balance`, `int[]`.
    pub name: Arc<str>,
    /// What it is.
    pub kind: VarKind,
    /// The object that it is part of; 0 for a static field and for plain names.
    pub object: ObjectId,
}

/// What a location is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VarKind {
    /// A name, nothing more: all that STD knows.
    #[default]
    Named,
    /// A field of an object.
    Field,
    /// A static field.
    Static,
    /// The array element of this index.
    Element(u32),
}

/// A lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockInfo {
    /// Its name in the trace: `L1`, or the class of the lock object.
    pub name: Arc<str>,
    /// What it is.
    pub kind: LockKind,
    /// The lock object; 0 if unknown.
    pub object: ObjectId,
}

/// What a lock is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockKind {
    /// The monitor of an object.
    #[default]
    Monitor,
    /// A lock of java.util.concurrent with one owner.
    Owned,
    /// A lock that can be held for reading by many.
    ReadWrite,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageInfo {
    /// Its name in the trace.
    pub name: Arc<str>,
    /// What it is.
    pub kind: MessageKind,
    /// The object that it belongs to; 0 if none or unknown.
    pub object: ObjectId,
}

/// What a message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageKind {
    /// A hand-over through a channel: a queue, a latch, a user-marked pair of methods.
    #[default]
    Channel,
    /// A volatile variable: a write sends, a read receives.
    Volatile,
    /// A notification: notify sends, the wait that it ends receives, between its release and its acquire.
    Notify,
    /// The initialisation of a class: its end sends, every later use receives.
    ClassInit,
    /// From the end of each section of a lock in which something happened that is not recorded, to the next such section: there the
    /// event that receives says by its place what happened.
    Sections,
}

/// A place in the program text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteInfo {
    /// Its name in the trace: `12`, or `pkg.Account.add(Account.java:31)`.
    pub name: Arc<str>,
    /// Whose it is.
    pub part: Part,
}

/// Whose code it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The program's.
    #[default]
    Program,
    /// The platform's: what two such places access without order is none of the program's business, but what they read
    /// and write may decide what the program does.
    Platform,
}

/// A method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodInfo {
    /// Its name in the trace: `pkg.Account.add(I)V`.
    pub name: Arc<str>,
}

/// A name that stays the same when a compiler numbers anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StableName {
    /// The class, or the method with its class: `pkg.Main$1`, `pkg.Main.lambda$run$0`.
    pub name: Arc<str>,
    /// What the ids of races have in its place.
    pub stable: Arc<str>,
}

macro_rules! names {
    ($($method:ident($id:ty) in $table:ident, else $fallback:literal;)*) => {
        impl Tables {
            $(
                /// The name of an id.
                #[must_use]
                pub fn $method(&self, id: $id) -> String {
                    match self.$table.get(id.index()) {
                        Some(info) if !info.name.is_empty() => info.name.to_string(),
                        _ => format!(concat!($fallback, "#{}"), id.0),
                    }
                }
            )*
        }
    };
}

names! {
    thread_name(ThreadId) in threads, else "thread";
    var_name(VarId) in vars, else "var";
    lock_name(LockId) in locks, else "lock";
    message_name(MessageId) in messages, else "message";
    site_name(SiteId) in sites, else "site";
    method_name(MethodId) in methods, else "method";
}

impl Tables {
    /// The name that the ids of races have instead of that of a class or of a method with its class, if they have another.
    #[must_use]
    pub fn stable_name(&self, name: &str) -> Option<&str> {
        self.stable_names.iter().find(|known| &*known.name == name).map(|known| &*known.stable)
    }

    /// Are both places the platform's own?
    #[must_use]
    pub fn are_of_platform(&self, one: SiteId, other: SiteId) -> bool {
        let is_of_platform =
            |site: SiteId| self.sites.get(site.index()).is_some_and(|info| info.part == Part::Platform);
        is_of_platform(one) && is_of_platform(other)
    }
}

macro_rules! named {
    ($($info:ident { $($field:ident),* })*) => {$(
        impl $info {
            /// An entry of which nothing but the name is known.
            #[must_use]
            pub fn named(name: &str) -> Self {
                $info { name: name.into(), $($field: Default::default()),* }
            }
        }
    )*};
}

named! {
    ThreadInfo { title, object }
    VarInfo { kind, object }
    LockInfo { kind, object }
    MessageInfo { kind, object }
    SiteInfo { part }
    MethodInfo {}
    StableName { stable }
}
