import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { LinkTarget } from '../../api/hypermedia/resource.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import type { Connection, Connections } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { describe } from '../../workbench/notifications.ts';
import { DocumentLinks, type JsonLayout } from './documentLinks.ts';
import { extensionOf, isViewableImage } from '../mediaTypes.ts';
import { ResourceFiles } from './resourceFiles.ts';
import { resourceScheme, resourceUri, resourceUrl } from './resourceUri.ts';
import { accountKey, type SeenResources } from '../seenResources.ts';

/** What came of opening a resource. */
export type Opened = 'shown' | 'empty' | { readonly kind: 'file'; readonly mediaType: string };

/** Resources as read-only documents: JSON and other text, and images in VS Code's own viewer. */
export class ResourceDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #connections: Connections;
  readonly #seen: SeenResources;
  readonly #changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  /** Text that is loaded already, for the document that is about to ask for it. */
  readonly #loaded = new Map<string, string>();
  readonly #links: DocumentLinks;
  readonly #loadLayout: () => Promise<JsonLayout>;
  readonly #files = this.register(new ResourceFiles((url) => this.#bytes(url)));

  /** @param loadLayout loads what formats JSON; called when a document is shown. */
  constructor(connections: Connections, seen: SeenResources, loadLayout: () => Promise<JsonLayout>) {
    super();
    this.#loadLayout = loadLayout;
    this.#links = this.register(new DocumentLinks(loadLayout));
    this.#connections = connections;
    this.#seen = seen;
    this.register(vscode.workspace.registerTextDocumentContentProvider(resourceScheme, this));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#loaded.delete(uri.toString())));
  }

  /**
   * Loads a resource and shows it.
   *
   * @param url absolute, on the service's origin.
   * @returns whether it could be shown; a file that VS Code has no viewer for cannot.
   * @throws BuildServiceError when it cannot be loaded; no document opens then.
   */
  async open(url: string, signal?: AbortSignal): Promise<Opened> {
    const { client, ...connection } = await this.#signedIn(url);
    const response = await client.get(url, signal);
    const { body, mediaType } = response;
    if (body.kind === 'none') {
      return 'empty';
    }
    const extension = extensionOf(mediaType, body.kind === 'json');
    const title = (body.kind === 'json' ? body.resource.title : undefined) ?? '';
    this.#seen.add(accountKey(connection), [{ url, title }]);
    if (body.kind === 'binary') {
      if (!isViewableImage(mediaType)) {
        return { kind: 'file', mediaType };
      }
      await vscode.commands.executeCommand('vscode.open', this.#files.put(url, extension, body.bytes), {
        preview: true,
      });
      return 'shown';
    }
    const uri = resourceUri(url, extension);
    await this.#take(uri, response);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
    return 'shown';
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const loaded = this.#loaded.get(uri.toString());
    this.#loaded.delete(uri.toString());
    if (loaded !== undefined) {
      return loaded;
    }
    try {
      return await this.#text(uri, await this.#get(resourceUrl(uri)));
    } catch (error) {
      throw new Error(describe(error), { cause: error });
    }
  }

  /**
   * Loads open documents again: one, or all of the service in use.
   *
   * @throws the first failure, when all that can be loaded has been.
   */
  async refresh(only?: vscode.Uri): Promise<void> {
    const uris = only === undefined ? await this.#ofThisService() : [only];
    const results = await Promise.allSettled(
      uris.map(async (uri) => this.#take(uri, await this.#get(resourceUrl(uri)))),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /** Where a link of a document leads; undefined when the document has changed since. */
  linkTarget(document: number, index: number): LinkTarget | undefined {
    return this.#links.target(document, index);
  }

  /** Documents of another service stay as they are: nobody can load them now. */
  async #ofThisService(): Promise<readonly vscode.Uri[]> {
    const connection = await this.#connections.current();
    const { origin } = connection.kind === 'signedIn' ? connection.client.service : { origin: undefined };
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === resourceScheme);
    return open.filter((uri) => URL.parse(resourceUrl(uri))?.origin === origin);
  }

  /** Makes a document show a response; one that is open already keeps its text until it is told of a change. */
  async #take(uri: vscode.Uri, response: ServiceResponse): Promise<void> {
    this.#loaded.set(uri.toString(), await this.#text(uri, response));
    this.#changed.fire(uri);
  }

  async #text(uri: vscode.Uri, { body, mediaType }: ServiceResponse): Promise<string> {
    this.#links.forget(uri);
    switch (body.kind) {
      case 'json': {
        const { layOut } = await this.#loadLayout();
        this.#links.remember(uri, body.resource);
        return layOut(body.text);
      }
      case 'text':
        return body.text;
      case 'binary':
        throw new InvalidInputError(
          sentence('This is a file of type {0}, which cannot be shown as text.', mediaType),
          sentence('Download it.'),
        );
      case 'none':
        return '';
    }
  }

  async #bytes(url: string): Promise<Uint8Array> {
    const { body } = await this.#get(url);
    return body.kind === 'binary' ? body.bytes : new TextEncoder().encode(body.kind === 'none' ? '' : body.text);
  }

  async #get(url: string): Promise<ServiceResponse> {
    const { client } = await this.#signedIn(url);
    return client.get(url);
  }

  async #signedIn(url: string): Promise<Extract<Connection, { readonly kind: 'signedIn' }>> {
    const connection = await this.#connections.current();
    if (connection.kind === 'broken') {
      throw connection.error;
    }
    if (connection.kind !== 'signedIn') {
      throw new InvalidInputError(
        sentence('You are not signed in, so {0} cannot be shown.', new URL(url).pathname),
        sentence('Sign in, then open it again.'),
        'signIn',
      );
    }
    return connection;
  }
}
