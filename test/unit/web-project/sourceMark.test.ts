import assert from 'node:assert/strict';

import { loadsSources, readPage } from '../../../src/web-project/htmlPage.ts';
import { starterPage } from '../../support/starterPages.ts';

/** Returns a page as create-vite and create-vue generate it. */
function vite(src: string, root = 'app'): string {
  return starterPage('vite').replace('{{script}}', src).replace('{{root}}', root);
}

/** Pages with the element that marks them as sources, if the files they load exist. */
const SOURCES: Readonly<Record<string, readonly [html: string, kind: string | undefined, what?: string]>> = {
  'create-vite, react-ts, preact-ts, qwik-ts': [vite('/src/main.tsx', 'root'), 'file', '/src/main.tsx'],
  'create-vite, vue-ts, svelte-ts, vanilla-ts': [vite('/src/main.ts'), 'file', '/src/main.ts'],
  // Another part of the program detects Vite.
  'create-vite, vanilla, vue, svelte': [vite('/src/main.js'), undefined],
  'create-vite, lit': [starterPage('lit'), undefined],
  'create-vite, lit-ts': [starterPage('lit').replace('my-element.js', 'my-element.ts'), 'file', '/src/my-element.ts'],
  'create-vite, built': [vite('/assets/index-DVyLQnbz.js'), undefined],
  'create-react-app': [starterPage('createReactApp'), 'placeholder', '%PUBLIC_URL%'],
  'create-react-app, built': [starterPage('createReactAppBuilt'), undefined],
  angular: [starterPage('angular'), 'element', '<app-root>'],
  'angular, built': [starterPage('angularBuilt'), undefined],
  'angular, for cordova': [
    starterPage('angular').replace('</body>', '<script src="cordova.js?v=1"></script></body>'),
    'element',
    '<app-root>',
  ],
  'ionic, angular': [starterPage('ionicAngular'), 'element', '<app-root>'],
  sveltekit: [starterPage('sveltekit'), 'placeholder', '%sveltekit.head%'],
  'sveltekit, older': [
    starterPage('sveltekit').replace(
      '<meta name',
      '<link rel="icon" href="%sveltekit.assets%/favicon.png" /><meta name',
    ),
    'placeholder',
    '%sveltekit.assets%',
  ],
  'vue-cli': [starterPage('vueCli'), 'placeholder', '<%= BASE_URL %>'],
  'html-webpack-plugin': [starterPage('webpack'), 'placeholder', '<%= htmlWebpackPlugin.options.title %>'],
  'an environment variable of Vite': ['<meta name="a" content="%VITE_NAME%"><p>b', 'placeholder', '%VITE_NAME%'],
  cordova: [starterPage('cordova'), undefined],
  'html5-boilerplate': [starterPage('html5Boilerplate'), undefined],
  'a plain page with src/': ['<p>a</p><script src="src/app.js"></script>', undefined],
  'parcel, with a folder': [
    '<div id=a></div><script type=module src=./app.ts?v=1#x></script>',
    'file',
    './app.ts?v=1#x',
  ],
  'a lone element of any name': ['<body>\n<my-app></my-app>\n</body>', 'element', '<my-app>'],
  'an element with visible content': ['<body><my-app><h1>Hello</h1></my-app>', undefined],
  'an element beside a text': ['<body>Hello <my-app></my-app>', undefined],
  'an element with a script in the page': [
    '<my-app></my-app><script>customElements.define("my-app", A)</script>',
    undefined,
  ],
  'an element from another server': ['<my-map></my-map><script src="https://example.com/map.js"></script>', undefined],
  'a page without any script': ['<title>A</title><h1>Hello</h1>', undefined],
  'an empty page': ['', undefined],
  'Babel in the page': ['<div id=a></div><script type="text/babel" src="app.jsx"></script>', undefined],
  'a script from another server': ['<script type=module src="https://example.com/src/a.ts"></script>', undefined],
  'a script for old browsers only': ['<p>a<script nomodule src="a.ts"></script>', undefined],
  'a mark in a comment, a template, a noscript element, or a text': [
    '<!-- <script src=a.ts></script> --><template><script src=b.ts></script><template></template><img alt="%PUBLIC_URL%"></template>' +
      '<noscript><img src="%PUBLIC_URL%"></noscript><script>"<script src=c.ts>"</script><style><script src=d.ts></style>' +
      '<textarea><script src=e.ts></textarea><p>%PUBLIC_URL% <%= a %></p>',
    undefined,
  ],
};

describe('the search for source pages', () => {
  for (const [what, [html, kind, found]] of Object.entries(SOURCES)) {
    it(`recognizes the mark “${kind ?? 'none'}”: ${what}`, () => {
      const mark = loadsSources(readPage(html), () => true);
      assert.deepEqual([mark?.kind, mark?.what], [kind, found]);
      // If the mark is a string in the head, it's that string.
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
    it(`recognizes a source page by the missing module ${src}`, () => {
      const page = readPage(vite(src));
      assert.equal(page.sources[0]?.what, src);
      assert.equal(loadsSources(page, () => false)?.kind, 'folder');
      assert.equal(
        loadsSources(page, (each) => each === path),
        undefined,
      );
    });
  }

  it('recognizes a source page by a missing module after an existing one', () => {
    const page = readPage('<script type=module src=src/a.js></script><script type=module src=src/b.js></script>');
    assert.equal(loadsSources(page, (path) => path === 'src/a.js')?.what, 'src/b.js');
  });

  it('searches relative to the page’s folder', () => {
    const page = readPage('<script type=module src=src/a.js></script>');
    assert.equal(
      loadsSources(page, (path) => path === 'app/src/a.js', 'app/index.html'),
      undefined,
    );
  });
});
