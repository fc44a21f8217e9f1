//! Reads dates and times. For ytt they stay text, but text that looks like one is quoted on output,
//! so that other readers agree. For kustomize they are values, which it prints as in RFC 3339.

use std::fmt;

/// A date and a time.
pub(super) struct Timestamp {
    year: u32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
    /// The nanoseconds. Digits after the ninth are dropped.
    nanosecond: u32,
    /// The offset of the zone from UTC in minutes.
    offset: i32,
}

/// Returns whether a text is a timestamp: a date, a date and a time with a zone after `T` or `t`,
/// or a date and a time without a zone after spaces. Month, day, hour, minute and second may have
/// one digit or two; the date must exist.
pub(in crate::yaml) fn is_timestamp(text: &str) -> bool {
    parse(text).is_some()
}

/// Reads a timestamp; `None` if the text is not one.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let mut cursor = Cursor {
        rest: text.as_bytes(),
    };
    let timestamp = cursor.timestamp()?;
    cursor.rest.is_empty().then_some(timestamp)
}

/// Prints the timestamp in the form of RFC 3339, without zeros at the end of the fraction, as Go's
/// JSON encoder does: `2001-12-14T21:59:43.5-05:00`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)?;
        write!(f, "T{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        if self.nanosecond > 0 {
            let digits = format!("{:09}", self.nanosecond);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn timestamp(&mut self) -> Option<Timestamp> {
        let date = self.date()?;
        match self.rest.first() {
            None => Some(date),
            Some(b'T' | b't') => {
                self.advance(1);
                let time = self.time(date)?;
                let offset = self.zone()?;
                Some(Timestamp { offset, ..time })
            }
            Some(b' ') => {
                self.advance(self.rest.iter().take_while(|&&byte| byte == b' ').count());
                self.time(date)
            }
            Some(_) => None,
        }
    }

    fn date(&mut self) -> Option<Timestamp> {
        let year = self.digits(4)?;
        self.expect(b'-')?;
        let month = self.short_number()?;
        self.expect(b'-')?;
        let day = self.short_number()?;
        let exists = (1..=days_in_month(year, month)).contains(&day);
        exists.then_some(Timestamp {
            year,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
            nanosecond: 0,
            offset: 0,
        })
    }

    fn time(&mut self, date: Timestamp) -> Option<Timestamp> {
        let hour = self.short_number()?;
        self.expect(b':')?;
        let minute = self.short_number()?;
        self.expect(b':')?;
        let second = self.short_number()?;
        let nanosecond = self.fraction();
        (hour < 24 && minute < 60 && second < 60).then_some(Timestamp {
            hour,
            minute,
            second,
            nanosecond,
            ..date
        })
    }

    /// Reads a point or a comma and at least one digit. Without them, returns 0.
    fn fraction(&mut self) -> u32 {
        let [b'.' | b',', digits @ ..] = self.rest else {
            return 0;
        };
        let count = digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        // `.5` is 500,000,000 nanoseconds: the missing digits of nine are zeros.
        let nanosecond = (0..9).fold(0, |number, place| {
            let digit = digits.get(place).filter(|_| place < count);
            number * 10 + digit.map_or(0, |digit| u32::from(digit - b'0'))
        });
        self.advance(if count > 0 { count + 1 } else { 0 });
        nanosecond
    }

    /// Reads `Z`, or an offset such as `+01:00`, of at most 24 hours and 60 minutes. Returns the
    /// offset in minutes.
    fn zone(&mut self) -> Option<i32> {
        let sign = match self.rest.first()? {
            b'Z' => {
                self.advance(1);
                return Some(0);
            }
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        self.advance(1);
        let hours = self.digits(2)?;
        self.expect(b':')?;
        let minutes = self.digits(2)?;
        let offset = i32::try_from(hours * 60 + minutes).ok()?;
        (hours <= 24 && minutes <= 60).then_some(sign * offset)
    }

    /// Reads one digit or two.
    fn short_number(&mut self) -> Option<u32> {
        self.digits(2).or_else(|| self.digits(1))
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let number = digits
            .iter()
            .fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        self.advance(count);
        Some(number)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (*self.rest.first()? == byte).then(|| self.advance(1))
    }

    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 0,
    }
}
