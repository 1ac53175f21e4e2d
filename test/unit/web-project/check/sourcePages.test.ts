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
    assert.deepEqual(await told({ 'index.html': page, '_config.yml': '' }), expected);
    assert.deepEqual(await told({ 'index.html': `\uFEFF${page.replaceAll('\n', '\r\n')}` }), expected);
    for (const other of ['<p>A</p>\n---\n', '--- title\n<p>A</p>', '<!-- --- -->\n<p>A</p>', '----\n<p>A</p>']) {
      assert.deepEqual(await told({ 'index.html': other }), []);
    }
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
