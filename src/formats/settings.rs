//! Recognizes texts that are probably settings in a language that neither a key nor an option
//! names.
//!
//! No text is certain to be TOML or INI, so this is only used for messages.

/// Returns the names of the languages that a text could be in, for a message. `None` if it has no
/// lines like `[section]` and `key = value`.
pub fn settings_formats(text: &str) -> Option<&'static str> {
    let mut has_section = false;
    let mut has_setting = false;
    for line in text.lines().map(str::trim) {
        match line.as_bytes() {
            [] | [b'#' | b';' | b'!', ..] => {}
            [b'[', .., b']'] => has_section |= !line.contains(['"', ',', '{']),
            _ => has_setting |= line.split_once('=').is_some_and(|(key, _)| is_setting(key)),
        }
    }
    match (has_section, has_setting) {
        (true, true) => Some("`ini` or `toml`"),
        (false, true) => Some("`properties`, `env`, `ini` or `toml`"),
        _ => None,
    }
}

fn is_setting(key: &str) -> bool {
    let key = key.trim_end();
    !key.is_empty() && !key.contains(['{', '}', '"', ',', ':', '('])
}
