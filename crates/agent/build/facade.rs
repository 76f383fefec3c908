//! Writes `AutodromeShim.java`: for each hook that takes the calling context, its namesake for methods that have none.

use weave::hooks::{Caller, FACADE, Hook};

/// The class's source.
pub(crate) fn source() -> String {
    let methods: String = Hook::ALL.iter().filter(|hook| hook.row().takes_context).map(|&hook| method(hook)).collect();
    let class = FACADE.rsplit('/').next().unwrap_or_default();
    format!(
        "package java.lang;\n\nimport jdk.internal.vm.annotation.ForceInline;\n\n\
         /** The hooks that take the calling context, for callers that have none; written by crates/agent/build.rs. */\n\
         public final class {class} {{\n    private {class}() {{}}\n{methods}}}\n"
    )
}

fn method(hook: Hook) -> String {
    let row = hook.row();
    let arguments: String = hook.parameters().iter().map(|parameter| format!("{}, ", parameter.name)).collect();
    let gives = if row.gives == "void" { "" } else { "return " };
    format!(
        "\n    @ForceInline\n    {} {{\n        {gives}Autodrome{}.{}({arguments}site, Thread.currentThread().autodrome$context);\n    }}\n",
        hook.declaration(Caller::WithoutContext),
        row.class,
        row.name,
    )
}
