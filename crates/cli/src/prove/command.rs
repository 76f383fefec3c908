//! The command that is proved, and how a value gets into it: `java OPTIONS Main ARGS` with another argument or property.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use concolic::{Domain, Inputs, Source, Spec, Type};

/// Options of `java` whose value is the next word.
const WITH_VALUE: [&str; 16] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--enable-native-access",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--patch-module",
    "--source",
    "--describe-module",
    "-d",
];

/// A command, and where its `main` gets its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JavaCommand {
    words: Vec<OsString>,
    /// The place of `args[0]`, if it is a command of `java`.
    first: Option<usize>,
}

impl JavaCommand {
    pub(super) fn new(words: Vec<OsString>) -> JavaCommand {
        let is_java =
            words.first().is_some_and(|program| Path::new(program).file_name().is_some_and(|name| name == "java"));
        let first = is_java.then(|| arguments_at(&words)).flatten();
        JavaCommand { words, first }
    }

    /// The inputs of these declarations as the command has them.
    pub(super) fn inputs(&self, specs: &[Spec]) -> anyhow::Result<Inputs> {
        let mut inputs = Inputs::default();
        for spec in specs {
            let domain = spec.domain(spec.type_.unwrap_or(Type::Int));
            let value = match &spec.source {
                Source::Return(_) => continue,
                Source::Argument(index) => self.argument(*index, domain, spec)?,
                Source::Property(name) => self.property(name, domain)?,
            };
            inputs.0.insert(Inputs::key_of(&spec.source), value);
        }
        Ok(inputs)
    }

    fn argument(&self, index: u32, domain: Domain, spec: &Spec) -> anyhow::Result<i64> {
        let Some(first) = self.first else {
            bail!("{spec}: arguments need a command of the form java [OPTIONS] MainClass ARGS");
        };
        let Some(word) = self.words.get(first + index as usize) else {
            bail!("{spec}: the command has only {} arguments; give it a value to start with", self.words.len() - first);
        };
        let text = word.to_string_lossy();
        match text.parse::<i64>() {
            Ok(value) if value.to_string() == text && domain.has(value) => Ok(value),
            _ => {
                bail!("{spec}: the command has {text} there, which is no number from {} to {}", domain.low, domain.high)
            }
        }
    }

    fn property(&self, name: &str, domain: Domain) -> anyhow::Result<i64> {
        let Some(first) = self.first else {
            bail!("prop:{name}: properties need a command of the form java [OPTIONS] MainClass ARGS");
        };
        let start = format!("-D{name}=");
        let given = self.words.iter().take(first).find_map(|word| word.to_str()?.strip_prefix(&start));
        match given.map(str::parse::<i64>) {
            None => Ok(domain.smallest()),
            Some(Ok(value)) if domain.has(value) => Ok(value),
            Some(_) => bail!("prop:{name}: the command gives it no number from {} to {}", domain.low, domain.high),
        }
    }

    /// The command with these inputs; assertions are enabled where they are the target.
    pub(super) fn with(&self, inputs: &Inputs, assertions: bool) -> Vec<OsString> {
        let mut words = self.words.clone();
        let Some(first) = self.first else { return words };
        let mut properties = Vec::new();
        for (key, value) in &inputs.0 {
            if let Some(index) = key.strip_prefix("args[").and_then(|rest| rest.strip_suffix(']')) {
                let place = index.parse::<usize>().ok().and_then(|index| words.get_mut(first + index));
                if let Some(word) = place {
                    *word = value.to_string().into();
                }
            } else if let Some(name) = key.strip_prefix("prop:") {
                let start = format!("-D{name}=");
                let option = OsString::from(format!("{start}{value}"));
                let options = words.iter_mut().take(first);
                let given: Vec<_> = options.filter(|word| word.to_string_lossy().starts_with(&start)).collect();
                if given.is_empty() {
                    properties.push(option);
                } else {
                    given.into_iter().for_each(|word| word.clone_from(&option));
                }
            }
        }
        let assertions = assertions.then(|| OsString::from("-ea"));
        words.splice(1..1, assertions.into_iter().chain(properties));
        words
    }
}

/// Where the arguments of a `java` command begin.
fn arguments_at(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let word = word.to_str()?;
        match word {
            "-jar" | "-m" | "--module" => return Some(at + 2),
            _ if WITH_VALUE.contains(&word) => at += 2,
            // What a file has is not read here.
            _ if word.starts_with('@') => return None,
            _ if word.starts_with("--module=") => return Some(at + 1),
            _ if word.starts_with('-') => at += 1,
            _ => return Some(at + 1),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> JavaCommand {
        JavaCommand::new(text.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn arguments_are_found_and_replaced() {
        for (text, index, wanted) in [
            ("/x/java -cp a -Xmx9m Main 8 b", 0, "/x/java -ea -cp a -Xmx9m Main 6 b"),
            ("java -jar a.jar x 8", 1, "java -ea -jar a.jar x 6"),
            ("java --module-path p -m a/b.C 8", 0, "java -ea --module-path p -m a/b.C 6"),
        ] {
            let command = command(text);
            let spec: Spec = format!("args[{index}]:int").parse().unwrap();
            let mut inputs = command.inputs(std::slice::from_ref(&spec)).unwrap();
            assert_eq!(inputs.words(), format!("args[{index}] = 8"));
            inputs.0.insert(Inputs::key_of(&spec.source), 6);
            assert_eq!(command.with(&inputs, true).join(std::ffi::OsStr::new(" ")), wanted);
        }
    }

    #[test]
    fn properties_are_replaced_or_added() {
        let spec: Spec = "prop:size:int[2..9]".parse().unwrap();
        for (text, start, wanted) in
            [("java -Dsize=4 Main", 4, "java -Dsize=6 Main"), ("java Main", 2, "java -Dsize=6 Main")]
        {
            let mut inputs = command(text).inputs(std::slice::from_ref(&spec)).unwrap();
            assert_eq!(inputs.0.values().next(), Some(&start));
            inputs.0.insert(Inputs::key_of(&spec.source), 6);
            assert_eq!(command(text).with(&inputs, false).join(std::ffi::OsStr::new(" ")), wanted);
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let wrong = [
            ("java Main 8", "args[1]:int"),
            ("java Main x", "args[0]:int"),
            ("java Main 8", "args[0]:int[9..12]"),
            ("java Main 08", "args[0]:int"),
            ("mvn test 8", "args[0]:int"),
            ("java @file Main 8", "args[0]:int"),
            ("mvn test", "prop:x:int"),
            ("java -Dx=y Main", "prop:x:int"),
        ];
        for (text, spec) in wrong {
            assert!(command(text).inputs(&[spec.parse().unwrap()]).is_err(), "{text} {spec}");
        }
    }
}
