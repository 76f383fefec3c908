//! One HTML page that needs nothing else: no file, no network.
//!
//! The report lies in the page as JSON, and a script shows it with text nodes only, so a name in a class file can never
//! become markup; a content-security policy forbids everything but the page's own style and script. Details of a race are
//! made when it is opened, so that a thousand races are no burden.

use serde_json::{Value, json};

use crate::interleaving::Interleaving;
use crate::race::{Side, VariableKind};
use crate::report::Report;
use crate::source::Sources;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Lines shown above and below an access.
const AROUND: u32 = 4;

pub(super) fn page(report: &Report, sources: &Sources) -> serde_json::Result<String> {
    let mut data: Value = serde_json::from_str(&report.to_json()?)?;
    if let Some(races) = data.get_mut("races").and_then(Value::as_array_mut) {
        for (shown, race) in races.iter_mut().zip(&report.races) {
            for (key, side) in [("earlier", &race.earlier), ("later", &race.later)] {
                let excerpt = excerpt(side, race.variable.kind, sources);
                if let Some(shown) = shown.get_mut(key).and_then(Value::as_object_mut) {
                    shown.insert("source".to_owned(), excerpt);
                }
            }
            if let Some(shown) = shown.as_object_mut() {
                shown.insert("name".to_owned(), json!(race.variable.to_string()));
                shown.insert("interleaving".to_owned(), json!(Interleaving::of(race)));
            }
        }
    }
    if let Some(data) = data.as_object_mut() {
        data.insert("closing".to_owned(), json!(report.closing_line()));
        data.insert("counts".to_owned(), json!(report.counts()));
    }
    // In a script element only `<` can end the data or open something else.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let page = FRAME.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT);
    // The data comes last: nothing in it is looked at again.
    Ok(page.replacen("/*DATA*/", &data, 1))
}

/// The lines around an access, if the source is found.
fn excerpt(side: &Side, kind: VariableKind, sources: &Sources) -> Value {
    let lines = || {
        let frame = side.user_frame(kind)?;
        let line = frame.line?;
        let first = line.saturating_sub(AROUND).max(1);
        let lines = sources.lines(frame, first, line.saturating_add(AROUND))?;
        Some(json!({"file": sources.path(frame)?, "first": first, "line": line, "lines": lines}))
    };
    lines().unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;

    #[test]
    fn nothing_in_a_name_can_end_the_data() {
        let mut report = Report::default();
        let mut odd = race("R-00000001");
        odd.variable.field = "</script><script>alert(1)</script>/*DATA*/".to_owned();
        report.push(odd);
        let page = page(&report, &Sources::default()).unwrap();
        assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
        assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)"));
        assert!(!page.contains("http://") && !page.contains("https://"), "nothing from outside");
    }
}
