//! Which file each JVM of a run records to.

use std::fs::File;
use std::path::{Path, PathBuf};

/// Where a JVM records to: the file itself for whoever makes the file `claim` first, else one with the pid in its name.
pub(crate) fn claimed(path: &Path, claim: Option<&Path>, pid: u32) -> PathBuf {
    match claim {
        Some(claim) if File::create_new(claim).is_err() => {
            let mut name = path.file_stem().unwrap_or_default().to_owned();
            name.push(format!(".{pid}"));
            if let Some(extension) = path.extension() {
                name.push(".");
                name.push(extension);
            }
            path.with_file_name(name)
        }
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_jvm_gets_the_file_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (claim, path) = (folder.path().join("claim"), Path::new("/a/t.adt"));
        assert_eq!(claimed(path, Some(&claim), 7), path);
        assert_eq!(claimed(path, Some(&claim), 8), Path::new("/a/t.8.adt"));
        assert_eq!(claimed(Path::new("/a/t"), Some(&claim), 9), Path::new("/a/t.9"));
        assert_eq!(claimed(path, None, 9), path);
    }
}
