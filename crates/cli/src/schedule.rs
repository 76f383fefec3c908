//! A witness as a file: which thread takes which step, from the first event on, until both accesses are next.

use model::Op;
use predict::{Predicted, Recording};
use report::plain_lines;
use serde_json::{Value, json};

use crate::Result;

/// The schedule of a race: `autodrome.schedule/1`. The events before `after` run as they did; then the steps.
pub(crate) fn json(recording: &Recording, race: &Predicted) -> Result<String> {
    let step = |event: u64| -> Value {
        let place = event.checked_sub(recording.first.0).and_then(|place| usize::try_from(place).ok());
        let Some(step) = place.and_then(|place| recording.events.get(place)) else { return Value::Null };
        json!({
            "event": event,
            "thread": recording.tables.thread_name(step.thread),
            "op": name(recording, step.op),
            "location": recording.tables.site_name(step.site),
        })
    };
    let schedule = json!({
        "schema": "autodrome.schedule/1",
        "variable": recording.tables.var_name(race.var),
        "after": race.witness.after,
        "steps": race.witness.order.iter().map(|&event| step(event)).collect::<Vec<_>>(),
        "race": [step(race.earlier.at.0), step(race.later.at.0)],
    });
    Ok(plain_lines(&serde_json::to_string_pretty(&schedule)?).to_string())
}

/// An operation as the readable text has it.
fn name(recording: &Recording, op: Op) -> String {
    use model::Mode::{Read, Write};
    let tables = &recording.tables;
    match op {
        Op::Read(var) => format!("r({})", tables.var_name(var)),
        Op::Write(var) => format!("w({})", tables.var_name(var)),
        Op::Acquire(lock, Write) => format!("acq({})", tables.lock_name(lock)),
        Op::Acquire(lock, Read) => format!("racq({})", tables.lock_name(lock)),
        Op::Release(lock, Write) => format!("rel({})", tables.lock_name(lock)),
        Op::Release(lock, Read) => format!("rrel({})", tables.lock_name(lock)),
        Op::Send(message) => format!("snd({})", tables.message_name(message)),
        Op::Receive(message) => format!("rcv({})", tables.message_name(message)),
        Op::Fork(thread) => format!("fork({})", tables.thread_name(thread)),
        Op::Join(thread) => format!("join({})", tables.thread_name(thread)),
        Op::Branch => "branch".to_owned(),
        Op::MethodBegin(method) => format!("begin({})", tables.method_name(method)),
        Op::MethodEnd(method) => format!("end({})", tables.method_name(method)),
    }
}
