//! Small line charts side by side as SVG, each with several lines: linear, from zero.

use crate::panels::round_up;
use crate::plot::{COLOURS, line, text};

pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) horizontal: String,
    pub(crate) charts: Vec<Chart>,
}

pub(crate) struct Chart {
    pub(crate) name: String,
    pub(crate) series: Vec<Series>,
}

pub(crate) struct Series {
    pub(crate) name: String,
    /// No number is negative.
    pub(crate) points: Vec<(f64, f64)>,
}

const COLUMNS: usize = 3;
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 230.0;
const TOP: f64 = 50.0;
/// Within a chart: room for numbers at the left, for names at the right, for the heading and the numbers below.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 205.0;
const HEAD: f64 = 30.0;
const FOOT: f64 = 190.0;
const STEPS: u32 = 4;
/// Names beside the ends of lines are kept this far apart.
const LINE_HEIGHT: f64 = 14.0;

impl Grid {
    pub(crate) fn svg(&self) -> String {
        let lines = self.charts.len().div_ceil(COLUMNS).max(1);
        let (width, height) = (WIDTH * COLUMNS as f64, TOP + HEIGHT * lines as f64 + 20.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        text(&mut svg, LEFT, 28.0, "start", &self.title);
        for (number, chart) in self.charts.iter().enumerate() {
            let corner = (WIDTH * (number % COLUMNS) as f64, TOP + HEIGHT * (number / COLUMNS) as f64);
            chart.draw(&mut svg, corner);
        }
        text(&mut svg, width / 2.0, height - 8.0, "middle", &self.horizontal);
        svg.push_str("</svg>\n");
        svg
    }
}

impl Chart {
    fn draw(&self, svg: &mut String, (x, y): (f64, f64)) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let last = points().map(|point| point.0).fold(1.0, f64::max);
        let most = round_up(points().map(|point| point.1).fold(0.0, f64::max));
        text(svg, x + LEFT, y + HEAD - 10.0, "start", &self.name);
        for step in 0..=STEPS {
            let share = f64::from(step) / f64::from(STEPS);
            let at = y + FOOT - share * (FOOT - HEAD);
            line(svg, (x + LEFT, at), (x + RIGHT, at), "#dddddd", "none");
            text(svg, x + LEFT - 6.0, at + 4.0, "end", &format!("{}", share * most));
        }
        text(svg, x + LEFT, y + FOOT + 16.0, "middle", "1");
        text(svg, x + RIGHT, y + FOOT + 16.0, "middle", &format!("{last}"));
        let span = (last - 1.0).max(1.0);
        let place = |&(run, count): &(f64, f64)| {
            (x + LEFT + (run - 1.0) / span * (RIGHT - LEFT), y + FOOT - count / most * (FOOT - HEAD))
        };
        let mut names = Vec::new();
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            for pair in series.points.windows(2) {
                line(svg, place(&pair[0]), place(&pair[1]), colour, "none");
            }
            if let Some(end) = series.points.last() {
                names.push((place(end), colour, series.name.as_str()));
            }
        }
        names.sort_by(|one, two| one.0.1.total_cmp(&two.0.1));
        let mut free = f64::NEG_INFINITY;
        for (end, colour, name) in names {
            let at = end.1.max(free);
            free = at + LINE_HEIGHT;
            line(svg, end, (x + RIGHT + 10.0, at), colour, "1 2");
            text(svg, x + RIGHT + 14.0, at + 4.0, "start", name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_and_every_chart_has_its_name() {
        let series =
            |name: &str, count: f64| Series { name: name.to_owned(), points: vec![(1.0, count), (5.0, count)] };
        let chart = |name: &str| Chart { name: name.to_owned(), series: vec![series("FT", 2.0), series("DR", 2.0)] };
        let charts = ["one", "two", "three", "four"].map(chart).into();
        let svg = Grid { title: "t <".to_owned(), horizontal: "runs".to_owned(), charts }.svg();
        for text in [">one<", ">four<", ">t &lt;<", ">runs<", ">5<"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(svg.matches(">DR<").count(), 4);
        assert!(svg.contains("viewBox=\"0 0 900 530\""), "two lines of charts");
    }

    #[test]
    fn nothing_to_show_is_an_empty_grid() {
        assert!(
            Grid { title: String::new(), horizontal: String::new(), charts: Vec::new() }.svg().ends_with("</svg>\n")
        );
    }
}
