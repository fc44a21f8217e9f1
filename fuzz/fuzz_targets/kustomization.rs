//! `inlay kustomize`, on an in-memory file tree.

#![no_main]

#[path = "../entries.rs"]
mod entries;
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| entries::kustomization(data));
