//! A kustomization as text: its fields, word for word.

/// The name of the kustomization file.
pub(crate) const FILE: &str = "kustomization.yaml";

/// The name of the file that contains the generators.
pub(crate) const CONFIGURATION: &str = "inlay-generators.yaml";

/// The fields that Inlay supports too.
const GENERATORS: [&str; 3] = ["configMapGenerator", "secretGenerator", "generatorOptions"];

/// The fields of a kustomization in order, each with all its lines.
pub(crate) struct Kustomization<'t> {
    fields: Vec<(&'t str, Vec<&'t str>)>,
}

impl<'t> Kustomization<'t> {
    pub(crate) fn new(text: &'t str) -> Kustomization<'t> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in text.lines() {
            let is_field = line.starts_with(|c: char| c.is_ascii_alphabetic());
            match (line.split_once(':'), fields.last_mut()) {
                (Some((name, _)), _) if is_field => fields.push((name, vec![line])),
                (_, Some((_, lines))) => lines.push(line),
                (_, None) => {}
            }
        }
        Kustomization { fields }
    }

    /// Returns the folders of the included kustomizations if the kustomization has only generators
    /// beside them.
    pub(crate) fn only_generators(&self) -> Option<Vec<&'t str>> {
        let mut folders = Vec::new();
        for (name, lines) in &self.fields {
            match *name {
                "apiVersion" | "kind" => {}
                "resources" => folders.extend(
                    lines
                        .iter()
                        .skip(1)
                        .filter_map(|line| line.trim().strip_prefix("- ")),
                ),
                name if GENERATORS.contains(&name) => {}
                _ => return None,
            }
        }
        folders
            .iter()
            .all(|folder| !folder.ends_with(".yaml"))
            .then_some(folders)
    }

    /// Returns the generators as a configuration. The files that they name are in `folder`.
    pub(crate) fn configuration(&self, folder: &str) -> Option<String> {
        let mut text =
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: generators\nspec:\n"
                .to_owned();
        let fields = self
            .fields
            .iter()
            .filter(|(name, _)| GENERATORS.contains(name));
        let head = text.len();
        for (_, lines) in fields {
            let mut is_path = false;
            for line in lines {
                match line.trim_start().strip_prefix("- ") {
                    Some(path) if is_path && !folder.is_empty() => {
                        let indent = line.len() - line.trim_start().len();
                        let (key, path) = path.split_once('=').map_or(("", path), |(_, rest)| {
                            (&path[..path.len() - rest.len()], rest)
                        });
                        text.push_str(&format!("  {}- {key}{folder}/{path}\n", &line[..indent]));
                    }
                    _ => text.push_str(&format!("  {line}\n")),
                }
                let field = line.trim().trim_start_matches("- ");
                is_path = matches!(field, "files:" | "envs:")
                    || is_path && line.trim_start().starts_with("- ");
            }
        }
        (text.len() > head).then_some(text)
    }

    /// Returns the kustomization with the configuration in place of its generators.
    pub(crate) fn with_plugin(&self) -> String {
        let mut text = String::new();
        let mut is_named = false;
        for (name, lines) in self
            .fields
            .iter()
            .filter(|(name, _)| !GENERATORS.contains(name))
        {
            for (index, line) in lines.iter().enumerate() {
                text.push_str(&format!("{line}\n"));
                if *name == "generators" && index == 0 {
                    text.push_str(&format!("- {CONFIGURATION}\n"));
                    is_named = true;
                }
            }
        }
        if !is_named {
            text.push_str(&format!("generators:\n- {CONFIGURATION}\n"));
        }
        text
    }
}
