//! Groups of options: how their rows become a struct that can be read and written.

use std::fmt::Display;
use std::str::FromStr;

/// A value is not valid; what is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub(crate) String);

/// The type of a value.
pub(crate) trait Value: Display + FromStr {
    /// Which values are valid, for error messages.
    fn valid() -> String;
}

impl Value for u64 {
    fn valid() -> String {
        "a number".to_owned()
    }
}

/// Reads one value.
fn read<T: Value>(text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|_| Invalid(T::valid()))
}

/// A field that an option sets.
pub(crate) trait Setting {
    /// Takes in one value of the option.
    fn take(&mut self, text: &str) -> Result<(), Invalid>;

    /// The values that set the field to what it is, starting from nothing.
    fn values(&self) -> Vec<String>;
}

/// The last value counts.
impl<T: Value> Setting for T {
    fn take(&mut self, text: &str) -> Result<(), Invalid> {
        *self = read(text)?;
        Ok(())
    }

    fn values(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

/// The last value counts.
impl<T: Value> Setting for Option<T> {
    fn take(&mut self, text: &str) -> Result<(), Invalid> {
        *self = Some(read(text)?);
        Ok(())
    }

    fn values(&self) -> Vec<String> {
        self.iter().map(T::to_string).collect()
    }
}

/// All values count.
impl<T: Value> Setting for Vec<T> {
    fn take(&mut self, text: &str) -> Result<(), Invalid> {
        self.push(read(text)?);
        Ok(())
    }

    fn values(&self) -> Vec<String> {
        self.iter().map(T::to_string).collect()
    }
}

/// Options that belong together.
pub(crate) trait Group: Default {
    /// Takes in an option; `None` if no option of the group has the key.
    fn take(&mut self, key: &str, value: &str) -> Option<Result<(), Invalid>>;

    /// The options that differ from their defaults, as key and value.
    fn given(&self) -> Vec<(&'static str, String)>;

    /// The keys of all options.
    fn keys() -> Vec<&'static str>;
}

/// Declares a group of options from rows `"key" => field: Type = default`, and after them groups that it contains.
/// Without a default it is the type's. An option that can be given many times is a `Vec`, one that may be absent an
/// `Option`; their defaults are empty.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $group:ident {
            $($(#[$field_meta:meta])* $key:literal => $field:ident: $type:ty $(= $default:expr)?,)*
            $(..
                $($(#[$part_meta:meta])* $part:ident: $part_type:ty,)+
            )?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $group {
            $($(#[$field_meta])* pub $field: $type,)*
            $($($(#[$part_meta])* pub $part: $part_type,)+)?
        }

        impl Default for $group {
            fn default() -> $group {
                $group {
                    $($field: $crate::group::options!(@default $($default)?),)*
                    $($($part: Default::default(),)+)?
                }
            }
        }

        impl $crate::group::Group for $group {
            fn take(&mut self, key: &str, value: &str) -> Option<Result<(), $crate::group::Invalid>> {
                match key {
                    $($key => Some($crate::group::Setting::take(&mut self.$field, value)),)*
                    _ => {
                        $($(if let Some(taken) = $crate::group::Group::take(&mut self.$part, key, value) {
                            return Some(taken);
                        })+)?
                        None
                    }
                }
            }

            fn given(&self) -> Vec<(&'static str, String)> {
                let default = $group::default();
                let mut given = Vec::new();
                $(if self.$field != default.$field {
                    given.extend($crate::group::Setting::values(&self.$field).into_iter().map(|value| ($key, value)));
                })*
                $($(given.extend($crate::group::Group::given(&self.$part));)+)?
                given
            }

            fn keys() -> Vec<&'static str> {
                #[allow(unused_mut)]
                let mut keys = vec![$($key),*];
                $($(keys.extend(<$part_type as $crate::group::Group>::keys());)+)?
                keys
            }
        }
    };
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
}

pub(crate) use options;
