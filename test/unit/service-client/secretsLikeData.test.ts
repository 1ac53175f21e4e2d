import assert from 'node:assert/strict';

import { getTargetAddress } from '../../../src/service-client/hypermedia/links.ts';
import { formatSentence } from '../../../src/errors/index.ts';
import { Redactor } from '../../../src/service-client/redaction.ts';
import { cleanUp, createClient, json, serve } from '../../support/servers.ts';

/** User resource whose values could also be a password. */
const user = {
  username: 'annabelle',
  email: 'annabelle@example.com',
  id: 1234,
  code: 12345678,
  count: 12345678.5,
  admin: true,
  deleted: null,
  statement: 'I am annabelle, true, 1234.',
  apps: { link: '/api/v1/apps' },
};

describe('a secret that equals a common word or number', () => {
  afterEach(cleanUp);

  /** Starts a service with the contract's token endpoint and user resource. */
  const service = () =>
    serve((request, response) => json(response, request.url?.startsWith('/token') ? { token: 'tok-en-of-ann' } : user));

  for (const password of [
    'annabelle',
    'username',
    'token',
    'true',
    'null',
    '1234',
    '12345678',
    'link',
    'a',
    '"',
    '{',
  ]) {
    it(`lets the user sign in with the password ${password} without changing the displayed data`, async () => {
      const server = await service();
      const redactor = new Redactor();
      const anonymous = createClient(server, { redactor });
      const authToken = await anonymous.createAuthenticationToken({ username: 'annabelle', password });
      assert.equal(authToken, 'tok-en-of-ann');
      const client = createClient(server, { redactor, credentials: { type: 'authToken', authToken } });
      assert.deepEqual(await client.currentUser(), { username: 'annabelle', email: 'annabelle@example.com' });
      const { body } = await client.me();
      assert.ok(body.kind === 'json');
      assert.deepEqual(body.value, user);
      assert.equal(body.text, JSON.stringify(user));
      assert.deepEqual(
        body.resource.fields.map(({ name, text }) => [name, text]),
        Object.entries(user).flatMap(([name, value]) =>
          typeof value === 'object' && value !== null ? [] : [[name, String(value)]],
        ),
      );
    });
  }

  it('remembers a code only during its exchange, so that a forged code changes no other response', async () => {
    const redactor = new Redactor();
    let during: string | undefined;
    const server = await serve((_request, response) => {
      during = redactor.redact('a forged-code z');
      json(response, { access_token: 'true-access-token', ok: true });
    });
    const client = createClient(server, { redactor });
    for (const code of ['true', 'forged-code']) {
      assert.equal(await client.exchangeCode({ clientId: 'c', clientSecret: 'secret', code }), 'true-access-token');
    }
    assert.equal(during, 'a *** z');
    assert.equal(redactor.redact('a forged-code z'), 'a forged-code z');
    const { body } = await createClient(await service(), { redactor }).me();
    assert.deepEqual(body.kind === 'json' && body.value, user);
  });

  it('forgets a password when its call fails', async () => {
    const redactor = new Redactor();
    const server = await serve((_request, response) => json(response, { error: 'no pass-phrase' }, 401));
    await assert.rejects(
      createClient(server, { redactor }).createAuthenticationToken({ username: 'a', password: 'pass-phrase' }),
      {
        message: 'The service didn’t accept the sign-in: no ***',
      },
    );
    assert.equal(redactor.redact('pass-phrase'), 'pass-phrase');
  });

  it('disables a link that contains a secret in use, and only removes the credentials from other links', async () => {
    const accessToken = 'T0ken/with+more';
    const encoded = encodeURIComponent(accessToken);
    const links = {
      page: `/api/v1/apps?access_token=${encoded}&page=2`,
      elsewhere: `/api/v1/apps?key=${encoded}`,
      path: `/api/v1/${encoded}/apps`,
      host: `https://t0ken.${Buffer.from('x').toString('hex')}.example/`,
      template: `/api/v1/apps?access_token=${encoded}{&page}`,
      secretTemplate: `/api/v1/apps?key=${encoded}{&page}`,
    };
    const server = await serve((_request, response) =>
      json(response, {
        title: `of ${accessToken}`,
        _links: Object.fromEntries(
          Object.entries(links).map(([rel, href]) => [rel, { href, templated: href.includes('{') }]),
        ),
      }),
    );
    const { body } = await createClient(server, { credentials: { type: 'accessToken', accessToken } }).home();
    assert.ok(body.kind === 'json');
    assert.deepEqual(
      body.resource.links.map(({ rel, target }) => [rel, target.kind === 'template' ? target.template : target.url]),
      [
        ['page', `${server.url}/api/v1/apps?page=2`],
        ['host', links.host],
        ['template', '/api/v1/apps?access_token={&page}'],
      ],
    );
    assert.equal(body.resource.title, 'of ***');
    assert.ok(!JSON.stringify(body.resource).includes('T0ken'));
  });

  it('distinguishes hidden values from a document’s own asterisks', async () => {
    const accessToken = 'T0ken/with+more';
    const encoded = encodeURIComponent(accessToken);
    const [hiddenIn, own, base] = [`/x/${encoded}/***`, '/x/***/y', `https://host.example/a/${encoded}`];
    const server = await serve((request, response) => {
      if (request.url?.startsWith('/api/v1/start')) {
        response.writeHead(302, { location: `/${encoded}/end` }).end();
        return;
      }
      const links = {
        own,
        elsewhere: 'https://host.example/***/z',
        template: '/x/***{?a}',
        relative: '?b',
        hidden: hiddenIn,
        hiddenTemplate: `/z/${encoded}{?a}`,
      };
      response
        .writeHead(200, {
          'content-type': 'application/json',
          link: `<${own}>; rel=header, <${hiddenIn}>; rel=hiddenHeader`,
        })
        .end(
          JSON.stringify({
            note: accessToken,
            _links: links,
            part: { _links: { base, path: '/y' } },
            wiki: { _links: { base: 'https://host.example/wiki', webui: `/x/${encoded}` } },
            compact: { '@context': { ex: 'https://host.example/' }, '@id': `ex:${encoded}` },
            prefix: { '@context': { ex: `https://host.example/${encoded}/` }, '@id': 'ex:x' },
          }),
        );
    });
    const client = createClient(server, { credentials: { type: 'accessToken', accessToken } });
    const getLinks = async (address: string): Promise<readonly (readonly (readonly string[])[])[]> => {
      const { body } = await client.get(address);
      assert.ok(body.kind === 'json');
      assert.ok(!JSON.stringify(body.resource).includes('T0ken'));
      const resources = [body.resource, ...body.resource.embedded.map(({ resource }) => resource)];
      return [
        resources.flatMap(({ links }) => links.map(({ rel, target }) => [rel, getTargetAddress(target)])),
        resources.flatMap(({ skipped }) => skipped.map(({ pointer, reason }) => [pointer, formatSentence(reason)])),
      ];
    };
    const secret = 'The address contains one of your secrets.';
    assert.deepEqual(await getLinks('/api/v1/***/me'), [
      [
        ['header', `${server.url}${own}`],
        ['own', `${server.url}${own}`],
        ['elsewhere', 'https://host.example/***/z'],
        ['template', '/x/***{?a}'],
        ['relative', `${server.url}/api/v1/***/me?b`],
      ],
      [
        '',
        '/_links/hidden',
        '/_links/hiddenTemplate',
        '/part/_links/path',
        '/wiki/_links/webui',
        '/compact/@id',
        '/prefix/@id',
      ].map((pointer) => [pointer, secret]),
    ]);
    const [, skipped] = await getLinks('/api/v1/start');
    assert.deepEqual(
      skipped?.find(([pointer]) => pointer === '/_links/relative'),
      ['/_links/relative', secret],
    );
  });

  it('disables a link to a host named after a secret', async () => {
    const accessToken = 'Tok3nOfAnn1234';
    const server = await serve((_request, response) =>
      json(response, {
        _links: {
          a: `https://${accessToken}.example/`,
          b: `https://x.${accessToken.toLowerCase()}.example/`,
          c: 'https://c.example/',
          d: `https://${accessToken.slice(0, 6)}.${accessToken.slice(6)}.example/`,
        },
      }),
    );
    const { body } = await createClient(server, { credentials: { type: 'accessToken', accessToken } }).home();
    assert.deepEqual(body.kind === 'json' && body.resource.links.map(({ rel }) => rel), ['c']);
  });
});
