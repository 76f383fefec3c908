//! What the lockset detectors leave out, since it is redundant (docs/adr/0017-cheaper-locksets.md), and what they must not
//! miss for that. Simple mode forgets what the first thread did, so that one is always `main`.

use std::collections::BTreeSet;
use std::fs;

use crate::host::jdks;
use crate::options::{BOTH, Small, names};
use crate::variables;
use crate::watched::Watched;

/// What the races say of their variables under a key.
fn values(watched: &Watched, key: &str) -> BTreeSet<String> {
    let of = |race: &serde_json::Value| race["variable"][key].as_str().expect("each variable has it").to_owned();
    watched.races().iter().map(of).collect()
}

/// A loop has no hook for each element, and reports its array where it ends; a loop under a common lock is no race.
#[test]
fn loops_tell_their_array() {
    let program = Small::new(&format!(
        "public class Main {{
            static final int[] free = new int[64];
            static final long[] guarded = new long[64];
            {BOTH}
            static void fill() {{
                int[] array = free;
                for (int i = 0; i < array.length; i++) {{ array[i] = i; }}
                synchronized (Main.class) {{
                    long[] longs = guarded;
                    for (int i = 63; i >= 0; i -= 3) {{ longs[i] += i; }} }} }}
            public static void main(String[] a) throws Exception {{ fill(); both(Main::fill, Main::fill); }} }}"
    ));
    for jdk in jdks() {
        for options in [
            &["--detector", "eraser"][..],
            &["--detector", "eraser", "--elements", "each"],
            &["--detector", "hybrid"],
            &["--detector", "hybrid", "--all-fields", "--elements", "each"],
        ] {
            let watched = program.watched(&jdk, options);
            assert_eq!(values(&watched, "type"), names(&["I"]), "{options:?}: {}", watched.stderr());
        }
    }
}

/// The thread whose constructor wrote a field first is its owner: one other thread makes two.
#[test]
fn a_new_object_has_an_owner() {
    let program = Small::new(
        "public class Main {
            static final class Box { int n; int own; Box(int n) { this.n = n; own = n; } }
            public static void main(String[] a) throws Exception {
                Box box = new Box(1);
                Thread other = new Thread(() -> box.n = 2);
                other.start();
                other.join();
                box.n = 3;
                box.own = 4;
                System.out.println(box.n + box.own); } }",
    );
    for jdk in jdks() {
        // Eraser sees neither start nor join.
        let watched = program.watched(&jdk, &["--detector", "eraser"]);
        assert_eq!(variables(&watched), names(&["Main$Box.n"]), "{}", watched.stderr());
        let watched = program.watched(&jdk, &["--detector", "hybrid"]);
        assert_eq!(variables(&watched), names(&[]), "{}", watched.stderr());
    }
}

/// Phase 2 looks at what raced inside an object of the JDK; at all of them, if nobody says what raced.
#[test]
fn insides_are_watched_if_they_raced() {
    let program = Small::new(&format!(
        "import java.util.*;
        public class Main {{
            static final List<Integer> list = new ArrayList<>();
            static final Map<Integer, Integer> map = new HashMap<>();
            {BOTH}
            static void change() {{ list.add(1); map.put(1, 1); }}
            public static void main(String[] a) throws Exception {{ change(); both(Main::change, Main::change); }} }}"
    ));
    let (list, map) = ("java.util.ArrayList", "java.util.HashMap");
    let fields = program.place.path().join("fields");
    for jdk in jdks() {
        let path = fields.to_str().unwrap();
        program.watched(&jdk, &["--detector", "eraser", "--save-fields", path]);
        let saved = fs::read_to_string(&fields).unwrap();
        let line = saved.lines().find(|line| line.starts_with("object java.util.ArrayList of ")).expect("it raced");
        assert!(line.contains(" java.util.ArrayList.size") && !line.contains("HashMap"), "{saved}");
        let whole = format!("object {list}");
        for (objects, found) in [(line, &[list][..]), (&whole, &[list, map])] {
            fs::write(&fields, format!("locks 0\n{objects}\n")).unwrap();
            let watched = program.watched(&jdk, &["--detector", "hybrid", "--fields", path]);
            assert_eq!(values(&watched, "class"), names(found), "{objects}: {}", watched.stderr());
        }
    }
}
