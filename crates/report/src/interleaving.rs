//! Who did what in which order: a race as a table with a column for each thread.
//!
//! A predicted race has the end of the run that shows it, and in its last row both accesses, which come next. Of a race that was
//! seen, the table has what the run has shown: where each thread was started, where it took the locks that it held, and the
//! accesses in the order in which they came. There, rows of different threads other than the accesses may have come in
//! another order: nobody has looked.

use model::Grade;
use serde::{Deserialize, Serialize};

use crate::race::{LiveRace, Operation, Side};
use crate::text::counted;

/// One step of one thread in a run that shows a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The event's position in the trace.
    pub event: u64,
    /// The thread, by name.
    pub thread: String,
    /// What it does: `writes x`.
    pub does: String,
    /// Where in the program.
    pub at: String,
}

/// The end of a run that shows a race: some last steps, then both accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How many steps come before those that are shown.
    pub before: u64,
    /// The last steps, in their order.
    pub steps: Vec<Step>,
    /// The two accesses, which come next, in either order.
    pub next: Vec<Step>,
}

/// A race as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Interleaving {
    /// How to read it.
    caption: String,
    /// The head of each column.
    threads: Vec<String>,
    rows: Vec<Row>,
}

/// What happens at one time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Row {
    /// Is an access of the race in it?
    races: bool,
    /// By column.
    cells: Vec<Option<Cell>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Cell {
    does: String,
    at: String,
}

impl Interleaving {
    pub(crate) fn of(race: &LiveRace) -> Interleaving {
        match &race.run {
            Some(run) => Interleaving::predicted(run),
            None => Interleaving::seen(race),
        }
    }

    fn predicted(run: &Run) -> Interleaving {
        let before = match run.before {
            0 => String::new(),
            count => format!("After {} as they were, a", counted(count, "step")),
        };
        let start = if before.is_empty() { "A" } else { &before };
        let mut table = Interleaving {
            caption: format!(
                "{start} run of the same program that comes to the race: both accesses of the last row are next."
            ),
            threads: Vec::new(),
            rows: Vec::new(),
        };
        // The two that race stand in the first columns.
        for step in &run.next {
            table.column(&step.thread);
        }
        for step in &run.steps {
            let column = table.column(&step.thread);
            table.push(column, false, &step.does, &step.at);
        }
        let mut last = Row { races: true, cells: vec![None; table.threads.len()] };
        for step in &run.next {
            let column = table.column(&step.thread);
            if let Some(cell) = last.cells.get_mut(column) {
                *cell = Some(Cell { does: step.does.clone(), at: step.at.clone() });
            }
        }
        table.rows.push(last);
        table
    }

    fn seen(race: &LiveRace) -> Interleaving {
        let how = match race.grade {
            Grade::Possible => "no lock protects both",
            Grade::Unordered | Grade::Predicted => "nothing in this run orders them",
            Grade::Caught | Grade::Replayed => "a run had both at once",
        };
        let mut table = Interleaving {
            caption: format!(
                "The marked accesses came in this order, but {how}. Other rows of different threads may have come in another order."
            ),
            threads: Vec::new(),
            rows: Vec::new(),
        };
        let sides = [&race.earlier, &race.later];
        let columns = sides.map(|side| table.column(&side.thread.to_string()));
        for (side, column) in sides.into_iter().zip(columns) {
            if let Some(frame) = side.thread.start() {
                table.push(column, false, "is started", &frame.to_string());
            }
        }
        for (side, column) in sides.into_iter().zip(columns) {
            for lock in &side.locks {
                table.push(column, false, &format!("takes {}", lock.class), &lock.taken_at);
            }
            let frame = side.user_frame(race.variable.kind).map_or_else(String::new, ToString::to_string);
            table.push(column, true, &does(side, &race.variable.name()), &frame);
        }
        table
    }

    /// The column of a thread, which is new if it had none.
    fn column(&mut self, thread: &str) -> usize {
        if let Some(column) = self.threads.iter().position(|known| known == thread) {
            return column;
        }
        self.threads.push(thread.to_owned());
        self.rows.iter_mut().for_each(|row| row.cells.push(None));
        self.threads.len() - 1
    }

    fn push(&mut self, column: usize, races: bool, does: &str, at: &str) {
        let cell = Cell { does: does.to_owned(), at: at.to_owned() };
        let cells = (0..self.threads.len()).map(|place| (place == column).then(|| cell.clone())).collect();
        self.rows.push(Row { races, cells });
    }
}

fn does(side: &Side, variable: &str) -> String {
    match side.op {
        Operation::Read => format!("reads {variable}"),
        Operation::Write => format!("writes {variable}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;

    /// A line for each row, a cell as `column: what it does`, `!` for an access that races.
    fn shown(table: &Interleaving) -> Vec<String> {
        let cells = |row: &Row| {
            let cells = row.cells.iter().enumerate();
            let told = cells.filter_map(|(column, cell)| Some(format!("{column}: {}", cell.as_ref()?.does)));
            told.collect::<Vec<_>>().join(" | ")
        };
        table.rows.iter().map(|row| format!("{}{}", cells(row), if row.races { " !" } else { "" })).collect()
    }

    #[test]
    fn a_race_that_was_seen_has_what_the_run_told() {
        let table = Interleaving::of(&race("R-00000001"));
        assert_eq!(table.threads, ["T12 \"worker-12\"", "T13 \"worker-13\""]);
        assert_eq!(
            shown(&table),
            ["0: is started", "1: is started", "0: reads a.Main.n !", "1: takes a.Main", "1: writes a.Main.n !"]
        );
    }

    #[test]
    fn a_predicted_race_has_both_accesses_in_the_last_row() {
        let step = |thread: &str, does: &str| Step {
            event: 0,
            thread: thread.to_owned(),
            does: does.to_owned(),
            at: String::new(),
        };
        let mut race = race("R-00000001");
        race.run = Some(Run {
            before: 3,
            steps: vec![step("main", "starts b"), step("b", "takes m")],
            next: vec![step("a", "reads x"), step("b", "writes x")],
        });
        let table = Interleaving::of(&race);
        assert_eq!(table.threads, ["a", "b", "main"]);
        assert!(table.caption.starts_with("After 3 steps as they were, a run "), "{}", table.caption);
        assert_eq!(shown(&table), ["2: starts b", "1: takes m", "0: reads x | 1: writes x !"]);
    }
}
