//! The changed fields of each object, and their numbers.
//!
//! ```text
//! apps/v1 Deployment shop/web
//!   ± spec.replicas  2 → 5
//!   + metadata.labels.tier  "front"
//! + v1 Service shop/proxy
//! 1 object changed, 1 added, 0 removed; 2 fields
//! ```

use super::OutputChange;
use super::document::{ObjectVersion, objects};
use super::excerpt::{HIDDEN, excerpt};
use super::field_change::{ChangeKind, FieldChange, ShownValue, compare};
use super::lines::{DiffLine, diff_lines, lines_of};
use super::pairs::{ObjectPair, pair};
use super::path::spell;
use super::style::{DiffStyle, LineRole};
use super::unified;
use crate::source::visible_line;

/// The maximum number of signs in a line of `--stat`.
const SIGNS: usize = 40;

/// The differences of all files.
struct Differences<'t> {
    objects: Vec<ObjectDifference>,
    /// Files without objects, because they are neither YAML nor JSON.
    others: Vec<&'t OutputChange<'t>>,
}

/// The difference of one object.
struct ObjectDifference {
    title: String,
    kind: ObjectChange,
}

enum ObjectChange {
    Added,
    Removed,
    /// The changed fields. There are none if only the spelling of the object differs.
    Changed {
        fields: Vec<FieldChange>,
        renamed_from: Option<String>,
    },
}

/// Returns the changed fields of each object.
pub(super) fn print(
    changes: &[OutputChange<'_>],
    has_several_files: bool,
    style: DiffStyle,
) -> String {
    let differences = differences(changes, has_several_files, style);
    let mut text = String::new();
    for object in &differences.objects {
        text.push_str(&print_object(object, style));
    }
    for file in &differences.others {
        text.push_str(&unified::print_for_people(file, style));
    }
    text.push_str(&summary(&differences));
    text
}

/// Returns a line for each object that differs.
pub(super) fn print_stat(
    changes: &[OutputChange<'_>],
    has_several_files: bool,
    style: DiffStyle,
) -> String {
    let differences = differences(changes, has_several_files, style);
    let mut lines = Vec::new();
    for object in &differences.objects {
        let (count, signs) = match &object.kind {
            ObjectChange::Added => ("added".to_owned(), "+".to_owned()),
            ObjectChange::Removed => ("removed".to_owned(), "-".to_owned()),
            ObjectChange::Changed { fields, .. } => {
                let signs = fields.iter().take(SIGNS).map(|field| sign(&field.kind).0);
                (fields.len().to_string(), signs.collect())
            }
        };
        lines.push((visible_line(&object.title), count, signs));
    }
    for file in &differences.others {
        let name = visible_line(&file.name);
        lines.push((name, "no YAML".to_owned(), "±".to_owned()));
    }
    let width = lines.iter().map(|(title, ..)| title.chars().count()).max();
    let mut text = String::new();
    for (title, count, signs) in lines {
        let width = width.unwrap_or_default();
        text.push_str(format!("{title:width$} | {count} {signs}").trim_end());
        text.push('\n');
    }
    text.push_str(&summary(&differences));
    text
}

fn differences<'t>(
    changes: &'t [OutputChange<'t>],
    has_several_files: bool,
    style: DiffStyle,
) -> Differences<'t> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    for change in changes {
        let found = change.texts().and_then(|(old, new)| {
            let old = objects(&change.name, old, style)?;
            let new = objects(&change.name, new, style)?;
            Some((old, new))
        });
        match found {
            Some((old, new)) => {
                before.extend(old);
                after.extend(new);
            }
            None => others.push(change),
        }
    }
    let pairs = pair(&before, &after);
    let mut objects: Vec<ObjectDifference> = Vec::new();
    for pair in &pairs {
        let Some(mut difference) = object_difference(pair) else {
            continue;
        };
        let newer = pair.after.or(pair.before);
        // The title of a document that is not an object already is its file.
        if let Some(file) = newer
            .filter(|_| has_several_files)
            .and_then(|it| it.object_file())
        {
            difference.title.push_str(&format!(" ({file})"));
        }
        objects.push(difference);
    }
    Differences { objects, others }
}

/// Returns the difference of an object; `None` if there is none.
fn object_difference(pair: &ObjectPair<'_>) -> Option<ObjectDifference> {
    let (title, kind) = match (pair.before, pair.after) {
        (Some(before), Some(after)) => (&after.title, changed(before, after)?),
        (None, Some(after)) => (&after.title, ObjectChange::Added),
        (Some(before), None) => (&before.title, ObjectChange::Removed),
        (None, None) => return None,
    };
    let title = title.clone();
    Some(ObjectDifference { title, kind })
}

fn changed(before: &ObjectVersion<'_>, after: &ObjectVersion<'_>) -> Option<ObjectChange> {
    let fields = compare(before, after);
    if fields.is_empty() && own_text(before) == own_text(after) {
        return None;
    }
    Some(ObjectChange::Changed {
        fields,
        renamed_from: (before.key != after.key).then(|| before.title.clone()),
    })
}

/// Returns the text of an object. The marker between documents is not part of it.
fn own_text<'t>(object: &ObjectVersion<'t>) -> &'t str {
    object.text.trim_start_matches("---").trim()
}

fn print_object(object: &ObjectDifference, style: DiffStyle) -> String {
    let title = visible_line(&object.title);
    let (fields, renamed_from) = match &object.kind {
        ObjectChange::Added => return style.line(LineRole::Added, &format!("+ {title}")),
        ObjectChange::Removed => return style.line(LineRole::Removed, &format!("- {title}")),
        ObjectChange::Changed {
            fields,
            renamed_from,
        } => (fields, renamed_from),
    };
    let mut text = match renamed_from {
        Some(old) => {
            let line = format!("{title} (renamed from {})", visible_line(old));
            style.line(LineRole::Title, &line)
        }
        None => style.line(LineRole::Title, &title),
    };
    if fields.is_empty() {
        let line = "  ~ written differently; all values are the same";
        text.push_str(&style.line(LineRole::Changed, line));
    }
    for field in fields {
        text.push_str(&print_field(field, style));
    }
    text
}

/// Returns the sign of a change and its role, which determines the color.
fn sign(kind: &ChangeKind) -> (char, LineRole) {
    match kind {
        ChangeKind::Added(_) => ('+', LineRole::Added),
        ChangeKind::Removed(_) => ('-', LineRole::Removed),
        ChangeKind::Changed(..) => ('±', LineRole::Changed),
        ChangeKind::Reordered | ChangeKind::Layout(_) => ('~', LineRole::Changed),
    }
}

fn print_field(field: &FieldChange, style: DiffStyle) -> String {
    let (sign, role) = sign(&field.kind);
    let path = spell(&field.path);
    let line = |text: &str| format!("  {sign} {path}  {}", visible_line(text));
    match &field.kind {
        ChangeKind::Added(value) | ChangeKind::Removed(value) => {
            style.line(role, &line(&print_value(value)))
        }
        ChangeKind::Changed(before, after) => match texts_with_lines(before, after) {
            Some((before, after)) => {
                let mut text = style.line(role, &line("lines differ:"));
                text.push_str(&changed_lines(before, after, style));
                text
            }
            None => {
                let values = format!("{} → {}", print_value(before), print_value(after));
                style.line(role, &line(&values))
            }
        },
        ChangeKind::Reordered => style.line(role, &line("the order of the items differs")),
        ChangeKind::Layout(format) => {
            let text = format!(
                "the {} is written differently; all values are the same",
                format.title()
            );
            style.line(role, &line(&text))
        }
    }
}

fn print_value(value: &ShownValue) -> String {
    match value {
        ShownValue::Node(node) => excerpt(node),
        ShownValue::Hidden => HIDDEN.to_owned(),
    }
}

/// Returns two strings if at least one of them has several lines.
fn texts_with_lines<'v>(
    before: &'v ShownValue,
    after: &'v ShownValue,
) -> Option<(&'v str, &'v str)> {
    let (ShownValue::Node(before), ShownValue::Node(after)) = (before, after) else {
        return None;
    };
    let (before, after) = (before.as_str()?, after.as_str()?);
    let has_lines = |text: &str| text.trim_end().contains('\n');
    (has_lines(before) || has_lines(after)).then_some((before, after))
}

/// Returns the lines of a string that differ.
fn changed_lines(before: &str, after: &str, style: DiffStyle) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (lines_of(before).collect(), lines_of(after).collect());
    let mut text = String::new();
    let groups = diff_lines(before, after, 0);
    for line in groups.iter().flat_map(|group| &group.lines) {
        let (sign, role, line) = match *line {
            DiffLine::Removed { before } => ('-', LineRole::Removed, old[before]),
            DiffLine::Added { after } => ('+', LineRole::Added, new[after]),
            DiffLine::Unchanged { .. } => continue,
        };
        let line = visible_line(line.trim_end_matches('\n'));
        text.push_str(&style.line(role, &format!("      {sign} {line}")));
    }
    text
}

/// Returns the last line, with the numbers of objects and fields that differ.
fn summary(differences: &Differences<'_>) -> String {
    let (mut added, mut removed, mut changed, mut fields) = (0, 0, 0, 0);
    for object in &differences.objects {
        match &object.kind {
            ObjectChange::Added => added += 1,
            ObjectChange::Removed => removed += 1,
            ObjectChange::Changed { fields: own, .. } => {
                changed += 1;
                fields += own.len();
            }
        }
    }
    if added + removed + changed == 0 {
        return String::new();
    }
    let objects = if changed == 1 { "object" } else { "objects" };
    let field = if fields == 1 { "field" } else { "fields" };
    format!("{changed} {objects} changed, {added} added, {removed} removed; {fields} {field}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::OutputComparison;

    const STYLE: DiffStyle = DiffStyle {
        color: false,
        shows_secrets: false,
    };

    fn semantic(before: &str, after: &str) -> String {
        OutputComparison::new([OutputChange::text("a.yaml", before, after)]).semantic(STYLE)
    }

    fn config_map(name: &str, text: &str) -> String {
        let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  app.json: |\n{}\n",
            lines.join("\n")
        )
    }

    #[test]
    fn finds_the_fields_inside_strings() {
        let before = config_map(
            "a",
            "{\"port\": 80, \"list\": [{\"name\": \"x\", \"v\": 1}]}",
        );
        let after = config_map(
            "a",
            "{\"port\": \"80\", \"list\": [{\"name\": \"x\", \"v\": 2}]}",
        );
        assert_eq!(
            semantic(&before, &after),
            "v1 ConfigMap a\n  ± data.app\\.json.port  80 → \"80\"\n  \
             ± data.app\\.json.list.[name=x].v  1 → 2\n\
             1 object changed, 0 added, 0 removed; 2 fields\n"
        );
    }

    #[test]
    fn says_that_only_the_layout_differs() {
        let before = config_map("a", "{\"port\": 80}");
        let in_string = semantic(&before, &config_map("a", "{ \"port\":80 }"));
        assert!(
            in_string.contains("~ data.app\\.json  the JSON is written differently"),
            "{in_string}"
        );
        let outside = semantic(&before, &before.replace("kind: ", "kind:  "));
        assert!(outside.contains("~ written differently"), "{outside}");
    }

    #[test]
    fn pairs_objects_by_id_in_any_order_and_by_name_before_a_hash() {
        let one = config_map("web-7kd8f6t9mg", "{\"a\": 1}");
        let two = config_map("other", "{\"a\": 1}");
        let new = config_map("web-9b2tkgh4m2", "{\"a\": 2}");
        assert_eq!(
            semantic(&format!("{one}---\n{two}"), &format!("{two}---\n{new}")),
            "v1 ConfigMap web-9b2tkgh4m2 (renamed from v1 ConfigMap web-7kd8f6t9mg)\n  \
             ± metadata.name  \"web-7kd8f6t9mg\" → \"web-9b2tkgh4m2\"\n  ± data.app\\.json.a  1 → 2\n\
             1 object changed, 0 added, 0 removed; 2 fields\n"
        );
    }

    #[test]
    fn shows_added_and_removed_fields_items_and_objects() {
        let before = "kind: A\nmetadata: {name: a}\nspec: {x: 1, list: [1, 2, 3], run: \"a\\nb\\n\"}\n---\n\
                      kind: B\nmetadata: {name: b}\n";
        let after = "kind: A\nmetadata: {name: a}\nspec: {y: [1], list: [1, 3], run: \"a\\nc\\n\"}\n---\n\
                     kind: C\nmetadata: {name: c}\n";
        assert_eq!(
            semantic(before, after),
            "A a\n  + spec.y  [1]\n  - spec.list.1  2\n  ± spec.run  lines differ:\n      - b\n      + c\n  \
             - spec.x  1\n+ C c\n- B b\n1 object changed, 1 added, 1 removed; 4 fields\n"
        );
    }

    #[test]
    fn hides_the_values_of_secrets() {
        let before = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {token: czNjcmV0}\n";
        let after = before.replace("czNjcmV0", "bmV3");
        assert!(
            semantic(before, &after).contains("± data.token  … → …\n"),
            "{}",
            semantic(before, &after)
        );
        let shown = DiffStyle {
            shows_secrets: true,
            ..STYLE
        };
        let shown =
            OutputComparison::new([OutputChange::text("a.yaml", before, &after)]).semantic(shown);
        assert!(shown.contains("\"czNjcmV0\" → \"bmV3\""), "{shown}");
    }

    #[test]
    fn counts_fields_by_object() {
        let before = config_map("a", "{\"port\": 80}");
        let after = config_map("a", "{\"port\": 81, \"new\": 1}");
        let stat =
            OutputComparison::new([OutputChange::text("a.yaml", &before, &after)]).stat(STYLE);
        assert_eq!(
            stat,
            "v1 ConfigMap a | 2 ±+\n1 object changed, 0 added, 0 removed; 2 fields\n"
        );
    }

    #[test]
    fn compares_other_texts_by_line() {
        let changed = semantic("a: [\n", "b: [\n");
        assert!(changed.contains("-a: [\n+b: [\n"), "{changed}");
    }
}
