//! Parsing with the description of a single command.
//!
//! clap needs a description of all commands before it looks at the first argument, and gives each
//! of them its own copy of the global flags. That takes half the time of a small build. The common
//! commands are therefore parsed with their own arguments and nothing else.
//!
//! This way only accepts. If it finds a mistake, or a flag such as `--help`, the complete
//! description parses the same arguments once more, and says what is wrong.

use std::ffi::OsString;

use clap::{Args, Command as Program, FromArgMatches};

use super::{BUILD_ALIASES, BuildArguments, Command, CommandLine, GlobalArguments};

/// Parses the arguments of the process. The first one is the name of the program.
///
/// Returns `None` if the complete description has to parse them: another command, a global flag
/// before the command, or anything that is not accepted.
pub(super) fn parse(typed: &[OsString]) -> Option<CommandLine> {
    let Some(name) = typed.get(1) else {
        return parse_build(typed);
    };
    let own = typed.get(1..)?;
    match name.to_str()? {
        // Without a command, the arguments are those of a build.
        flag if flag.starts_with('-') => parse_build(typed),
        name if name == "build" || BUILD_ALIASES.contains(&name) => {
            command(own, |build| Command::Build(Box::new(build)))
        }
        "delete" => command(own, Command::Delete),
        "fmt" => command(own, Command::Fmt),
        "get" => command(own, Command::Get),
        "kustomize" => command(own, |kustomize| Command::Kustomize(Box::new(kustomize))),
        "run" => command(own, |run| Command::Run(Box::new(run))),
        "set" => command(own, Command::Set),
        _ => None,
    }
}

/// Parses a build that is typed without a command.
fn parse_build(typed: &[OsString]) -> Option<CommandLine> {
    let (global, build) = arguments(typed)?;
    Some(CommandLine {
        global,
        command: None,
        build,
    })
}

/// Parses the name of a command and its arguments `A`, from which `make` makes the command.
fn command<A: Args>(typed: &[OsString], make: impl FnOnce(A) -> Command) -> Option<CommandLine> {
    let (global, own) = arguments(typed)?;
    Some(CommandLine {
        global,
        command: Some(make(own)),
        build: BuildArguments::default(),
    })
}

/// Parses a name, which is not checked, and after it global flags and the arguments `A`.
fn arguments<A: Args>(typed: &[OsString]) -> Option<(GlobalArguments, A)> {
    let program = A::augment_args(GlobalArguments::augment_args(Program::new("inlay")));
    let mut matches = program.try_get_matches_from(typed).ok()?;
    let global = GlobalArguments::from_arg_matches_mut(&mut matches).ok()?;
    let own = A::from_arg_matches_mut(&mut matches).ok()?;
    Some((global, own))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, CommandFactory};

    use super::*;

    /// The words that start a call which is parsed with a single description.
    const STARTS: [&[&str]; 12] = [
        &[],
        &["build"],
        &["t"],
        &["delete"],
        &["fmt"],
        &["get"],
        &["kustomize"],
        &["kustomize", "build"],
        &["kustomize", "fix"],
        &["run"],
        &["set"],
        &["unknown"],
    ];

    /// Values that flags of different kinds accept.
    const VALUES: [&str; 6] = ["a", "1", "a=b", "always", "build", "-"];

    fn typed(words: &[&str]) -> Vec<OsString> {
        let words = words.iter().copied();
        std::iter::once("inlay")
            .chain(words)
            .map(OsString::from)
            .collect()
    }

    /// Parses with the description of all commands.
    fn parse_completely(typed: &[OsString]) -> Option<CommandLine> {
        let matches = CommandLine::command().try_get_matches_from(typed).ok()?;
        CommandLine::from_arg_matches(&matches).ok()
    }

    /// Checks that both descriptions understand the same from these words, if the single one
    /// accepts them. Returns whether it does.
    fn check(words: &[&str]) -> bool {
        let typed = typed(words);
        let Some(single) = parse(&typed) else {
            return false;
        };
        let complete = parse_completely(&typed).unwrap_or_else(|| panic!("refuses {words:?}"));
        assert_eq!(format!("{single:?}"), format!("{complete:?}"), "{words:?}");
        true
    }

    /// Returns the description of the command that the words lead to.
    fn described(words: &[&str]) -> Program {
        let mut program = CommandLine::command();
        program.build();
        for word in words {
            let found = program.find_subcommand(word).cloned();
            program = found.unwrap_or(program);
        }
        program
    }

    #[test]
    fn a_single_description_understands_what_the_complete_one_understands() {
        let mut accepted = 0;
        for start in STARTS {
            accepted += usize::from(check(start));
            for words in [
                &["a"][..],
                &["a", "b=c"],
                &["a", "b"],
                &["build"],
                &["--", "-a"],
            ] {
                accepted += usize::from(check(&[start, words].concat()));
            }
            let program = described(start);
            let short = program.get_arguments().filter_map(Arg::get_short);
            let long = program.get_arguments().filter_map(Arg::get_long);
            let flags = short.map(|flag| format!("-{flag}"));
            for flag in flags.chain(long.map(|flag| format!("--{flag}"))) {
                accepted += usize::from(check(&[start, &[flag.as_str()][..]].concat()));
                for value in VALUES {
                    let words = [flag.as_str(), value];
                    accepted += usize::from(check(&[start, &words[..]].concat()));
                    for joined in [format!("{flag}={value}"), format!("{flag}{value}")] {
                        let words = ["x", joined.as_str(), "y=z"];
                        accepted += usize::from(check(&[start, &words[..]].concat()));
                    }
                    // The arguments that a command requires.
                    let words = ["x", flag.as_str(), value, "y=z"];
                    accepted += usize::from(check(&[start, &words[..]].concat()));
                    // A global flag may come before the command.
                    let words = [&[flag.as_str(), value][..], start].concat();
                    accepted += usize::from(check(&words));
                }
            }
        }
        // Both may refuse a call; without this, the test would also pass if they refused all.
        assert!(accepted > 1_000, "{accepted}");
    }

    #[test]
    fn common_calls_need_only_a_single_description() {
        for words in [
            &[][..],
            &["-f", "a", "-v", "b=c", "--output-files", "d"],
            &["build", "-f", "a", "--quiet"],
            &["template", "-f", "a"],
            &["delete", "a.yaml", "b.c", "-i"],
            &["fmt", "-i", "a.yaml"],
            &["get", "a.yaml", "b.c"],
            &["kustomize", "a"],
            &["kustomize", "build", "a", "--diff"],
            &["run", "a.yaml", "b", "--limit", "memory=1"],
            &["set", "a.yaml", "b.c=d"],
        ] {
            assert!(check(words), "{words:?}");
        }
        for words in [
            &["--help"][..],
            &["build", "--help"],
            &["--version"],
            &["lsp"],
            &["built"],
        ] {
            assert!(!check(words), "{words:?}");
        }
    }
}
