import assert from 'node:assert/strict';
import fc from 'fast-check';
import { branchOf, remoteOf, webAddressOf } from '../../../src/commands/wizard/gitConfig.ts';

describe('the remote of a repository', () => {
  it('is a web address without credentials', () => {
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
      assert.equal(webAddressOf(address), expected, address);
    }
  });

  it('is origin, else the first', () => {
    const remote = (name: string, url: string) => `[remote "${name}"]\n\turl = ${url}\n\tfetch = +refs/*\n`;
    const other = remote('fork', 'https://host.example/fork');
    assert.equal(remoteOf(other + remote('origin', 'https://host.example/origin')), 'https://host.example/origin');
    assert.equal(remoteOf(other), 'https://host.example/fork');
    assert.equal(remoteOf(`[core]\n\turl = https://no.example/x\n${other}`), 'https://host.example/fork');
    assert.equal(remoteOf('[remote "origin"] url = "git@host.example:a/b" ; mine\r\n'), 'https://host.example/a/b');
    assert.equal(remoteOf('[REMOTE "origin"]\n\tURL=https://host.example/a # mine'), 'https://host.example/a');
    assert.equal(remoteOf(''), undefined);
    assert.equal(remoteOf(remote('origin', '/srv/b.git')), undefined);
  });

  it('never holds what stands before the host, whatever the file holds', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_%.-]{8,20}$/);
    const scheme = fc.constantFrom('https://', 'http://', 'ssh://', 'git://');
    fc.assert(
      fc.property(word, word, scheme, fc.boolean(), (user, password, start, scp) => {
        const secret = `${user}~${password}`;
        const address = scp ? `${secret}@host.example:a/b` : `${start}${user}:${secret}@host.example/a/b`;
        const url = remoteOf(`[remote "origin"]\n\turl = ${address}\n`);
        assert.ok(!(url?.includes(password) ?? false), url);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const url of [webAddressOf(text), remoteOf(`[remote "x"]\nurl=${text}`)]) {
          assert.ok(url === undefined || /^https?:\/\/[^@/\s]+\/[!-~]+$/.test(url), url);
        }
      }),
    );
  });

  it('has a branch, where one is checked out', () => {
    assert.equal(branchOf('ref: refs/heads/feature/x\n'), 'feature/x');
    assert.equal(branchOf('0123456789abcdef0123456789abcdef01234567\n'), undefined);
    assert.equal(branchOf(''), undefined);
  });
});
