import * as vscode from 'vscode';
import type { Manifest } from './manifest.ts';
import type { Fact } from './report.ts';

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

/** @param words those that a text may be. */
export function valueText(value: unknown, words: readonly string[]): string {
  if (typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && words.includes(value))) {
    return String(value);
  }
  if (Array.isArray(value) && value.length > 0) {
    return value.length === 1 ? '1 entry' : `${value.length} entries`;
  }
  return value === undefined || value === null || value === '' || Array.isArray(value) ? NOT_SET : 'set';
}
