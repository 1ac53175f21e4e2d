import assert from 'node:assert/strict';
import path from 'node:path';
import { inspect } from 'node:util';

import { MAX_RESOURCE_BYTES } from '../../src/service-client/limits.ts';
import { findLinks, formatJson, getLinkLocations } from '../../src/service-client/jsonText.ts';
import { responseText } from '../../src/extension/resources/documents/responseDocuments.ts';
import { openInProcess, type OpenedService } from '../support/inProcessService.ts';
import { createFolder } from '../support/packing.ts';
import { cleanUp, createClient, serve } from '../support/servers.ts';
import { call } from '../support/serviceRequests.ts';
import { createExtensionDoors, createServiceDoors, isRefusal, redactor, type Door } from './doors.ts';
import { everywhere, HOSTILE_ANSWERS } from './hostileAnswers.ts';
import { budget } from './property.ts';
import { ANYTHING, type MakeText } from './pumps.ts';

/** `npm run fuzz` fills every door to its limit. */
const isThorough = budget >= 2000;
const MAX_LENGTH = 64 * 1024;

/**
 * Limit of this thread's processor time, in ms. Quadratic algorithms need several times as long for {@link MAX_LENGTH}.
 */
const DEADLINE_MS = isThorough ? 3000 : 1000;

/** Number of rows that the tree shows for a list. */
const ROWS = 1000;

describe('doors', () => {
  let service: OpenedService;
  let folder = '';
  let removeFolder = (): Promise<void> => Promise.resolve();
  let files = 0;
  let answer = { type: '', body: '' };
  let client: ReturnType<typeof createClient>;
  before(async () => {
    service = await openInProcess();
    ({ folder, remove: removeFolder } = await createFolder({ 'index.html': '<p>A', 'a/b/c/d.txt': 'x' }));
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': answer.type }).end(answer.body),
    );
    client = createClient(server, { redactor });
  });
  after(async () => {
    await service.stop();
    await cleanUp();
    await removeFolder();
  });
  afterEach(() => assert.deepEqual(service.reports, []));

  /** Processes a response completely: reads its rows, formats its document, and finds its links. */
  async function readAnswer(type: string, sent: string): Promise<void> {
    answer = { type, body: sent };
    assert.ok(!type.endsWith('json') || JSON.parse(sent) !== undefined);
    const response = await client.get('/api/v1/any');
    const { body } = response;
    if (body.kind === 'json') {
      for (const { resource } of body.resource.embedded.slice(0, ROWS)) {
        assert.equal(typeof resource.pointer, 'string');
      }
      for (const { text } of body.resource.fields.slice(0, ROWS)) {
        assert.equal(typeof text, 'string');
      }
      findLinks(formatJson(body.text), getLinkLocations(body.resource));
    }
    responseText(response, 'GET', redactor);
  }
  const answers: Readonly<Record<string, Door>> = {
    ...Object.fromEntries(
      Object.entries(HOSTILE_ANSWERS).map(([type, inputs]): [string, Door] => [
        `answer of the type ${type}`,
        { limit: MAX_RESOURCE_BYTES, read: (text) => readAnswer(type, text), inputs, isSpecial: true },
      ]),
    ),
    'texts of an answer': {
      limit: MAX_RESOURCE_BYTES / 30,
      read: (text) => readAnswer('application/json', everywhere(text)),
    },
    'answer in text': { limit: MAX_RESOURCE_BYTES, read: (text) => readAnswer('text/plain', text) },
  };

  const send = async (
    target: string,
    request: { type?: string; body?: string; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<void> => {
    const { type, body, headers } = request;
    const { status, text } = await call(service, target, {
      headers: { Origin: service.baseUrl, ...(type !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { method: 'POST', body }),
    });
    assert.ok(status < 500, `${status} ${text}`);
  };
  const newPath = (): string => path.join(folder, `package${(files += 1)}`);
  const doors = (): Readonly<Record<string, Door>> => ({
    ...answers,
    ...createExtensionDoors(folder),
    ...createServiceDoors(send, () => service.authToken, newPath),
  });

  for (const name of Object.keys(doors())) {
    it(`handles or rejects any input in time: ${name}`, async () => {
      const { limit, read, inputs, isSpecial } = doors()[name] ?? assert.fail();
      const length = isThorough ? limit : Math.min(limit / 4, MAX_LENGTH);
      const slow: string[] = [];
      const all: Readonly<Record<string, MakeText>> = { ...(isSpecial !== true && ANYTHING), ...inputs };
      for (const [input, make] of Object.entries(all)) {
        const text = make(length);
        const start = process.threadCpuUsage();
        try {
          await read(text);
        } catch (error) {
          assert.ok(isRefusal(error), `${input}: ${inspect(error)}`);
        }
        const { user, system } = process.threadCpuUsage(start);
        const milliseconds = (user + system) / 1000;
        if (milliseconds > DEADLINE_MS) {
          slow.push(`${input}: ${milliseconds.toFixed(0)} ms for ${text.length} characters`);
        }
      }
      assert.deepEqual(slow, []);
    });
  }
});
