//! A bar chart as SVG: groups of bars with a logarithmic scale, and lines for targets.

use std::fmt::Write as _;

use crate::plot::{COLOURS, line, text};

pub(crate) struct Bars {
    pub(crate) title: String,
    /// What each bar of a group is.
    pub(crate) kinds: Vec<String>,
    /// Groups with their values, in the order of the kinds; none where nothing was measured.
    pub(crate) groups: Vec<(String, Vec<Option<f64>>)>,
    /// Values that bars are compared with, with their names.
    pub(crate) marks: Vec<(f64, String)>,
}

const WIDTH: f64 = 900.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 820.0;
const TOP: f64 = 70.0;
const BAR: f64 = 11.0;
const GAP: f64 = 10.0;

impl Bars {
    pub(crate) fn svg(&self) -> String {
        let group_height = BAR * self.kinds.len() as f64 + GAP;
        let bottom = TOP + group_height * self.groups.len() as f64;
        let values = self.groups.iter().flat_map(|(_, values)| values.iter().flatten().copied());
        let most = values.chain(self.marks.iter().map(|mark| mark.0)).fold(10.0, f64::max) * 1.1;
        // From 1 on: a bar shows how many times more.
        let place = |value: f64| LEFT + value.max(1.0).ln() / f64::ln(most) * (RIGHT - LEFT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            bottom + 40.0
        );
        text(&mut svg, LEFT, 24.0, "start", &self.title);
        for (number, kind) in self.kinds.iter().enumerate() {
            let x = LEFT + 160.0 * number as f64;
            rectangle(&mut svg, (x, 36.0), 10.0, COLOURS[number % COLOURS.len()]);
            text(&mut svg, x + 16.0, 46.0, "start", kind);
        }
        for step in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().filter(|step| *step <= most) {
            line(&mut svg, (place(step), TOP - 6.0), (place(step), bottom), "#dddddd", "none");
            text(&mut svg, place(step), bottom + 16.0, "middle", &format!("{step}"));
        }
        for (value, name) in &self.marks {
            line(&mut svg, (place(*value), TOP - 6.0), (place(*value), bottom + 20.0), "#888888", "4 3");
            text(&mut svg, place(*value), bottom + 34.0, "middle", name);
        }
        for (number, (name, values)) in self.groups.iter().enumerate() {
            let top = TOP + group_height * number as f64;
            text(&mut svg, LEFT - 8.0, top + (group_height - GAP) / 2.0 + 4.0, "end", name);
            for (kind, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                let y = top + BAR * kind as f64;
                rectangle(&mut svg, (LEFT, y), place(*value) - LEFT, COLOURS[kind % COLOURS.len()]);
                text(&mut svg, place(*value) + 4.0, y + BAR - 1.0, "start", &format!("{value:.1}"));
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn rectangle(svg: &mut String, (x, y): (f64, f64), width: f64, colour: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
        BAR - 1.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stay_inside_and_every_group_is_named() {
        let bars = Bars {
            title: "Times".to_owned(),
            kinds: vec!["one".to_owned(), "two".to_owned()],
            groups: vec![("a".to_owned(), vec![Some(0.5), Some(70.0)]), ("b & c".to_owned(), vec![None, Some(3.0)])],
            marks: vec![(5.0, "target".to_owned())],
        };
        let svg = bars.svg();
        assert!(svg.contains(">a<") && svg.contains("b &amp; c") && svg.contains("target"));
        let widths = svg.split("width=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        let widths: Vec<f64> = widths.collect();
        assert!(widths.iter().all(|&width| (0.0..=RIGHT - LEFT).contains(&width)), "{widths:?}");
        assert!(widths.contains(&0.0), "less than once is no bar: {widths:?}");
    }
}
