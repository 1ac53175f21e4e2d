import assert from 'node:assert/strict';
import path from 'node:path';

import { formatSentence } from '../../../../src/errors/index.ts';
import { findBuildStep } from '../../../../src/web-project/buildStep.ts';
import { getPackagePath } from '../../../../src/web-project/projectLayout.ts';
import { PackingError } from '../../../../src/web-project/packing/packingError.ts';
import { withLine } from '../../../../src/web-project/packing/ignoreRules.ts';
import { findWebProjects, projectFolder } from '../../../../src/web-project/projectSearch.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { addFiles, fileUri, getPaths, getReasons, plan, type Files } from '../../../support/packing.ts';

const PAGE = '<!doctype html><script src="main.js"></script>';

/** Returns a project.json in the format of Nx's generators. */
const nxProject = (executor: string, options: object = {}, projectType = 'application'): string =>
  JSON.stringify({ name: 'cart', projectType, targets: { build: { executor, options } } });

describe('a project in an Nx workspace', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Describes each project as `path kind pages state`, with the command that builds it. */
  async function search(files: Files): Promise<string> {
    await addFiles(folder, { 'nx.json': '{}', 'package.json': '{"devDependencies":{"@rsbuild/core":"1"}}', ...files });
    const found = await findWebProjects(fileUri(folder));
    const lines = found.map(async (project) => {
      const step = await findBuildStep(projectFolder(project), project.layout.kind);
      const { kind, pages, state } = project.layout;
      return `${project.path} ${kind} ${pages} ${state.kind} ${step?.command ?? '-'}`;
    });
    return (await Promise.all(lines)).join('; ');
  }

  const cases: readonly (readonly [title: string, files: Files, expected: string])[] = [
    [
      'the output path of its target',
      { 'apps/cart/project.json': nxProject('@nx/webpack:webpack', { outputPath: 'dist/apps/cart' }) },
      'apps/cart nx ../../dist/apps/cart notBuilt npx nx build cart',
    ],
    [
      'the browser folder of Angular’s application builder',
      {
        'apps/cart/project.json': nxProject('@angular/build:application', { outputPath: 'dist/apps/cart' }),
        'dist/apps/cart/browser/index.html': PAGE,
      },
      'apps/cart nx ../../dist/apps/cart/browser built npx nx build cart',
    ],
    [
      'dist and the path of the project by default',
      { 'apps/cart/project.json': nxProject('@nx/vite:build'), 'dist/apps/cart/index.html': PAGE },
      'apps/cart nx ../../dist/apps/cart built npx nx build cart',
    ],
    [
      'the default of the workspace',
      {
        'nx.json': '{"targetDefaults":{"build":{"options":{"outputPath":"{workspaceRoot}/out/{projectName}"}}}}',
        'pnpm-lock.yaml': '',
        'apps/cart/project.json': nxProject('@nx/vite:build'),
      },
      'apps/cart nx ../../out/cart notBuilt pnpm exec nx build cart',
    ],
    [
      'the folder that its Vite configuration names beside the project',
      { 'apps/cart/vite.config.ts': `export default { build: { outDir: '../../dist/apps/cart' } }` },
      'apps/cart vite ../../dist/apps/cart notBuilt -',
    ],
    [
      'no folder that contains the project',
      { 'apps/cart/vite.config.ts': `export default { build: { outDir: '../../apps' } }` },
      'apps/cart vite  none -',
    ],
    [
      'nothing for libraries and servers',
      {
        'libs/ui/project.json': nxProject('@nx/vite:build', {}, 'library'),
        'apps/api/project.json': nxProject('@nx/webpack:webpack', { target: 'node' }),
        'apps/cart/project.json': nxProject('@nx/vite:build'),
      },
      'apps/cart nx ../../dist/apps/cart notBuilt npx nx build cart',
    ],
  ];
  for (const [title, files, expected] of cases) {
    it(`has ${title}`, async () => assert.equal(await search(files), expected));
  }

  it('isn’t built by a command with a name that a shell would interpret', async () => {
    const json = nxProject('@nx/vite:build').replace('"cart"', '"cart; rm -r x"');
    assert.equal(await search({ 'apps/a/project.json': json }), 'apps/a nx ../../dist/apps/a notBuilt -');
  });
});

describe('pages beside their project', () => {
  const files: Files = {
    '.gitignore': 'dist\n',
    'apps/mobile/capacitor.config.ts': `export default { appId: 'a.b', webDir: '../../dist/apps/mobile' }`,
    'apps/mobile/src/main.ts': '',
    'dist/apps/mobile/index.html': PAGE,
    'dist/apps/mobile/main.js': '',
    'dist/apps/mobile/assets/large.png': '',
    'dist/apps/other/index.html': PAGE,
  };
  let folder: string;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, files);
  });

  it('are the project’s only pages in the package', async () => {
    const [found, ...others] = await findWebProjects(fileUri(folder));
    assert.deepEqual([found?.path, found?.layout.pages, others.length], ['apps/mobile', '../../dist/apps/mobile', 0]);
    const sent = await plan(folder, 'apps/mobile');
    assert.deepEqual(
      sent.files.map((file) => [getPackagePath(sent.layout, file.path), path.relative(folder, file.uri.fsPath)]),
      [
        ['www/assets/large.png', path.join('dist', 'apps', 'mobile', 'assets', 'large.png')],
        ['www/index.html', path.join('dist', 'apps', 'mobile', 'index.html')],
        ['www/main.js', path.join('dist', 'apps', 'mobile', 'main.js')],
      ],
    );
  });

  it('can be left out with a line in .appbuildignore', async () => {
    const left = { path: '../../dist/apps/mobile/assets', isFolder: true };
    const text = withLine('', left);
    assert.equal(withLine(text, { path: 'a', isFolder: false }), `${text}/a\n`);
    await addFiles(folder, { 'apps/mobile/.appbuildignore': text });
    const sent = await plan(folder, 'apps/mobile');
    assert.deepEqual(getPaths(sent), ['../../dist/apps/mobile/index.html', '../../dist/apps/mobile/main.js']);
    assert.equal(getReasons(sent)['../../dist/apps/mobile/assets/'], `.appbuildignore: ${text.trim()}`);
  });

  it('are explained if the opened folder doesn’t contain them', async () => {
    const inner = path.join(folder, 'apps/mobile');
    const [found] = await findWebProjects(fileUri(inner));
    assert.equal(found?.layout.state.kind, 'none');
    await assert.rejects(plan(inner), (error) => {
      assert.ok(error instanceof PackingError);
      assert.match(error.message, /\.\.\/\.\.\/dist\/apps\/mobile, which is outside the folder of this file/);
      assert.equal(
        error.next && formatSentence(error.next),
        'Open the folder that contains both, or change capacitor.config.ts.',
      );
      return true;
    });
  });
});
