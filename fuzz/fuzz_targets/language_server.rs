//! The language server, with edits and requests.

#![no_main]

#[path = "../language_server.rs"]
mod language_server;

libfuzzer_sys::fuzz_target!(|data: &[u8]| language_server::language_server(data));
