//! The models against the enumeration of all feasible runs.

mod left_out;
mod mc;
mod opaque;
mod rdit;
mod stream;
mod traces;
mod windows;
