//! The parts of an image reference, such as `example.com:5000/web:1.2@sha256:24a0…`.

/// An image reference in parts; tag and digest are empty if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImageReference {
    pub(super) name: String,
    pub(super) tag: String,
    pub(super) digest: String,
}

impl ImageReference {
    /// Splits a reference as kustomize does.
    ///
    /// Colons in front of the first slash belong to the host: `localhost:5000/web` has no tag. So
    /// `localhost:5000` alone has the tag `5000`.
    pub(super) fn split(text: &str) -> ImageReference {
        let host = text.find('/').unwrap_or(0);
        let in_path = |mark| text[host..].find(mark).map(|at| host + at);
        let (tag, digest) = match (in_path(':'), in_path('@')) {
            (None, None) => (None, None),
            (Some(colon), None) => (Some(colon), None),
            // The digest has a colon too: `web@sha256:24a0`.
            (Some(colon), Some(at)) if colon < at => (Some(colon), Some(at)),
            (_, Some(at)) => (None, Some(at)),
        };
        let digest_start = digest.unwrap_or(text.len());
        let name_end = tag.unwrap_or(digest_start);
        let after = |mark: Option<usize>, end: usize| match mark {
            Some(mark) => text[mark + 1..end].to_owned(),
            None => String::new(),
        };
        ImageReference {
            name: text[..name_end].to_owned(),
            tag: after(tag, digest_start),
            digest: after(digest, text.len()),
        }
    }

    /// Puts the parts together again.
    pub(super) fn joined(&self) -> String {
        let mut text = self.name.clone();
        for (mark, part) in [(':', &self.tag), ('@', &self.digest)] {
            if !part.is_empty() {
                text.push(mark);
                text.push_str(part);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_name_tag_and_digest() {
        for (text, parts) in [
            ("web", ["web", "", ""]),
            ("web:1", ["web", "1", ""]),
            ("web@sha256:a", ["web", "", "sha256:a"]),
            ("web:1@sha256:a", ["web", "1", "sha256:a"]),
            ("localhost:5000", ["localhost", "5000", ""]),
            ("localhost:5000/web", ["localhost:5000/web", "", ""]),
            ("localhost:5000/a/web:2", ["localhost:5000/a/web", "2", ""]),
            ("/web:1", ["/web", "1", ""]),
            ("a:b:c", ["a", "b:c", ""]),
            ("", ["", "", ""]),
        ] {
            let reference = ImageReference::split(text);
            let found = [&*reference.name, &reference.tag, &reference.digest];
            assert_eq!(found, parts, "{text}");
            assert_eq!(reference.joined(), text);
        }
        assert_eq!(ImageReference::split("web:").joined(), "web");
    }
}
