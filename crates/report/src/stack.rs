//! Stacks as people read them: without the frames that say nothing of the program.
//!
//! Two kinds are left out: what a lambda became inside the JVM, as Java leaves it out of its own traces, and what stands between
//! a test's method and the start of the JVM: with JUnit 5 that is some eighty frames, on every stack the same. JSON has all frames.

use crate::race::StackFrame;

/// Packages of test frameworks, whose reflective call is what runs a test.
const FRAMEWORKS: [&str; 4] = ["org.junit.", "junit.framework.", "org.testng.", "org.spockframework."];

/// Packages that stand between the framework and the test's method.
const REFLECTION: [&str; 3] = ["java.lang.reflect.", "jdk.internal.reflect.", "java.lang.invoke."];

/// How the class is called that stands for a lambda: `a.Main$$Lambda$2.0x0000000800000c28`, `a.Main$$Lambda/0x000078...`.
const LAMBDA: &str = "$$Lambda";

/// The frames of a stack that are shown, and how many of the test's runner are not.
pub(crate) struct Shown<'a> {
    pub(crate) frames: Vec<&'a StackFrame>,
    pub(crate) of_runner: usize,
}

impl<'a> Shown<'a> {
    pub(crate) fn of(stack: &'a [StackFrame]) -> Shown<'a> {
        let (program, runner) = stack.split_at(test(stack).map_or(stack.len(), |test| test + 1));
        let frames = program.iter().filter(|frame| !frame.class.contains(LAMBDA)).collect();
        Shown { frames, of_runner: runner.len() }
    }

    /// What stands for the frames that are not shown.
    pub(crate) fn rest(&self) -> Option<String> {
        (self.of_runner > 0).then(|| format!("... {} of the test's runner", frames(self.of_runner)))
    }
}

fn frames(count: usize) -> String {
    crate::text::counted(count as u64, "frame")
}

/// The frame of the test's method: the innermost that a test framework called by reflection. What an assertion calls, it
/// calls directly.
pub(crate) fn test(stack: &[StackFrame]) -> Option<usize> {
    let is_of = |packages: &[&str], frame: &StackFrame| packages.iter().any(|name| frame.class.starts_with(name));
    let is_reflective = |frame: &StackFrame| is_of(&REFLECTION, frame);
    (1..stack.len()).map(|called_from| called_from - 1).find(|&called| {
        let outside = stack.get(called + 1..).unwrap_or_default();
        let caller = outside.iter().find(|frame| !is_reflective(frame));
        stack.get(called).is_some_and(|frame| !is_reflective(frame))
            && outside.first().is_some_and(is_reflective)
            && caller.is_some_and(|frame| is_of(&FRAMEWORKS, frame))
    })
}

#[cfg(test)]
pub(crate) mod samples {
    //! Stacks as tests need them.

    use super::*;
    use crate::race::samples::frame;

    pub(crate) fn named(class: &str, method: &str) -> StackFrame {
        StackFrame { class: class.to_owned(), ..frame(method, 1) }
    }

    /// A pool that a test made.
    pub(crate) fn of_test() -> Vec<StackFrame> {
        vec![
            named("a.Pool", "grow"),
            named("org.junit.jupiter.api.AssertDoesNotThrow", "assertDoesNotThrow"),
            named("a.CounterTest", "counts"),
            named("jdk.internal.reflect.NativeMethodAccessorImpl", "invoke"),
            named("java.lang.reflect.Method", "invoke"),
            named("org.junit.platform.commons.util.ReflectionUtils", "invokeMethod"),
            named("a.Interceptor", "intercept"),
            named("java.lang.reflect.Method", "invoke"),
            named("org.junit.platform.launcher.core.DefaultLauncher", "execute"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{named, of_test};
    use super::*;

    #[test]
    fn the_runner_of_a_test_is_counted_and_not_shown() {
        let stack = of_test();
        let shown = Shown::of(&stack);
        assert_eq!(shown.frames.last().map(|frame| frame.class.as_str()), Some("a.CounterTest"));
        assert_eq!(shown.rest().as_deref(), Some("... 6 frames of the test's runner"));
    }

    #[test]
    fn what_a_lambda_became_is_not_shown() {
        let stack = [
            named("a.Main", "lambda$main$0"),
            named("a.Main$$Lambda$2.0x0000000800000c28", "run"),
            named("a.Main$$Lambda/0x00007d8bd0003200", "run"),
            named("java.lang.Thread", "run"),
        ];
        let shown = Shown::of(&stack);
        assert_eq!(shown.frames.iter().map(|frame| &*frame.method).collect::<Vec<_>>(), ["lambda$main$0", "run"]);
        assert_eq!(shown.rest(), None);
    }

    #[test]
    fn a_method_called_by_other_reflection_is_no_test() {
        let stack = [named("a.Bean", "get"), named("java.lang.reflect.Method", "invoke"), named("a.Main", "main")];
        assert_eq!(test(&stack), None);
        assert_eq!(test(&[]), None);
    }
}
