import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';
import { FILE_SCHEME, RESOURCE_SCHEME, RESPONSE_SCHEME } from './resourceUri.ts';
import type { ResponseDocuments } from './responseDocuments.ts';

/** Documents of the service, by kind. */
export interface Documents {
  readonly resources: ResourceDocuments;
  readonly responses: ResponseDocuments;
}

/**
 * Provides the documents and files of the service to VS Code. Registered at activation, because windows restore their
 * tabs. The implementation is loaded on the first request.
 */
export class DocumentProviders extends Disposable {
  readonly changedText = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly changedFiles = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());

  constructor(load: () => Promise<Documents>) {
    super();
    this.register(
      vscode.workspace.registerTextDocumentContentProvider(RESOURCE_SCHEME, {
        onDidChange: this.changedText.event,
        provideTextDocumentContent: async (uri) => (await load()).resources.getText(uri),
      }),
    );
    this.register(
      vscode.workspace.registerTextDocumentContentProvider(RESPONSE_SCHEME, {
        provideTextDocumentContent: async (uri) => (await load()).responses.getText(uri),
      }),
    );
    // VS Code never changes files in a read-only file system.
    const refuse = (uri: vscode.Uri): never => {
      throw vscode.FileSystemError.NoPermissions(uri);
    };
    const files: vscode.FileSystemProvider = {
      onDidChangeFile: this.changedFiles.event,
      stat: async (uri) => (await load()).resources.stat(uri),
      readFile: async (uri) => (await load()).resources.readFile(uri),
      watch: () => new vscode.Disposable(() => undefined),
      readDirectory: (uri) => {
        throw vscode.FileSystemError.FileNotADirectory(uri);
      },
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    };
    this.register(
      vscode.workspace.registerFileSystemProvider(FILE_SCHEME, files, { isReadonly: true, isCaseSensitive: true }),
    );
  }
}
