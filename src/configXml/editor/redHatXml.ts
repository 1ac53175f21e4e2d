import type * as vscode from 'vscode';

/** Whether an extension that knows XML is there, and has the schema of config.xml: what the schema says is then its part. */
export class RedHatXml {
  readonly #globalStorageUri: vscode.Uri;

  constructor(globalStorageUri: vscode.Uri) {
    this.#globalStorageUri = globalStorageUri;
  }

  /** Hands the schema for a config.xml over. @returns false when there is no such extension. Never rejects. */
  handOver(document: vscode.TextDocument): Promise<boolean> {
    return Promise.resolve(document.uri.path === this.#globalStorageUri.path);
  }
}
