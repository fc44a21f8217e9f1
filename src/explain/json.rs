//! Prints answers as JSON, for programs. `docs/explain.md` describes the fields.

use std::fmt::Write;
use std::sync::Arc;

use super::human::shown_text;
use super::link::{ExplainedObject, Explanation, Input, InputKind, Link};
use crate::golang::json::encode_node;
use crate::source::{Location, Result};
use crate::yaml::{Node, json_string};

/// The version of the shape.
const API_VERSION: &str = "inlay.dev/explain/v1";

/// Prints answers as one JSON object.
///
/// # Errors
/// A value that JSON cannot express, such as NaN.
pub fn print(explanations: &[Explanation], shows_secrets: bool) -> Result<String> {
    let mut text = format!(
        "{{\"apiVersion\":{},\"matches\":[",
        json_string(API_VERSION)
    );
    for (index, explanation) in explanations.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_explanation(&mut text, explanation, shows_secrets)?;
    }
    text.push_str("]}\n");
    Ok(text)
}

fn push_explanation(text: &mut String, explanation: &Explanation, shows: bool) -> Result<()> {
    let is_hidden = explanation.is_secret && !shows;
    text.push_str("{\"object\":");
    push_object(text, &explanation.object);
    push_text(text, "path", &explanation.path);
    match &explanation.value {
        Some(value) => {
            text.push_str(",\"value\":");
            push_value(text, value, is_hidden)?;
        }
        None => text.push_str(",\"removed\":true"),
    }
    text.push_str(",\"links\":");
    push_links(text, &explanation.links, is_hidden, shows)?;
    text.push('}');
    Ok(())
}

fn push_links(text: &mut String, links: &[Link], is_hidden: bool, shows: bool) -> Result<()> {
    text.push('[');
    for (index, link) in links.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_link(text, link, is_hidden, shows)?;
    }
    text.push(']');
    Ok(())
}

fn push_link(text: &mut String, link: &Link, is_hidden: bool, shows: bool) -> Result<()> {
    let is_hidden = is_hidden || (link.is_secret && !shows);
    text.push_str("{\"kind\":");
    text.push_str(&json_string(link.kind.name()));
    if let Some(place) = &link.place {
        text.push_str(",\"at\":");
        push_place(text, place);
    }
    if let Some(code) = &link.text {
        push_text(text, "text", &shown_text(link, code, is_hidden));
    }
    for (name, value) in [("before", &link.before), ("after", &link.after)] {
        if let Some(value) = value {
            let _ = write!(text, ",\"{name}\":");
            push_value(text, value, is_hidden)?;
        }
    }
    if !link.inputs.is_empty() {
        text.push_str(",\"inputs\":[");
        for (index, input) in link.inputs.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            push_input(text, input, is_hidden, shows)?;
        }
        text.push(']');
    }
    text.push('}');
    Ok(())
}

fn push_input(text: &mut String, input: &Input, is_hidden: bool, shows: bool) -> Result<()> {
    match &input.kind {
        InputKind::DataValue { library, key } => {
            let _ = write!(text, "{{\"dataValue\":{}", json_string(key));
            if let Some(library) = library {
                push_text(text, "library", library);
            }
        }
        InputKind::Field { object, path } => {
            text.push_str("{\"object\":");
            push_object(text, object);
            push_text(text, "path", path);
        }
    }
    if let Some(value) = &input.value {
        text.push_str(",\"value\":");
        push_value(text, value, is_hidden)?;
    }
    text.push_str(",\"links\":");
    push_links(text, &input.links, is_hidden, shows)?;
    text.push('}');
    Ok(())
}

fn push_object(text: &mut String, object: &ExplainedObject) {
    let _ = write!(
        text,
        "{{\"apiVersion\":{},\"kind\":{}",
        json_string(&object.api_version),
        json_string(&object.kind)
    );
    if !object.namespace.is_empty() {
        push_text(text, "namespace", &object.namespace);
    }
    push_text(text, "name", &object.name);
    text.push('}');
}

/// Writes a place. Lines and columns are counted from 1, and columns in characters. The end is
/// after the last character.
fn push_place(text: &mut String, place: &Location) {
    let place = place.in_file();
    let start = place.source.line_column(place.span.start());
    let end = place.source.line_column(place.span.end());
    let _ = write!(
        text,
        "{{\"file\":{},\"line\":{},\"column\":{},\"endLine\":{},\"endColumn\":{}}}",
        json_string(place.source.shown_name()),
        start.line,
        start.column,
        end.line,
        end.column
    );
}

fn push_text(text: &mut String, name: &str, value: &str) {
    let _ = write!(text, ",\"{name}\":{}", json_string(value));
}

fn push_value(text: &mut String, value: &Arc<Node>, is_hidden: bool) -> Result<()> {
    if is_hidden {
        text.push_str("\"…\"");
    } else {
        text.push_str(&encode_node(value)?);
    }
    Ok(())
}
