/** Checks how the client's calls end under faults, and that none has side effects. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';

import type { BuildServiceClient, ClientOptions, LoggedExchange } from '../../src/service-client/client.ts';
import { BuildServiceError, formatSentence } from '../../src/errors/index.ts';
import type { Timeouts } from '../../src/service-client/http/transport.ts';
import { Redactor } from '../../src/service-client/index.ts';
import { fileFailure } from '../../src/extension/resources/downloads/fileError.ts';
import { writeToDisk } from '../../src/extension/resources/downloads/diskFile.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { accessToken, addCleanup, cleanUp, createClient, serve, type TestServer } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startFaultProxy, type FaultProxy, type Toxics } from './faultProxy.ts';
import { measured, type Row } from './measured.ts';

/** Creates a signed-in client whose requests are recorded. */
type ClientAt = (
  server: { readonly url: string },
  options?: Partial<ClientOptions> & { readonly timeouts?: Partial<Timeouts> },
) => BuildServiceClient;

interface FaultCase {
  readonly group: string;
  readonly name: string;
  /** The call's result, or its error's class and details. One of several values if it depends on the computer. */
  readonly expected: readonly string[];
  /** Prepares the fault. @returns the call */
  readonly arrange: (clientAt: ClientAt) => Promise<() => Promise<string>>;
}

/** Secrets that no output may contain, in any encoding. */
const knownSecrets = new Redactor();
knownSecrets.add(accessToken);

/** Runs all cases in parallel, because most of them wait. Returns a row for each, and one for their leftovers. */
export async function clientFaults(): Promise<readonly Row[]> {
  const unexpected: unknown[] = [];
  const recordUnexpected = (error: unknown): void => void unexpected.push(error);
  process.on('unhandledRejection', recordUnexpected).on('uncaughtException', recordUnexpected);
  const before = resources();
  const service = await startLocalService();
  const rows = await Promise.all([...downloads, ...throughProxy(service)].map(run));
  await cleanUp();
  await service.stop();
  const all = { group: 'all', expected: '0' };
  rows.push(
    await measured({ ...all, name: 'sockets, timers, and requests left open' }, async () => {
      // Closing takes a few turns of the event loop.
      await waitUntil(() => moreThan(before).length === 0);
      return { got: '0', problems: [] };
    }),
  );
  process.off('unhandledRejection', recordUnexpected).off('uncaughtException', recordUnexpected);
  const problems = unexpected.map((error) => inspect(error));
  return [...rows, { ...all, name: 'unhandled rejections and exceptions', got: String(problems.length), problems }];
}

function run({ group, name, expected, arrange }: FaultCase): Promise<Row> {
  return measured({ group, name, expected: expected.join(' or ') }, async () => {
    const exchanges: LoggedExchange[] = [];
    const call = await arrange((server, { timeouts, ...options } = {}) =>
      createClient(server, {
        onExchange: (exchange) => exchanges.push(exchange),
        ...options,
        carrier: { retries: { delay: 5 }, ...(timeouts && { timeouts }) },
      }),
    );
    let got: string;
    let failure: BuildServiceError | undefined;
    try {
      got = await call();
    } catch (error) {
      if (!(error instanceof BuildServiceError)) {
        throw error;
      }
      failure = error;
      // These are fixed words of the extension.
      const details = ['failure', 'fault', 'status', 'code'].flatMap(
        (detail): unknown => Reflect.get(error, detail) ?? [],
      );
      got = [error.name, ...details].join(' ');
    }
    const seen = inspect([failure, String(failure), JSON.stringify(failure), exchanges], {
      depth: Infinity,
      showHidden: true,
      maxStringLength: Infinity,
      maxArrayLength: Infinity,
    });
    return {
      got,
      sentence: [failure?.what, failure?.next].flatMap((said) => (said ? formatSentence(said) : [])).join(' '),
      problems: [
        ...(expected.includes(got) ? [] : [`got ${got}`]),
        ...(knownSecrets.containsSecret(seen) ? ['a secret in the error or the log'] : []),
      ],
    };
  });
}

type Resources = ReadonlyMap<string, number>;

/** Returns the number of open sockets, timers, and other resources by kind. */
function resources(): Resources {
  const counts = new Map<string, number>();
  // The client opens no pipes; those of this process's output come and go.
  for (const kind of process.getActiveResourcesInfo().filter((each) => each !== 'PipeWrap')) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function moreThan(before: Resources): readonly string[] {
  return [...resources()].flatMap(([kind, count]) => (count > (before.get(kind) ?? 0) ? [`${count} ${kind}`] : []));
}

/** Starts a server that sends data endlessly and reports when its client has disconnected. */
async function endless(): Promise<{ readonly server: TestServer; readonly left: Promise<unknown> }> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const server = await serve((_request, response) => {
    const source = Readable.from(
      (function* () {
        for (;;) {
          yield Buffer.alloc(65536);
        }
      })(),
    );
    source.pipe(response);
    response.on('close', () => {
      source.destroy();
      leave();
    });
  });
  return { server, left };
}

/**
 * Creates a case of an endless download to a folder that isn't writable. Afterward, the folder must be empty and the
 * connection closed.
 */
function intoFolder(name: string, expected: readonly string[], target: (folder: string) => string): FaultCase {
  return {
    group: 'downloads',
    name: `a download to a folder that is ${name} closes the connection`,
    expected: expected.map((code) => `FileError ${code}`),
    arrange: async (clientAt) => {
      const { server, left } = await endless();
      const folder = await mkdtemp(join(tmpdir(), 'app-build-download-'));
      return async () => {
        try {
          const { body } = await clientAt(server).download('/x');
          await writeToDisk(body, join(target(folder), 'app.apk'), () => Promise.resolve(true));
          return 'saved';
        } catch (error) {
          await left;
          const remains = await readdir(folder);
          throw remains.length === 0 ? fileFailure(error, 'app.apk') : new Error(`left behind: ${remains.join(', ')}`);
        } finally {
          await rm(folder, { recursive: true });
        }
      };
    },
  };
}

/** A folder in which even the administrator can't create files. Windows has none. */
const READ_ONLY_FOLDER = process.platform === 'darwin' ? '/System' : '/sys';

/** Faults while a download is being read, in addition to those in test/unit/extension/resources/downloads. */
const downloads: readonly FaultCase[] = [
  intoFolder('gone', ['ENOENT'], (folder) => join(folder, 'gone')),
  ...(process.platform === 'win32'
    ? []
    : [intoFolder('read-only', ['EACCES', 'EPERM', 'EROFS'], () => READ_ONLY_FOLDER)]),
  {
    group: 'downloads',
    name: 'ENOSPC while writing closes the connection',
    expected: ['FileError ENOSPC'],
    arrange: async (clientAt) => {
      const { server, left } = await endless();
      const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      const file = new Writable({ write: (_piece, _encoding, done) => done(full) });
      return async () => {
        const { body } = await clientAt(server).download('/x');
        return pipeline(body, file).then(
          () => 'written',
          async (error: unknown) => {
            await left;
            throw fileFailure(error, 'app.apk');
          },
        );
      };
    },
  },
  {
    group: 'downloads',
    name: 'a slow download may exceed the timeout of a call',
    expected: ['done'],
    arrange: async (clientAt) => {
      const total = 1200;
      const server = await serve((_request, response) => {
        const until = performance.now() + total + 300;
        const drip = setInterval(() => {
          if (performance.now() < until) {
            response.write('.');
          } else {
            response.end('done');
          }
        }, 100);
        response.on('close', () => clearInterval(drip));
      });
      return async () => {
        const { body } = await clientAt(server, { timeouts: { total } }).download('/x');
        return (await text(body)).replaceAll('.', '');
      };
    },
  },
];

/** Creates cases with the real local service behind a proxy that disturbs the connection. */
function throughProxy(shared: LocalService): readonly FaultCase[] {
  const group = 'real service';
  const proxyTo = async ({ baseUrl }: LocalService): Promise<FaultProxy> => {
    const proxy = await startFaultProxy(Number(new URL(baseUrl).port));
    addCleanup(() => proxy.close());
    return proxy;
  };
  const signedIn = { credentials: { type: 'authToken', authToken: shared.authToken } } as const;
  /** Returns the user's name or the error's. */
  const userAt = async (client: BuildServiceClient): Promise<string> =>
    client.currentUser().then(
      ({ username }) => username,
      (error: unknown) => (error as Error).name,
    );
  const spoiled = (
    name: string,
    expected: string,
    directions: { readonly toClient?: Toxics; readonly toService?: Toxics },
  ): FaultCase => ({
    group,
    name,
    expected: [expected],
    arrange: async (clientAt) => {
      const proxy = await proxyTo(shared);
      proxy.spoil(directions);
      // The other timeouts are the real ones and never expire here, so a busy computer doesn't turn one fault into
      // another.
      const timeouts = expected.endsWith('headersTimeout') ? { headers: 300 } : {};
      return async () => (await clientAt(proxy, { ...signedIn, timeouts }).currentUser()).username;
    },
  });
  const headersTimeout = 'NetworkError headersTimeout';
  return [
    spoiled('latency 100 ms each way', 'demo', { toClient: { latency: 100 }, toService: { latency: 100 } }),
    spoiled('2 kB per second', 'demo', { toClient: { bytesPerSecond: 2000 } }),
    spoiled('one byte per second', headersTimeout, { toClient: { bytesPerSecond: 1 } }),
    spoiled('a request with one byte per second', headersTimeout, { toService: { bytesPerSecond: 1 } }),
    spoiled('one byte at a time', 'demo', { toClient: { slice: 1 }, toService: { slice: 1 } }),
    spoiled('reset after 1 byte', 'NetworkError reset', { toClient: { limit: 1, then: 'reset' } }),
    spoiled('closed after 700 bytes, within the body', 'InvalidResponseError truncated', {
      toClient: { limit: 700, then: 'end' },
    }),
    {
      group,
      name: 'down, then up again',
      expected: ['NetworkError, then demo'],
      arrange: async (clientAt) => {
        const proxy = await proxyTo(shared);
        const client = clientAt(proxy, signedIn);
        proxy.spoil({ toClient: { limit: 0, then: 'reset' } });
        return async () => {
          const first = await userAt(client);
          proxy.spoil({});
          return `${first}, then ${await userAt(client)}`;
        };
      },
    },
    {
      group,
      name: 'the session continues after the service is killed during a call and restarted',
      expected: ['NetworkError, then demo'],
      arrange: async (clientAt) => {
        const folder = await mkdtemp(join(tmpdir(), 'app-build-fault-'));
        const dataFolder = join(folder, 'data');
        let service = await startLocalService({ dataFolder });
        addCleanup(async () => {
          await service.stop();
          await rm(folder, { recursive: true });
        });
        const proxy = await proxyTo(service);
        const token = await clientAt({ url: service.baseUrl }).exchangeAuthenticationToken(service);
        // Delays the response, so that it's in progress when the service is killed.
        proxy.spoil({ toClient: { latency: 200 } });
        const client = clientAt(proxy, { credentials: { type: 'accessToken', accessToken: token } });
        return async () => {
          const call = userAt(client);
          await service.stop('SIGKILL');
          const first = await call;
          service = await startLocalService({ dataFolder });
          proxy.spoil({});
          return `${first}, then ${await userAt(client)}`;
        };
      },
    },
  ];
}
