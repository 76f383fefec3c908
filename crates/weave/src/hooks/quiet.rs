//! Methods of the JDK that synchronize for the JDK's own sake. Seen, they would order threads that have nothing to do with each
//! other, and hide races.
//!
//! Inside a *quiet* method nothing is seen of the thread's synchronization in the JDK. So a quiet method runs none of the
//! program's code, and hands no object of the program's over: else a correct program could be reported. The collections that it
//! uses are therefore the JDK's own, and accesses to them are not watched. A *look-up* takes monitors and only reads under them. It
//! learns what whoever wrote there handed on, but whoever takes the monitor next cannot know that somebody looked, so nothing is
//! handed on to it. What it reads there is none of the data that races are looked for in, and it runs none of the program's code
//! under the monitor.
//!
//! Rules name methods of JDK 17 and 25, and of those between; a class without such a method has no hook.

/// Methods by class, with the reason.
pub struct MethodTable(pub &'static [(&'static str, &'static [&'static str], &'static str)]);

impl MethodTable {
    /// The classes that it has methods of, by internal name.
    pub fn classes(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|row| row.0)
    }

    /// Has it methods of a class, by internal name?
    pub(crate) fn is_for(&self, class: &[u8]) -> bool {
        self.0.iter().any(|row| row.0.as_bytes() == class)
    }

    /// Has it a method?
    pub(crate) fn has(&self, class: &[u8], name: &[u8]) -> bool {
        let rows = self.0.iter().filter(|row| row.0.as_bytes() == class);
        rows.into_iter().any(|row| row.1.iter().any(|known| known.as_bytes() == name))
    }
}

/// The quiet methods.
pub const QUIET: MethodTable = MethodTable(&[
    // Numbers and seeds that every thread takes.
    ("java/lang/Thread", &["nextThreadNum", "nextThreadID"], "17: number threads and their names"),
    ("java/lang/Thread$ThreadNumbering", &["next"], "25: numbers the names of threads"),
    ("java/lang/Thread$ThreadIdentifiers", &["next"], "25: numbers threads"),
    ("java/lang/ThreadLocal", &["nextHashCode"], "numbers thread locals"),
    ("java/lang/ClassValue", &["initializeMap"], "one lock for the maps of all classes, under which each is made"),
    ("java/util/Random", &["seedUniquifier"], "numbers generators"),
    ("java/util/Random", &["next", "setSeed"], "a draw hands nothing over, and none is said to come before another"),
    ("java/util/concurrent/ThreadLocalRandom", &["localInit"], "seeds the generator of each thread"),
    ("java/lang/Math", &["random"], "one generator for the whole program, which passes on nothing but chance"),
    ("java/util/concurrent/ForkJoinPool", &["getAndAddPoolIds"], "numbers pools"),
    // Registers of all objects of a kind, and statistics.
    ("java/lang/ThreadGroup", &["addUnstarted", "add", "threadTerminated"], "17: a group counts its threads"),
    ("java/lang/ThreadGroup", &["synchronizedAddWeak"], "25: a group keeps the groups in it"),
    ("jdk/internal/ref/PhantomCleanable", &["insert", "remove"], "17: a list of all that one cleaner cleans"),
    ("jdk/internal/ref/CleanerImpl$CleanableList", &["insert", "remove"], "25: a list of all that one cleaner cleans"),
    ("jdk/internal/ref/Cleaner", &["add", "remove"], "a list of all direct buffers"),
    ("java/nio/Bits", &["reserveMemory", "unreserveMemory"], "count the memory of all direct buffers"),
    ("jdk/internal/vm/ThreadContainers", &["registerContainer", "deregisterContainer"], "25: all groups of threads"),
    (
        "jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer",
        &["onStart", "onExit"],
        "25: all virtual threads",
    ),
    (
        "jdk/internal/vm/ThreadContainers$RootContainer$CountingRootContainer",
        &["onStart", "onExit"],
        "25: all virtual threads",
    ),
    ("sun/nio/ch/FileChannelImpl$DefaultUnmapper", &["incrementStats", "decrementStats"], "count mapped memory"),
    ("sun/nio/ch/FileChannelImpl$SyncUnmapper", &["incrementStats", "decrementStats"], "count mapped memory"),
    ("java/util/zip/ZipFile$Source", &["get", "release"], "all open files, so that one file is read once"),
    ("javax/swing/text/SegmentCache", &["getSegment", "releaseSegment"], "segments to be used again"),
    ("sun/java2d/Disposer", &["add", "addRecord"], "all that is to be disposed of"),
    // Caches of what can be computed again.
    ("java/lang/ClassLoader", &["getClassLoadingLock"], "a table of locks by class name"),
    ("java/lang/ClassLoader", &["getDefinedPackage", "definePackage", "toPackage"], "names of packages"),
    ("java/lang/invoke/MethodType", &["makeImpl"], "all method types, asked for when a VarHandle is first used"),
    (
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        &["newFieldAccessor", "newMethodAccessor", "newConstructorAccessor"],
        "25: make the code of an accessor when it is first used",
    ),
    ("java/util/Locale", &["getInstance"], "all locales"),
    ("java/util/Locale", &["hashCode", "toLanguageTag"], "the hash and the text of a locale"),
    ("sun/util/locale/BaseLocale", &["getInstance"], "all locales"),
    ("sun/util/locale/LocaleObjectCache", &["get"], "17: all locales"),
    ("java/time/ZoneOffset", &["ofTotalSeconds"], "all offsets"),
    ("java/time/zone/ZoneRules", &["findTransitionArray"], "transitions by year"),
    (
        "java/text/RBCollationTables",
        &["getExpandValueList", "getContractValues", "getContractValuesImpl"],
        "tables that all clones of a collator share and nobody changes",
    ),
    ("java/security/Provider", &["getService"], "services by name; they are made elsewhere"),
    ("sun/security/rsa/RSACore", &["getBlindingRandomPair"], "blinding numbers by key"),
    ("sun/net/www/MimeTable", &["getContentTypeFor", "findByFileName", "findByExt"], "kinds of content by name"),
    ("sun/util/logging/PlatformLogger", &["getLogger"], "the JDK's own loggers"),
    ("com/sun/naming/internal/ResourceManager", &["getApplicationResources"], "properties of files"),
    ("java/beans/FeatureDescriptor", &["getValue", "isTransient"], "attributes of a property, filled once"),
    (
        "javax/management/ObjectName",
        &["construct"],
        "reads a name; nobody else knows the collections that it does that with",
    ),
    ("java/lang/Module", &["implAddExportsOrOpens", "implAddReads"], "the module graph"),
    // Loading and linking, which happen when an instruction first runs, not when the program says so.
    (
        "jdk/internal/loader/BuiltinClassLoader",
        &["loadClassOrNull", "findMiscResource"],
        "the JVM loads a class or a resource; none of the program's code",
    ),
    ("java/net/URLClassLoader", &["findClass"], "finds and defines a class; none of the program's code"),
    ("java/lang/ClassLoader$ParallelLoaders", &["isRegistered", "register"], "all kinds of loaders"),
    (
        "java/lang/invoke/MethodHandleNatives",
        &["linkMethod", "linkMethodHandleConstant", "findMethodHandleType"],
        "the JVM links an instruction",
    ),
    // What a thread asks about itself, and plain accesses of what is volatile.
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync", &["getReadHoldCount"], "a thread asks about itself"),
    ("java/util/concurrent/atomic/AtomicBoolean", &["getPlain", "setPlain"], "plain accesses through a VarHandle"),
    ("java/util/concurrent/atomic/AtomicReference", &["getPlain", "setPlain"], "plain accesses through a VarHandle"),
    // The lock of a stream, which guards the stream and nothing of the program's.
    (
        "jdk/internal/misc/InternalLock",
        &["lock", "tryLock", "unlock"],
        "19 to 23: the lock of PrintStream and others; 17, 25: a monitor",
    ),
]);

/// Methods that only look something up.
pub const LOOK_UPS: MethodTable = MethodTable(&[
    ("java/util/logging/Logger", &["doSetParent", "removeChildLogger"], "the lock of the tree; the parent is volatile"),
    ("java/beans/ThreadGroupContext", &["getBeanInfo", "getPropertyEditorFinder", "getBeanInfoFinder"], "made once"),
    (
        "jdk/internal/loader/URLClassPath",
        &["getLoader", "getResource", "findResource", "getResources", "findResources"],
        "files of a class path, opened once",
    ),
    ("java/util/TimeZone", &["getTimeZone"], "17: zones by name"),
    ("java/util/logging/Level", &["parse", "getLocalizedLevelName"], "levels and their names"),
    (
        "java/util/logging/Level$KnownLevel",
        &["findByName", "findByValue", "findByLocalizedLevelName"],
        "levels by name",
    ),
    ("java/util/logging/LogManager$LoggerContext", &["getLoggerNames"], "loggers by name"),
    ("java/lang/management/ManagementFactory", &["getPlatformMBeanServer"], "made once"),
    ("javax/management/MBeanServerFactory", &["getNewMBeanServerBuilder"], "made once"),
    ("java/net/Inet6AddressImpl", &["loopbackAddress", "anyLocalAddress"], "made once"),
    ("java/net/Inet4AddressImpl", &["loopbackAddress", "anyLocalAddress"], "made once"),
    ("java/text/Collator", &["getStrength", "getDecomposition"], "reads"),
    ("sun/net/ProgressMonitor", &["getDefault"], "made once"),
    ("com/sun/net/httpserver/spi/HttpServerProvider", &["provider"], "made once"),
    ("javax/naming/spi/NamingManager", &["getInitialContextFactoryBuilder"], "set once"),
    ("sun/awt/AppContext", &["get"], "reads a table"),
    ("javax/imageio/spi/SubRegistry", &["getServiceProviders"], "reads a table"),
    ("java/awt/Toolkit", &["getDefaultToolkit"], "made once"),
]);

/// Calls that only look something up, of a class's own tables: the class that calls, the class and the method that is called, and
/// the reason. What the call learns is seen, what it would hand on is not; it runs none of the program's code.
pub const LOOK_UP_CALLS: &[(&str, &str, &str, &str)] = &[(
    "java/net/URL",
    "java/util/Hashtable",
    "get",
    "handlers by protocol: a program's own is handed over by the put",
)];
