//! Days of the civil calendar, for suppressions that end.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

const SECONDS_PER_DAY: u64 = 86_400;

impl Date {
    /// Today, in Greenwich.
    #[must_use]
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Date::after_1970(i64::try_from(seconds / SECONDS_PER_DAY).unwrap_or(0))
    }

    /// Now, in Greenwich, as JSON and SARIF have it: `2026-11-19T21:04:48Z`.
    #[must_use]
    pub fn now() -> String {
        Date::time(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
    }

    fn time(seconds: u64) -> String {
        let day = Date::after_1970(i64::try_from(seconds / SECONDS_PER_DAY).unwrap_or(0));
        let (hours, minutes) = (seconds % SECONDS_PER_DAY / 3_600, seconds % 3_600 / 60);
        format!("{day}T{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
    }

    /// The day so many days after the first of January 1970.
    fn after_1970(days: i64) -> Self {
        // Years that start in March have the leap day at their end, and all months but the last a regular length.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Date { year, month: u8::try_from(month).unwrap_or(1), day: u8::try_from(day).unwrap_or(1) }
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a day such as 2027-01-31");
        let mut parts = text.splitn(3, '-');
        let (year, month, day) = (parts.next(), parts.next(), parts.next());
        let number = |part: Option<&str>, length: usize| {
            part.filter(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|part| part.parse::<i64>().ok())
                .ok_or_else(wrong)
        };
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(wrong());
        }
        Ok(Date {
            year,
            month: u8::try_from(month).map_err(|_| wrong())?,
            day: u8::try_from(day).map_err(|_| wrong())?,
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_a_day_and_a_time() {
        assert_eq!(Date::time(1_795_122_288), "2026-11-19T21:04:48Z");
        assert_eq!(Date::time(0), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_773, "2026-11-16")]
        {
            assert_eq!(Date::after_1970(days).to_string(), expected);
        }
    }

    #[test]
    fn dates_are_read_strictly() {
        let date = "2027-01-31".parse::<Date>();
        assert_eq!(date.map(|date| date.to_string()), Ok("2027-01-31".to_owned()));
        for wrong in ["", "2027", "2027-13-01", "2027-1-1", "27-01-01", "2027-01-32", "2027-01-01x"] {
            assert!(wrong.parse::<Date>().is_err(), "{wrong}");
        }
    }
}
