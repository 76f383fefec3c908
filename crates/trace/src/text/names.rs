//! Names to ids.

use model::{LockId, MessageId, MethodId, SiteId, ThreadId, VarId};

use super::Problem;
use super::intern::Interner;
use crate::{LockInfo, MessageInfo, MethodInfo, SiteInfo, Tables, ThreadInfo, VarInfo};

/// The names that came up so far, and the tables that they make.
///
/// Invariant: each interner has as many names as its table has entries.
#[derive(Default)]
pub(super) struct Names {
    pub(super) tables: Tables,
    threads: Interner,
    vars: Interner,
    locks: Interner,
    messages: Interner,
    sites: Interner,
    methods: Interner,
}

macro_rules! names {
    ($($find:ident $declare:ident($id:ident, $info:ident) in $table:ident;)*) => {
        impl Names {
            $(
                /// The id of a name; a new one has an entry that says no more than the name.
                #[inline]
                pub(super) fn $find(&mut self, name: &[u8]) -> Result<$id, Problem> {
                    let rows = &mut self.tables.$table;
                    self.$table.intern(name, |name| rows.push($info::named(name))).map($id)
                }

                /// Gives a name that has not come up yet an entry.
                pub(super) fn $declare(&mut self, name: &[u8], info: $info) -> Result<(), Problem> {
                    if self.$table.contains(name) {
                        return Err(Problem::new("a name that has not come up before", name));
                    }
                    let rows = &mut self.tables.$table;
                    self.$table.intern(name, |_| rows.push(info)).map(drop)
                }
            )*
        }
    };
}

names! {
    thread declare_thread(ThreadId, ThreadInfo) in threads;
    var declare_var(VarId, VarInfo) in vars;
    lock declare_lock(LockId, LockInfo) in locks;
    message declare_message(MessageId, MessageInfo) in messages;
    site declare_site(SiteId, SiteInfo) in sites;
    method declare_method(MethodId, MethodInfo) in methods;
}
