//! The phases of a build, one file each. [`order`] shows their order on one page.
//!
//! A phase works on a [`LibraryBuild`](library_build::LibraryBuild): one instance of a library, and
//! the context that all libraries of the build share. The root library is built by [`root`],
//! private libraries by [`library_module`], which programs access as `@ytt:library`.
//!
//! Invariant: files depend on each other in one direction only. From the bottom up: `input`,
//! `content`, `instance`, `context`, `library_build`, the phases, `order`, `library_module`,
//! `root`, `text_overlay`.

mod annotated;
mod content;
mod context;
mod evaluate;
mod idle_overlay;
mod input;
mod instance;
mod library_build;
mod library_module;
mod order;
mod overlay;
mod parse;
mod resolve;
mod root;
mod schema;
mod text_overlay;
mod values;

pub use content::SharedContents;
pub use input::{BuildInput, BuildOptions, ValuesFindings};
pub use root::{build, data_values, schema};
pub use text_overlay::{OverlaidText, apply_text, has_annotations};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Diagnostics;
    use crate::source::world::Memory;
    use crate::workspace::{InputFile, VirtualPath, apply_marks};
    use crate::yaml::canonical;

    fn run(
        files: &[(&str, &str)],
        marks: &[&str],
        options: BuildOptions,
    ) -> Result<(String, Vec<String>), Vec<String>> {
        let mut files: Vec<InputFile> = files
            .iter()
            .map(|(path, text)| InputFile::in_memory(VirtualPath::new(path).unwrap(), *text))
            .collect();
        let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
        apply_marks(&marks, &mut files).unwrap();
        let mut diagnostics = Diagnostics::default();
        let world = Memory::default();
        let input = BuildInput {
            options,
            ..BuildInput::of_files(&files, &world)
        };
        let Ok(rendered) = build(&input, &mut diagnostics) else {
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
    fn prints_yaml_in_the_order_of_the_files_and_text_in_the_order_of_the_tree() {
        let files = [
            ("b/1.yml", "a: 1"),
            ("b/1.txt", "x"),
            ("2.yml", "b: 2\n---\n---\nc: 3"),
            ("2.txt", "y"),
            ("r.md", "# "),
        ];
        let (yaml, texts) = run(&files, &[], BuildOptions::default()).unwrap();
        assert_eq!(yaml, "a: 1\n---\nb: 2\n---\nc: 3\n");
        assert_eq!(texts, ["2.txt=y", "b/1.txt=x"]);
    }

    #[test]
    fn ignores_comments_of_plain_files() {
        let text = "a: #@ 1 + 1\n# b\n";
        assert_eq!(
            run(
                &[("a.yml", text)],
                &["a.yml:type=yaml-plain"],
                BuildOptions::default()
            )
            .unwrap()
            .0,
            "a: null\n"
        );
        assert_eq!(
            run(
                &[("a.yml", "a: 1 # b\n#! c\n#@comment d\n")],
                &[],
                BuildOptions::default()
            )
            .unwrap()
            .0,
            "a: 1\n"
        );
    }

    #[test]
    fn reports_the_mistakes_of_all_files_in_one_run() {
        let files = [
            ("a.yml", "a: ["),
            ("b.yml", "b: yes\nc: no"),
            ("_ytt_lib/c.yml", "a: ["),
        ];
        let errors = run(
            &files,
            &[],
            BuildOptions {
                strict: true,
                ..BuildOptions::default()
            },
        )
        .unwrap_err();
        assert_eq!(errors.len(), 3, "{errors:?}");
    }

    #[test]
    fn reports_a_module_that_fails_once() {
        let files = [
            ("a.yml", "#@ load('m.star', 'x')\na: #@ x\n"),
            ("b.yml", "#@ load('m.star', 'x')\nb: #@ x\n"),
            ("m.star", "load('n.star', 'y')\nx = y\n"),
            ("n.star", "y = 1 + 'a'\n"),
            ("z.yml", "z: #@ 2 + 'b'\n"),
        ];
        let errors = run(&files, &[], BuildOptions::default()).unwrap_err();
        assert_eq!(
            errors, ["unknown binary op: int + string"; 2],
            "one of `n.star`, one of `z.yml`"
        );
    }

    #[test]
    fn refuses_data_as_output() {
        let errors = run(
            &[("a.md", "x")],
            &["a.md:for-output=true"],
            BuildOptions::default(),
        )
        .unwrap_err();
        assert_eq!(
            errors,
            ["expected YAML or text for output, found data in `a.md`"]
        );
    }
}
