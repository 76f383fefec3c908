//! Where records go over HTTP.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::group::{Invalid, Value};

/// The port of a collector that takes OTLP over HTTP.
const PORT: u16 = 4318;

/// The path on which it takes log records.
const LOGS: &str = "/v1/logs";

/// An address of a collector, such as `http://localhost:4318`: it is sent log records at `/v1/logs`, unless a path is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// As it is connected to; an IPv6 address stands without its brackets.
    host: String,
    port: u16,
    path: String,
}

impl Endpoint {
    /// The host's name or its address.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The path, with its first slash.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Host and port as a request names them.
    #[must_use]
    pub fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority(), self.path)
    }
}

impl FromStr for Endpoint {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Endpoint, Invalid> {
        let parse = || {
            let rest = text.strip_prefix("http://")?;
            let is_safe =
                |letter: char| letter.is_ascii_graphic() && !matches!(letter, ',' | '"' | '@' | '?' | '#' | '\\');
            if !rest.chars().all(is_safe) {
                return None;
            }
            let (authority, path) = match rest.find('/') {
                Some(at) => rest.split_at(at),
                None => (rest, ""),
            };
            let (host, port) = match authority.strip_prefix('[') {
                Some(rest) => {
                    let (host, port) = rest.split_once(']')?;
                    let port = if port.is_empty() { None } else { Some(port.strip_prefix(':')?) };
                    (host.contains(':').then_some(host)?, port)
                }
                None => match authority.split_once(':') {
                    Some((host, port)) => (host, Some(port)),
                    None => (authority, None),
                },
            };
            let is_number = |port: &&str| port.bytes().all(|byte| byte.is_ascii_digit());
            let port = match port {
                Some(port) => port.parse().ok().filter(|&number: &u16| number != 0 && is_number(&port))?,
                None => PORT,
            };
            let path = if path.is_empty() || path == "/" { LOGS } else { path };
            (!host.is_empty() && !host.contains(['[', ']'])).then(|| Endpoint {
                host: host.to_owned(),
                port,
                path: path.to_owned(),
            })
        };
        parse().ok_or_else(|| Invalid(Endpoint::valid()))
    }
}

impl Value for Endpoint {
    fn valid() -> String {
        "an address such as http://localhost:4318".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for (text, written) in [
            ("http://localhost:4318", "http://localhost:4318/v1/logs"),
            ("http://collector/", "http://collector:4318/v1/logs"),
            ("http://10.0.0.1:80/otel/logs", "http://10.0.0.1:80/otel/logs"),
            ("http://[::1]:9", "http://[::1]:9/v1/logs"),
        ] {
            let endpoint: Endpoint = text.parse().unwrap();
            assert_eq!(endpoint.to_string(), written);
            assert_eq!(written.parse::<Endpoint>().unwrap(), endpoint);
        }
        let wrong = [
            "",
            "localhost:4318",
            "https://a:1",
            "http://",
            "http://:1",
            "http://a:0",
            "http://a:+1",
            "http://a:65536",
        ];
        let more = [
            "http://a b:1",
            "http://a:1/x,y",
            "http://a\r\nX: y",
            "http://u@a:1",
            "http://[::1",
            "http://[a]:1",
            "http://a/?q",
        ];
        for text in wrong.into_iter().chain(more) {
            assert!(text.parse::<Endpoint>().is_err(), "{text:?}");
        }
    }
}
