//! A run that a signal ends: the program gets the signal, what was found is still reported, and the code is the program's.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::host::jdks;
use crate::stage::{Stage, autodrome_in};

const RACES_AND_WAITS: &str = r#"
public class Main {
    static int count;
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ended well")));
        Thread other = new Thread(() -> count++);
        other.start();
        count++;
        other.join();
        System.out.println("ready");
        Thread.sleep(600_000);
    }
}
"#;

#[test]
fn a_signal_ends_the_program_and_not_the_report() {
    let stage = Stage::of_source(RACES_AND_WAITS);
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let java = jdks()[0].join("bin/java");
        let arguments = ["run", "--out", "r.json", "--", java.to_str().unwrap(), "-cp", "classes", "Main"];
        // Whoever started this test may have told it to ignore signals, and what it starts would inherit that.
        let autodrome = autodrome_in(stage.folder.path(), &arguments);
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM").arg(autodrome.get_program()).args(autodrome.get_args());
        command.current_dir(stage.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut said = String::new();
        let started = Instant::now();
        while !said.contains("ready") {
            let mut byte = [0];
            assert_eq!(stdout.read(&mut byte).unwrap(), 1, "{said}");
            said.push(char::from(byte[0]));
            assert!(started.elapsed() < Duration::from_secs(300), "{said}");
        }
        assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
        stdout.read_to_string(&mut said).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains("ended well"), "{said}");
        let report = stage.json("r.json");
        assert_eq!(report["races"][0]["variable"]["field"], "count", "{signal}");
        std::fs::remove_file(stage.path("r.json")).unwrap();
    }
}
