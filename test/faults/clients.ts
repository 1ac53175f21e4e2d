/** Clients that disconnect early, conflict, are slow, or find a full disk. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { findUserApp } from '../../src/build-service/store/apps.ts';
import { findBuild } from '../../src/build-service/store/builds.ts';
import { appsAtRest, waitForBuilds, PAGE, upload } from '../support/builds.ts';
import { startInProcess } from '../support/inProcessService.ts';
import { startLocalService } from '../support/localService.ts';
import { call, upload as sendUpload, type Answer } from '../support/serviceRequests.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { measured, type Row } from './measured.ts';

const HTML = '<!doctype html><title>x</title>';
const ABANDONED = 20;
const ROUNDS = 8;
const SLOW_CLIENTS = 50;
/** Larger than a connection's buffers, and incompressible. */
const LARGE_BYTES = 30_000_000;

/** Clients that disconnect during an upload. No data is left, and other clients are served. */
export function abandonedUploads(): Promise<Row> {
  const name = `${ABANDONED} clients disconnect during an upload`;
  return measured({ group: 'uploads', name, expected: 'no data is left, others are served' }, async () => {
    const service = await startInProcess();
    const { files } = service.service;
    const workFolders = (): Promise<readonly string[]> => readdir(files.getPath('../work'));
    const path = `/api/v1/apps?auth_token=${service.authToken}`;
    // Waits for the demo builds, because they also add files.
    await appsAtRest(service);
    const kept = await readdir(files.getPath('.'));
    const before = await call(service, path);
    const sockets = Array.from({ length: ABANDONED }, (_, index) => {
      const { headers = {}, body } = sendUpload(`${HTML}${'x'.repeat(200_000)}`);
      const fields = Object.entries({ ...headers, 'Content-Length': body.length });
      const head = fields.map(([field, value]) => `${field}: ${value}`);
      const socket = beginRequest(service.baseUrl, [`POST ${path} HTTP/1.1`, ...head, '']);
      socket.write(body.subarray(0, Math.floor((body.length * index) / ABANDONED)));
      return socket;
    });
    await waitUntil(async () => (await workFolders()).length === ABANDONED);
    // Half of the clients break off; the others end their side too early.
    sockets.forEach((socket, index) => (index % 2 === 0 ? socket.destroy() : socket.end()));
    const during = await call(service, path);
    await waitUntil(async () => (await workFolders()).length === 0);
    const added = (await readdir(files.getPath('.'))).filter((each) => !kept.includes(each)).length;
    sockets.forEach((socket) => socket.destroy());
    await service.stop();
    return {
      got: `${added} files left; another client: ${during.status}`,
      problems: [
        ...(added === 0 ? [] : ['something stays behind']),
        ...(during.text === before.text ? [] : [`others get ${during.status} ${during.text.slice(0, 200)}`]),
        ...service.reports,
      ],
    };
  });
}

/** Two uploads to one app at the same time. Both get a response, and the app contains one of them completely. */
export function simultaneousUploads(): Promise<Row> {
  const name = `two simultaneous uploads to one app, ${ROUNDS} times`;
  return measured({ group: 'uploads', name, expected: 'both are answered, and one is stored completely' }, async () => {
    const service = await startInProcess();
    const { files, store } = service.service;
    const query = `?auth_token=${service.authToken}`;
    const created = await call(service, `/api/v1/apps${query}`, sendUpload(HTML));
    const { id } = created.json as { readonly id: number };
    const { id: userId } = (await call(service, `/api/v1/me${query}`)).json as { readonly id: number };
    const problems: string[] = [];
    const wins = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const contents = ['a', 'b'].map((letter) => `${HTML}${letter.repeat(100_000 + round)}`);
      const answers = await Promise.all(
        contents.map((content) =>
          call(service, `/api/v1/apps/${id}${query}`, { ...sendUpload(content), method: 'PUT' }),
        ),
      );
      problems.push(...answers.filter(({ status }) => status !== 200).map(({ text }) => `round ${round}: ${text}`));
      const file = findUserApp(store, userId, String(id))?.upload?.file;
      const winner = contents.indexOf(file === undefined ? '' : await readFile(files.getPath(file), 'utf8'));
      if (winner < 0) {
        problems.push(`round ${round}: the app has neither`);
      }
      wins[winner] = (wins[winner] ?? 0) + 1;
    }
    // Wait, because builds add and remove files until they end.
    await appsAtRest(service);
    const pages = (await readdir(files.getPath('.'))).map((each) => readFile(files.getPath(each), 'latin1'));
    const uploads = (await Promise.all(pages)).filter((text) => /^<!doctype html><title>x<\/title>[ab]/.test(text));
    await service.stop();
    return {
      got: `${wins.join(' : ')}; ${uploads.length} kept in the end`,
      problems: [
        ...problems,
        ...(uploads.length === 1 ? [] : [`${uploads.length} uploads are kept`]),
        ...service.reports,
      ],
    };
  });
}

/**
 * An upload that finds no room on disk, simulated by a limit on file sizes. The client gets an error, no file is left,
 * and smaller uploads work. Windows has no such limit.
 */
export async function fullDisk(): Promise<readonly Row[]> {
  if (process.platform === 'win32') {
    return [];
  }
  const expected = '507, no data is left; reads and smaller uploads work';
  const row = await measured({ group: 'uploads', name: 'no room for an upload', expected }, async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'app-build-full-'));
    // The limit is in blocks of 512 or 1024 bytes. Without the trap, the system would kill the process.
    const launcher = ['/bin/sh', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$0" "$@"'];
    const service = await startLocalService({ dataFolder, launcher });
    const path = `/api/v1/apps?auth_token=${service.authToken}`;
    const count = (answer: Answer): number => (answer.json as { readonly apps: readonly unknown[] }).apps.length;
    await appsAtRest(service);
    const before = count(await call(service, path));
    const kept = await readdir(join(dataFolder, 'files'));
    const refused = await call(service, path, sendUpload(`${HTML}${'x'.repeat(20_000_000)}`));
    const during = count(await call(service, path));
    const left = [
      ...(await readdir(join(dataFolder, 'work'))),
      ...(await readdir(join(dataFolder, 'files'))).filter((name) => !kept.includes(name)),
    ];
    const after = await call(service, path, sendUpload(HTML));
    const said = service.errorOutput();
    await service.stop();
    await rm(dataFolder, { recursive: true });
    return {
      got: `${refused.status}; ${left.length} files left; then ${after.status}`,
      sentence: refused.text,
      problems: [
        ...(refused.status === 507 && /^\{"error":"[^"]+"\}$/.test(refused.text) ? [] : [`answered ${refused.text}`]),
        ...(left.length === 0 ? [] : ['something stays behind']),
        ...(during === before ? [] : ['an app was made']),
        ...(after.status === 201 ? [] : [`then ${after.text}`]),
        ...(/^POST \/api\/v1\/apps: .*\(EFBIG\)\.$/m.test(said) ? [] : [`reported ${said}`]),
      ],
    };
  });
  return [row];
}

/** The first part that a slow client sends, and the part that it repeats. */
const SLOW_REQUESTS = [
  { first: ['GET /api/v1/me HTTP/1.1'], drip: 'X: y\r\n' },
  {
    first: ['POST /authorize HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 50000', ''],
    drip: 'x',
  },
] as const;

/** Clients that never finish a request. They're rejected, and other clients get responses. */
export function slowClients(): Promise<Row> {
  const name = `${SLOW_CLIENTS} clients that never end their headers or their body`;
  return measured(
    { group: 'load', name, expected: 'others are answered, and these are rejected with a reason' },
    async () => {
      const service = await startInProcess({ limits: { headersTimeoutMs: 400, requestTimeoutMs: 800 } });
      const createRequest = (index: number): (typeof SLOW_REQUESTS)[number] => SLOW_REQUESTS[index % 2 === 0 ? 0 : 1];
      const sockets = Array.from({ length: SLOW_CLIENTS }, (_, index) =>
        beginRequest(service.baseUrl, createRequest(index).first),
      );
      const dripping = setInterval(() => {
        sockets.forEach((socket, index) => socket.writable && socket.write(createRequest(index).drip));
      }, 50);
      const answers = sockets.map((socket) => text(socket).catch(String));
      const { status } = await call(service, `/api/v1/me?auth_token=${service.authToken}`);
      const toldWhy = (await Promise.all(answers)).filter((answer) => /^HTTP\/1\.1 408 .*"error"/s.test(answer)).length;
      clearInterval(dripping);
      await service.stop();
      return {
        got: `another client: ${status}; ${toldWhy} of ${SLOW_CLIENTS} told why`,
        problems: [
          ...(status === 200 ? [] : ['others are not answered']),
          ...(toldWhy === SLOW_CLIENTS ? [] : ['they are not told why']),
          ...service.reports,
        ],
      };
    },
  );
}

/** Clients that disconnect during a download. No file stays open. */
export function abandonedDownloads(): Promise<Row> {
  const name = `${ABANDONED} clients disconnect during a download`;
  return measured({ group: 'artifacts', name, expected: 'no file stays open' }, async () => {
    const service = await startInProcess();
    const id = await upload(service, { ...PAGE, 'random.bin': randomBytes(LARGE_BYTES) });
    await waitForBuilds(service, id);
    const path = service.service.files.getPath(findBuild(service.service.store, id, 'android')?.artifact?.file ?? '');
    const redirect = await call(service, `/api/v1/apps/${id}/android?auth_token=${service.authToken}`);
    const downloads = await Promise.all(
      Array.from({ length: ABANDONED }, async () => {
        const controller = new AbortController();
        const answer = await fetch(redirect.headers.location ?? '', { signal: controller.signal });
        await answer.body?.getReader().read();
        return controller;
      }),
    );
    const opened = openCount(path);
    downloads.forEach((controller) => controller.abort());
    await waitUntil(() => openCount(path) === 0);
    await service.stop();
    const isCounted = process.platform !== 'linux' || opened === ABANDONED;
    return {
      got: `opened ${opened} times, none left`,
      problems: [...(isCounted ? [] : [`it was open ${opened} times`]), ...service.reports],
    };
  });
}

/** Returns the number of this process's open descriptors of a file; 0 if the system doesn't list them. */
function openCount(path: string): number {
  const folder = '/proc/self/fd';
  if (process.platform !== 'linux') {
    return 0;
  }
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`) === path;
    } catch {
      // The file was closed in the meantime.
      return false;
    }
  }).length;
}

/** Opens a connection and sends the beginning of a request. The service may close it in any way, so the caller waits for the close. */
function beginRequest(baseUrl: string, lines: readonly string[]): Socket {
  const { hostname, host, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write([lines[0], `Host: ${host}`, ...lines.slice(1), ''].join('\r\n'));
  return socket;
}
