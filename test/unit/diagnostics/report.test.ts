import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CertificateError, NetworkError, ProxyError } from '../../../src/api/errors/connectionErrors.ts';
import { InvalidInputError } from '../../../src/api/errors/invalidInputError.ts';
import { RedirectError } from '../../../src/api/errors/responseErrors.ts';
import { sentence } from '../../../src/api/errors/sentence.ts';
import { ServiceError } from '../../../src/api/errors/serviceError.ts';
import { Redactor } from '../../../src/api/redaction.ts';
import type { ServiceProbe } from '../../../src/api/serviceProbe.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { anonymise, markdownOf, type Block } from '../../../src/diagnostics/report.ts';
import {
  answerText,
  failureKind,
  pathShape,
  proxyKind,
  callTable,
  failureTable,
} from '../../../src/diagnostics/knownWords.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');

function reportOf(...blocks: readonly Block[]): string {
  return markdownOf({ title: 'T', introduction: 'I', sections: [{ title: 'S', blocks }], next: 'N' });
}

describe('a diagnostics report', () => {
  it('is Markdown that reads well as it is', () => {
    const error = NetworkError.of('refused', 'build.example.com');
    const report = reportOf(
      { kind: 'facts', facts: [['Extension', '0.2.0']] },
      callTable(
        [
          { method: 'GET', path: '/api/v1/apps/1234/build', status: 200, milliseconds: 12.4, time: NOW - 61_000 },
          { method: 'POST', path: '/token?name=***', error, milliseconds: 3, time: NOW - 3 * 3_600_000 },
          { method: 'STEAL', path: 'https://cdn.example.com/a/1', status: 302, milliseconds: 0, time: NOW + 5 },
        ],
        NOW,
      ),
      failureTable([{ doing: 'appBuild.connect', error, time: NOW - 1_200_000 }], NOW, ['appBuild.connect']),
    );
    assert.equal(
      report,
      `# T

> I

## S

- Extension: 0.2.0

| When     | Method  | Path                    | Result          | ms  |
| -------- | ------- | ----------------------- | --------------- | --- |
| 61 s ago | GET     | /api/v1/apps/1234/build | 200             | 12  |
| 3 h ago  | POST    | /token?…                | network refused | 3   |
| 0 s ago  | another | another server: /…/1    | 302             | 0   |

| When       | Command          | Kind            |
| ---------- | ---------------- | --------------- |
| 20 min ago | appBuild.connect | network refused |

---

N
`,
    );
  });

  it('shows no markup, no line break and no invisible character of a value', () => {
    const report = reportOf({ kind: 'table', columns: ['a'], rows: [['x | y\n# z\u202e']] });
    assert.ok(report.includes('| x \\| y # z |'), report);
  });

  it('says when there is nothing', () => {
    assert.match(reportOf(callTable([], NOW)), /None since this window was opened/);
    assert.match(reportOf(failureTable([], NOW, [])), /None since this window was opened/);
  });

  it('keeps of a path what the interface has, and numbers', () => {
    const shapes = {
      '/api/v1': '/api/v1',
      '/api/v1/apps/1234/build/android': '/api/v1/apps/1234/build/android',
      '/api/v1/keys/ios/7': '/api/v1/keys/ios/7',
      '/pgb/api/v1/me': '/…/api/v1/me',
      '/api/v1/apps/my-app': '/api/v1/apps/…',
      '/api/v1/ap%70s': '/api/v1/…',
      '/api/v1/apps/1/collaborators/ann@example.com?role=***': '/api/v1/apps/1/collaborators/…?…',
      '/api/v1/apps/004917012345678': '/api/v1/apps/…',
      '/a//b/': '/…//…/',
      'https://ann.example.com:8443/api/v1/Ann?q=***#x': 'another server: /api/v1/…?…',
      'data:ann': 'another server: /',
      ann: '…',
      [`/${'1/'.repeat(20)}`]: `/${'1/'.repeat(12)}…`,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(shapes).map((path) => [path, pathShape(path)])), shapes);
  });

  it('has no part of a path that is not a word of the interface, whatever a service links to', () => {
    const name = fc.string({ minLength: 3 }).map((text) => encodeURIComponent(`Zoë ${text}`));
    const segment = fc.oneof(fc.constantFrom('api', 'v1', 'apps', 'build', '12'), name);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.option(name), fc.boolean(), (segments, query, elsewhere) => {
        const path = `${elsewhere ? 'https://zoe.example' : ''}/${segments.join('/')}${query === null ? '' : `?${query}=***`}`;
        assert.match(pathShape(path), /^(another server: )?(\/(api|v1|apps|build|12|…)?)+(\?…)?$/);
      }),
    );
  });

  it('tells of a failure its kind, never its message', () => {
    const withCode = Object.assign(new TypeError('/home/ann'), { code: 'ENOENT' });
    withCode.stack =
      'TypeError: /home/ann\n    at x (/home/ann/.vscode/dist/later.cjs:1:234)\n    at ann (/x/y.js:1:2)';
    const strange = Object.assign(new Error('ann'), { name: 'ann@example.com', code: 'a b', stack: undefined });
    const kinds: readonly (readonly [unknown, string])[] = [
      [new ServiceError(403, 'ann may not'), 'service 403'],
      [NetworkError.timeout('headers', 'ann.example'), 'network timeout headers'],
      [new InvalidInputError(sentence('ann')), 'invalidInput'],
      [withCode, 'TypeError ENOENT at later.cjs:1:234'],
      [strange, 'Error'],
      ['ann', 'not an error'],
      [undefined, 'not an error'],
    ];
    for (const [error, kind] of kinds) {
      assert.equal(failureKind(error), kind);
    }
    const failure = { doing: 'Open ann’s app', error: new Error('ann'), time: NOW };
    assert.doesNotMatch(reportOf(failureTable([failure], NOW, ['appBuild.connect'])), /ann/);
  });

  it('tells what answers at the service in known words', () => {
    const said = { what: sentence('ann.example'), next: sentence('ann.example') };
    const redirect = new RedirectError('elsewhere', 'https://ann.example/api/v1/me');
    const service = parseServiceUrl('https://ann.example');
    const answers: readonly (readonly [ServiceProbe, string])[] = [
      [{ kind: 'service' }, 'a build service'],
      [{ ...said, kind: 'webPage', status: 200, title: 'Ann' }, 'a web page (status 200)'],
      [{ ...said, kind: 'somethingElse', status: 503 }, 'another service, or one that cannot answer (status 503)'],
      [{ ...said, kind: 'proxySignIn', status: 407 }, 'the proxy or the network asks for a sign-in (status 407)'],
      [{ ...said, kind: 'redirect', error: redirect, service: undefined }, 'redirect elsewhere'],
      [{ ...said, kind: 'redirect', error: redirect, service }, 'redirect elsewhere, to what may be a build service'],
      [
        { ...said, kind: 'certificate', error: new CertificateError('wrongHost', 'ann.example') },
        'certificate wrongHost',
      ],
      [{ ...said, kind: 'nothing', error: NetworkError.of('dns', 'ann.example') }, 'network dns'],
      [{ ...said, kind: 'nothing', error: new ProxyError('down', 'ann.example') }, 'proxy down'],
    ];
    for (const [answer, words] of answers) {
      assert.equal(answerText(answer), words);
    }
  });

  it('tells of a proxy its kind and whether it has a sign-in', () => {
    assert.equal(proxyKind({ url: 'socks5://ann.example:1080' }), 'socks5 proxy, without a sign-in');
    assert.equal(proxyKind({ url: 'https://ann@ann.example' }), 'https proxy, with a sign-in');
    assert.equal(proxyKind({ url: 'http://ann.example', authorization: 'Basic eDp5' }), 'http proxy, with a sign-in');
  });
});

describe('what identifies somebody', () => {
  const redactor = new Redactor();
  const token = 'sEcret+Access/Token=1';
  redactor.add(token);

  it('is hidden in a report that it has got into', () => {
    const identifying = [
      { text: 'build.example.com', kind: 'service' },
      { text: '/home/ann', kind: 'home' },
      { text: '/home/ann/secret project', kind: 'folder' },
      { text: 'ann (build.example.com)', kind: 'user' },
      { text: 'c1i3nt(id', kind: 'client' },
    ];
    const hidden = {
      'at build.example.com:8443': 'at <service>:8443',
      'at BUILD.example.com.': 'at <service>.',
      'in /home/ann/secret project/x': 'in <folder>/x',
      'ann (build.example.com)': '<user>',
      '| c1i3nt(id |': '| <client> |',
      'ftp://ann@host/x?y=z and more': '<address> and more',
      'ann.smith@example.com': '<e-mail>',
      'from 192.168.0.7, [fe80::1] and ::1': 'from <address>, [<address>] and <address>',
      [`token ${token}`]: 'token ***',
      'at 12:34:56, version 1.105.0, later.cjs:1:2, 1 entry': 'at 12:34:56, version 1.105.0, later.cjs:1:2, 1 entry',
    };
    for (const [text, expected] of Object.entries(hidden)) {
      assert.equal(anonymise(text, identifying, redactor), expected);
    }
  });

  it('leaves the report’s own words alone where somebody is called like them', () => {
    const identifying = [
      { text: 'android', kind: 'user' },
      { text: '1234', kind: 'client' },
      { text: '', kind: 'folder' },
    ];
    assert.equal(anonymise('/apps/1234/build/android', identifying, redactor), '/apps/1234/build/android');
  });

  it('is hidden whatever it consists of', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 5, maxLength: 20 })
      .filter((text) => text.trim().length > 4 && !/^([a-z]*|[\d.:]*)$/i.test(text));
    fc.assert(
      fc.property(name, (text) => {
        const hidden = anonymise(`| ${text} |`, [{ text, kind: 'user' }], new Redactor());
        assert.ok(!hidden.includes(text), hidden);
      }),
    );
  });
});
