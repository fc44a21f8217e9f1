//! Merges the values of a chart: the values of its file and `valuesInline`.
//!
//! ```text
//! values.yaml           valuesInline          override (the default)   merge               replace
//! {a: 1, b: {c: 2}}     {a: 5, b: {d: 3}}     {a: 5, b: {c: 2, d: 3}}  {a: 1, b: {c: 2,…}}  {a: 5, b: {d: 3}}
//! ```

use std::sync::Arc;

use super::config::{HelmChartConfig, HelmValuesMerge};
use crate::kustomize::patch;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::typed::RawNode;
use crate::yaml::{Node, expand, parse_data, push_sorted};

/// Returns a chart whose `valuesInline` are read as kustomize reads a kustomization file: by YAML
/// 1.1, where `on` is true.
///
/// # Errors
/// A key of `valuesInline` is null or a collection.
pub(super) fn with_json_values(chart: HelmChartConfig) -> Result<HelmChartConfig> {
    let inline = match &chart.values_inline {
        Some(RawNode(inline)) => Some(RawNode(patch::value_as_json(inline.resolved())?)),
        None => None,
    };
    Ok(HelmChartConfig {
        values_inline: inline,
        ..chart
    })
}

/// Returns the text of the values file that `helm` gets. Without `valuesInline` it is the file of
/// the chart, byte by byte.
///
/// # Errors
/// Fails if the file is not a mapping, or if its values and `valuesInline` are of different kinds.
pub(super) fn text(
    chart: &HelmChartConfig,
    file: impl FnOnce() -> Result<Arc<Source>>,
) -> Result<String> {
    let Some(inline) = inline_values(chart)? else {
        return Ok(file()?.text().to_owned());
    };
    let merge = chart.values_merge.as_ref().map(|merge| merge.value);
    let values = match merge.unwrap_or_default() {
        HelmValuesMerge::Override => patch::merge_values(&values_of(&file()?)?, &inline)?,
        HelmValuesMerge::Merge => patch::merge_values(&inline, &values_of(&file()?)?)?,
        HelmValuesMerge::Replace => inline,
    };
    let mut text = String::new();
    push_sorted(&values, &mut text)?;
    Ok(text)
}

/// Returns `valuesInline`; an empty mapping counts as absent.
fn inline_values(chart: &HelmChartConfig) -> Result<Option<Arc<Node>>> {
    let Some(RawNode(inline)) = &chart.values_inline else {
        return Ok(None);
    };
    let inline = inline.resolved();
    match inline.as_mapping() {
        Some(mapping) if mapping.entries.is_empty() => Ok(None),
        Some(_) => Ok(Some(Arc::clone(inline))),
        None => {
            let found = inline.described();
            let message = format!("expected a mapping in `valuesInline`, found {found}");
            Err(Diagnostic::error(Code::Config, message).at(inline.location(), ""))
        }
    }
}

/// Returns the values of a file; one without content has none.
fn values_of(file: &Arc<Source>) -> Result<Arc<Node>> {
    let stream = parse_data(file)?;
    let Some(document) = stream.documents.first() else {
        return Ok(Node::mapping(Vec::new()));
    };
    let root = expand(&document.root)?;
    let root = root.resolved();
    if root.text() == Some("") {
        return Ok(Node::mapping(Vec::new()));
    }
    if root.as_mapping().is_some() {
        return Ok(Arc::clone(root));
    }
    let message = format!("expected a mapping of values, found {}", root.described());
    Err(Diagnostic::error(Code::Config, message).at(root.location(), ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::from_node;

    /// Returns the text that `helm` gets for a chart and a values file.
    fn values(chart: &str, file: &str) -> String {
        let source = Source::new("chart.yaml", chart).unwrap();
        let stream = parse_data(&source).unwrap();
        let chart = from_node(&stream.documents[0].root).unwrap();
        let chart = with_json_values(chart).unwrap();
        text(&chart, || Ok(Source::new("values.yaml", file).unwrap())).unwrap()
    }

    #[test]
    fn merges_values_as_the_field_says() {
        let file = "a: 1 # one\nb: {c: 2}\nlist: [1]\n";
        let inline = |merge: &str| {
            format!("{{valuesInline: {{a: on, b: {{d: 3}}, list: [2]}}, valuesMerge: {merge}}}")
        };
        for (merge, expected) in [
            ("override", "a: true\nb:\n  c: 2\n  d: 3\nlist:\n- 2\n"),
            ("merge", "a: 1\nb:\n  c: 2\n  d: 3\nlist:\n- 1\n"),
            ("replace", "a: true\nb:\n  d: 3\nlist:\n- 2\n"),
            ("null", "a: true\nb:\n  c: 2\n  d: 3\nlist:\n- 2\n"),
        ] {
            assert_eq!(values(&inline(merge), file), expected, "{merge}");
        }
    }

    #[test]
    fn copies_the_file_if_nothing_is_written_inline() {
        let file = "a:   1 # one\n";
        assert_eq!(values("{name: a}", file), file);
        assert_eq!(values("{valuesInline: {}}", file), file);
        assert_eq!(values("{valuesInline: {a: 2}}", "# nothing\n"), "a: 2\n");
    }
}
