//! Command-line arguments that set data values.

#![no_main]

#[path = "../entries.rs"]
mod entries;
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| entries::arguments(data));
