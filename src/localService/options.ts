import { parseArgs } from 'node:util';

import type { BuilderOptions } from './builds/chooseBuilder.ts';
import { parseWantedPlugin, type WantedPlugin } from './builds/cordova/engine.ts';
import { validateCallbackUrl } from './store/clients.ts';

/** The command line. */
export interface Options {
  /** `undefined`: the port that was first used with the same data, else a free one. 0: a free one. */
  readonly port: number | undefined;
  /** `undefined`: the data is kept in memory. */
  readonly dataFolder: string | undefined;
  /** Whether data that are made begin with demo data. */
  readonly demo: boolean;
  /** Callback Url of the owner's client application; `undefined`: as it is. */
  readonly callbackUrl: string | undefined;
  readonly builder: BuilderOptions;
  /** Installs the build engine into the data folder instead of serving. */
  readonly installEngine: boolean;
  /** The plugins to install with it. */
  readonly plugins: readonly WantedPlugin[];
  /** Milliseconds for a build; `undefined`: the default. */
  readonly buildTimeoutMs: number | undefined;
  /** Bytes of an upload; `undefined`: the default. */
  readonly maxUploadBytes: number | undefined;
  /** `generated`: a certificate for this run; `undefined`: plain HTTP. */
  readonly https: 'generated' | { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Whether the program prints its address and the owner's credentials as JSON. */
  readonly json: boolean;
  readonly help: boolean;
}

/** The text of `--help`. */
export const USAGE = `Usage: npm run service -- [options]

Starts a local application build service on 127.0.0.1, which begins empty, with one user: you.

  --port N            port to listen on; 0 takes a free one
                      (default: the port that was first used with the same data, else a free one)
  --data DIR          keep everything in the folder DIR (default: in memory only)
  --demo              begin with demo data: two users with apps and keys; data that are there stay as they are
  --callback-url URL  Callback Url of the client application that is the VS Code extension
  --builder NAME      builtin: builds signed Android apps, without plugins that have native code;
                      cordova: builds with Apache Cordova, which runs tools on this machine with your rights
                      (default: cordova where it is found, else builtin)
  --engine DIR        folder of the Cordova engine (default: that of the data folder, else the cordova on PATH)
  --install-engine    install the Cordova engine into the data folder, and end
  --plugin NAME[@RANGE]
                      with --install-engine: also install a Cordova plugin from npm; can be repeated
  --build-timeout MINUTES
                      time for one build (default: 15)
  --max-upload MB     size of an upload (default: 250)
  --https             serve with TLS, with a certificate made for this run
  --cert FILE, --key FILE
                      serve with TLS, with this certificate and its key (PEM)
  --json              print one line of JSON: the address, the owner's credentials, the builder
  --help              print this text
`;

/**
 * Reads the command line.
 *
 * @throws Error whose first line is for a person
 */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      demo: { type: 'boolean', default: false },
      'callback-url': { type: 'string' },
      builder: { type: 'string' },
      engine: { type: 'string' },
      'install-engine': { type: 'boolean', default: false },
      plugin: { type: 'string', multiple: true, default: [] },
      'build-timeout': { type: 'string' },
      'max-upload': { type: 'string' },
      https: { type: 'boolean', default: false },
      cert: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { port, data, 'callback-url': callbackUrl, builder, engine, https, cert, key } = values;
  refuse(
    port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 2 ** 16),
    `--port must be a number from 0 to 65535, not “${port}”.`,
  );
  refuse(data === '', '--data must name a folder.');
  const fault = callbackUrl === undefined ? undefined : validateCallbackUrl(callbackUrl);
  refuse(fault !== undefined, `--callback-url: ${fault}`);
  if (builder !== undefined && builder !== 'builtin' && builder !== 'cordova') {
    throw new Error(`--builder must be builtin or cordova, not “${builder}”.`);
  }
  refuse(engine !== undefined && builder === 'builtin', '--engine is for the Cordova builder.');
  refuse(engine === '', '--engine must name a folder.');
  refuse(
    values['install-engine'] && data === undefined,
    '--install-engine needs --data: the engine is kept in the data folder.',
  );
  refuse(values.plugin.length > 0 && !values['install-engine'], '--plugin goes with --install-engine.');
  refuse((cert === undefined) !== (key === undefined), '--cert and --key go together.');
  const minutes = positiveNumber('--build-timeout', values['build-timeout']);
  const megabytes = positiveNumber('--max-upload', values['max-upload']);
  return {
    builder: { builder, engine, dataFolder: data },
    installEngine: values['install-engine'],
    plugins: values.plugin.map(requirePlugin),
    buildTimeoutMs: minutes && minutes * 60_000,
    maxUploadBytes: megabytes && Math.round(megabytes * 1_000_000),
    https: cert !== undefined && key !== undefined ? { certFile: cert, keyFile: key } : https ? 'generated' : undefined,
    port: port === undefined ? undefined : Number(port),
    dataFolder: data,
    demo: values.demo,
    callbackUrl,
    json: values.json,
    help: values.help,
  };
}

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) {
    throw new Error(message);
  }
}

function requirePlugin(text: string): WantedPlugin {
  const plugin = parseWantedPlugin(text);
  if (plugin === undefined) {
    throw new Error(`--plugin must be an npm package, such as cordova-plugin-camera@^8.0.0, not “${text}”.`);
  }
  return plugin;
}

/** @throws Error for what is no number above 0, and for a number that no timer and no file takes */
function positiveNumber(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && (!/^\d{1,4}(\.\d{1,6})?$/.test(text) || Number(text) === 0)) {
    throw new Error(`${option} must be a number above 0, not “${text}”.`);
  }
  return text === undefined ? undefined : Number(text);
}

/** The service cannot start. The message is for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
