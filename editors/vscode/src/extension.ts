// Starts `inlay lsp` and connects it with the editor. Everything that the extension can do is in the server, so that
// other editors have it too.

import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Called by the editor when a file or folder needs the extension. */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand('inlay.restart', restart),
    commands.registerCommand('inlay.showLog', () => client?.outputChannel.show()),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('inlay.path')) {
        await restart();
      }
    }),
  );
  await start();
}

/** Called by the editor when it ends. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  const program = workspace.getConfiguration('inlay').get<string>('path', 'inlay');
  const server: ServerOptions = { command: program, args: ['lsp'] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: 'file', language: 'yaml' },
      { scheme: 'file', language: 'starlark' },
      { scheme: 'file', pattern: '**/*.star' },
    ],
  };
  client = new LanguageClient('inlay', 'Inlay', server, options);
  try {
    await client.start();
  } catch (error) {
    // The program is not installed, or it is too old to be a server.
    const reason = error instanceof Error ? error.message : String(error);
    const settings = 'Open Settings';
    const chosen = await window.showErrorMessage(`Cannot start \`${program} lsp\`: ${reason}`, settings);
    if (chosen === settings) {
      await commands.executeCommand('workbench.action.openSettings', 'inlay.path');
    }
  }
}

async function restart(): Promise<void> {
  try {
    await client?.stop();
  } catch {
    // It has ended by itself.
  }
  await start();
}
