//! A witness as a file: which thread takes which step, from the first event on, until both accesses are next.

use model::{Access, AccessKind, Event, Op, VarId};
use predict::Predicted;
use report::plain_lines;
use serde_json::{Value, json};
use trace::Tables;

use crate::Result;

/// The schedule of a race, which comes with its steps: `autodrome.schedule/1`. The events before `after` run as they did; then the
/// steps.
pub(crate) fn json(tables: &Tables, race: &Predicted) -> Result<String> {
    let step = |at: u64, event: &Event| -> Value {
        json!({
            "event": at,
            "thread": tables.thread_name(event.thread),
            "op": name(tables, event.op),
            "location": tables.site_name(event.site),
        })
    };
    let steps = race.witness.order.iter().zip(&race.steps);
    let accesses = [race.earlier, race.later].map(|access| step(access.at.0, &event(race.var, access)));
    let schedule = json!({
        "schema": "autodrome.schedule/1",
        "variable": tables.var_name(race.var),
        "after": race.witness.after,
        "steps": steps.map(|(&at, event)| step(at, event)).collect::<Vec<_>>(),
        "race": accesses,
    });
    Ok(plain_lines(&serde_json::to_string_pretty(&schedule)?).to_string())
}

/// An access as the event that it is.
pub(crate) fn event(var: VarId, access: Access) -> Event {
    let op = match access.kind {
        AccessKind::Read => Op::Read(var),
        AccessKind::Write => Op::Write(var),
    };
    Event { thread: access.thread, site: access.site, op }
}

/// An operation as the readable text has it.
fn name(tables: &Tables, op: Op) -> String {
    use model::Mode::{Read, Write};
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
