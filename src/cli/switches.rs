//! Switches with a value, as Go programs take them: `--strict=true`, `--debug=false`.

use std::ffi::OsString;

use clap::{ArgAction, Command};

/// The arguments with every `--switch=true` written `--switch`, and every `--switch=false` left out, for the long names of
/// switches of `command` and its subcommands. What stands after `--` stays as it is.
pub(super) fn without_values(command: &Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let switches = switches(command);
    let mut plain = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter();
    for argument in rest.by_ref() {
        let value = argument
            .to_str()
            .and_then(|text| text.strip_prefix("--")?.split_once('='));
        match value.filter(|(name, _)| switches.iter().any(|switch| switch == name)) {
            Some((name, "true")) => plain.push(format!("--{name}").into()),
            Some((_, "false")) => {}
            _ => {
                let end = argument == "--";
                plain.push(argument);
                if end {
                    break;
                }
            }
        }
    }
    plain.extend(rest);
    plain
}

fn switches(command: &Command) -> Vec<String> {
    let commands = std::iter::once(command).chain(command.get_subcommands());
    let arguments = commands.flat_map(Command::get_arguments);
    let switches = arguments.filter(|argument| matches!(argument.get_action(), ArgAction::SetTrue));
    switches
        .filter_map(|switch| switch.get_long().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn a_switch_is_written_without_its_value() {
        let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let command = Command::new("x")
            .arg(switch("debug"))
            .arg(Arg::new("file").long("file"));
        let command = command.subcommand(Command::new("y").arg(switch("check")));
        let table: [(&[&str], &[&str]); 5] = [
            (&["x", "--debug=true", "y"], &["x", "--debug", "y"]),
            (
                &["x", "--debug=false", "y", "--check=true"],
                &["x", "y", "--check"],
            ),
            (
                &["x", "--file=true", "--debug"],
                &["x", "--file=true", "--debug"],
            ),
            (&["x", "--debug=perhaps"], &["x", "--debug=perhaps"]),
            (&["x", "--", "--debug=true"], &["x", "--", "--debug=true"]),
        ];
        for (given, expected) in table {
            let given = given.iter().map(OsString::from).collect();
            assert_eq!(without_values(&command, given), expected);
        }
    }
}
