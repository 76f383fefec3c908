//! Shadow fields: what is kept beside a field, and under which name.

/// The end of a shadow field's name before the tag of the original's type; see [`shadow_name`].
pub const SHADOW_MARK: &str = "$autodrome$";

/// The freeze word of a class with final fields, a `long`: when and where the constructor of an object ended.
pub const FREEZE_WORD: &str = "freeze$autodrome$z";

/// The descriptor of a shadow field that is a word for the detector.
pub const SHADOW_DESCRIPTOR: &str = "J";

/// The descriptor of a cell.
pub const CELL_DESCRIPTOR: &str = "Ljava/lang/Object;";

/// What a shadow field keeps of its original. Reads and writes have a word each, so that one swap replaces the epoch and
/// the context of an access together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// The last reads of a field that can race.
    Reads,
    /// The last write of such a field.
    Write,
    /// The past that a reader of a volatile field acquires: its cell.
    Cell,
    /// None: the name of the field of this object in a recording, an `int`.
    Name,
}

impl Shadow {
    /// The two of a field that can race.
    pub const WORDS: [Shadow; 2] = [Shadow::Reads, Shadow::Write];

    /// The descriptor of such a shadow.
    #[must_use]
    pub const fn descriptor(self) -> &'static str {
        match self {
            Shadow::Reads | Shadow::Write => SHADOW_DESCRIPTOR,
            Shadow::Cell => CELL_DESCRIPTOR,
            Shadow::Name => "I",
        }
    }

    fn letter(self) -> u8 {
        match self {
            Shadow::Reads => b'r',
            Shadow::Write => b'w',
            Shadow::Cell => b'v',
            Shadow::Name => b'n',
        }
    }
}

/// The name of a shadow of a field.
///
/// Two fields of a class may share a name if their types differ (obfuscators do it), so the type takes part: a
/// primitive's letter, or a hash of the descriptor.
#[must_use]
pub fn shadow_name(name: &[u8], descriptor: &[u8], of: Shadow) -> Vec<u8> {
    let mut shadow = Vec::with_capacity(name.len() + SHADOW_MARK.len() + 9);
    shadow.extend_from_slice(name);
    shadow.extend_from_slice(SHADOW_MARK.as_bytes());
    shadow.push(of.letter());
    match descriptor {
        &[primitive] => shadow.push(primitive),
        reference => {
            // 32-bit FNV-1a.
            let hash = reference
                .iter()
                .fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            shadow.extend((0..8).rev().map(|digit| b"0123456789abcdef"[(hash >> (4 * digit)) as usize & 15]));
        }
    }
    shadow
}
