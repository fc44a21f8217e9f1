//! The converter of `end` blocks, and the parser that reads its output.

#![no_main]

#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::end(data));
