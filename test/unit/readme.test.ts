import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decode } from 'modern-gif';
import { NATIVE_PLUGINS, pngSize } from '../../src/android-package/index.ts';
import { PICTURE_SIZE } from '../e2e/pictures.ts';
import { getAnchor } from '../support/markdown.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Maximum size of an image in bytes. Readers wait for images to load. */
const MAX_PICTURE_BYTES = 400_000;
const MAX_LOOP_BYTES = 2_000_000;

const MAX_README_LINES = 90;

const CONTRIBUTOR_PAGES = [
  'CONTRIBUTING.md',
  'AGENTS.md',
  path.join('docs', 'architecture.md'),
  path.join('docs', 'testing.md'),
];

/** Reads the documentation pages with their text. */
async function readPages(): Promise<ReadonlyMap<string, string>> {
  const docs = await readdir(path.join(repositoryRoot, 'docs'));
  const names = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'SUPPORT.md',
    'AGENTS.md',
    ...docs.map((name) => path.join('docs', name)),
  ];
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(repositoryRoot, name), 'utf8')] as const),
    ),
  );
}

/** Returns the paths of all files and folders that pages can name. Folders end with a slash. */
async function readPaths(): Promise<readonly string[]> {
  const entries = await Promise.all(
    ['src', 'test', 'docs', '.github'].map((folder) =>
      readdir(path.join(repositoryRoot, folder), { recursive: true, withFileTypes: true }),
    ),
  );
  const top = await readdir(repositoryRoot, { withFileTypes: true });
  return [...top, ...entries.flat()].map((entry) => {
    const file = path.relative(repositoryRoot, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    return entry.isDirectory() ? `${file}/` : file;
  });
}

/** Returns the paths in a page’s code: files of the repository, and folders, which end with a slash. */
function getPaths(page: string): readonly string[] {
  const paths = [...page.matchAll(/`([\w./-]+(?:\.(?:cpp|json|mjs|ts)|\/))`/g)].map(([, file = '']) => file);
  return paths.filter((file) => !/^(?:dist|out|\.vscode-test)\//.test(file));
}

/** Reads the README.md files of the rooms. */
async function readRoomPages(): Promise<ReadonlyMap<string, string>> {
  const names = globSync('src/*/README.md', { cwd: repositoryRoot });
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(repositoryRoot, name), 'utf8')] as const),
    ),
  );
}

describe('the documentation', () => {
  it('names every command', async () => {
    const read = async (name: string): Promise<string> => readFile(path.join(repositoryRoot, name), 'utf8');
    const { contributes } = JSON.parse(await read('package.json')) as {
      readonly contributes: { readonly commands: readonly { readonly title: string }[] };
    };
    const titles = JSON.parse(await read('package.nls.json')) as Readonly<Record<string, string>>;
    const page = await read(path.join('docs', 'commands.md'));
    const named = new Set(page.split(/[|,\n]/).map((part) => part.trim()));
    const commands = contributes.commands.map(({ title }) => titles[title.slice(1, -1)] ?? '');
    assert.deepEqual(
      commands.filter((title) => !named.has(title)),
      [],
    );
  });

  it('uses the glossary’s terms, like every text of the extension', async () => {
    const glossary = (await readPages()).get(path.join('docs', 'glossary.md')) ?? assert.fail();
    const rows = [...glossary.matchAll(/^\| (?!Term|---)([^|]+)\|[^|]+\| ([^|]+)\|$/gm)];
    assert.ok(rows.length > 20);
    const avoided = rows.flatMap(([, term = '', words = '']) =>
      words.split(',').map((word) => ({ term: term.trim(), word: word.trim() })),
    );
    const readTexts = async (name: string): Promise<Readonly<Record<string, string>>> =>
      JSON.parse(await readFile(path.join(repositoryRoot, name), 'utf8')) as Readonly<Record<string, string>>;
    const english = [
      ...Object.values(await readTexts('package.nls.json')),
      ...Object.keys(await readTexts(path.join('l10n', 'bundle.l10n.de.json'))),
    ];
    assert.ok(english.length > 1000);
    const expression = (word: string): RegExp =>
      new RegExp(`(?<![\\w.-])${word.replaceAll('-', '\\-')}(?![\\w-])`, word === word.toLowerCase() ? 'i' : '');
    const wrong = avoided.flatMap(({ term, word }) =>
      english.filter((text) => expression(word).test(text)).map((text) => `“${word}” isn’t “${term}”: ${text}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('names every plugin with native code in packages', async () => {
    const named = new Set((await readPages()).get(path.join('docs', 'plugins.md'))?.match(/@?[\w-]+(?:\/[\w-]+)?/g));
    assert.deepEqual(
      NATIVE_PLUGINS.filter((name) => !named.has(name)),
      [],
    );
  });

  it('links to existing files and headings', async () => {
    for (const [name, text] of await readPages()) {
      for (const [, target = ''] of text.matchAll(/\]\((?!\w+:)([^)]+)\)/g)) {
        const [file = '', anchor] = target.split('#');
        const linked = path.join(repositoryRoot, file === '' ? name : path.join(path.dirname(name), file));
        await assert.doesNotReject(stat(linked), `${name} links to ${target}`);
        if (anchor !== undefined) {
          const headings = [...(await readFile(linked, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) => words);
          assert.ok(headings.map(getAnchor).includes(anchor), `${name} links to ${target}`);
        }
      }
    }
  });

  it('names existing files and folders of the repository', async () => {
    const files = await readPaths();
    const pages = await readPages();
    for (const name of CONTRIBUTOR_PAGES) {
      for (const file of getPaths(pages.get(name) ?? assert.fail(name))) {
        assert.ok(
          files.some((each) => `/${each}`.endsWith(`/${file}`)),
          `${name} names ${file}, which doesn't exist`,
        );
      }
    }
  });

  it('names existing files and folders in each room’s README.md', async () => {
    const files = await readPaths();
    for (const [name, page] of await readRoomPages()) {
      const room = path.dirname(name).replaceAll(path.sep, '/');
      for (const file of getPaths(page)) {
        const isInRoom = files.some((each) => each.startsWith(`${room}/`) && each.endsWith(`/${file}`));
        assert.ok(isInRoom || files.includes(file), `${name} names ${file}, which doesn't exist`);
      }
    }
  });

  it('selects existing unit tests in each command', async () => {
    const pages = [...(await readPages()), ...(await readRoomPages())];
    const commands = pages.flatMap(([name, text]) =>
      [...text.matchAll(/npm run test:unit -- ([^`]*)/g)].map(([, args = '']) => [name, args] as const),
    );
    assert.ok(commands.length > 5);
    for (const [name, args] of commands) {
      for (const selected of args.match(/\b(?:src|test)\/\S+/g) ?? []) {
        const test = path.join(repositoryRoot, selected.replace(/^src\//, 'test/unit/'));
        await assert.doesNotReject(stat(test), `${name}: ${selected}`);
        const [, words] = /--grep "(.*?)"/.exec(args) ?? [];
        assert.ok(words === undefined || (await readFile(test, 'utf8')).includes(`'${words}'`), `${name}: ${args}`);
      }
    }
  });

  it('shows existing images with a text alternative, at double resolution, and small enough to load quickly', async () => {
    const folder = path.join(repositoryRoot, 'media', 'pictures');
    const images = [...(await readPages()).values()].flatMap((text) =>
      [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = '', file = '']) => ({
        words,
        file: path.basename(file),
      })),
    );
    const files = await readdir(folder);
    const pictures = files.filter((file) => !file.endsWith('.txt')).sort();
    assert.deepEqual([...new Set(images.map(({ file }) => file))].sort(), pictures);
    assert.deepEqual(files.sort(), pictures.flatMap((file) => [file, file.replace(/\w+$/, 'txt')]).sort());
    for (const { words, file } of images) {
      assert.ok(words.length > 20 && words.length < 120, `${file} has a text alternative`);
      const bytes = await readFile(path.join(folder, file));
      const isGif = file.endsWith('.gif');
      assert.ok(bytes.length <= (isGif ? MAX_LOOP_BYTES : MAX_PICTURE_BYTES), `${file}: ${bytes.length} bytes`);
      const { width, height } = isGif ? decode(bytes) : (pngSize(bytes) ?? assert.fail(file));
      assert.deepEqual([width, height], [PICTURE_SIZE.width * 2, PICTURE_SIZE.height * 2], file);
    }
  });

  it('starts with an animated image of about six seconds that repeats', async () => {
    const loop = decode(await readFile(path.join(repositoryRoot, 'media', 'pictures', 'loop.gif')));
    const seconds = loop.frames.reduce((sum, { delay }) => sum + delay, 0) / 1000;
    assert.ok(seconds >= 5 && seconds <= 7.5, `${seconds} s`);
    assert.deepEqual([loop.looped, loop.loopCount], [true, 0]);
  });

  it('keeps README.md short', async () => {
    const lines = ((await readPages()).get('README.md') ?? '').trimEnd().split('\n').length;
    assert.ok(lines <= MAX_README_LINES, `${lines} lines`);
  });
});
