import * as vscode from 'vscode';
import { isWidget } from '../checkConfig.ts';
import { parseXml, type XmlDocument } from '../xmlDocument.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { isInCordovaFolder } from './cordovaFolder.ts';

/** What documents a provider is asked for. The language does not matter: people choose XML, and others. */
export const CONFIG_FILES: vscode.DocumentSelector = { pattern: '**/config.xml' };

/**
 * The folder of an app's pages below that of its config.xml; undefined for a folder that holds no app, or is on no disk. Never
 * rejects.
 */
export type PagesOf = (folder: vscode.Uri) => Promise<string | undefined>;

/** The open config.xml files, read. */
export class ConfigFiles extends Disposable {
  readonly #read = new Map<vscode.TextDocument, { readonly version: number; readonly xml: XmlDocument }>();
  readonly #folders = new Map<vscode.TextDocument, Promise<boolean>>();

  readonly #pagesOf: PagesOf;

  constructor(pagesOf: PagesOf) {
    super();
    this.#pagesOf = pagesOf;
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
  }

  /** What an open document says now; undefined unless it is the config.xml of a Cordova app. Never rejects. */
  async read(document: vscode.TextDocument): Promise<XmlDocument | undefined> {
    const isInFolder = this.#folders.get(document) ?? this.lookAgain(document);
    if (!(await isInFolder) || document.isClosed) {
      return undefined;
    }
    const xml = this.#parse(document);
    return isWidget(xml) ? xml : undefined;
  }

  /** Looks whether the folder is a Cordova app's, which it may have become. */
  lookAgain(document: vscode.TextDocument): Promise<boolean> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const isInFolder = isInCordovaFolder(document.uri, folder, this.#pagesOf);
    this.#folders.set(document, isInFolder);
    return isInFolder;
  }

  /** The folder of the pages below that of a config.xml. Never rejects. */
  async pagesOf(config: vscode.Uri): Promise<string | undefined> {
    return this.#pagesOf(vscode.Uri.joinPath(config, '..'));
  }

  override dispose(): void {
    super.dispose();
    this.#read.clear();
    this.#folders.clear();
  }

  #parse(document: vscode.TextDocument): XmlDocument {
    const known = this.#read.get(document);
    if (known?.version === document.version) {
      return known.xml;
    }
    const xml = parseXml(document.getText());
    this.#read.set(document, { version: document.version, xml });
    return xml;
  }

  #forget(document: vscode.TextDocument): void {
    this.#read.delete(document);
    this.#folders.delete(document);
  }
}

/** Where something is in a document. */
export function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
) {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
