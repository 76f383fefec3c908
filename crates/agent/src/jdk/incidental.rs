//! JDK classes whose synchronization is incidental: it guards what the JDK keeps for itself, hands nothing of the program's from
//! thread to thread, and would order threads that merely use the same API.
//!
//! Two tests decide what belongs here. A class through which a program can hand an object over, or that runs the program's code
//! inside one of its monitors, does not (programs/clean/jdk_*). A class that orders two threads which only call the same method,
//! each with its own objects, does (programs/racy/jdk_between_*). Of a class that does both, single methods are quiet
//! (crates/weave, hooks/methods.rs).

use super::Name::{self, Class, Start};

/// The classes, with the reason.
pub(super) const INCIDENTAL: &[(Name, &str)] = &[
    // Linking, loading, and what the JVM asks for.
    (Start("java/lang/invoke/"), "linking: happens when an instruction first runs, and caches what it made"),
    (Class("java/lang/Class"), "what is known of a class, kept in it, also before its own fields are there"),
    (Start("java/lang/reflect/"), "caches of what a class file says, and of accessors"),
    (Start("jdk/internal/reflect/"), "caches of what a class file says, and of accessors"),
    (Start("sun/reflect/"), "caches of what a class file says"),
    (Class("jdk/internal/loader/AbstractClassLoaderValue"), "what is known of loaders"),
    (Class("jdk/internal/loader/BootLoader"), "class and resource loading by the JDK's own loaders"),
    (Class("jdk/internal/loader/BuiltinClassLoader"), "class and resource loading by the JDK's own loaders"),
    (Class("jdk/internal/loader/ClassLoaders"), "class and resource loading by the JDK's own loaders"),
    (Start("jdk/internal/loader/Native"), "all libraries"),
    (Start("jdk/internal/jimage/"), "class and resource loading by the JDK's own loaders"),
    (Start("jdk/internal/module/"), "the module graph"),
    (Class("java/lang/Module"), "the module graph"),
    (Class("java/lang/ModuleLayer"), "the module graph"),
    (Class("java/lang/NamedPackage"), "the module graph"),
    (Class("java/lang/WeakPairMap"), "the module graph"),
    (Class("java/lang/VirtualThread"), "a carrier writes for the thread that it carries: its rules say what orders"),
    (Class("java/lang/ThreadBuilders$BoundVirtualThread"), "as VirtualThread"),
    (Start("jdk/internal/vm/Continuation"), "as VirtualThread"),
    // Statistics, and the JDK's own loggers.
    (Start("jdk/internal/perf/"), "statistics"),
    (Start("jdk/internal/event/"), "statistics"),
    (Start("jdk/jfr/"), "statistics"),
    (Start("jdk/internal/logger/"), "loggers of the JDK itself, found when it first logs"),
    (Start("sun/util/logging/"), "loggers of the JDK itself, found when it first logs"),
    (Class("sun/management/ManagementFactoryHelper"), "beans that are made once"),
    (Class("com/sun/management/internal/PlatformMBeanProviderImpl"), "beans that are made once"),
    (Class("java/lang/management/DefaultPlatformMBeanProvider"), "beans that are made once"),
    (Class("com/sun/jmx/mbeanserver/MBeanIntrospector"), "caches of what a class file says"),
    (Class("com/sun/jmx/mbeanserver/DescriptorCache"), "caches of equal descriptors"),
    (Class("java/lang/ref/Finalizer"), "a list of all objects with finalizers"),
    // Randomness.
    (Start("sun/security/provider/"), "sources of randomness; caches of certificates"),
    // Caches of what can be computed again, which no program can set.
    (Start("jdk/internal/util/"), "caches by soft and weak references"),
    (Class("java/nio/charset/Charset"), "the last charsets that were asked for"),
    (Class("sun/nio/cs/StandardCharsets"), "the JDK's own charsets"),
    (Start("sun/util/locale/"), "locales and their providers"),
    (Start("sun/util/cldr/"), "locales and their providers"),
    (Start("sun/util/resources/"), "locales and their providers"),
    (Class("sun/nio/fs/UnixPath"), "the parts and the hash of a path"),
    (
        Class("java/net/InetAddress"),
        "names and addresses; a resolver of the program's is set through a volatile field elsewhere",
    ),
    (Class("java/beans/MetaData"), "what is known of beans"),
    (Class("com/sun/beans/util/Cache"), "what is known of beans"),
    (Start("com/sun/beans/introspect/"), "what is known of beans"),
    (Class("com/sun/org/apache/xml/internal/utils/XMLReaderManager"), "readers to be used again"),
    (Start("sun/font/"), "fonts and glyphs"),
    (Start("sun/java2d/"), "loops and surfaces"),
];

/// Classes that get no hook at all.
pub(super) const UNTOUCHED: &[(Name, &str)] = &[
    (Start("java/lang/Autodrome"), "the shim itself"),
    (Class("java/lang/Object"), "the primitives themselves"),
    (Class("jdk/internal/misc/Unsafe"), "the primitives themselves"),
];
