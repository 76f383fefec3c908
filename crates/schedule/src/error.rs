//! What can be wrong with a file of a schedule.

/// A file is no plan, or no outcome, of this version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The bytes are not JSON, or not of this shape.
    #[error("not an {schema} file: {why}")]
    Malformed {
        /// The schema that was expected.
        schema: &'static str,
        /// What is wrong, and where.
        why: String,
    },
    /// The file says that it is of another kind or version.
    #[error("the file's schema is {found:?}, expected {expected:?}")]
    OtherSchema {
        /// The schema that was expected.
        expected: &'static str,
        /// The schema that the file names.
        found: String,
    },
    /// A value is beyond what makes sense.
    #[error("{schema}: {field} is {found}, which is not {expected}")]
    OutOfRange {
        /// The schema.
        schema: &'static str,
        /// The field.
        field: &'static str,
        /// Its value.
        found: u64,
        /// Which values there are.
        expected: &'static str,
    },
}
