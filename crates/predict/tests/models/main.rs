//! The models against the enumeration of all feasible runs.

mod mc;
mod rdit;
mod traces;
mod windows;
