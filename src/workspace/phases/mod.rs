//! The phases of a build, each in a file of its own: its input is what the phase before gave.

mod annotated;
mod evaluate;
mod instance;
mod library_module;
mod overlay;
mod parse;
mod programs;
mod resolve;
mod run;
mod schema;
mod text_overlay;
mod values;

use std::sync::Arc;

pub use text_overlay::{apply_text, has_annotations};

use self::instance::Instance;
use self::run::Run;
use super::file::InputFile;
use super::library::ROOT;
use super::values::ValuesDocument;
use super::virtual_path::VirtualPath;
use crate::schema::Schema;
use crate::script::on_large_stack;
use crate::source::world::{World, reason};
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::template;
use crate::yaml::{Node, Stream};

/// What a build works on.
#[derive(Clone, Copy)]
pub struct Input<'i> {
    /// The files, in order.
    pub files: &'i [InputFile],
    /// Documents that come before those of the files, and that overlays change as they stand: nothing in them is code.
    pub resources: &'i [Arc<Node>],
    /// The data values from outside, in the order in which they count.
    pub values: &'i [ValuesDocument],
    /// Where files are read.
    pub world: &'i dyn World,
    /// How templates and YAML are read.
    pub options: Options,
}

/// How templates and YAML are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Only the strict subset of YAML is accepted.
    pub strict: bool,
    /// A comment of a template that is neither code nor `#!` is a comment, not an error. Those of plain files always are.
    pub ignore_unknown_comments: bool,
    /// The later of two equal keys in a template overrides the earlier. In plain files it always does.
    pub implicit_map_key_overrides: bool,
    /// Values are not held to the validations of schemas; their types are checked all the same.
    pub disable_validation: bool,
}

impl Options {
    fn template(self) -> template::Options {
        template::Options {
            ignore_unknown_comments: self.ignore_unknown_comments,
            implicit_map_key_overrides: self.implicit_map_key_overrides,
        }
    }
}

/// What a build gives.
#[derive(Debug, Default)]
pub struct Rendered {
    /// What became of each resource, in their order: the document itself, or none where it was removed, and those that
    /// overlays put beside it.
    pub resources: Vec<Vec<Arc<Node>>>,
    /// The documents of YAML files, in the order of the files.
    pub yaml: Vec<RenderedYaml>,
    /// Other texts, in the order of the library tree.
    pub texts: Vec<RenderedText>,
}

/// The documents of one file.
#[derive(Debug)]
pub struct RenderedYaml {
    /// Where they are written in an output folder.
    pub path: VirtualPath,
    /// The documents, empty ones too.
    pub documents: Vec<Arc<Node>>,
    /// The text that they were read from, if nothing in it is code.
    pub plain: Option<Arc<Stream>>,
}

/// The content of one file that is not YAML.
#[derive(Debug)]
pub struct RenderedText {
    /// Where it is written in an output folder.
    pub path: VirtualPath,
    /// The content.
    pub content: Vec<u8>,
}

/// Runs all phases on the root library. `None` where a phase failed, and `diagnostics` says all that is wrong in it.
pub fn build(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Rendered> {
    run(input, diagnostics, |run, instance, diagnostics| {
        let prepared = instance.prepare(run, None, diagnostics)?;
        evaluate::evaluate(run, instance, &prepared, input.resources, diagnostics)
            .map(|evaluation| evaluation.rendered)
    })
}

/// The data values of the root library. `None` where a phase failed, and `diagnostics` says all that is wrong in it.
pub fn data_values(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Arc<Node>> {
    run(input, diagnostics, |run, instance, diagnostics| {
        instance
            .prepare(run, None, diagnostics)
            .map(|prepared| prepared.values.root)
    })
}

/// The schema of the data values of the root library. `None` where a phase failed, and `diagnostics` says all that is wrong
/// in it.
pub fn schema(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Schema> {
    run(input, diagnostics, |run, instance, diagnostics| {
        instance.schema(run, diagnostics)
    })
}

/// Lets `work` do phases of the root library.
fn run<T: Send>(
    input: &Input<'_>,
    diagnostics: &mut Diagnostics,
    work: impl FnOnce(&Run<'_>, &std::rc::Rc<Instance>, &mut Diagnostics) -> Option<T> + Send,
) -> Option<T> {
    // Code may nest deeper than the stack of this thread reaches.
    let mut own = Diagnostics::default();
    let done = on_large_stack(|| {
        let root = Instance::new(ROOT, input.options, input.values.to_vec());
        work(&Run::new(input), &root, &mut own)
    });
    diagnostics.append(own);
    done.unwrap_or_else(|error| {
        let message = format!(
            "expected room for a large stack, found none: {}",
            reason(&error)
        );
        diagnostics.push(Diagnostic::error(Code::Limit, message));
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;
    use crate::workspace::apply_marks;
    use crate::yaml::canonical;

    fn run(
        files: &[(&str, &str)],
        marks: &[&str],
        options: Options,
    ) -> Result<(String, Vec<String>), Vec<String>> {
        let in_memory = |(path, text): &(&str, &str)| {
            InputFile::in_memory(VirtualPath::new(path).unwrap(), *text)
        };
        let mut files: Vec<InputFile> = files.iter().map(in_memory).collect();
        let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
        apply_marks(&marks, &mut files).unwrap();
        let mut diagnostics = Diagnostics::default();
        let world = Memory::default();
        let input = Input {
            files: &files,
            resources: &[],
            values: &[],
            world: &world,
            options,
        };
        let Some(rendered) = build(&input, &mut diagnostics) else {
            return Err(diagnostics
                .as_slice()
                .iter()
                .map(|error| error.message.clone())
                .collect());
        };
        let documents: Vec<_> = rendered
            .yaml
            .iter()
            .flat_map(|file| file.documents.clone())
            .collect();
        let texts = rendered
            .texts
            .iter()
            .map(|text| format!("{}={}", text.path, String::from_utf8_lossy(&text.content)));
        Ok((canonical(&documents).unwrap(), texts.collect()))
    }

    #[test]
    fn yaml_comes_out_in_the_order_of_the_files_and_text_in_the_order_of_the_tree() {
        let files = [
            ("b/1.yml", "a: 1"),
            ("b/1.txt", "x"),
            ("2.yml", "b: 2\n---\n---\nc: 3"),
            ("2.txt", "y"),
            ("r.md", "# "),
        ];
        let (yaml, texts) = run(&files, &[], Options::default()).unwrap();
        assert_eq!(yaml, "a: 1\n---\nb: 2\n---\nc: 3\n");
        assert_eq!(texts, ["2.txt=y", "b/1.txt=x"]);
    }

    #[test]
    fn comments_of_plain_files_mean_nothing() {
        let text = "a: #@ 1 + 1\n# b\n";
        assert_eq!(
            run(
                &[("a.yml", text)],
                &["a.yml:type=yaml-plain"],
                Options::default()
            )
            .unwrap()
            .0,
            "a: null\n"
        );
        assert_eq!(
            run(
                &[("a.yml", "a: 1 # b\n#! c\n#@comment d\n")],
                &[],
                Options::default()
            )
            .unwrap()
            .0,
            "a: 1\n"
        );
    }

    #[test]
    fn the_faults_of_all_files_are_told_in_one_run() {
        let files = [
            ("a.yml", "a: ["),
            ("b.yml", "b: yes\nc: no"),
            ("_ytt_lib/c.yml", "a: ["),
        ];
        let errors = run(
            &files,
            &[],
            Options {
                strict: true,
                ..Options::default()
            },
        )
        .unwrap_err();
        assert_eq!(errors.len(), 3, "{errors:?}");
    }

    #[test]
    fn a_module_that_fails_is_told_once() {
        let files = [
            ("a.yml", "#@ load('m.star', 'x')\na: #@ x\n"),
            ("b.yml", "#@ load('m.star', 'x')\nb: #@ x\n"),
            ("m.star", "load('n.star', 'y')\nx = y\n"),
            ("n.star", "y = 1 + 'a'\n"),
            ("z.yml", "z: #@ 2 + 'b'\n"),
        ];
        let errors = run(&files, &[], Options::default()).unwrap_err();
        assert_eq!(
            errors, ["unknown operation: int + string"; 2],
            "one of `n.star`, one of `z.yml`"
        );
    }

    #[test]
    fn a_file_that_is_no_template_cannot_be_made_output() {
        let errors = run(
            &[("a.md", "x")],
            &["a.md:for-output=true"],
            Options::default(),
        )
        .unwrap_err();
        assert_eq!(
            errors,
            ["expected YAML or text for output, found data in `a.md`"]
        );
    }
}
