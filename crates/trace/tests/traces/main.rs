//! Traces through all formats, whole and damaged.

mod blocks;
mod common;
mod damage;
mod files;
mod foresight;
mod lines;
mod round_trip;
