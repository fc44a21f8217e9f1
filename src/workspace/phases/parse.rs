//! The first phase: every file of a library that takes part is read and parsed, once in a run.

use std::sync::Arc;

use super::instance::Instance;
use super::run::Run;
use crate::source::world::World;
use crate::source::{Diagnostics, Result, Source};
use crate::workspace::file::{InputFile, Role};
use crate::yaml::{self, Stream, strict_faults};

/// What a file says, by its role.
pub(super) enum Content {
    /// YAML.
    Yaml(Arc<Stream>),
    /// A text template, or a Starlark module.
    Text(Arc<Source>),
    /// Anything that is copied.
    Bytes(Vec<u8>),
}

/// Parses the files of a library, but for those that take no part: their content is read when code asks for it. Returns the indices of the parsed files, in the order of the tree. `None` where that failed, and `diagnostics`
/// says what is wrong in all files.
pub(super) fn parse(
    run: &Run<'_>,
    instance: &Instance,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let order = run.tree.accessible_below(instance.root).into_iter();
    let order = order.filter(|index| run.files.get(*index).is_some_and(takes_part));
    let mut parsed = Vec::new();
    for index in order {
        let Some(content) = diagnostics.take(run.programs.content(index)) else {
            continue;
        };
        if instance.options.strict
            && let Content::Yaml(stream) = &*content
        {
            strict_faults(stream)
                .into_iter()
                .for_each(|fault| diagnostics.push(Box::new(fault)));
        }
        parsed.push(index);
    }
    (!diagnostics.failed()).then_some(parsed)
}

/// Whether a file gives output, definitions, data values or a schema. A template that a mark takes out of the output may give
/// values all the same.
fn takes_part(file: &InputFile) -> bool {
    is_evaluated(file) || file.role() == Role::YamlTemplate
}

/// Whether a file is evaluated once the data values are known.
pub(super) fn is_evaluated(file: &InputFile) -> bool {
    file.is_output() || is_module(file)
}

/// Whether a file is evaluated for what it defines.
pub(super) fn is_module(file: &InputFile) -> bool {
    file.is_library()
        && matches!(
            file.role(),
            Role::YamlTemplate | Role::TextTemplate | Role::Starlark
        )
}

/// Reads and parses one file.
pub(super) fn content(file: &InputFile, world: &dyn World) -> Result<Content> {
    match file.role() {
        Role::YamlTemplate => {
            let source = file.source(world)?;
            // Only a file with code needs its comments.
            let parse = if source.text().contains("#@") {
                yaml::parse
            } else {
                yaml::parse_data
            };
            parse(&source).map(yaml_content)
        }
        Role::YamlPlain => yaml::parse_data(&file.source(world)?).map(yaml_content),
        Role::TextTemplate | Role::Starlark => file.source(world).map(Content::Text),
        Role::TextPlain | Role::Data => file.read(world).map(Content::Bytes),
    }
}

fn yaml_content(stream: Stream) -> Content {
    Content::Yaml(Arc::new(stream))
}
