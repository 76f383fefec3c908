//! The page in a real browser: Chromium, driven through ChromeDriver as a person would.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::documents::root;
use crate::host::run;
use crate::stage::{Stage, assert_ended, autodrome_in};

/// A browser window; gone when the test is over.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
    // The browser's own files.
    _profile: tempfile::TempDir,
}

impl Browser {
    fn open() -> Browser {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = command.spawn().expect("chromedriver is there: run `cargo xtask setup`");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let started = lines.find_map(|line| line.ok()?.split("successfully on port ").nth(1).map(str::to_owned));
        let port = started.and_then(|port| port.trim_end_matches('.').parse().ok()).expect("chromedriver starts");
        // Someone has to read what it says, or it waits.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1300,1000",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}});
        let session = browser.send("POST", "/session", Some(&wanted));
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        browser
    }

    /// One request of the WebDriver protocol.
    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let json = self.exchange(method, path, body).unwrap();
        let answer: Value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert!(answer["value"]["error"].is_null(), "{path}: {answer}");
        answer["value"].clone()
    }

    fn exchange(&self, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<String> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(300)))?;
        let head = format!(
            "{method} {}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            self.session,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes())?;
        // The driver keeps connections open, so the length says where an answer ends.
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
                break;
            }
            if let Some((name, value)) = line.trim_end().split_once(':') {
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.trim().parse().unwrap_or(0);
                }
            }
        }
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn go(&self, page: &Path) {
        self.send("POST", "/url", Some(&json!({"url": format!("file://{}", page.display())})));
    }

    fn script(&self, text: &str) -> Value {
        self.send("POST", "/execute/sync", Some(&json!({"script": text, "args": []})))
    }

    /// Waits a little for an element: a race that is opened is filled in by an event of its own.
    fn element(&self, selector: &str) -> String {
        let is_there = format!("return document.querySelector({}) !== null", json!(selector));
        for _ in 0..1200 {
            if self.script(&is_there) == json!(true) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let found = self.send("POST", "/element", Some(&json!({"using": "css selector", "value": selector})));
        let id = found.as_object().and_then(|members| members.values().next()).and_then(Value::as_str);
        format!("/element/{}", id.expect(selector))
    }

    fn click(&self, selector: &str) {
        self.send("POST", &format!("{}/click", self.element(selector)), Some(&json!({})));
    }

    fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.send("POST", &format!("{element}/clear"), Some(&json!({})));
        self.send("POST", &format!("{element}/value"), Some(&json!({"text": text})));
    }

    fn text(&self, selector: &str) -> String {
        self.send("GET", &format!("{}/text", self.element(selector)), None).as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, and only then, also if the test has failed.
        if !self.session.is_empty() {
            let _ = self.exchange("DELETE", "", None);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

const SHOWN: &str = "return [...document.querySelectorAll('.race')].filter((race) => !race.hidden).length";

#[test]
fn a_thousand_races_are_searched_filtered_and_opened() {
    let stage = Stage::of_program("racy/double_checked");
    assert_ended(&stage.watch(&["--out", "r.json"]), 66);
    let mut report = stage.json("r.json");
    let races = report["races"].as_array().unwrap();
    let model = races.iter().find(|race| race["variable"]["field"] == "helper").unwrap().clone();
    let statuses = ["new", "known", "suppressed", "benign"];
    report["races"] = (0..1000)
        .map(|number| {
            let mut race = model.clone();
            race["id"] = format!("R-{number:08x}").into();
            race["variable"]["field"] = format!("field{number}").into();
            race["status"] = statuses[number % 4].into();
            race
        })
        .collect();
    report["races"][5]["variable"]["class"] = "<img src=x onerror=\"document.title='broken'\"><b>B</b>".into();
    report["races"][5]["later"]["thread"]["name"] = "</script><script>document.title='broken'</script>".into();
    fs::write(stage.path("many.json"), report.to_string()).unwrap();
    // The page's statuses come from the gate, which has nothing to compare with here.
    assert_ended(&stage.autodrome(&["report", "many.json", "--format", "html", "-o", "page.html"]), 0);

    let browser = Browser::open();
    browser.go(&stage.path("page.html"));
    assert_eq!(browser.script(SHOWN), 1000);
    assert_eq!(browser.text("#shown"), "1000 of 1000 shown");
    assert_eq!(browser.script("return performance.getEntriesByType('resource').length"), 0, "nothing from outside");

    browser.write("#search", "field42 double-checked");
    assert_eq!(browser.script(SHOWN), 11, "field42 and field420 to field429");
    browser.write("#search", "R-00000005");
    assert_eq!(browser.script(SHOWN), 1);
    browser.click(".race:not([hidden]) summary");
    let opened = browser.text(".race:not([hidden]) .body");
    for words in ["Earlier ", "holding no lock", "holding java.lang.Object taken at Main.get", "at Main.get(Main.java:"]
    {
        assert!(opened.contains(words) || words.starts_with("at "), "{words}: {opened}");
    }
    assert!(opened.contains("The thread was started") && opened.contains("Hint: make the field volatile"), "{opened}");
    assert_eq!(browser.script("return document.querySelectorAll('.threads > div').length"), 2, "two columns");
    assert_eq!(
        browser.script("return document.querySelectorAll('.source .hit').length"),
        2,
        "both lines of the source"
    );
    assert_eq!(browser.script("return document.querySelectorAll('.interleaving tr.hit').length"), 2, "both accesses");
    let order = browser.text(".race:not([hidden]) .interleaving");
    let at = |words: &str| order.find(words).unwrap_or_else(|| panic!("{words}: {order}"));
    // Either access may have come first.
    assert!(at("is started") < at("\nreads ").min(at("takes java.lang.Object")), "{order}");
    assert!(at("takes java.lang.Object") < at("\nwrites "), "{order}");
    assert_eq!(browser.script("return document.querySelectorAll('img, .race b').length"), 0, "markup is inert");
    assert_eq!(browser.script("return document.title"), "Autodrome: data races");
    assert!(opened.contains("</script><script>"), "it is shown as text: {opened}");

    let picture = browser.send("GET", "/screenshot", None);
    assert!(picture.as_str().is_some_and(|png| png.len() > 20_000), "there is something to see");
    let background = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.script(background);
    let dark = json!({"cmd": "Emulation.setEmulatedMedia",
        "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}});
    browser.send("POST", "/goog/cdp/execute", Some(&dark));
    assert_ne!(browser.script(background), light, "there is a dark mode");
}

#[test]
fn a_predicted_race_comes_with_the_run_that_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let trace = root().join("traces/tree-rdit/figure4.7.trace");
    let arguments = ["predict", trace.to_str().unwrap(), "--format", "html", "--out", "page.html"];
    assert_ended(&run(&mut autodrome_in(folder.path(), &arguments)), 66);
    let browser = Browser::open();
    browser.go(&folder.path().join("page.html"));
    browser.click(".race summary");
    browser.element(".interleaving");
    let heads =
        browser.script("return [...document.querySelectorAll('.interleaving th')].map((cell) => cell.textContent)");
    assert_eq!(heads, json!(["T1", "T2", "T0 \"main\""]), "those that race come first");
    let rows = browser.script(
        "return [...document.querySelectorAll('.interleaving tr')].slice(1).map((row) => \
         [...row.cells].map((cell) => cell.querySelector('div')?.textContent ?? ''))",
    );
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 11, "the ten steps that the text names, and the race");
    assert_eq!(rows[3], json!(["", "", "starts T1"]));
    assert_eq!(rows[5], json!(["reads x1", "", ""]));
    assert_eq!(rows[10], json!(["writes y", "reads y", ""]), "both come next");
}

#[test]
fn statuses_can_be_filtered() {
    let stage = Stage::of_program("racy/many_races");
    assert_ended(&stage.watch(&["--out", "r.json"]), 66);
    let report = stage.json("r.json");
    let races = report["races"].as_array().unwrap();
    fs::write(stage.path("rules"), format!("id:{}\n", races[0]["id"].as_str().unwrap())).unwrap();
    let arguments = ["report", "r.json", "--suppressions", "rules", "--format", "html", "-o", "page.html"];
    assert_ended(&stage.autodrome(&arguments), 0);
    let browser = Browser::open();
    browser.go(&stage.path("page.html"));
    browser.script(
        "const s = document.getElementById('status'); s.value = 'suppressed'; \
                    s.dispatchEvent(new Event('input', {bubbles: true}))",
    );
    assert_eq!(browser.script(SHOWN), 1);
    browser.click(".race:not([hidden]) summary");
    assert!(browser.text(".race:not([hidden]) .body").contains("Suppressed: rules:1: id:R-"));
    assert_eq!(browser.script("return document.getElementById('jvms').rows.length"), 2, "the run's statistics");
}
