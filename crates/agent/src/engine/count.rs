//! Counting: classes are woven as for detection and never call us, to measure what weaving alone costs.

use std::any::Any;

use model::Grade;
use report::Jvm;
use runtime::layout::EngineFlags;
use weave::Passes;

use super::{ClassKind, Engine, Wish, accesses};

pub(crate) struct Count;

impl Engine for Count {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, kind: ClassKind, _usual: Passes) -> Wish {
        match kind {
            ClassKind::Program => Wish { with: accesses() | Passes::FRESH, ..Wish::default() },
            ClassKind::OutOfScope => Wish::default(),
            ClassKind::Jdk => Wish { without: Passes::FREEZE, ..Wish::default() },
        }
    }

    fn grade(&self) -> Option<Grade> {
        None
    }

    fn flags(&self) -> EngineFlags {
        EngineFlags::empty()
    }

    fn describe(&self, _jvm: &mut Jvm) {}
}
