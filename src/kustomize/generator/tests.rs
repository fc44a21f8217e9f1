//! The rules of the generators.
