import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { ProxyError } from '../api/errors/connectionErrors.ts';
import type { Proxy, TransportOptions } from '../api/http/transport.ts';
import { isLoopback } from '../api/serviceUrl.ts';
import type { Log } from './log.ts';

const ignore = (): void => undefined;
const SILENT_LOG = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * VS Code's proxies and the certificates that it trusts. Nothing is loaded before the first request. The settings are read
 * for every request, so that a change applies to the next one.
 */
export class Network implements Required<Pick<TransportOptions, 'proxyFor' | 'authorities'>> {
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #appRoot: string;
  /** What the log says of each origin. */
  readonly #logged = new Map<string, string>();
  #module: ProxyAgentModule | undefined;

  /** @param appRoot where VS Code is installed. */
  constructor(log: Pick<Log, 'info' | 'warn'>, appRoot = vscode.env.appRoot) {
    this.#log = log;
    this.#appRoot = appRoot;
  }

  /**
   * The proxy for an origin, undefined for a direct connection: VS Code's own resolver decides; where there is none, or it
   * fails, the settings `http.*`, then the environment. `http.proxySupport: off` means no proxy at all, which VS Code's resolver
   * does not check itself. This machine is never reached through a proxy,
   * which would reach itself there.
   *
   * @param origin without path or query: VS Code writes it into its log.
   * @throws {@link ProxyError} for a proxy of a kind that cannot be used: connecting without it could bypass a company's rules.
   */
  readonly proxyFor = async (origin: string): Promise<Proxy | undefined> => {
    const settings = vscode.workspace.getConfiguration('http');
    const support = settings.get<string>('proxySupport', 'override');
    const found = support === 'off' || isLoopback(new URL(origin)) ? undefined : await this.#resolve(origin, settings);
    if (found === undefined) {
      this.#logProxy(origin, 'no proxy');
      return undefined;
    }
    const host = URL.canParse(found) ? new URL(found).host : '';
    const proxy = usableProxy(found, settingText(settings, 'proxyAuthorization'));
    this.#logProxy(origin, `proxy ${host}`);
    if (proxy === undefined) {
      throw new ProxyError('unusable', host);
    }
    return proxy;
  };

  /**
   * The authorities to trust, PEM: Node's own, NODE_EXTRA_CA_CERTS and those of the operating system; without the latter when
   * `http.systemCertificates` is off. `http.proxyStrictSSL: false` is ignored: without verification any
   * server in between would get the tokens. Slow, so call it once; VS Code too reads certificates once a window.
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
      // The error is not logged: it may hold the user info of a proxy.
      this.#log.warn(`VS Code's proxy resolver failed for ${origin}; the settings decide.`);
    }
    const noProxy = settings.get<unknown>('noProxy');
    return proxyBySettings(
      origin,
      {
        url: settingText(settings, 'proxy'),
        noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === 'string') : [],
      },
      process.env,
    );
  }

  async #systemCertificates(readByNode: boolean): Promise<readonly string[]> {
    try {
      // VS Code reads them in a worker where that takes seconds (macOS), and has often read them already.
      const certificates = await this.#proxyAgent().loadSystemCertificates?.({
        log: SILENT_LOG,
        loadSystemCertificatesFromNode: () => readByNode,
      });
      return certificates === undefined || certificates.length === 0 ? getCACertificates('system') : certificates;
    } catch {
      this.#log.warn(
        'The certificates of the operating system could not be read; only those that come with VS Code are trusted.',
      );
      return [];
    }
  }

  #proxyAgent(): ProxyAgentModule {
    this.#module ??= loadProxyAgentModule(this.#appRoot);
    return this.#module;
  }

  /** Logs one line for an origin, and another one only when its proxy changes. */
  #logProxy(origin: string, proxy: string): void {
    if (this.#logged.get(origin) !== proxy) {
      this.#logged.set(origin, proxy);
      this.#log.info(`${origin}: ${proxy}`);
    }
  }
}

/** A setting that may be missing, or null. */
function settingText(settings: vscode.WorkspaceConfiguration, key: string): string {
  const value = settings.get<unknown>(key);
  return typeof value === 'string' ? value : '';
}

interface ProxySettings {
  /** `http.proxy` */
  readonly url: string;
  /** `http.noProxy` */
  readonly noProxy: readonly string[];
}

/**
 * URL of the proxy for an origin by the settings, then by the environment, as VS Code's own resolver does it when it does
 * not ask the operating system. `http.noProxy` replaces NO_PROXY when it has an entry, as it does there.
 *
 * @returns undefined for a direct connection.
 */
export function proxyBySettings(origin: string, settings: ProxySettings, env: NodeJS.ProcessEnv): string | undefined {
  const url = new URL(origin);
  const variable = (name: string): string => (env[name] ?? env[name.toUpperCase()] ?? '').trim();
  const exceptions = settings.noProxy.length > 0 ? settings.noProxy : variable('no_proxy').split(/[,\s]+/);
  if (exceptions.some((exception) => matches(exception.trim().toLowerCase(), url))) {
    return undefined;
  }
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = [settings.url.trim(), variable(scheme), variable('all_proxy')].find((value) => value !== '');
  // The environment often names a proxy without a scheme.
  return proxy === undefined || proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** `*`, `host`, `.domain`, `*.domain`, each with an optional port. A name stands for the names below it too, as in curl. */
function matches(exception: string, { protocol, hostname, port }: URL): boolean {
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
 * A proxy that the transport can use.
 *
 * @param url as resolvers and settings write it.
 * @returns undefined when it is of another kind (SOCKS 4), or cannot be read.
 */
export function usableProxy(url: string, authorization: string): Proxy | undefined {
  const normalised = url.replace(/^socks(5h?)?:/i, 'socks5:');
  if (!URL.canParse(normalised) || !['http:', 'https:', 'socks5:'].includes(new URL(normalised).protocol)) {
    return undefined;
  }
  return { url: normalised, ...(authorization !== '' && { authorization }) };
}

/** The part of `@vscode/proxy-agent` that's used here. VS Code itself uses the module; it isn't a published API. */
interface ProxyAgentModule {
  /** URL of the proxy for a URL; undefined for a direct connection. Writes the URL it is asked for into VS Code's log. */
  readonly resolveProxyURL?: (url: string) => Promise<string | undefined>;
  /** Certificates of the operating system, PEM, without those that have expired. VS Code keeps them: asking again is cheap. */
  readonly loadSystemCertificates?: (options: {
    readonly log: Readonly<Record<'trace' | 'debug' | 'info' | 'warn' | 'error', () => void>>;
    readonly loadSystemCertificatesFromNode: () => boolean;
  }) => Promise<readonly string[]>;
}

/** Desktop builds pack the modules; servers and builds from source do not. */
const MODULE_FOLDERS = ['node_modules', 'node_modules.asar', 'node_modules.asar.unpacked'];

/**
 * Finds VS Code's own module, which VS Code has loaded already and set up with its resolver.
 *
 * @param appRoot `vscode.env.appRoot`
 * @returns an empty module where there is none.
 */
function loadProxyAgentModule(appRoot: string): ProxyAgentModule {
  // A `require` of its own: a bundler would try to follow the bundle's.
  const require = createRequire(path.join(appRoot, 'package.json'));
  for (const folder of MODULE_FOLDERS) {
    try {
      const found: unknown = require(path.join(appRoot, folder, '@vscode', 'proxy-agent'));
      if (typeof found === 'object' && found !== null) {
        return found;
      }
    } catch {
      // It is not in this folder.
    }
  }
  return {};
}
