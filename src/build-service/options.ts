import { parseArgs } from 'node:util';

import type { BuilderOptions } from './builds/chooseBuilder.ts';
import { parseWantedPlugin } from './builds/cordova/engine.ts';
import { validateCallbackUrl } from './store/users.ts';

/** Output of `--help`. */
export const USAGE = `Usage: npm run service -- [options]

Starts a local application build service on 127.0.0.1. New data contains one user: you.

  --port N            port to listen on; 0 selects a free port
                      (default: the port first used with the same data, else a free port)
  --data DIR          store everything in the folder DIR (default: only in memory)
  --demo              start with demo data: two users with apps and keys; doesn't change existing data
  --callback-url URL  callback URL of the VS Code extension's client application
  --builder NAME      builtin: builds signed Android apps, with many plugins;
                      cordova: builds with Apache Cordova, which runs tools on this computer with your permissions
                      (default: cordova if it's found, else builtin)
  --engine DIR        folder of the Cordova engine (default: the one in the data folder, else cordova on PATH)
  --install-engine    install the Cordova engine into the data folder and exit
  --plugin NAME[@RANGE]
                      with --install-engine: also install a Cordova plugin from npm; can be repeated
  --build-timeout MINUTES
                      time limit for a build (default: 15)
  --max-upload MB     maximum size of an upload (default: 250)
  --https             use TLS with a certificate created for this run
  --cert FILE, --key FILE
                      use TLS with this certificate and its key (PEM)
  --json              print one line of JSON: the address, the owner's credentials, and the builder
  --help              print this text
`;

/** Parsed command-line options. */
export type Options = ReturnType<typeof parseOptions>;

/**
 * Parses the command line.
 *
 * @throws Error if the command line is invalid. The first line of the message is for the user
 */
export function parseOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      demo: { type: 'boolean', default: false },
      'callback-url': { type: 'string' },
      builder: { type: 'string' },
      engine: { type: 'string' },
      'install-engine': { type: 'boolean', default: false },
      plugin: { type: 'string', multiple: true, default: [] },
      'build-timeout': { type: 'string', default: '15' },
      'max-upload': { type: 'string', default: '250' },
      https: { type: 'boolean', default: false },
      cert: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { port, data, 'callback-url': callbackUrl, builder, engine, https, cert, key, demo, json, help } = values;
  const installEngine = values['install-engine'];
  const plugins = values.plugin.map((text) => ({ text, requested: parseWantedPlugin(text) }));
  const callbackFault = callbackUrl === undefined ? undefined : validateCallbackUrl(callbackUrl);
  const wrongPlugin = plugins.find(({ requested }) => requested === undefined);
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) {
      throw new Error(message);
    }
  };
  refuse(
    port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 2 ** 16),
    `--port must be a number from 0 to 65535, not “${port}”.`,
  );
  refuse(data === '', '--data must specify a folder.');
  refuse(callbackFault !== undefined, `--callback-url: ${callbackFault}`);
  if (builder !== undefined && builder !== 'builtin' && builder !== 'cordova') {
    throw new Error(`--builder must be builtin or cordova, not “${builder}”.`);
  }
  refuse(engine !== undefined && builder === 'builtin', '--engine is for the Cordova builder.');
  refuse(engine === '', '--engine must specify a folder.');
  refuse(
    installEngine && data === undefined,
    '--install-engine requires --data, because the engine is stored in the data folder.',
  );
  refuse(plugins.length > 0 && !installEngine, '--plugin requires --install-engine.');
  refuse(
    wrongPlugin !== undefined,
    `--plugin must be an npm package, such as cordova-plugin-camera@^8.0.0, not “${wrongPlugin?.text}”.`,
  );
  refuse((cert === undefined) !== (key === undefined), '--cert and --key must be used together.');
  return {
    /** Port. `undefined` for the port of the last run with the same data, or a free port. 0 for a free port. */
    port: port === undefined ? undefined : Number(port),
    /** Data folder. `undefined` to keep the data in memory. */
    dataFolder: data,
    demo,
    callbackUrl,
    builder: { builder, engine, dataFolder: data } satisfies BuilderOptions,
    installEngine,
    plugins: plugins.map(({ requested }) => requested).filter((plugin) => plugin !== undefined),
    buildTimeoutMs: positiveNumber('--build-timeout', values['build-timeout']) * 60_000,
    maxUploadBytes: Math.round(positiveNumber('--max-upload', values['max-upload']) * 1_000_000),
    /** Certificate files. `undefined` without TLS, and if the service creates the certificate. */
    certificate: cert !== undefined && key !== undefined ? { certFile: cert, keyFile: key } : undefined,
    https,
    json,
    help,
  };
}

/**
 * Reads a positive number.
 *
 * @throws Error unless it's a positive number under 10,000, so that timers and file sizes can't overflow
 */
function positiveNumber(option: string, text: string): number {
  if (!/^\d{1,4}(\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw new Error(`${option} must be a number above 0, not “${text}”.`);
  }
  return Number(text);
}
