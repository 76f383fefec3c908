//! A log-log line chart as SVG.

use std::fmt::Write as _;

pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) horizontal: String,
    pub(crate) vertical: String,
    pub(crate) series: Vec<Series>,
}

pub(crate) struct Series {
    pub(crate) name: String,
    /// Positive numbers; both axes are logarithmic.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 440.0;
/// Distinct also for most colour-blind readers; names stand beside the lines all the same.
pub(crate) const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#555555"];
const DASHES: [&str; 2] = ["none", "6 3"];
/// Names at the right are kept this far apart.
const LINE_HEIGHT: f64 = 15.0;

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = Axis::over(points().map(|point| point.0), LEFT, RIGHT);
        let up = Axis::over(points().map(|point| point.1), BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        text(&mut svg, LEFT, 28.0, "start", &self.title);
        text(&mut svg, (LEFT + RIGHT) / 2.0, BOTTOM + 40.0, "middle", &self.horizontal);
        text(&mut svg, 10.0, TOP - 8.0, "start", &self.vertical);
        for power in across.powers() {
            let x = across.place(10f64.powi(power));
            line(&mut svg, (x, TOP), (x, BOTTOM), "#dddddd", "none");
            text(&mut svg, x, BOTTOM + 18.0, "middle", &label(power));
        }
        for power in up.powers() {
            let y = up.place(10f64.powi(power));
            line(&mut svg, (LEFT, y), (RIGHT, y), "#dddddd", "none");
            text(&mut svg, LEFT - 8.0, y + 4.0, "end", &label(power));
        }
        self.draw_series(&mut svg, &across, &up);
        svg.push_str("</svg>\n");
        svg
    }

    /// The lines, and their names at the right, from top to bottom in the order of the lines' ends.
    fn draw_series(&self, svg: &mut String, across: &Axis, up: &Axis) {
        let mut names = Vec::new();
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dash = DASHES[number / COLOURS.len() % DASHES.len()];
            let places: Vec<(f64, f64)> = series.points.iter().map(|&(x, y)| (across.place(x), up.place(y))).collect();
            for pair in places.windows(2) {
                line(svg, pair[0], pair[1], colour, dash);
            }
            if let Some(&end) = places.last() {
                names.push((end, colour, &series.name));
            }
        }
        names.sort_by(|one, two| one.0.1.total_cmp(&two.0.1));
        let mut free = TOP;
        for (end, colour, name) in names {
            let y = end.1.max(free);
            free = y + LINE_HEIGHT;
            line(svg, (end.0 + 3.0, end.1), (RIGHT + 14.0, y), colour, "1 2");
            text(svg, RIGHT + 18.0, y + 4.0, "start", name);
        }
    }
}

struct Axis {
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis over whole powers of ten that holds all values.
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values
            .filter(|value| *value > 0.0)
            .map(f64::log10)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Axis { low: 0, high: 1, from, to };
        }
        let low = low.floor() as i32;
        Axis { low, high: (high.ceil() as i32).max(low + 1), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    fn powers(&self) -> impl Iterator<Item = i32> + use<> {
        self.low..=self.high
    }
}

pub(crate) fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, dash: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\" \
         stroke-dasharray=\"{dash}\"/>",
        from.0, from.1, to.0, to.1
    );
}

pub(crate) fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn label(power: i32) -> String {
    match power {
        -3..=3 => format!("{}", 10f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_lies_inside_and_every_name_is_there() {
        let plot = Plot {
            title: "a <b>".to_owned(),
            horizontal: "x".to_owned(),
            vertical: "y".to_owned(),
            series: vec![
                Series { name: "one".to_owned(), points: vec![(1e5, 0.01), (1e7, 1.3)] },
                Series { name: "two".to_owned(), points: vec![(1e5, 0.02), (1e7, 1.3)] },
            ],
        };
        let svg = plot.svg();
        assert!(svg.contains(">one<") && svg.contains(">two<") && svg.contains("a &lt;b>"));
        let across = Axis::over([1e5, 1e7].into_iter(), LEFT, RIGHT);
        assert!((across.place(1e5) - LEFT).abs() < 1e-9 && (across.place(1e7) - RIGHT).abs() < 1e-9);
        assert!((across.place(1e6) - (LEFT + RIGHT) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_to_plot_is_an_empty_chart() {
        let plot =
            Plot { title: String::new(), horizontal: String::new(), vertical: String::new(), series: Vec::new() };
        assert!(plot.svg().ends_with("</svg>\n"));
    }
}
