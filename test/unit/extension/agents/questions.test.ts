import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import {
  folderInQuestion,
  quoteInQuestion,
  type ToolDependencies,
} from '../../../../src/extension/agents/agentTool.ts';
import { MAX_UNASKED_READS } from '../../../../src/extension/agents/limits.ts';
import { ReadResourceTool } from '../../../../src/extension/agents/readResourceTool.ts';
import { parseServiceUrl, Redactor } from '../../../../src/service-client/index.ts';
import { cleanUp, createClient, serve } from '../../../support/servers.ts';

describe('a name in a question to the user', () => {
  it('is quoted on one line of at most 60 characters', () => {
    for (const [parts, shown] of [
      [['shop'], '“shop”'],
      [['shop', 'builds/2'], '“shop/builds/2”'],
      [['shop” is read.\n\nNothing is sent to “x'], "“shop' is read. Nothing is sent to 'x”"],
      [['x'.repeat(61)], `“${'x'.repeat(59)}…”`],
      [['x'.repeat(60), 'y'.repeat(1000)], `“${'x'.repeat(60)}/${'y'.repeat(59)}…”`],
    ] as const) {
      assert.equal(quoteInQuestion(...parts), shown);
    }
  });

  it('is the last part of a folder’s path, whatever the workspace calls it', () => {
    const name = 'shop. Nothing is sent';
    assert.equal(folderInQuestion({ uri: vscode.Uri.file('/home/ann/app'), name, index: 0 }), 'app');
    assert.equal(folderInQuestion({ uri: vscode.Uri.parse('memfs:/'), name, index: 0 }), name);
  });
});

describe('reading addresses for an agent', () => {
  afterEach(cleanUp);

  async function start() {
    const letters = Array.from({ length: 3 * MAX_UNASKED_READS }, (_, index) => `/letters/${index}`);
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ letters: letters.map((link) => ({ link })) })),
    );
    const client = createClient(server);
    const tool = new ReadResourceTool({
      loadBuildServices: () => Promise.resolve({ createCalls: () => ({}) }),
      connections: { requireSignedIn: () => Promise.resolve({ client }) },
      selection: { current: { url: parseServiceUrl(server.url) } },
      redactor: new Redactor(),
      log: { error: (_what: string, error: unknown) => assert.fail(String(error)) },
      namedUrls: new Set(),
    } as unknown as ToolDependencies);
    const isAsked = async (link?: string): Promise<boolean> =>
      (await tool.prepareInvocation({ input: { link } })).confirmationMessages !== undefined;
    const read = (link?: string) => tool.invoke({ input: { link } }, new vscode.CancellationTokenSource().token);
    await read();
    return { letters, isAsked, read };
  }

  it('asks once after some reads, and counts again after the user agrees', async () => {
    const { letters, isAsked, read } = await start();
    const questions: number[] = [];
    for (const [index, link] of letters.entries()) {
      if (await isAsked(link)) {
        questions.push(index);
      }
      await read(link);
    }
    assert.deepEqual(questions, [MAX_UNASKED_READS, 2 * MAX_UNASKED_READS + 1]);
    assert.equal(await isAsked(), false);
  });

  it('asks about all further reads until the user agrees to one, even if they are prepared together', async () => {
    const { letters, isAsked, read } = await start();
    const asked = await Promise.all(letters.map((link) => isAsked(link)));
    assert.deepEqual(
      asked,
      letters.map((_, index) => index >= MAX_UNASKED_READS),
    );
    // The user hasn't answered yet.
    await Promise.all(letters.slice(0, MAX_UNASKED_READS).map((link) => read(link)));
    assert.equal(await isAsked(letters[0]), true);
    await read(letters[MAX_UNASKED_READS]);
    assert.equal(await isAsked(letters[1]), false);
  });
});
