import assert from 'node:assert/strict';

import { Redactor } from '../../../../../src/service-client/index.ts';
import { responseText } from '../../../../../src/extension/resources/documents/responseDocuments.ts';
import { accessToken, cleanUp, createClient, serve } from '../../../../support/servers.ts';

const receivedAt = new Date('2026-03-04T05:06:07Z');

/** Returns the document for a response. */
async function shown(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  method = 'POST',
): Promise<string> {
  const server = await serve((_request, response) => response.writeHead(status, headers).end(body));
  const redactor = new Redactor();
  const client = createClient(server, { redactor });
  const response = await client.send({ method, url: '/api/v1/apps?access_token=mine', anyStatus: true });
  return responseText(response, method, redactor, receivedAt)
    .replace(server.url, 'http://service')
    .replace(/# \d+ ms/, '# 12 ms')
    .replace(/^(date|connection|keep-alive|transfer-encoding|content-length): .*\n/gm, '');
}

describe('responseText', () => {
  afterEach(cleanUp);

  it('shows status, request, time, headers, and the formatted JSON with unchanged numbers', async () => {
    const headers = { 'content-type': 'application/json', location: '/api/v1/apps/7' };
    assert.equal(
      await shown(201, headers, '{"id":12345678901234567890}'),
      'HTTP/1.1 201 Created\n# POST http://service/api/v1/apps\n# 12 ms, 2026-03-04T05:06:07.000Z\ncontent-type: application/json\nlocation: /api/v1/apps/7\n\n{\n  "id": 12345678901234567890\n}\n',
    );
  });

  it('shows failed responses as well', async () => {
    assert.match(
      await shown(422, { 'content-type': 'application/json' }, '{"error":"no title"}'),
      /^HTTP\/1\.1 422 Unprocessable Entity\n[^]*"error": "no title"/,
    );
    assert.match(await shown(599, {}, ''), /^HTTP\/1\.1 599\n/);
  });

  it('describes a binary body, and shows text as text', async () => {
    const png = await shown(200, { 'content-type': 'image/png' }, Buffer.from([1, 2, 3]));
    assert.match(png, /\n\n# A file of type image\/png, 3 bytes\. .*\n$/);
    assert.match(await shown(200, { 'content-type': 'text/plain' }, 'line 1\nline 2'), /\n\nline 1\nline 2\n$/);
    assert.match(await shown(204, {}, ''), /^HTTP\/1\.1 204 No Content\n[^]*Z\n$/);
  });

  it('shows no secret, wherever the service repeats it', async () => {
    const encoded = encodeURIComponent(accessToken);
    const headers = {
      'content-type': 'application/json',
      'set-cookie': 'session=c00kie',
      authorization: 'Bearer abcdefgh12345',
      location: `/api/v1/apps?access_token=${encoded}`,
      'x-echo': accessToken,
      link: `<https://files.example.com/x?token=unknown99>; rel="next"`,
    };
    const base64 = Buffer.from(accessToken).toString('base64');
    const body = { echo: accessToken, url: `/x?access_token=${encoded}`, base64 };
    const text = await shown(200, headers, JSON.stringify(body));
    for (const secret of [accessToken, encoded, 'c00kie', 'abcdefgh12345', 'unknown99', base64]) {
      assert.ok(!text.includes(secret), `${secret} in\n${text}`);
    }
    assert.match(text, /"echo": "\*\*\*"/);
  });
});
