//! `autodrome completions` and `autodrome man`: what a package installs beside the program.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::Outcome;
use crate::{Result, out};

/// Writes completions for a shell to stdout.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut command: Command) -> Result {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "autodrome", &mut text);
        out::write(None, String::from_utf8_lossy(&text).trim_end())?;
        Ok(Outcome::Clean)
    }
}

/// Writes the manual page, in roff, to stdout: of all commands, or of one.
#[derive(Args)]
pub(crate) struct Man {
    /// The command [default: all of them, in short].
    command: Option<String>,
}

impl Man {
    pub(crate) fn run(&self, command: Command) -> Result {
        let page = match &self.command {
            None => command,
            Some(name) => match command.find_subcommand(name) {
                Some(found) => {
                    found.clone().display_name(format!("autodrome-{name}")).bin_name(format!("autodrome {name}"))
                }
                None => anyhow::bail!("there is no command {name}"),
            },
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page).render(&mut text)?;
        out::write(None, String::from_utf8_lossy(&text).trim_end())?;
        Ok(Outcome::Clean)
    }
}
