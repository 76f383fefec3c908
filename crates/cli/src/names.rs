//! Ids become names: what the tables of a trace know, for the report.

use std::path::Path;

use model::{Access, AccessKind, Evidence, Op, ThreadId, VarId};
use report::{AnalysisAccess, AnalysisRace, Finding, Status};
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
    let variable = tables.var_name(race.var);
    let locations = [race.earlier.site, race.later.site].map(|site| tables.site_name(site));
    AnalysisRace {
        id: AnalysisRace::name(&variable, &locations[0], &locations[1]),
        status: Status::New,
        variable,
        grade: race.evidence.grade().name(),
        earlier: access(race.earlier, tables),
        later: access(race.later, tables),
        count: finding.count,
        guard: None,
        witness,
    }
}

/// One side of a race by name.
pub(crate) fn access(access: Access, tables: &Tables) -> AnalysisAccess {
    AnalysisAccess {
        thread: tables.thread_name(access.thread),
        title: tables.threads.get(access.thread.index()).and_then(|info| info.title.as_deref()).map(str::to_owned),
        op: operation(access.kind),
        location: tables.site_name(access.site),
        event: access.at.0,
    }
}

/// What an access does.
pub(crate) fn operation(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
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
