//! The version of a JVM, and whether it is one that can be watched.

/// The shim is compiled for it.
const OLDEST: u32 = 17;

/// The feature version by the JVM's property `java.vm.specification.version`: 17, and 8 for `1.8`. 0 if that is no version.
pub(crate) fn feature(specification: &str) -> u32 {
    specification.strip_prefix("1.").unwrap_or(specification).parse().unwrap_or(0)
}

/// Why a JVM of this version is not watched, if it is too old.
pub(crate) fn too_old(specification: &str) -> Option<String> {
    let feature = feature(specification);
    let is_old = feature > 0 && feature < OLDEST;
    is_old.then(|| format!("autodrome: needs Java {OLDEST} or later, this JVM is Java {feature}: it is not watched"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_are_named() {
        let is_named = |specification, version: &str| too_old(specification).is_some_and(|why| why.contains(version));
        assert!(is_named("11", "this JVM is Java 11") && is_named("1.8", "this JVM is Java 8"));
        assert_eq!([too_old("17"), too_old("25"), too_old("strange")], [None, None, None]);
    }
}
