//! A validator for the part of JSON Schema 2020-12 that the export uses, written from the standard.
//! An unknown keyword fails the test, so that the export cannot outgrow the validator.

use serde_json::Value;

/// Keywords that only describe and do not constrain.
const NOTES: [&str; 6] = [
    "$schema",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
];

/// Returns whether `value` is valid.
pub(crate) fn is_valid(schema: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        panic!("expected a schema, found {schema}");
    };
    keywords.iter().all(|(keyword, rule)| {
        NOTES.contains(&keyword.as_str()) || holds(keyword, rule, schema, value)
    })
}

fn holds(keyword: &str, rule: &Value, schema: &Value, value: &Value) -> bool {
    match keyword {
        "type" => match rule {
            Value::Array(names) => names.iter().any(|name| has_type(name, value)),
            name => has_type(name, value),
        },
        "enum" => rule.as_array().unwrap().contains(value),
        "not" => !is_valid(rule, value),
        "oneOf" => {
            let alternatives = rule.as_array().unwrap();
            alternatives
                .iter()
                .filter(|schema| is_valid(schema, value))
                .count()
                == 1
        }
        "properties" => every_entry(value, |key, value| {
            rule.get(key).is_none_or(|schema| is_valid(schema, value))
        }),
        "additionalProperties" => every_entry(value, |key, value| {
            let is_declared = schema
                .get("properties")
                .is_some_and(|all| all.get(key).is_some());
            is_declared || rule.as_bool().unwrap_or_else(|| is_valid(rule, value))
        }),
        "required" => value.as_object().is_none_or(|object| {
            let mut keys = rule.as_array().unwrap().iter();
            keys.all(|key| object.contains_key(key.as_str().unwrap()))
        }),
        "items" => value
            .as_array()
            .is_none_or(|items| items.iter().all(|item| is_valid(rule, item))),
        "minimum" => value
            .as_f64()
            .is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value
            .as_f64()
            .is_none_or(|number| number <= rule.as_f64().unwrap()),
        "minLength" => length_of_text(value).is_none_or(|length| length >= rule.as_u64().unwrap()),
        "maxLength" => length_of_text(value).is_none_or(|length| length <= rule.as_u64().unwrap()),
        "minItems" => value
            .as_array()
            .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value
            .as_array()
            .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
        _ => panic!("the validator does not know `{keyword}`"),
    }
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        // 1.0 is an integer in JSON Schema.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type `{other}` in JSON Schema"),
    }
}

fn every_entry(value: &Value, holds: impl Fn(&str, &Value) -> bool) -> bool {
    value
        .as_object()
        .is_none_or(|entries| entries.iter().all(|(key, value)| holds(key, value)))
}

fn length_of_text(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}
