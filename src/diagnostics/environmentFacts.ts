import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import type { Fact } from './report.ts';

/** What the report reads of the extension's own package.json. */
export interface Manifest {
  readonly version: string;
  readonly bugs?: { readonly url?: string };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
    };
  };
}

/** Remote windows that VS Code and its own extensions make; the name of another kind may hold a host. */
const REMOTE_KINDS = [
  'attached-container',
  'codespaces',
  'dev-container',
  'k8s-container',
  'ssh-remote',
  'tunnel',
  'wsl',
];

/** Versions, and the window that the extension runs in. */
export function environmentFacts({ packageJSON, extensionKind }: vscode.Extension<unknown>): readonly Fact[] {
  const { appName, appHost, language, remoteName, uiKind } = vscode.env;
  const { workspaceFolders = [] } = vscode.workspace;
  const virtual = workspaceFolders.filter(({ uri }) => uri.scheme !== 'file').length;
  const remote = remoteName === undefined ? 'none' : REMOTE_KINDS.includes(remoteName) ? remoteName : 'of another kind';
  return [
    ['Extension', (packageJSON as Manifest).version],
    ['VS Code', `${vscode.version} (${appName})`],
    ['Runs in', `${uiKind === vscode.UIKind.Web ? 'a browser' : 'a desktop window'}, host ${appHost}`],
    ['Remote', remote],
    ['Extension runs', extensionKind === vscode.ExtensionKind.UI ? 'beside the window' : 'where the folders are'],
    ['System', `${platform()} ${/^\d+(\.\d+)*/.exec(release())?.[0] ?? ''} ${arch()}`],
    ['Node.js', process.versions.node],
    ['Language', language],
    [
      'Folders',
      `${workspaceFolders.length}, of which ${virtual} virtual; ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    ],
  ];
}

/** Settings of VS Code that decide about connections and agents, with the words that their values may be. */
const SETTINGS_OF_VSCODE: Readonly<Record<string, readonly string[]>> = {
  'http.proxy': [],
  'http.proxySupport': ['off', 'on', 'fallback', 'override'],
  'http.proxyStrictSSL': [],
  'http.proxyAuthorization': [],
  'http.noProxy': [],
  'http.systemCertificates': [],
  'http.systemCertificatesNode': [],
  'chat.disableAIFeatures': [],
};

const NOT_SET = 'not set';

/** Environment variables that decide about connections. */
const VARIABLES = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** The settings of the extension and those that it depends on. Of a text only whether it is set, unless it is one of a list. */
export function settingFacts({ contributes }: Manifest): readonly Fact[] {
  const own = Object.entries(contributes.configuration.properties).map(
    ([key, { enum: words = [] }]) => [key, words.filter((word) => typeof word === 'string')] as const,
  );
  return [...own, ...Object.entries(SETTINGS_OF_VSCODE)].map(([key, words]): Fact => [key, settingText(key, words)]);
}

/** Which variables are set. */
export function variableFacts(environment: NodeJS.ProcessEnv): readonly Fact[] {
  const isSet = (name: string) => [name, name.toLowerCase()].some((each) => (environment[each] ?? '') !== '');
  return [['Environment variables that are set', VARIABLES.filter(isSet).join(', ') || 'none of those that matter']];
}

function settingText(key: string, words: readonly string[]): string {
  const configuration = vscode.workspace.getConfiguration();
  const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(key) ?? {};
  const isDefault = [globalValue, workspaceValue, workspaceFolderValue].every((value) => value === undefined);
  const text = valueText(configuration.get(key), words);
  return isDefault && text !== NOT_SET ? `${text} (default)` : text;
}

/** A value, or of a text or list only whether there is one. @param words those that a text may be. */
function valueText(value: unknown, words: readonly string[]): string {
  if (typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && words.includes(value))) {
    return String(value);
  }
  if (Array.isArray(value) && value.length > 0) {
    return value.length === 1 ? '1 entry' : `${value.length} entries`;
  }
  return value === undefined || value === null || value === '' || Array.isArray(value) ? NOT_SET : 'set';
}
