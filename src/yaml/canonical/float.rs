//! Floats as Go prints them (`strconv.FormatFloat` with format `g` and the shortest precision).

/// The shortest digits that are read back as the same number. With an exponent, of a sign and two digits or more, from
/// 1e+06 and below 0.0001.
pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let parts = scientific
        .split_once('e')
        .and_then(|(digits, exponent)| Some((digits, exponent.parse::<i32>().ok()?)));
    match parts {
        Some((digits, exponent)) if !(-4..MIN_EXPONENT).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => number.to_string(),
    }
}

/// From this decimal exponent on there is one in the text, however few digits the number has.
const MIN_EXPONENT: i32 = 6;
