import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { Proxy } from '../api/http/transport.ts';
import type { Redactor } from '../api/redaction.ts';
import { isLoopback } from '../api/serviceUrl.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import type { Failure, Log, Recent } from '../workbench/log.ts';
import { Network } from '../workbench/network.ts';

/** A line of the report: a name and a value. The report is English in every language: its readers are developers. */
type Fact = readonly [name: string, value: string];

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

interface DiagnosticsDependencies {
  /** This extension. */
  readonly extension: vscode.Extension<unknown>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly selection: ServiceSelection;
}

/**
 * Gathers what helps to find out why the extension does not work: words of ours and numbers, so that no secret is in it, and nothing
 * that identifies a user, a company or a computer. It starts nothing and sends nothing.
 *
 * @returns Markdown.
 */
export async function collectDiagnostics({
  extension,
  log,
  redactor,
  selection,
}: DiagnosticsDependencies): Promise<string> {
  const manifest = extension.packageJSON as Manifest;
  const commands = manifest.contributes.commands.map(({ command }) => command);
  const introduction = vscode.l10n.t(
    'Read this report before you send it to anybody. Passwords, tokens, addresses and names are left out of it.',
  );
  const next = vscode.l10n.t(
    'Attach this report to an issue, with what you did and what you expected. The log has more details; addresses and names are in it.',
  );
  const report = [
    '# Application Build Service: diagnostics',
    `> ${introduction}`,
    section('Versions', environmentFacts(extension)),
    section('Settings', [...settingFacts(manifest), ...variableFacts(process.env)]),
    section('The way to the service', await connectionFacts(selection)),
    section('Latest failures', failureFacts(log.recentFailures, Date.now(), commands)),
    '---',
    next,
  ];
  return `${redactor.redact(report.join('\n\n'))}\n`;
}

/** A part of the report, as Markdown that reads well as it is, too. */
function section(title: string, facts: readonly Fact[]): string {
  return `## ${title}\n\n${facts.map(([name, value]) => `- ${name}: ${value}`).join('\n')}`;
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
function environmentFacts({ packageJSON, extensionKind }: vscode.Extension<unknown>): readonly Fact[] {
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
function settingFacts({ contributes }: Manifest): readonly Fact[] {
  const own = Object.entries(contributes.configuration.properties).map(
    ([key, { enum: words = [] }]) => [key, words.filter((word) => typeof word === 'string')] as const,
  );
  return [...own, ...Object.entries(SETTINGS_OF_VSCODE)].map(([key, words]): Fact => [key, settingText(key, words)]);
}

/** Which variables are set. */
function variableFacts(environment: NodeJS.ProcessEnv): readonly Fact[] {
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

/** The kinds of the service and of the proxy to it, without hosts and users. */
async function connectionFacts(selection: ServiceSelection): Promise<readonly Fact[]> {
  try {
    const service = selection.current;
    return service === undefined
      ? [['Service', 'none is chosen']]
      : [
          ['Service', serviceKind(service)],
          ['Proxy', await proxyTo(service)],
        ];
  } catch (error) {
    return [['Service', `cannot be used: ${failureKind(error)}`]];
  }
}

function serviceKind({ url, local }: Service): string {
  const address = new URL(url.href);
  const place = local
    ? 'the local service of this extension'
    : isLoopback(address)
      ? 'this machine by name'
      : 'another host';
  return `${place}, ${address.protocol === 'https:' ? 'HTTPS' : 'plain HTTP'}`;
}

async function proxyTo({ url }: Service): Promise<string> {
  const network = new Network({ info: () => undefined, warn: () => undefined });
  const proxy = await network.proxyFor(url.origin);
  return proxy === undefined ? 'none' : proxyKind(proxy);
}

/** The kind of a proxy and whether a sign-in is set for it. */
function proxyKind({ url, authorization }: Proxy): string {
  const { protocol, username, password } = new URL(url);
  const hasSignIn = authorization !== undefined || username !== '' || password !== '';
  return `${protocol.slice(0, -1)} proxy, ${hasSignIn ? 'with' : 'without'} a sign-in`;
}

/** Fields of our errors whose values are words of ours, or a status. */
const DETAILS = ['failure', 'fault', 'phase', 'status'] as const;
/** Where our own code stands in a stack: file, line and column, and nothing of the folders above. */
const OWN_FRAME = /\b((?:extension|later|undici|chunk-\w+)\.cjs:\d+:\d+)/g;

/** @param now milliseconds since the epoch. */
export function failureFacts(
  failures: readonly Recent<Failure>[],
  now: number,
  commandIds: readonly string[],
): readonly Fact[] {
  return failures.length === 0
    ? [['Failures since this window was opened', 'none']]
    : failures.map(({ time, doing, error }): Fact => {
        // Other words may be those of a button, with a name in them.
        const command = commandIds.includes(doing) ? `${doing}, ` : '';
        return [`${Math.round((now - time) / 1000)} s ago`, `${command}${failureKind(error)}`];
      });
}

/**
 * The kind of a failure. Its message is left out, since it may name a host, a file or a user.
 *
 * @param error whatever was thrown.
 */
export function failureKind(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return [error.kind, ...DETAILS.flatMap((name) => wordOf(Reflect.get(error, name)))].join(' ');
  }
  if (!(error instanceof Error)) {
    return 'not an error';
  }
  const [name = 'Error'] = wordOf(error.name);
  const code = wordOf('code' in error ? error.code : undefined);
  const frames = [...(error.stack ?? '').matchAll(OWN_FRAME)].flatMap(([, frame]) => frame ?? []);
  return [name, ...code, ...(frames.length === 0 ? [] : [`at ${frames.join(', ')}`])].join(' ');
}

function wordOf(value: unknown): readonly string[] {
  return (typeof value === 'string' && /^[A-Z_]{1,40}$/i.test(value)) || typeof value === 'number'
    ? [String(value)]
    : [];
}
