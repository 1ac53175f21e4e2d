import * as vscode from 'vscode';
import { localised } from '../../workbench/notifications.ts';
import { WIDGETS_NAMESPACE, xsd } from '../schema/xsd.ts';

const EXTENSION_ID = 'redhat.vscode-xml';
/** It starts a server of its own; nobody waits longer for what is wrong with a text. */
const ACTIVATION_TIMEOUT_MS = 5000;

const SCHEMA = 'config.xsd';
const SCHEMA_WITHOUT_NAMESPACE = 'configWithoutNamespace.xsd';
const CATALOG = 'catalog.xml';

/** What the extension exports: https://github.com/redhat-developer/vscode-xml/blob/main/src/api/xmlExtensionApi.ts */
interface XmlExtensionApi {
  addXMLCatalogs(paths: readonly string[]): void;
  addXMLFileAssociations(associations: readonly FileAssociation[]): void;
  removeXMLFileAssociations(associations: readonly FileAssociation[]): void;
}

interface FileAssociation {
  /** URL of a schema. */
  readonly systemId: string;
  /** Glob. */
  readonly pattern: string;
}

/**
 * Whether an extension that knows XML is there, and has the schema of config.xml: what the schema says is then its part. It may be
 * installed, switched off and removed at any time, so each call looks anew.
 */
export class RedHatXml {
  readonly #folder: vscode.Uri;
  #written: Promise<void> | undefined;
  /** To whom the schemas have been handed, and the globs of the files without a namespace. */
  #handedTo: { readonly api: XmlExtensionApi; readonly patterns: Set<string> } | undefined;

  /** @param globalStorageUri the folder of this extension on this machine */
  constructor(globalStorageUri: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(globalStorageUri, 'configXml');
  }

  /**
   * Hands the schema for a config.xml over.
   *
   * @returns false when there is no such extension, or when it does not check this document. Never rejects.
   */
  async handOver(document: vscode.TextDocument): Promise<boolean> {
    const namespace = namespaceOf(document.getText());
    const isFitting = namespace === undefined || namespace === WIDGETS_NAMESPACE;
    if (!isFitting || document.languageId !== 'xml' || document.uri.scheme !== 'file' || !validates(document)) {
      return false;
    }
    try {
      const api = await activeApi();
      if (api === undefined) {
        return false;
      }
      await (this.#written ??= this.#write());
      this.#handTo(api, document, namespace !== undefined);
      return true;
    } catch {
      this.#written = undefined;
      return false;
    }
  }

  #handTo(api: XmlExtensionApi, document: vscode.TextDocument, hasNamespace: boolean): void {
    if (this.#handedTo?.api !== api) {
      api.addXMLCatalogs([this.#file(CATALOG).fsPath]);
      this.#handedTo = { api, patterns: new Set() };
    }
    const { patterns } = this.#handedTo;
    const pattern = globOf(document.uri);
    const association = { systemId: this.#file(SCHEMA_WITHOUT_NAMESPACE).toString(), pattern };
    // A catalog finds schemas by namespace only, and a schema without one would call all of a file with a namespace wrong.
    if (!hasNamespace && !patterns.has(pattern)) {
      api.addXMLFileAssociations([association]);
      patterns.add(pattern);
    } else if (hasNamespace && patterns.delete(pattern)) {
      api.removeXMLFileAssociations([association]);
    }
  }

  async #write(): Promise<void> {
    await this.#writeFile(SCHEMA, xsd(true, localised));
    await this.#writeFile(SCHEMA_WITHOUT_NAMESPACE, xsd(false, localised));
    await this.#writeFile(CATALOG, catalog());
  }

  /** Leaves a file alone that has the content already: the other extension watches it. */
  async #writeFile(name: string, text: string): Promise<void> {
    const file = this.#file(name);
    const content = Buffer.from(text);
    const present = await vscode.workspace.fs.readFile(file).then(
      (bytes) => bytes,
      () => new Uint8Array(),
    );
    if (!content.equals(present)) {
      await vscode.workspace.fs.writeFile(file, content);
    }
  }

  #file(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}

/** OASIS XML Catalogs 1.1, §6.5.5: a URI by the name of the namespace. */
function catalog(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
  <uri name="${WIDGETS_NAMESPACE}" uri="${SCHEMA}"/>
</catalog>
`;
}

/** What the extension exports; undefined when it is not there, or takes too long. */
async function activeApi(): Promise<XmlExtensionApi | undefined> {
  const extension = vscode.extensions.getExtension<unknown>(EXTENSION_ID);
  if (extension === undefined) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await within(ACTIVATION_TIMEOUT_MS, extension.activate());
  return isXmlExtensionApi(api) ? api : undefined;
}

function isXmlExtensionApi(api: unknown): api is XmlExtensionApi {
  const names = ['addXMLCatalogs', 'addXMLFileAssociations', 'removeXMLFileAssociations'];
  return typeof api === 'object' && api !== null && names.every((name) => typeof Reflect.get(api, name) === 'function');
}

async function within<T>(milliseconds: number, promise: Thenable<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where a person has switched its validation off, it says nothing. */
function validates(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration('xml.validation', document);
  return settings.get('enabled') !== false && settings.get('schema.enabled') !== 'never';
}

/** The namespace of the root of a config.xml, which may be incomplete; undefined when it has none. */
function namespaceOf(text: string): string | undefined {
  const attributes = /<widget\b([^<>]*)/.exec(text)?.[1] ?? '';
  return /\sxmlns\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes)?.slice(1).find(Boolean);
}

/** A glob of Java that matches one file. */
function globOf({ fsPath }: vscode.Uri): string {
  return (process.platform === 'win32' ? fsPath.replaceAll('\\', '/') : fsPath).replace(/[\\*?[\]{}]/g, '\\$&');
}
