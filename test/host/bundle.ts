import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repositoryRoot } from '../support/repository.ts';

const INTEGRATION = path.join(repositoryRoot, 'test', 'integration');

/** Keeps each source file's original folder, so that code finds the repository's files although the bundle is in another folder. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|test)[\\/].*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file));
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Bundles test/integration, or some of its files, into a folder in `out`, where mocha is found.
 * @returns the absolute path of the module that VS Code calls
 */
export async function bundleIntegrationTests(names?: readonly string[], folder = 'integration'): Promise<string> {
  const out = path.join(repositoryRoot, 'out', folder);
  await bundleTests(INTEGRATION, out, names);
  return path.join(out, 'index.cjs');
}

/**
 * Bundles `index.ts` and test files of `directory` into `out` as `*.cjs`, because the extension host can't read
 * TypeScript.
 * @param names test files without `.test.ts`, such as `explorer`. Defaults to all
 */
export async function bundleTests(directory: string, out: string, names: readonly string[] = ['*']): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await build({
    entryPoints: ['index.ts', ...names.map((name) => `${name}.test.ts`)].map((file) => path.join(directory, file)),
    outbase: directory,
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    // mocha's index is an ES module, for which Node 22's `require` returns the namespace and Node 24's the default
    // export. The extension is bundled in the same way, because jsonc-parser's CommonJS build requires files that a
    // bundle lacks.
    mainFields: ['module', 'main'],
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    external: ['vscode', 'mocha/lib/mocha.cjs'],
    plugins: [sourceFolders],
    logLevel: 'warning',
  });
}

// `npm run test:bundle`, for *Extension Tests* in .vscode/launch.json.
if (import.meta.main) {
  await bundleIntegrationTests();
  await mkdir(path.join(repositoryRoot, 'out', 'workspace'), { recursive: true });
}
