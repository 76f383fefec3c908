//! Programs with shadow locals run as they run plain, verified, and no shadow is anything but 0 where nothing has one.

use std::fs;
use std::path::Path;

use weave::Woven;
use weave::concolic::{SHADOWING, Wanted, shadow};

use crate::stage::{Jdk, Sites, Stage, collect};

/// The class that the tests weave against.
const SHIM: &str = "hooks/Shadows";

/// A shim that gives no shadows, and complains of every shadow that it gets. With `inputs` each input is one more than it was.
fn shim(inputs: bool) -> String {
    let mut source = "package hooks;\npublic class Shadows {\n    static int none(int shadow, String where) {\n        if (shadow != 0) \
                      { System.err.println(\"a shadow of \" + shadow + \" in \" + where); System.exit(9); }\n        return 0;\n    }\n"
        .to_owned();
    for hook in SHADOWING {
        let (parameters, result) = hook.descriptor[1..].split_once(')').expect("a descriptor");
        let mut rest = parameters;
        let mut names = Vec::new();
        while let Some(first) = rest.chars().next() {
            let (java, length) = match first {
                'I' => ("int", 1),
                'J' => ("long", 1),
                '[' => ("String[]", rest.find(';').expect("an end") + 1),
                _ if rest.starts_with("Ljava/lang/String;") => ("String", rest.find(';').expect("an end") + 1),
                _ => ("Object", rest.find(';').expect("an end") + 1),
            };
            names.push(format!("{java} p{}", names.len()));
            rest = &rest[length..];
        }
        let shadows: &[usize] = match hook.name {
            "binary" | "divide" | "shift" | "equal" | "smaller" | "larger" | "compare" => &[2, 3],
            "unary" | "test" | "choose" | "size" | "absolute" | "putField" | "appended" => &[1],
            "opaque" | "same" => &[0, 1],
            "load" => &[2],
            "store" => &[2, 3],
            "more" | "pass" | "capture" => &[0, 1, 2, 3, 4, 5, 6, 7],
            "give" | "lost" | "putStatic" => &[0],
            _ => &[],
        };
        let checks: String = shadows.iter().map(|place| format!("none(p{place}, \"{}\"); ", hook.name)).collect();
        let gives = match (hook.name, result) {
            ("input", _) => format!("return p1{};", if inputs { " + 1" } else { "" }),
            (_, "V") => String::new(),
            _ => "return 0;".to_owned(),
        };
        let type_ = match result {
            "V" => "void",
            "J" => "long",
            _ => "int",
        };
        source += &format!("    public static {type_} {}({}) {{ {checks}{gives} }}\n", hook.name, names.join(", "));
    }
    source + "}\n"
}

/// Weaves all classes of a tree into another; gives how many methods changed.
fn weave_tree(from: &Path, to: &Path, wanted: &Wanted<'_>) -> u32 {
    let mut classes = Vec::new();
    collect(from, &mut classes);
    let mut sites = Sites { first: 32_700, ..Sites::default() };
    let mut methods = 0;
    for (path, bytes) in &classes {
        let woven = shadow(bytes, wanted, &mut sites).expect("a compiler's class can be woven");
        methods += woven.notes().methods;
        assert_eq!(woven.notes().skipped, []);
        let out = match woven {
            Woven::Changed(out, _) => out,
            Woven::Unchanged(_) => bytes.clone(),
        };
        let place = to.join(path.strip_prefix(from).expect("a path of the tree"));
        fs::create_dir_all(place.parent().expect("a file has a directory")).expect("a directory can be made");
        fs::write(place, out).expect("a class can be written");
    }
    methods
}

fn compile_shim(stage: &Stage, jdk: &Jdk, inputs: bool) {
    fs::create_dir_all(stage.path("hooks")).expect("a directory can be made");
    let source = stage.path("hooks/Shadows.java");
    fs::write(&source, shim(inputs)).expect("a source can be written");
    jdk.compile(&[], &[source], &stage.path("shim"));
}

#[test]
fn the_zoo_runs_with_shadows_as_it_runs_plain() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            stage.compile(release, "zoo");
            compile_shim(&stage, &jdk, false);
            let plain = stage.run_plain("zoo.Main");
            let wanted = Wanted { shim: SHIM, shadows: true, input: &|_, _, _| None };
            assert!(weave_tree(&stage.path("plain"), &stage.path("woven"), &wanted) > 100);
            let run = jdk.run(&[&stage.path("woven"), &stage.path("shim")], &[], "zoo.Main");
            assert_eq!((run.out, run.code), (plain.out, plain.code), "JDK {}: {}", jdk.version, run.err);
        }
    }
}

/// Every instruction of the arithmetic, with all moves of the stack, between casts, boxes, switches, lambdas and captured values.
#[test]
fn numbers_are_computed_with_shadows_as_without() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Numbers.java");
        jdk.compile(&[], &[source], &stage.path("plain"));
        compile_shim(&stage, &jdk, true);
        let plain = stage.run_plain("Numbers");
        assert!(plain.out.ends_with("done\n"), "{}", plain.out);
        let none = Wanted { shim: SHIM, shadows: true, input: &|_, _, _| None };
        weave_tree(&stage.path("plain"), &stage.path("woven"), &none);
        let run = jdk.run(&[&stage.path("woven"), &stage.path("shim")], &[], "Numbers");
        assert_eq!((&run.out, run.code), (&plain.out, plain.code), "JDK {}: {}", jdk.version, run.err);
        for shadows in [false, true] {
            let input = |_: &[u8], name: &[u8], _: &[u8]| (name.starts_with(b"input")).then_some(3);
            let woven = stage.path(if shadows { "both" } else { "inputs" });
            let methods = weave_tree(&stage.path("plain"), &woven, &Wanted { shim: SHIM, shadows, input: &input });
            assert!(shadows || methods == 3, "only the methods that are inputs change: {methods}");
            let run = jdk.run(&[&woven, &stage.path("shim")], &[], "Numbers");
            let expected = plain.out.replace("inputs 41 42 true", "inputs 42 43 true");
            assert_eq!((&run.out, run.code), (&expected, plain.code), "JDK {}: {}", jdk.version, run.err);
        }
    }
}
