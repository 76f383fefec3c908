//! Ids become names: what the tables of a trace know, for the report.

use std::path::Path;

use model::{Access, AccessKind, Evidence, Grade, Op, ThreadId, VarId};
use report::{AnalysisRace, Finding, Operation, TraceAccess, TraceRace};
use trace::{End, Ending, Tables};

/// A finding by name.
pub(crate) fn race(finding: &Finding, tables: &Tables) -> AnalysisRace {
    let race = &finding.race;
    let witness = match &race.evidence {
        Evidence::Witness(witness) => Some(
            (0..)
                .map(ThreadId)
                .zip(&witness.prefix)
                .filter(|&(_, &count)| count > 0)
                .map(|(thread, &count)| (tables.thread_name(thread), count))
                .collect(),
        ),
        _ => None,
    };
    let accesses = [race.earlier, race.later];
    let race = trace_race(race.var, race.evidence.grade(), accesses, tables);
    AnalysisRace { race, count: finding.count, guard: None, witness }
}

/// A race by name.
pub(crate) fn trace_race(var: VarId, grade: Grade, [earlier, later]: [Access; 2], tables: &Tables) -> TraceRace {
    let stable = |name: &str| tables.stable_name(name).map(str::to_owned);
    TraceRace::new(tables.var_name(var), grade, access(earlier, tables), access(later, tables), stable)
}

/// One side of a race by name.
fn access(access: Access, tables: &Tables) -> TraceAccess {
    TraceAccess {
        thread: tables.thread_name(access.thread),
        title: tables.threads.get(access.thread.index()).and_then(|info| info.title.as_deref()).map(str::to_owned),
        op: operation(access.kind),
        location: tables.site_name(access.site),
        event: access.at.0,
    }
}

/// What an access does.
pub(crate) fn operation(kind: AccessKind) -> Operation {
    match kind {
        AccessKind::Read => Operation::Read,
        AccessKind::Write => Operation::Write,
    }
}

/// A thread as tables of reports name it: with its own name in the program, where the trace knows it.
pub(crate) fn thread(thread: ThreadId, tables: &Tables) -> String {
    let title = tables.threads.get(thread.index()).and_then(|info| info.title.as_deref());
    let name = tables.thread_name(thread);
    title.map_or_else(|| name.clone(), |title| format!("{name} {title:?}"))
}

/// What a step does, in words.
pub(crate) fn deed(op: Op, tables: &Tables) -> String {
    match op {
        Op::Read(var) => format!("reads {}", tables.var_name(var)),
        Op::Write(var) => format!("writes {}", tables.var_name(var)),
        Op::Acquire(lock, _) => format!("takes {}", tables.lock_name(lock)),
        Op::Release(lock, _) => format!("gives back {}", tables.lock_name(lock)),
        Op::Send(message) => format!("sends {}", tables.message_name(message)),
        Op::Receive(message) => format!("receives {}", tables.message_name(message)),
        Op::Fork(other) => format!("starts {}", thread(other, tables)),
        Op::Join(other) => format!("has waited for {}", thread(other, tables)),
        Op::Branch => "branches".to_owned(),
        Op::MethodBegin(method) => format!("enters {}", tables.method_name(method)),
        Op::MethodEnd(method) => format!("leaves {}", tables.method_name(method)),
    }
}

/// The variables of a name: one in STD, one for each object in a trace of a Java program.
pub(crate) fn variables<'a>(tables: &'a Tables, name: &'a str) -> impl Iterator<Item = VarId> + 'a {
    (0..).map(VarId).zip(&tables.vars).filter(move |(_, info)| &*info.name == name).map(|(var, _)| var)
}

/// What a reader must know about a trace that was not whole.
pub(crate) fn notes(path: &Path, ending: &Ending) -> Vec<String> {
    let mut notes: Vec<String> = ending.damaged.iter().map(|part| format!("{}: {part}", path.display())).collect();
    if let End::Truncated { .. } = ending.end {
        notes.push(format!("{} {}", path.display(), ending.end));
    }
    notes
}
