//! Charts over time, one below the other, as SVG: linear, from zero.

use crate::plot::{COLOURS, line, text};

pub(crate) struct Panels {
    pub(crate) title: String,
    pub(crate) horizontal: String,
    pub(crate) panels: Vec<Panel>,
}

pub(crate) struct Panel {
    pub(crate) name: String,
    /// No number is negative.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 820.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 790.0;
const TOP: f64 = 60.0;
const PANEL: f64 = 150.0;
const BETWEEN: f64 = 40.0;
const STEPS: u32 = 4;

impl Panels {
    pub(crate) fn svg(&self) -> String {
        let height = TOP + self.panels.len() as f64 * (PANEL + BETWEEN) + 20.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        text(&mut svg, LEFT, 28.0, "start", &self.title);
        let points = || self.panels.iter().flat_map(|panel| &panel.points);
        let last = round_up(points().map(|point| point.0).fold(0.0, f64::max));
        for (number, panel) in self.panels.iter().enumerate() {
            let top = TOP + number as f64 * (PANEL + BETWEEN);
            panel.draw(&mut svg, top, last, COLOURS[number % COLOURS.len()]);
        }
        text(&mut svg, (LEFT + RIGHT) / 2.0, height - 12.0, "middle", &self.horizontal);
        svg.push_str("</svg>\n");
        svg
    }
}

impl Panel {
    fn draw(&self, svg: &mut String, top: f64, last: f64, colour: &str) {
        let bottom = top + PANEL;
        let most = round_up(self.points.iter().map(|point| point.1).fold(0.0, f64::max));
        text(svg, LEFT, top - 8.0, "start", &self.name);
        for step in 0..=STEPS {
            let share = f64::from(step) / f64::from(STEPS);
            let (x, y) = (LEFT + share * (RIGHT - LEFT), bottom - share * PANEL);
            line(svg, (LEFT, y), (RIGHT, y), "#dddddd", "none");
            text(svg, LEFT - 8.0, y + 4.0, "end", &format!("{}", share * most));
            text(svg, x, bottom + 16.0, "middle", &format!("{}", share * last));
        }
        let place = |&(x, y): &(f64, f64)| (LEFT + x / last * (RIGHT - LEFT), bottom - y / most * PANEL);
        for pair in self.points.windows(2) {
            line(svg, place(&pair[0]), place(&pair[1]), colour, "none");
        }
    }
}

/// A number that is not smaller, whose quarters are easy to read.
pub(crate) fn round_up(number: f64) -> f64 {
    let unit = 10f64.powf(number.max(1e-9).log10().floor());
    [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].map(|times| times * unit).into_iter().find(|&round| round >= number).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_up_and_all_panels_are_drawn() {
        assert_eq!([0.9, 1.0, 130.0, 401.0, 900.0].map(round_up), [1.0, 1.0, 200.0, 600.0, 1000.0]);
        let panel = |name: &str| Panel { name: name.to_owned(), points: vec![(0.0, 1.0), (60.0, 3.0)] };
        let panels = Panels {
            title: "t".to_owned(),
            horizontal: "seconds".to_owned(),
            panels: vec![panel("one"), panel("two")],
        };
        let svg = panels.svg();
        assert!(svg.contains(">one<") && svg.contains(">two<") && svg.contains(">60<") && svg.ends_with("</svg>\n"));
    }
}
