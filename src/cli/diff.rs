//! Unified diffs.

use similar::TextDiff;

/// Returns the unified diff of a file, with three lines around each change. It is empty if nothing
/// changed.
pub(super) fn unified(name: &str, before: &str, after: &str, color: bool) -> String {
    let diff = TextDiff::from_lines(before, after);
    let text = diff
        .unified_diff()
        .context_radius(3)
        .header(name, name)
        .to_string();
    if color {
        text.split_inclusive('\n').map(colored).collect()
    } else {
        text
    }
}

fn colored(line: &str) -> String {
    let code = match line.as_bytes().first() {
        _ if line.starts_with("---") || line.starts_with("+++") => "1",
        Some(b'+') => "32",
        Some(b'-') => "31",
        Some(b'@') => "36",
        _ => return line.to_owned(),
    };
    // The line break stays outside: some pagers would colour the next line as well.
    let body = line.trim_end_matches('\n');
    format!("\x1b[{code}m{body}\x1b[0m{}", &line[body.len()..])
}
