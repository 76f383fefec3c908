//! Races for people and machines.
