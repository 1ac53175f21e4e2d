import * as vscode from 'vscode';

import { InvalidInputError, sentence } from '../../../errors/index.ts';
import {
  BodyTooLargeError,
  findLinks,
  formatJson,
  getFileExtension,
  getLinkLocations,
  isViewableImage,
  type LinkTarget,
  type Resource,
  type ServiceResponse,
} from '../../../service-client/index.ts';
import type { Connections } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { describeFailure } from '../../workbench/notifications.ts';
import { accountKey, type RecentResources } from '../recentResources.ts';
import { ResourceTooLargeError } from '../resourceTooLargeError.ts';
import { FILE_SCHEME, onDidCloseTab, RESOURCE_SCHEME, resourceUri, resourceUrl } from './resourceUri.ts';

/** Result of opening a resource. `file` means that VS Code has no viewer for the content. */
type OpenResult = 'shown' | 'empty' | { readonly kind: 'file'; readonly mediaType: string };

/** Content of a URL. `extension` (without a dot) determines how VS Code shows it. */
type DocumentContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly extension: string;
      /** Parsed resource. Undefined unless the content is JSON. */
      readonly resource?: Resource;
    }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array; readonly extension: string; readonly mediaType: string }
  | { readonly kind: 'none' };

interface DocumentEvents {
  readonly changedText: vscode.EventEmitter<vscode.Uri>;
  readonly changedFiles: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

interface CachedFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/**
 * Shows resources as read-only documents: JSON and other text. Files of the service, such as images, open in VS Code's
 * own viewers.
 */
export class ResourceDocuments extends Disposable {
  readonly #connections: Connections;
  readonly #recent: RecentResources;
  readonly #changed: DocumentEvents;
  /** Loaded document text by URI, kept until VS Code requests it. */
  readonly #loadedTexts = new Map<string, string>();
  readonly #links = this.register(new DocumentLinks());
  /** Files by URI, kept until their tabs are closed. VS Code requests a file several times while it opens one. */
  readonly #files = new Map<string, CachedFile>();

  /** @param changed notifies VS Code of documents and files with changed content. */
  constructor(connections: Connections, recent: RecentResources, changed: DocumentEvents) {
    super();
    this.#connections = connections;
    this.#recent = recent;
    this.#changed = changed;
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#loadedTexts.delete(uri.toString())));
    this.register(onDidCloseTab((uri) => this.#files.delete(uri.toString())));
  }

  /**
   * Loads a resource and shows it.
   *
   * @param url absolute URL on the service's origin.
   * @throws {@link BuildServiceError} when it can't be loaded. In that case, no document opens.
   * {@link ResourceTooLargeError} when it can only be downloaded.
   */
  async open(url: string, signal?: AbortSignal): Promise<OpenResult> {
    const { content, account } = await this.#load(url, signal);
    if (content.kind === 'none') {
      return 'empty';
    }
    const title = content.kind === 'text' ? content.resource?.title : undefined;
    this.#recent.add(account, [{ url, title: title ?? '' }]);
    if (content.kind === 'text') {
      const uri = resourceUri(url, content.extension);
      this.#update(uri, content);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
      return 'shown';
    }
    if (!isViewableImage(content.mediaType)) {
      return { kind: 'file', mediaType: content.mediaType };
    }
    const uri = resourceUri(url, content.extension, FILE_SCHEME);
    this.#keepFile(uri, content.bytes);
    // An editor may show an earlier version of the file.
    this.#changed.changedFiles.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    return 'shown';
  }

  /** Returns the text of a document. VS Code shows the message of a thrown error. */
  async getText(uri: vscode.Uri): Promise<string> {
    const loaded = this.#loadedTexts.get(uri.toString());
    this.#loadedTexts.delete(uri.toString());
    if (loaded !== undefined) {
      return loaded;
    }
    try {
      return this.#getLinkedText(uri, (await this.#load(resourceUrl(uri))).content);
    } catch (error) {
      throw new Error(describeFailure(error), { cause: error });
    }
  }

  /** Reloads open documents: one, or all of the current service. @throws the first failure, after all documents have been loaded. */
  async refresh(only?: vscode.Uri): Promise<void> {
    const uris = only === undefined ? await this.#openDocuments() : [only];
    const results = await Promise.allSettled(
      uris.map(async (uri) => this.#update(uri, (await this.#load(resourceUrl(uri))).content)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /**
   * Returns the metadata of a file. VS Code also queries the parent folders of a file.
   *
   * @throws {@link vscode.FileSystemError} for a folder.
   */
  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: mtime,
      mtime,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#file(uri)).bytes;
  }

  async #file(uri: vscode.Uri): Promise<CachedFile> {
    const url = resourceUrl(uri);
    if (!URL.canParse(url)) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const cached = this.#files.get(uri.toString());
    if (cached !== undefined) {
      return cached;
    }
    const { content } = await this.#load(url);
    const text = content.kind === 'text' ? content.text : '';
    return this.#keepFile(uri, content.kind === 'binary' ? content.bytes : Buffer.from(text));
  }

  #keepFile(uri: vscode.Uri, bytes: Uint8Array): CachedFile {
    const file = { bytes, mtime: Date.now() };
    this.#files.set(uri.toString(), file);
    return file;
  }

  /**
   * Returns the target of a link in a document, or undefined if the document has changed since the link was created.
   */
  linkTarget(document: number, index: number): LinkTarget | undefined {
    return this.#links.target(document, index);
  }

  /**
   * Requests a URL and converts the response to displayable content. All loading in this class goes through this
   * method.
   *
   * @returns the content, and the key of the account that it was loaded for.
   */
  async #load(
    url: string,
    signal?: AbortSignal,
  ): Promise<{ readonly content: DocumentContent; readonly account: string }> {
    const connection = await this.#connections.requireSignedIn();
    try {
      const response = await connection.client.get(url, signal);
      return { content: this.#toContent(response), account: accountKey(connection) };
    } catch (error) {
      throw error instanceof BodyTooLargeError ? new ResourceTooLargeError(url, error) : error;
    }
  }

  #toContent({ body, mediaType }: ServiceResponse): DocumentContent {
    const extension = getFileExtension(mediaType, body.kind === 'json');
    switch (body.kind) {
      case 'json':
        return { kind: 'text', text: formatJson(body.text), extension, resource: body.resource };
      case 'text':
        return { kind: 'text', text: body.text, extension };
      case 'binary':
        return { kind: 'binary', bytes: body.bytes, extension, mediaType };
      case 'none':
        return { kind: 'none' };
    }
  }

  /** Returns the open documents of the current service. Documents of other services can't be reloaded. */
  async #openDocuments(): Promise<readonly vscode.Uri[]> {
    const connection = await this.#connections.current();
    const { origin } = connection.kind === 'signedIn' ? connection.client.service : { origin: undefined };
    return vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) => uri.scheme === RESOURCE_SCHEME && URL.parse(resourceUrl(uri))?.origin === origin);
  }

  /** Shows new content in a document. VS Code requests the text after the event. */
  #update(uri: vscode.Uri, content: DocumentContent): void {
    this.#loadedTexts.set(uri.toString(), this.#getLinkedText(uri, content));
    this.#changed.changedText.fire(uri);
  }

  /** Returns the text of a document and remembers its links, which become clickable. */
  #getLinkedText(uri: vscode.Uri, content: DocumentContent): string {
    this.#links.forget(uri);
    switch (content.kind) {
      case 'text':
        if (content.resource !== undefined) {
          this.#links.remember(uri, content.resource);
        }
        return content.text;
      case 'binary':
        throw new InvalidInputError(
          sentence('This is a file of type {0}, which can’t be shown as text.', content.mediaType),
          sentence('Download it.'),
        );
      case 'none':
        return '';
    }
  }
}

interface LinkedDocument {
  readonly resource: Resource;
  /** Number that identifies the document in commands. It changes whenever the document changes. */
  readonly number: number;
  /** Targets of the document's links, in the order in which they were provided. */
  targets: readonly LinkTarget[];
}

/** Makes the links in JSON documents clickable, using the links that the resource reader found. */
class DocumentLinks extends Disposable implements vscode.DocumentLinkProvider {
  /** Linked documents by URI. */
  readonly #documents = new Map<string, LinkedDocument>();
  #count = 0;

  constructor() {
    super();
    this.register(vscode.languages.registerDocumentLinkProvider({ scheme: RESOURCE_SCHEME }, this));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
  }

  remember(uri: vscode.Uri, resource: Resource): void {
    this.#count += 1;
    this.#documents.set(uri.toString(), { resource, number: this.#count, targets: [] });
  }

  forget(uri: vscode.Uri): void {
    this.#documents.delete(uri.toString());
  }

  /**
   * Returns the target of the link that a command's arguments identify, or undefined if the document has changed since the link was
   * created.
   */
  target(document: number, index: number): LinkTarget | undefined {
    return [...this.#documents.values()].find(({ number }) => number === document)?.targets[index];
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const linked = this.#documents.get(document.uri.toString());
    if (linked === undefined) {
      return [];
    }
    const found = findLinks(document.getText(), getLinkLocations(linked.resource));
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

/**
 * Returns the command for a link. It contains numbers instead of the link, so no text from the service becomes part of
 * a command.
 */
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
