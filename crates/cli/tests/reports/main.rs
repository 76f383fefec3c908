//! Reports of real runs: every form, every gate, every exit code, a real browser, a real build.

mod forms;
mod gates;
#[path = "../common/host.rs"]
mod host;
mod maven;
mod page;
mod schema;
mod signals;
mod stage;
