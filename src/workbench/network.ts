import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { ProxyError } from '../api/errors/connectionErrors.ts';
import type { Proxy, TransportOptions } from '../api/http/transport.ts';
import { isLoopback } from '../api/serviceUrl.ts';
import type { Log } from './log.ts';
import { loadProxyAgentModule, type ProxyAgentModule, proxyBySettings, usableProxy } from './proxySettings.ts';

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
