//! The thread that ends watches at their limit and lets places be sampled again. It sleeps while nothing is watched.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::agent::lock;
use crate::entry::is_off;

/// It does not wake up more often: what ends within this time ends together.
const SHORTEST: Duration = Duration::from_millis(2);

#[derive(Default)]
pub(super) struct Timer {
    sleep: Mutex<Sleep>,
    bell: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sleep {
    /// It is about to look for what is to be done.
    #[default]
    Looks,
    /// It is, and something has come since: it looks again.
    LooksAgain,
    /// It sleeps until then, or until it is woken.
    Until(Option<Duration>),
}

impl Timer {
    /// Something is to be done at this moment.
    pub(super) fn expect(&self, moment: Duration) {
        let mut sleep = lock(&self.sleep);
        *sleep = match *sleep {
            Sleep::Looks | Sleep::LooksAgain => Sleep::LooksAgain,
            Sleep::Until(Some(wake)) if wake <= moment.saturating_add(SHORTEST) => return,
            Sleep::Until(_) => Sleep::Looks,
        };
        self.bell.notify_one();
    }

    /// Does what is to be done, again and again, until the agent is switched off; `work` says when there is something next.
    pub(super) fn run(&self, now: impl Fn() -> Duration, work: impl Fn(Duration) -> Option<Duration>) {
        while !is_off() {
            *lock(&self.sleep) = Sleep::Looks;
            let next = work(now());
            let mut sleep = lock(&self.sleep);
            if *sleep == Sleep::LooksAgain {
                continue;
            }
            *sleep = Sleep::Until(next);
            let sleeps = |sleep: &mut Sleep| matches!(sleep, Sleep::Until(_));
            match next.map(|next| next.saturating_sub(now()).max(SHORTEST)) {
                Some(pause) => {
                    drop(self.bell.wait_timeout_while(sleep, pause, sleeps).unwrap_or_else(PoisonError::into_inner));
                }
                None => drop(self.bell.wait_while(sleep, sleeps).unwrap_or_else(PoisonError::into_inner)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn it_looks_when_something_is_expected_and_sleeps_otherwise() {
        let timer: &'static Timer = Box::leak(Box::default());
        let (looked, looks) = mpsc::channel();
        std::thread::spawn(move || {
            timer.run(
                || Duration::ZERO,
                |_| {
                    let _ = looked.send(());
                    None
                },
            );
        });
        for _ in 0..100 {
            // It has looked, and finds that something came since or falls asleep: in both cases it looks again.
            looks.recv().unwrap();
            timer.expect(Duration::ZERO);
        }
        looks.recv().unwrap();
    }
}
