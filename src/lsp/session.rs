//! Starts a session: client and server exchange their capabilities.

use std::path::PathBuf;

use crossbeam_channel::Sender;
use lsp_server::{Connection, Message, Request, RequestId};
use lsp_types::notification::{DidChangeWatchedFiles, Notification as NotificationKind};
use lsp_types::request::{RegisterCapability, Request as RequestKind};
use lsp_types::{
    CodeActionProviderCapability, CompletionOptions, DidChangeWatchedFilesRegistrationOptions,
    FileSystemWatcher, FoldingRangeProviderCapability, GlobPattern, HoverProviderCapability,
    InitializeParams, InitializeResult, OneOf, Registration, RegistrationParams, RenameOptions,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, WorkDoneProgressOptions,
};

use super::position::ColumnEncoding;
use super::pull::ClientAbilities;
use super::server::protocol_error;
use super::tokens;
use super::uri::path_of;
use crate::source::Result;
use crate::source::world::World;

/// The settings on which the client and the server have agreed.
pub(super) struct ClientSession {
    pub(super) encoding: ColumnEncoding,
    pub(super) abilities: ClientAbilities,
    /// The canonical folders that the editor has open.
    pub(super) workspaces: Vec<PathBuf>,
}

impl ClientSession {
    /// Answers `initialize`, and waits until the client is ready.
    ///
    /// # Errors
    /// The client breaks the protocol or goes away.
    pub(super) fn begin(world: &dyn World, connection: &Connection) -> Result<ClientSession> {
        let (id, parameters) = connection.initialize_start().map_err(protocol_error)?;
        let abilities = ClientAbilities::of(&parameters);
        let parameters: InitializeParams =
            serde_json::from_value(parameters).map_err(|error| protocol_error(&error))?;
        let general = parameters.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let encoding = ColumnEncoding::among(encodings);
        let result = InitializeResult {
            capabilities: ServerCapabilities {
                diagnostic_provider: abilities.provider(),
                ..capabilities(encoding)
            },
            server_info: Some(ServerInfo {
                name: "inlay".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        let result = serde_json::to_value(result).map_err(|error| protocol_error(&error))?;
        connection
            .initialize_finish(id, result)
            .map_err(protocol_error)?;
        if can_register_watchers(&parameters) {
            watch_files(&connection.sender);
        }
        Ok(ClientSession {
            encoding,
            abilities,
            workspaces: workspaces(world, &parameters),
        })
    }
}

/// Returns the capabilities of the server.
fn capabilities(encoding: ColumnEncoding) -> ServerCapabilities {
    let triggers = [".", "@", "/", "\"", "("];
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers.map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

fn can_register_watchers(parameters: &InitializeParams) -> bool {
    let workspace = parameters.capabilities.workspace.as_ref();
    let watched = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
    watched.and_then(|watched| watched.dynamic_registration) == Some(true)
}

/// Asks the client to report files that other programs change.
fn watch_files(sender: &Sender<Message>) {
    let watchers = vec![FileSystemWatcher {
        glob_pattern: GlobPattern::String("**/*".to_owned()),
        kind: None,
    }];
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    let parameters = RegistrationParams {
        registrations: vec![Registration {
            id: "inlay-files".to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        }],
    };
    let id = RequestId::from("inlay-register".to_owned());
    let request = Request::new(id, RegisterCapability::METHOD.to_owned(), parameters);
    // If the client has ended, it needs no reports.
    let _ = sender.send(request.into());
}

/// Returns the canonical folders that the editor has open.
fn workspaces(world: &dyn World, parameters: &InitializeParams) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in parameters.workspace_folders.iter().flatten() {
        folders.extend(path_of(&folder.uri));
    }
    #[expect(deprecated, reason = "older clients send only this field")]
    if folders.is_empty()
        && let Some(root) = &parameters.root_uri
    {
        folders.extend(path_of(root));
    }
    let canonical = folders
        .into_iter()
        .map(|folder| world.canonical(&folder).unwrap_or(folder));
    canonical.collect()
}
