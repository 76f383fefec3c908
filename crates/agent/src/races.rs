//! From an access to a report: contexts of accesses, and races with names.

use std::sync::atomic::Ordering;

use model::{AccessKind, SiteId, ThreadId};
use report::{Fingerprint, Line, LiveRace, Lock, Operation, Side, StackFrame, ThreadName, Variable, VariableKind};
use runtime::{Context, ContextId, Earlier, LocksetId, ReadRule, Sight, StackId, Word, WriteRule};

use crate::agent::Agent;
use crate::sites::{SiteInfo, dotted};

impl Agent {
    /// Decides a read; gives the new word of reads.
    pub(crate) fn read(&self, me: ThreadId, reads: Word, write: Word, site: SiteId, value: u32) -> Word {
        self.slow.fetch_add(1, Ordering::Relaxed);
        let Some(verdict) = self.runtime.read(me, reads, write) else { return reads };
        self.report(me, site, AccessKind::Read, &verdict.races);
        match verdict.rule {
            ReadRule::SameEpoch | ReadRule::SharedSameEpoch => reads,
            rule => self.runtime.record_read(me, rule, reads, self.context(me, site, value)),
        }
    }

    /// Decides a write; gives the new word of writes.
    pub(crate) fn write(&self, me: ThreadId, reads: Word, write: Word, site: SiteId, value: u32) -> Word {
        self.slow.fetch_add(1, Ordering::Relaxed);
        let Some(verdict) = self.runtime.write(me, reads, write) else { return write };
        self.report(me, site, AccessKind::Write, &verdict.races);
        match verdict.rule {
            WriteRule::SameEpoch => write,
            WriteRule::Exclusive | WriteRule::Shared => {
                self.runtime.record_write(me, write, self.context(me, site, value))
            }
        }
    }

    /// The context of an access: from its calling-context value if that was seen before, else by walking the stack.
    pub(crate) fn context(&self, me: ThreadId, site: SiteId, value: u32) -> ContextId {
        let locks = self.runtime.lockset(me);
        if let Some(known) = self.depot.known(value, site, locks) {
            return known;
        }
        let stack = self.current_stack();
        self.depot.context_of(value, Context { site, stack, locks })
    }

    /// Reports each race of an access, or counts it if it was reported before.
    pub(crate) fn report(&self, me: ThreadId, site: SiteId, kind: AccessKind, races: &[Earlier]) {
        for race in races {
            self.report_one(me, site, kind, race);
        }
    }

    fn report_one(&self, me: ThreadId, site: SiteId, kind: AccessKind, earlier: &Earlier) {
        let Some(at) = self.depot.get(earlier.context) else { return };
        let pair = [(at.site, earlier.kind), (site, kind)];
        if self.collector.count_again(&pair) == Sight::Again {
            return;
        }
        let (Some(earlier_site), Some(later_site)) = (self.sites.get(at.site), self.sites.get(site)) else { return };
        let Some(variable) = variable(&later_site).or_else(|| variable(&earlier_site)) else { return };
        let raced = format!("{}.{}", variable.class, variable.field);
        let fingerprint = Fingerprint::of(&raced, &method(&earlier_site), &method(&later_site));
        if self.collector.add(pair, fingerprint.0) == Sight::Again {
            return;
        }
        let locks = self.runtime.lockset(me);
        let race = LiveRace {
            id: fingerprint.to_string(),
            grade: model::Grade::Unordered.name().to_owned(),
            pid: std::process::id(),
            variable,
            count: 1,
            earlier: self.side(earlier.thread, earlier.kind, &earlier_site, at.stack, at.locks),
            later: self.side(me, kind, &later_site, self.current_stack(), locks),
        };
        self.output.write(&Line::Race(Box::new(race)));
    }

    fn side(&self, thread: ThreadId, kind: AccessKind, site: &SiteInfo, stack: StackId, locks: LocksetId) -> Side {
        let mut stack = self.shown(stack);
        // A stack whose top does not contain the site is another access's: then the site alone is what we know.
        if !stack.first().is_some_and(|top| top.class == dotted(&site.class) && top.method == site.method) {
            stack = vec![frame(site)];
        }
        Side {
            op: match kind {
                AccessKind::Read => Operation::Read,
                AccessKind::Write => Operation::Write,
            },
            thread: self.thread_name(thread),
            locks: self.locks(locks),
            stack,
        }
    }

    fn shown(&self, stack: StackId) -> Vec<StackFrame> {
        let frames = self.depot.frames(stack);
        frames.into_iter().filter_map(|frame| self.methods.shown(frame)).collect()
    }

    fn thread_name(&self, thread: ThreadId) -> ThreadName {
        let info = self.thread_info(thread);
        ThreadName {
            id: info.as_ref().map_or(0, |info| info.java_id),
            name: info.map_or_else(String::new, |info| info.name),
            created_at: self.shown(self.runtime.created_at(thread)),
        }
    }

    fn locks(&self, locks: LocksetId) -> Vec<Lock> {
        let shown = |held: runtime::HeldLock| {
            let taken_at = self.sites.get(held.taken_at).map(|site| frame(&site).to_string());
            Lock { class: self.class_name(held.class), taken_at: taken_at.unwrap_or_default() }
        };
        self.depot.locks(locks).into_iter().map(shown).collect()
    }
}

/// What a site accesses, by the class that declares the field.
fn variable(site: &SiteInfo) -> Option<Variable> {
    let field = site.field.as_ref()?;
    let found = site.found.get();
    Some(Variable {
        kind: found.map_or(VariableKind::Field, |found| found.kind),
        class: dotted(found.map_or(&field.owner, |found| &found.class)),
        field: field.name.clone(),
        descriptor: field.descriptor.clone(),
    })
}

/// A site's method, as fingerprints have it.
fn method(site: &SiteInfo) -> String {
    format!("{}.{}{}", dotted(&site.class), site.method, site.descriptor)
}

/// A site as a frame.
fn frame(site: &SiteInfo) -> StackFrame {
    StackFrame {
        class: dotted(&site.class),
        method: site.method.clone(),
        file: site.source.as_deref().map(str::to_owned),
        line: site.line,
    }
}
