//! The converter of `end` blocks, and the parser behind it.

#![no_main]

#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::end(data));
