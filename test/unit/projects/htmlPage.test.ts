import assert from 'node:assert/strict';

import fc from 'fast-check';

import { addressInPage, loadsSources, pathOfAddress, readPage } from '../../../src/projects/htmlPage.ts';
import { assertLinear } from '../../support/processorTime.ts';

/** As create-vite and create-vue make it. */
function vite(src: string, root = 'app'): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Vite + App</title>
  </head>
  <body>
    <div id="${root}"></div>
    <script type="module" src="${src}"></script>
  </body>
</html>
`;
}

const LIT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <title>Vite + Lit</title>
    <link rel="stylesheet" href="./src/index.css" />
    <script type="module" src="/src/my-element.js"></script>
  </head>
  <body>
    <my-element>
      <h1>Get started</h1>
    </my-element>
  </body>
</html>
`;

const CREATE_REACT_APP = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="%PUBLIC_URL%/favicon.ico" />
    <meta name="theme-color" content="#000000" />
    <link rel="apple-touch-icon" href="%PUBLIC_URL%/logo192.png" />
    <!--
      Notice the use of %PUBLIC_URL% in the tags above.
    -->
    <link rel="manifest" href="%PUBLIC_URL%/manifest.json" />
    <title>React App</title>
  </head>
  <body>
    <noscript>You need to enable JavaScript to run this app.</noscript>
    <div id="root"></div>
  </body>
</html>
`;

const CREATE_REACT_APP_BUILT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"/><link rel="icon" href="/favicon.ico"/>' +
  '<meta name="theme-color" content="#000000"/><link rel="apple-touch-icon" href="/logo192.png"/>' +
  '<link rel="manifest" href="/manifest.json"/><title>React App</title>' +
  '<script defer="defer" src="/static/js/main.8f1c4a3e.js"></script><link href="/static/css/main.f855e6bc.css" rel="stylesheet">' +
  '</head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>';

const ANGULAR = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>App</title>
  <base href="/">
  <link rel="icon" type="image/x-icon" href="favicon.ico">
</head>
<body>
  <app-root></app-root>
</body>
</html>
`;

const ANGULAR_BUILT = `<!doctype html>
<html lang="en" data-beasties-container>
<head>
  <meta charset="utf-8">
  <title>App</title>
  <base href="/">
<style>body{margin:0}</style><link rel="stylesheet" href="styles-5INURTSO.css" media="print" onload="this.media='all'"><noscript><link rel="stylesheet" href="styles-5INURTSO.css"></noscript></head>
<body>
  <app-root></app-root>
<link rel="modulepreload" href="chunk-4BQ6VZLK.js"><script src="polyfills-B6TNHZQ6.js" type="module"></script><script src="main-QZ5LRGKV.js" type="module"></script></body>
</html>
`;

const IONIC_ANGULAR = `<!DOCTYPE html>
<html lang="en">

<head>
  <meta charset="utf-8" />
  <title>Ionic App</title>

  <base href="/" />

  <meta name="color-scheme" content="light dark" />
  <link rel="icon" type="image/png" href="assets/icon/favicon.png" />
</head>

<body>
  <app-root></app-root>
  <noscript>Please enable JavaScript to continue using this application.</noscript>
</body>

</html>
`;

const SVELTEKIT = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		%sveltekit.head%
	</head>
	<body data-sveltekit-preload-data="hover">
		<div style="display: contents">%sveltekit.body%</div>
	</body>
</html>
`;

const VUE_CLI = `<!DOCTYPE html>
<html lang="">
  <head>
    <meta charset="utf-8">
    <link rel="icon" href="<%= BASE_URL %>favicon.ico">
    <title><%= htmlWebpackPlugin.options.title %></title>
  </head>
  <body>
    <noscript>
      <strong>We're sorry but <%= htmlWebpackPlugin.options.title %> doesn't work properly without JavaScript.</strong>
    </noscript>
    <div id="app"></div>
    <!-- built files will be auto injected -->
  </body>
</html>
`;

const WEBPACK = `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8"/>
    <title><%= htmlWebpackPlugin.options.title %></title>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`;

const CORDOVA = `<!DOCTYPE html>
<!-- Licensed to the Apache Software Foundation -->
<html>
    <head>
        <meta charset="utf-8">
        <!-- Customize this policy: <script src="/src/never.ts"></script> -->
        <meta http-equiv="Content-Security-Policy" content="default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval'; style-src 'self' 'unsafe-inline'; media-src *; img-src 'self' data: content:;">
        <link rel="stylesheet" href="css/index.css">
        <title>Hello World</title>
    </head>
    <body>
        <div class="app"><h1>Apache Cordova</h1></div>
        <script src="cordova.js"></script>
        <script src="js/index.js"></script>
    </body>
</html>
`;

const HTML5_BOILERPLATE = `<!doctype html>
<html class="no-js" lang="">

<head>
  <meta charset="utf-8">
  <title></title>
  <link rel="stylesheet" href="css/style.css">
  <meta property="og:title" content="">

  <link rel="icon" href="/favicon.ico" sizes="any">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="apple-touch-icon" href="icon.png">

  <link rel="manifest" href="site.webmanifest">
  <meta name="theme-color" content="#fafafa">
</head>

<body>
  <p>Hello world! This is HTML5 Boilerplate.</p>
  <script src="js/app.js"></script>
</body>

</html>
`;

/** What shows that a page is one of sources, when the files exist that the page loads. */
const SOURCES: Readonly<Record<string, readonly [html: string, kind: string | undefined, what?: string]>> = {
  'create-vite, react': [vite('/src/main.jsx', 'root'), 'file', '/src/main.jsx'],
  'create-vite, react-ts, preact-ts, qwik-ts': [vite('/src/main.tsx', 'root'), 'file', '/src/main.tsx'],
  'create-vite, vue-ts, svelte-ts, vanilla-ts': [vite('/src/main.ts'), 'file', '/src/main.ts'],
  'create-vite, solid-ts': [vite('/src/index.tsx', 'root'), 'file', '/src/index.tsx'],
  // Another part of the program knows that Vite is there.
  'create-vite, vanilla, vue, svelte': [vite('/src/main.js'), undefined],
  'create-vite, lit': [LIT, undefined],
  'create-vite, lit-ts': [LIT.replace('my-element.js', 'my-element.ts'), 'file', '/src/my-element.ts'],
  'create-vite, built': [vite('/assets/index-DVyLQnbz.js'), undefined],
  'ionic, react': [vite('/src/main.tsx', 'root'), 'file', '/src/main.tsx'],
  'create-react-app': [CREATE_REACT_APP, 'placeholder', '%PUBLIC_URL%'],
  'create-react-app, built': [CREATE_REACT_APP_BUILT, undefined],
  angular: [ANGULAR, 'element', '<app-root>'],
  'angular, built': [ANGULAR_BUILT, undefined],
  'angular, for cordova': [
    ANGULAR.replace('</body>', '<script src="cordova.js?v=1"></script></body>'),
    'element',
    '<app-root>',
  ],
  'ionic, angular': [IONIC_ANGULAR, 'element', '<app-root>'],
  sveltekit: [SVELTEKIT, 'placeholder', '%sveltekit.head%'],
  'sveltekit, older': [
    SVELTEKIT.replace('<meta name', '<link rel="icon" href="%sveltekit.assets%/favicon.png" /><meta name'),
    'placeholder',
    '%sveltekit.assets%',
  ],
  'vue-cli': [VUE_CLI, 'placeholder', '<%= BASE_URL %>'],
  'html-webpack-plugin': [WEBPACK, 'placeholder', '<%= htmlWebpackPlugin.options.title %>'],
  'an environment variable of Vite': ['<meta name="a" content="%VITE_NAME%"><p>b', 'placeholder', '%VITE_NAME%'],
  cordova: [CORDOVA, undefined],
  'html5-boilerplate': [HTML5_BOILERPLATE, undefined],
  'a plain page with src/': ['<p>a</p><script src="src/app.js"></script>', undefined],
  'parcel, with a folder': [
    '<div id=a></div><script type=module src=./app.ts?v=1#x></script>',
    'file',
    './app.ts?v=1#x',
  ],
  'a lone element of any name': ['<body>\n<my-app></my-app>\n</body>', 'element', '<my-app>'],
  'an element that shows something': ['<body><my-app><h1>Hello</h1></my-app>', undefined],
  'an element beside a text': ['<body>Hello <my-app></my-app>', undefined],
  'an element with a script in the page': [
    '<my-app></my-app><script>customElements.define("my-app", A)</script>',
    undefined,
  ],
  'an element of another server': ['<my-map></my-map><script src="https://example.com/map.js"></script>', undefined],
  'a page without any script': ['<title>A</title><h1>Hello</h1>', undefined],
  'an empty page': ['', undefined],
  'Babel in the page': ['<div id=a></div><script type="text/babel" src="app.jsx"></script>', undefined],
  'a script of another server': ['<script type=module src="https://example.com/src/a.ts"></script>', undefined],
  'for old browsers only': ['<p>a<script nomodule src="a.ts"></script>', undefined],
  'in a comment, a template, no script, a text': [
    '<!-- <script src=a.ts></script> --><template><script src=b.ts></script><template></template><img alt="%PUBLIC_URL%"></template>' +
      '<noscript><img src="%PUBLIC_URL%"></noscript><script>"<script src=c.ts>"</script><style><script src=d.ts></style>' +
      '<textarea><script src=e.ts></textarea><p>%PUBLIC_URL% <%= a %></p>',
    undefined,
  ],
};

describe('a page of sources', () => {
  for (const [what, [html, kind, found]] of Object.entries(SOURCES)) {
    it(`${what}: ${kind ?? 'is none'}`, () => {
      const mark = loadsSources(readPage(html), () => true);
      assert.deepEqual([mark?.kind, mark?.what], [kind, found]);
      // In a text of the head, it is the text.
      const tag = mark && html.slice(mark.span.start, mark.span.end).trim();
      assert.ok(tag === undefined || tag.startsWith('<') || tag === found);
    });
  }

  const SAME_FOLDER: readonly (readonly [src: string, path: string])[] = [
    ['/src/main.js', 'src/main.js'],
    ['src/my%20app.js?v=1', 'src/my app.js'],
    ['./src/main.js', 'src/main.js'],
    ['../src/main.js', 'src/main.js'],
  ];
  for (const [src, path] of SAME_FOLDER) {
    it(`a module ${src} is one when it is not there`, () => {
      const page = readPage(vite(src));
      assert.equal(page.sources[0]?.what, src);
      assert.equal(loadsSources(page, () => false)?.kind, 'folder');
      assert.equal(
        loadsSources(page, (each) => each === path),
        undefined,
      );
    });
  }

  it('is found behind a module that is there', () => {
    const page = readPage('<script type=module src=src/a.js></script><script type=module src=src/b.js></script>');
    assert.equal(loadsSources(page, (path) => path === 'src/a.js')?.what, 'src/b.js');
  });

  it('is looked for from where the page is', () => {
    const page = readPage('<script type=module src=src/a.js></script>');
    assert.equal(
      loadsSources(page, (path) => path === 'app/src/a.js', 'app/index.html'),
      undefined,
    );
  });
});

describe('a page', () => {
  it('says what it is called and looks like', () => {
    const page = readPage(HTML5_BOILERPLATE);
    assert.equal(page.title, undefined);
    assert.equal(page.manifest, 'site.webmanifest');
    assert.equal(page.themeColor, '#fafafa');
    assert.deepEqual(page.touchIcons, ['icon.png']);
    assert.deepEqual(page.icons, []);
    assert.equal(readPage(CREATE_REACT_APP_BUILT).title, 'React App');
    assert.deepEqual(readPage(IONIC_ANGULAR).icons, ['assets/icon/favicon.png']);
  });

  it('has a title with references, of its own', () => {
    const html =
      '<svg><title>Logo</title><style/></svg><TITLE lang=en>\n Fish &amp;\n Chips &#x2014; <b>\n</TITLE><title>B</title>';
    assert.equal(readPage(html).title, 'Fish & Chips — <b>');
    assert.equal(readPage(`<title>${'x'.repeat(1_000)}`).title?.length, 200);
    assert.equal(readPage('<p>a').title, undefined);
  });

  it('has icons', () => {
    const { touchIcons, icons } = readPage(
      '<link rel="apple-touch-icon" sizes="180x180" href="a.png"><link rel=apple-touch-icon-precomposed href=b.png>' +
        '<link rel="icon" type="image/png" sizes="32x32" href="c"><link rel="Shortcut Icon" href="d.PNG?v=1">' +
        '<link rel="icon" href="e.ico"><link rel="icon" type="image/svg+xml" href="f.png"><link rel="icon"><link rel="icon" href=" ">',
    );
    assert.deepEqual(touchIcons, ['a.png', 'b.png']);
    assert.deepEqual(icons, ['c', 'd.PNG?v=1']);
  });

  it('has a colour for a light theme', () => {
    const dark = '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#000">';
    assert.equal(
      readPage(`${dark}<meta name=Theme-Color content=" white "><meta name=theme-color content=red>`).themeColor,
      'white',
    );
    assert.equal(readPage(dark).themeColor, undefined);
  });

  it('has scripts, stylesheets, a base and policies, each with its place', () => {
    const html =
      '<base target="_blank"><BASE HREF=" /a/ "><base href="/b/">\n' +
      '<script src="a.js?x=1&amp;y=2" src="b.js" async></script><script type=" MODULE " src=\'c.js\' nonce=n integrity="sha256-a sha384-b"/></script>' +
      '<script type="text/javascript">1 < 2</script><script type="application/ld+json" src="d.json"></script><script src=""></script>' +
      '<link rel="preload stylesheet" href="e.css"><meta http-equiv="content-security-policy" content="default-src &#39;self&#39;">' +
      '<meta http-equiv="content-security-policy">';
    const { base, scripts, stylesheets, policies } = readPage(html);
    const written = ({ span }: { readonly span: { readonly start: number; readonly end: number } }): string =>
      html.slice(span.start, span.end);
    assert.deepEqual([base?.href, base && written(base)], ['/a/', '<BASE HREF=" /a/ ">']);
    assert.deepEqual(
      scripts.map(({ src, isModule, nonce, integrity }) => [src, isModule, nonce, integrity]),
      [
        ['a.js?x=1&y=2', false, undefined, undefined],
        ['c.js', true, 'n', 'sha256-a sha384-b'],
        [undefined, false, undefined, undefined],
      ],
    );
    assert.deepEqual(scripts.map(written).slice(0, 1), ['<script src="a.js?x=1&amp;y=2" src="b.js" async>']);
    assert.deepEqual(stylesheets.map(written), ['<link rel="preload stylesheet" href="e.css">']);
    assert.deepEqual(
      policies.map(({ content }) => content),
      ["default-src 'self'"],
    );
  });

  it('is read as far as it is sensible', () => {
    const filler = `<p>${'x'.repeat(1024 * 1024)}`;
    assert.equal(readPage(`<script src=a.js></script>${filler}<script src=b.js></script>`).scripts.length, 1);
  });

  const ADDRESSES: readonly (readonly [href: string, base: string | undefined, path: string | undefined])[] = [
    ['a.js', undefined, 'a.js'],
    ['/a.js?b#c', undefined, 'a.js'],
    ['./../a.js', undefined, 'a.js'],
    ['a.js', '/app/', 'app/a.js'],
    ['/a.js', '/app/', 'a.js'],
    ['a.js', '', 'a.js'],
    ['a.js', 'http://', 'a.js'],
    ['a.js', 'https://example.com/', undefined],
    ['https://localhost/a%20b.js', undefined, 'a b.js'],
    ['https://localhost:8080/a.js', undefined, undefined],
    ['http://localhost/a.js', undefined, undefined],
    ['//example.com/a.js', undefined, undefined],
    ['data:text/javascript,1', undefined, undefined],
    ['%zz.js', undefined, '%zz.js'],
    ['http://[', undefined, undefined],
  ];
  for (const [href, base, path] of ADDRESSES) {
    it(`${href} from ${base ?? 'no base'} is ${path ?? 'elsewhere'}`, () => {
      assert.equal(pathOfAddress(addressInPage(href, base)), path);
    });
  }
});

describe('any page', () => {
  const parts = fc.constantFrom(
    ...[
      '<script src=',
      '<script>',
      '</script>',
      '<template>',
      '</template>',
      '<noscript>',
      '</noscript>',
      '<svg>',
      '</svg/>',
    ],
    ...[
      '<title>',
      '</title>',
      '<!--',
      '-->',
      '<base href=',
      '<link rel=icon ',
      '<meta ',
      'content=',
      'type=module',
      '"',
      "'",
    ],
    ...[
      '>',
      '/>',
      '<',
      '&',
      '&amp;',
      '&#0;',
      ' ',
      '\n',
      '%PUBLIC_URL%',
      '<%=',
      '%>',
      '<app-root>',
      '/src/a.ts',
      '<![CDATA[',
    ],
  );
  const pages = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof({ weight: 9, arbitrary: parts }, fc.string()), { maxLength: 60 }).map((all) => all.join('')),
  );

  it('is read, and each place is in it', () => {
    fc.assert(
      fc.property(pages, (html) => {
        const page = readPage(html);
        loadsSources(page, () => false);
        for (const { span } of [...page.scripts, ...page.stylesheets, ...page.policies, ...page.sources]) {
          assert.ok(span.start >= 0 && span.start <= span.end && span.end <= html.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const PUMPS: readonly string[] = [
    ...[
      '<a>',
      '<',
      '</',
      '<a ',
      '<a b',
      '<script>',
      '<script src=a.ts></script>',
      '<template>',
      '</template>',
      '<svg>',
      '<x-y>',
    ],
    ...[
      '<title>',
      '&amp;',
      '&',
      '<!--',
      '<link rel="',
      '<meta content=%VITE_',
      '<a b="%VITE_a',
      '<a b="<%=',
      '%VITE_',
      '<%= ',
    ],
    ...['<a b=c d=e ', ' ', '\0', '<![CDATA[', '<base href=/a/>', '<script src=src/ type=module></script>'],
  ];
  for (const pump of PUMPS) {
    it(`of many ${JSON.stringify(pump)} takes four times as long when it is four times as long`, () => {
      const count = Math.ceil(400_000 / pump.length);
      assertLinear(pump, count, (size) => readPage(pump.repeat(Math.ceil(size))));
    });
  }
});
