//! Controlled runs of simulated programs: properties against exhaustive search, statistics of the policies, schedules as files.

mod divergences;
mod files;
mod hidden;
mod invariants;
mod machine;
mod minimised;
mod oracle;
mod programs;
mod statistics;
