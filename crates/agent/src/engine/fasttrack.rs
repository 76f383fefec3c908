//! FastTrack, with TREE in front of it if that was asked for. What decides lies in `runtime`, on the agent's shadow words.

use std::any::Any;

use control::{AgentOptions, Filter};
use model::Grade;
use report::{Jvm, TreeUse};
use runtime::Spans;
use runtime::layout::EngineFlags;
use weave::Passes;

use super::{ClassKind, Engine, Wish, accesses};
use crate::agent::Agent;

pub(crate) struct FastTrack {
    /// TREE, if it is there.
    spans: Option<Spans>,
}

impl FastTrack {
    pub(crate) fn new(options: &AgentOptions) -> FastTrack {
        FastTrack { spans: options.filter.map(|Filter::Tree| Spans::default()) }
    }
}

impl Engine for FastTrack {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, kind: ClassKind, _usual: Passes) -> Wish {
        match kind {
            ClassKind::Program => {
                Wish { with: accesses() | Passes::FRESH | Passes::LOOPS | Passes::FREEZE, ..Wish::default() }
            }
            ClassKind::OutOfScope | ClassKind::Jdk => Wish::default(),
        }
    }

    fn grade(&self) -> Option<Grade> {
        Some(Grade::Unordered)
    }

    fn flags(&self) -> EngineFlags {
        let mut flags = EngineFlags::ON;
        flags.set(EngineFlags::FILTERS, self.spans.is_some());
        flags
    }

    fn describe(&self, jvm: &mut Jvm) {
        let did = self.spans.as_ref().map(Spans::statistics);
        jvm.tree = did.map(|did| TreeUse { events: did.events, skipped: did.skipped, bytes: did.bytes });
    }
}

impl Agent {
    /// Does FastTrack decide? Only its races are those that final fields can prevent.
    pub(crate) fn is_fasttrack(&self) -> bool {
        self.engines.get::<FastTrack>().is_some()
    }

    /// TREE in front of FastTrack, if it is there.
    pub(crate) fn spans(&self) -> Option<&Spans> {
        self.engines.get::<FastTrack>()?.spans.as_ref()
    }
}
