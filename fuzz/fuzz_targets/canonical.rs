//! The canonical printer, whose output is read back by two parsers.

#![no_main]

#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::canonical_text(data));
