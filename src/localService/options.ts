import { parseArgs } from 'node:util';

import type { BuilderOptions } from './builds/chooseBuilder.ts';
import { parseWantedPlugin } from './builds/cordova/engine.ts';
import { validateCallbackUrl } from './store/users.ts';

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

/** The command line. */
export type Options = ReturnType<typeof parseOptions>;

/**
 * Reads the command line.
 *
 * @throws Error whose first line is for a person
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
  const plugins = values.plugin.map((text) => ({ text, wanted: parseWantedPlugin(text) }));
  const callbackFault = callbackUrl === undefined ? undefined : validateCallbackUrl(callbackUrl);
  const wrongPlugin = plugins.find(({ wanted }) => wanted === undefined);
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) {
      throw new Error(message);
    }
  };
  refuse(
    port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 2 ** 16),
    `--port must be a number from 0 to 65535, not “${port}”.`,
  );
  refuse(data === '', '--data must name a folder.');
  refuse(callbackFault !== undefined, `--callback-url: ${callbackFault}`);
  if (builder !== undefined && builder !== 'builtin' && builder !== 'cordova') {
    throw new Error(`--builder must be builtin or cordova, not “${builder}”.`);
  }
  refuse(engine !== undefined && builder === 'builtin', '--engine is for the Cordova builder.');
  refuse(engine === '', '--engine must name a folder.');
  refuse(installEngine && data === undefined, '--install-engine needs --data: the engine is kept in the data folder.');
  refuse(plugins.length > 0 && !installEngine, '--plugin goes with --install-engine.');
  refuse(
    wrongPlugin !== undefined,
    `--plugin must be an npm package, such as cordova-plugin-camera@^8.0.0, not “${wrongPlugin?.text}”.`,
  );
  refuse((cert === undefined) !== (key === undefined), '--cert and --key go together.');
  return {
    /** `undefined`: the port that was first used with the same data, else a free one. 0: a free one. */
    port: port === undefined ? undefined : Number(port),
    /** `undefined`: the data is kept in memory. */
    dataFolder: data,
    demo,
    callbackUrl,
    builder: { builder, engine, dataFolder: data } satisfies BuilderOptions,
    installEngine,
    plugins: plugins.map(({ wanted }) => wanted).filter((plugin) => plugin !== undefined),
    buildTimeoutMs: positiveNumber('--build-timeout', values['build-timeout']) * 60_000,
    maxUploadBytes: Math.round(positiveNumber('--max-upload', values['max-upload']) * 1_000_000),
    /** `undefined`: plain HTTP. */
    certificate: cert !== undefined && key !== undefined ? { certFile: cert, keyFile: key } : undefined,
    https,
    json,
    help,
  };
}

/** @throws Error for what is no number above 0, and for a number that no timer and no file takes */
function positiveNumber(option: string, text: string): number {
  if (!/^\d{1,4}(\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw new Error(`${option} must be a number above 0, not “${text}”.`);
  }
  return Number(text);
}
