/** Uploads that end early, meet each other, or find no room. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findAppOf } from '../../../src/localService/store/apps.ts';
import { appsAtRest } from '../../support/builds.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { startLocalService } from '../../support/localService.ts';
import { call, upload, type Answer } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Row } from '../row.ts';
import { measured } from './measured.ts';

const PAGE = '<!doctype html><title>x</title>';
const ABANDONED_UPLOADS = 20;
const ROUNDS = 8;

/** Clients that go away in the middle of an upload: nothing of it stays, and others are served. */
export function abandonedUploads(): Promise<Row> {
  const name = `${ABANDONED_UPLOADS} clients go in the middle of an upload`;
  return measured({ group: 'uploads', name, expected: 'nothing stays behind, others are served' }, async () => {
    const service = await startInProcess();
    const { files } = service.service;
    const workFolders = (): Promise<readonly string[]> => readdir(files.pathOf('../work'));
    const path = `/api/v1/apps?auth_token=${service.authToken}`;
    const kept = await readdir(files.pathOf('.'));
    const before = await call(service, path);
    const sockets = Array.from({ length: ABANDONED_UPLOADS }, (_, index) => {
      const { headers = {}, body } = upload(`${PAGE}${'x'.repeat(200_000)}`);
      const socket = beginRequest(service.baseUrl, 'POST', path, { ...headers, 'Content-Length': String(body.length) });
      socket.write(body.subarray(0, Math.floor((body.length * index) / ABANDONED_UPLOADS)));
      return socket;
    });
    await waitUntil(async () => (await workFolders()).length === ABANDONED_UPLOADS);
    // One half breaks off, the other ends its side without having sent all.
    sockets.forEach((socket, index) => (index % 2 === 0 ? socket.destroy() : socket.end()));
    const during = await call(service, path);
    await waitUntil(async () => (await workFolders()).length === 0);
    const added = (await readdir(files.pathOf('.'))).filter((each) => !kept.includes(each)).length;
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

/** Two uploads for one app at the same time: both are answered, and the app has one of them whole. */
export function simultaneousUploads(): Promise<Row> {
  const name = `two uploads for one app at the same time, ${ROUNDS} times`;
  return measured({ group: 'uploads', name, expected: 'both answered, one of them kept whole' }, async () => {
    const service = await startInProcess();
    const { files, store } = service.service;
    const query = `?auth_token=${service.authToken}`;
    const created = await call(service, `/api/v1/apps${query}`, upload(PAGE));
    const { id } = created.json as { readonly id: number };
    const { id: userId } = (await call(service, `/api/v1/me${query}`)).json as { readonly id: number };
    const problems: string[] = [];
    const wins = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const contents = ['a', 'b'].map((letter) => `${PAGE}${letter.repeat(100_000 + round)}`);
      const answers = await Promise.all(
        contents.map((content) => call(service, `/api/v1/apps/${id}${query}`, { ...upload(content), method: 'PUT' })),
      );
      problems.push(...answers.filter(({ status }) => status !== 200).map(({ text }) => `round ${round}: ${text}`));
      const file = findAppOf(store, userId, String(id))?.upload?.file;
      const winner = contents.indexOf(file === undefined ? '' : await readFile(files.pathOf(file), 'utf8'));
      if (winner < 0) {
        problems.push(`round ${round}: the app has neither`);
      }
      wins[winner] = (wins[winner] ?? 0) + 1;
    }
    const pages = (await readdir(files.pathOf('.'))).map((each) => readFile(files.pathOf(each), 'latin1'));
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
 * A disk on which an upload finds no room, in place of which the system limits the size of files: the client learns it,
 * nothing stays behind, and what there is room for works. Windows has no such limit.
 */
export async function fullDisk(): Promise<readonly Row[]> {
  if (process.platform === 'win32') {
    return [];
  }
  const expected = '507, nothing stays behind; reads, and what there is room for, work';
  const row = await measured({ group: 'uploads', name: 'no room for an upload', expected }, async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'app-build-full-'));
    // Blocks of 512 or 1024 bytes. Without the trap the system would end the process.
    const launcher = ['/bin/sh', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$0" "$@"'];
    const service = await startLocalService({ dataFolder, launcher });
    const path = `/api/v1/apps?auth_token=${service.authToken}`;
    const count = (answer: Answer): number => (answer.json as { readonly apps: readonly unknown[] }).apps.length;
    await appsAtRest(service);
    const before = count(await call(service, path));
    const kept = await readdir(join(dataFolder, 'files'));
    const refused = await call(service, path, upload(`${PAGE}${'x'.repeat(20_000_000)}`));
    const during = count(await call(service, path));
    const left = [
      ...(await readdir(join(dataFolder, 'work'))),
      ...(await readdir(join(dataFolder, 'files'))).filter((name) => !kept.includes(name)),
    ];
    const after = await call(service, path, upload(PAGE));
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

/** Opens a connection, and sends the head of a request. */
function beginRequest(
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Socket {
  const { hostname, host, port } = new URL(baseUrl);
  // The service may end the connection in any way: its close is waited for.
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return socket;
}
