//! Where in the configuration an error is.

use std::fmt::{self, Write};

/// One step from a value to a value in it.
#[derive(Debug)]
pub(super) enum Segment {
    /// Under this key.
    Key(String),
    /// At this index.
    Index(usize),
}

/// A path, put together from its end while an error travels outwards.
#[derive(Debug, Default)]
pub(super) struct Path {
    inside_out: Vec<Segment>,
}

impl Path {
    /// A path of segments from the outside in.
    pub(super) fn new(mut segments: Vec<Segment>) -> Path {
        segments.reverse();
        Path {
            inside_out: segments,
        }
    }

    /// The segments from the outside in.
    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.inside_out.iter().rev()
    }

    /// Puts a segment in front.
    pub(super) fn prepend(&mut self, segment: Segment) {
        self.inside_out.push(segment);
    }

    /// Whether the path leads to the root itself.
    pub(super) fn is_root(&self) -> bool {
        self.inside_out.is_empty()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, segment) in self.segments().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if key.contains('.') => write!(f, "[{key}]")?,
                Segment::Key(key) => {
                    if depth > 0 {
                        f.write_char('.')?;
                    }
                    f.write_str(key)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_printed_from_the_outside_in() {
        let mut path = Path::default();
        path.prepend(Segment::Key("a.b/c".into()));
        path.prepend(Segment::Key("labels".into()));
        path.prepend(Segment::Index(2));
        path.prepend(Segment::Key("items".into()));
        assert_eq!(path.to_string(), "items[2].labels[a.b/c]");
    }
}
