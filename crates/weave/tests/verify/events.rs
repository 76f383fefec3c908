//! The events of one program, each with its site, in order.

use std::path::Path;

use weave::Passes;

use crate::stage::{Jdk, Stage};

#[test]
fn a_known_program_has_the_events_it_should_have() {
    let wanted = [
        ("beforeMonitor", "bump:8 EnterMethod"),
        ("enterMethod", "bump:8 EnterMethod"),
        ("readField", "bump:8 read x"),
        ("writeElement", "bump:8 WriteElement(Int)"),
        ("readField", "bump:9 read x"),
        ("writeField", "bump:9 write x"),
        ("exitMethod", "bump:9 ReturnFromMethod"),
        ("beforeMonitor", "main:16 EnterMonitor"),
        ("enterMonitor", "main:16 EnterMonitor"),
        ("readStatic", "main:17 read total"),
        ("readElement", "main:17 ReadElement(Int)"),
        ("writeStatic", "main:17 write total"),
        ("exitMonitor", "main:18 ExitMonitor"),
        ("writeVolatile", "main:19 write volatile v"),
        ("afterJoin", "main:22 call join"),
        ("readVolatile", "main:24 read volatile v"),
        // The store to a[2] threw: no event.
        ("writeStatic", "main:26 write total"),
    ];
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Events.java");
        stage.jdk.compile(&[], &[source], &stage.path("plain"));
        let plain = stage.run_plain("Events");
        let (hooked, sites) = stage.check(Passes::DETECTION, &plain, "Events", &["-Dhooks.log=true"]);
        let name = |site: u32| sites.names[(site - sites.first) as usize].as_str();
        let hook = |counted: &'_ str| counted.split('(').next().unwrap_or_default().to_string();
        let events: Vec<_> = hooked.log.iter().map(|(counted, site)| (hook(counted), name(*site))).collect();
        let wanted: Vec<_> = wanted.iter().map(|&(hook, site)| (hook.to_string(), site)).collect();
        assert_eq!(events, wanted);
    }
}
