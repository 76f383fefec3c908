//! Reports of real runs: every form, every gate, every exit code, a real browser, real builds, every command of the documents.

mod commands;
mod dist;
mod documents;
mod forms;
mod gates;
mod gradle;
#[path = "../common/host.rs"]
mod host;
mod maven;
mod named;
mod page;
mod plugin;
mod schema;
mod signals;
mod stage;
