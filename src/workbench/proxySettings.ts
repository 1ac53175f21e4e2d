import type { Proxy } from '../api/http/transport.ts';

/** What VS Code's settings say about proxies. */
export interface ProxySettings {
  /** `http.proxy` */
  readonly url: string;
  /** `http.noProxy` */
  readonly noProxy: readonly string[];
}

/**
 * True for what never goes through a proxy: loopback addresses, `localhost` and the names below it (RFC 6761 §6.3). A proxy
 * would reach itself there, and would read what plain HTTP carries.
 */
export function isThisMachine({ hostname }: URL): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
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
