//! The `inlay` program.

fn main() {}
