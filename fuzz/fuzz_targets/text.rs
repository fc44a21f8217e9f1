//! Edits of JSON, YAML, TOML, properties, environment and INI texts.

#![no_main]

#[path = "../entries.rs"]
mod entries;
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| entries::text(data));
