//! The name of a race that stays the same from run to run: `R-xxxxxxxx`.
//!
//! It is made of the variable (class and field, or the element type of an array) and the two methods, in either order.
//! Lines, objects and threads take no part, so an unrelated edit keeps the name. Nor do the numbers that a compiler gives
//! lambdas and anonymous classes (`lambda$main$0`, `Main$1`): one more of them further up changes those of all others. The
//! agent names these by the method that makes them and their order there (docs/adr/0057-ids-of-races.md); where it cannot, the
//! number is left out.

use std::borrow::Cow;
use std::fmt;

/// A race's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u32);

impl Fingerprint {
    /// The name of the race on `variable` between two methods, each with its class.
    #[must_use]
    pub fn of(variable: &str, one: &str, two: &str) -> Self {
        let (one, two) = (unnumbered(one), unnumbered(two));
        let (first, second) = if one <= two { (&*one, &*two) } else { (&*two, &*one) };
        // A field's own name is the program's: only its class may have a number.
        let (class, field) = variable.split_at(variable.rfind('.').unwrap_or(0));
        let variable = &format!("{}{field}", unnumbered(class));
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for part in [variable, first, second] {
            // 64-bit FNV-1a; a zero byte ends each part, so that no two lists of parts read the same.
            for byte in part.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Fingerprint((hash >> 32) as u32 ^ hash as u32)
    }
}

/// A name without the digits behind each `$`.
fn unnumbered(name: &str) -> Cow<'_, str> {
    let mut parts = name.split('$');
    let first = parts.next().unwrap_or_default();
    let digits = |part: &str| part.starts_with(|letter: char| letter.is_ascii_digit());
    if !parts.clone().any(digits) {
        return Cow::Borrowed(name);
    }
    let rest = parts.map(|part| part.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    Cow::Owned(rest.fold(first.to_owned(), |name, part| name + "$" + part))
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "R-{:08x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_methods_does_not_matter_and_all_else_does() {
        let name = Fingerprint::of("a.B.f", "a.B.get()I", "a.B.set(I)V");
        assert_eq!(name, Fingerprint::of("a.B.f", "a.B.set(I)V", "a.B.get()I"));
        assert_ne!(name, Fingerprint::of("a.B.g", "a.B.get()I", "a.B.set(I)V"));
        assert_ne!(name, Fingerprint::of("a.B.f", "a.B.get()I", "a.B.get()I"));
        assert_ne!(Fingerprint::of("ab", "c", "d"), Fingerprint::of("a", "bc", "d"));
        assert_eq!(name.to_string().len(), 10);
        assert_eq!(name.to_string(), "R-34616435", "names must not change: baselines hold them");
    }

    #[test]
    fn numbers_of_the_compiler_take_no_part() {
        let name = |class: u32, lambda: u32| {
            Fingerprint::of(
                &format!("a.B${class}.f$1"),
                &format!("a.B${class}.run"),
                &format!("a.B.lambda$go${lambda}"),
            )
        };
        assert_eq!(name(1, 0), name(2, 13));
        assert_ne!(
            name(1, 0),
            Fingerprint::of("a.B$1.f$2", "a.B$1.run", "a.B.lambda$go$0"),
            "a field's own number counts"
        );
        assert_ne!(name(1, 0), Fingerprint::of("a.B$1.f$1", "a.B$1.run", "a.B.lambda$stop$0"));
        assert_ne!(Fingerprint::of("x$1", "m1", "m2"), Fingerprint::of("x$2", "m1", "m2"), "a name of a trace");
        assert_eq!(unnumbered("a.B$12$C$1D.get"), "a.B$$C$D.get");
    }
}
