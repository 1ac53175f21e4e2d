import { createRequire } from 'node:module';
import path from 'node:path';

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
        return {
          ...('resolveProxyURL' in found &&
            isFunction(found.resolveProxyURL) && { resolveProxyURL: resolver(found.resolveProxyURL) }),
          ...('loadSystemCertificates' in found &&
            isFunction(found.loadSystemCertificates) && {
              loadSystemCertificates: loader(found.loadSystemCertificates),
            }),
        };
      }
    } catch {
      // It is not in this folder.
    }
  }
  return {};
}

type UnknownFunction = (argument: unknown) => unknown;

function isFunction(value: unknown): value is UnknownFunction {
  return typeof value === 'function';
}

function resolver(resolve: UnknownFunction): NonNullable<ProxyAgentModule['resolveProxyURL']> {
  return async (url) => {
    const proxy = await resolve(url);
    if (proxy !== undefined && typeof proxy !== 'string') {
      throw new TypeError('VS Code’s proxy resolver gave no text.');
    }
    return proxy;
  };
}

function loader(load: UnknownFunction): NonNullable<ProxyAgentModule['loadSystemCertificates']> {
  return async (options) => {
    const certificates = await load(options);
    return Array.isArray(certificates) ? certificates.filter((certificate) => typeof certificate === 'string') : [];
  };
}
