//! How the agent reads its options (`control` has them): what is said of them that only the agent knows.

use std::time::{SystemTime, UNIX_EPOCH};

use control::{AgentOptions, Process};

use crate::scope;

/// Reads the list that the JVM passed on.
pub(crate) fn read(text: &str) -> Result<AgentOptions, String> {
    let options = AgentOptions::read(text).map_err(|error| error.to_string())?;
    let of_jdk = |name: &&control::Name| scope::is_jdk(&format!("{}/", name.as_str().replace('.', "/")));
    match options.recording.hide.iter().find(of_jdk) {
        Some(name) => Err(format!("`hide={name}`: classes of the JDK cannot be hidden, the agent sees inside them")),
        None => Ok(options),
    }
}

/// This process, for names of files.
pub(crate) fn this_process() -> Process {
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    Process { pid: std::process::id(), started }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["mode", "mode=fast", "colour=red", "hide=java.util", "hide=java", "hide=jdk.internal.*"] {
            assert!(read(wrong).unwrap_err().contains(wrong));
        }
    }
}
