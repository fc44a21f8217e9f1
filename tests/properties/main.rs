//! Properties of every edit of every document: documents in random styles, random edits, and two
//! readers.
//!
//! `PROPTEST_CASES=20000 cargo test --test properties` runs more cases than the default.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common"]
mod common {
    pub(crate) mod clients;
}

mod choices;
mod counts;
mod document;
mod embedded;
mod flat;
mod formatted;
mod independent;
mod ini;
mod json_text;
mod lenient;
mod merged;
mod nested;
mod overlays;
mod patches;
mod replaced_brackets;
mod replaced_lists;
mod scalar_text;
mod sorted;
mod suggested_paths;
mod toml_edits;
mod toml_text;
mod tree;
mod value;
mod yaml_text;
