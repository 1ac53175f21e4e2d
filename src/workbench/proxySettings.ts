import { createRequire } from 'node:module';
import path from 'node:path';

import type { Proxy } from '../api/http/transport.ts';

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

/** What is used here of `@vscode/proxy-agent`, the module that VS Code itself uses. It is no published API. */
export interface ProxyAgentModule {
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
export function loadProxyAgentModule(appRoot: string): ProxyAgentModule {
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
