//! Random trees of kustomizations: bases, a component, one or two overlays in the middle, and one
//! on top.

use std::collections::BTreeMap;

use crate::fields;
use crate::objects::{self, Object};
use crate::patches;
use crate::plugins;
use crate::random::Random;
use crate::references;

/// A tree of kustomizations.
pub(crate) struct Tree {
    /// The files by their paths.
    pub(crate) files: BTreeMap<String, String>,
    /// The folder to build.
    pub(crate) root: &'static str,
    /// Further arguments, which both programs take.
    pub(crate) flags: &'static [&'static str],
}

/// The state that the folders of a tree share while it grows.
pub(crate) struct Growth {
    pub(crate) random: Random,
    pub(crate) files: BTreeMap<String, String>,
    /// Every object of every file.
    pub(crate) taken: Vec<Object>,
    /// The variables that no kustomization has defined yet.
    pub(crate) variables: Vec<&'static str>,
    /// The number of generated objects and new names so far, which becomes part of their names.
    pub(crate) generated: usize,
    /// Whether kustomizations have the field `crds`. Some field specs contradict it.
    pub(crate) has_crds: bool,
}

/// The flags of a build.
const FLAGS: [&[&str]; 8] = [
    &[],
    &[],
    &[],
    &[],
    &["--reorder", "legacy"],
    &["--reorder", "none"],
    &["--enable-managedby-label"],
    &["--load-restrictor", "LoadRestrictionsNone"],
];

/// A folder with a kustomization while it is written.
pub(crate) struct Folder<'g> {
    pub(crate) growth: &'g mut Growth,
    pub(crate) path: String,
    /// The objects that the folder's transformers see.
    pub(crate) visible: Vec<Object>,
    /// The names of generators that the folder's generators can change, with their kinds.
    pub(crate) generators: Vec<(&'static str, String)>,
    /// The text of the kustomization file.
    pub(crate) text: String,
}

impl Folder<'_> {
    pub(crate) fn random(&mut self) -> &mut Random {
        &mut self.growth.random
    }

    /// Adds a line to the kustomization file.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes a file beside the kustomization file.
    pub(crate) fn write(&mut self, name: &str, text: &str) {
        self.growth
            .files
            .insert(format!("{}/{name}", self.path), text.to_owned());
    }

    /// Returns a name that no object of the tree has.
    pub(crate) fn new_name(&mut self) -> String {
        self.growth.generated += 1;
        format!("new{}", self.growth.generated)
    }

    /// Removes an object that a patch deletes.
    pub(crate) fn forget(&mut self, object: &Object) {
        self.visible.retain(|other| other != object);
    }

    /// Returns one of the objects for which `is_wanted` is true.
    pub(crate) fn pick(&mut self, is_wanted: impl Fn(&Object) -> bool) -> Option<Object> {
        let mut wanted = self.visible.iter().filter(|object| is_wanted(object));
        let count = wanted.clone().count();
        if count == 0 {
            return None;
        }
        wanted.nth(self.growth.random.below(count)).cloned()
    }
}

/// The parts of an included kustomization that the including one can use.
#[derive(Clone, Default)]
struct Included {
    path: String,
    visible: Vec<Object>,
    generators: Vec<(&'static str, String)>,
}

/// Creates the tree of a seed.
pub(crate) fn tree(seed: u64) -> Tree {
    let mut growth = Growth {
        random: Random::new(seed),
        files: BTreeMap::new(),
        taken: Vec::new(),
        variables: vec!["V2", "V1"],
        generated: 0,
        has_crds: false,
    };
    growth.has_crds = growth.random.chance(20);
    let has_second = growth.random.chance(10);
    if has_second && !growth.random.may_fail {
        // A base that is included twice would define its variables twice.
        growth.variables.clear();
    }
    let mut bases = Vec::new();
    for number in 0..growth.random.below(3) {
        bases.push(grow(&mut growth, &format!("b{number}"), &[], &[], false));
    }
    let mut components: Vec<Included> = Vec::new();
    if growth.random.chance(25) {
        components.push(grow(&mut growth, "comp", &[], &[], true));
    }
    let mut middle = vec![grow(&mut growth, "mid", &bases, &components, false)];
    if has_second {
        middle.push(grow(&mut growth, "mid2", &bases, &[], false));
        without_ambiguous(&mut middle, &bases);
    }
    if growth.random.chance(10) {
        components = vec![grow(&mut growth, "comp2", &[], &[], true)];
    } else {
        components.clear();
    }
    grow(&mut growth, "top", &middle, &components, false);
    let root = growth.random.one_of(&["top", "mid", "top"]);
    let index = growth.random.below(FLAGS.len());
    Tree {
        files: growth.files,
        root,
        flags: FLAGS[index],
    }
}

/// Removes duplicates that exist because two folders include the same base.
fn without_ambiguous(middle: &mut [Included], bases: &[Included]) {
    for included in middle {
        for base in bases {
            included
                .visible
                .retain(|object| !base.visible.contains(object));
            included
                .generators
                .retain(|generator| !base.generators.contains(generator));
        }
    }
}

/// Creates a folder that includes others.
fn grow(
    growth: &mut Growth,
    path: &str,
    bases: &[Included],
    components: &[Included],
    is_component: bool,
) -> Included {
    let mut folder = Folder {
        growth,
        path: path.to_owned(),
        visible: Vec::new(),
        generators: Vec::new(),
        text: String::new(),
    };
    for included in bases.iter().chain(components) {
        folder.visible.extend(included.visible.iter().cloned());
        folder
            .generators
            .extend(included.generators.iter().cloned());
    }
    if is_component {
        folder.line("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component");
    }
    resources(&mut folder, bases);
    if !components.is_empty() {
        let paths: Vec<String> = components
            .iter()
            .map(|one| format!("../{}", one.path))
            .collect();
        folder.line(&format!("components: [{}]", paths.join(", ")));
    }
    fields::names(&mut folder);
    fields::labels(&mut folder);
    fields::generators(&mut folder);
    fields::configurations(&mut folder);
    fields::settings(&mut folder);
    patches::patches(&mut folder);
    fields::images_and_replicas(&mut folder);
    references::replacements(&mut folder);
    references::variables(&mut folder);
    plugins::plugins(&mut folder);

    let name = folder.growth.random.one_of(&[
        "kustomization.yaml",
        "kustomization.yaml",
        "kustomization.yml",
        "Kustomization",
    ]);
    let text = std::mem::take(&mut folder.text);
    folder.write(name, &text);
    Included {
        path: path.to_owned(),
        visible: folder.visible,
        generators: folder.generators,
    }
}

fn resources(folder: &mut Folder<'_>, bases: &[Included]) {
    let mut bases: Vec<String> = bases
        .iter()
        .map(|base| format!("../{}", base.path))
        .collect();
    let mut entries = Vec::new();
    if folder.random().chance(10) && !bases.is_empty() {
        folder.line(&format!("bases: [{}]", bases.join(", ")));
    } else {
        entries.append(&mut bases);
    }
    let least = usize::from(folder.visible.is_empty());
    for number in 0..least + folder.random().below(2) {
        let mut documents = Vec::new();
        for _ in 0..=folder.random().below(4) {
            let known = folder.growth.taken.len();
            documents.push(objects::object(
                &mut folder.growth.random,
                &mut folder.growth.taken,
            ));
            let added = folder.growth.taken[known..].to_vec();
            folder.visible.extend(added);
        }
        let name = format!("r{number}.yaml");
        folder.write(&name, &documents.join("---\n"));
        entries.push(name);
    }
    folder.line(&format!("resources: [{}]", entries.join(", ")));
}
