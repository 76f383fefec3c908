//! Options of concolic execution.

use crate::files::FileName;
use crate::group::options;

options! {
    /// Which inputs a program has.
    pub struct ConcolicOptions {
        /// The inputs and their values.
        "inputs" => inputs: Option<FileName>,
        /// Where the decisions go that depended on them; without, methods that are inputs give their values, and that is all.
        "path" => path: Option<FileName>,
    }
}
