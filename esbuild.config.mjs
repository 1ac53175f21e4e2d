import { build } from 'esbuild';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * What is imported dynamically becomes a file of its own, so that activation loads none of it. A module of ours is in one
 * file only, since a class in two would be two classes: in the entry point when that needs it, otherwise in the first of
 * these that does; the others take it from there.
 */
const apart = [
  'src/auth/clients.ts',
  'src/resources/nodes/nodes.ts',
  'src/auth/signingIn.ts',
  'src/commands/handlers.ts',
  'src/commands/localServiceProcess.ts',
  'src/commands/requestSteps.ts',
  'src/resources/downloads/saveDownload.ts',
  'src/resources/jsonLayout.ts',
  'src/api/undici.ts',
  'src/api/hypermedia/templates.ts',
  'src/api/hypermedia/reader.ts',
];

const nameOf = (file) => path.basename(file, '.ts');
const ours = /^\.{1,2}\/.*\.ts$/;

/** Leaves dynamic imports to the files that stand apart. */
const lazily = {
  name: 'lazily',
  setup({ onResolve }) {
    onResolve({ filter: ours }, ({ kind, path: specifier, resolveDir }) => {
      if (kind !== 'dynamic-import') {
        return undefined;
      }
      const file = path.relative(import.meta.dirname, path.resolve(resolveDir, specifier)).replaceAll('\\', '/');
      return apart.includes(file)
        ? { path: `./${nameOf(file)}.js`, external: true }
        : { errors: [{ text: `${file} is imported dynamically, and does not stand apart` }] };
    });
  },
};

/**
 * The API of VS Code, once a file. esbuild copies all that `import * as` brings for each module that has it: with the API's
 * hundreds of names that was most of the time that loading the extension took.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replace(
        "import * as vscode from 'vscode';",
        "import { vscode } from 'vscode';",
      ),
      loader: 'ts',
    }));
    onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'vscode', namespace: 'once' } : { path: 'vscode', external: true },
    );
    onLoad({ filter: /.*/, namespace: 'once' }, () => ({ contents: "export const vscode = require('vscode');" }));
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // `require` loads a file of CommonJS sooner than `import()` does, which first looks for its exports in the text.
  supported: { 'dynamic-import': false },
  minify: true,
  sourcemap: 'linked',
  mainFields: ['module', 'main'],
  // undici's own switch for bundles: it leaves out the experimental second HTTP parser (150 kB).
  define: { esbuildDetection: 'true' },
  plugins: [lazily, vscodeOnce],
  logLevel: 'warning',
};

/** Takes the modules that `owners` names from the files that have them; their number there is their name. */
const takenFrom = (owners) => ({
  name: 'taken-from',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: ours }, ({ path: specifier, resolveDir, kind }) => {
      const owner = kind === 'entry-point' ? undefined : owners.get(path.resolve(resolveDir, specifier));
      return owner && { path: `./${owner.file}.js`, suffix: `?${owner.number}`, namespace: 'taken' };
    });
    onLoad({ filter: /.*/, namespace: 'taken' }, ({ path: file, suffix }) => ({
      contents: `module.exports = require('${file}').shared${suffix.slice(1)};`,
    }));
    onResolve({ filter: /.*/, namespace: 'taken' }, ({ path: file }) => ({ path: file, external: true }));
  },
});

/** The modules of ours that a bundle of this entry point would hold. */
async function modulesOf(entry) {
  const { metafile } = await build({ ...shared, entryPoints: [entry], outdir: 'dist', write: false, metafile: true });
  return Object.keys(metafile.inputs)
    .filter((file) => file.startsWith('src/'))
    .map((file) => path.resolve(file));
}

/** Writes each entry point as a bundle of its own; what the first one loads later goes into files beside it. */
export async function bundle(entryPoints, outdir = 'dist') {
  const [main, ...others] = Object.entries(entryPoints);
  const parts = [main, ...apart.map((file) => [nameOf(file), file])];
  const modules = await Promise.all(parts.map(([, entry]) => modulesOf(entry)));
  /** By module: the file that has it, and its number among all modules. */
  const owners = new Map();
  for (const [index, [file]] of parts.entries()) {
    for (const module of modules[index]) {
      if (!owners.has(module)) {
        owners.set(module, { file, number: owners.size });
      }
    }
  }
  await Promise.all([
    build({ ...shared, outdir, entryPoints: Object.fromEntries(others) }),
    ...parts.map(([file, entry], index) => {
      const wanted = new Set(modules.slice(index + 1).flat());
      const lent = modules[index].filter((module) => owners.get(module).file === file && wanted.has(module));
      const taken = new Map([...owners].filter(([, owner]) => owner.file !== file));
      const contents = [
        `export * from ${JSON.stringify(path.resolve(entry))};`,
        ...lent.map((module) => `export * as shared${owners.get(module).number} from ${JSON.stringify(module)};`),
      ];
      const stdin = { contents: contents.join('\n'), resolveDir: process.cwd(), loader: 'ts' };
      return build({
        ...shared,
        outfile: path.join(outdir, `${file}.js`),
        stdin,
        plugins: [lazily, takenFrom(taken), vscodeOnce],
      });
    }),
  ]);
}

if (import.meta.main) {
  await rm('dist', { recursive: true, force: true });
  await bundle({ extension: 'src/extension.ts', localService: 'src/localService/main.ts' });
}
