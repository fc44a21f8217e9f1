//! Objects for the unit tests of transformers.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Reported, Result, Source};
use crate::yaml::{Stream, faithful, parse};

/// A text with objects, and what becomes of them.
pub(super) struct TestObjects {
    stream: Stream,
    pub(super) resources: Vec<Resource>,
}

impl TestObjects {
    pub(super) fn parse(text: &str) -> TestObjects {
        let stream = parse(&Source::new("objects.yaml", text).unwrap()).unwrap();
        let resources = stream.documents.iter().map(|document| {
            let mut resource = Resource::new(Arc::clone(&document.root)).unwrap();
            resource.has_aliases = stream.has_aliases;
            resource
        });
        TestObjects {
            resources: resources.collect(),
            stream,
        }
    }

    /// Returns the text with the objects as they are now.
    pub(super) fn printed(&self) -> String {
        let roots = self.resources.iter().map(|resource| &resource.node);
        let roots: Vec<_> = roots.map(Arc::clone).collect();
        faithful::print(&self.stream, &roots)
    }
}

/// The text of objects after a step, or its messages if it fails; and its messages otherwise.
pub(super) fn run(
    text: &str,
    step: impl FnOnce(&mut Vec<Resource>, &mut Diagnostics) -> Result<(), Reported>,
) -> (Result<String, String>, Vec<String>) {
    let mut objects = TestObjects::parse(text);
    let mut diagnostics = Diagnostics::default();
    let outcome = step(&mut objects.resources, &mut diagnostics).and(diagnostics.outcome());
    let messages = diagnostics.as_slice().iter();
    let messages: Vec<String> = messages.map(|found| found.message.clone()).collect();
    match outcome {
        Ok(()) => (Ok(objects.printed()), messages),
        Err(_) => (Err(messages.join("\n")), Vec::new()),
    }
}
