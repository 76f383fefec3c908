//! `libautodrome.so`: weaves classes as a JVM loads them and runs FastTrack inside the process.
//!
//! Class bytes go through `weave`; woven code calls the shim (shim/, Java, carried in this library); the shim calls
//! native methods when an access is not in its thread's epoch, or synchronizes; they decide with `runtime` and report.
//!
//! Invariants: the program behaves as without us, only slower. Nothing is written to stdout. Only `ffi` has unsafe code,
//! and all that the JVM calls goes through [`entry::entry`]. No lock of ours is held while the JVM is asked for
//! anything that can run Java code or wait for it.
//!
//! Arrays have numbers in their headers and shadows outside the heap (docs/adr/0003-arrays.md). Other objects are known by
//! JVMTI tags, which are right on every collector but cost tens of nanoseconds; an id in the mark word is to replace
//! them for locks and volatile fields. Tags of dead objects, other than arrays, are not used again.

mod accesses;
mod agent;
mod annotations;
mod archive;
mod arrays;
mod blocks;
mod calls;
mod covered;
mod debug;
mod depth;
mod ending;
mod engine;
mod entry;
mod ffi;
mod fields;
mod files;
mod frozen;
mod given;
mod image;
mod io;
mod java_version;
mod jdk;
mod locks;
mod nesting;
mod objects;
mod options;
mod otlp;
mod output;
mod owners;
mod pause;
mod races;
mod room;
mod scope;
mod shadow;
mod sites;
mod stacks;
mod weaving;
mod work;
