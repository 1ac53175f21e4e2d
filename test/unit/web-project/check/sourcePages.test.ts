import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import { PackingError } from '../../../../src/web-project/packing/packingError.ts';
import { checkStartPage } from '../../../../src/web-project/check/pageCheck.ts';
import { inFolder } from '../../../support/folderChecks.ts';
import { getPaths, type Files } from '../../../support/packing.ts';

/**
 * Returns the findings in a folder's first page, each with its line from 1, or the reason why the folder has no page to send.
 */
async function told(files: Files): Promise<readonly string[]> {
  try {
    return await inFolder(files, async ({ project, sent }) =>
      (await checkStartPage(project, sent, undefined)).map(
        ({ code, verdict, message, location }) =>
          `${code} ${verdict} ${(location?.start?.line ?? -1) + 1}: ${formatSentence(message)}`,
      ),
    );
  } catch (error) {
    assert.ok(error instanceof PackingError);
    const { code, location, what, next } = error;
    return [
      `${code} ${location?.line ?? 0}: ${formatSentence(what)} ${next === undefined ? '' : formatSentence(next)}`,
    ];
  }
}

const MODULE = '<!doctype html>\n<script type="module" src="js/app.js"></script>';

describe('the check for source pages', () => {
  it('recognizes front matter', async () => {
    const page =
      '---\nlayout: default\n---\n<ul>{% for post in site.posts %}<li>{{ post.title }}</li>{% endfor %}</ul>';
    const expected = [
      'sourcePage 1: index.html begins with “---”, so it’s a template for a site generator such as Jekyll, Eleventy, or Hugo. ' +
        'Run the app’s build tool first.',
    ];
    assert.deepEqual(await told({ 'index.html': page, 'readme.md': '' }), expected);
    assert.deepEqual(await told({ 'index.html': `\uFEFF${page.replaceAll('\n', '\r\n')}` }), expected);
    for (const other of ['<p>A</p>\n---\n', '--- title\n<p>A</p>', '<!-- --- -->\n<p>A</p>', '----\n<p>A</p>']) {
      assert.deepEqual(await told({ 'index.html': other }), []);
    }
  });

  it('names the tool, its build, and the folder of the built pages', async () => {
    const shadow = '{:builds {:app {:target :browser :output-dir "resources/public/js"}}}';
    const rows: readonly (readonly [files: Files, expected: string])[] = [
      [
        { 'index.html': '---\n---\n{{ content }}', '_config.yml': '' },
        'notBuilt 0: The pages haven’t been built yet: _site has no index.html. ' +
          'Build the Jekyll app first: “bundle exec jekyll build”. Its pages are then in _site.',
      ],
      [
        { 'shadow-cljs.edn': shadow, 'resources/public/index.html': '<div id=app></div>' },
        'sourcePage 1: resources/public/index.html loads resources/public/js, which isn’t in the app. A build tool has to build ' +
          'the page first. Build the ClojureScript app first: “npx shadow-cljs release app”. Its pages are then in resources/public.',
      ],
      [
        { 'elm.json': '{"type":"application"}', 'index.html': '<script src="elm.js"></script>' },
        'sourcePage 1: index.html loads elm.js, which isn’t in the app. A build tool has to build the page first. ' +
          'Build the Elm app first: “elm make src/Main.elm --optimize --output=elm.js”.',
      ],
      [
        { 'package.json': '{"dependencies":{"@nativescript/core":"8"}}', 'webpack.config.js': '' },
        'notBuilt 0: NativeScript apps have no web pages, so App Build can’t build them. ' +
          'Build the app with its own tool: “ns build android”.',
      ],
      [
        {
          'package.json': '{"scripts":{"build":"vite build"}}',
          'vite.config.js': 'export default {}',
          'dist/index.html': '<title>A</title>',
        },
        'notBuilt 0: The pages haven’t been built yet: dist/index.html has no content. Run “npm run build” first.',
      ],
    ];
    for (const [files, expected] of rows) {
      assert.deepEqual(await told(files), [expected]);
    }
  });

  it('sends what a tool builds, although Git ignores it', async () => {
    const flutter = {
      '.gitignore': '/build/\n',
      'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n',
      'web/index.html': '<script src="flutter_bootstrap.js"></script>',
      'build/web/index.html': '<script src="flutter_bootstrap.js"></script>',
      'build/web/flutter_bootstrap.js': '',
    };
    assert.deepEqual(await inFolder(flutter, ({ sent }) => getPaths(sent)), [
      'build/web/flutter_bootstrap.js',
      'build/web/index.html',
    ]);
    const elm = { '.gitignore': 'elm.js\n', 'elm.json': '{"type":"application"}', 'elm.js': '' };
    const sent = await inFolder({ ...elm, 'index.html': '<script src="elm.js"></script>' }, (each) =>
      getPaths(each.sent),
    );
    assert.ok(sent.includes('elm.js'), sent.join());
  });

  it('names the tool that creates a missing script', async () => {
    const next = (src: string): Promise<string | undefined> =>
      inFolder({ 'index.html': `<script src="${src}"></script>` }, async ({ project, sent }) => {
        const [finding] = await checkStartPage(project, sent, undefined);
        assert.equal(finding?.verdict, 'fails');
        return finding.next && formatSentence(finding.next);
      });
    assert.equal(
      await next('_framework/blazor.webassembly.js'),
      'Build the Blazor app first: “dotnet publish -c Release”.',
    );
    assert.equal(await next('flutter.js'), 'Build the Flutter app first: “flutter build web”.');
    assert.equal(await next('dojo/dojo.js'), 'Build the Dojo app first: “./build.sh”.');
    assert.match((await next('dist/elm.min.js')) ?? '', /Elm/);
    assert.equal(await next('app.js'), 'Add the file, or remove the script from the page.');
  });

  it('ignores a template once its built pages exist', async () => {
    const files = {
      '.gitignore': '_site\n',
      'index.html': '---\n---\n{{ content }}',
      '_site/index.html': '<!doctype html><p>Page</p>',
      '_site/a.css': '',
    };
    assert.deepEqual(await inFolder(files, ({ sent }) => getPaths(sent)), ['_site/a.css', '_site/index.html']);
  });

  it('recognizes modules that import packages by name', async () => {
    const message = (name: string): string =>
      `index.html loads a module that imports “${name}” by name, which only a build tool can find, so the app would be blank.`;
    for (const code of [
      "import '@polymer/app-layout/app-layout.js';",
      "import { LitElement,\n  html } from '@polymer/app-layout/app-layout.js';",
      "/* */ import './a.js'; export * from '@polymer/app-layout/app-layout.js';",
    ]) {
      assert.deepEqual(await told({ 'index.html': MODULE, 'js/app.js': code, 'js/a.js': '' }), [
        `sourcePage fails 2: ${message('@polymer/app-layout/app-layout.js')}`,
      ]);
    }
    for (const end of ['</script>', '</SCRIPT >']) {
      assert.deepEqual(
        await told({ 'index.html': `<p>A</p>\n<script type=module>import a from "lit"${end}\n<p>B</p>` }),
        [`sourcePage fails 2: ${message('lit')}`],
      );
    }
  });

  it('accepts pages whose imports a browser can resolve', async () => {
    for (const code of [
      "import './a.js'; import '/js/a.js'; import x from '../js/a.js'; import y from 'https://example.com/y.js';",
      "// import 'lit'\nconst help = `\nimport 'lit'\n`; const from = \"import 'lit'\";",
      "const later = () => import('lit');",
      "f({ import: 'lit' }); function g() { return { from: 'lit' } }",
    ]) {
      assert.deepEqual(await told({ 'index.html': MODULE, 'js/app.js': code, 'js/a.js': '' }), [], code.slice(0, 50));
    }
    const code = { 'js/app.js': "import 'lit'" };
    const map = '<script type="importmap">{"imports": {"lit": "./lit.js"}}</script>';
    assert.deepEqual(await told({ 'index.html': map + MODULE, ...code }), []);
    assert.deepEqual(await told({ 'index.html': '<script src="js/app.js"></script>', ...code }), []);
  });
});
