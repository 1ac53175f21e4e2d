import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { isLoopback, ProxyError, type ProxyServer, type TransportOptions } from '../../service-client/index.ts';
import type { Log } from './log.ts';

const ignore = (): void => undefined;
const SILENT_LOG = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Provides VS Code's proxies and trusted certificates. Nothing is loaded before the first request. The settings are
 * read on every request, so a change applies to the next one.
 */
export class Network implements Required<Pick<TransportOptions, 'proxyFor' | 'authorities'>> {
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #appRoot: string;
  /** The proxy last logged for each origin. */
  readonly #logged = new Map<string, string>();
  #module: ProxyAgentModule | undefined;

  /** @param appRoot installation folder of VS Code. */
  constructor(log: Pick<Log, 'info' | 'warn'>, appRoot = vscode.env.appRoot) {
    this.#log = log;
    this.#appRoot = appRoot;
  }

  /**
   * Returns the proxy for an origin, or undefined for a direct connection. VS Code's own resolver decides. If it's
   * missing or fails, the `http.*` settings are used, then the environment variables. `http.proxySupport: off` disables
   * proxies, because VS Code's resolver doesn't check it. Connections to this computer are always direct, because a
   * proxy would connect to its own computer.
   *
   * @param origin origin without path or query, because VS Code writes it to its log.
   * @throws {@link ProxyError} for an unsupported kind of proxy. A direct connection could bypass a company's rules.
   */
  readonly proxyFor = async (origin: string): Promise<ProxyServer | undefined> => {
    const settings = vscode.workspace.getConfiguration('http');
    const support = settings.get<string>('proxySupport', 'override');
    const found = support === 'off' || isLoopback(new URL(origin)) ? undefined : await this.#resolve(origin, settings);
    if (found === undefined) {
      this.#logProxy(origin, 'no proxy');
      return undefined;
    }
    const host = URL.canParse(found) ? new URL(found).host : '';
    const proxy = toUsableProxy(found, getSettingText(settings, 'proxyAuthorization'));
    this.#logProxy(origin, `proxy ${host}`);
    if (proxy === undefined) {
      throw new ProxyError('unusable', host);
    }
    return proxy;
  };

  /**
   * Returns the trusted certificate authorities in PEM format: Node's own, NODE_EXTRA_CA_CERTS, and those of the operating system unless
   * `http.systemCertificates` is off. `http.proxyStrictSSL: false` is ignored, because without verification, any server in between could
   * read the tokens. This function is slow, so call it once. VS Code also reads certificates once per window.
   */
  readonly authorities = async (): Promise<readonly string[] | undefined> => {
    const settings = vscode.workspace.getConfiguration('http');
    if (!settings.get<boolean>('systemCertificates', true)) {
      return undefined;
    }
    const system = await this.#systemCertificates(settings.get<boolean>('systemCertificatesNode', true));
    return [...new Set([...getCACertificates('default'), ...system])];
  };

  async #resolve(origin: string, settings: vscode.WorkspaceConfiguration): Promise<string | undefined> {
    try {
      const resolve = this.#proxyAgent().resolveProxyURL;
      if (resolve !== undefined) {
        return await resolve(origin);
      }
    } catch {
      // Don't log the error, because it may contain the user info of a proxy.
      this.#log.warn(`VS Code's proxy resolver failed for ${origin}. The settings apply instead.`);
    }
    const noProxy = settings.get<unknown>('noProxy');
    return proxyBySettings(
      origin,
      {
        url: getSettingText(settings, 'proxy'),
        noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === 'string') : [],
      },
      process.env,
    );
  }

  async #systemCertificates(readByNode: boolean): Promise<readonly string[]> {
    try {
      // VS Code reads them in a worker on systems where that takes seconds (macOS), and often has them cached.
      const certificates = await this.#proxyAgent().loadSystemCertificates?.({
        log: SILENT_LOG,
        loadSystemCertificatesFromNode: () => readByNode,
      });
      return certificates === undefined || certificates.length === 0 ? getCACertificates('system') : certificates;
    } catch {
      this.#log.warn(
        'The operating system’s certificates couldn’t be read. Only certificates that come with VS Code are trusted.',
      );
      return [];
    }
  }

  #proxyAgent(): ProxyAgentModule {
    this.#module ??= loadProxyAgentModule(this.#appRoot);
    return this.#module;
  }

  /** Logs the proxy of an origin, but only once until it changes. */
  #logProxy(origin: string, proxy: string): void {
    if (this.#logged.get(origin) !== proxy) {
      this.#logged.set(origin, proxy);
      this.#log.info(`${origin}: ${proxy}`);
    }
  }
}

/** Returns a setting that may be missing or null. */
function getSettingText(settings: vscode.WorkspaceConfiguration, key: string): string {
  const value = settings.get<unknown>(key);
  return typeof value === 'string' ? value : '';
}

interface ProxySettings {
  /** Setting `http.proxy`. */
  readonly url: string;
  /** Setting `http.noProxy`. */
  readonly noProxy: readonly string[];
}

/**
 * Returns the proxy URL for an origin from the settings or the environment, like VS Code's own resolver when it doesn't
 * ask the operating system. As in VS Code, a nonempty `http.noProxy` replaces NO_PROXY.
 *
 * @returns undefined for a direct connection.
 */
export function proxyBySettings(origin: string, settings: ProxySettings, env: NodeJS.ProcessEnv): string | undefined {
  const url = new URL(origin);
  const variable = (name: string): string => (env[name] ?? env[name.toUpperCase()] ?? '').trim();
  const exceptions = settings.noProxy.length > 0 ? settings.noProxy : variable('no_proxy').split(/[,\s]+/);
  if (exceptions.some((exception) => matchesException(exception.trim().toLowerCase(), url))) {
    return undefined;
  }
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = [settings.url.trim(), variable(scheme), variable('all_proxy')].find((value) => value !== '');
  // Environment variables often specify a proxy without a scheme.
  return proxy === undefined || proxy.includes('://') ? proxy : `http://${proxy}`;
}

/**
 * Reports whether an exception matches a URL: `*`, `host`, `.domain`, or `*.domain`, each with an optional port. A name
 * also matches its subdomains, as in curl.
 */
function matchesException(exception: string, { protocol, hostname, port }: URL): boolean {
  const [, name, exceptPort] = /^\*?\.?(\[[\da-f:.]+\]|[^:]*)(?::(\d+))?$/.exec(exception) ?? [];
  if (exception === '*') {
    return true;
  }
  const actualPort = port !== '' ? port : protocol === 'https:' ? '443' : '80';
  return (
    name !== undefined &&
    name !== '' &&
    (exceptPort === undefined || exceptPort === actualPort) &&
    (hostname === name || hostname.endsWith(`.${name}`))
  );
}

/**
 * Returns a proxy that the transport supports.
 *
 * @param url proxy URL from a resolver or setting.
 * @param authorization value of the Proxy-Authorization header, or an empty string.
 * @returns undefined for another kind of proxy (SOCKS 4) or an invalid URL.
 */
export function toUsableProxy(url: string, authorization: string): ProxyServer | undefined {
  const normalized = url.replace(/^socks(5h?)?:/i, 'socks5:');
  if (!URL.canParse(normalized) || !['http:', 'https:', 'socks5:'].includes(new URL(normalized).protocol)) {
    return undefined;
  }
  return { url: normalized, ...(authorization !== '' && { authorization }) };
}

/**
 * The part of `@vscode/proxy-agent` that is used here. VS Code itself uses this module, but it isn't a published API.
 */
interface ProxyAgentModule {
  /**
   * Returns the proxy URL for a URL, or undefined for a direct connection. Writes the requested URL to VS Code's log.
   */
  readonly resolveProxyURL?: (url: string) => Promise<string | undefined>;
  /**
   * Returns the valid certificates of the operating system in PEM format. VS Code caches them, so repeated calls are
   * cheap.
   */
  readonly loadSystemCertificates?: (options: {
    readonly log: Readonly<Record<'trace' | 'debug' | 'info' | 'warn' | 'error', () => void>>;
    readonly loadSystemCertificatesFromNode: () => boolean;
  }) => Promise<readonly string[]>;
}

/** Folders that may contain the modules. Desktop builds pack them into an archive. Servers and builds from source don't. */
const MODULE_FOLDERS = ['node_modules', 'node_modules.asar', 'node_modules.asar.unpacked'];

/**
 * Finds VS Code's own proxy module, which VS Code has already loaded and set up with its resolver.
 *
 * @param appRoot `vscode.env.appRoot`.
 * @returns an empty module when it isn't found.
 */
function loadProxyAgentModule(appRoot: string): ProxyAgentModule {
  // A separate `require`, because a bundler would try to resolve calls of the bundle's own.
  const require = createRequire(path.join(appRoot, 'package.json'));
  for (const folder of MODULE_FOLDERS) {
    try {
      const found: unknown = require(path.join(appRoot, folder, '@vscode', 'proxy-agent'));
      if (typeof found === 'object' && found !== null) {
        return found;
      }
    } catch {
      // Try the next folder.
    }
  }
  return {};
}
