//! The gate and its nudges under simulated programs: properties, the figures of the paper, files.

mod figure2;
mod files;
mod machine;
mod printed;
mod properties;
mod racefuzzer;
