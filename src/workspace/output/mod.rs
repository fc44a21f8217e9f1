//! The output of a build as text: on standard output, in a folder, or in a list.

mod folder;
mod positions;
mod print;
mod protected_places;

pub use folder::OutputFolder;
pub use print::{OutputFile, OutputFormat, check_places, print};

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::Source;
    use crate::workspace::{Rendered, RenderedText, RenderedYaml, VirtualPath};
    use crate::yaml::{Node, parse};

    fn documents(name: &str, text: &str) -> Vec<Arc<Node>> {
        let stream = parse(&Source::new(name, text).unwrap()).unwrap();
        stream
            .documents
            .into_iter()
            .map(|document| document.root)
            .collect()
    }

    #[test]
    fn leaves_empty_documents_out_in_every_format() {
        let found = documents("a.yml", "a: 1\n---\n---\n{}\n---\n[]\n---\nb: 2\n");
        assert_eq!(
            print(&found, OutputFormat::Yaml).unwrap(),
            "a: 1\n---\nb: 2\n"
        );
        assert_eq!(
            print(&found, OutputFormat::Json).unwrap(),
            r#"{"a":1}{"b":2}"#
        );
        assert_eq!(
            print(&found, OutputFormat::Positions)
                .unwrap()
                .matches("[doc]")
                .count(),
            2
        );
    }

    #[test]
    fn writes_texts_before_yaml_and_no_empty_yaml() {
        let path = |path| VirtualPath::new(path).unwrap();
        let rendered = Rendered {
            yaml: vec![
                RenderedYaml {
                    path: path("a.yml"),
                    documents: documents("a.yml", "---\n"),
                    plain: None,
                    printed: None,
                },
                RenderedYaml {
                    path: path("b.yml"),
                    documents: documents("b.yml", "b: 1\n"),
                    plain: None,
                    printed: None,
                },
            ],
            resources: Vec::new(),
            printed: Vec::new(),
            texts: vec![RenderedText {
                path: path("c.txt"),
                content: Vec::new(),
            }],
            has_overlays: false,
        };
        let files = rendered.files(OutputFormat::Yaml).unwrap();
        let found: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), &*file.content))
            .collect();
        assert_eq!(found, [("c.txt", &b""[..]), ("b.yml", b"b: 1\n")]);
    }

    #[test]
    fn refuses_files_that_exclude_each_other() {
        let file = |path| OutputFile {
            path: VirtualPath::new(path).unwrap(),
            content: Vec::new(),
        };
        assert!(check_places(&[file("a.yml"), file("b/a.yml")]).is_ok());
        let error = check_places(&[file("a.yml"), file("b.yml"), file("./a.yml")]).unwrap_err();
        assert_eq!(
            error.message,
            "expected one file at each output path, found two at `a.yml`"
        );
        let nested = [file("a-b"), file("a"), file("a-c/d"), file("a/b/c.yml")];
        assert_eq!(
            check_places(&nested).unwrap_err().message,
            "expected a folder at `a`, which contains `a/b/c.yml`, found a file"
        );
    }
}
