//! Options of sampling.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use crate::choice::choices;
use crate::files::FileName;
use crate::group::{Invalid, Value, options};

choices! {
    /// What notices the second access to a location.
    #[derive(Default)]
    pub enum WatchedBy {
        /// The processor if it can be had, else woven code.
        #[default]
        Any = "any",
        /// Watchpoints of the processor; without them nothing is sampled.
        Hardware = "hardware",
        /// Woven code, which looks at each access.
        Software = "software",
    }
}

/// Millionths in a whole.
const MILLION: u32 = 1_000_000;

/// Millionths in a percent.
const PERCENT: u32 = MILLION / 100;

/// Which part of all places is sampled, such as `1%` or `0.25%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleRate {
    millionths: u32,
}

impl SampleRate {
    /// The rate in millionths, at most a million.
    #[must_use]
    pub fn millionths(self) -> u32 {
        self.millionths
    }
}

/// One percent.
impl Default for SampleRate {
    fn default() -> Self {
        SampleRate { millionths: PERCENT }
    }
}

impl Display for SampleRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:04}", self.millionths / PERCENT, self.millionths % PERCENT);
        write!(f, "{}%", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for SampleRate {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<SampleRate, Invalid> {
        let parse = || {
            let (whole, part) = match text.strip_suffix('%')?.split_once('.') {
                Some((whole, part)) => (whole, part),
                None => (text.strip_suffix('%')?, ""),
            };
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if whole.is_empty() || whole.len() > 3 || part.len() > 4 || !digits(whole) || !digits(part) {
                return None;
            }
            let part: u32 = format!("{part:0<4}").parse().ok()?;
            let millionths = whole.parse::<u32>().ok()? * PERCENT + part;
            (millionths <= MILLION).then_some(SampleRate { millionths })
        };
        parse().ok_or_else(|| Invalid(SampleRate::valid()))
    }
}

impl Value for SampleRate {
    fn valid() -> String {
        "a percentage from 0% to 100%, such as 1% or 0.25%".to_owned()
    }
}

/// For how long an access is watched, such as `15ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleLimit {
    milliseconds: u32,
}

impl SampleLimit {
    /// The time.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds.into())
    }
}

/// As in the paper, and in DataCollider's.
impl Default for SampleLimit {
    fn default() -> Self {
        SampleLimit { milliseconds: 15 }
    }
}

impl Display for SampleLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.milliseconds)
    }
}

impl FromStr for SampleLimit {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<SampleLimit, Invalid> {
        let milliseconds = text.strip_suffix("ms").and_then(|number| number.parse().ok());
        match milliseconds {
            Some(milliseconds @ 1..=60_000) => Ok(SampleLimit { milliseconds }),
            _ => Err(Invalid(SampleLimit::valid())),
        }
    }
}

impl Value for SampleLimit {
    fn valid() -> String {
        "a time from 1ms to 60000ms".to_owned()
    }
}

options! {
    /// What is sampled.
    pub struct SamplingOptions {
        /// Which part of all places.
        "sample-rate" => rate: SampleRate,
        /// For how long an access is watched.
        "sample-limit" => limit: SampleLimit,
        /// Which places: the same ones for the same seed; without, others in each JVM.
        "sample-seed" => seed: Option<u64>,
        /// The places to sample, instead of some of all.
        "sample-sites" => sites: Option<FileName>,
        /// What notices the second access.
        "watchpoints" => watched_by: WatchedBy,
        /// Which part of the program's processor time sampling may take.
        "sample-overhead" => overhead: SampleRate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_limits_are_read_as_they_are_written() {
        for (text, millionths) in [("1%", 10_000), ("0.25%", 2_500), ("100%", 1_000_000), ("0%", 0), ("0.0001%", 1)] {
            let rate: SampleRate = text.parse().unwrap();
            assert_eq!((rate.millionths(), rate.to_string().as_str()), (millionths, text));
        }
        for wrong in ["", "%", "1", "101%", "-1%", "1.00001%", "1e1%", ".5%", "100.1%", "+1%"] {
            assert!(wrong.parse::<SampleRate>().is_err(), "{wrong}");
        }
        assert_eq!("30ms".parse::<SampleLimit>().unwrap().duration(), Duration::from_millis(30));
        for wrong in ["0ms", "15", "15s", "60001ms", "ms", "-1ms"] {
            assert!(wrong.parse::<SampleLimit>().is_err(), "{wrong}");
        }
    }
}
