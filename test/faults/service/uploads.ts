/** Uploads that end early, never end, meet each other, or find no room. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findAppOf } from '../../../src/localService/store/apps.ts';
import type { DataFiles } from '../../../src/localService/store/dataFiles.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { startLocalService } from '../../support/localService.ts';
import { call, upload, type Answer } from '../../support/serviceRequests.ts';
import type { Row } from '../row.ts';

/** For another client to be answered, and for the service to tidy up. */
const OTHERS_TIMEOUT_MS = 5000;
const PAGE = '<!doctype html><title>x</title>';

/** Clients that go away in the middle of an upload: nothing of it stays, and others are served. */
export async function abandonedUploads(count = 40): Promise<Row> {
  const service = await startInProcess();
  const { files } = service.service;
  const path = `/api/v1/apps?auth_token=${service.authToken}`;
  const kept = await readdir(files.pathOf('.'));
  const before = await call(service.baseUrl, path);
  const start = performance.now();
  const sockets = Array.from({ length: count }, (_, index) => {
    const { headers = {}, body } = upload(`${PAGE}${'x'.repeat(200_000)}`);
    const socket = beginRequest(service.baseUrl, 'POST', path, { ...headers, 'Content-Length': String(body.length) });
    socket.write(body.subarray(0, Math.floor((body.length * index) / count)));
    return socket;
  });
  while ((await readdir(files.pathOf('../work'))).length < count && performance.now() - start < OTHERS_TIMEOUT_MS) {
    await sleep(5);
  }
  const begun = (await readdir(files.pathOf('../work'))).length;
  // One half breaks off, the other ends its side without having sent all.
  sockets.forEach((socket, index) => (index % 2 === 0 ? socket.destroy() : socket.end()));
  const during = await call(service.baseUrl, path);
  const left = await workLeft(files);
  const added = (await readdir(files.pathOf('.'))).filter((name) => !kept.includes(name)).length;
  const milliseconds = performance.now() - start;
  sockets.forEach((socket) => socket.destroy());
  await service.stop();
  return {
    group: 'uploads',
    name: `${count} clients go in the middle of an upload`,
    expected: 'nothing stays behind, others are served',
    got: `${begun} begun; ${left} work folders and ${added} files left; another client: ${during.status}`,
    milliseconds,
    within: 2 * OTHERS_TIMEOUT_MS,
    problems: [
      ...(begun === count ? [] : ['not all uploads began']),
      ...(left + added === 0 ? [] : ['something stays behind']),
      ...(during.text === before.text ? [] : [`others get ${during.status} ${during.text.slice(0, 200)}`]),
      ...service.reports,
    ],
  };
}

/** Uploads of which a byte arrives now and then: they are turned away, and others are served. */
export async function drippingUploads(count = 40): Promise<Row> {
  const service = await startInProcess({ limits: { requestTimeoutMs: 500 } });
  const path = `/api/v1/apps?auth_token=${service.authToken}`;
  const { headers = {}, body } = upload(PAGE);
  const start = performance.now();
  const sockets = Array.from({ length: count }, () => {
    const socket = beginRequest(service.baseUrl, 'POST', path, { ...headers, 'Content-Length': '1000000' });
    socket.write(body.subarray(0, body.length - 40));
    return socket;
  });
  const answers = sockets.map(async (socket) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    await once(socket, 'close');
    return text;
  });
  const dripping = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 50);
  const other = await call(service.baseUrl, path, upload(PAGE));
  const otherMs = performance.now() - start;
  const ended = await Promise.race([Promise.all(answers), sleep(2 * OTHERS_TIMEOUT_MS, undefined, { ref: false })]);
  const milliseconds = performance.now() - start;
  clearInterval(dripping);
  sockets.forEach((socket) => socket.destroy());
  const left = await workLeft(service.service.files);
  await service.stop();
  const toldWhy = ended?.filter((answer) => /^HTTP\/1\.1 408 .*"error"/s.test(answer)).length ?? 0;
  return {
    group: 'uploads',
    name: `${count} uploads that drip`,
    expected: 'others upload, these are turned away',
    got: `another client: ${other.status} in ${otherMs.toFixed(0)} ms; ${toldWhy} of ${count} told why; ${left} work folders left`,
    milliseconds,
    within: 2 * OTHERS_TIMEOUT_MS,
    problems: [
      ...(other.status === 201 && otherMs < OTHERS_TIMEOUT_MS ? [] : ['others had to wait']),
      ...(toldWhy === count ? [] : ['they are not turned away']),
      ...(left === 0 ? [] : ['something stays behind']),
      ...service.reports,
    ],
  };
}

/** Two uploads for one app at the same time: both are answered, and the app has one of them whole. */
export async function simultaneousUploads(rounds = 20): Promise<Row> {
  const service = await startInProcess();
  const { files, store } = service.service;
  const query = `?auth_token=${service.authToken}`;
  const created = await call(service.baseUrl, `/api/v1/apps${query}`, upload(PAGE));
  const { id } = created.json as { readonly id: number };
  const userId = (await call(service.baseUrl, `/api/v1/me${query}`)).json as { readonly id: number };
  const problems: string[] = [];
  const wins = [0, 0];
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const contents = ['a', 'b'].map((letter) => `${PAGE}${letter.repeat(100_000 + round)}`);
    const answers = await Promise.all(
      contents.map((content) =>
        call(service.baseUrl, `/api/v1/apps/${id}${query}`, { ...upload(content), method: 'PUT' }),
      ),
    );
    problems.push(...answers.filter(({ status }) => status !== 200).map(({ text }) => `round ${round}: ${text}`));
    const file = findAppOf(store, userId.id, String(id))?.upload?.file;
    const winner = contents.indexOf(file === undefined ? '' : await readFile(files.pathOf(file), 'utf8'));
    if (winner < 0) {
      problems.push(`round ${round}: the app has neither`);
    }
    wins[winner] = (wins[winner] ?? 0) + 1;
  }
  const milliseconds = performance.now() - start;
  const pages = (await readdir(files.pathOf('.'))).map((name) => readFile(files.pathOf(name), 'latin1'));
  const uploads = (await Promise.all(pages)).filter(
    (text) => text.startsWith(`${PAGE}a`) || text.startsWith(`${PAGE}b`),
  );
  await service.stop();
  return {
    group: 'uploads',
    name: `two uploads for one app at the same time, ${rounds} times`,
    expected: 'both answered, one of them kept whole',
    got: `${wins.join(' : ')}; ${uploads.length} kept in the end`,
    milliseconds,
    within: 30_000,
    problems: [
      ...problems,
      ...(uploads.length === 1 ? [] : [`${uploads.length} uploads are kept`]),
      ...service.reports,
    ],
  };
}

/**
 * A disk on which an upload finds no room, in place of which the system limits the size of files: the client learns it,
 * nothing stays behind, and what there is room for works. Windows has no such limit.
 */
export async function fullDisk(): Promise<readonly Row[]> {
  if (process.platform === 'win32') {
    return [];
  }
  const dataFolder = await mkdtemp(join(tmpdir(), 'app-build-full-'));
  // Blocks of 512 or 1024 bytes. Without the trap the system would end the process.
  const launcher = ['/bin/sh', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$0" "$@"'];
  const service = await startLocalService({ dataFolder, launcher });
  const path = `/api/v1/apps?auth_token=${service.authToken}`;
  const count = (answer: Answer): number => (answer.json as { readonly apps: readonly unknown[] }).apps.length;
  const before = count(await call(service.baseUrl, path));
  const kept = await readdir(join(dataFolder, 'files'));
  const start = performance.now();
  const refused = await call(service.baseUrl, path, upload(`${PAGE}${'x'.repeat(20_000_000)}`));
  const during = count(await call(service.baseUrl, path));
  const left = [
    ...(await readdir(join(dataFolder, 'work'))),
    ...(await readdir(join(dataFolder, 'files'))).filter((name) => !kept.includes(name)),
  ];
  const after = await call(service.baseUrl, path, upload(PAGE));
  const milliseconds = performance.now() - start;
  const said = service.errorOutput();
  await service.stop();
  await rm(dataFolder, { recursive: true });
  return [
    {
      group: 'uploads',
      name: 'no room for an upload',
      expected: '507, nothing stays behind; reads, and what there is room for, work',
      got: `${refused.status}; ${left.length} files left; then ${after.status}`,
      sentence: refused.text,
      milliseconds,
      within: OTHERS_TIMEOUT_MS,
      problems: [
        ...(refused.status === 507 && /^\{"error":"[^"]+"\}$/.test(refused.text) ? [] : [`answered ${refused.text}`]),
        ...(left.length === 0 ? [] : ['something stays behind']),
        ...(during === before ? [] : ['an app was made']),
        ...(after.status === 201 ? [] : [`then ${after.text}`]),
        ...(/^POST \/api\/v1\/apps: .*\(EFBIG\)\.$/m.test(said) ? [] : [`reported ${said}`]),
      ],
    },
  ];
}

/** Work folders that are there when the service had time to tidy up. */
async function workLeft(files: DataFiles): Promise<number> {
  const deadline = performance.now() + OTHERS_TIMEOUT_MS;
  let left: number;
  do {
    left = (await readdir(files.pathOf('../work'))).length;
    await sleep(5);
  } while (left > 0 && performance.now() < deadline);
  return left;
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
