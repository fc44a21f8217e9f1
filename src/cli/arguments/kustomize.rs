//! The arguments of `inlay kustomize`, which are those of `kustomize build`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::comparison::{BaseArguments, ComparisonArguments, WatchArguments};
use super::help::{FIX_EXAMPLES, KUSTOMIZE_EXAMPLES};

// `inlay kustomize`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct KustomizeArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: Option<KustomizeCommand>,
    /// The flags of `build`, without the command.
    #[command(flatten)]
    pub(in crate::cli) build: KustomizeBuildArguments,
}

// The commands of `inlay kustomize`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KustomizeCommand {
    /// Build a kustomization, as without the command
    #[command(after_help = KUSTOMIZE_EXAMPLES)]
    Build(KustomizeBuildArguments),
    /// Rewrite deprecated fields of a kustomization file in place
    #[command(after_help = FIX_EXAMPLES)]
    Fix(KustomizeFixArguments),
}

// `inlay kustomize fix`
#[derive(Debug, Args)]
pub(in crate::cli) struct KustomizeFixArguments {
    /// The folder of the kustomization.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(in crate::cli) folder: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
}

// `inlay kustomize build`
#[derive(Debug, Args)]
pub(in crate::cli) struct KustomizeBuildArguments {
    #[command(flatten)]
    pub(in crate::cli) input: KustomizeInputArguments,
    /// Write to this file, or one file for each object into this folder; `annotated` prints YAML
    /// in which a comment after each value names what made it.
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// List the files that were read in this file, as a rule that make and ninja understand. The
    /// output is one file, with `-o FILE`.
    #[arg(long, value_name = "FILE", requires = "output")]
    #[arg(conflicts_with_all = ["diff", "stat", "check", "against", "watch"])]
    pub(in crate::cli) depfile: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) comparison: ComparisonArguments,
    #[command(flatten)]
    pub(in crate::cli) base: BaseArguments,
    #[command(flatten)]
    pub(in crate::cli) watch: WatchArguments,
    /// Keep comments, key order, quotes and layout of the files that objects come from.
    #[arg(long)]
    pub(in crate::cli) faithful: bool,
    /// Treat every warning as an error: what kustomize ignores silently, and deprecated fields.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
}

// The input of a build of a kustomization. `inlay explain kustomize` takes these flags, too.
#[derive(Debug, Args)]
pub(in crate::cli) struct KustomizeInputArguments {
    /// The folder of the kustomization.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(in crate::cli) folder: PathBuf,
    /// The files that a kustomization may read.
    #[arg(long, value_name = "RULE", default_value = "LoadRestrictionsRootOnly")]
    pub(in crate::cli) load_restrictor: LoadRestrictor,
    /// The order of the objects, unless `sortOptions` in the kustomization says it.
    #[arg(long, value_name = "ORDER")]
    pub(in crate::cli) reorder: Option<Reorder>,
    /// Run plugins.
    #[arg(long)]
    pub(in crate::cli) enable_alpha_plugins: bool,
    /// Run plugins that are programs.
    #[arg(long)]
    pub(in crate::cli) enable_exec: bool,
    #[command(flatten)]
    pub(in crate::cli) helm: Box<HelmArguments>,
    /// Add the label `app.kubernetes.io/managed-by` to every object.
    #[arg(long)]
    pub(in crate::cli) enable_managedby_label: bool,
    /// Accepted and ignored: it is about containers, which Inlay does not run.
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) as_current_user: bool,
    /// Accepted and ignored: messages show places in files, and no stack of the program.
    #[arg(long = "stack-trace", hide_short_help = true)]
    pub(in crate::cli) _stack_trace: bool,
    /// Refused: it is for plugins in containers.
    #[arg(short, long, value_name = "NAME=VALUE", hide_short_help = true)]
    pub(in crate::cli) env: Vec<String>,
    /// Refused: it is for plugins in containers.
    #[arg(long, value_name = "MOUNT", hide_short_help = true)]
    pub(in crate::cli) mount: Vec<String>,
    /// Refused: it is for plugins in containers.
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) network: bool,
    /// Refused: it is for plugins in containers.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(in crate::cli) network_name: Option<String>,
}

// The flags for charts.
#[derive(Debug, Args)]
pub(in crate::cli) struct HelmArguments {
    /// Render helm charts with `helm`.
    #[arg(long)]
    pub(in crate::cli) enable_helm: bool,
    /// The program that renders charts.
    #[arg(long, value_name = "PROGRAM", default_value = "helm")]
    pub(in crate::cli) helm_command: String,
    /// A version of an API that charts find in the cluster; can be repeated.
    #[arg(long, value_name = "VERSION", hide_short_help = true)]
    pub(in crate::cli) helm_api_versions: Vec<String>,
    /// The version of the cluster that charts find.
    #[arg(long, value_name = "VERSION", hide_short_help = true)]
    pub(in crate::cli) helm_kube_version: Option<String>,
    /// Pass `--debug` to `helm`.
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) helm_debug: bool,
}

/// The values of `--load-restrictor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LoadRestrictor {
    /// Only files in or below the folder of the kustomization that names them.
    #[value(name = "LoadRestrictionsRootOnly", alias = "rootOnly")]
    RootOnly,
    /// Every file.
    #[value(name = "LoadRestrictionsNone", alias = "none")]
    Anywhere,
}

/// The values of `--reorder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Reorder {
    /// By kind: namespaces and definitions first, webhooks last.
    Legacy,
    /// In the order of the kustomization.
    None,
}
