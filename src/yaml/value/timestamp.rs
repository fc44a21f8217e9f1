//! Dates and times. They stay text, but text that looks like one is quoted on output, so that other
//! readers agree.

/// Whether a text is a timestamp: a date, a date and a time with a zone after `T` or `t`, or a date
/// and a time without a zone after spaces. Month, day, hour, minute and second may have one digit
/// or two; the date must exist.
pub(in crate::yaml) fn is_timestamp(text: &str) -> bool {
    let mut cursor = Cursor {
        rest: text.as_bytes(),
    };
    cursor.timestamp().is_some() && cursor.rest.is_empty()
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn timestamp(&mut self) -> Option<()> {
        self.date()?;
        match self.rest.first() {
            None => Some(()),
            Some(b'T' | b't') => {
                self.advance(1);
                self.time()?;
                self.zone()
            }
            Some(b' ') => {
                self.advance(self.rest.iter().take_while(|&&byte| byte == b' ').count());
                self.time()
            }
            Some(_) => None,
        }
    }

    fn date(&mut self) -> Option<()> {
        let year = self.digits(4)?;
        self.expect(b'-')?;
        let month = self.short_number()?;
        self.expect(b'-')?;
        let day = self.short_number()?;
        (1..=days_in_month(year, month))
            .contains(&day)
            .then_some(())
    }

    fn time(&mut self) -> Option<()> {
        let hour = self.short_number()?;
        self.expect(b':')?;
        let minute = self.short_number()?;
        self.expect(b':')?;
        let second = self.short_number()?;
        self.fraction();
        (hour < 24 && minute < 60 && second < 60).then_some(())
    }

    /// A point or a comma and any number of digits, if there is one digit at least.
    fn fraction(&mut self) {
        if let [b'.' | b',', digits @ ..] = self.rest {
            let count = digits
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            self.advance(if count > 0 { count + 1 } else { 0 });
        }
    }

    /// `Z`, or an offset such as `+01:00`, of which 24 hours and 60 minutes are the most.
    fn zone(&mut self) -> Option<()> {
        match self.rest.first()? {
            b'Z' => {
                self.advance(1);
                Some(())
            }
            b'+' | b'-' => {
                self.advance(1);
                let hours = self.digits(2)?;
                self.expect(b':')?;
                let minutes = self.digits(2)?;
                (hours <= 24 && minutes <= 60).then_some(())
            }
            _ => None,
        }
    }

    /// One digit or two.
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
