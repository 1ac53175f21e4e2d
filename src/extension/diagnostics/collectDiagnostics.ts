import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import { BuildServiceError } from '../../errors/index.ts';
import { isLoopback, type ProxyServer, type Redactor } from '../../service-client/index.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import type { LoggedFailure, Log, LogEntry } from '../workbench/log.ts';
import { Network } from '../workbench/network.ts';

/** A line of the report: a name and a value. The report is always in English, because developers read it. */
type ReportFact = readonly [name: string, value: string];

/** The parts of the extension's package.json that the report uses. */
export interface ReportManifest {
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
  readonly extension: vscode.Extension<unknown>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly selection: ServiceSelection;
}

/**
 * Collects facts for diagnosing problems with the extension. The report consists of words from the extension and numbers, so it contains no
 * secrets and nothing that identifies a user, a company, or a computer. Doesn't start or send anything.
 * @returns Markdown
 */
export async function collectDiagnostics({
  extension,
  log,
  redactor,
  selection,
}: DiagnosticsDependencies): Promise<string> {
  const manifest = extension.packageJSON as ReportManifest;
  const commands = manifest.contributes.commands.map(({ command }) => command);
  const introduction = vscode.l10n.t(
    'Read this report before you share it. Passwords, tokens, addresses, and names are left out.',
  );
  const next = vscode.l10n.t(
    'Attach this report to an issue, and describe what you did and what you expected. The log has more details, including addresses and names.',
  );
  const report = [
    '# Application Build Service: diagnostics',
    `> ${introduction}`,
    formatSection('Versions', environmentFacts(extension)),
    formatSection('Settings', [...settingFacts(manifest), ...variableFacts(process.env)]),
    formatSection('Connection to the service', await connectionFacts(selection)),
    formatSection('Latest failures', failureFacts(log.recentFailures, Date.now(), commands)),
    '---',
    next,
  ];
  return `${redactor.redact(report.join('\n\n'))}\n`;
}

/** Renders a section of the report as Markdown that is also readable as plain text. */
function formatSection(title: string, facts: readonly ReportFact[]): string {
  return `## ${title}\n\n${facts.map(([name, value]) => `- ${name}: ${value}`).join('\n')}`;
}

/** Kinds of remote windows that VS Code and its own extensions provide. The name of any other kind could contain a host. */
const REMOTE_KINDS = [
  'attached-container',
  'codespaces',
  'dev-container',
  'k8s-container',
  'ssh-remote',
  'tunnel',
  'wsl',
];

/** Returns facts about versions, the system, and the window. */
function environmentFacts({ packageJSON, extensionKind }: vscode.Extension<unknown>): readonly ReportFact[] {
  const { appName, appHost, language, remoteName, uiKind } = vscode.env;
  const { workspaceFolders = [] } = vscode.workspace;
  const virtual = workspaceFolders.filter(({ uri }) => uri.scheme !== 'file').length;
  const remote = remoteName === undefined ? 'none' : REMOTE_KINDS.includes(remoteName) ? remoteName : 'other';
  return [
    ['Extension', (packageJSON as ReportManifest).version],
    ['VS Code', `${vscode.version} (${appName})`],
    ['Runs in', `${uiKind === vscode.UIKind.Web ? 'a browser' : 'a desktop window'}, host ${appHost}`],
    ['Remote', remote],
    ['Extension host', extensionKind === vscode.ExtensionKind.UI ? 'on the window’s computer' : 'with the folders'],
    ['System', `${platform()} ${/^\d+(\.\d+)*/.exec(release())?.[0] ?? ''} ${arch()}`],
    ['Node.js', process.versions.node],
    ['Language', language],
    [
      'Folders',
      `${workspaceFolders.length} (${virtual} virtual), ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    ],
  ];
}

/** VS Code settings that affect connections and agents, with the values that the report may contain. */
const VSCODE_SETTINGS: Readonly<Record<string, readonly string[]>> = {
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

/** Environment variables that affect connections. */
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

/** Returns this extension's settings and related VS Code settings. Reports only whether a string is set, unless it's an allowed value. */
function settingFacts({ contributes }: ReportManifest): readonly ReportFact[] {
  const own = Object.entries(contributes.configuration.properties).map(
    ([key, { enum: words = [] }]) => [key, words.filter((word) => typeof word === 'string')] as const,
  );
  return [...own, ...Object.entries(VSCODE_SETTINGS)].map(([key, words]): ReportFact => [
    key,
    formatSetting(key, words),
  ]);
}

/** Reports which variables are set. */
function variableFacts(environment: NodeJS.ProcessEnv): readonly ReportFact[] {
  const isSet = (name: string) => [name, name.toLowerCase()].some((each) => (environment[each] ?? '') !== '');
  return [['Environment variables', VARIABLES.filter(isSet).join(', ') || 'none set']];
}

function formatSetting(key: string, words: readonly string[]): string {
  const configuration = vscode.workspace.getConfiguration();
  const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(key) ?? {};
  const isDefault = [globalValue, workspaceValue, workspaceFolderValue].every((value) => value === undefined);
  const text = formatSettingValue(configuration.get(key), words);
  return isDefault && text !== NOT_SET ? `${text} (default)` : text;
}

/**
 * Returns a value for the report. For a string or a list, reports only whether it's set.
 *
 * @param words strings that may appear verbatim
 */
function formatSettingValue(value: unknown, words: readonly string[]): string {
  if (typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && words.includes(value))) {
    return String(value);
  }
  if (Array.isArray(value) && value.length > 0) {
    return value.length === 1 ? '1 entry' : `${value.length} entries`;
  }
  return value === undefined || value === null || value === '' || Array.isArray(value) ? NOT_SET : 'set';
}

/** Returns the kind of service and the kind of its proxy, without hosts and user names. */
async function connectionFacts(selection: ServiceSelection): Promise<readonly ReportFact[]> {
  try {
    const service = selection.current;
    return service === undefined
      ? [['Service', 'none selected']]
      : [
          ['Service', serviceKind(service)],
          ['Proxy', await proxyTo(service)],
        ];
  } catch (error) {
    return [['Service', `can’t be used: ${failureKind(error)}`]];
  }
}

function serviceKind({ url, local }: Service): string {
  const address = new URL(url.href);
  const place = local
    ? 'this extension’s local service'
    : isLoopback(address)
      ? 'this computer by name'
      : 'another host';
  return `${place}, ${address.protocol === 'https:' ? 'HTTPS' : 'plain HTTP'}`;
}

async function proxyTo({ url }: Service): Promise<string> {
  const network = new Network({ info: () => undefined, warn: () => undefined });
  const proxy = await network.proxyFor(url.origin);
  return proxy === undefined ? 'none' : proxyKind(proxy);
}

/** Describes a proxy's kind, and whether it has credentials. */
function proxyKind({ url, authorization }: ProxyServer): string {
  const { protocol, username, password } = new URL(url);
  const hasSignIn = authorization !== undefined || username !== '' || password !== '';
  return `${protocol.slice(0, -1)} proxy, ${hasSignIn ? 'with' : 'without'} a sign-in`;
}

/** Fields of this extension's errors whose values are fixed words or a status code. */
const DETAILS = ['failure', 'fault', 'phase', 'status'] as const;
/** Matches this extension's own frames in a stack: file, line, and column, without the folders. */
const OWN_FRAME = /\b((?:extension|later|undici|chunk-\w+)\.cjs:\d+:\d+)/g;

/** Returns the latest failures. @param now milliseconds since the epoch */
export function failureFacts(
  failures: readonly LogEntry<LoggedFailure>[],
  now: number,
  commandIds: readonly string[],
): readonly ReportFact[] {
  return failures.length === 0
    ? [['Failures since this window was opened', 'none']]
    : failures.map(({ time, doing, error }): ReportFact => {
        // Omit any other text, because it may come from a button and contain a name.
        const command = commandIds.includes(doing) ? `${doing}, ` : '';
        return [`${Math.round((now - time) / 1000)} s ago`, `${command}${failureKind(error)}`];
      });
}

/** Returns the kind of a failure. Omits its message, which may contain a host, a file, or a user name. @param error any thrown value */
export function failureKind(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return [error.kind, ...DETAILS.flatMap((name) => toWord(Reflect.get(error, name)))].join(' ');
  }
  if (!(error instanceof Error)) {
    return 'not an error';
  }
  const [name = 'Error'] = toWord(error.name);
  const code = toWord('code' in error ? error.code : undefined);
  const frames = [...(error.stack ?? '').matchAll(OWN_FRAME)].flatMap(([, frame]) => frame ?? []);
  return [name, ...code, ...(frames.length === 0 ? [] : [`at ${frames.join(', ')}`])].join(' ');
}

function toWord(value: unknown): readonly string[] {
  return (typeof value === 'string' && /^[A-Z_]{1,40}$/i.test(value)) || typeof value === 'number'
    ? [String(value)]
    : [];
}
