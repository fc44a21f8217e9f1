//! `images`: other names, tags and digests for images.
//!
//! Specification: `ImageTagTransformer`, `filters/imagetag` and `image` of kustomize.

mod apply;
mod config;
mod index;
mod places;
mod reference;
#[cfg(test)]
mod tests;

pub use self::apply::ImageTransformer;
pub use self::config::ImageConfig;
