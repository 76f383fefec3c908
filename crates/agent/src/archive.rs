//! JVMs that must end rather than run without an archive of classes: no JVM takes classes from an archive that an agent
//! changes, so they end, and some do not say why. The agent does, before that.
//!
//! A JVM that writes an archive crashes if an agent changes its classes (25: `ArchiveBuilder::get_buffered_addr`), so it is left
//! alone.
//!
//! What stands in a file of arguments (`@file`) or in a jar's manifest is not seen.

use std::fs;

/// Options that ask for an archive, and what to say instead.
const DEMANDS: [(&str, &str); 2] = [("-Xshare:on", "-Xshare:auto"), ("-XX:AOTMode=on", "-XX:AOTMode=auto")];

/// Options by which a JVM writes an archive.
const WRITES: [&str; 3] = ["-XX:AOTCacheOutput=", "-XX:AOTMode=record", "-XX:AOTMode=create"];

/// Options whose value is a word of its own.
const WITH_VALUE: [&str; 6] = ["-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules"];

/// Why this JVM is about to end, if it is.
pub(crate) fn end_of_jvm() -> Option<String> {
    with_options(|options| end_by(options.iter().copied()))
}

/// Why this JVM cannot be watched, if it cannot.
pub(crate) fn writes() -> Option<String> {
    with_options(written_by)
}

/// Gives the options of this JVM, in the order in which it takes them.
fn with_options(judge: impl FnOnce(&[&str]) -> Option<String>) -> Option<String> {
    let command = fs::read("/proc/self/cmdline").unwrap_or_default();
    let command = String::from_utf8_lossy(&command).into_owned();
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (first, second, last) =
        (variable("JAVA_TOOL_OPTIONS"), variable("JDK_JAVA_OPTIONS"), variable("_JAVA_OPTIONS"));
    let before = first.split_whitespace().chain(second.split_whitespace());
    let options = before.chain(options_of(command.split('\0').skip(1))).chain(last.split_whitespace());
    judge(&options.collect::<Vec<_>>())
}

fn written_by(options: &[&str]) -> Option<String> {
    let option = WRITES.iter().find(|option| options.iter().any(|word| word.starts_with(**option)))?;
    let option = option.trim_end_matches('=');
    Some(format!(
        "autodrome: {option}: a JVM that writes an archive of classes is not watched; run it without that option"
    ))
}

/// The words of a command in front of the main class or the jar.
fn options_of<'a>(words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut is_value = false;
    words.take_while(move |word| {
        let is_option = is_value || word.starts_with('-') && *word != "-jar";
        is_value = WITH_VALUE.contains(word) && !is_value;
        is_option
    })
}

fn end_by<'a>(options: impl Iterator<Item = &'a str>) -> Option<String> {
    let given: Vec<&str> = options.collect();
    // Of several that set the same option the last one counts.
    DEMANDS.iter().find_map(|(demand, instead)| {
        let same = demand.trim_end_matches("on");
        let last = given.iter().rev().find(|word| word.starts_with(same))?;
        (last == demand).then(|| {
            format!(
                "autodrome: {demand} ends this JVM: classes that are watched cannot come from an archive; use {instead}"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{end_by, options_of, written_by};

    #[test]
    fn a_jvm_that_writes_an_archive_is_known() {
        assert!(written_by(&["-Xmx1g", "-XX:AOTCacheOutput=a.aot"]).unwrap().contains("-XX:AOTCacheOutput: a JVM"));
        assert!(written_by(&["-XX:AOTMode=create", "-XX:AOTCache=a"]).is_some());
        assert_eq!(written_by(&["-XX:AOTCache=a.aot", "-XX:AOTMode=auto"]), None);
    }

    #[test]
    fn who_demands_an_archive_is_told() {
        let says = |options: &str| end_by(options.split(' ').collect::<Vec<_>>().into_iter());
        assert!(says("-cp a -Xshare:on").unwrap().contains("use -Xshare:auto"));
        assert!(says("-XX:AOTCache=a -XX:AOTMode=on -Xmx1g").unwrap().contains("use -XX:AOTMode=auto"));
        for harmless in ["-Xshare:auto", "-Xshare:on -Xshare:off", "-XX:AOTMode=on -XX:AOTMode=auto", "", "-cp x"] {
            assert_eq!(says(harmless), None, "{harmless}");
        }
        let options = options_of("-cp classes -ea -p -cp -x Main -Xshare:on".split(' '));
        assert_eq!(options.collect::<Vec<_>>(), ["-cp", "classes", "-ea", "-p", "-cp", "-x"]);
    }
}
