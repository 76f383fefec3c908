//! The JDK's run-time image (`lib/modules`): which packages are the JDK's.
//!
//! Names do not say it: libraries on the class path have packages of `javax` and `com.sun` too. The image begins with a header
//! and tables of some 1.5 MB, and only these are read, once, when somebody first asks about a doubtful name.
//!
//! What it can get wrong: an image that `jlink` made for a program has that program's packages as well.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
/// The header: magic, version, flags, resources, length of the table, sizes of the locations and of the strings.
const HEADER: usize = 28;
/// No image comes near this; a file that says otherwise is damaged.
const LARGEST: u64 = 1 << 28;
/// Attributes of a location: which string is the package and which the ending of the resource's name.
const PARENT: u8 = 2;
const ENDING: u8 = 4;

/// The packages of the image of a JDK, by internal name.
pub(crate) fn packages(home: &Path) -> Result<HashSet<String>> {
    read(&mut File::open(home.join("lib/modules"))?)
}

fn read(image: &mut impl Read) -> Result<HashSet<String>> {
    let mut header = [0; HEADER];
    image.read_exact(&mut header)?;
    let word = |at: usize| header.get(at..at + 4).map_or(0, little_endian);
    let (table, locations, strings) = (u64::from(word(16)), u64::from(word(20)), u64::from(word(24)));
    if word(0) != MAGIC || 8 * table + locations + strings > LARGEST {
        return Err(damaged());
    }
    let mut part = |size: u64| {
        let mut bytes = Vec::new();
        image.take(size).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == size { Ok(bytes) } else { Err(damaged()) }
    };
    part(4 * table)?;
    let offsets = part(4 * table)?;
    let locations = part(locations)?;
    let strings = part(strings)?;
    let mut found = HashSet::new();
    for offset in offsets.chunks_exact(4) {
        let location = locations.get(little_endian(offset) as usize..).ok_or_else(damaged)?;
        let [parent, ending] = attributes(location).ok_or_else(damaged)?.map(|at| text(&strings, at));
        let (parent, ending) = (parent.ok_or_else(damaged)?, ending.ok_or_else(damaged)?);
        if ending == b"class" && !parent.is_empty() {
            let parent = std::str::from_utf8(parent).map_err(|_| damaged())?;
            if !found.contains(parent) {
                found.insert(parent.to_owned());
            }
        }
    }
    Ok(found)
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// Where the strings of a location's package and ending start. An attribute is a byte with its kind and length, then its
/// value, the highest byte first; a kind of 0 is the end.
fn attributes(mut location: &[u8]) -> Option<[usize; 2]> {
    let mut found = [0; 2];
    loop {
        let (&first, rest) = location.split_first()?;
        let (kind, length) = (first >> 3, usize::from(first & 7) + 1);
        if kind == 0 {
            return Some(found);
        }
        let value = rest.get(..length)?.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        match kind {
            PARENT => found[0] = usize::try_from(value).ok()?,
            ENDING => found[1] = usize::try_from(value).ok()?,
            _ => {}
        }
        location = rest.get(length..)?;
    }
}

/// The string that starts here, up to its zero byte.
fn text(strings: &[u8], at: usize) -> Option<&[u8]> {
    let rest = strings.get(at..)?;
    rest.get(..rest.iter().position(|&byte| byte == 0)?)
}

fn damaged() -> Error {
    Error::new(ErrorKind::InvalidData, "lib/modules is no image of modules, or is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image with these resources: package and ending.
    fn image(resources: &[(&str, &str)]) -> Vec<u8> {
        let (mut strings, mut locations, mut offsets) = (vec![0], Vec::new(), Vec::new());
        let mut string = |text: &str| {
            let at = strings.len() as u16;
            strings.extend_from_slice(text.as_bytes());
            strings.push(0);
            at.to_be_bytes()
        };
        for (package, ending) in resources {
            offsets.push(locations.len() as u32);
            for (kind, at) in [(PARENT, string(package)), (ENDING, string(ending))] {
                locations.push(kind << 3 | 1);
                locations.extend_from_slice(&at);
            }
            locations.push(0);
        }
        let count = resources.len() as u32;
        let header = [MAGIC, 1 << 16, 0, count, count, locations.len() as u32, strings.len() as u32];
        let tables = header.into_iter().chain(offsets.iter().map(|_| 0)).chain(offsets.iter().copied());
        let mut bytes: Vec<u8> = tables.flat_map(u32::to_le_bytes).collect();
        bytes.extend(locations);
        bytes.extend(strings);
        bytes
    }

    #[test]
    fn packages_are_those_with_classes() {
        let bytes = image(&[("java/lang", "class"), ("javax/naming", "class"), ("only/resources", "properties")]);
        let found = read(&mut bytes.as_slice()).unwrap();
        assert!(found.contains("java/lang") && found.contains("javax/naming") && found.len() == 2, "{found:?}");
    }

    #[test]
    fn damaged_images_are_errors() {
        let whole = image(&[("java/lang", "class"), ("javax/naming", "class")]);
        for length in 0..whole.len() {
            assert!(read(&mut &whole[..length]).is_err(), "cut at {length}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                // Other names, or an error, and no panic.
                let _ = read(&mut damaged.as_slice());
            }
        }
    }
}
