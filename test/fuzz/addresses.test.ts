import assert from 'node:assert/strict';
import { inspect } from 'node:util';

import fc from 'fast-check';

import { BuildServiceClient } from '../../src/service-client/client.ts';
import { authorize, belongsTo, removeCredentials, withoutCredentials } from '../../src/service-client/credentials.ts';
import { BuildServiceError, InvalidInputError } from '../../src/errors/buildServiceError.ts';
import { RedirectError } from '../../src/service-client/errors/responseErrors.ts';
import { nextHop } from '../../src/service-client/http/redirects.ts';
import { Redactor } from '../../src/service-client/redaction.ts';
import {
  endpoint,
  mayUsePlainHttp,
  parseServiceUrl,
  parseTypedServiceUrl,
  resolveLink,
} from '../../src/service-client/serviceUrl.ts';
import { cleanUp, createClient, transport } from '../support/servers.ts';
import { holds, words } from './property.ts';

const token = 's3cret-T0ken/with+all=';

/** Parts of addresses, including ones that make an address look like another. */
const piece = fc.constantFrom(
  ...words('https: http: HTTP: // / /// @ : . .. ? # % %2f %5c %00 [ ] [::1] 127.0.0.1 127.1 0x7f.1'),
  ...words('2130706433 localhost localhost. build.example build.example. BUILD.example'),
  ...words('build.example:443 build.example:8443 evil.example build.example@evil.example'),
  ...words('evil.example#@build.example xn-- bücher.example ⓑuild.example 。 user pass :80 :443 :99999'),
  ...words('/api/v1 /api/v1/ /pgb me access_token= auth_token=x AUTH_TOKEN=x access%5Ftoken=x & ='),
  ...words('blob: javascript: data: file: vscode: {id} {?q}'),
  ...['\\', ' ', '\t', '\n', '\u202e', '\ud800', 'a'.repeat(3000)],
);
const address = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 6 }).map((pieces) => `https://build.example${pieces.join('')}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary' }),
);

const service = parseServiceUrl('https://build.example');
const underPrefix = parseServiceUrl('https://build.example/pgb');
const redactor = new Redactor();
redactor.add(token);

/** Returns the value or a typed error. Any other error fails the property. */
function valueOrTyped<T>(make: () => T): T | BuildServiceError {
  try {
    return make();
  } catch (error) {
    assert.ok(error instanceof BuildServiceError, inspect(error));
    return error;
  }
}

describe('service addresses and links', () => {
  const carrier = transport();
  const client = createClient({ url: 'https://build.example/pgb' });
  after(cleanUp);

  holds('normalizes any service address, and accepts only secure and loopback ones', address, (text) => {
    const result = valueOrTyped(() => parseTypedServiceUrl(text));
    if (result instanceof BuildServiceError) {
      assert.ok(result instanceof InvalidInputError);
      return;
    }
    assert.ok(new URL(result.href).protocol === 'https:' || mayUsePlainHttp(new URL(result.href)), result.href);
    assert.deepEqual([parseServiceUrl(result.href), parseTypedServiceUrl(result.href)], [result, result]);
    assert.doesNotMatch(result.href, /[?#]|\/$/);
    assert.equal(new URL(result.href).username, '');
    const home = endpoint(result, '/api/v1');
    assert.equal(resolveLink(result, '/api/v1/apps', home)?.href, `${home}/apps`);
    const client = new BuildServiceClient({ service: result, transport: carrier });
    // A path may look as if it contained a credential.
    assert.equal(client.resolve('/api/v1/apps'), removeCredentials(new URL(`${home}/apps`)).href);
  });

  holds(
    'sends credentials only to the service’s origin',
    fc.tuple(address, fc.constantFrom(service, underPrefix)),
    ([url, target]) => {
      const request = valueOrTyped(() =>
        authorize(
          { url, headers: { Authorization: token, cookie: token } },
          { type: 'accessToken', accessToken: token },
          target,
        ),
      );
      if (!(request instanceof BuildServiceError)) {
        const carries = redactor.containsSecret(inspect(request));
        assert.equal(carries, belongsTo(request.url, target));
        assert.ok(!carries || new URL(request.url).origin === 'https://build.example');
      }
    },
  );

  holds('removes credentials completely, and leaves the result unchanged when repeated', address, (text) => {
    const url = `https://h.example/${text.replace(/[?#]/g, '')}?${text}&access_token=${encodeURIComponent(token)}&x=1`;
    const clean = valueOrTyped(() => withoutCredentials(url));
    if (typeof clean === 'string') {
      assert.ok(!redactor.containsSecret(new URL(clean).search), clean);
      assert.equal(withoutCredentials(clean), clean);
    }
  });

  holds('resolves or rejects any link that a user types', address, (text) => {
    resolveLink(underPrefix, text, `https://build.example/${text}`);
    const url = valueOrTyped(() => client.resolve(text));
    assert.ok(url instanceof BuildServiceError || /^https?:/.test(url));
  });

  holds(
    'follows or rejects any Location, and sends no credentials to other origins',
    fc.tuple(address, fc.constantFrom('never', 'sameOrigin', 'anywhere'), fc.constantFrom(301, 303, 307)),
    ([location, policy, status]) => {
      const from = { method: 'GET', url: 'https://build.example/api/v1', leftOrigin: false };
      const hop = valueOrTyped(() => nextHop({ status, location }, [from], policy, redactor));
      if (hop instanceof BuildServiceError) {
        assert.ok(hop instanceof RedirectError);
        assert.ok(hop.target === undefined || /^https?:/.test(hop.target));
        return;
      }
      const { origin, protocol } = new URL(hop.url);
      assert.equal(protocol, 'https:');
      assert.equal(hop.leftOrigin, origin !== 'https://build.example');
      assert.ok(!hop.leftOrigin || policy === 'anywhere');
    },
  );
});
