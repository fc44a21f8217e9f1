//! The schema in the languages of other tools.

mod json_schema;
mod openapi;

use std::sync::Arc;

use crate::yaml::{Entry, Node};

pub(super) use json_schema::json_schema;
pub(super) use openapi::openapi;

/// A map that grows.
#[derive(Default)]
struct Entries(Vec<Entry>);

impl Entries {
    fn push(&mut self, key: &str, value: Arc<Node>) {
        self.0.push(Entry::new(key, value));
    }

    fn push_text(&mut self, key: &str, value: &str) {
        self.push(key, Node::string(value));
    }

    fn push_if(&mut self, key: &str, value: Option<Arc<Node>>) {
        self.0.extend(value.map(|value| Entry::new(key, value)));
    }

    fn finish(self) -> Arc<Node> {
        Node::mapping(self.0)
    }
}

fn boolean(value: bool) -> Arc<Node> {
    Node::plain(if value { "true" } else { "false" })
}
