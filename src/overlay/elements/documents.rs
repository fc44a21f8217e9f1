//! The documents of all files.

use std::sync::Arc;

use super::{Elements, End, Insertion, inserted, without};
use crate::overlay::matcher::Index;
use crate::overlay::part::{Kind, Part};
use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Location, Result};
use crate::yaml::Node;

/// Documents in the order of their files.
#[derive(Debug)]
pub(in crate::overlay) struct Documents {
    /// Each with the number of its file.
    documents: Vec<(usize, Built)>,
    /// How many files there are, some perhaps without documents.
    files: usize,
}

impl Documents {
    /// The documents of each file.
    pub(in crate::overlay) fn new(files: Vec<Vec<Built>>) -> Documents {
        let count = files.len();
        let numbered = files.into_iter().enumerate();
        let documents = numbered
            .flat_map(|(file, documents)| documents.into_iter().map(move |built| (file, built)));
        Documents {
            documents: documents.collect(),
            files: count,
        }
    }

    /// The documents of each file.
    pub(in crate::overlay) fn into_files(self) -> Vec<Vec<Built>> {
        let mut files: Vec<Vec<Built>> = Vec::new();
        files.resize_with(self.files, Vec::new);
        for (file, built) in self.documents {
            if let Some(documents) = files.get_mut(file) {
                documents.push(built);
            }
        }
        files
    }
}

fn made(value: Arc<Node>, part: &Part<'_>) -> Built {
    Built {
        root: value,
        place: part.place.clone(),
        annotations: part.other_annotations(),
    }
}

impl Elements for Documents {
    const KIND: Kind = Kind::Document;

    fn whole(&self) -> Option<Location> {
        None
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.documents.len()).collect()
    }

    fn count(&self) -> usize {
        self.documents.len()
    }

    fn with_key(&mut self, _: &Node) -> Vec<usize> {
        Vec::new()
    }

    fn value(&self, at: usize) -> &Arc<Node> {
        self.documents[at].1.root.resolved()
    }

    fn index<'v>(&self, at: usize) -> Index<'_, 'v> {
        Index::Number(at)
    }

    fn place(&self, at: usize) -> Option<Location> {
        let built = &self.documents[at].1;
        built.place.clone().or_else(|| built.root.location())
    }

    fn set(&mut self, at: usize, value: Arc<Node>, _: &Caller<'_, '_>) -> Result<()> {
        self.documents[at].1.root = value;
        Ok(())
    }

    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &Part<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        self.documents[at].1 = made(value, part);
        Ok(())
    }

    fn remove(&mut self, positions: &[usize]) {
        self.documents = without(std::mem::take(&mut self.documents), positions);
    }

    fn insert(
        &mut self,
        values: Vec<Insertion>,
        part: &Part<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        let beside = |insertion: &Insertion, (file, _): &(usize, Built)| {
            Ok((*file, made(Arc::clone(&insertion.value), part)))
        };
        self.documents = inserted(std::mem::take(&mut self.documents), values, beside)?;
        Ok(())
    }

    fn add(
        &mut self,
        value: Arc<Node>,
        end: End,
        part: &Part<'_>,
        _: &Caller<'_, '_>,
    ) -> Result<()> {
        self.files = self.files.max(1);
        let file = match end {
            End::First => 0,
            End::Last => self.files - 1,
        };
        let at = self.documents.partition_point(|(own, _)| *own <= file);
        self.documents.insert(at, (file, made(value, part)));
        Ok(())
    }
}
