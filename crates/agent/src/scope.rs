//! Where races are looked for: in all classes that are not of the JDK or of test tools, or in those that the user names.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::OnceLock;

use control::Name;

use crate::image;
use crate::output::message;

/// How names of the JDK's packages start. Libraries have such names too: the JDK's image decides.
const DOUBTFUL: &[&str] = &[
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "oracle/",
    "org/ietf/jgss/",
    "org/jcp/",
    "org/w3c/dom/",
    "org/xml/sax/",
    "netscape/",
];

/// Packages of classes that the JDK makes at run time: proxies.
const MADE: &[&str] = &["jdk/proxy", "com/sun/proxy/"];

/// Where the JDK is; set before the first class is loaded.
static HOME: OnceLock<PathBuf> = OnceLock::new();

/// The JDK's packages; `None` if they cannot be known, and then names decide.
static PACKAGES: OnceLock<Option<HashSet<String>>> = OnceLock::new();

/// Says where the JDK is.
pub(crate) fn set_home(home: &str) {
    // The agent is loaded once.
    let _ = HOME.set(PathBuf::from(home));
}

/// Main classes of build tools: their JVMs are not what the user wants to look at.
const BUILD_TOOLS: &[&str] = &[
    "org.codehaus.plexus.classworlds.launcher.Launcher",
    "org.gradle.launcher.daemon.bootstrap.GradleDaemon",
    "org.gradle.wrapper.GradleWrapperMain",
    "com.sun.tools.",
    "jdk.compiler/",
    "jdk.jartool/",
    "jdk.javadoc/",
    "jdk.jlink/",
    "jdk.jshell",
    // A JVM that Mockito starts to attach its agent to the first one.
    "net.bytebuddy.agent.Attacher",
    "org.gradle.launcher.GradleMain",
    "sun.tools.",
];

/// What runs tests and stands beside them: watched for its synchronization, and for accesses only if the user names it.
const TEST_TOOLS: &[&str] = &[
    "com/intellij/rt/",
    "junit/",
    "net/bytebuddy/",
    "org/apache/maven/plugin/surefire/",
    "org/apache/maven/surefire/",
    "org/apiguardian/",
    "org/gradle/",
    "org/hamcrest/",
    "org/jacoco/",
    "org/junit/",
    "org/mockito/",
    "org/opentest4j/",
    "org/testng/",
    "worker/org/gradle/",
];

/// Is this class, by internal name, of the JDK? What a loader of the program defines under the name of a package that the JDK has
/// too is taken for the JDK's.
pub(crate) fn is_jdk(class: &str) -> bool {
    if class.starts_with("java/") {
        return true;
    }
    DOUBTFUL.iter().any(|start| class.starts_with(start)) && (is_made(class) || has_package(class))
}

/// Does the JDK make such classes while a program runs, for any loader?
pub(crate) fn is_made(class: &str) -> bool {
    MADE.iter().any(|start| class.starts_with(start)) || class.starts_with("jdk/internal/reflect/Generated")
}

fn has_package(class: &str) -> bool {
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    let known = PACKAGES.get_or_init(|| {
        image::packages(HOME.get()?)
            .inspect_err(|error| {
                message(&format!("autodrome: the JDK's packages cannot be read, so they are known by name: {error}"));
            })
            .ok()
    });
    known.as_ref().is_none_or(|packages| packages.contains(package))
}

/// Does a JVM with this command (main class and arguments) run a build tool?
pub(crate) fn is_build_tool(command: &str) -> bool {
    BUILD_TOOLS.iter().any(|tool| command.starts_with(tool))
}

/// The user's choice of classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// `com.acme.*`: every name that starts so.
    Prefix(String),
    /// `com.acme` or `com.acme.Main`: the class, what it encloses, or every class of the package.
    Name(String),
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Pattern {
        let text = text.replace('.', "/");
        match text.strip_suffix('*') {
            Some(prefix) => Pattern::Prefix(prefix.to_owned()),
            None => Pattern::Name(text),
        }
    }

    pub(crate) fn matches(&self, class: &str) -> bool {
        match self {
            Pattern::Prefix(prefix) => class.starts_with(prefix),
            Pattern::Name(name) => {
                class.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '$']))
            }
        }
    }
}

impl Scope {
    pub(crate) fn new(include: &[Name], exclude: &[Name]) -> Scope {
        let patterns = |names: &[Name]| names.iter().map(|name| Pattern::new(name.as_str())).collect();
        Scope { include: patterns(include), exclude: patterns(exclude) }
    }

    /// Are races to be looked for in a class, by internal name? Synchronization is watched everywhere.
    pub(crate) fn has(&self, class: &str) -> bool {
        let included = match self.include.as_slice() {
            [] => !TEST_TOOLS.iter().any(|package| class.starts_with(package)),
            patterns => patterns.iter().any(|pattern| pattern.matches(class)),
        };
        included && !is_jdk(class) && !self.exclude.iter().any(|pattern| pattern.matches(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Vec<Name> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn by_default_all_but_the_jdk() {
        let scope = Scope::default();
        assert!(scope.has("a/B") && scope.has("Main"));
        assert!(!scope.has("java/util/HashMap") && !scope.has("jdk/proxy1/$Proxy0"));
        assert!(!scope.has("org/mockito/Mockito"), "a tool, unless it is named");
        assert!(Scope::new(&names(&["org.mockito"]), &[]).has("org/mockito/Mockito"));
    }

    #[test]
    fn patterns_name_classes_packages_and_prefixes() {
        let scope = Scope::new(&names(&["com.acme", "Main", "org.x.Ab*"]), &names(&["com.acme.gen"]));
        for (class, expected) in [
            ("com/acme/A", true),
            ("com/acmeX", false),
            ("com/acme/gen/B", false),
            ("Main$1", true),
            ("Mainly", false),
            ("org/x/Abc", true),
            ("org/x/Bc", false),
        ] {
            assert_eq!(scope.has(class), expected, "{class}");
        }
    }

    #[test]
    fn build_tools_are_known_by_their_command() {
        assert!(is_build_tool("com.sun.tools.javac.Main -d out Main.java"));
        assert!(is_build_tool("jdk.compiler/com.sun.tools.javac.Main Main.java"));
        assert!(!is_build_tool("org.gradle.process.internal.worker.GradleWorkerMain"));
    }
}
