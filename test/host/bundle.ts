import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A bundle sits elsewhere than its sources: each source keeps its own folder, so that it finds the repository's files. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|test)[\\/].*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      return { contents: source.replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file))), loader: 'ts' };
    });
  },
};

/** Bundles each test file below `directory`, and its `index.ts`, into `out`: the extension host cannot read TypeScript. */
export async function bundleTests(directory: string, out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await build({
    entryPoints: [path.join(directory, 'index.ts'), path.join(directory, '**', '*.test.ts')],
    outbase: directory,
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    plugins: [sourceFolders],
    logLevel: 'warning',
  });
}
