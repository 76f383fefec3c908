//! Races as OpenTelemetry log records: OTLP over HTTP, as JSON.
//!
//! A thread of its own sends them; who finds a race puts a record into a bounded queue and goes on. What finds no room in it, or is
//! not taken by the collector, is counted and said at the end. Plain HTTP only: a collector beside the program, not one across a
//! network that is not trusted.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Builder;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use control::Endpoint;
use report::{LiveRace, Operation, Side};
use serde_json::{Value, json};

/// Records that wait at most.
const WAITING: usize = 256;

/// Records that are sent at once.
const AT_ONCE: usize = 64;

/// Until the collector takes a connection, or answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long the end of the JVM waits for what is in the queue.
const AT_END: Duration = Duration::from_secs(3);

/// OpenTelemetry's number for a warning.
const WARNING: u32 = 13;

enum Work {
    Send(Value),
    /// All before it was dealt with: say so.
    Done(Sender<()>),
}

/// The way to a collector.
pub(crate) struct Otlp {
    queue: SyncSender<Work>,
    unsent: Arc<AtomicU64>,
    endpoint: Endpoint,
}

impl Otlp {
    pub(crate) fn open(endpoint: Endpoint) -> io::Result<Otlp> {
        let (queue, work) = sync_channel(WAITING);
        let unsent = Arc::new(AtomicU64::new(0));
        let (to, failed) = (endpoint.clone(), Arc::clone(&unsent));
        Builder::new().name("autodrome-otlp".to_owned()).spawn(move || send_all(&to, &work, &failed))?;
        Ok(Otlp { queue, unsent, endpoint })
    }

    /// Sends a race, if there is room in the queue.
    pub(crate) fn offer(&self, race: &LiveRace) {
        if self.queue.try_send(Work::Send(record(race, SystemTime::now()))).is_err() {
            self.unsent.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits a little until all is sent; gives what is to be said of what was not.
    pub(crate) fn finish(&self) -> Option<String> {
        let (done, is_done) = channel();
        let is_asked = self.queue.try_send(Work::Done(done)).is_ok();
        let is_sent = is_asked && is_done.recv_timeout(AT_END).is_ok();
        let (unsent, to) = (self.unsent.load(Ordering::Relaxed), &self.endpoint);
        match (unsent, is_sent) {
            (0, true) => None,
            (0, false) => Some(format!("autodrome: {to} takes too long: it may not have all races")),
            _ => Some(format!("autodrome: races that were not sent to {to}: {unsent}")),
        }
    }
}

fn send_all(to: &Endpoint, work: &Receiver<Work>, unsent: &AtomicU64) {
    while let Ok(first) = work.recv() {
        let mut records = Vec::new();
        let mut done = Vec::new();
        for work in [first].into_iter().chain(work.try_iter().take(AT_ONCE - 1)) {
            match work {
                Work::Send(record) => records.push(record),
                Work::Done(waits) => done.push(waits),
            }
        }
        if !records.is_empty() {
            let count = records.len() as u64;
            let body = body(records).to_string();
            // Once more: a collector that was started again has closed the connection.
            if post(to, &body).or_else(|_| post(to, &body)).is_err() {
                unsent.fetch_add(count, Ordering::Relaxed);
            }
        }
        for waits in done {
            // Who waited may have given up.
            let _ = waits.send(());
        }
    }
}

/// Posts a body; fails unless the answer is one of success.
fn post(to: &Endpoint, body: &str) -> io::Result<()> {
    let mut failure = io::Error::other("the host has no address");
    for address in (to.host(), to.port()).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return exchange(stream, to, body),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn exchange(mut stream: TcpStream, to: &Endpoint, body: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (path, host, length) = (to.path(), to.authority(), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    // `HTTP/1.1 200`: nothing else of the answer matters.
    let mut answer = [0; 12];
    stream.read_exact(&mut answer)?;
    if answer.starts_with(b"HTTP/1.") && answer.get(9) == Some(&b'2') {
        Ok(())
    } else {
        Err(io::Error::other("the collector refuses"))
    }
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn body(records: Vec<Value>) -> Value {
    let name = std::env::var("OTEL_SERVICE_NAME").unwrap_or_else(|_| "unknown_service:java".to_owned());
    let pid = json!({"key": "process.pid", "value": {"intValue": std::process::id().to_string()}});
    let scope = json!({"name": "autodrome", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceLogs": [{
        "resource": {"attributes": [text("service.name", &name), pid]},
        "scopeLogs": [{"scope": scope, "logRecords": records}],
    }]})
}

fn record(race: &LiveRace, now: SystemTime) -> Value {
    let nanoseconds = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos()).to_string();
    let (class, field) = (&race.variable.class, &race.variable.field);
    let mut attributes = vec![
        text("autodrome.race.id", &race.id),
        text("autodrome.race.grade", &race.grade.to_string()),
        text("autodrome.race.class", class),
        text("autodrome.race.field", field),
        text("autodrome.race.type", &race.variable.descriptor),
    ];
    for (name, side) in [("earlier", &race.earlier), ("later", &race.later)] {
        let key = |what| format!("autodrome.race.{name}.{what}");
        let stack: Vec<String> = side.stack.iter().map(|frame| frame.to_string()).collect();
        attributes.push(text(&key("operation"), operation(side)));
        attributes.push(text(&key("thread"), &side.thread.name));
        attributes.push(text(&key("stack"), &stack.join("\n")));
    }
    let what = if field.is_empty() { race.variable.descriptor.clone() } else { format!("{class}.{field}") };
    json!({
        "timeUnixNano": nanoseconds,
        "observedTimeUnixNano": nanoseconds,
        "severityNumber": WARNING,
        "severityText": "WARN",
        "body": {"stringValue": format!("data race on {what} [{}]", race.id)},
        "attributes": attributes,
    })
}

fn operation(side: &Side) -> &'static str {
    match side.op {
        Operation::Read => "read",
        Operation::Write => "write",
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Takes one request and answers it; gives the request.
    fn serve(listener: &TcpListener, answer: &str) -> String {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let read = stream.read(&mut chunk).unwrap();
            request.extend_from_slice(&chunk[..read]);
            let text = String::from_utf8_lossy(&request);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
                if body.len() >= length.parse().unwrap() {
                    break;
                }
            }
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(request).unwrap()
    }

    fn listening() -> (TcpListener, Endpoint) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, format!("http://127.0.0.1:{port}").parse().unwrap())
    }

    #[test]
    fn what_is_queued_is_sent() {
        let (listener, endpoint) = listening();
        let otlp = Otlp::open(endpoint).unwrap();
        otlp.queue.send(Work::Send(json!({"body": "one"}))).unwrap();
        let request = serve(&listener, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        assert!(request.starts_with("POST /v1/logs HTTP/1.1\r\n"), "{request}");
        let sent: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        let logs = &sent["resourceLogs"][0]["scopeLogs"][0];
        assert_eq!((&logs["logRecords"][0]["body"], &logs["scope"]["name"]), (&json!("one"), &json!("autodrome")));
        assert_eq!(otlp.finish(), None);
    }

    #[test]
    fn what_is_refused_is_said() {
        let (listener, endpoint) = listening();
        let otlp = Otlp::open(endpoint).unwrap();
        otlp.queue.send(Work::Send(json!({}))).unwrap();
        (0..2).for_each(|_| drop(serve(&listener, "HTTP/1.1 503 Service Unavailable\r\n\r\n")));
        assert!(otlp.finish().is_some_and(|said| said.ends_with(": 1")));
    }

    #[test]
    fn without_a_collector_nothing_waits() {
        let (listener, endpoint) = listening();
        drop(listener);
        let otlp = Otlp::open(endpoint).unwrap();
        for _ in 0..3 {
            otlp.queue.send(Work::Send(json!({}))).unwrap();
        }
        assert!(otlp.finish().is_some_and(|said| said.ends_with(": 3")));
    }
}
