//! The hash at the end of a generated name: `web-6ct58987ht`.
//!
//! The algorithm is kustomize's `hasher`, which kubectl also uses.

/// The number of digits of a hash.
pub const HASH_LENGTH: usize = 10;

/// The characters for the hexadecimal digits, without vowels and characters that look like vowels,
/// so that no words appear.
pub const HASH_DIGITS: [u8; 16] = *b"gh2k456789mbcdtf";

/// Returns the name without the hash at its end; `None` if it has none.
///
/// `web-6ct58987ht` becomes `web`. The last word of `app-production` is not a hash: it has letters
/// that never occur in a hash.
pub fn without_hash(name: &str) -> Option<&str> {
    let (stem, hash) = name.rsplit_once('-')?;
    let is_hash = hash.len() == HASH_LENGTH && hash.bytes().all(|byte| HASH_DIGITS.contains(&byte));
    is_hash.then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_only_hashes() {
        let cases = [
            ("web-6ct58987ht", Some("web")),
            ("a-b-gh2k456789", Some("a-b")),
            ("app-production", None),
            ("app-monitoring", None),
            ("web-6ct58987h", None),
            ("web", None),
        ];
        for (name, stem) in cases {
            assert_eq!(without_hash(name), stem, "{name}");
        }
    }
}
