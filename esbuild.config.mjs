import { build } from 'esbuild';
import { rm } from 'node:fs/promises';
import path from 'node:path';

// The extension host resolves these itself.
const external = ['vscode'];

/**
 * What is imported dynamically becomes a file of its own, so that activation loads none of it. The modules of ours that the
 * importing file has already are taken from there: a class in both would be two classes.
 */
const apart = {
  caller: 'src/api/caller.ts',
  undici: 'src/api/undici.ts',
  reader: 'src/api/hypermedia/reader.ts',
  templates: 'src/api/hypermedia/templates.ts',
  jsonLayout: 'src/resources/jsonLayout.ts',
  requestSteps: 'src/commands/requestSteps.ts',
  saveDownload: 'src/resources/downloads/saveDownload.ts',
};

const lazily = {
  name: 'lazily',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path: specifier }) => {
      const name = path.basename(specifier, '.ts');
      return kind === 'dynamic-import' && name in apart ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: true,
  sourcemap: 'linked',
  mainFields: ['module', 'main'],
  external,
  // undici's own switch for bundles: it leaves out the experimental second HTTP parser (150 kB).
  define: { esbuildDetection: 'true' },
  plugins: [lazily],
  logLevel: 'warning',
};

/** Takes the modules that `main` exports for this from there; their place in the list is their name. */
const takenFrom = (main, modules) => ({
  name: 'taken-from-main',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: specifier, resolveDir, kind }) => {
      const index = kind === 'entry-point' ? -1 : modules.indexOf(path.resolve(resolveDir, specifier));
      return index < 0 ? undefined : { path: String(index), namespace: 'main' };
    });
    onLoad({ filter: /.*/, namespace: 'main' }, ({ path: index }) => ({ contents: `module.exports = require('./${main}.js').shared${index};` }));
    onResolve({ filter: /.*/, namespace: 'main' }, ({ path: file }) => ({ path: file, external: true }));
  },
});

/** The modules of ours that a bundle of these entry points would hold. */
async function modulesOf(entryPoints) {
  const { metafile } = await build({ ...shared, entryPoints, outdir: 'dist', write: false, metafile: true });
  return Object.keys(metafile.inputs).filter((file) => file.startsWith('src/')).map((file) => path.resolve(file));
}

/** Writes each entry point as a bundle of its own; what the first one loads later goes into files beside it. */
export async function bundle(entryPoints, outdir = 'dist') {
  const [[main, entry], ...others] = Object.entries(entryPoints);
  const own = await modulesOf([entry]);
  const later = await modulesOf(Object.values(apart));
  const both = later.filter((file) => own.includes(file));
  const contents = [`export * from ${JSON.stringify(path.resolve(entry))};`, ...both.map((file, index) => `export * as shared${index} from ${JSON.stringify(file)};`)];
  await Promise.all([
    build({ ...shared, outfile: path.join(outdir, `${main}.js`), stdin: { contents: contents.join('\n'), resolveDir: process.cwd(), loader: 'ts' } }),
    build({ ...shared, outdir, entryPoints: Object.fromEntries(others) }),
    ...Object.entries(apart).map(([name, file]) => build({ ...shared, outdir, entryPoints: { [name]: file }, plugins: [takenFrom(main, both), lazily] })),
  ]);
}

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await bundle({ extension: 'src/extension.ts', localService: 'src/localService/main.ts' });
}
