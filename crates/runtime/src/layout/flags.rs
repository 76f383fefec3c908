//! What the engines of an agent ask of the shim. The build writes `AutodromeEngine`, a class with one `static final boolean` for
//! each flag, and the agent answers all of them at once when the JVM starts: so the JVM's compilers remove what no engine needs.

bitflags::bitflags! {
    /// What the engines of an agent ask of the shim.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct EngineFlags: i32 {
        /// Hooks do something; without it they are in the code and return at once.
        const ON = 1;
        /// Races are looked for; without it accesses are only recorded.
        const DETECTS = 1 << 1;
        /// Lockset detection in Simple mode: which locks are held at all accesses?
        const SIMPLE = 1 << 2;
        /// Lockset detection in Detailed mode: accesses are compared one by one.
        const DETAILED = 1 << 3;
        /// Detailed mode: a variable gets its number only when its words no longer say all that is known of it.
        const PENDS = 1 << 4;
        /// Lockset detection: each element of an array is a variable, not the array as a whole.
        const BY_ELEMENT = 1 << 5;
        /// Simple mode: static fields have no owner.
        const SHARED_STATICS = 1 << 6;
        /// Lockset detection: only arrays of some classes are watched.
        const SELECTS = 1 << 7;
        /// Lockset detection: every pair of locations is wanted, so no access is redundant.
        const ALL_PAIRS = 1 << 8;
        /// TREE drops accesses in front of FastTrack.
        const FILTERS = 1 << 9;
        /// Writes of the value that is there already are ignored.
        const COMPARES = 1 << 10;
        /// Accesses are recorded.
        const RECORDING = 1 << 11;
        /// Recording: some methods are hidden.
        const HIDES = 1 << 12;
        /// Recording: what hidden methods do is recorded all the same.
        const REVEALS = 1 << 13;
        /// Recording: what a hidden method can reach is searched once for each object, not at each call.
        const ONCE = 1 << 14;
        /// I/O orders threads.
        const ORDERS_IO = 1 << 15;
        /// The numbers of arrays are in their headers.
        const HEADERS = 1 << 16;
        /// A hunt holds threads back.
        const HUNTS = 1 << 17;
        /// Recording: branches are recorded.
        const BRANCHES = 1 << 18;
        /// Values have shadows: concolic execution.
        const SHADOWS = 1 << 19;
        /// A controlled run: one thread runs at a time.
        const CONTROLS = 1 << 20;
    }
}
