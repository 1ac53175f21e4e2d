import assert from 'node:assert/strict';
import { access, cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { packageExtension } from '../host/vsix.ts';
import { activationFiles, bundledFiles } from '../support/bundledFiles.ts';
import { startLocalService } from '../support/localService.ts';
import { getAnchor } from '../support/markdown.ts';
import { readArchive } from '../support/readArchive.ts';
import { repositoryRoot } from '../support/repository.ts';
import { KEY_PASSWORDS, keyFile, multipart, provisioningProfile } from '../support/signingKeys.ts';

const dist = path.join(repositoryRoot, 'dist');

/** Lists the targets of a page's images and links, in order. */
function addressesIn(page: string): readonly string[] {
  const text = page.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const inMarkdown = /\]\(([^)\s]*)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|<[^>]*\s(?:src|href)=["']([^"']*)/gm;
  return [...text.matchAll(inMarkdown)].map(([, inline, reference, html]) => inline ?? reference ?? html ?? '');
}

describe('the package', () => {
  it('ships the program and its pages, but no sources or tests', async () => {
    // The copy omits npm's and the tests' files, because the packager walks through all files.
    const folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    const left = ['.git', '.vscode-test', 'node_modules', 'out'].map((name) => path.join(repositoryRoot, name));
    await cp(repositoryRoot, folder, { recursive: true, filter: (source) => !left.includes(source) });
    const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
    await rm(folder, { recursive: true });
    assert.deepEqual(
      files.filter(
        (file) =>
          !/^(?:dist|l10n|media)\/|^(?:package(?:\.nls(?:\.\w+)?)?\.json|LICENSE|(?:README|CHANGELOG)\.md)$/.test(file),
      ),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /\.(?:ts|map)$|^media\/pictures\//.test(file)),
      [],
    );
    const needed = [
      'extension.cjs',
      'later.cjs',
      'localService.cjs',
      'undici.cjs',
      'shell/classes.dex',
      'shell/plugins/Bridge.dex',
      'samples/hello-app/config.xml',
      'THIRD-PARTY-NOTICES.txt',
    ];
    assert.deepEqual(
      needed.filter((name) => !files.includes(`dist/${name}`)),
      [],
      'run `npm run build` first',
    );
  });

  it('contains documentation whose images and links work outside the repository', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    try {
      const files = await readArchive(await packageExtension(repositoryRoot, folder));
      for (const [name, least] of [
        ['readme.md', 10],
        ['changelog.md', 1],
      ] as const) {
        const page = files.get(`extension/${name}`) ?? '';
        const targets = addressesIn(page);
        assert.ok(targets.length >= least, `${targets.length} in ${name}`);
        const headings = new Set([...page.matchAll(/^#+ (.*)$/gm)].map(([, words = '']) => `#${getAnchor(words)}`));
        for (const target of targets) {
          assert.ok(headings.has(target) || URL.parse(target)?.protocol === 'https:', `${name}: ${target}`);
          // Files in the repository have the same path in the package.
          const [, file] = /^https:\/\/github\.com\/[\w-]+\/[\w-]+\/(?:blob|raw)\/HEAD\/([^#]+)/.exec(target) ?? [];
          await assert.doesNotReject(access(path.join(repositoryRoot, file ?? '')), target);
        }
      }
      const [picture = ''] = addressesIn(files.get('extension/readme.md') ?? '');
      assert.match(picture, /^https:\/\/github\.com\/.*\/raw\/HEAD\/media\/pictures\/loop\.gif$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('opens key files with the bundled program next to the service', async () => {
    const service = await startLocalService({ bundled: true });
    try {
      const files = { cert: keyFile('legacy.p12'), profile: provisioningProfile('2100-01-01T00:00:00Z') };
      const response = await fetch(`${service.baseUrl}/api/v1/keys/ios`, {
        method: 'POST',
        headers: { Authorization: `token ${service.authToken}` },
        body: multipart({ title: 'Key', password: KEY_PASSWORDS['legacy.p12'].keystore }, files),
      });
      const { expires_at: expiresAt } = (await response.json()) as { readonly expires_at?: string };
      assert.equal(expiresAt?.slice(0, 4), '2020');
    } finally {
      await service.stop();
    }
  });

  it('contains each module of this project only once, because a second copy would have different classes', async () => {
    const sources = await Promise.all(
      (await bundledFiles()).map(async (file) => {
        const map = JSON.parse(await readFile(path.join(dist, `${file}.map`), 'utf8')) as {
          readonly sources: readonly string[];
        };
        return map.sources.filter((source) => /(^|\/)src\//.test(source));
      }),
    );
    const modules = sources.flat();
    assert.ok(modules.length > 100);
    assert.deepEqual(
      modules.filter((module, index) => modules.indexOf(module) !== index),
      [],
    );
  });

  it('imports VS Code’s API once per file, and loads little at activation', async () => {
    for (const file of await bundledFiles()) {
      const text = await readFile(path.join(dist, file), 'utf8');
      assert.ok(text.split('require("vscode")').length <= 2, file);
    }
    const files = await activationFiles();
    const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(dist, file))).size));
    const size = sizes.reduce((sum, each) => sum + each, 0);
    assert.ok(size <= 51_000, `${size} bytes`);
    assert.ok(files.length <= 3, files.join(', '));
  });
});
