//! Woven classes in real JVMs, and broken classes.

mod malformed;
mod programs;
mod stage;
