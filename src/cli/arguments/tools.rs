//! The arguments of the commands around building: `plugin`, `migrate`, `doctor`, `schema`, `cmp`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::help::PLUGIN_EXAMPLES;
use crate::krm::configuration_kinds;

// `inlay plugin`
#[derive(Debug, Args)]
pub(in crate::cli) struct PluginArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: PluginCommand,
}

// `inlay migrate`
#[derive(Debug, Args)]
pub(in crate::cli) struct MigrateArguments {
    /// The folder of the kustomization or the package.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(in crate::cli) folder: PathBuf,
    /// The name of the configuration.
    #[arg(long, default_value = "migrated")]
    pub(in crate::cli) name: String,
}

// `inlay doctor`
#[derive(Debug, Args)]
pub(in crate::cli) struct DoctorArguments {
    /// Folders with kustomizations or kpt packages.
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folders: Vec<PathBuf>,
}

// The commands of `inlay plugin`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum PluginCommand {
    /// Install this program where kustomize looks for exec plugins
    ///
    /// Creates the folders and a link to this program. The home is the first of --home,
    /// KUSTOMIZE_PLUGIN_HOME, XDG_CONFIG_HOME/kustomize/plugin and HOME/.config/kustomize/plugin.
    #[command(after_help = PLUGIN_EXAMPLES)]
    Install {
        /// The folder of plugins. kustomize finds it if KUSTOMIZE_PLUGIN_HOME names it.
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
        /// Replace another file.
        #[arg(long)]
        force: bool,
    },
}

// The commands of `inlay schema`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SchemaCommand {
    /// Print the JSON Schema of configurations, for editors and checks
    ///
    /// Without KIND, it is that of every kind, and `kind` decides.
    Config {
        /// The kind of configuration.
        #[arg(value_name = "KIND", value_parser = configuration_kind_parser())]
        kind: Option<String>,
    },
}

fn configuration_kind_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(configuration_kinds())
}

// The commands of `inlay cmp`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CmpCommand {
    /// Print the configuration of the application, if it is one of Inlay's
    Discover,
    /// Print the objects of the application
    ///
    /// Builds the kustomization of the folder, or applies its inlay.yaml to it, or renders its
    /// templates, in this order; the parameter `mode` names another way.
    Generate,
    /// Print the parameters that an application can set, as JSON
    Parameters,
}
