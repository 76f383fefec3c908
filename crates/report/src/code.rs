//! Whether a race is in production code or in tests, by the folder that the source files are in.
//!
//! Only files that are found below the folder of the command count: a class without its source is of neither kind.

use serde::{Deserialize, Serialize};

use crate::race::{LiveRace, Side};
use crate::source::Sources;

/// What code a race is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// An access is in `src/main`.
    Main,
    /// Both accesses are in `src/test`, or in a source set of another kind of tests.
    Test,
}

/// The folder below `src` for production code, by Maven's and Gradle's convention; the names of others.
const MAIN: &str = "main";
const TESTS: [&str; 6] = ["test", "testFixtures", "it", "integrationTest", "functionalTest", "androidTest"];

/// What code a race is in, as far as its sources are found.
pub(crate) fn code_of(race: &LiveRace, sources: &Sources) -> Option<Code> {
    let of_side = |side: &Side| {
        let frame = side.user_frame(race.variable.kind)?;
        let path = sources.file(frame)?.to_string_lossy().replace('\\', "/");
        let mut folders = path.split('/').skip_while(|folder| *folder != "src").skip(1);
        match folders.next()? {
            MAIN => Some(Code::Main),
            folder if TESTS.contains(&folder) => Some(Code::Test),
            _ => None,
        }
    };
    match [&race.earlier, &race.later].map(of_side) {
        [Some(Code::Main), _] | [_, Some(Code::Main)] => Some(Code::Main),
        [Some(Code::Test), Some(Code::Test)] => Some(Code::Test),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::race::samples::race;

    #[test]
    fn one_access_in_main_makes_it_main() {
        let root = tempfile::tempdir().unwrap();
        for (folder, name) in [("m/src/main/java/a", "Main.java"), ("m/src/test/java/a", "MainTest.java")] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join(name), "x").unwrap();
        }
        let sources = Sources::under(root.path());
        let of = |earlier: &str, later: &str| {
            let mut race = race("R-00000001");
            race.earlier.stack[0].file = Some(earlier.to_owned());
            race.later.stack[0].file = Some(later.to_owned());
            code_of(&race, &sources)
        };
        assert_eq!(of("MainTest.java", "Main.java"), Some(Code::Main));
        assert_eq!(of("MainTest.java", "MainTest.java"), Some(Code::Test));
        assert_eq!(of("MainTest.java", "Elsewhere.java"), None);
    }
}
