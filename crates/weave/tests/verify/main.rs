//! Woven classes in real JVMs, and broken classes.

#[path = "../../src/assemble.rs"]
mod assemble;
mod assembled;
mod boot;
mod confined;
mod events;
mod jdk;
mod loops;
mod malformed;
mod programs;
mod shadows;
mod stage;
mod unsafe_methods;
