//! The first phase: every file that takes part is read and parsed, once.

use std::sync::Arc;

use super::Options;
use crate::source::world::World;
use crate::source::{Diagnostics, Result, Source};
use crate::workspace::file::{InputFile, Role};
use crate::yaml::{self, Stream, strict_faults};

/// A file and what it says.
pub(super) struct Parsed {
    /// The index of the file.
    pub(super) file: usize,
    /// What it says.
    pub(super) content: Content,
}

/// What a file says, by its role.
pub(super) enum Content {
    /// YAML.
    Yaml(Arc<Stream>),
    /// A text template, or a Starlark module.
    Text(Arc<Source>),
    /// Anything that is copied.
    Bytes(Vec<u8>),
}

/// Parses the files with the indices `order`, but for those that are neither output nor library: their content is read
/// when code asks for it. `None` where that failed, and `diagnostics` says what is wrong in all files.
pub(super) fn parse(
    files: &[InputFile],
    order: &[usize],
    world: &dyn World,
    options: Options,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Parsed>> {
    let taking_part = order.iter().filter_map(|&index| Some((index, files.get(index)?)));
    let taking_part = taking_part.filter(|(_, file)| file.is_output() || is_module(file));
    let parsed = taking_part.filter_map(|(index, file)| {
        let content = diagnostics.take(content(file, world))?;
        Some(Parsed { file: index, content })
    });
    let parsed: Vec<Parsed> = parsed.collect();
    if options.strict {
        parsed
            .iter()
            .filter_map(Parsed::stream)
            .flat_map(strict_faults)
            .for_each(|fault| diagnostics.push(Box::new(fault)));
    }
    (!diagnostics.failed()).then_some(parsed)
}

impl Parsed {
    fn stream(&self) -> Option<&Stream> {
        match &self.content {
            Content::Yaml(stream) => Some(stream),
            Content::Text(_) | Content::Bytes(_) => None,
        }
    }
}

/// Whether a file is evaluated for what it defines.
fn is_module(file: &InputFile) -> bool {
    file.is_library() && matches!(file.role(), Role::YamlTemplate | Role::TextTemplate | Role::Starlark)
}

/// Reads and parses one file.
pub(super) fn content(file: &InputFile, world: &dyn World) -> Result<Content> {
    match file.role() {
        Role::YamlTemplate => {
            let source = file.source(world)?;
            // Only a file with code needs its comments.
            let parse = if source.text().contains("#@") { yaml::parse } else { yaml::parse_data };
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
