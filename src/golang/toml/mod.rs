//! TOML in the layout of the library that ytt uses, `BurntSushi/toml`.

mod decode;
mod encode;

pub use decode::{decode, not_toml};
pub use encode::encode;
