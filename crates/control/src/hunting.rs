//! Options of hunts.

use crate::files::FileName;
use crate::group::options;

options! {
    /// What a hunt asks of a JVM.
    pub struct HuntOptions {
        /// The plan that is carried out; without, nobody is held back.
        "plan" => plan: Option<FileName>,
        /// Where the outcome goes.
        "outcome" => outcome: Option<FileName>,
    }
}
