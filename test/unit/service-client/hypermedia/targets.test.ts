import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import { LinkResolver } from '../../../../src/service-client/hypermedia/links.ts';
import { URL_OF_ME, address, fieldTexts, links, read, reasons } from './read.ts';

/** Link href → its target, relative to https://build.example/api/v1/me. A RegExp is the reason for skipping the link. */
const TARGETS: readonly (readonly [what: string, href: string, expected: string | RegExp])[] = [
  ['an absolute path', '/api/v1/apps', '/api/v1/apps'],
  ['a URL that differs only in the query', `${URL_OF_ME}?a=1`, '/api/v1/me?a=1'],
  ['a path with ./', './apps', '/api/v1/apps'],
  ['a path with ../', '../v2/apps', '/api/v2/apps'],
  ['too many ../', '../../../../x', '/x'],
  ['encoded dot segments', '/api/%2e%2E/x', '/x'],
  ['a query only', '?page=2', '/api/v1/me?page=2'],
  ['a fragment only', '#part', '/api/v1/me#part'],
  ['a relative path', 'apps/1', '/api/v1/apps/1'],
  ['a host without a protocol', '//evil.example/x', 'external https://evil.example/x'],
  ['two backslashes', '\\\\evil.example/x', /backslash/],
  ['a slash and a backslash', '/\\evil.example/x', /backslash/],
  ['a protocol without slashes', 'http:evil.example', 'external http://evil.example/'],
  ['the same protocol without slashes', 'https:apps', '/api/v1/apps'],
  ['a host as user name', 'https://build.example@evil.example/', /user name/],
  ['a password', 'https://a:b@build.example/', /user name/],
  ['a user name only', '//a@build.example/', /user name/],
  ['a trailing dot', 'https://build.example./x', 'external https://build.example./x'],
  ['the default port', 'https://build.example:443/x', '/x'],
  ['a different port', 'https://build.example:8443/x', 'external https://build.example:8443/x'],
  ['plain http on the same host', 'http://build.example/x', 'external http://build.example/x'],
  ['a subdomain', 'https://api.build.example/x', 'external https://api.build.example/x'],
  ['a longer host', 'https://build.example.evil.example/x', 'external https://build.example.evil.example/x'],
  ['an international host name', 'https://büild.example/x', 'external https://xn--bild-0ra.example/x'],
  ['full-width letters, which name the service’s host', 'https://ｂuild.example/x', '/x'],
  ['a tab and a newline inside', '/api/\tv1\n/x', '/api/v1/x'],
  ['spaces around', '  /api/v1/x  ', '/api/v1/x'],
  ['a tab inside a protocol', 'java\tscript:alert(1)', /javascript:/],
  ['a blob: URL of the same origin', 'blob:https://build.example/1', /blob:/],
  ['a javascript: URL', 'javascript:alert(1)', /javascript:/],
  ['a JavaScript: URL in mixed case', ' JaVaScRiPt:alert(1)', /javascript:/],
  ['a command: URL', 'command:workbench.action.quit', /command:/],
  ['an invalid host', 'https://[/x', /isn’t a valid URL/],
  ['an invalid port', 'https://build.example:99999/', /isn’t a valid URL/],
  ['HTML entities, which are text', '/x?a=1&amp;b=2', '/x?a=1&amp;b=2'],
  ['an access token', '/x?access_token=s3cret&page=2', '/x?page=2'],
  ['only an authentication token', '/x?auth_token=s3cret', '/x'],
  ['a token on another host', 'https://evil.example/?access_token=s3cret', 'external https://evil.example/'],
  ['a token in the path', '/x;access_token=s3cret/y;a=1', '/x/y;a=1'],
  ['a template', '/x{?a,b}', 'template /x{?a,b} (a, b)'],
  ['a template with a secret', '/x?access_token=s3cret{&page}', 'template /x?access_token={&page} (page)'],
  ['a template with a secret under an encoded name', '/x?access%5Ftoken=S{&a}', 'template /x?access%5Ftoken={&a} (a)'],
  ['a template with a secret in capitals', '/x?b=1;ACCESS_TOKEN=S{&a}', 'template /x?b=1;ACCESS_TOKEN={&a} (a)'],
  ['a template with user and password', 'https://tok:S@host.example/{x}', /user name/],
  ['a template with a user name', 'https://tok@host.example/{x}', /user name/],
  ['more than 8 KiB', `/${'a'.repeat(8192)}`, /longer than 8 KiB/],
  ['a template with another protocol', 'java\nscript:{x}', /javascript:/],
  ['an open brace', '/x{a', /template/],
  ['a closing brace', '/x}a{b}', /template/],
  ['an empty expression', '/x{}', /template/],
  ['braces in braces', '/x{{a}}', /template/],
];

describe('hypermedia: link targets', () => {
  for (const [what, href, expected] of TARGETS) {
    it(`resolves or skips ${what}: ${JSON.stringify(href)}`, () => {
      const resource = read({ _links: { it: { href } } });
      const [link] = resource.links;
      if (typeof expected === 'string') {
        assert.equal(address(link?.target), expected);
      } else {
        assert.equal(link, undefined);
        assert.match(reasons(resource).join('\n'), expected);
        assert.equal(resource.skipped[0]?.pointer, '/_links/it/href');
      }
    });
  }

  it('keeps URLs with schemes other than HTTP as fields, without a warning', () => {
    for (const href of [
      'data:text/html,x',
      'mailto:a@b.example',
      'FTP://build.example/x',
      'git+ssh://a/b',
      'git@git.example:a/b.git',
      'deploy@git.example:~/a.git',
      'urn:x:1',
    ]) {
      const resource = read({ _links: { it: { href } } });
      assert.deepEqual([fieldTexts(resource), links(resource), reasons(resource)], [[`it=${href}`], [], []]);
    }
  });

  it('resolves links against the final response URL, without its credentials', () => {
    const input = { url: `https://u:p@build.example/a/b?access_token=s3cret&x=1` };
    assert.equal(address(read({ _links: { self: '' } }, input).self?.target), '/a/b?x=1');
    assert.equal(address(read({ _links: { it: 'c' } }, input).links[0]?.target), '/a/c');
    assert.equal(address(read({ _links: { it: '/c' } }, input).links[0]?.target), '/c');
  });

  it('doesn’t list links if the response’s URL can’t be a base', () => {
    for (const url of ['', 'nonsense', 'file:///etc/passwd', 'blob:https://build.example/1']) {
      const resource = read({ link: '/x', _links: { a: 'https://build.example/' } }, { url });
      assert.deepEqual([resource.self, resource.links.map((link) => address(link.target))], [undefined, []]);
    }
  });

  it('disables a link if its URL, or the base URL that its path comes from, contains a masked secret', () => {
    const base = 'https://build.example/***/end';
    const getTarget = (href: string, ...masked: readonly string[]): string => {
      const target = new LinkResolver(base, undefined, new Set(masked)).target(href);
      return 'kind' in target ? address(target) : formatSentence(target);
    };
    const hidden = 'The address contains one of your secrets.';
    for (const [href, expected] of [
      ['x', hidden],
      ['?q', hidden],
      ['https:x', hidden],
      ['{?q}', hidden],
      ['x{?q}', hidden],
      ['../x', '/x'],
      ['/***/q', '/***/q'],
      ['https://host.example/***/z', 'external https://host.example/***/z'],
      ['//host.example/***/z', 'external https://host.example/***/z'],
      ['/***{?q}', 'template /***{?q} (q)'],
      ['https://host.example/***{?q}', 'template https://host.example/***{?q} (q)'],
    ] as const) {
      assert.equal(getTarget(href, base), expected, href);
      assert.notEqual(getTarget(href), hidden, href);
    }
    const query = 'https://build.example/end?t=***';
    for (const href of ['?q', '{?q}', 'x']) {
      assert.ok('kind' in new LinkResolver(query, undefined, new Set([query])).target(href), href);
    }
  });

  it('skips a link if the resolver throws', () => {
    const resolve = () => assert.fail('broken');
    const resource = read({ link: '/x' }, { resolve });
    assert.match(reasons(resource).join(), /isn’t a valid URL/);
  });
});
