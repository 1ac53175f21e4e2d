import assert from 'node:assert/strict';

import { AppCalls } from '../../src/apps/calls/appCalls.ts';
import { folderOf } from '../support/packing.ts';
import { cleanUp, clientOf, serve } from '../support/servers.ts';
import { budget } from './property.ts';
import { disproportion } from './proportion.ts';
import { INPUTS, isRead, projectPages, type Reader, readersIn } from './readers.ts';
import { uncounted } from './stallMeter.ts';

/** `npm run fuzz`: as much as each reader takes. */
const thorough = budget >= 2000;
const MAX_ORDINARY_LENGTH = 64 * 1024;

describe('what others wrote', () => {
  const remove: (() => Promise<void>)[] = [];
  let readers: Readonly<Record<string, Reader>> = {};
  before(async () => {
    const { folder, remove: removeFolder } = await folderOf(projectPages());
    remove.push(removeFolder);
    let apps = Buffer.alloc(0);
    const server = await serve(({ url = '' }, response) =>
      uncounted(() => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(new URL(url, 'http://localhost').pathname.endsWith('/apps') ? apps : '{}');
      }),
    );
    const calls = new AppCalls(clientOf(server));
    const callsOf = (text: string): AppCalls => {
      apps = Buffer.from(text);
      return calls;
    };
    assert.equal((await callsOf('{"apps":[{"title":"a","link":"/api/v1/apps/1"}]}').list()).length, 1);
    readers = readersIn(folder, callsOf);
  });
  after(async () => {
    await cleanUp();
    await Promise.all(remove.map((each) => each()));
  });

  for (const name of Object.keys(readersIn('', () => assert.fail()))) {
    it(`is read in time that grows with it, and with pauses: ${name}`, async () => {
      const reader = readers[name];
      assert.ok(reader);
      const length = thorough ? reader.limit : Math.min(reader.limit, MAX_ORDINARY_LENGTH);
      await isRead(reader, 'a');
      const problems: string[] = [];
      for (const [input, make] of Object.entries({ ...INPUTS, ...reader.inputs })) {
        const texts = [make(length / 4), make(length / 2), make(length)] as const;
        const problem = await disproportion(`${name} · ${input}`, texts, (text) => isRead(reader, text));
        problems.push(...(problem === undefined ? [] : [problem]));
      }
      assert.deepEqual(problems, []);
    });
  }
});
