import { parseArgs } from 'node:util';

import { callbackUrlFault } from './store/clients.ts';

/** The command line. */
export interface Options {
  /** `undefined`: the port that was first used with the same data, else a free one. 0: a free one. */
  readonly port: number | undefined;
  /** `undefined`: the data is kept in memory. */
  readonly dataFolder: string | undefined;
  /** Callback Url of the demo client application; `undefined`: as it is. */
  readonly callbackUrl: string | undefined;
  /** Whether the program prints its address and credentials as JSON. */
  readonly json: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const USAGE = `Usage: npm run service -- [options]

Starts a local application build service on 127.0.0.1 with demo data.

  --port N            port to listen on; 0 takes a free one
                      (default: the port that was first used with the same data, else a free one)
  --data DIR          keep everything in the folder DIR (default: in memory only)
  --callback-url URL  Callback Url of the demo client application
  --json              print one line of JSON with the address and the demo credentials
  --help              print this text
`;

const MAX_PORT = 65535;

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
      'callback-url': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { port, data, 'callback-url': callbackUrl } = values;
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT)) {
    throw new Error(`--port must be a number from 0 to ${MAX_PORT}, not “${port}”.`);
  }
  if (data === '') {
    throw new Error('--data must name a folder.');
  }
  const fault = callbackUrl === undefined ? undefined : callbackUrlFault(callbackUrl);
  if (fault !== undefined) {
    throw new Error(`--callback-url: ${fault}`);
  }
  return {
    port: port === undefined ? undefined : Number(port),
    dataFolder: data,
    callbackUrl,
    json: values.json,
    help: values.help,
  };
}
