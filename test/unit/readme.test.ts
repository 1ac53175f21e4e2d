import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { NATIVE_PLUGINS } from '../../src/formats/nativePlugins.ts';
import { anchorOf } from '../support/markdown.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Whoever opens the page waits for them. */
const MAX_PICTURE_BYTES = 150_000;

/** The pages for people, each with its text. */
async function readPages(): Promise<ReadonlyMap<string, string>> {
  const docs = await readdir(path.join(repositoryRoot, 'docs'));
  const names = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    ...docs.map((name) => path.join('docs', name)),
  ];
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(repositoryRoot, name), 'utf8')] as const),
    ),
  );
}

describe('the pages for people', () => {
  it('name every command', async () => {
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

  it('name every plugin that packages have native code for', async () => {
    const named = new Set((await readPages()).get(path.join('docs', 'plugins.md'))?.match(/@?[\w-]+(?:\/[\w-]+)?/g));
    assert.deepEqual(
      NATIVE_PLUGINS.filter((name) => !named.has(name)),
      [],
    );
  });

  it('link to files and headings that there are', async () => {
    for (const [name, text] of await readPages()) {
      for (const [, target = ''] of text.matchAll(/\]\((?!\w+:)([^)]+)\)/g)) {
        const [file = '', anchor] = target.split('#');
        const linked = path.join(repositoryRoot, file === '' ? name : path.join(path.dirname(name), file));
        await assert.doesNotReject(stat(linked), `${name} links to ${target}`);
        if (anchor !== undefined) {
          const headings = [...(await readFile(linked, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) => words);
          assert.ok(headings.map(anchorOf).includes(anchor), `${name} links to ${target}`);
        }
      }
    }
  });

  it('name files of the repository that there are', async () => {
    const files = (await readdir(path.join(repositoryRoot, 'src'), { recursive: true })).map((file) =>
      file.replaceAll(path.sep, '/'),
    );
    const contributing = (await readPages()).get('CONTRIBUTING.md') ?? '';
    for (const [, name = ''] of contributing.matchAll(/`(?:src\/)?((?!out\/)[\w/]+\/(?:\w+\.ts|))`/g)) {
      const isThere = files.some((file) => file === name || `${file}/` === name || `${file}/`.endsWith(`/${name}`));
      const isBesideSrc = await stat(path.join(repositoryRoot, name)).then(Boolean, () => false);
      assert.ok(
        isThere || isBesideSrc || files.some((file) => file.endsWith(`/${name}`)),
        `CONTRIBUTING.md names ${name}`,
      );
    }
  });

  it('show the pictures that there are: each has what can be read in it beside it, and none is large', async () => {
    const folder = path.join(repositoryRoot, 'media', 'pictures');
    const images = [...(await readPages()).values()].flatMap((text) =>
      [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = '', file = '']) => ({
        words,
        file: path.basename(file),
      })),
    );
    const files = await readdir(folder);
    const pictures = files.filter((file) => file.endsWith('.png'));
    assert.deepEqual(images.map(({ file }) => file).sort(), pictures.sort());
    assert.deepEqual(files.sort(), pictures.flatMap((file) => [file, file.replace(/png$/, 'txt')]).sort());
    for (const { words, file } of images) {
      assert.ok(words.length > 20, `${file} is described for those who cannot see it`);
      const { size } = await stat(path.join(folder, file));
      assert.ok(size <= MAX_PICTURE_BYTES, `${file}: ${size} bytes`);
    }
  });
});
