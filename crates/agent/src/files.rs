//! Files that the agent makes or adds to, safe also where every user may write.
//!
//! In such a folder (one for temporary files) another user can put a file or a symbolic link at a name that can be guessed,
//! and a JVM of root would follow it. There, the agent opens only what it makes itself, what this user owns and what root
//! owns: with the sticky bit nobody else can exchange these afterwards.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const WRITABLE_BY_ALL: u32 = 0o002;
const OF_USER_ALONE: u32 = 0o600;

/// A file that lines are added to; an error names it.
pub(crate) fn appending(path: &Path) -> io::Result<File> {
    open(path, File::options().append(true))
}

/// A file that starts empty, whatever was in it; an error names it.
pub(crate) fn emptied(path: &Path) -> io::Result<File> {
    open(path, File::options().write(true).truncate(true))
}

/// Makes a file of a random name in a folder, for this user alone.
pub(crate) fn random(folder: &Path, prefix: &str) -> io::Result<PathBuf> {
    loop {
        let path = folder.join(format!("{prefix}-{:016x}", RandomState::new().hash_one(prefix)));
        match File::options().write(true).create_new(true).mode(OF_USER_ALONE).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let opened = match how.clone().create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            check_owner(path).and_then(|()| how.create(true).open(path))
        }
        opened => opened,
    };
    opened.map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
}

/// Refuses what another user put into a folder that all may write to; of a link, the link itself counts.
fn check_owner(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if fs::metadata(folder)?.mode() & WRITABLE_BY_ALL == 0 {
        return Ok(());
    }
    let owner = fs::symlink_metadata(path)?.uid();
    if owner == rustix::process::geteuid().as_raw() || owner == 0 {
        return Ok(());
    }
    let what = format!("user {owner} owns it, and all may write to this folder");
    Err(io::Error::new(ErrorKind::PermissionDenied, what))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

    use super::*;

    const OTHER_USER: u32 = 65_534;

    /// Only root can make files of another user.
    fn is_root() -> bool {
        rustix::process::geteuid().is_root()
    }

    #[test]
    fn a_link_of_another_user_is_not_followed() {
        let (folder, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
        let (link, planted) = (folder.path().join("report-7.jsonl"), folder.path().join("planted"));
        let precious = own.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        symlink(&precious, &link).unwrap();
        assert!(appending(&link).is_ok(), "a link of one's own");
        fs::write(&planted, "").unwrap();
        if is_root() {
            lchown(&link, Some(OTHER_USER), None).unwrap();
            chown(&planted, Some(OTHER_USER), None).unwrap();
            for refused in [appending(&link), emptied(&link), appending(&planted), emptied(&planted)] {
                let error = refused.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::PermissionDenied);
                assert!(error.to_string().contains("user 65534 owns it"), "{error}");
            }
        }
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
        // In a folder that only some may write to, its owner decides.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(appending(&planted).is_ok());
    }

    #[test]
    fn new_files_are_made_and_old_ones_are_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(appending(&path).is_ok() && appending(&path).is_ok());
        fs::write(&path, "old").unwrap();
        drop(emptied(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        assert!(appending(&folder.path().join("no/such/folder")).unwrap_err().to_string().contains("no/such/folder"));
        let (one, two) = (random(folder.path(), "break").unwrap(), random(folder.path(), "break").unwrap());
        assert_ne!(one, two);
        assert_eq!(fs::metadata(one).unwrap().mode() & 0o777, 0o600);
    }
}
