//! Memory fences that the program calls: `VarHandle`'s and both `Unsafe`'s.

use super::Hook;

/// What a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// Reads before it come before all that follows: `acquireFence`, `loadLoadFence`, `loadFence`.
    Acquire,
    /// All that precedes it comes before writes after it: `releaseFence`, `storeStoreFence`, `storeFence`.
    Release,
    /// Both: `fullFence`.
    Full,
}

impl Fence {
    /// The hook before the call of such a fence.
    pub(crate) fn hook(self) -> Hook {
        match self {
            Fence::Acquire => Hook::AcquireFence,
            Fence::Release => Hook::ReleaseFence,
            Fence::Full => Hook::FullFence,
        }
    }
}

/// The class of VarHandles.
pub(crate) const VAR_HANDLE: &[u8] = b"java/lang/invoke/VarHandle";

/// The two classes of unsafe accesses.
pub(crate) const UNSAFES: [&[u8]; 2] = [b"sun/misc/Unsafe", b"jdk/internal/misc/Unsafe"];

/// The fence that a call names, by owner, name and descriptor, if it is one.
pub(crate) fn fence(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Fence> {
    if descriptor != b"()V" || owner != VAR_HANDLE && !UNSAFES.contains(&owner) {
        return None;
    }
    match name {
        b"acquireFence" | b"loadLoadFence" | b"loadFence" => Some(Fence::Acquire),
        b"releaseFence" | b"storeStoreFence" | b"storeFence" => Some(Fence::Release),
        b"fullFence" => Some(Fence::Full),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_known_by_class_and_name() {
        assert_eq!(fence(VAR_HANDLE, b"releaseFence", b"()V"), Some(Fence::Release));
        assert_eq!(fence(UNSAFES[0], b"loadFence", b"()V"), Some(Fence::Acquire));
        assert_eq!(fence(UNSAFES[1], b"fullFence", b"()V"), Some(Fence::Full));
        assert_eq!(fence(b"Own", b"fullFence", b"()V"), None);
        assert_eq!(fence(UNSAFES[0], b"allocateMemory", b"(J)J"), None);
    }
}
