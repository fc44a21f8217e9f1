//! Switches with a value, which Go programs accept: `--strict=true`, `--debug=false`.

use std::ffi::OsString;

use clap::{ArgAction, Command};

/// Returns the arguments with `--switch` for every `--switch=true`, and without every
/// `--switch=false`.
///
/// This applies to the names of the switches of `program` and of all commands below it, also to the
/// short ones (`-s=false`), and to all words that Go takes for booleans (`--debug=0`). `program` is called only if an argument looks like a switch with a value. Arguments after `--`
/// are not changed.
pub(super) fn remove_values(
    program: impl FnOnce() -> Command,
    arguments: Vec<OsString>,
) -> Vec<OsString> {
    if !arguments.iter().any(has_switch_value) {
        return arguments;
    }
    let switches = switches(&program());
    let mut plain = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter();
    for argument in rest.by_ref() {
        match switch_with_value(&argument, &switches) {
            Some((switch, true)) => plain.push(switch.into()),
            Some((_, false)) => {}
            None => {
                let is_end = argument == "--";
                plain.push(argument);
                // The arguments after `--` are file names.
                if is_end {
                    break;
                }
            }
        }
    }
    plain.extend(rest);
    plain
}

/// Returns whether an argument looks like a switch with a value.
fn has_switch_value(argument: &OsString) -> bool {
    let text = argument.to_str().unwrap_or_default();
    let value = text.rsplit_once('=').map(|(_, value)| value);
    text.starts_with('-') && value.and_then(boolean).is_some()
}

/// Returns the switch and the value of an argument `--switch=VALUE`. Any other value is left to
/// clap, which rejects it.
fn switch_with_value<'s>(argument: &OsString, switches: &'s [String]) -> Option<(&'s str, bool)> {
    let (name, value) = argument.to_str()?.split_once('=')?;
    let switch = switches.iter().find(|switch| *switch == name)?;
    Some((switch, boolean(value)?))
}

/// Returns the boolean that Go's `strconv.ParseBool` reads.
fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// Returns the names of the switches of a command and of its subcommands: `--strict`, `-s`.
fn switches(command: &Command) -> Vec<String> {
    let mut switches = Vec::new();
    for argument in command.get_arguments() {
        if matches!(argument.get_action(), ArgAction::SetTrue) {
            switches.extend(argument.get_long().map(|name| format!("--{name}")));
            switches.extend(argument.get_short().map(|name| format!("-{name}")));
        }
    }
    for command in command.get_subcommands() {
        switches.extend(self::switches(command));
    }
    switches
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn removes_the_values_of_switches() {
        let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let command = Command::new("x")
            .arg(switch("debug"))
            .arg(Arg::new("file").long("file"));
        let inner = Command::new("z").arg(switch("strict").short('s'));
        let command = command.subcommand(Command::new("y").arg(switch("check")).subcommand(inner));
        let table: [(&[&str], &[&str]); 8] = [
            (&["x", "--debug=true", "y"], &["x", "--debug", "y"]),
            (
                &["x", "--debug=false", "y", "--check=true"],
                &["x", "y", "--check"],
            ),
            (
                &["x", "--file=true", "--debug"],
                &["x", "--file=true", "--debug"],
            ),
            (
                &["x", "y", "z", "--strict=true"],
                &["x", "y", "z", "--strict"],
            ),
            (&["x", "y", "z", "-s=true"], &["x", "y", "z", "-s"]),
            (
                &["x", "--debug=1", "y", "--check=F"],
                &["x", "--debug", "y"],
            ),
            (&["x", "--debug=perhaps"], &["x", "--debug=perhaps"]),
            (&["x", "--", "--debug=true"], &["x", "--", "--debug=true"]),
        ];
        for (given, expected) in table {
            let given = given.iter().map(OsString::from).collect();
            assert_eq!(remove_values(|| command.clone(), given), expected);
        }
    }
}
