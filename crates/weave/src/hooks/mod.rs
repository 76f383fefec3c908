//! The hooks: what each is called and what it takes. The shim has a static method for each of them.
//!
//! [`table`] has a row for each hook. Woven code calls the class of the shim that the row names. A hook whose row says that it
//! takes the calling context gets the value of its method, with [`Passes::CONTEXTS`](crate::Passes::CONTEXTS) and in a method
//! that makes calls. A method without calls has no value of its own; it calls the hook's namesake in [`FACADE`], which the
//! agent's build writes: it finds the value where the caller stored it. `crates/agent/build.rs` reads the table, and a test
//! holds the shim against it.
//!
//! No hook may throw. A receiver can be null in a hook that stands before its instruction: volatile and late writes,
//! writes of elements that synchronize, `monitorexit` and calls. Of `Object.wait` the hook afterwards runs at a normal
//! return only; a shim that wants the interrupted wait too marks the thread in [`Hook::BeforeWait`] so that its next
//! hook of any kind acquires.

mod calls;
mod controlled;
mod fences;
mod methods;
mod opaque;
mod points;
mod quiet;
mod ranges;
mod replacements;
mod row;
mod shadow;
mod table;
mod ticks;
mod volatiles;

pub(crate) use calls::may_be_ruled;
pub use calls::{CALLS, CallRule, QUIET_CALLEES};
pub use controlled::{CONTROL_SHIM, CONTROLLED, Controlled};
pub(crate) use controlled::{controlled, is_shared_callee};
pub(crate) use fences::{Fence, UNSAFES, VAR_HANDLE, fence};
pub use methods::{METHODS, MethodRule, OVERRIDES, Override, Subject, has_rules};
pub(crate) use methods::{bootstrap_rule, channel_rule, method_rule};
pub(crate) use opaque::{Callee, callee, may_be_of_jdk, takes_simple};
pub use opaque::{RECORDED, is_constant, is_recorded};
pub(crate) use points::point_rule;
pub use points::{POINTS, PointRule};
pub use quiet::{LOOK_UP_CALLS, LOOK_UPS, QUIET};
pub(crate) use ranges::range_rule;
pub use ranges::{Owner, RANGES, RangeRule, Value};
pub(crate) use replacements::replacement;
pub use replacements::{Operation, Order, REPLACEMENTS, Replacement, UNSAFE_SHIM};
pub use row::{Caller, DEFAULTS, FACADE, Parameter, Row};
pub use shadow::{CELL_DESCRIPTOR, FREEZE_WORD, SHADOW_DESCRIPTOR, SHADOW_MARK, Shadow, shadow_name};
pub use table::Hook;
pub(crate) use ticks::Ticking;
pub use volatiles::{SCANNED_JDKS, is_listed_volatile};
