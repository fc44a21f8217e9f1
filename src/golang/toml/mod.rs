//! TOML in the layout of the library that ytt uses, `BurntSushi/toml`.

mod decode;
mod encode;

pub use decode::decode;
pub use encode::encode;
