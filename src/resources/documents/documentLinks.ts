import * as vscode from 'vscode';
import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { linkTargets } from './linkTargets.ts';
import { resourceScheme } from './resourceUri.ts';

export type JsonLayout = typeof import('./jsonLayout.ts');

/** Makes the links in JSON documents clickable: those that the resource reader has found. */
export class DocumentLinks extends Disposable implements vscode.DocumentLinkProvider {
  /** By document: what it shows, and its number in commands. */
  readonly #shown = new Map<string, { readonly resource: Resource; readonly number: number }>();
  /** By a document's number: where its links lead, in the order in which they were provided. */
  readonly #provided = new Map<number, readonly LinkTarget[]>();
  readonly #loadLayout: () => Promise<JsonLayout>;
  #count = 0;

  constructor(loadLayout: () => Promise<JsonLayout>) {
    super();
    this.#loadLayout = loadLayout;
    this.register(vscode.languages.registerDocumentLinkProvider({ scheme: resourceScheme }, this));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
  }

  remember(uri: vscode.Uri, resource: Resource): void {
    this.forget(uri);
    this.#shown.set(uri.toString(), { resource, number: ++this.#count });
  }

  forget(uri: vscode.Uri): void {
    this.#provided.delete(this.#shown.get(uri.toString())?.number ?? 0);
    this.#shown.delete(uri.toString());
  }

  target(document: number, index: number): LinkTarget | undefined {
    return this.#provided.get(document)?.[index];
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const shown = this.#shown.get(document.uri.toString());
    if (shown === undefined) {
      return [];
    }
    const targets = linkTargets(shown.resource);
    const { findStrings } = await this.#loadLayout();
    const provided: LinkTarget[] = [];
    const links = findStrings(document.getText(), targets).flatMap(({ pointer, start, end }) => {
      const target = targets.get(pointer);
      if (target === undefined) {
        return [];
      }
      const link = new vscode.DocumentLink(
        new vscode.Range(document.positionAt(start), document.positionAt(end)),
        commandFor(shown.number, provided.length),
      );
      link.tooltip = tooltipOf(target);
      provided.push(target);
      return [link];
    });
    this.#provided.set(shown.number, provided);
    return links;
  }
}

/** The command gets numbers, not the link: nothing that the service wrote becomes part of a command. */
function commandFor(document: number, index: number): vscode.Uri {
  return vscode.Uri.parse(`command:appBuild.followLink?${encodeURIComponent(JSON.stringify([document, index]))}`);
}

function tooltipOf({ kind }: LinkTarget): string {
  switch (kind) {
    case 'internal':
      return vscode.l10n.t('Open the linked resource');
    case 'external':
      return vscode.l10n.t('Open in the browser');
    case 'template':
      return vscode.l10n.t('Fill in and open');
  }
}
