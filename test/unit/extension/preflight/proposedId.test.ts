import assert from 'node:assert/strict';

import fc from 'fast-check';

import { idFault, proposedId, toWebAddress } from '../../../../src/config-xml/index.ts';

describe('the suggested ID for an app', () => {
  const cases: readonly (readonly [remote: string | undefined, name: string, id: string])[] = [
    ['https://github.com/Ann/Tide-Times.git', 'x', 'com.github.ann.tide_times'],
    ['git@gitlab.example.org:group/sub/app.git', 'x', 'org.example.gitlab.group.sub.app'],
    ['https://user:secret@git.example.com/a/2048?x=y#z', 'x', 'com.example.git.a.app_2048'],
    ['https://github.com/new/default', 'x', 'com.github.app_new.app_default'],
    ['/srv/git/app.git', 'My App', 'com.my_app.app'],
    ['https://127.0.0.1/a/b', 'Über 9000!', 'com.uber_9000.app'],
    [undefined, 'class', 'com.app_class.app'],
    [undefined, '日本', 'com.app'],
    [undefined, '', 'com.app'],
  ];
  for (const [remote, name, id] of cases) {
    it(`is ${id} for ${remote ?? 'no remote'} and ${JSON.stringify(name)}`, () =>
      assert.equal(proposedId(remote, name), id));
  }

  it('is valid on every platform, whatever the remote and the name', () => {
    const address = fc.oneof(fc.webUrl(), fc.string(), fc.constant(undefined));
    fc.assert(
      fc.property(address, fc.string({ unit: 'grapheme' }), (remote, name) => {
        const id = proposedId(remote, name);
        assert.equal(idFault(id), undefined, id);
        assert.doesNotMatch(id, /_(?:\.|$)/);
      }),
    );
  });
});

describe('the web address of a repository', () => {
  it('contains no credentials', () => {
    const cases: Readonly<Record<string, string | undefined>> = {
      'https://host.example/a/b.git': 'https://host.example/a/b.git',
      'https://ann:s3cret@host.example/a/b.git?x=1#y': 'https://host.example/a/b.git',
      'https://s3cret@host.example:8443/a/b': 'https://host.example:8443/a/b',
      'http://127.0.0.1:8080/app.git': 'http://127.0.0.1:8080/app.git',
      'git@host.example:a/b.git': 'https://host.example/a/b.git',
      'host.example:/srv/b.git': 'https://host.example/srv/b.git',
      'ssh://git@host.example:2222/a/b.git': 'https://host.example/a/b.git',
      'git://host.example/a/b.git': 'https://host.example/a/b.git',
      '/srv/git/b.git': undefined,
      '../b.git': undefined,
      'file:///srv/b.git': undefined,
      'C:\\work\\b': undefined,
      'C:/work/b': undefined,
      'ext::sh -c whoami': undefined,
      'https://host.example/': undefined,
      'https://': undefined,
      'two words:x y': undefined,
      '': undefined,
    };
    for (const [address, expected] of Object.entries(cases)) {
      assert.equal(toWebAddress(address), expected, address);
    }
  });

  it('never includes the text before the host, whatever the remote', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_%.-]{8,20}$/);
    const scheme = fc.constantFrom('https://', 'http://', 'ssh://', 'git://');
    fc.assert(
      fc.property(word, word, scheme, fc.boolean(), (user, password, start, scp) => {
        const secret = `${user}~${password}`;
        const address = scp ? `${secret}@host.example:a/b` : `${start}${user}:${secret}@host.example/a/b`;
        const url = toWebAddress(address);
        assert.ok(!(url?.includes(password) ?? false), url);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const url = toWebAddress(text);
        assert.ok(url === undefined || /^https?:\/\/[^@/\s]+\/[!-~]+$/.test(url), url);
      }),
    );
  });
});
