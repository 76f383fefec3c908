//! Sampling: which hooks hand something on to other threads. Each of them advances the clock of its thread; the others are left
//! out.
//!
//! A hook that is missing among those that tick would make a false alarm: two accesses would be reported that are ordered. One that
//! ticks for nothing only hides races. So a hook ticks unless it is listed here as one that only accesses, learns, or brackets.

use super::Hook;
use crate::classfile::descriptor::Width;

/// What is left of a hook of another pass when the program is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ticking {
    /// The hook itself: it is one of sampling's, or the program needs it.
    Itself,
    /// Nothing.
    Nothing,
    /// The clock of the current thread is advanced.
    Current,
    /// So is that of the thread that the hook takes: it ends or is suspended, and another says so.
    Taken,
}

impl Hook {
    /// The widths of what it takes before the site's id.
    pub(crate) fn takes_widths(self) -> Vec<Width> {
        let width = |java| if matches!(java, "long" | "double") { Width::Two } else { Width::One };
        self.parameters().into_iter().map(|parameter| width(parameter.java)).collect()
    }

    /// What is left of it when the program is sampled.
    pub(crate) fn ticking(self) -> Ticking {
        match self {
            // Room for the stack is needed by whatever hook gives the monitor back.
            Hook::BeforeMonitor
            | Hook::Tick
            | Hook::TickOf
            | Hook::TickLate
            | Hook::TickLateStatic
            | Hook::SampleField
            | Hook::SampleElement
            | Hook::LookAtField
            | Hook::LookAtElement => Ticking::Itself,
            Hook::EndThread | Hook::SuspendThread => Ticking::Taken,
            // Who takes a lock or reads what others wrote learns, and hands nothing on.
            Hook::EnterMonitor
            | Hook::EnterJdkMonitor
            | Hook::EnterMethod
            | Hook::ReadVolatile
            | Hook::ReadVolatileOf
            | Hook::ReadVolatileStatic
            | Hook::ReadSyncElement
            | Hook::UseClass
            | Hook::SeeInitialized
            | Hook::SeeInitializedResult
            | Hook::SeeInitializedOf
            | Hook::AfterJoin
            | Hook::AfterTimedJoin
            | Hook::AfterIsAlive
            | Hook::AfterIsInterrupted
            | Hook::AfterInterrupted
            | Hook::AfterWait
            | Hook::ReceiveMessage
            | Hook::ReceiveStatic
            | Hook::AfterLock
            | Hook::AfterTryLock
            | Hook::AfterReadLock
            | Hook::AfterReadTryLock
            | Hook::AfterWriteStamp
            | Hook::AfterReadStamp
            | Hook::AfterGetState
            | Hook::AfterGet
            | Hook::AfterRefersTo
            | Hook::AfterPoll
            | Hook::AfterGetTarget
            | Hook::IoRead
            | Hook::IoReadLong
            | Hook::UseCallSite
            | Hook::UseLinked => Ticking::Nothing,
            _ => Ticking::Current,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever stands before something takes effect, by the name of the hook, may hand something on.
    #[test]
    fn what_stands_before_an_effect_ticks() {
        let starts = ["before", "write", "exit", "send", "release", "full", "end", "suspend", "io"];
        for &hook in Hook::ALL {
            let is_before = starts.iter().any(|start| hook.name().starts_with(start));
            let learns = matches!(hook, Hook::IoRead | Hook::IoReadLong | Hook::BeforeMonitor);
            let ticks = matches!(hook.ticking(), Ticking::Current | Ticking::Taken);
            assert!(ticks || learns || !is_before, "{hook:?} would be left out");
        }
        // What takes no thread cannot tick for it.
        for &hook in Hook::ALL.iter().filter(|hook| hook.ticking() == Ticking::Taken) {
            assert_eq!(hook.row().takes, "Object thread");
        }
    }
}
