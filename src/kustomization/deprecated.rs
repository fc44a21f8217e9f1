//! Old fields of a kustomization: the warnings about them, and their conversion when a file is
//! loaded.
//!
//! `commonLabels`, `patchesJson6902` and `patchesStrategicMerge` are not converted, because they
//! have their own places in the order of transformers.

use super::config::KustomizationConfig;
use super::helm::HelmGlobalsConfig;
use crate::source::{Code, Diagnostic, Diagnostics, Location};
use crate::typed::Spanned;

/// Warns about each old field that is given, in the order in which kustomize does.
pub(super) fn warn(config: &KustomizationConfig, diagnostics: &mut Diagnostics) {
    let of_list = |list: &Option<Vec<Spanned<String>>>| {
        let first = list.as_ref().map(|list| list.first());
        first.map(|first| first.and_then(|text| text.location.clone()))
    };
    let fields = [
        ("bases", "resources", of_list(&config.bases)),
        ("commonLabels", "labels", place(&config.common_labels)),
        ("imageTags", "images", place(&config.image_tags)),
        (
            "patchesJson6902",
            "patches",
            place(&config.patches_json6902),
        ),
        (
            "patchesStrategicMerge",
            "patches",
            place(&config.patches_strategic_merge),
        ),
        ("vars", "replacements", place(&config.vars)),
    ];
    for (old, new, place) in fields {
        if let Some(place) = place {
            let message = format!("'{old}' is deprecated. Please use '{new}' instead");
            diagnostics.push(
                Diagnostic::warning(Code::Config, message)
                    .at(place, "")
                    .help("`inlay kustomize fix` rewrites the old fields of a file"),
            );
        }
    }
}

/// Returns the place of a field that is given.
fn place<T>(field: &Option<Spanned<T>>) -> Option<Option<Location>> {
    field.as_ref().map(|field| field.location.clone())
}

/// Moves `bases` to the end of `resources`, `imageTags` to the end of `images`, and
/// `helmChartInflationGenerator` to the end of `helmCharts`.
pub(super) fn convert(config: &mut KustomizationConfig) {
    if let Some(bases) = config.bases.take() {
        config.resources.get_or_insert_default().extend(bases);
    }
    if let Some(tags) = config.image_tags.take() {
        config.images.get_or_insert_default().extend(tags.value);
    }
    if let Some(charts) = config.helm_chart_inflation_generator.take() {
        let mut globals = HelmGlobalsConfig::default();
        for Spanned { value, location } in charts {
            let value = value.convert(&mut globals);
            let charts = config.helm_charts.get_or_insert_default();
            charts.push(Spanned { value, location });
        }
        config.helm_globals.get_or_insert(globals);
    }
}
