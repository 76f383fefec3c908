//! Traces through all formats, whole and damaged.

mod common;
mod damage;
mod files;
mod lines;
mod round_trip;
