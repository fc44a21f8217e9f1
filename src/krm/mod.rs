//! The doors of KRM and kustomize: ResourceLists, results, the kinds of functionConfig, and the exec-plugin protocol.
//!
//! Every door does the same: it takes objects out of a text, runs the pipeline on them, and prints the text with the
//! edited objects in it.

mod configuration;
mod exec_plugin;
mod function;
pub mod objects;
mod place;
mod results;

pub use configuration::configuration;
pub use exec_plugin::transform;
pub use function::call;
