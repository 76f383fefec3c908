//! Options that have a few values, each with a name.

/// An option with a few values.
pub trait Choice: Copy + 'static {
    /// All values and their names.
    const ALL: &'static [(&'static str, Self)];
}

/// The names of all values, for error messages.
pub(crate) fn names<T: Choice>() -> String {
    T::ALL.iter().map(|(name, _)| *name).collect::<Vec<&str>>().join(", ")
}

/// Declares an enum whose values have names: `Choice`, `Display` and `FromStr` follow from the one list.
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$value_meta:meta])* $value:ident = $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$value_meta])* $value,)+
        }

        impl $crate::choice::Choice for $type {
            const ALL: &'static [(&'static str, $type)] = &[$(($name, $type::$value)),+];
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($type::$value => $name,)+ })
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::group::Invalid;

            fn from_str(text: &str) -> Result<$type, $crate::group::Invalid> {
                match text {
                    $($name => Ok($type::$value),)+
                    _ => Err($crate::group::Invalid(<$type as $crate::group::Value>::valid())),
                }
            }
        }

        impl $crate::group::Value for $type {
            fn valid() -> String {
                format!("one of {}", $crate::choice::names::<$type>())
            }
        }
    };
}

pub(crate) use choices;
