import assert from 'node:assert/strict';

import { proxyBySettings, toUsableProxy } from '../../../../src/extension/workbench/network.ts';

const proxy = 'http://proxy.example:3128';

describe('the choice of a proxy', () => {
  for (const [noProxy, origin, expected] of [
    [[], 'https://build.example', true],
    [['*'], 'https://build.example', false],
    [['build.example'], 'https://build.example', false],
    [['BUILD.example '], 'https://build.example', false],
    [['example'], 'https://build.example', false],
    [['.example'], 'https://build.example', false],
    [['*.example'], 'https://build.example', false],
    [['ample'], 'https://build.example', true],
    [['uild.example'], 'https://build.example', true],
    [['build.example:443'], 'https://build.example', false],
    [['build.example:8443'], 'https://build.example', true],
    [['build.example:8443'], 'https://build.example:8443', false],
    [['build.example:80'], 'http://build.example', false],
    [['192.0.2.7'], 'https://192.0.2.7', false],
    [['[2001:db8::1]'], 'https://[2001:db8::1]', false],
    [['[2001:db8::1]:443'], 'https://[2001:db8::1]', false],
    [['', '.', 'a b'], 'https://build.example', true],
    [['.'], 'https://build.example.', true],
    [['a:b:c'], 'https://build.undefined', true],
  ] as const) {
    it(`applies noProxy ${JSON.stringify(noProxy)} to ${origin}`, () => {
      assert.equal(proxyBySettings(origin, { url: proxy, noProxy }, {}), expected ? proxy : undefined);
      if (noProxy.length > 0) {
        assert.equal(
          proxyBySettings(origin, { url: proxy, noProxy: [] }, { no_proxy: noProxy.join(',') }),
          expected ? proxy : undefined,
        );
      }
    });
  }

  it('prefers the settings to the environment variable for the address’s scheme', () => {
    const unset = { url: '', noProxy: [] };
    const env = {
      HTTPS_PROXY: 'http://secure.example:1',
      http_proxy: 'plain.example:2',
      NO_PROXY: 'no.example other.example',
    };
    assert.equal(proxyBySettings('https://build.example', { url: proxy, noProxy: [] }, env), proxy);
    assert.equal(proxyBySettings('https://build.example', unset, env), 'http://secure.example:1');
    assert.equal(proxyBySettings('http://build.example', unset, env), 'http://plain.example:2');
    assert.equal(proxyBySettings('https://no.example', unset, env), undefined);
    assert.equal(proxyBySettings('https://other.example', { url: proxy, noProxy: [] }, env), undefined);
    assert.equal(
      proxyBySettings('https://no.example', { url: '', noProxy: ['else.example'] }, env),
      'http://secure.example:1',
    );
    assert.equal(proxyBySettings('https://build.example', unset, { ALL_PROXY: proxy }), proxy);
    assert.equal(proxyBySettings('https://build.example', unset, { https_proxy: ' ' }), undefined);
  });

  it('accepts the supported types of proxies', () => {
    assert.deepEqual(toUsableProxy('https://u:p@proxy.example', ''), { url: 'https://u:p@proxy.example' });
    assert.deepEqual(toUsableProxy(proxy, 'Basic dTpw'), { url: proxy, authorization: 'Basic dTpw' });
    assert.equal(toUsableProxy('socks5h://proxy.example:1080', '')?.url, 'socks5://proxy.example:1080');
    assert.equal(toUsableProxy('SOCKS://proxy.example:1080', '')?.url, 'socks5://proxy.example:1080');
    for (const url of ['socks4://p.example:1080', 'socks4a://p.example:1080', 'file:///etc', 'p.example:3128', '']) {
      assert.equal(toUsableProxy(url, ''), undefined, url);
    }
  });
});
