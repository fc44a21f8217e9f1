//! `inlay kustomize --faithful` for a tree: the objects of the canonical output, with the comments
//! of their files.

use std::path::Path;

use inlay::kubernetes::Resource;
use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::world::{FolderReach, Memory};
use inlay::source::{Diagnostics, Source};
use inlay::yaml::{parse, push_sorted};

use crate::tree::Tree;

/// The start of the comments that no patch removes: they are beside fields that every object has.
const KEPT: &str = "# kept: ";

/// Returns a description of the first fault in the faithful output of a tree that can be built.
pub(crate) fn fault(tree: &Tree) -> Option<String> {
    let resources = resources(tree);
    let mut diagnostics = Diagnostics::default();
    let canonical = kustomization::print(&resources, &mut diagnostics).unwrap();
    let faithful = kustomization::print_faithfully(&resources, &mut diagnostics).unwrap();
    let (expected, found) = (reprinted(&canonical), reprinted(&faithful));
    if expected != found {
        return Some(format!(
            "other objects with --faithful: expected\n{expected}\nfound\n{faithful}"
        ));
    }
    let written: usize = resources.iter().map(kept_comments).sum();
    let kept = faithful.matches(KEPT).count();
    (written != kept)
        .then(|| format!("{kept} of {written} comments with --faithful in\n{faithful}"))
}

fn resources(tree: &Tree) -> Vec<Resource> {
    let files = tree.files.iter();
    let world = Memory::with_files(files.map(|(path, text)| (path.as_str(), text.as_str())));
    let has = |flag: &str| tree.flags.contains(&flag);
    let mut options = KustomizationOptions {
        adds_managed_by_label: has("--enable-managedby-label"),
        keeps_order: has("none"),
        ..KustomizationOptions::default()
    };
    if has("LoadRestrictionsNone") {
        options.reach = FolderReach::Anywhere;
    }
    kustomization::build(
        &world,
        Path::new(tree.root),
        &options,
        Recorder::off(),
        &mut Diagnostics::default(),
    )
    .expect("the program builds the tree")
}

/// Prints a stream in kustomize's form.
fn reprinted(text: &str) -> String {
    let stream = parse(&Source::new("output.yaml", text).unwrap()).unwrap();
    let mut output = String::new();
    for document in &stream.documents {
        output.push_str("---\n");
        push_sorted(&document.root, &mut output).unwrap();
    }
    output
}

/// Counts the comments in the text that an object was read from.
fn kept_comments(resource: &Resource) -> usize {
    let Some(source) = &resource.history.source else {
        return 0;
    };
    // A build reads its files without comments.
    let stream = parse(&source.stream.source).unwrap();
    let part = stream.documents[source.document].span;
    let own = stream.comments.iter().filter(|comment| {
        part.start() <= comment.start()
            && comment.end() <= part.end()
            && stream.source.slice(**comment).starts_with(KEPT)
    });
    own.count()
}
