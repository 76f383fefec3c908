//! Names without meaning of their own: dense numbers, so that a table indexed by one is a plain vector.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $repr);

        impl $name {
            /// The id as an index into a table.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// One thread of one run; never reused, unlike the [`Slot`](crate::Slot) of its clock.
    ThreadId(u32);
    /// A location that can race: a field of one object (by serial number, not address), a static field, an
    /// array element.
    VarId(u32);
    /// Something that a thread holds: a monitor or a lock of java.util.concurrent.
    LockId(u32);
    /// A hand-over without ownership: a volatile variable, a notification, a latch, a user-marked channel.
    MessageId(u32);
    /// A place in the program text: class, method, bytecode index, line.
    SiteId(u32);
    /// A method of the program, for call events and barrier pairs.
    MethodId(u32);
    /// One object of one run, by serial number; 0 stands for no object.
    ObjectId(u64);
    /// A position in a trace, counted from 0.
    EventIndex(u64);
}
