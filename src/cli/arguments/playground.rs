//! The arguments of `inlay playground`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

// `inlay playground`
#[derive(Debug, Args)]
pub(in crate::cli) struct PlaygroundArguments {
    /// A folder whose files the page edits. It asks before it writes.
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: Option<PathBuf>,
    /// The port on 127.0.0.1; by default, a free one.
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(in crate::cli) port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    pub(in crate::cli) open: bool,
    /// Never write files of the folder.
    #[arg(long, requires = "folder")]
    pub(in crate::cli) read_only: bool,
    /// How long one render may take.
    #[arg(long, value_name = "SECONDS", default_value = "5")]
    pub(in crate::cli) time_limit: NonZero<u64>,
    /// End when no page has been open for this time.
    #[arg(long, value_name = "SECONDS")]
    pub(in crate::cli) idle_exit: Option<NonZero<u64>>,
    /// Do one job of the server.
    #[arg(long, hide = true)]
    pub(in crate::cli) worker: bool,
}
