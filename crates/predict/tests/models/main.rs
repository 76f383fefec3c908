//! The models against the enumeration of all feasible runs.

mod mc;
mod opaque;
mod rdit;
mod traces;
mod windows;
