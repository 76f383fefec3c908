//! How long the agent has worked, for limits of its searches through the heap: in processor time of the process. A search stops
//! the program, so hardly anybody else uses that time; and what is found must not depend on what else the machine is busy with.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A moment of the process's own time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun(Duration);

impl Begun {
    pub(crate) fn now() -> Begun {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let whole = |part: i64| u64::try_from(part).unwrap_or(0);
        Begun(Duration::from_secs(whole(time.tv_sec)) + Duration::from_nanos(whole(time.tv_nsec)))
    }

    /// How long the process has worked since.
    pub(crate) fn elapsed(self) -> Duration {
        Begun::now().0.saturating_sub(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let begun = Begun::now();
        let mut sum = 0_u64;
        while begun.elapsed() < Duration::from_millis(5) {
            sum = (0..1000).fold(std::hint::black_box(sum), u64::wrapping_add);
        }
        assert!(sum > 0);
    }
}
