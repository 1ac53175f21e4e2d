import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { BuildServiceClient } from '../../src/api/client.ts';
import { BodyTooLargeError } from '../../src/api/errors/responseErrors.ts';
import { eachResource, readAhead } from '../../src/api/hypermedia/embeddedResources.ts';
import { readResource } from '../../src/api/hypermedia/readResource.ts';
import { MAX_BODY_BYTES } from '../../src/api/http/transport.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { findLinks, formatJson, linkPlaces } from '../../src/resources/documents/jsonText.ts';
import { responseText } from '../../src/resources/requests/responseText.ts';
import { cleanUp, clientOf, serve } from '../support/servers.ts';
import * as hostile from './hostileAnswers.ts';
import { budget, holds } from './property.ts';
import { noteStall, uncounted, workedFor } from './stallMeter.ts';
import { countSteps } from './stepMeter.ts';

/** `npm run fuzz`: the answers are as large as they can be, there are all kinds of them, and each is measured several times. */
const thorough = budget >= 2000;
const SIZE = thorough ? MAX_BODY_BYTES : MAX_BODY_BYTES / 32;
const REPEATS = thorough ? 3 : 1;

/** Milliseconds of processor time. The longest takes 50; the table of `npm run fuzz` says which. */
const MAX_STALL_MS = 250;

/** Of the document whose steps between two turns of the event loop are counted, and how many there may be: some tens of milliseconds. */
const LARGE = thorough ? 2 ** 20 : 2 ** 16;
const MAX_STEPS = thorough ? 1_000_000 : 2 * LARGE;

/** Rows that the tree shows of a list. */
const ROWS = 1000;

/** Twice as much takes twice as many steps; more than that is allowed for what is only done once. */
const MAX_GROWTH = 2.2;

const GROUPS: Readonly<Record<string, Readonly<Record<string, hostile.MakeAnswer>>>> = {
  wide: hostile.WIDE,
  ordinary: hostile.ORDINARY,
  deep: hostile.DEEP,
  'of one long token': hostile.LONG,
  'with a long Link header': hostile.LINK_HEADERS,
};

describe('stalls', () => {
  let answer = { body: Buffer.alloc(0), headers: {} };
  let client: BuildServiceClient;
  const redactor = new Redactor();
  before(async () => {
    // What the server does is no work of the client's.
    const server = await serve((_request, response) =>
      uncounted(() =>
        response.writeHead(200, { ...answer.headers, 'content-length': answer.body.length }).end(answer.body),
      ),
    );
    client = clientOf(server, { redactor });
  });
  after(cleanUp);

  /**
   * Everything that is done with an answer: it is fetched, its rows are read, its document is formatted and its links are
   * found, and it is shown as the answer to a request.
   *
   * @returns false when the client says that it is too large or has too many parts
   */
  async function show(): Promise<boolean> {
    try {
      const response = await client.get('/api/v1/any');
      const { body } = response;
      if (body.kind === 'json') {
        await readAhead(body.resource, ROWS);
        for (const { text } of body.resource.fields.slice(0, ROWS)) {
          assert.equal(typeof text, 'string');
        }
        const text = await formatJson(body.text);
        await findLinks(text, await linkPlaces(body.resource));
      }
      const describeBinary = (): string => 'binary';
      await responseText(response, { method: 'GET', redactor, formatJson, receivedAt: new Date(0), describeBinary });
      return true;
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        return false;
      }
      throw error;
    }
  }

  /** The shortest of some measurements: what disturbs one of them is no part of the work. */
  async function measure(name: string, { body, headers }: hostile.Answer): Promise<boolean> {
    answer = { body: Buffer.from(body), headers };
    let shown = true;
    let stall = Infinity;
    for (let time = 0; time < REPEATS; time += 1) {
      const { longest } = await workedFor(async () => {
        shown = await show();
      });
      stall = Math.min(stall, longest);
    }
    noteStall({ input: `answer · ${name}`, shown, milliseconds: stall });
    assert.ok(stall <= MAX_STALL_MS, `${name}: ${stall.toFixed(0)} ms`);
    return shown;
  }

  for (const [group, answers] of Object.entries(GROUPS).slice(0, thorough ? undefined : 1)) {
    it(`no answer keeps everything else waiting: ${group}`, async () => {
      for (const [name, make] of Object.entries(answers)) {
        await measure(`${group}: ${name}`, make(SIZE));
      }
    });
  }

  if (thorough) {
    it('the largest bodies of ordinary records are shown', async () => {
      for (const [name, make] of Object.entries(hostile.ORDINARY)) {
        assert.equal(await measure(`as large as can be: ${name}`, make(MAX_BODY_BYTES)), true, name);
      }
    });
  }

  const anyText = fc.oneof(
    fc.constantFrom(...hostile.CHARACTERS, ...hostile.NEAR_MISSES),
    fc
      .array(fc.constantFrom(...hostile.CHARACTERS, ...hostile.NEAR_MISSES), { minLength: 2, maxLength: 4 })
      .map((all) => all.join('')),
  );
  holds(
    'no text keeps everything else waiting, wherever it stands and however often it is repeated',
    fc.tuple(
      anyText,
      fc.constantFrom(...Object.keys({ ...hostile.repeated('a'), ...hostile.inHeaders('a') })),
      fc.boolean(),
    ),
    async ([text, place, many]) => {
      const make = { ...hostile.repeated(text), ...hostile.inHeaders(text), ...(many && hostile.inMany(text)) }[place];
      assert.ok(make);
      // An input has so much time for all repeats together.
      await measure(`${JSON.stringify(text)} ${many ? 'in many records' : 'once'}: ${place}`, make(SIZE / REPEATS));
    },
    100,
  );

  for (const [group, answers] of Object.entries({
    ordinary: hostile.ORDINARY,
    wide: hostile.WIDE,
    deep: hostile.DEEP,
  })) {
    it(`twice as large takes no more than twice as many steps, and few at once: ${group}`, async () => {
      for (const [name, make] of Object.entries(answers)) {
        const steps = async (size: number) => {
          const { body, headers } = make(size);
          return countSteps(JSON.parse(body), async (value) => {
            const mediaType = headers['content-type'] ?? '';
            const root = readResource({ value, url: 'https://build.example/api/v1/any', headers, mediaType });
            for await (const resource of eachResource(root)) {
              assert.ok(resource.pointer.length >= 0);
            }
          });
        };
        const [once, twice] = [await steps(2 ** 15), await steps(2 ** 16)];
        const large = LARGE === 2 ** 16 ? twice : await steps(LARGE);
        assert.ok(twice.total <= MAX_GROWTH * once.total + 1000, `${name}: ${once.total}, then ${twice.total} steps`);
        assert.ok(large.largest <= MAX_STEPS, `${name}: ${large.largest} steps at once`);
      }
    });
  }
});
