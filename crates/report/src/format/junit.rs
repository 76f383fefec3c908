//! JUnit's XML, for servers that show test results: a test case for each race. New races fail, others are skipped.
//!
//! Written by hand: one format of 40 lines is less than quick-junit's dependencies, and names go through our own escaping anyway.

use std::fmt::Write;

use crate::race::LiveRace;
use crate::report::Report;
use crate::text::{plain, plain_lines};
use crate::verdict::Status;

pub(super) fn suite(report: &Report) -> String {
    let failures = report.of(Status::New).count();
    let skipped = report.races.len() - failures;
    let tests = report.races.len().max(1);
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    // Writing to a string does not fail.
    let _ = writeln!(
        xml,
        "<testsuites>\n<testsuite name=\"autodrome\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">"
    );
    if report.races.is_empty() {
        xml += "<testcase classname=\"autodrome\" name=\"no data race\"/>\n";
    }
    report.by_weight().for_each(|race| case(race, &mut xml));
    let mut said = report.end_lines();
    said.push(report.closing_line());
    let _ = writeln!(xml, "<system-out>{}</system-out>", escaped(&said.join("\n")));
    xml + "</testsuite>\n</testsuites>"
}

fn case(race: &LiveRace, xml: &mut String) {
    let class = match (&race.verdict.test, race.place()) {
        (Some(test), _) => test.rsplit_once('.').map_or(test.as_str(), |(class, _)| class),
        (None, Some(place)) if !place.class.is_empty() => place.class.as_str(),
        _ => "autodrome",
    };
    let name = format!("{} {}", plain(&race.id), race.variable);
    let _ = write!(xml, "<testcase classname=\"{}\" name=\"{}\">", escaped(&plain(class).to_string()), escaped(&name));
    let _ = match race.verdict.status {
        Status::New => write!(
            xml,
            "<failure type=\"DataRace\" message=\"{}\">{}</failure>",
            escaped(&race.headline()),
            escaped(&race.to_string())
        ),
        status => {
            let because = race.verdict.because.as_deref().unwrap_or_default();
            write!(xml, "<skipped message=\"{}\"/>", escaped(&format!("{}: {}", status.name(), plain(because))))
        }
    };
    *xml += "</testcase>\n";
}

/// Text as XML has it; characters that XML cannot hold are none that are shown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in plain_lines(text).to_string().chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;

    #[test]
    fn new_races_fail_and_names_stay_inside() {
        let mut report = Report::default();
        let mut odd = race("R-00000001");
        odd.variable.field = "<b>\u{1}&\"".to_owned();
        report.push(odd);
        let mut known = race("R-00000002");
        known.verdict.status = Status::Known;
        report.push(known);
        let xml = suite(&report);
        assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{xml}");
        assert!(xml.contains("a.Main.&lt;b&gt;\\u0001&amp;&quot;"), "{xml}");
        assert!(!xml.contains("<b>"), "{xml}");
    }

    #[test]
    fn no_race_is_a_test_that_passes() {
        assert!(suite(&Report::default()).contains("name=\"no data race\"/>"));
    }
}
