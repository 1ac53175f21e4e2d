import * as vscode from 'vscode';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { RESOURCE_SCHEME } from './resourceUri.ts';

export type JsonText = typeof import('./jsonText.ts');

interface LinkedDocument {
  readonly resource: Resource;
  /** Identifies the document in commands; another one after each change of the document. */
  readonly number: number;
  /** Where the document's links lead, in the order in which they were provided. */
  targets: readonly LinkTarget[];
}

/** Makes the links in JSON documents clickable: those that the resource reader has found. */
export class DocumentLinks extends Disposable implements vscode.DocumentLinkProvider {
  /** By URI. */
  readonly #documents = new Map<string, LinkedDocument>();
  readonly #loadJsonText: () => Promise<JsonText>;
  #count = 0;

  /** @param loadJsonText loads what finds the links in a text; called when a document is shown. */
  constructor(loadJsonText: () => Promise<JsonText>) {
    super();
    this.#loadJsonText = loadJsonText;
    this.register(vscode.languages.registerDocumentLinkProvider({ scheme: RESOURCE_SCHEME }, this));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
  }

  /** Sets the resource that a document shows. */
  remember(uri: vscode.Uri, resource: Resource): void {
    this.#count += 1;
    this.#documents.set(uri.toString(), { resource, number: this.#count, targets: [] });
  }

  /** Removes the links of a document. */
  forget(uri: vscode.Uri): void {
    this.#documents.delete(uri.toString());
  }

  /** Where a link leads, by the arguments of its command; undefined when the document has changed since. */
  target(document: number, index: number): LinkTarget | undefined {
    return [...this.#documents.values()].find(({ number }) => number === document)?.targets[index];
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const linked = this.#documents.get(document.uri.toString());
    if (linked === undefined) {
      return [];
    }
    const { findLinks, linkPlaces } = await this.#loadJsonText();
    const found = await findLinks(document.getText(), await linkPlaces(linked.resource));
    const links = found.map(({ target, start, end }, index) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const link = new vscode.DocumentLink(range, commandFor(linked.number, index));
      link.tooltip = tooltipFor(target);
      return link;
    });
    linked.targets = found.map(({ target }) => target);
    return links;
  }
}

/** The command gets numbers, not the link: nothing that the service wrote becomes part of a command. */
function commandFor(document: number, index: number): vscode.Uri {
  return vscode.Uri.parse(`command:appBuild.followLink?${encodeURIComponent(JSON.stringify([document, index]))}`);
}

function tooltipFor({ kind }: LinkTarget): string {
  switch (kind) {
    case 'internal':
      return vscode.l10n.t('Open the linked resource');
    case 'external':
      return vscode.l10n.t('Open in the browser');
    case 'template':
      return vscode.l10n.t('Fill in and open');
  }
}
