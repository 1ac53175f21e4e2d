import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';

import fc from 'fast-check';

import { formatSentence } from '../../src/errors/sentence.ts';
import { DiskTree, ProjectFolder } from '../../src/web-project/projectFolder.ts';
import { planPackage } from '../../src/web-project/packing/folderPlan.ts';
import { PackingError } from '../../src/web-project/packing/packingError.ts';
import { checkProjectConfig } from '../../src/web-project/check/configCheck.ts';
import { getPackagePath } from '../../src/web-project/projectLayout.ts';
import { findWebProjects } from '../../src/web-project/projectSearch.ts';
import { parseConfig } from '../../src/android-package/config/packageConfig.ts';
import { chooseWebRoot } from '../../src/android-package/config/appFiles.ts';
import { addFiles, fileUri, createFolder, KNOWN_APP } from '../support/packing.ts';
import { builtFiles, PROJECTS } from '../support/webProjects.ts';
import { holds, words } from './property.ts';

/** Any JSON with the names that the readers look for. */
const name = fc.constantFrom(
  ...words('name version author scripts build dependencies vite next @capacitor/app projects app plugins SplashScreen'),
  ...words(
    'projectType application architect options outputPath base browser webDir appId appName short_name start_url',
  ),
  ...words('display theme_color icons src orientation server androidScheme hostname __proto__ constructor email url'),
);
const text = fc.oneof(
  name,
  fc.constantFrom(
    ...words('dist www https://a.example/b?c com.a-b.c ../.. / . C:\\a a/../../b index.html #fff red https://a.b/c'),
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(name, fc.string({ maxLength: 8 })), tie('json'), { maxKeys: 6 }),
}));
const anyJson = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  text,
);

/** A configuration in JavaScript, complete or cut off. */
const script = fc
  .tuple(
    fc.constantFrom(
      ...[
        'export default ',
        'module.exports = ',
        'const c = ',
        'export default defineConfig(',
        'export default (() => (',
      ],
    ),
    anyJson,
    fc.constantFrom('', ';', ')', '))', '; export default c', ' as const', ' satisfies X'),
    fc.nat(200),
  )
  .map(([head, value, tail, end]) => (end < 100 ? (head + value + tail).slice(0, end) : head + value + tail));

const html = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['<!doctype html>', '<base href="/a/">', '<script src="/src/main.ts" type="module"></script>', '<app-root>'],
        ...['<link rel="manifest" href="app.json">', '<title>', '</title>', '<!--', '%PUBLIC_URL%', '<p>A'],
        '<meta name="theme-color" content="',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const config = fc.oneof(fc.constant('<widget id="a.b" version="1.0.0"><name>A</name></widget>'), text);

/** Possible files of a folder, including those that identify its kind. */
const anyFolder: fc.Arbitrary<Record<string, string>> = fc
  .record({ json: anyJson, script, html, config, ignored: text, left: fc.nat() })
  .map(({ json: said, script: code, html: page, config: xml, ignored, left }) => {
    const files = {
      ...Object.fromEntries(
        words('package.json angular.json capacitor.config.json dist/app.json').map((file) => [file, said]),
      ),
      ...Object.fromEntries(
        words('capacitor.config.ts vite.config.ts next.config.js svelte.config.js').map((file) => [file, code]),
      ),
      ...Object.fromEntries(words('index.html www/index.html dist/index.html').map((file) => [file, page])),
      ...Object.fromEntries(words('config.xml src-cordova/config.xml').map((file) => [file, xml])),
      '.gitignore': ignored,
    };
    // Each bit of `left` keeps or drops a file.
    return Object.fromEntries(Object.entries(files).filter((_, index) => (left >> index) % 2 === 0));
  });

/** A folder of a known kind in which one file has any content. */
const changedProject = fc
  .tuple(fc.constantFrom(...PROJECTS), fc.nat(), fc.oneof(anyJson, script, html))
  .map(([project, index, said]) => {
    const files = builtFiles(project);
    const names = Object.keys(files);
    return { ...files, [names[index % names.length] ?? '']: said };
  });

describe('web projects', () => {
  holds(
    'finds a project, or reports the problem in a sentence, whatever the files contain',
    fc.oneof(anyFolder, changedProject),
    async (given) => {
      const { folder } = await createFolder({});
      try {
        await addFiles(folder, given);
        const tree = new DiskTree(folder);
        for (const project of await findWebProjects(fileUri(folder))) {
          await checkProject(tree, project);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    10,
  );
});

/** Checks that a project is planned as the service will read it, or rejected with a sentence. */
async function checkProject(
  tree: DiskTree,
  project: Awaited<ReturnType<typeof findWebProjects>>[number],
): Promise<void> {
  const plan = await planPackage(project, { known: KNOWN_APP }, new ProjectFolder(tree, project.path)).catch(
    (error: unknown) => {
      assert.ok(error instanceof PackingError, String(error));
      assert.ok(error.message.length > 10 && error.next !== undefined);
      return undefined;
    },
  );
  assert.equal(plan !== undefined, project.layout.state.kind === 'built');
  if (plan === undefined) {
    return;
  }
  const packed = [
    ...plan.made.map(({ path }) => path),
    ...plan.files.map(({ path }) => getPackagePath(plan.layout, path)),
  ];
  assert.equal(new Set(packed).size, packed.length, 'no two files of one name');
  assert.ok(packed.every((path) => !path.split('/').includes('..') && !path.startsWith('/')));
  // The service uses the project's page and config.xml.
  const { layout } = plan;
  const page = getPackagePath(layout, layout.pages === '' ? 'index.html' : `${layout.pages}/index.html`);
  if (packed.includes(page)) {
    const config = layout.config === undefined ? 'config.xml' : getPackagePath(layout, layout.config);
    assert.deepEqual(chooseWebRoot(packed), { index: page, config: packed.includes(config) ? config : undefined });
  }
  if (plan.config !== undefined) {
    const read = parseConfig(Buffer.from(plan.config.text));
    assert.ok(read.name !== '' && read.id !== '' && /^\d+\.\d+\.\d+$/.test(read.version));
  }
  const { findings } = await checkProjectConfig({
    folder: new ProjectFolder(tree, ''),
    plan,
    unsavedText: () => undefined,
  });
  findings.forEach(({ message }) => assert.ok(formatSentence(message).length > 0));
}
