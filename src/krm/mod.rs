//! The protocols of KRM and kustomize: ResourceLists with results, the exec plugin, and the kinds
//! of configuration.
//!
//! Every entry point works in the same way: it finds the objects in a text (`objects`), reads a
//! configuration (`configuration`), runs the [pipeline](crate::pipeline) on them, and prints the
//! text with the edited objects in it.

mod configuration;
mod exec_plugin;
mod function;
mod function_folder;
pub mod objects;
mod result_place;
mod results;

pub use configuration::{
    any_configuration_schema, configuration_kinds, configuration_schema, is_only_config_maps,
    is_surely_configuration, read_configuration, read_configurations, read_generator_plugin,
};
pub use exec_plugin::transform;
pub use function::call;
pub use result_place::name_objects_of_standard_input;
