//! The recorder as an engine: alone, or beside a detector that decides what is recorded too.

use std::any::Any;

use control::{BarrierData, Branches, Insides};
use model::{Grade, ThreadId};
use report::Jvm;
use runtime::layout::EngineFlags;
use weave::Passes;

use super::Recorder;
use crate::agent::Agent;
use crate::engine::{ClassKind, Engine, Wish};

/// Who sees the same accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    /// Nobody: only the recording needs hooks.
    None,
    /// A detector, which has asked for the hooks that it needs.
    Detector,
}

impl Engine for Recorder {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, kind: ClassKind, usual: Passes) -> Wish {
        let is_alone = self.company == Company::None;
        let if_alone = |passes| if is_alone { passes } else { Passes::default() };
        match kind {
            // The JDK may access a volatile field that the program accesses too: both must find the same cell.
            ClassKind::Program => Wish {
                with: self.passes() | Passes::OPAQUE | if_alone(Passes::VOLATILES | Passes::LATE | Passes::RANGES),
                without: Passes::LOOPS | Passes::CONFINED,
            },
            // Its data is not recorded, but it orders what is.
            ClassKind::OutOfScope => Wish { without: if_alone(Passes::CONTEXTS), ..Wish::default() },
            // What the JDK's collections hold decides what the program does: so it is recorded like the program's own data.
            ClassKind::Jdk if usual.contains(Passes::FIELDS) => {
                Wish { with: self.passes(), without: if_alone(Passes::FIELDS | Passes::ARRAYS | Passes::FREEZE) }
            }
            ClassKind::Jdk => Wish { without: if_alone(Passes::FREEZE), ..Wish::default() },
        }
    }

    fn grade(&self) -> Option<Grade> {
        None
    }

    fn flags(&self) -> EngineFlags {
        let mut flags = EngineFlags::ON | EngineFlags::RECORDING;
        flags.set(EngineFlags::ONCE, self.barrier_data() == BarrierData::Once);
        flags.set(EngineFlags::BRANCHES, self.branches == Branches::Recorded);
        flags.set(EngineFlags::REVEALS, self.insides() == Insides::Revealed);
        flags
    }

    fn start(&'static self, agent: &'static Agent) {
        self.start_writer(agent);
    }

    fn thread_ended(&self, thread: ThreadId) {
        self.end(thread);
    }

    fn finish(&self) {
        self.close();
    }

    fn describe(&self, jvm: &mut Jvm) {
        jvm.trace = Some(self.trace_file());
    }
}

impl Agent {
    /// The recording of this JVM, if there is one.
    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        self.engines.get()
    }
}
