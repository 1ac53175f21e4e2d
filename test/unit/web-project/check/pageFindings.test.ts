import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import type { ProjectFinding } from '../../../../src/web-project/check/projectFinding.ts';
import { readPage } from '../../../../src/web-project/htmlPage.ts';
import { pageFindings } from '../../../../src/web-project/check/pageFindings.ts';

function check(html: string, files: readonly string[] = [], pagePath?: string): readonly ProjectFinding[] {
  return pageFindings({
    page: readPage(html),
    html,
    path: 'www/index.html',
    has: (path) => files.includes(path),
    reasonAgainst: () => undefined,
    ...(pagePath !== undefined && { pagePath }),
  });
}

/** Describes each finding as `code verdict: message`. */
function told(...checked: Parameters<typeof check>): readonly string[] {
  return check(...checked).map(({ code, verdict, message }) => `${code} ${verdict}: ${formatSentence(message)}`);
}

const script = (src: string, attributes = ''): string => `<script src="${src}"${attributes}></script>`;
const MODULE = ' type="module"';
const policy = (content: string, rest = script('a.js')): string =>
  `<meta http-equiv="Content-Security-Policy" content="${content}">${rest}`;

const source = (what: string): string => `sourcePage fails: www/index.html ${what}`;
const missing = (src: string, verdict = 'fails'): string =>
  `missingScript ${verdict}: www/index.html loads ${src}, which isn’t in the app.`;
const remote = (address: string): string =>
  `remoteCode mayFail: www/index.html loads ${address} from another server, so it isn’t available offline.`;
const base = (href: string): string =>
  `baseHref fails: The base URL ${href} in www/index.html points outside the app’s files.`;
const numbered = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_row, index) => make(index));

type Row = readonly [what: string, html: string, files: readonly string[], finds: readonly string[], pagePath?: string];
const ROWS: readonly Row[] = [
  [
    'a page that works',
    `<base href="/"><link rel=stylesheet href=a.css>${script('a.js')}${script('/b/c.js?v=1', MODULE)}`,
    ['a.js', 'b/c.js'],
    [],
  ],
  [
    "Cordova's page, with scripts that a service adds",
    policy(
      "default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval'; style-src 'self' 'unsafe-inline'; media-src *",
      ['cordova.js', '../phonegap.js', 'cordova_plugins.js', '/capacitor.js', 'js/index.js']
        .map((src) => script(src))
        .join(''),
    ),
    ['js/index.js'],
    [],
  ],
  ['a page without a script', '<h1>Hello</h1>', [], []],
  [
    'a tool’s source page before other problems',
    `<base href="/app/">${script('/src/main.ts', MODULE)}${script('https://example.com/a.js')}`,
    ['src/main.ts'],
    [source('loads source code (/src/main.ts), so the app would be blank.')],
  ],
  ['an existing module in src/', script('/src/main.js', MODULE), ['src/main.js'], []],
  [
    'a base in another folder, reported once',
    `<base href="/app/">${script('main.js', MODULE)}`,
    ['main.js'],
    [base('/app/')],
  ],
  [
    'a base on another server',
    `<base href="https://example.com/">${script('main.js', MODULE)}`,
    ['main.js'],
    [base('https://example.com/')],
  ],
  ['a base that is the page’s folder', `<base href="./">${script('main.js')}`, ['app/main.js'], [], 'app/index.html'],
  [
    'two classic scripts, one of which is missing',
    script('a.js') + script('lib/b.js'),
    ['a.js'],
    [missing('lib/b.js', 'mayFail')],
  ],
  ['a missing script beside an inline script', `${script('a.js')}<script>start()</script>`, [], [missing('a.js')]],
  ['a missing module', script('a.js') + script('b.js', MODULE), ['a.js'], [missing('b.js')]],
  [
    'a page built for another folder',
    script('/repo/assets/index-1.js', MODULE),
    ['assets/index-1.js'],
    [
      'missingScript fails: www/index.html loads /repo/assets/index-1.js, but the app has this file as assets/index-1.js. ' +
        'The page was built for another address.',
    ],
  ],
  [
    'code from other servers',
    '<link rel="stylesheet" href="//fonts.example.com/css?family=A&amp;b"><link rel=preconnect href="https://a.example.com">' +
      [
        'http://example.com/lib.js',
        'https://localhost:8080/b.js',
        'http://localhost/b.js',
        'data:text/javascript,1',
        'a.js',
      ]
        .map((src) => script(src))
        .join(''),
    ['a.js'],
    [
      remote('https://fonts.example.com/css?family=A&b'),
      remote('http://example.com/lib.js'),
      remote('https://localhost:8080/b.js'),
      remote('http://localhost/b.js'),
    ],
  ],
  [
    'many missing scripts, ending with a module',
    script('there.js') + numbered(6, (index) => script(`${index}.js`, index === 5 ? MODULE : '')).join(''),
    ['there.js'],
    [
      ...numbered(5, (index) => missing(`${index}.js`, 'mayFail')),
      'missingScript fails: More scripts that www/index.html loads aren’t in the app: 1',
    ],
  ],
  [
    'many files from other servers',
    numbered(7, (index) => script(`https://example.com/${index}.js`)).join(''),
    [],
    [
      ...numbered(5, (index) => remote(`https://example.com/${index}.js`)),
      'remoteCode mayFail: More files that www/index.html loads come from other servers: 2',
    ],
  ],
  [
    'a policy that forbids the page’s scripts',
    policy("default-src 'none'; style-src 'self'", script('https://example.com/b.js') + script('a.js')),
    ['a.js'],
    [
      remote('https://example.com/b.js'),
      'contentPolicy fails: The Content-Security-Policy of www/index.html forbids its own script a.js.',
    ],
  ],
];

describe('the check of a page', () => {
  for (const [what, html, files, finds, pagePath] of ROWS) {
    it(`checks ${what}`, () => {
      assert.deepEqual(told(html, files, pagePath), finds);
    });
  }

  it('accepts a base that leads to the pages', () => {
    for (const href of ['/', './', '', '#', 'index.html', 'https://localhost', '../', 'http://']) {
      assert.deepEqual(told(`<base href="${href}">${script('a.js')}`, ['a.js']), [], href);
    }
  });

  it('reports a position and a remedy', () => {
    const html = '<!doctype html>\r\n<base href="/app/">\n\n  <script src=a.js></script>';
    const [base] = check(html);
    assert.deepEqual(base?.location, {
      path: 'www/index.html',
      start: { line: 1, character: 0 },
      end: { line: 1, character: 19 },
    });
    assert.equal(
      base.next && formatSentence(base.next),
      "Build the app with the base /: --base-href / in Angular, base: '/' in Vite’s configuration.",
    );
    const [missing] = check(html.replace('/app/', '/'));
    assert.deepEqual(missing?.location?.start, { line: 3, character: 2 });
    assert.equal(missing.next && formatSentence(missing.next), 'Add the file, or remove the script from the page.');
    const [source] = check(script('main.tsx'));
    assert.equal(
      source?.next && formatSentence(source.next),
      'Build the project first, for example with npm run build, and use the folder that it writes, often dist.',
    );
  });

  it('accepts a policy that allows the page’s scripts', () => {
    for (const content of [
      "SCRIPT-SRC 'SELF'",
      "default-src * 'unsafe-inline' gap:",
      'script-src https:',
      'script-src localhost',
      'script-src http://localhost:*/',
      'script-src https://*:*',
      "script-src 'none'; script-src-elem 'self'",
      "img-src 'none'",
      ';;',
      "script-src 'nonce-n1'",
      "script-src 'strict-dynamic' 'nonce-n1'",
      "script-src 'sha256-h1'",
      'script-src /a.js *',
      "default-src 'self'; default-src 'none'",
      'script-src https://localhost/a.js',
    ]) {
      const html = policy(content, script('a.js', ' nonce="n1" integrity="sha384-h0 sha256-h1"'));
      assert.deepEqual(told(html, ['a.js']), [], content);
    }
  });

  const FORBIDDEN: Readonly<Record<string, string>> = {
    "default-src 'none'": 'default-src',
    'default-src': 'default-src',
    "default-src 'self'; script-src 'unsafe-inline'": 'script-src',
    "script-src 'self'; script-src-elem https://example.com": 'script-src-elem',
    'script-src http://localhost.example.com': 'script-src',
    'script-src https://localhost/js/ data: blob:': 'script-src',
    "script-src 'strict-dynamic' 'self' 'nonce-other' 'sha256-other'": 'script-src',
    'script-src self': 'script-src',
  };
  it('reports a policy that forbids one of the page’s scripts', () => {
    for (const [content, directive] of Object.entries(FORBIDDEN)) {
      const found = check(policy(content, script('a.js', ' nonce="n1"')), ['a.js']);
      assert.deepEqual(
        found.map(({ code, next }) => [code, next && formatSentence(next)]),
        [['contentPolicy', `Add 'self' to its ${directive}.`]],
        content,
      );
      assert.deepEqual(told(policy(content, '<script>1</script>')), [], content);
    }
  });
});
